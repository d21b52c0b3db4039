/* SPDX-License-Identifier: GPL-2.0-or-later */
/* addrconf-addr.c - IPv6 addresses: their table, the lists of devices, lifetimes.
 *
 * Models the address half of net/ipv6/addrconf.c (Linux 5.10 and 6.1).  The
 * table has all addresses of a namespace, as in 6.1; 5.10 keeps one for all
 * namespaces together.  The
 * routes that addresses bring are made by ip6-route-add.c. */
#include <linux/if_addr.h>
#include <string.h>

#include "net/addrconf-core.h"
#include "net/dev.h"
#include "net/inet6.h"
#include "net/locking.h"
#include "net/ip6-route.h"

#define IPV6_SCOPE_WIDEST 15

/* The device's list */

/* By the scope that the choice of a source sees: that of the loopback address is a
 * link.  No two addresses of a device are the same, so nobody looks for a twin. */
void
ipv6_link_dev_addr(struct inet6_dev *idev, struct inet6_ifaddr *ifa)
{
	struct key key = key_make(ifa->key.addr, 16, 0);
	int scope = ipv6_src_scope(ipv6_addr_type_of(ifa->key.addr));

	ifa->if_list = table_insert(&idev->addr_list, &key, IPV6_SCOPE_WIDEST - (unsigned)scope);
	ifa->if_list->ifa = ifa;
}

void
ipv6_unlink_addr(struct inet6_ifaddr *ifa)
{
	addrconf_dad_release(ifa);
	write_lock_bh(ifa->idev);
	table_remove(&ifa->idev->addr_list, ifa->if_list);
	write_unlock_bh(ifa->idev);
	table_remove(&inet6_net(ifa->idev->dev->net)->addrs, ifa);
}

/* Adding and removing */

static int
check_addr(const struct inet6_dev *idev, const uint8_t *addr)
{
	const struct net_device *dev = idev->dev;

	if (ipv6_addr_any(addr) || ipv6_addr_multicast(addr))
		return -EADDRNOTAVAIL;
	if (ipv6_addr_loopback(addr) && !(dev->flags & IFF_LOOPBACK) && !netif_is_l3_master(dev))
		return -EADDRNOTAVAIL;
	if (idev->dead)
		return -ENODEV;
	return idev->cnf.disable_ipv6 ? -EACCES : 0;
}

static void
set_addr(struct inet6_ifaddr *ifa, struct inet6_dev *idev, const struct inet6_ifaddr_config *cfg)
{
	struct engine *e = idev->dev->kernel->engine;

	ifa->idev = idev;
	ifa->prefixlen = cfg->prefixlen;
	ifa->proto = cfg->proto;
	ifa->seq = ++inet6_net(idev->dev->net)->addr_seq;
	ifa->scope = ipv6_addr_scope(cfg->addr);
	ifa->flags = cfg->flags;
	if (!(cfg->flags & IFA_F_NODAD))
		ifa->flags |= IFA_F_TENTATIVE;
	ifa->valid_lft = cfg->valid_lft;
	ifa->preferred_lft = cfg->preferred_lft;
	ifa->tstamp = engine_now(e);
	refcount_init(&ifa->refcnt, lock_class(e, "ifa->refcnt"), e, REFCOUNT_FULL, 1);
	addrconf_dad_init(ifa);
}

int
ipv6_add_addr(struct inet6_dev *idev, const struct inet6_ifaddr_config *cfg,
	      struct inet6_ifaddr **added)
{
	struct key key = key_make(cfg->addr, 16, (uint32_t)idev->dev->ifindex);
	struct inet6_ifaddr *ifa;
	bool created;
	int err;

	DEV_ENTER(idev->dev, "ipv6_add_addr");
	err = check_addr(idev, cfg->addr);
	if (err != 0)
		return err;
	ifa = table_add(&inet6_net(idev->dev->net)->addrs, &key, &created);
	if (!created)
		return -EEXIST;
	set_addr(ifa, idev, cfg);
	write_lock_bh(idev);
	ipv6_link_dev_addr(idev, ifa);
	write_unlock_bh(idev);
	*added = ifa;
	return 0;
}

void
ipv6_ifa_notify_new(struct inet6_ifaddr *ifa)
{
	addrconf_ins_host_route(ifa);
	if (ifa->idev->cnf.forwarding)
		addrconf_join_anycast(ifa);
}

void
ipv6_ifa_notify_del(struct inet6_ifaddr *ifa)
{
	if (ifa->idev->cnf.forwarding)
		addrconf_leave_anycast(ifa);
	addrconf_leave_solict(ifa->idev, ifa->key.addr);
	addrconf_del_host_route(ifa);
}

