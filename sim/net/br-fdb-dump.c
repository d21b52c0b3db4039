/* SPDX-License-Identifier: GPL-2.0-or-later */
/* br-fdb-dump.c - entries of a bridge's forwarding database as netlink messages.
 *
 * Models br_fdb_dump() and fdb_fill_info() of net/bridge/br_fdb.c (Linux 5.10 and
 * 6.1).  A bridge is asked once for each of its ports, and reads all of its entries
 * each time. */
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <time.h>

#include "net/bridge.h"
#include "net/rtnl-fdb-dump.h"

static uint16_t
state_of(const struct net_bridge *br, const struct net_bridge_fdb_entry *f)
{
	if (f->flags & BR_FDB_LOCAL)
		return NUD_PERMANENT;
	if (f->flags & BR_FDB_STATIC)
		return NUD_NOARP;
	return br_fdb_has_expired(br, f) ? NUD_STALE : NUD_REACHABLE;
}

static uint8_t
ndm_flags_of(const struct net_bridge_fdb_entry *f)
{
	return (uint8_t)((f->flags & BR_FDB_ADDED_BY_EXT_LEARN ? NTF_EXT_LEARNED : 0) |
			 (f->flags & BR_FDB_STICKY ? NTF_STICKY : 0));
}

/* User space has 100 ticks a second (USER_HZ). */
static uint32_t
ticks_since(const struct net_bridge *br, uint64_t then)
{
	return (uint32_t)((engine_now(br->dev->kernel->engine) - then) / (PS_PER_S / 100));
}

static int
fdb_fill_info(struct fdb_dump *d, const struct fdb_source *s, const void *elem, unsigned part)
{
	const struct net_bridge *br = netdev_priv(s->dev);
	const struct net_bridge_fdb_entry *f = elem;
	struct nda_cacheinfo cache = {.ndm_used = ticks_since(br, f->used),
				      .ndm_updated = ticks_since(br, f->updated)};
	struct nlmsg m = nlmsg_begin(d->skb, d->cb, RTM_NEWNEIGH, sizeof(struct ndmsg));
	struct ndmsg *ndm = m.header;

	DEV_ENTER(s->dev, "fdb_fill_info");
	if (ndm)
		*ndm = (struct ndmsg){.ndm_family = AF_BRIDGE,
				      .ndm_flags = ndm_flags_of(f),
				      .ndm_ifindex =
					      f->dst ? f->dst->dev->ifindex : s->dev->ifindex,
				      .ndm_state = state_of(br, f)};
	nlmsg_put(&m, NDA_LLADDR, f->key.addr, ETH_ALEN);
	nlmsg_put_u32(&m, NDA_MASTER, (uint32_t)s->dev->ifindex);
	nlmsg_put(&m, NDA_CACHEINFO, &cache, sizeof cache);
	if (f->key.sub)
		nlmsg_put_u16(&m, NDA_VLAN, (uint16_t)f->key.sub);
	return fdb_dump_end(d, &m);
}

/* Without a port: what is the bridge's own. */
static bool
is_behind(const struct fdb_source *s, const void *elem)
{
	const struct net_bridge_fdb_entry *f = elem;

	return s->filter ? f->dst && f->dst->dev == s->filter : !f->dst;
}

static struct fdb_source
source_of(struct net_device *dev, const struct net_device *filter)
{
	struct net_bridge *br = netdev_priv(dev);

	return (struct fdb_source){
		.table = &br->fdb,
		.dev = dev,
		.filter = filter,
		.owner = fdb_source_owner(dev, FDB_SOURCE_OWN),
		.chain_break = true,
		.changes = br->fdb_moves,
		.wanted = is_behind,
		.fill = fdb_fill_info,
	};
}

/* A walk by cursor tells of all entries at once, and not of each port's at its turn. */
int
br_fdb_dump(struct fdb_dump *d, struct net_device *dev, struct net_device *filter)
{
	struct fdb_source source = source_of(dev, filter);
	int err = 0;

	DEV_ENTER(dev, "br_fdb_dump");
	if (!filter)
		err = ndo_dflt_fdb_dump(d, dev);
	if (err < 0 && d->algorithm != FDB_DUMP_RESTART)
		return err;
	if (!filter && d->algorithm == FDB_DUMP_CURSOR)
		source.wanted = NULL;
	return fdb_dump_table(d, &source);
}

void
br_fdb_each(struct net_device *dev, struct net_device *filter, struct dump_set *set)
{
	struct fdb_source source = source_of(dev, filter);

	if (!filter) {
		source.wanted = NULL;
		ndo_dflt_fdb_each(dev, set);
	}
	fdb_source_each(&source, set);
}
