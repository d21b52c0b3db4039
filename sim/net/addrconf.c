/* SPDX-License-Identifier: GPL-2.0-or-later */
/* addrconf.c - IPv6 on devices: what their events do to it.
 *
 * Models the device half of net/ipv6/addrconf.c (Linux 5.10 and 6.1); addresses
 * are in addrconf-addr.c, DAD in addrconf-dad.c, settings in addrconf-sysctl.c. */
#include <linux/if_addr.h>
#include <net/if_arp.h>
#include <string.h>

#include "net/dev.h"
#include "net/inet6.h"
#include "net/ip6-route.h"
#include "net/ndisc.h"
#include "net/saddr.h"

static const struct table_spec inet6_addr_spec = {
	.name = "inet6_addr",
	.about = "IPv6 addresses of a namespace, by address and ifindex",
	.backend = "hash:buckets=256",
	.elem_size = sizeof(struct inet6_ifaddr),
	.key_offset = offsetof(struct inet6_ifaddr, key),
	.kfree_rcu = true,
};

extern const struct net_module net_module_addrconf;

/* The kernel's queue has a worker on each CPU.  What a command queues to run at
 * once runs on the CPU of its process; what a timer queues, where that was set by
 * an earlier command's work.  As commands move from CPU to CPU, the one does not
 * wait for the other: two workers stand for all of them. */
struct inet6_kernel {
	struct workqueue *wq, *timer_wq; /* ipv6_addrconf */
};

struct inet6_net *
inet6_net(const struct net *net)
{
	return net_module_state(net, &net_module_addrconf);
}

void
addrconf_mod_work(const struct kernel *k, struct work *work, uint64_t delay)
{
	const struct inet6_kernel *in6 = kernel_module_state(k, &net_module_addrconf);

	work_mod_delayed(delay == 0 ? in6->wq : in6->timer_wq, work, delay);
}

/* The device's IPv6 state */

/* Can it send?  A carrier is not enough: the queue must be there. */
static bool
addrconf_link_ready(const struct net_device *dev)
{
	return netif_oper_up(dev) && dev->qdisc_active;
}

static struct inet6_dev *
ipv6_add_dev(struct net_device *dev)
{
	struct inet6_dev *idev;

	DEV_ENTER(dev, "ipv6_add_dev");
	if (dev->mtu < IPV6_MIN_MTU)
		return NULL;
	idev = g_new0(struct inet6_dev, 1);
	idev->dev = dev;
	rwlock_init(&idev->lock, lock_class(dev->kernel->engine, "&ndev->lock"),
		    dev->kernel->engine);
	table_init(&idev->addr_list, kernel_table(dev->kernel, &inet6_ifa_list_spec));
	idev->cnf = inet6_net(dev->net)->dflt;
	if (dev->flags & IFF_LOOPBACK)
		idev->cnf.use_tempaddr = -1;
	if (dev->flags & (IFF_NOARP | IFF_LOOPBACK))
		idev->cnf.accept_dad = -1;
	idev->ready = netif_running(dev) && addrconf_link_ready(dev);
	dev->ip6_ptr = idev;
	ipv6_mc_init_dev(idev);
	return idev;
}

struct inet6_dev *
ipv6_find_idev(struct net_device *dev)
{
	struct inet6_dev *idev = in6_dev_get(dev);

	if (!idev)
		idev = ipv6_add_dev(dev);
	if (idev && dev->flags & IFF_UP)
		ipv6_mc_up(idev);
	return idev;
}

struct inet6_dev *
addrconf_add_dev(struct net_device *dev, int *err)
{
	struct inet6_dev *idev;

	DEV_ENTER(dev, "addrconf_add_dev");
	idev = ipv6_find_idev(dev);
	if (!idev)
		*err = -ENOBUFS;
	else if (idev->cnf.disable_ipv6)
		*err = -EACCES;
	else if (!(dev->flags & IFF_LOOPBACK) && !netif_is_l3_master(dev))
		addrconf_add_mroute(dev);
	return *err == 0 ? idev : NULL;
}

/* Addresses that come by themselves */

static void
add_permanent(struct inet6_dev *idev, const uint8_t *addr, uint8_t prefixlen, bool dad)
{
	struct inet6_ifaddr_config cfg = {.addr = addr,
					  .prefixlen = prefixlen,
					  .proto = dad ? IFAPROT_KERNEL_LL : IFAPROT_KERNEL_LO,
					  .flags = IFA_F_PERMANENT,
					  .valid_lft = INFINITY_LIFE_TIME,
					  .preferred_lft = INFINITY_LIFE_TIME};
	const struct ipv6_devconf *all = &inet6_net(idev->dev->net)->all;
	struct inet6_ifaddr *ifa;

	if (dad && (all->optimistic_dad || idev->cnf.optimistic_dad) && !all->forwarding)
		cfg.flags |= IFA_F_OPTIMISTIC;
	if (ipv6_add_addr(idev, &cfg, &ifa) != 0)
		return;
	if (dad) {
		addrconf_prefix_route(ifa);
		addrconf_dad_start(ifa);
	} else {
		ifa->flags &= ~(uint32_t)IFA_F_TENTATIVE;
		ipv6_ifa_notify_new(ifa);
	}
}

