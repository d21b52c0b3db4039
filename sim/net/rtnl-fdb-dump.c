/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rtnl-fdb-dump.c - RTM_GETNEIGH of PF_BRIDGE: the walk over devices and their
 * forwarding databases, by the algorithm of the model option fdb_dump.
 *
 * Models rtnl_fdb_dump() of net/core/rtnetlink.c: Linux 4.8 (restart), "rtnetlink:
 * fdb dump: optimize by saving last interface markers" of 2016-08-30 as it was
 * posted (resume-posted), Linux 5.10 and 6.1 (resume).  The walk over one database
 * is in fdb-walk.c. */
#include "net/rtnl-fdb-dump.h"

#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <net/if_arp.h>

#include "net/dev-addr-lists.h"
#include "net/fdb-walk.h"
#include "net/rtnetlink.h"

const char *const fdb_dump_words[] = {
	[FDB_DUMP_RESTART] = "restart",
	[FDB_DUMP_RESUME_POSTED] = "resume-posted",
	[FDB_DUMP_RESUME] = "resume",
	[FDB_DUMP_CURSOR] = "cursor",
	NULL,
};

/* What was asked: everything, or one bridge, or one port. */

struct fdb_filter {
	int br_idx, brport_idx; /* 0: any */
};

/* Either struct may head the request: their index stands at the same place.  Only
 * the length tells them apart, as it does for the kernel. */
static struct fdb_filter
parse_request(const struct nlmsghdr *nlh)
{
	const struct ndmsg *ndm = mnl_nlmsg_get_payload(nlh);
	size_t len = mnl_nlmsg_get_payload_len(nlh), with_master = MNL_ATTR_HDRLEN + sizeof(int);
	bool neighbour = len == sizeof *ndm || len == sizeof *ndm + with_master;
	uint16_t master = neighbour ? NDA_MASTER : IFLA_MASTER;
	struct fdb_filter filter = {.brport_idx = ndm->ndm_ifindex};
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, neighbour ? sizeof *ndm : sizeof(struct ifinfomsg))
	{
		if (mnl_attr_get_type(attr) == master && mnl_attr_validate(attr, MNL_TYPE_U32) == 0)
			filter.br_idx = (int)mnl_attr_get_u32(attr);
	}
	return filter;
}

static bool
filter_passes(const struct fdb_filter *filter, const struct net_device *dev)
{
	const struct net_device *master = netdev_master_upper_dev_get(dev);

	if (filter->brport_idx && dev->ifindex != filter->brport_idx)
		return false;
	if (!filter->br_idx || dev->ifindex == filter->br_idx)
		return true;
	return netif_is_bridge_port(dev) && master && master->ifindex == filter->br_idx;
}

/* Addresses as entries */

static int
nlmsg_populate_fdb_fill(struct fdb_dump *d, const struct fdb_source *s, const void *elem,
			unsigned part)
{
	const struct netdev_hw_addr *ha = elem;
	struct nlmsg m = nlmsg_begin(d->skb, d->cb, RTM_NEWNEIGH, sizeof(struct ndmsg));
	struct ndmsg *ndm = m.header;

	DEV_ENTER(s->dev, "nlmsg_populate_fdb_fill");
	if (ndm)
		*ndm = (struct ndmsg){.ndm_family = AF_BRIDGE,
				      .ndm_flags = NTF_SELF,
				      .ndm_ifindex = s->dev->ifindex,
				      .ndm_state = NUD_PERMANENT};
	nlmsg_put(&m, NDA_LLADDR, ha->key.addr, ETH_ALEN);
	return fdb_dump_end(d, &m);
}

static struct fdb_source
address_list(struct net_device *dev, enum fdb_source_list list)
{
	return (struct fdb_source){
		.table = list == FDB_SOURCE_UC ? &dev->uc : &dev->mc,
		.dev = dev,
		.owner = fdb_source_owner(dev, list),
		.fill = nlmsg_populate_fdb_fill,
	};
}

static int
nlmsg_populate_fdb(struct fdb_dump *d, struct net_device *dev, enum fdb_source_list list)
{
	struct fdb_source source = address_list(dev, list);

	DEV_ENTER(dev, "nlmsg_populate_fdb");
	return fdb_dump_table(d, &source);
}

