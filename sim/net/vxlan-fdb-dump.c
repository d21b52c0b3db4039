/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vxlan-fdb-dump.c - messages about the entries of a vxlan device: one for each remote.
 *
 * Models vxlan_fdb_dump() and vxlan_fdb_info() of drivers/net/vxlan/vxlan_core.c (Linux
 * 5.10 and 6.1). */
#include <linux/rtnetlink.h>

#include "net/rtnl-fdb-dump.h"
#include "net/vxlan.h"

#define CLOCK_TICK_PS (PS_PER_S / 100) /* user space has 100 ticks a second */

static unsigned
count_remotes(const struct fdb_source *s, const void *elem)
{
	unsigned count = 0;

	for (const struct vxlan_rdst *rd = ((const struct vxlan_fdb *)elem)->remotes; rd;
	     rd = rd->next)
		count++;
	return count;
}

static const struct vxlan_rdst *
remote_at(const struct vxlan_fdb *f, unsigned part)
{
	const struct vxlan_rdst *rd = f->remotes;

	while (part-- > 0)
		rd = rd->next;
	return rd;
}

static void
put_remote(struct nlmsg *m, const struct vxlan_dev *vxlan, const struct vxlan_rdst *rd)
{
	nlmsg_put(m, NDA_DST, rd->remote_ip.addr, rd->remote_ip.family == AF_INET ? 4 : 16);
	if (rd->remote_port && rd->remote_port != vxlan->cfg.dst_port)
		nlmsg_put_be16(m, NDA_PORT, rd->remote_port);
	if (rd->remote_vni != vxlan->default_dst.remote_vni)
		nlmsg_put_u32(m, NDA_VNI, rd->remote_vni);
	if (rd->remote_ifindex)
		nlmsg_put_u32(m, NDA_IFINDEX, (uint32_t)rd->remote_ifindex);
}

static int
vxlan_fdb_info(struct fdb_dump *d, const struct fdb_source *s, const void *elem, unsigned part)
{
	const struct vxlan_dev *vxlan = netdev_priv(s->dev);
	const struct vxlan_fdb *f = elem;
	uint64_t now = engine_now(s->dev->kernel->engine);
	struct nda_cacheinfo cache = {
		.ndm_used = (uint32_t)((now - f->used) / CLOCK_TICK_PS),
		.ndm_updated = (uint32_t)((now - f->updated) / CLOCK_TICK_PS),
	};
	struct nlmsg m = nlmsg_begin(d->skb, d->cb, RTM_NEWNEIGH, sizeof(struct ndmsg));
	struct ndmsg *ndm = m.header;

	DEV_ENTER(s->dev, "vxlan_fdb_info");
	if (ndm)
		*ndm = (struct ndmsg){.ndm_family = AF_BRIDGE,
				      .ndm_state = f->state,
				      .ndm_ifindex = s->dev->ifindex,
				      .ndm_flags = (uint8_t)f->flags,
				      .ndm_type = RTN_UNICAST};
	nlmsg_put(&m, NDA_LLADDR, f->key.addr, ETH_ALEN);
	put_remote(&m, vxlan, remote_at(f, part));
	if (vxlan->cfg.external && f->vni)
		nlmsg_put_u32(&m, NDA_SRC_VNI, f->vni);
	nlmsg_put(&m, NDA_CACHEINFO, &cache, sizeof cache);
	return fdb_dump_end(d, &m);
}

static uint64_t
rdst_id(const struct fdb_source *s, const void *elem, unsigned part)
{
	return remote_at(elem, part)->id;
}

static uint64_t
entry_id(const struct fdb_source *s, const void *elem)
{
	return ((const struct vxlan_fdb *)elem)->id;
}

static const struct key *
entry_key(const void *elem)
{
	return &((const struct vxlan_fdb *)elem)->key;
}

static struct fdb_source
source_of(struct net_device *dev)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);

	return (struct fdb_source){
		.table = &vxlan->fdb,
		.dev = dev,
		.owner = fdb_source_owner(dev, FDB_SOURCE_OWN),
		.own_order = true,
		.parts = count_remotes,
		.fill = vxlan_fdb_info,
		.id = rdst_id,
		.elem_id = entry_id,
		.key = entry_key,
		.changes = vxlan->remote_changes,
	};
}

int
vxlan_fdb_dump(struct fdb_dump *d, struct net_device *dev, struct net_device *filter)
{
	struct fdb_source source = source_of(dev);

	DEV_ENTER(dev, "vxlan_fdb_dump");
	return fdb_dump_table(d, &source);
}

void
vxlan_fdb_each(struct net_device *dev, struct net_device *filter, struct dump_set *set)
{
	struct fdb_source source = source_of(dev);

	fdb_source_each(&source, set);
}
