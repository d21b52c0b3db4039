/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vxlan-fdb.c - the forwarding database of a vxlan device: which tunnel end a MAC
 * address is behind.
 *
 * Models the database's part of drivers/net/vxlan/vxlan_core.c (Linux 5.10 and 6.1).
 * Nothing is learned: that would take frames that come through a tunnel. */
#include <string.h>

#include "net/vxlan.h"

#define FDB_AGE_INTERVAL_PS (10 * PS_PER_S) /* at most, between two looks at all entries */

static const uint8_t all_zeros_mac[ETH_ALEN];

const struct table_spec vxlan_fdb_spec = {
	.name = "vxlan_fdb",
	.about = "forwarding database of a vxlan device, by MAC and source VNI",
	.backend = "hash:buckets=256",
	.elem_size = sizeof(struct vxlan_fdb),
	.key_offset = offsetof(struct vxlan_fdb, key),
	.hashing = TABLE_HASH_KEY,
};

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

static struct key
key_of(const struct vxlan_dev *vxlan, const uint8_t *addr, uint32_t vni)
{
	return key_make(addr, ETH_ALEN, vxlan->cfg.external ? vni : 0);
}

static struct vxlan_fdb *
find_mac(struct vxlan_dev *vxlan, const uint8_t *addr, uint32_t vni)
{
	struct key key = key_of(vxlan, addr, vni);

	return table_find(&vxlan->fdb, &key);
}

/* A look-up of this kind is a use. */
static struct vxlan_fdb *
vxlan_find_mac(struct vxlan_dev *vxlan, const uint8_t *addr, uint32_t vni)
{
	struct vxlan_fdb *f = find_mac(vxlan, addr, vni);

	if (f)
		f->used = now(vxlan);
	return f;
}

struct vxlan_fdb *
vxlan_xmit_lookup(struct vxlan_dev *vxlan, const uint8_t *addr)
{
	struct vxlan_fdb *f = vxlan_find_mac(vxlan, addr, 0);

	return f ? f : vxlan_find_mac(vxlan, all_zeros_mac, 0);
}

/* Remotes */

