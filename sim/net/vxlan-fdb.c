/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vxlan-fdb.c - the forwarding database of a vxlan device: which tunnel end a MAC
 * address is behind.
 *
 * Models the database's part of drivers/net/vxlan/vxlan_core.c (Linux 5.10 and 6.1).
 * Nothing is learned: that would take frames that come through a tunnel. */
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "net/rtnl-fdb-dump.h"
#include "net/vxlan.h"

static const uint8_t all_zeros_mac[ETH_ALEN];

const struct table_spec vxlan_fdb_spec = {
	.name = "vxlan_fdb",
	.about = "forwarding database of a vxlan device, by MAC and source VNI",
	.backend = "hash:buckets=256",
	.elem_size = sizeof(struct vxlan_fdb),
	.key_offset = offsetof(struct vxlan_fdb, key),
	.hashing = TABLE_HASH_KEY,
};

void
vxlan_fdb_init(struct vxlan_dev *vxlan)
{
	table_init(&vxlan->fdb, kernel_table(vxlan->dev->kernel, &vxlan_fdb_spec));
}

void
vxlan_fdb_fini(struct vxlan_dev *vxlan)
{
	vxlan_flush(vxlan, true);
	table_fini(&vxlan->fdb);
}

static uint64_t
now(const struct vxlan_dev *vxlan)
{
	return engine_now(vxlan->dev->kernel->engine);
}

/* An address that stands for many: entries of it can have many remotes. */
static bool
is_group(const uint8_t *addr)
{
	return addr[0] & 1 || is_zero_ether_addr(addr);
}

static struct vxlan_fdb *
find_mac(struct vxlan_dev *vxlan, const uint8_t *addr, uint32_t vni)
{
	struct key key = key_make(addr, ETH_ALEN, vxlan->cfg.external ? vni : 0);

	return table_find(&vxlan->fdb, &key);
}

/* A look-up is a use. */
static struct vxlan_fdb *
vxlan_find_mac(struct vxlan_dev *vxlan, const uint8_t *addr, uint32_t vni)
{
	struct vxlan_fdb *f = find_mac(vxlan, addr, vni);

	if (f)
		f->used = now(vxlan);
	return f;
}

struct vxlan_fdb *
vxlan_xmit_lookup(struct vxlan_dev *vxlan, const uint8_t *addr, uint32_t vni)
{
	struct vxlan_fdb *f = vxlan_find_mac(vxlan, addr, vni);

	return f ? f : vxlan_find_mac(vxlan, all_zeros_mac, vni);
}

/* Remotes */

static bool
rdst_equal(const struct vxlan_rdst *a, const struct vxlan_rdst *b)
{
	return a->remote_ip.family == b->remote_ip.family &&
	       memcmp(a->remote_ip.addr, b->remote_ip.addr, sizeof a->remote_ip.addr) == 0 &&
	       a->remote_port == b->remote_port && a->remote_vni == b->remote_vni &&
	       a->remote_ifindex == b->remote_ifindex;
}

/* The link to the remote that is like this one, or to the end. */
static struct vxlan_rdst **
find_rdst(struct vxlan_fdb *f, const struct vxlan_rdst *like)
{
	struct vxlan_rdst **at = &f->remotes;

	while (*at && !rdst_equal(*at, like))
		at = &(*at)->next;
	return at;
}

/* True: it was not there. */
static bool
vxlan_fdb_append(struct vxlan_dev *vxlan, struct vxlan_fdb *f, const struct vxlan_rdst *rdst)
{
	struct vxlan_rdst **at = find_rdst(f, rdst);

	DEV_CALL(vxlan->dev, "vxlan_fdb_append");
	if (*at)
		return false;
	*at = g_memdup2(rdst, sizeof *rdst);
	(*at)->id = ++vxlan->last_id;
	(*at)->next = NULL;
	return true;
}

/* The only remote becomes another one. */
static bool
vxlan_fdb_replace(struct vxlan_dev *vxlan, struct vxlan_fdb *f, const struct vxlan_rdst *rdst)
{
	struct vxlan_rdst *first = f->remotes, *next = first->next;

	if (*find_rdst(f, rdst))
		return false;
	*first = *rdst;
	first->id = ++vxlan->last_id;
	first->next = next;
	return true;
}

static void
rdst_free(struct vxlan_rdst **at)
{
	struct vxlan_rdst *rd = *at;

	*at = rd->next;
	g_free(rd);
}

/* Entries */

static void
vxlan_fdb_destroy(struct vxlan_dev *vxlan, struct vxlan_fdb *f)
{
	while (f->remotes)
		rdst_free(&f->remotes);
	table_remove(&vxlan->fdb, f);
}