/* The interface identifier of RFC 4291: the MAC with ff:fe in its middle and
 * the universal bit turned over. */
static void
link_local_addr(const struct net_device *dev, uint8_t addr[16])
{
	const uint8_t *mac = dev->dev_addr;
	uint8_t eui64[16] = {0xfe,   0x80,   0,      0,    0,    0,      0,      0,
			     mac[0], mac[1], mac[2], 0xff, 0xfe, mac[3], mac[4], mac[5]};

	eui64[8] ^= 2;
	memcpy(addr, eui64, 16);
}

/* Devices below a VRF have link-local addresses, the VRF itself has none. */
static void
addrconf_addr_gen(struct inet6_dev *idev)
{
	uint8_t addr[16];

	DEV_ENTER(idev->dev, "addrconf_addr_gen");
	if (netif_is_l3_master(idev->dev) || idev->cnf.addr_gen_mode != 0)
		return;
	link_local_addr(idev->dev, addr);
	DEV_CALL(idev->dev, "addrconf_add_linklocal");
	add_permanent(idev, addr, 64, true);
}

static void
addrconf_dev_config(struct net_device *dev)
{
	struct inet6_dev *idev;
	int err = 0;

	idev = addrconf_add_dev(dev, &err);
	if (idev)
		addrconf_addr_gen(idev);
}

static void
init_loopback(struct net_device *dev)
{
	static const uint8_t loopback[16] = {[15] = 1};
	struct inet6_dev *idev = ipv6_find_idev(dev);

	if (idev)
		add_permanent(idev, loopback, 128, false);
}

/* Up */

/* Addresses that were kept while the device was down start anew, and their routes. */
static void
fixup_permanent_addr(struct inet6_ifaddr *ifa)
{
	addrconf_ins_host_route(ifa);
	if (!(ifa->flags & IFA_F_NOPREFIXROUTE))
		addrconf_prefix_route(ifa);
	if (ifa->state == INET6_IFADDR_STATE_PREDAD)
		addrconf_dad_start(ifa);
}

static void
addrconf_permanent_addr(struct inet6_dev *idev)
{
	struct inet6_ifaddr *ifa;
	struct cursor cursor;

	for_each_ifaddr(idev, &cursor, ifa)
	{
		if (ifa->flags & IFA_F_PERMANENT)
			fixup_permanent_addr(ifa);
	}
}

static void
configure(struct net_device *dev)
{
	if (dev->type == ARPHRD_LOOPBACK)
		init_loopback(dev);
	else
		addrconf_dev_config(dev);
	if (in6_dev_get(dev))
		addrconf_dad_run(in6_dev_get(dev), false);
}

static void
addrconf_came_up(struct net_device *dev)
{
	struct inet6_dev *idev = in6_dev_get(dev);

	if (idev)
		addrconf_permanent_addr(idev);
	if (!addrconf_link_ready(dev))
		return;
	if (!idev)
		idev = ipv6_add_dev(dev);
	if (idev)
		idev->ready = true;
	configure(dev);
}

static void
addrconf_change(struct net_device *dev, const struct netdev_change *change)
{
	struct inet6_dev *idev = in6_dev_get(dev);

	if (!addrconf_link_ready(dev))
		return;
	if (idev && idev->ready) {
		ipv6_mc_up(idev);
		if (change && change->flags_changed & IFF_NOARP)
			addrconf_dad_run(idev, true);
		return;
	}
	if (idev)
		idev->ready = true;
	configure(dev);
}

/* Down */

static bool
is_local(const struct inet6_ifaddr *ifa)
{
	return ipv6_addr_linklocal(ifa->key.addr) || ipv6_addr_loopback(ifa->key.addr);
}

static bool
keeps_addresses(const struct inet6_dev *idev, bool unregister)
{
	const struct ipv6_devconf *all = &inet6_net(idev->dev->net)->all;
	int keep = all->keep_addr_on_down ? all->keep_addr_on_down : idev->cnf.keep_addr_on_down;

	return !unregister && !idev->cnf.disable_ipv6 && keep > 0;
}

/* The whole table is walked for those of one device, as the kernel does. */
static void
stop_dad(struct inet6_dev *idev)
{
	struct inet6_ifaddr *ifa;
	struct cursor cursor;

	table_for_each (&inet6_net(idev->dev->net)->addrs, &cursor, ifa) {
		if (ifa->idev == idev)
			addrconf_del_dad_work(ifa);
	}
}

static void
keep_addr(struct inet6_ifaddr *ifa)
{
	ifa->state = INET6_IFADDR_STATE_PREDAD;
	if (!(ifa->flags & IFA_F_NODAD))
		ifa->flags |= IFA_F_TENTATIVE;
	if (ifa->idev->cnf.forwarding)
		addrconf_leave_anycast(ifa);
	addrconf_leave_solict(ifa->idev, ifa->key.addr);
}