static bool
rdst_equal(const struct vxlan_rdst *a, const struct vxlan_rdst *b)
{
	return vxlan_addr_equal(&a->remote_ip, &b->remote_ip) && a->remote_port == b->remote_port &&
	       a->remote_vni == b->remote_vni && a->remote_ifindex == b->remote_ifindex;
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

/* True: it was not there.  Counted like the kernel's, of which compilers make the look
 * for it a part of the callers. */
static bool
vxlan_fdb_append(struct vxlan_dev *vxlan, struct vxlan_fdb *f, const struct vxlan_rdst *rdst)
{
	struct vxlan_rdst **at = find_rdst(f, rdst);

	if (*at)
		return false;
	DEV_ENTER(vxlan->dev, "vxlan_fdb_append");
	vxlan->remote_changes++;
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
	vxlan->remote_changes++;
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

static bool
is_mortal(const struct vxlan_fdb *f)
{
	return !(f->state & (NUD_PERMANENT | NUD_NOARP)) && !(f->flags & NTF_EXT_LEARNED);
}

/* False: it was so before. */
static bool
set_state(struct vxlan_dev *vxlan, struct vxlan_fdb *f, uint16_t state, uint16_t flags)
{
	if (f->state == state && f->flags == flags)
		return false;
	vxlan->mortal -= is_mortal(f);
	f->state = state;
	f->flags = flags;
	f->updated = now(vxlan);
	vxlan->mortal += is_mortal(f);
	return true;
}

void
vxlan_fdb_notify(struct vxlan_dev *vxlan)
{
	DEV_ENTER(vxlan->dev, "vxlan_fdb_info");
}

static void
remove_entry(struct vxlan_dev *vxlan, struct vxlan_fdb *f)
{
	vxlan->mortal -= is_mortal(f);
	while (f->remotes)
		rdst_free(&f->remotes);
	table_remove(&vxlan->fdb, f);
}

static void
vxlan_fdb_destroy(struct vxlan_dev *vxlan, struct vxlan_fdb *f)
{
	DEV_ENTER(vxlan->dev, "vxlan_fdb_destroy");
	for (const struct vxlan_rdst *rd = f->remotes; rd; rd = rd->next)
		vxlan_fdb_notify(vxlan);
	remove_entry(vxlan, f);
}

/* What is asked about an entry: a user's request, or a device's about its remote. */
struct update {
	uint8_t addr[ETH_ALEN];
	struct vxlan_rdst rdst;
	uint32_t src_vni;
	uint16_t state, flags;
	bool create, exclusive, append, replace;
};

static int
vxlan_fdb_create(struct vxlan_dev *vxlan, const struct update *u)
{
	struct key key = key_of(vxlan, u->addr, u->src_vni);
	struct vxlan_fdb *f;

	DEV_ENTER(vxlan->dev, "vxlan_fdb_create");
	if (vxlan->cfg.addrmax && table_count(&vxlan->fdb) >= vxlan->cfg.addrmax)
		return -ENOSPC;
	f = table_add(&vxlan->fdb, &key, NULL);
	f->id = ++vxlan->last_id;
	f->vni = u->src_vni;
	f->state = u->state;
	f->flags = u->flags & ~NTF_USE;
	f->updated = f->used = now(vxlan);
	vxlan->mortal += is_mortal(f);
	vxlan_fdb_append(vxlan, f, &u->rdst);
	vxlan_fdb_notify(vxlan);
	return 0;
}

static int
vxlan_fdb_update_create(struct vxlan_dev *vxlan, const struct update *u)
{
	if (u->replace && is_group(u->addr))
		return -EOPNOTSUPP;
	return vxlan_fdb_create(vxlan, u);
}

/* Who learns from a control plane does not take over what a user made. */
static bool
may_take_over(const struct vxlan_fdb *f, const struct update *u)
{
	return !(u->flags & NTF_EXT_LEARNED) || !(f->flags & NTF_VXLAN_ADDED_BY_USER);
}

static int
vxlan_fdb_update_existing(struct vxlan_dev *vxlan, struct vxlan_fdb *f, const struct update *u,
			  struct ext_ack *ack)
{
	bool notify = may_take_over(f, u) && set_state(vxlan, f, u->state, u->flags & ~NTF_USE);

	if (u->replace) {
		if (is_group(u->addr)) {
			ext_ack_set(ack, "Cannot replace non-unicast fdb entries");
			return -EOPNOTSUPP;
		}
		notify |= vxlan_fdb_replace(vxlan, f, &u->rdst);
	}
	if (u->append && is_group(u->addr))
		notify |= vxlan_fdb_append(vxlan, f, &u->rdst);
	if (u->flags & NTF_USE)
		f->used = now(vxlan);
	if (notify)
		vxlan_fdb_notify(vxlan);
	return 0;
}

static int
vxlan_fdb_update(struct vxlan_dev *vxlan, const struct update *u, struct ext_ack *ack)
{
	struct vxlan_fdb *f;

	DEV_ENTER(vxlan->dev, "vxlan_fdb_update");
	f = find_mac(vxlan, u->addr, u->src_vni);
	if (f && u->exclusive)
		return -EEXIST;
	if (f)
		return vxlan_fdb_update_existing(vxlan, f, u, ack);
	return u->create ? vxlan_fdb_update_create(vxlan, u) : -ENOENT;
}

/* One of several remotes, or else the entry; that a remote is not there is no error. */
static int
delete_remote(struct vxlan_dev *vxlan, const uint8_t *addr, uint32_t src_vni,
	      const struct vxlan_rdst *rdst)
{
	struct vxlan_fdb *f = vxlan_find_mac(vxlan, addr, src_vni);
	struct vxlan_rdst **at = NULL;

	if (!f)
		return -ENOENT;
	if (!vxlan_addr_any(&rdst->remote_ip)) {
		at = find_rdst(f, rdst);
		if (!*at)
			return 0;
	}
	if (at && f->remotes->next) {
		vxlan->remote_changes++;
		rdst_free(at);
		vxlan_fdb_notify(vxlan);
	} else {
		vxlan_fdb_destroy(vxlan, f);
	}
	return 0;
}

/* The default entry */

static struct update
default_entry(const struct vxlan_rdst *dst)
{
	return (struct update){.rdst = *dst,
			       .src_vni = dst->remote_vni,
			       .state = NUD_REACHABLE | NUD_PERMANENT,
			       .flags = NTF_SELF,
			       .create = true,
			       .append = true};
}

int
vxlan_fdb_add_default(struct vxlan_dev *vxlan)
{
	struct update u = default_entry(&vxlan->default_dst);

	return vxlan_addr_any(&vxlan->default_dst.remote_ip) ? 0 : vxlan_fdb_create(vxlan, &u);
}

int
vxlan_fdb_change_default(struct vxlan_dev *vxlan, const struct vxlan_config *cfg,
			 struct ext_ack *ack)
{
	const struct vxlan_rdst *old = &vxlan->default_dst;
	const struct vxlan_rdst dst = {.remote_ip = cfg->remote,
				       .remote_port = cfg->dst_port,
				       .remote_vni = cfg->vni,
				       .remote_ifindex = cfg->remote_ifindex};
	struct update u = default_entry(&dst);
	int err = 0;

	if (vxlan_addr_equal(&dst.remote_ip, &old->remote_ip))
		return 0;
	if (!vxlan_addr_any(&dst.remote_ip))
		err = vxlan_fdb_update(vxlan, &u, ack);
	if (err == 0 && !vxlan_addr_any(&old->remote_ip))
		delete_remote(vxlan, all_zeros_mac, old->remote_vni, old);
	return err;
}

/* Many at once */

void
vxlan_flush(struct vxlan_dev *vxlan, bool all)
{
	struct vxlan_fdb *f;
	struct cursor cursor;

	DEV_ENTER(vxlan->dev, "vxlan_flush");
	table_for_each (&vxlan->fdb, &cursor, f) {
		if (!all && f->state & (NUD_PERMANENT | NUD_NOARP))
			continue;
		if (is_zero_ether_addr(f->key.addr) && f->vni == vxlan->cfg.vni)
			continue;
		vxlan_fdb_destroy(vxlan, f);
	}
}

static uint64_t
deadline(const struct vxlan_dev *vxlan, const struct vxlan_fdb *f)
{
	uint64_t seconds = MIN(vxlan->cfg.age_interval, (UINT64_MAX - f->used) / PS_PER_S);

	return f->used + seconds * PS_PER_S;
}

/* When to look again. */
static uint64_t
remove_old(struct vxlan_dev *vxlan)
{
	uint64_t next = now(vxlan) + FDB_AGE_INTERVAL_PS;
	struct vxlan_fdb *f;
	struct cursor cursor;

	table_for_each (&vxlan->fdb, &cursor, f) {
		if (!is_mortal(f))
			continue;
		if (deadline(vxlan, f) <= now(vxlan))
			vxlan_fdb_destroy(vxlan, f);
		else
			next = MIN(next, deadline(vxlan, f));
	}
	return next;
}

/* The kernel's timer is deferrable: an idle CPU does not wake up for it.  Here it
 * comes when it is due. */
static void
vxlan_cleanup(void *data)
{
	struct vxlan_dev *vxlan = data;
	uint64_t next = now(vxlan) + FDB_AGE_INTERVAL_PS;

	DEV_ENTER(vxlan->dev, "vxlan_cleanup");
	if (!netif_running(vxlan->dev))
		return;
	if (vxlan->mortal)
		next = remove_old(vxlan);
	else
		table_count_walk(&vxlan->fdb, table_count(&vxlan->fdb));
	vxlan_age_start(vxlan, next - now(vxlan));
}

void
vxlan_age_start(struct vxlan_dev *vxlan, uint64_t delay)
{
	work_mod_delayed(vxlan_age_queue(vxlan->dev->kernel), &vxlan->age_work, delay);
}

/* The database as a whole */

int
vxlan_fdb_init(struct net_device *dev)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);

	table_init(&vxlan->fdb, kernel_table(vxlan->dev->kernel, &vxlan_fdb_spec));
	work_init(&vxlan->age_work, "vxlan_cleanup", vxlan_cleanup, vxlan);
	return 0;
}

