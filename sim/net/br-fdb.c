/* SPDX-License-Identifier: GPL-2.0-or-later */
/* br-fdb.c - the forwarding database of a bridge.
 *
 * Models net/bridge/br_fdb.c (Linux 5.10 and 6.1), without learning: no frames
 * are simulated.  Each bridge has default VLAN 1 and no VLAN filtering, so every
 * local address is there twice: for no VLAN and for that one. */
#include "net/bridge.h"

#include <linux/neighbour.h>

#include "net/dev-addr-lists.h"

#define FOR_EACH_VID(vid) for (uint16_t vid = 0; vid <= BR_DEFAULT_PVID; vid++)

const struct table_spec br_fdb_spec = {
	.name = "fdb",
	.about = "forwarding database of a bridge, by MAC and VLAN",
	.backend = "hash:buckets=256",
	.elem_size = sizeof(struct net_bridge_fdb_entry),
	.key_offset = offsetof(struct net_bridge_fdb_entry, key),
	.order = TABLE_NEWEST_FIRST,
};

void
br_fdb_init(struct net_bridge *br)
{
	table_init(&br->fdb, kernel_table(br->dev->kernel, &br_fdb_spec));
}

void
br_fdb_fini(struct net_bridge *br)
{
	table_fini(&br->fdb);
}

struct net_bridge_fdb_entry *
br_fdb_find(struct net_bridge *br, const uint8_t *addr, uint16_t vid)
{
	struct key key = key_make(addr, ETH_ALEN, vid);

	return table_find(&br->fdb, &key);
}

bool
br_fdb_has_expired(const struct net_bridge *br, const struct net_bridge_fdb_entry *f)
{
	return !(f->flags & (BR_FDB_STATIC | BR_FDB_ADDED_BY_EXT_LEARN)) &&
	       f->updated + br->ageing_ps <= engine_now(br->dev->kernel->engine);
}

/* Ports that do not hear everything must hear what static entries name. */

static void
add_hw_addr(struct net_bridge *br, const uint8_t *addr)
{
	for (struct net_bridge_port *p = br->ports; p; p = p->next)
		if (!p->promisc)
			dev_uc_add(p->dev, addr);
}

static void
del_hw_addr(struct net_bridge *br, const uint8_t *addr)
{
	for (struct net_bridge_port *p = br->ports; p; p = p->next)
		if (!p->promisc)
			dev_uc_del(p->dev, addr);
}

static void
fdb_delete(struct net_bridge *br, struct net_bridge_fdb_entry *f)
{
	if (f->flags & BR_FDB_STATIC)
		del_hw_addr(br, f->key.addr);
	table_remove(&br->fdb, f);
}

/* A local address stays as long as any port, or the bridge, has it. */
static void
fdb_delete_local(struct net_bridge *br, const struct net_bridge_port *p,
		 struct net_bridge_fdb_entry *f)
{
	const uint8_t *addr = f->key.addr;

	for (struct net_bridge_port *other = br->ports; other; other = other->next) {
		if (other == p || !ether_addr_equal(other->dev->dev_addr, addr))
			continue;
		f->dst = other;
		f->flags &= ~BR_FDB_ADDED_BY_USER;
		return;
	}
	if (p && ether_addr_equal(br->dev->dev_addr, addr)) {
		f->dst = NULL;
		f->flags &= ~BR_FDB_ADDED_BY_USER;
		return;
	}
	fdb_delete(br, f);
}

static struct net_bridge_fdb_entry *
fdb_create(struct net_bridge *br, struct net_bridge_port *p, const uint8_t *addr, uint16_t vid,
	   unsigned flags)
{
	struct key key = key_make(addr, ETH_ALEN, vid);
	struct net_bridge_fdb_entry *f = table_add(&br->fdb, &key, NULL);

	f->dst = p;
	f->flags = flags;
	f->updated = f->used = engine_now(br->dev->kernel->engine);
	return f;
}

int
br_fdb_add_local(struct net_bridge *br, struct net_bridge_port *p, const uint8_t *addr,
		 uint16_t vid)
{
	struct net_bridge_fdb_entry *f;

	if (!is_valid_ether_addr(addr))
		return -EINVAL;
	f = br_fdb_find(br, addr, vid);
	if (f && f->flags & BR_FDB_LOCAL)
		return 0;
	if (f)
		fdb_delete(br, f);
	fdb_create(br, p, addr, vid, BR_FDB_LOCAL | BR_FDB_STATIC);
	add_hw_addr(br, addr);
	return 0;
}

/* The port's local entries that the user did not make follow its address. */
void
br_fdb_changeaddr(struct net_bridge_port *p, const uint8_t *addr)
{
	struct net_bridge *br = p->br;
	struct net_bridge_fdb_entry *f;
	struct cursor cursor;

	table_for_each (&br->fdb, &cursor, f) {
		if (f->dst == p && f->flags & BR_FDB_LOCAL && !(f->flags & BR_FDB_ADDED_BY_USER))
			fdb_delete_local(br, p, f);
	}
	FOR_EACH_VID(vid)
	br_fdb_add_local(br, p, addr, vid);
}