/* The route of one that does not last goes when its own time has come. */
static bool
has_prefix_route(const struct inet6_ifaddr *ifa)
{
	return ifa->flags & IFA_F_PERMANENT && !(ifa->flags & IFA_F_NOPREFIXROUTE);
}

void
ipv6_del_addr(struct inet6_ifaddr *ifa)
{
	addrconf_del_dad_work(ifa);
	ipv6_ifa_notify_del(ifa);
	if (has_prefix_route(ifa))
		addrconf_cleanup_prefix_route(ifa);
	rt6_remove_prefsrc(ifa);
	ipv6_unlink_addr(ifa);
}

/* Lifetimes */

/* Picoseconds from now until 'lft' seconds after its stamp have passed; 0: they have. */
static uint64_t
time_left(const struct inet6_ifaddr *ifa, uint32_t lft)
{
	uint64_t age = engine_now(ifa->idev->dev->kernel->engine) - ifa->tstamp;
	uint64_t life = lft > UINT64_MAX / PS_PER_S ? UINT64_MAX : lft * PS_PER_S;

	return life > age ? life - age : 0;
}

/* Deprecates or deletes what is due; when to look at this address again. */
static uint64_t
verify_addr(struct inet6_ifaddr *ifa)
{
	uint64_t valid, preferred;

	if (ifa->flags & IFA_F_PERMANENT && ifa->preferred_lft == INFINITY_LIFE_TIME)
		return UINT64_MAX;
	valid = ifa->valid_lft == INFINITY_LIFE_TIME ? UINT64_MAX : time_left(ifa, ifa->valid_lft);
	if (valid == 0) {
		ipv6_del_addr(ifa);
		return UINT64_MAX;
	}
	if (ifa->preferred_lft == INFINITY_LIFE_TIME || ifa->flags & IFA_F_DEPRECATED)
		return valid;
	preferred = time_left(ifa, ifa->preferred_lft);
	if (preferred > 0)
		return MIN(preferred, valid);
	ifa->flags |= IFA_F_DEPRECATED;
	return valid;
}

/* Walks the whole table, as the kernel does after each new address. */
void
addrconf_verify_rtnl(struct net *net)
{
	struct inet6_net *in6 = inet6_net(net);
	uint64_t again = UINT64_MAX, due;
	struct inet6_ifaddr *ifa;
	struct cursor cursor;

	CALL_ENTER(&net->kernel->calls, "addrconf_verify_rtnl");
	table_for_each (&in6->addrs, &cursor, ifa) {
		due = verify_addr(ifa);
		again = MIN(again, due);
	}
	if (again != UINT64_MAX)
		addrconf_mod_work(net->kernel, &in6->verify_work, again);
}

static void
addrconf_verify_work(void *data)
{
	struct net *net = data;
	struct kernel *k = net->kernel;

	rtnl_lock(k);
	addrconf_verify_rtnl(net);
	rtnl_unlock(k);
}

void
addrconf_verify_init(struct net *net)
{
	work_init(&inet6_net(net)->verify_work, "addrconf_verify_work", addrconf_verify_work, net);
}

/* Work that waits for RTNL already gets it before this does. */
void
addrconf_verify_cancel(struct net *net)
{
	work_cancel(&inet6_net(net)->verify_work);
	rtnl_lock(net->kernel);
	rtnl_unlock(net->kernel);
}

/* What a user asks for */

#define USER_FLAGS                                                                                 \
	(IFA_F_NODAD | IFA_F_HOMEADDRESS | IFA_F_MANAGETEMPADDR | IFA_F_NOPREFIXROUTE |            \
	 IFA_F_OPTIMISTIC)

static uint32_t
lifetime_flags(const struct addr_request *req)
{
	uint32_t flags = req->flags & USER_FLAGS;

	if (req->valid_lft == INFINITY_LIFE_TIME)
		flags |= IFA_F_PERMANENT;
	if (req->preferred_lft == 0)
		flags |= IFA_F_DEPRECATED;
	return flags;
}

static int
inet6_addr_add(struct net_device *dev, const struct addr_request *req)
{
	struct inet6_ifaddr_config cfg = {.addr = req->local,
					  .prefixlen = req->prefixlen,
					  .flags = lifetime_flags(req),
					  .valid_lft = req->valid_lft,
					  .preferred_lft = req->preferred_lft};
	struct inet6_ifaddr *ifa;
	struct inet6_dev *idev;
	int err = 0;

	DEV_ENTER(dev, "inet6_addr_add");
	if (req->flags & IFA_F_MANAGETEMPADDR && req->prefixlen != 64)
		return -EINVAL;
	idev = addrconf_add_dev(dev, &err);
	if (err == 0)
		err = ipv6_add_addr(idev, &cfg, &ifa);
	if (err != 0)
		return err;
	if (!(ifa->flags & IFA_F_NOPREFIXROUTE))
		addrconf_prefix_route(ifa);
	addrconf_dad_start(ifa);
	addrconf_verify_rtnl(dev->net);
	return 0;
}

