/* SPDX-License-Identifier: GPL-2.0-or-later */
/* link-watch.c - carrier, operational state, and the work that announces them.
 *
 * Models net/core/link_watch.c and the carrier half of net/sched/sch_generic.c
 * (Linux 5.10 and 6.1). */
#include "net/dev.h"

#define LINKWATCH_INTERVAL PS_PER_S

/* The state of RFC 2863 */

/* Which of the two downs: of its own, or because of the device below. */
static enum operstate
state_without_carrier(const struct net_device *dev)
{
	return dev_get_iflink(dev) == dev->ifindex ? OPER_DOWN : OPER_LOWERLAYERDOWN;
}

static void
rfc2863_policy(struct net_device *dev)
{
	if (!netif_carrier_ok(dev))
		dev->operstate = state_without_carrier(dev);
	else
		dev->operstate = dev->dormant ? OPER_DORMANT : OPER_UP;
}

void
linkwatch_init_dev(struct net_device *dev)
{
	if (!netif_carrier_ok(dev) || dev->dormant)
		rfc2863_policy(dev);
}

/* The queue of devices to look at */

static void
enqueue(struct net_device *dev)
{
	struct kernel *k = dev->kernel;

	dev->linkwatch_next = NULL;
	*(k->linkwatch_last ? &k->linkwatch_last->linkwatch_next : &k->linkwatch_first) = dev;
	k->linkwatch_last = dev;
}

static struct net_device *
dequeue_all(struct kernel *k)
{
	struct net_device *first = k->linkwatch_first;

	k->linkwatch_first = k->linkwatch_last = NULL;
	return first;
}

static bool
urgent_event(const struct net_device *dev)
{
	if (!netif_running(dev))
		return false;
	if (dev->ifindex != dev_get_iflink(dev))
		return true;
	if (netif_is_lag_port(dev) || netif_is_lag_master(dev))
		return true;
	return netif_carrier_ok(dev) && dev->qdisc_attached && !dev->qdisc_active;
}

/* What is not urgent happens once a second at most. */
static void
schedule_work(struct kernel *k, bool urgent)
{
	uint64_t now = engine_now(k->engine), delay = 0;

	if (k->linkwatch_urgent)
		return;
	if (urgent) {
		k->linkwatch_urgent = true;
		work_mod_delayed(k->events, &k->linkwatch_work, 0);
		return;
	}
	if (work_pending(&k->linkwatch_work))
		return;
	if (k->linkwatch_next_event > now)
		delay = k->linkwatch_next_event - now;
	work_mod_delayed(k->events, &k->linkwatch_work, delay);
}

void
linkwatch_fire_event(struct net_device *dev)
{
	bool urgent = urgent_event(dev);

	DEV_ENTER(dev, "linkwatch_fire_event");
	if (!dev->linkwatch_pending) {
		dev->linkwatch_pending = true;
		enqueue(dev);
	} else if (!urgent) {
		return;
	}
	schedule_work(dev->kernel, urgent);
}

static void
look_at(struct net_device *dev)
{
	DEV_ENTER(dev, "linkwatch_do_dev");
	dev->linkwatch_pending = false;
	rfc2863_policy(dev);
	if (!(dev->flags & IFF_UP))
		return;
	if (netif_carrier_ok(dev))
		dev_activate(dev);
	else
		dev_deactivate(dev);
	netdev_state_change(dev);
}

/* What was to be looked at is looked at now. */
void
linkwatch_forget_dev(struct net_device *dev)
{
	struct net_device *all, *next;

	if (!dev->linkwatch_pending)
		return;
	for (all = dequeue_all(dev->kernel); all; all = next) {
		next = all->linkwatch_next;
		if (all != dev)
			enqueue(all);
	}
	look_at(dev);
}

static void
run_queue(struct kernel *k, bool urgent_only)
{
	struct net_device *dev, *next;

	if (!urgent_only)
		k->linkwatch_next_event = engine_now(k->engine) + LINKWATCH_INTERVAL;
	k->linkwatch_urgent = false;
	for (dev = dequeue_all(k); dev; dev = next) {
		next = dev->linkwatch_next;
		if (urgent_only && !urgent_event(dev))
			enqueue(dev);
		else
			look_at(dev);
	}
	if (k->linkwatch_first)
		schedule_work(k, false);
}

static void
linkwatch_event(void *data)
{
	struct kernel *k = data;

	rtnl_lock(k);
	run_queue(k, k->linkwatch_next_event > engine_now(k->engine));
	rtnl_unlock(k);
}

void
linkwatch_init(struct kernel *k)
{
	work_init(&k->linkwatch_work, "linkwatch_event", linkwatch_event, k);
}

/* Carrier */

static void
set_carrier(struct net_device *dev, bool carrier)
{
	if (dev->carrier == carrier)
		return;
	dev->carrier = carrier;
	if (dev->reg_state != NETREG_UNINITIALIZED)
		linkwatch_fire_event(dev);
}

void
netif_carrier_on(struct net_device *dev)
{
	set_carrier(dev, true);
}

void
netif_carrier_off(struct net_device *dev)
{
	set_carrier(dev, false);
}

static void
set_dormant(struct net_device *dev, bool dormant)
{
	if (dev->dormant == dormant)
		return;
	dev->dormant = dormant;
	linkwatch_fire_event(dev);
}

void
netif_stacked_transfer_operstate(const struct net_device *root, struct net_device *dev)
{
	set_dormant(dev, root->operstate == OPER_DORMANT);
	set_carrier(dev, netif_carrier_ok(root));
}