/* That the multicast list's result is not passed on is the second defect of the old
 * code, and the one that the patch as posted still had. */
int
ndo_dflt_fdb_dump(struct fdb_dump *d, struct net_device *dev)
{
	bool checks_type = d->algorithm >= FDB_DUMP_RESUME;
	int err, mc_err = 0;

	DEV_ENTER(dev, "ndo_dflt_fdb_dump");
	if (checks_type && dev->type != ARPHRD_ETHER)
		return -EINVAL;
	err = nlmsg_populate_fdb(d, dev, FDB_SOURCE_UC);
	if (err == 0)
		mc_err = nlmsg_populate_fdb(d, dev, FDB_SOURCE_MC);
	d->error = err;
	return err == 0 && d->algorithm >= FDB_DUMP_RESUME ? mc_err : err;
}

void
ndo_dflt_fdb_each(struct net_device *dev, struct dump_set *set)
{
	struct fdb_source uc = address_list(dev, FDB_SOURCE_UC),
			  mc = address_list(dev, FDB_SOURCE_MC);

	if (dev->type != ARPHRD_ETHER)
		return;
	fdb_source_each(&uc, set);
	fdb_source_each(&mc, set);
}

/* One device: its master's entries that lie behind it, then its own. */

static int
dump_behind_port(struct fdb_dump *d, struct net_device *dev)
{
	struct net_device *master = netdev_master_upper_dev_get(dev);

	if (!netif_is_bridge_port(dev) || !master || !master->kind->fdb_dump)
		return 0;
	return master->kind->fdb_dump(d, master, dev);
}

static int
dump_own(struct fdb_dump *d, struct net_device *dev)
{
	return dev->kind->fdb_dump ? dev->kind->fdb_dump(d, dev, NULL) : ndo_dflt_fdb_dump(d, dev);
}

/* Until 4.8: entries are counted from the first device on, in each run. */

enum { RESTART_IDX };

static void
restart(struct fdb_dump *d, const struct fdb_filter *filter)
{
	struct net_device *dev;

	if (d->cb->runs > 0)
		dump_restarted(d->cb);
	d->marker = d->cb->args[RESTART_IDX];
	for_each_netdev(d->cb->net, dev)
	{
		if (!filter_passes(filter, dev))
			continue;
		dump_behind_port(d, dev);
		if (d->error != 0)
			break;
		dump_own(d, dev);
		if (d->error != 0)
			break;
	}
	d->cb->args[RESTART_IDX] = d->idx;
}

/* Since 4.9: bucket, device in it, entry of that device.  A device that is filtered
 * out has no number. */

enum { RESUME_BUCKET, RESUME_DEVICE, RESUME_ENTRY };

static int
resume_device(struct fdb_dump *d, struct net_device *dev)
{
	int err = dump_behind_port(d, dev);

	if (err == -EMSGSIZE)
		return err;
	err = dump_own(d, dev);
	if (err == -EMSGSIZE)
		return err;
	d->marker = d->idx = 0;
	return 0;
}

static bool
resume_bucket(struct fdb_dump *d, const struct fdb_filter *filter, unsigned h)
{
	struct netlink_callback *cb = d->cb;
	uint64_t skip = h == cb->args[RESUME_BUCKET] ? cb->args[RESUME_DEVICE] : 0, n = 0;

	for (struct net_device *dev = cb->net->index_head[h]; dev; dev = dev->index_next) {
		if (!filter_passes(filter, dev))
			continue;
		if (n >= skip && resume_device(d, dev) != 0) {
			cb->args[RESUME_BUCKET] = h;
			cb->args[RESUME_DEVICE] = n;
			cb->args[RESUME_ENTRY] = d->idx;
			return false;
		}
		n++;
	}
	return true;
}

static void
resume(struct fdb_dump *d, const struct fdb_filter *filter)
{
	struct netlink_callback *cb = d->cb;

	d->marker = cb->args[RESUME_ENTRY];
	for (unsigned h = (unsigned)cb->args[RESUME_BUCKET]; h < NETDEV_HASHENTRIES; h++)
		if (!resume_bucket(d, filter, h))
			return;
	cb->args[RESUME_BUCKET] = NETDEV_HASHENTRIES;
}