static void
drop_addresses(struct inet6_dev *idev, bool keep)
{
	struct inet6_ifaddr *ifa;
	struct cursor cursor;

	for_each_ifaddr(idev, &cursor, ifa)
	{
		if (keep && ifa->flags & IFA_F_PERMANENT && !is_local(ifa))
			keep_addr(ifa);
		else
			ipv6_del_addr(ifa);
	}
}

static void
addrconf_ifdown(struct net_device *dev, bool unregister)
{
	struct inet6_dev *idev = in6_dev_get(dev);
	bool was_ready;

	DEV_ENTER_TRACED(dev, "addrconf_ifdown");
	rt6_disable_ip(dev);
	neigh_ifdown(dev);
	if (!idev)
		return;
	if (unregister) {
		idev->dead = true;
		dev->ip6_ptr = NULL;
	}
	stop_dad(idev);
	was_ready = idev->ready;
	idev->ready = false;
	drop_addresses(idev, keeps_addresses(idev, unregister));
	if (unregister) {
		ipv6_ac_destroy_dev(idev);
		ipv6_mc_destroy_dev(idev);
		table_fini(&idev->addr_list);
		rcu_defer(dev->kernel->rcu, idev, sizeof *idev, NULL);
	} else if (was_ready) {
		ipv6_mc_down(idev);
	}
}

void
addrconf_down(struct net_device *dev)
{
	addrconf_ifdown(dev, false);
}

/* Events */

static void
addrconf_mtu_changed(struct net_device *dev)
{
	struct inet6_dev *idev;

	if (dev->mtu < IPV6_MIN_MTU) {
		addrconf_ifdown(dev, dev != dev->net->loopback);
		return;
	}
	if (in6_dev_get(dev))
		return;
	idev = ipv6_add_dev(dev);
	if (idev && idev->ready && !(dev->flags & IFF_SLAVE))
		configure(dev);
}

/* A device below a bond has no IPv6 of its own, but hears its groups. */
static void
addrconf_slave_up(struct net_device *dev, enum netdev_event event)
{
	if (event == NETDEV_UP && in6_dev_get(dev) && dev->flags & IFF_UP &&
	    dev->flags & IFF_MULTICAST)
		ipv6_mc_up(in6_dev_get(dev));
}

static void
addrconf_up_or_change(enum netdev_event event, struct net_device *dev, const void *info)
{
	if (in6_dev_get(dev) && in6_dev_get(dev)->cnf.disable_ipv6)
		return;
	if (dev->flags & IFF_SLAVE)
		addrconf_slave_up(dev, event);
	else if (event == NETDEV_UP)
		addrconf_came_up(dev);
	else
		addrconf_change(dev, info);
}

void
addrconf_up(struct net_device *dev)
{
	addrconf_up_or_change(NETDEV_UP, dev, NULL);
}

/* A new routing domain: nothing that was true of the old one may stay. */
static void
addrconf_upper_changed(struct net_device *dev, const struct changeupper *info)
{
	if (netif_is_l3_master(info->upper))
		addrconf_ifdown(dev, false);
}

static int
addrconf_notify(struct kernel *k, enum netdev_event event, struct net_device *dev, const void *info)
{
	switch (event) {
	case NETDEV_REGISTER:
		if (!in6_dev_get(dev))
			ipv6_add_dev(dev);
		break;
	case NETDEV_CHANGEMTU:
		addrconf_mtu_changed(dev);
		break;
	case NETDEV_UP:
	case NETDEV_CHANGE:
		addrconf_up_or_change(event, dev, info);
		break;
	case NETDEV_DOWN:
	case NETDEV_UNREGISTER:
		addrconf_ifdown(dev, event == NETDEV_UNREGISTER);
		break;
	case NETDEV_CHANGEUPPER:
		addrconf_upper_changed(dev, info);
		break;
	default:
		break;
	}
	return 0;
}

/* Namespaces */

static int
addrconf_kernel_init(struct kernel *k, void *state)
{
	struct inet6_kernel *in6 = state;

	in6->wq = kernel_workqueue(k, "ipv6_addrconf");
	in6->timer_wq = kernel_workqueue(k, "ipv6_addrconf timers");
	return 0;
}

static int
addrconf_net_init(struct net *net, void *state)
{
	struct inet6_net *in6 = state;

	table_init(&in6->addrs, kernel_table(net->kernel, &inet6_addr_spec));
	in6->all = (struct ipv6_devconf){
		.dad_transmits = 1, .router_solicitations = -1, .accept_ra = 1};
	in6->dflt = in6->all;
	in6->dflt.accept_dad = 1;
	addrconf_verify_init(net);
	return 0;
}

static void
addrconf_net_exit(struct net *net, void *state)
{
	struct inet6_net *in6 = state;

	addrconf_verify_cancel(net);
	table_fini(&in6->addrs);
}

const struct net_module net_module_addrconf = {
	.name = "addrconf",
	.tables = {&inet6_addr_spec, &inet6_ifa_list_spec},
	.kernel_size = sizeof(struct inet6_kernel),
	.net_size = sizeof(struct inet6_net),
	.kernel_init = addrconf_kernel_init,
	.net_init = addrconf_net_init,
	.net_exit = addrconf_net_exit,
	.event = addrconf_notify,
};