/* 'addr' will be the bridge's; the one that it has may still be a port's. */
void
br_fdb_change_mac_address(struct net_bridge *br, const uint8_t *addr)
{
	FOR_EACH_VID(vid)
	{
		struct net_bridge_fdb_entry *f = br_fdb_find(br, br->dev->dev_addr, vid);

		if (f && f->flags & BR_FDB_LOCAL && !f->dst && !(f->flags & BR_FDB_ADDED_BY_USER))
			fdb_delete_local(br, NULL, f);
		br_fdb_add_local(br, NULL, addr, vid);
	}
}

/* 'all': the port leaves; else only what was learned goes. */
void
br_fdb_delete_by_port(struct net_bridge *br, struct net_bridge_port *p, bool all)
{
	struct net_bridge_fdb_entry *f;
	struct cursor cursor;

	table_for_each (&br->fdb, &cursor, f) {
		if (f->dst != p || (!all && f->flags & BR_FDB_STATIC))
			continue;
		if (f->flags & BR_FDB_LOCAL)
			fdb_delete_local(br, p, f);
		else
			fdb_delete(br, f);
	}
}

/* A port that hears everything needs no list of what it must hear. */
void
br_fdb_unsync_static(struct net_bridge *br, struct net_bridge_port *p)
{
	struct net_bridge_fdb_entry *f;
	struct cursor cursor;

	table_for_each (&br->fdb, &cursor, f) {
		if (f->flags & BR_FDB_STATIC)
			dev_uc_del(p->dev, f->key.addr);
	}
}

/* What a user asks for */

static unsigned
state_flags(uint16_t state)
{
	if (state & NUD_PERMANENT)
		return BR_FDB_LOCAL | BR_FDB_STATIC;
	return state & NUD_NOARP ? BR_FDB_STATIC : 0;
}

static void
set_state(struct net_bridge *br, struct net_bridge_fdb_entry *f, uint16_t state)
{
	unsigned old = f->flags, kinds = BR_FDB_LOCAL | BR_FDB_STATIC;

	f->flags = (old & ~kinds) | state_flags(state);
	if (f->flags & ~old & BR_FDB_STATIC)
		add_hw_addr(br, f->key.addr);
	else if (old & ~f->flags & BR_FDB_STATIC)
		del_hw_addr(br, f->key.addr);
}

/* A port that does not forward cannot have learned anything. */
static int
check_entry(const struct net_bridge_port *p, const struct fdb_request *req)
{
	bool sticky = req->flags & NTF_STICKY, permanent = req->state & NUD_PERMANENT;

	if (p && !permanent && !(req->state & NUD_NOARP) && !p->forwarding)
		return -EPERM;
	return (!p && !permanent) || (sticky && permanent) ? -EINVAL : 0;
}

static int
fdb_add_entry(struct net_bridge *br, struct net_bridge_port *p, const struct fdb_request *req,
	      uint16_t vid)
{
	struct net_bridge_fdb_entry *f;
	int err = check_entry(p, req);

	if (err != 0)
		return err;
	f = br_fdb_find(br, req->addr, vid);
	if (!f && !req->create)
		return -ENOENT;
	if (f && req->exclusive)
		return -EEXIST;
	if (!f)
		f = fdb_create(br, p, req->addr, vid, 0);
	f->dst = p;
	set_state(br, f, req->state);
	f->flags = (f->flags & ~BR_FDB_STICKY) | (req->flags & NTF_STICKY ? BR_FDB_STICKY : 0) |
		   BR_FDB_ADDED_BY_USER;
	return 0;
}

static int
fdb_del_entry(struct net_bridge *br, struct net_bridge_port *p, const uint8_t *addr, uint16_t vid)
{
	struct net_bridge_fdb_entry *f = br_fdb_find(br, addr, vid);

	if (!f || f->dst != p)
		return -ENOENT;
	fdb_delete(br, f);
	return 0;
}

/* The bridge, and the port if 'dev' is one. */
static struct net_bridge *
bridge_and_port(struct net_device *dev, struct net_bridge_port **p)
{
	*p = netif_is_bridge_master(dev) ? NULL : dev->rx_handler_data;
	return *p ? (*p)->br : netdev_priv(dev);
}

static int
check_vid(const struct fdb_request *req, struct ext_ack *ack)
{
	if (req->vid <= BR_DEFAULT_PVID)
		return 0;
	ext_ack_set(ack, "bridge: RTM_NEWNEIGH with unconfigured vlan");
	return -EINVAL;
}

/* Without a VLAN, for none and for all that the port has. */
int
br_fdb_add(struct net_device *dev, const struct fdb_request *req, struct ext_ack *ack)
{
	struct net_bridge_port *p;
	struct net_bridge *br = bridge_and_port(dev, &p);
	int err = check_vid(req, ack);

	if (err == 0 && req->vid)
		return fdb_add_entry(br, p, req, req->vid);
	FOR_EACH_VID(vid)
	{
		if (err == 0)
			err = fdb_add_entry(br, p, req, vid);
	}
	return err;
}

int
br_fdb_del(struct net_device *dev, const struct fdb_request *req, struct ext_ack *ack)
{
	struct net_bridge_port *p;
	struct net_bridge *br = bridge_and_port(dev, &p);
	int err = -ENOENT;

	if (check_vid(req, NULL) != 0)
		return -EINVAL;
	if (req->vid)
		return fdb_del_entry(br, p, req->addr, req->vid);
	FOR_EACH_VID(vid)
	err &= fdb_del_entry(br, p, req->addr, vid);
	return err;
}
