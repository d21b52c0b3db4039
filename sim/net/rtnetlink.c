/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rtnetlink.c - links made, changed and removed on a user's behalf.
 *
 * Models net/core/rtnetlink.c (Linux 5.10 and 6.1). */
#include "net/rtnetlink.h"

#include <stdio.h>
#include <string.h>

#include "net/dev-addr-lists.h"

static struct net_device *
find_link(struct net *net, const struct link_request *req)
{
	if (req->ifindex > 0)
		return dev_get_by_index(net, req->ifindex);
	return *req->ifname ? dev_get_by_name(net, req->ifname) : NULL;
}

int
rtnl_getlink(struct net *net, const char *ifname, int *ifindex)
{
	struct net_device *dev;

	CALL_ENTER(&net->kernel->calls, "rtnl_getlink");
	rtnl_lock(net->kernel);
	dev = dev_get_by_name(net, ifname);
	if (dev)
		*ifindex = dev->ifindex;
	rtnl_unlock(net->kernel);
	return dev ? 0 : -ENODEV;
}

/* Masters */

static int
leave_master(struct net_device *dev)
{
	struct net_device *master = netdev_master_upper_dev_get(dev);

	if (!master)
		return 0;
	if (!master->kind->del_slave)
		return -EOPNOTSUPP;
	return master->kind->del_slave(master, dev);
}

static int
do_set_master(struct net_device *dev, int ifindex, struct ext_ack *ack)
{
	struct net_device *master = netdev_master_upper_dev_get(dev), *new;
	int err;

	if (master && master->ifindex == ifindex)
		return 0;
	err = leave_master(dev);
	if (err != 0 || ifindex == 0)
		return err;
	new = dev_get_by_index(dev->net, ifindex);
	if (!new)
		return -EINVAL;
	return new->kind->add_slave ? new->kind->add_slave(new, dev, ack) : -EOPNOTSUPP;
}

/* Changing.  In the kernel's order; what was done before an error stays done. */

static unsigned
requested_flags(const struct net_device *dev, const struct link_request *req)
{
	if (req->change == 0)
		return req->flags;
	return (req->flags & req->change) | (rtnl_dev_get_flags(dev) & ~req->change);
}

static int
set_netns(struct net_device *dev, const struct link_request *req)
{
	struct net *net = net_by_name(dev->kernel, req->netns);

	if (!net)
		return -EINVAL;
	return dev_change_net_namespace(dev, net, *req->ifname ? req->ifname : NULL);
}

static int
set_txqlen(struct net_device *dev, unsigned txqlen)
{
	dev->txqlen = txqlen;
	return 0;
}

static int
set_group(struct net_device *dev, unsigned group)
{
	dev->group = group;
	return 0;
}

static int
do_setlink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	int err = 0;

	DEV_ENTER(dev, "do_setlink");
	if (*req->netns)
		err = set_netns(dev, req);
	if (err == 0 && req->has_address)
		err = dev_set_mac_address(dev, req->address, ack);
	if (err == 0 && req->has_mtu)
		err = dev_set_mtu_ext(dev, req->mtu, ack);
	if (err == 0 && req->has_group)
		err = set_group(dev, req->group);
	if (err == 0 && req->ifindex > 0 && *req->ifname)
		err = dev_change_name(dev, req->ifname);
	if (err == 0 && req->has_master)
		err = do_set_master(dev, req->master, ack);
	if (err == 0 && (req->flags || req->change))
		err = dev_change_flags(dev, requested_flags(dev, req), ack);
	if (err == 0 && req->has_txqlen)
		err = set_txqlen(dev, req->txqlen);
	return err;
}

/* IFLA_INFO_DATA is there. */
static bool
has_options(const struct link_request *req)
{
	return req->given != 0 || req->peer;
}

/* Of a kind alone, without options, only the kind is asked; whether it is the device's
 * does not matter then. */
static int
changelink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	int err = req->kind->validate ? req->kind->validate(req, ack) : 0;

	if (err != 0 || !has_options(req))
		return err;
	if (dev->kind != req->kind || !dev->kind->changelink)
		return -EOPNOTSUPP;
	err = dev->kind->changelink(dev, req, ack);
	if (err == 0)
		netdev_state_change(dev);
	return err;
}

/* Making */

struct net *
rtnl_link_net(const struct net_device *dev, const struct link_request *req)
{
	return req->net ? req->net : dev->net;
}

struct net_device *
rtnl_create_link(struct net *net, const struct link_kind *kind, const struct link_request *req,
		 struct ext_ack *ack, int *err)
{
	char name[2 * IFNAMSIZ];
	struct net_device *dev;