static struct vxlan_fdb *
vxlan_fdb_create(struct vxlan_dev *vxlan, const uint8_t *addr, uint32_t vni,
		 const struct vxlan_rdst *rdst)
{
	struct key key = key_make(addr, ETH_ALEN, vxlan->cfg.external ? vni : 0);
	struct vxlan_fdb *f = table_add(&vxlan->fdb, &key, NULL);

	f->id = ++vxlan->last_id;
	f->vni = vni;
	f->updated = f->used = now(vxlan);
	vxlan_fdb_append(vxlan, f, rdst);
	return f;
}

/* That listeners are told of a change costs a message, and nobody listens. */
static void
vxlan_fdb_notify(struct vxlan_dev *vxlan)
{
	DEV_CALL(vxlan->dev, "vxlan_fdb_info");
}

/* One of several remotes, or else the entry; that a remote is not there is no error. */
static void
delete_remote(struct vxlan_dev *vxlan, struct vxlan_fdb *f, const struct vxlan_rdst *rdst)
{
	struct vxlan_rdst **at = find_rdst(f, rdst);

	if (!vxlan_addr_any(&rdst->remote_ip) && !*at)
		return;
	vxlan_fdb_notify(vxlan);
	if (*at && f->remotes->next)
		rdst_free(at);
	else
		vxlan_fdb_destroy(vxlan, f);
}

void
vxlan_fdb_add_default(struct vxlan_dev *vxlan)
{
	struct vxlan_fdb *f;

	if (vxlan_addr_any(&vxlan->default_dst.remote_ip))
		return;
	f = vxlan_fdb_create(vxlan, all_zeros_mac, vxlan->cfg.vni, &vxlan->default_dst);
	f->state = NUD_REACHABLE | NUD_PERMANENT;
	f->flags = NTF_SELF;
	vxlan_fdb_notify(vxlan);
}

void
vxlan_fdb_change_default(struct vxlan_dev *vxlan, const struct vxlan_rdst *old)
{
	struct vxlan_fdb *f;

	if (rdst_equal(&vxlan->default_dst, old))
		return;
	f = find_mac(vxlan, all_zeros_mac, vxlan->cfg.vni);
	if (!f)
		vxlan_fdb_add_default(vxlan);
	else if (!vxlan_addr_any(&vxlan->default_dst.remote_ip))
		vxlan_fdb_append(vxlan, f, &vxlan->default_dst);
	if (f && !vxlan_addr_any(&old->remote_ip))
		delete_remote(vxlan, f, old);
}

/* The default entry stays as long as the device does. */
void
vxlan_flush(struct vxlan_dev *vxlan, bool all)
{
	struct vxlan_fdb *f;
	struct cursor cursor;

	table_for_each (&vxlan->fdb, &cursor, f) {
		bool stays = f->state & (NUD_PERMANENT | NUD_NOARP) ||
			     (is_zero_ether_addr(f->key.addr) && f->vni == vxlan->cfg.vni);

		if (all || !stays)
			vxlan_fdb_destroy(vxlan, f);
	}
}

/* What a user asks for */

struct parsed {
	struct vxlan_rdst rdst;
	uint32_t src_vni;
};

static void
parse_dst(const struct vxlan_dev *vxlan, const struct fdb_request *req, struct vxlan_addr *ip)
{
	if (req->dst_len) {
		ip->family = req->dst_len == 4 ? AF_INET : AF_INET6;
		memcpy(ip->addr, req->dst, req->dst_len);
	} else {
		ip->family = vxlan->default_dst.remote_ip.family;
	}
}

static int
vxlan_fdb_parse(struct vxlan_dev *vxlan, const struct fdb_request *req, struct parsed *p)
{
	const struct vxlan_rdst *dflt = &vxlan->default_dst;

	*p = (struct parsed){.src_vni = req->has_src_vni ? req->src_vni : dflt->remote_vni};
	parse_dst(vxlan, req, &p->rdst.remote_ip);
	p->rdst.remote_port = req->has_port ? req->port : vxlan->cfg.dst_port;
	p->rdst.remote_vni = req->has_vni ? req->vni : dflt->remote_vni;
	p->rdst.remote_ifindex = req->via;
	if (req->via && !dev_get_by_index(vxlan->dev->net, req->via))
		return -EADDRNOTAVAIL;
	return 0;
}