static int
inet6_addr_modify(struct inet6_ifaddr *ifa, const struct addr_request *req)
{
	uint32_t ours = IFA_F_DEPRECATED | IFA_F_PERMANENT | IFA_F_NODAD | IFA_F_HOMEADDRESS |
			IFA_F_MANAGETEMPADDR | IFA_F_NOPREFIXROUTE;
	bool had_prefix_route = has_prefix_route(ifa);

	if (req->flags & IFA_F_MANAGETEMPADDR &&
	    (ifa->flags & IFA_F_TEMPORARY || ifa->prefixlen != 64))
		return -EINVAL;
	ifa->flags = (ifa->flags & ~ours) | lifetime_flags(req);
	ifa->proto = 0;
	ifa->valid_lft = req->valid_lft;
	ifa->preferred_lft = req->preferred_lft;
	ifa->tstamp = engine_now(ifa->idev->dev->kernel->engine);
	if (!(ifa->flags & IFA_F_NOPREFIXROUTE))
		addrconf_modify_prefix_route(ifa);
	else if (had_prefix_route)
		addrconf_cleanup_prefix_route(ifa);
	addrconf_verify_rtnl(ifa->idev->dev->net);
	return 0;
}

static int
check_request(const struct addr_request *req)
{
	if (req->prefixlen > 128)
		return -EINVAL;
	return req->valid_lft == 0 || req->preferred_lft > req->valid_lft ? -EINVAL : 0;
}

/* An address is used before it is proven unique only where a setting allows that. */
static int
check_optimistic(const struct inet6_dev *idev, struct addr_request *req, struct ext_ack *ack)
{
	if (!inet6_net(idev->dev->net)->all.optimistic_dad && !idev->cnf.optimistic_dad)
		req->flags &= ~(uint32_t)IFA_F_OPTIMISTIC;
	if (!(req->flags & IFA_F_NODAD) || !(req->flags & IFA_F_OPTIMISTIC))
		return 0;
	ext_ack_set(ack, "IFA_F_NODAD and IFA_F_OPTIMISTIC are mutually exclusive");
	return -EINVAL;
}

static int
newaddr(struct net *net, struct addr_request *req, struct ext_ack *ack)
{
	struct key key = key_make(req->local, 16, (uint32_t)req->ifindex);
	struct net_device *dev = dev_get_by_index(net, req->ifindex);
	struct inet6_ifaddr *ifa;
	struct inet6_dev *idev;
	int err;

	if (!dev)
		return -ENODEV;
	err = check_request(req);
	if (err != 0)
		return err;
	idev = ipv6_find_idev(dev);
	if (!idev)
		return -EINVAL;
	err = check_optimistic(idev, req, ack);
	if (err != 0)
		return err;
	ifa = table_find(&inet6_net(net)->addrs, &key);
	if (!ifa)
		return inet6_addr_add(dev, req);
	return req->replace ? inet6_addr_modify(ifa, req) : -EEXIST;
}

int
inet6_rtm_newaddr(struct net *net, const struct addr_request *req, struct ext_ack *ack)
{
	PROFILE_SCOPE(net->kernel->calls.profile, "inet6_rtm_newaddr");
	struct addr_request request = *req;
	int err;

	rtnl_lock(net->kernel);
	err = newaddr(net, &request, ack);
	rtnl_unlock(net->kernel);
	return err;
}

static int
deladdr(struct net *net, const struct addr_request *req)
{
	struct net_device *dev = dev_get_by_index(net, req->ifindex);
	struct inet6_ifaddr *ifa;
	struct cursor cursor;

	if (!dev)
		return -ENODEV;
	if (!in6_dev_get(dev))
		return -ENXIO;
	for_each_ifaddr(in6_dev_get(dev), &cursor, ifa)
	{
		if (ifa->prefixlen != req->prefixlen || memcmp(ifa->key.addr, req->local, 16) != 0)
			continue;
		ipv6_del_addr(ifa);
		addrconf_verify_rtnl(net);
		return 0;
	}
	return -EADDRNOTAVAIL;
}

int
inet6_rtm_deladdr(struct net *net, const struct addr_request *req, struct ext_ack *ack)
{
	PROFILE_SCOPE(net->kernel->calls.profile, "inet6_rtm_deladdr");
	int err;

	rtnl_lock(net->kernel);
	err = deladdr(net, req);
	rtnl_unlock(net->kernel);
	return err;
}