	if (*req->ifname)
		g_strlcpy(name, req->ifname, sizeof name);
	else
		snprintf(name, sizeof name, "%s%%d", kind->name);
	dev = alloc_netdev(net, name, kind);
	dev->ifindex = req->ifindex;
	if (req->has_mtu) {
		*err = dev_validate_mtu(dev, req->mtu, ack);
		if (*err != 0) {
			free_netdev(dev);
			return NULL;
		}
		dev->mtu = req->mtu;
	}
	if (req->has_address) {
		dev_addr_mod(dev, req->address);
		dev->addr_assign_type = NET_ADDR_SET;
	}
	if (req->has_txqlen)
		dev->txqlen = req->txqlen;
	if (req->has_group)
		dev->group = req->group;
	return dev;
}

int
rtnl_validate_address(const struct link_request *req, struct ext_ack *ack)
{
	return req->has_address && !is_valid_ether_addr(req->address) ? -EADDRNOTAVAIL : 0;
}

int
rtnl_configure_link(struct net_device *dev, const struct link_request *req)
{
	unsigned old_flags = dev->flags;
	int err = 0;

	if (req && (req->flags || req->change))
		err = __dev_change_flags(dev, requested_flags(dev, req), NULL);
	if (err != 0)
		return err;
	__dev_notify_flags(dev, old_flags);
	return 0;
}

static void
undo_newlink(struct net_device *dev)
{
	struct unregister_list list = {NULL, NULL};

	if (dev->kind->dellink)
		dev->kind->dellink(dev, &list);
	else
		unregister_netdevice_queue(dev, &list);
	unregister_netdevice_many(&list);
}

static int
configure_new(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	int err = rtnl_configure_link(dev, req);

	if (err == 0 && req->has_master)
		err = do_set_master(dev, req->master, ack);
	if (err != 0)
		undo_newlink(dev);
	return err;
}

static int
create_link(struct net *net, const struct link_request *req, struct ext_ack *ack)
{
	const struct link_kind *kind = req->kind;
	struct net *dest = *req->netns ? net_by_name(net->kernel, req->netns) : net;
	struct link_request from = *req;
	struct net_device *dev;
	int err = 0;

	if (!dest)
		return -EINVAL;
	if (kind->validate)
		err = kind->validate(req, ack);
	if (err != 0)
		return err;
	dev = rtnl_create_link(dest, kind, req, ack, &err);
	if (!dev)
		return err;
	from.net = net;
	err = kind->newlink ? kind->newlink(dev, &from, ack) : register_netdevice(dev);
	if (err != 0) {
		if (dev->reg_state == NETREG_UNINITIALIZED)
			free_netdev(dev);
		return err;
	}
	return configure_new(dev, req, ack);
}

static int
newlink(struct net *net, const struct link_request *req, struct ext_ack *ack)
{
	if (!req->kind || req->kind->builtin) {
		ext_ack_set(ack, "Unknown device type");
		return -EOPNOTSUPP;
	}
	if (find_link(net, req))
		return -EEXIST;
	return create_link(net, req, ack);
}

static int
setlink(struct net *net, const struct link_request *req, struct ext_ack *ack)
{
	struct net_device *dev = find_link(net, req);
	int err;

	if (!dev)
		return -ENODEV;
	if (req->kind) {
		err = changelink(dev, req, ack);
		if (err != 0)
			return err;
	}
	return do_setlink(dev, req, ack);
}

static int
dellink(struct net *net, const struct link_request *req, struct ext_ack *ack)
{
	struct unregister_list list = {NULL, NULL};
	struct net_device *dev = find_link(net, req);

	if (!dev)
		return -ENODEV;
	if (dev->kind->builtin)
		return -EOPNOTSUPP;
	if (dev->kind->dellink)
		dev->kind->dellink(dev, &list);
	else
		unregister_netdevice_queue(dev, &list);
	unregister_netdevice_many(&list);
	return 0;
}

/* The three doors */

static int
locked(int (*fn)(struct net *, const struct link_request *, struct ext_ack *), struct net *net,
       const struct link_request *req, struct ext_ack *ack)
{
	int err;

	rtnl_lock(net->kernel);
	err = fn(net, req, ack);
	rtnl_unlock(net->kernel);
	return err;
}

int
rtnl_newlink(struct net *net, const struct link_request *req, struct ext_ack *ack)
{
	CALL_ENTER(&net->kernel->calls, "rtnl_newlink");
	return locked(newlink, net, req, ack);
}

/* The same message, without the flag that asks for a new link. */
int
rtnl_setlink(struct net *net, const struct link_request *req, struct ext_ack *ack)
{
	CALL_ENTER(&net->kernel->calls, "rtnl_newlink");
	return locked(setlink, net, req, ack);
}

int
rtnl_dellink(struct net *net, const struct link_request *req, struct ext_ack *ack)
{
	PROFILE_SCOPE(net->kernel->calls.profile, "rtnl_dellink");
	return locked(dellink, net, req, ack);
}
