/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rtnl-fdb.c - entries of forwarding databases, made and removed on a user's behalf.
 *
 * Models rtnl_fdb_add(), rtnl_fdb_del() and the defaults for devices without a
 * database of net/core/rtnetlink.c (Linux 5.10 and 6.1). */
#include <linux/neighbour.h>

#include "net/dev-addr-lists.h"
#include "net/rtnetlink.h"

static bool
is_multicast(const uint8_t *addr)
{
	return addr[0] & 1;
}

/* A device without a database has its address lists. */

static int
dflt_fdb_add(struct net_device *dev, const struct fdb_request *req, struct ext_ack *ack)
{
	int err;

	if (req->state && !(req->state & NUD_PERMANENT))
		return -EINVAL;
	if (req->vid)
		return -EINVAL;
	err = is_multicast(req->addr) ? dev_mc_add_excl(dev, req->addr)
				      : dev_uc_add_excl(dev, req->addr);
	return err == -EEXIST && !req->exclusive ? 0 : err;
}

static int
dflt_fdb_del(struct net_device *dev, const struct fdb_request *req, struct ext_ack *ack)
{
	if (!(req->state & NUD_PERMANENT))
		return -EINVAL;
	return is_multicast(req->addr) ? dev_mc_del(dev, req->addr) : dev_uc_del(dev, req->addr);
}

/* The master's database, the device's own, or one after the other. */

typedef int fdb_function(struct net_device *, const struct fdb_request *, struct ext_ack *);

static int
apply(struct net *net, const struct fdb_request *req, struct ext_ack *ack, bool add)
{
	struct net_device *dev = dev_get_by_index(net, req->ifindex), *master;
	struct fdb_request rest = *req; /* what the master has not done */
	fdb_function *of_master, *own;
	int err = -EOPNOTSUPP;

	if (!dev)
		return -ENODEV;
	if ((req->flags == 0 || req->flags & NTF_MASTER) && netif_is_bridge_port(dev)) {
		master = netdev_master_upper_dev_get(dev);
		of_master = add ? master->kind->fdb_add : master->kind->fdb_del;
		err = of_master(dev, req, ack);
		if (err != 0)
			return err;
		rest.flags &= ~NTF_MASTER;
	}
	if (req->flags & NTF_SELF) {
		own = add ? dev->kind->fdb_add : dev->kind->fdb_del;
		if (!own)
			own = add ? dflt_fdb_add : dflt_fdb_del;
		err = own(dev, &rest, ack);
	}
	return err;
}

static int
locked(struct net *net, const struct fdb_request *req, struct ext_ack *ack, bool add)
{
	int err;

	rtnl_lock(net->kernel);
	err = apply(net, req, ack, add);
	rtnl_unlock(net->kernel);
	return err;
}

int
rtnl_fdb_add(struct net *net, const struct fdb_request *req, struct ext_ack *ack)
{
	PROFILE_SCOPE(net->kernel->calls.profile, "rtnl_fdb_add");
	return locked(net, req, ack, true);
}

int
rtnl_fdb_del(struct net *net, const struct fdb_request *req, struct ext_ack *ack)
{
	PROFILE_SCOPE(net->kernel->calls.profile, "rtnl_fdb_del");
	return locked(net, req, ack, false);
}