void
vxlan_fdb_fini(struct net_device *dev)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);
	struct vxlan_fdb *f = find_mac(vxlan, all_zeros_mac, vxlan->cfg.vni);
	struct cursor cursor = CURSOR_START;

	if (f)
		vxlan_fdb_destroy(vxlan, f);
	while ((f = table_peek(&vxlan->fdb, &cursor)))
		remove_entry(vxlan, f);
	table_fini(&vxlan->fdb);
	work_cancel(&vxlan->age_work);
}

/* What a user asks for */

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
vxlan_fdb_parse(struct vxlan_dev *vxlan, const struct fdb_request *req, struct update *u,
		struct ext_ack *ack)
{
	const struct vxlan_rdst *dflt = &vxlan->default_dst;

	*u = (struct update){.src_vni = req->has_src_vni ? req->src_vni : dflt->remote_vni,
			     .state = req->state,
			     .flags = req->flags | NTF_VXLAN_ADDED_BY_USER,
			     .create = req->create,
			     .exclusive = req->exclusive,
			     .append = req->append,
			     .replace = req->replace};
	memcpy(u->addr, req->addr, ETH_ALEN);
	parse_dst(vxlan, req, &u->rdst.remote_ip);
	u->rdst.remote_port = req->has_port ? req->port : vxlan->cfg.dst_port;
	u->rdst.remote_vni = req->has_vni ? req->vni : dflt->remote_vni;
	u->rdst.remote_ifindex = req->via;
	if (req->via && !dev_get_by_index(vxlan->dev->net, req->via)) {
		if (vxlan->dev->kernel->options.version >= KERNEL_6_1)
			ext_ack_set(ack, "Device not found");
		return -EADDRNOTAVAIL;
	}
	return 0;
}

int
vxlan_fdb_add(struct net_device *dev, const struct fdb_request *req, struct ext_ack *ack)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);
	struct update u;
	int err;

	DEV_ENTER(dev, "vxlan_fdb_add");
	if (!(req->state & (NUD_PERMANENT | NUD_REACHABLE)) || !req->dst_len)
		return -EINVAL;
	err = vxlan_fdb_parse(vxlan, req, &u, ack);
	if (err != 0)
		return err;
	if (vxlan->default_dst.remote_ip.family != u.rdst.remote_ip.family)
		return -EAFNOSUPPORT;
	return vxlan_fdb_update(vxlan, &u, ack);
}

int
vxlan_fdb_del(struct net_device *dev, const struct fdb_request *req, struct ext_ack *ack)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);
	struct update u;
	int err = vxlan_fdb_parse(vxlan, req, &u, ack);

	DEV_ENTER(dev, "vxlan_fdb_delete");
	return err == 0 ? delete_remote(vxlan, u.addr, u.src_vni, &u.rdst) : err;
}
