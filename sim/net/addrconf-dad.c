/* SPDX-License-Identifier: GPL-2.0-or-later */
/* addrconf-dad.c - duplicate address detection: work that runs under RTNL after
 * the command that added an address.
 *
 * Models the DAD of net/ipv6/addrconf.c (Linux 5.10 and 6.1): the first work
 * joins the solicited-node group; probes follow after a random delay; nobody
 * ever answers them, so every address becomes usable. */
#include <linux/if_addr.h>

#include "net/dev.h"
#include "net/inet6.h"

#define RTR_SOLICITATION_DELAY PS_PER_S /* the delay is random and shorter */
#define RETRANS_TIME           PS_PER_S

struct dad_work {
	struct work work;
	struct kernel *kernel;
	struct inet6_ifaddr *ifa; /* null: it went away while this waited for RTNL */
	unsigned waiting;         /* of its runs, for RTNL */
};

static void
addrconf_mod_dad_work(struct inet6_ifaddr *ifa, uint64_t delay)
{
	addrconf_mod_work(ifa->dad_work->kernel, &ifa->dad_work->work, delay);
}

void
addrconf_del_dad_work(struct inet6_ifaddr *ifa)
{
	work_cancel(&ifa->dad_work->work);
}

static void
addrconf_dad_completed(struct inet6_ifaddr *ifa)
{
	DEV_ENTER(ifa->idev->dev, "addrconf_dad_completed");
	addrconf_del_dad_work(ifa);
	ipv6_ifa_notify_new(ifa);
}

static void
become_usable(struct inet6_ifaddr *ifa)
{
	ifa->flags &= ~(uint32_t)(IFA_F_TENTATIVE | IFA_F_OPTIMISTIC | IFA_F_DADFAILED);
	addrconf_dad_completed(ifa);
}

static void
addrconf_dad_kick(struct inet6_ifaddr *ifa)
{
	struct kernel *k = ifa->idev->dev->kernel;

	CALL_ENTER(&k->calls, "addrconf_dad_kick");
	ifa->dad_probes = ifa->idev->cnf.dad_transmits;
	addrconf_mod_dad_work(ifa,
			      rng_below(&k->rng, RTR_SOLICITATION_DELAY / PS_PER_MS) * PS_PER_MS);
}

/* Of a device that is not ready: the address stays tentative until it is. */
static void
addrconf_dad_stop(struct inet6_ifaddr *ifa)
{
	addrconf_del_dad_work(ifa);
	ifa->flags |= IFA_F_TENTATIVE;
}

static bool
needs_no_dad(const struct inet6_ifaddr *ifa)
{
	const struct inet6_dev *idev = ifa->idev;

	return idev->dev->flags & (IFF_NOARP | IFF_LOOPBACK) ||
	       (inet6_net(idev->dev->net)->all.accept_dad < 1 && idev->cnf.accept_dad < 1) ||
	       !(ifa->flags & IFA_F_TENTATIVE) || ifa->flags & IFA_F_NODAD;
}

static void
addrconf_dad_begin(struct inet6_ifaddr *ifa)
{
	ifa->state = INET6_IFADDR_STATE_DAD;
	addrconf_join_solict(ifa->idev->dev, ifa->key.addr);
	if (needs_no_dad(ifa))
		become_usable(ifa);
	else if (!ifa->idev->ready)
		addrconf_dad_stop(ifa);
	else
		addrconf_dad_kick(ifa);
}

static void
addrconf_dad_step(struct inet6_ifaddr *ifa)
{
	if (ifa->state == INET6_IFADDR_STATE_PREDAD) {
		addrconf_dad_begin(ifa);
	} else if (ifa->idev->ready) {
		if (ifa->dad_probes-- > 0)
			addrconf_mod_dad_work(ifa, RETRANS_TIME);
		else
			become_usable(ifa);
	}
}

static void
addrconf_dad_work(void *data)
{
	struct dad_work *dad = data;
	struct kernel *k = dad->kernel;

	CALL_ENTER(&k->calls, "addrconf_dad_work");
	dad->waiting++;
	rtnl_lock(k);
	dad->waiting--;
	if (dad->ifa)
		addrconf_dad_step(dad->ifa);
	else if (dad->waiting == 0)
		g_free(dad);
	rtnl_unlock(k);
}

void
addrconf_dad_init(struct inet6_ifaddr *ifa)
{
	struct dad_work *dad = g_new0(struct dad_work, 1);

	dad->kernel = ifa->idev->dev->kernel;
	dad->ifa = ifa;
	work_init(&dad->work, "addrconf_dad_work", addrconf_dad_work, dad);
	ifa->dad_work = dad;
}

void
addrconf_dad_release(struct inet6_ifaddr *ifa)
{
	struct dad_work *dad = ifa->dad_work;

	work_cancel(&dad->work);
	dad->ifa = NULL;
	if (dad->waiting == 0)
		g_free(dad);
}

void
addrconf_dad_start(struct inet6_ifaddr *ifa)
{
	ifa->state = INET6_IFADDR_STATE_PREDAD;
	addrconf_mod_dad_work(ifa, 0);
}

void
addrconf_dad_run(struct inet6_dev *idev, bool restart)
{
	struct inet6_ifaddr *ifa;
	struct cursor cursor;

	DEV_ENTER(idev->dev, "addrconf_dad_run");
	for_each_ifaddr(idev, &cursor, ifa)
	{
		bool began = ifa->flags & IFA_F_TENTATIVE && ifa->state == INET6_IFADDR_STATE_DAD;

		if (!began && !restart)
			continue;
		if (restart)
			ifa->state = INET6_IFADDR_STATE_PREDAD;
		addrconf_dad_kick(ifa);
	}
}