/* No kernel's: each database is walked once, by a cursor of its table, and devices
 * are told apart by numbers that are not used again. */

enum { CURSOR_BUCKET, CURSOR_DEVICE };

static int
cursor_device(struct fdb_dump *d, const struct fdb_filter *filter, struct net_device *dev)
{
	int err = filter->brport_idx ? dump_behind_port(d, dev) : 0;

	return err != -EMSGSIZE ? dump_own(d, dev) : err;
}

static bool
cursor_bucket(struct fdb_dump *d, const struct fdb_filter *filter, unsigned h)
{
	struct netlink_callback *cb = d->cb;

	for (struct net_device *dev = cb->net->index_head[h]; dev; dev = dev->index_next) {
		bool told = cb->args[CURSOR_DEVICE] && dev->index_seq > cb->args[CURSOR_DEVICE];

		if (told || !filter_passes(filter, dev))
			continue;
		if (dev->index_seq != cb->args[CURSOR_DEVICE])
			fdb_walk_forget(d);
		cb->args[CURSOR_DEVICE] = dev->index_seq;
		if (cursor_device(d, filter, dev) == -EMSGSIZE)
			return false;
	}
	return true;
}

static void
cursor(struct fdb_dump *d, const struct fdb_filter *filter)
{
	struct netlink_callback *cb = d->cb;

	while (cb->args[CURSOR_BUCKET] < NETDEV_HASHENTRIES) {
		if (!cursor_bucket(d, filter, (unsigned)cb->args[CURSOR_BUCKET]))
			return;
		cb->args[CURSOR_BUCKET]++;
		cb->args[CURSOR_DEVICE] = 0;
		fdb_walk_forget(d);
	}
}

/* The dump */

static void
rtnl_fdb_each(const struct netlink_callback *cb, struct dump_set *set)
{
	struct fdb_filter filter = parse_request(cb->nlh);
	struct net_device *dev;

	dump_set_generation(set, 0, cb->net->dev_base_seq);
	for_each_netdev(cb->net, dev)
	{
		struct net_device *master = netdev_master_upper_dev_get(dev);

		if (!filter_passes(&filter, dev))
			continue;
		if (filter.brport_idx && netif_is_bridge_port(dev) && master->kind->fdb_each)
			master->kind->fdb_each(master, dev, set);
		if (dev->kind->fdb_each)
			dev->kind->fdb_each(dev, NULL, set);
		else
			ndo_dflt_fdb_each(dev, set);
	}
}

/* Of all that the dump goes over; 0 is no value. */
static uint32_t
generation(const struct netlink_callback *cb)
{
	struct dump_set set = {.items = NULL};

	rtnl_fdb_each(cb, &set);
	return (uint32_t)(set.generation >> 32) | 1;
}

static int
rtnl_fdb_dump(struct skb *skb, struct netlink_callback *cb)
{
	struct fdb_filter filter = parse_request(cb->nlh);
	struct kernel *k = cb->net->kernel;
	struct fdb_dump d = {.skb = skb, .cb = cb, .algorithm = k->options.fdb_dump};

	CALL_ENTER(&k->calls, "rtnl_fdb_dump");
	switch (d.algorithm) {
	case FDB_DUMP_RESTART:
		restart(&d, &filter);
		break;
	case FDB_DUMP_RESUME_POSTED:
	case FDB_DUMP_RESUME:
		resume(&d, &filter);
		break;
	case FDB_DUMP_CURSOR:
		cb->seq = generation(cb);
		cursor(&d, &filter);
		break;
	}
	return (int)skb->len;
}

static const char *
algorithm_name(const struct net *net)
{
	return fdb_dump_words[net->kernel->options.fdb_dump];
}

static const struct rtnl_dump dumps[] = {
	{.what = "fdb",
	 .family = AF_BRIDGE,
	 .type = RTM_GETNEIGH,
	 .dump = rtnl_fdb_dump,
	 .algorithm = algorithm_name,
	 .each = rtnl_fdb_each},
	{.what = NULL},
};

const struct net_module net_module_rtnl_fdb_dump = {
	.name = "rtnl-fdb-dump",
	.dumps = dumps,
};