static int
vxlan_fdb_update_create(struct vxlan_dev *vxlan, const struct fdb_request *req,
			const struct parsed *p)
{
	struct vxlan_fdb *f;

	if (req->replace && is_group(req->addr))
		return -EOPNOTSUPP;
	if (vxlan->cfg.addrmax && table_count(&vxlan->fdb) >= vxlan->cfg.addrmax)
		return -ENOSPC;
	f = vxlan_fdb_create(vxlan, req->addr, p->src_vni, &p->rdst);
	f->state = req->state;
	f->flags = (uint8_t)req->flags;
	vxlan_fdb_notify(vxlan);
	return 0;
}

static bool
set_state(struct vxlan_dev *vxlan, struct vxlan_fdb *f, uint16_t state, uint8_t flags)
{
	if (f->state == state && f->flags == flags)
		return false;
	f->state = state;
	f->flags = flags;
	f->updated = now(vxlan);
	return true;
}

static int
vxlan_fdb_update_existing(struct vxlan_dev *vxlan, struct vxlan_fdb *f,
			  const struct fdb_request *req, const struct parsed *p,
			  struct ext_ack *ack)
{
	bool notify = set_state(vxlan, f, req->state, (uint8_t)req->flags);

	if (req->replace) {
		if (is_group(req->addr)) {
			ext_ack_set(ack, "Cannot replace non-unicast fdb entries");
			return -EOPNOTSUPP;
		}
		notify |= vxlan_fdb_replace(vxlan, f, &p->rdst);
	}
	if (req->append && is_group(req->addr))
		notify |= vxlan_fdb_append(vxlan, f, &p->rdst);
	if (notify)
		vxlan_fdb_notify(vxlan);
	return 0;
}

static int
vxlan_fdb_update(struct vxlan_dev *vxlan, const struct fdb_request *req, const struct parsed *p,
		 struct ext_ack *ack)
{
	struct vxlan_fdb *f;

	DEV_CALL(vxlan->dev, "vxlan_fdb_update");
	f = find_mac(vxlan, req->addr, p->src_vni);
	if (f && req->exclusive)
		return -EEXIST;
	if (f)
		return vxlan_fdb_update_existing(vxlan, f, req, p, ack);
	return req->create ? vxlan_fdb_update_create(vxlan, req, p) : -ENOENT;
}

int
vxlan_fdb_add(struct net_device *dev, const struct fdb_request *req, struct ext_ack *ack)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);
	struct parsed p;
	int err;

	DEV_CALL(dev, "vxlan_fdb_add");
	if (!(req->state & (NUD_PERMANENT | NUD_REACHABLE)) || !req->dst_len)
		return -EINVAL;
	err = vxlan_fdb_parse(vxlan, req, &p);
	if (err != 0)
		return err;
	if (vxlan->default_dst.remote_ip.family != p.rdst.remote_ip.family)
		return -EAFNOSUPPORT;
	return vxlan_fdb_update(vxlan, req, &p, ack);
}

int
vxlan_fdb_del(struct net_device *dev, const struct fdb_request *req, struct ext_ack *ack)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);
	struct vxlan_fdb *f;
	struct parsed p;
	int err = vxlan_fdb_parse(vxlan, req, &p);

	DEV_CALL(dev, "vxlan_fdb_delete");
	if (err != 0)
		return err;
	f = vxlan_find_mac(vxlan, req->addr, p.src_vni);
	if (!f)
		return -ENOENT;
	delete_remote(vxlan, f, &p.rdst);
	return 0;
}

/* Dumps: a message for each remote */

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
	if (!vxlan_addr_any(&rd->remote_ip))
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
	struct nda_cacheinfo cache = {
		.ndm_used = (uint32_t)((now(vxlan) - f->used) / (PS_PER_S / 100)),
		.ndm_updated = (uint32_t)((now(vxlan) - f->updated) / (PS_PER_S / 100)),
	};
	struct nlmsg m = nlmsg_begin(d->skb, d->cb, RTM_NEWNEIGH, sizeof(struct ndmsg));
	struct ndmsg *ndm = m.header;

	DEV_CALL(s->dev, "vxlan_fdb_info");
	if (ndm)
		*ndm = (struct ndmsg){.ndm_family = AF_BRIDGE,
				      .ndm_state = f->state,
				      .ndm_ifindex = s->dev->ifindex,
				      .ndm_flags = f->flags,
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
	};
}

int
vxlan_fdb_dump(struct fdb_dump *d, struct net_device *dev, struct net_device *filter)
{
	struct fdb_source source = source_of(dev);

	DEV_CALL(dev, "vxlan_fdb_dump");
	return fdb_dump_table(d, &source);
}

void
vxlan_fdb_each(struct net_device *dev, struct net_device *filter, struct dump_set *set)
{
	struct fdb_source source = source_of(dev);

	fdb_source_each(&source, set);
}
