/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rtnl-bridge.c - bridges and their ports, set and told of on a user's behalf.
 *
 * Models rtnl_bridge_setlink(), rtnl_bridge_dellink() and rtnl_bridge_getlink() of
 * net/core/rtnetlink.c (Linux 5.10 and 6.1): messages of family PF_BRIDGE. */
#include <linux/if_bridge.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "net/af-netlink.h"
#include "net/dev.h"

/* Setting */

static int
set_or_del(const struct link_kind *kind, struct net_device *dev, const struct bridge_request *req,
	   struct ext_ack *ack, bool del)
{
	if (!kind->bridge_setlink)
		return -EOPNOTSUPP;
	return del ? kind->bridge_dellink(dev, req) : kind->bridge_setlink(dev, req, ack);
}

/* By the master, by the device itself, or by one after the other. */
static int
apply(struct net *net, const struct bridge_request *req, struct ext_ack *ack, bool del)
{
	struct net_device *dev = dev_get_by_index(net, req->ifindex), *master;
	int err = -EOPNOTSUPP;

	if (!dev) {
		ext_ack_set(ack, "unknown ifindex");
		return -ENODEV;
	}
	if (!req->flags || req->flags & BRIDGE_FLAGS_MASTER) {
		master = netdev_master_upper_dev_get(dev);
		if (!master)
			return -EOPNOTSUPP;
		err = set_or_del(master->kind, dev, req, ack, del);
		if (err != 0)
			return err;
	}
	if (req->flags & BRIDGE_FLAGS_SELF)
		err = set_or_del(dev->kind, dev, req, ack, del);
	return err;
}

static int
locked(struct net *net, const struct bridge_request *req, struct ext_ack *ack, bool del)
{
	int err;

	rtnl_lock(net->kernel);
	err = apply(net, req, ack, del);
	rtnl_unlock(net->kernel);
	return err;
}

int
rtnl_bridge_setlink(struct net *net, const struct bridge_request *req, struct ext_ack *ack)
{
	CALL_ENTER(&net->kernel->calls, "rtnl_bridge_setlink");
	return locked(net, req, ack, false);
}

int
rtnl_bridge_dellink(struct net *net, const struct bridge_request *req, struct ext_ack *ack)
{
	CALL_ENTER(&net->kernel->calls, "rtnl_bridge_dellink");
	return locked(net, req, ack, true);
}

/* The dump */

static uint32_t
filter_mask_of(const struct netlink_callback *cb)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, cb->nlh, sizeof(struct ifinfomsg))
	{
		if (mnl_attr_get_type(attr) == IFLA_EXT_MASK &&
		    mnl_attr_validate(attr, MNL_TYPE_U32) == 0)
			return mnl_attr_get_u32(attr);
	}
	return 0;
}

static bool
is_told_of(const struct net_device *dev, uint32_t mask)
{
	uint32_t vlans = RTEXT_FILTER_BRVLAN | RTEXT_FILTER_BRVLAN_COMPRESSED;

	return netif_is_bridge_port(dev) || (netif_is_bridge_master(dev) && mask & vlans);
}

/* By its master if it is a port, and by itself if it is a bridge. */
static const struct link_kind *
teller_of(const struct net_device *dev)
{
	const struct net_device *master = netdev_master_upper_dev_get(dev);

	if (master && master->kind->bridge_getlink)
		return master->kind;
	return dev->kind->bridge_getlink ? dev->kind : NULL;
}

static int
rtnl_bridge_getlink(struct skb *skb, struct netlink_callback *cb)
{
	uint32_t mask = filter_mask_of(cb);
	struct net_device *dev;
	uint64_t idx = 0;

	CALL_ENTER(&cb->net->kernel->calls, "rtnl_bridge_getlink");
	for_each_netdev(cb->net, dev)
	{
		const struct link_kind *kind = teller_of(dev);

		if (!kind || idx++ < cb->args[0] || !is_told_of(dev, mask))
			continue;
		if (kind->bridge_getlink(skb, cb, dev, mask) != 0) {
			idx--;
			break;
		}
		dump_shown(cb, (uint64_t)dev->ifindex, dev->index_seq);
	}
	cb->args[0] = idx;
	return (int)skb->len;
}

static void
each(const struct netlink_callback *cb, struct dump_set *set)
{
	uint32_t mask = filter_mask_of(cb);
	struct net_device *dev;

	set->generation += cb->net->dev_base_seq;
	for_each_netdev(cb->net, dev)
	{
		if (teller_of(dev) && is_told_of(dev, mask))
			dump_set_add(set, (uint64_t)dev->ifindex, dev->index_seq);
	}
}

static const struct rtnl_dump dumps[] = {
	{.what = "bridge",
	 .family = PF_BRIDGE,
	 .type = RTM_GETLINK,
	 .dump = rtnl_bridge_getlink,
	 .each = each},
	{.what = NULL},
};

const struct net_module net_module_rtnl_bridge = {
	.name = "rtnl-bridge",
	.dumps = dumps,
};
