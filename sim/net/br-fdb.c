/* SPDX-License-Identifier: GPL-2.0-or-later */
/* br-fdb.c - the forwarding database of a bridge: its table, local entries, and what
 * is learned.
 *
 * Models net/bridge/br_fdb.c (Linux 5.10 and 6.1).  What a user asks for is in
 * br-fdb-user.c, ageing in br-fdb-gc.c.  A local address is there for no VLAN and
 * for each VLAN that its port has. */
#include "net/bridge.h"

#include "net/dev-addr-lists.h"

const struct table_spec br_fdb_spec = {
	.name = "fdb",
	.about = "forwarding database of a bridge, by MAC and VLAN",
	.backend = "hash:buckets=256",
	.elem_size = sizeof(struct net_bridge_fdb_entry),
	.key_offset = offsetof(struct net_bridge_fdb_entry, key),
	.order = TABLE_NEWEST_FIRST,
	.hashing = TABLE_HASH_KEY,
};

void
br_fdb_init(struct net_bridge *br)
{
	table_init(&br->fdb, kernel_table(br->dev->kernel, &br_fdb_spec));
	br_fdb_gc_init(br);
}

void
br_fdb_fini(struct net_bridge *br)
{
	br_fdb_gc_fini(br);
	table_fini(&br->fdb);
}

struct net_bridge_fdb_entry *
br_fdb_find(struct net_bridge *br, const uint8_t *addr, uint16_t vid)
{
	struct key key = key_make(addr, ETH_ALEN, vid);

	DEV_ENTER(br->dev, "fdb_find_rcu");
	return table_find(&br->fdb, &key);
}

/* The message is built whether or not anybody listens. */
void
fdb_notify(struct net_bridge *br)
{
	DEV_ENTER(br->dev, "fdb_notify");
	DEV_ENTER(br->dev, "fdb_fill_info");
}

/* Ports that do not hear everything must hear what static entries name. */

void
fdb_add_hw_addr(struct net_bridge *br, const uint8_t *addr)
{
	DEV_ENTER(br->dev, "fdb_add_hw_addr");
	for (struct net_bridge_port *p = br->ports; p; p = p->next)
		if (!p->promisc)
			dev_uc_add(p->dev, addr);
}

void
fdb_del_hw_addr(struct net_bridge *br, const uint8_t *addr)
{
	for (struct net_bridge_port *p = br->ports; p; p = p->next)
		if (!p->promisc)
			dev_uc_del(p->dev, addr);
}

/* A port that stops hearing everything is told before it does. */
void
br_fdb_sync_static(struct net_bridge *br, struct net_bridge_port *p)
{
	struct net_bridge_fdb_entry *f;
	struct cursor cursor;

	table_for_each (&br->fdb, &cursor, f) {
		if (f->flags & BR_FDB_STATIC)
			dev_uc_add(p->dev, f->key.addr);
	}
}

/* One that hears everything needs no list of what it must hear. */
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

/* Entries come and go */

struct net_bridge_fdb_entry *
fdb_create(struct net_bridge *br, struct net_bridge_port *p, const uint8_t *addr, uint16_t vid,
	   unsigned flags)
{
	DEV_ENTER(br->dev, "fdb_create");

	struct key key = key_make(addr, ETH_ALEN, vid);
	struct net_bridge_fdb_entry *f = table_add(&br->fdb, &key, NULL);

	f->dst = p;
	f->flags = flags;
	f->updated = f->used = engine_now(br->dev->kernel->engine);
	return f;
}

bool
fdb_move(struct net_bridge *br, struct net_bridge_fdb_entry *f, struct net_bridge_port *p)
{
	if (f->dst == p)
		return false;
	f->dst = p;
	br->fdb_moves++;
	return true;
}

void
fdb_delete(struct net_bridge *br, struct net_bridge_fdb_entry *f)
{
	if (f->flags & BR_FDB_STATIC)
		fdb_del_hw_addr(br, f->key.addr);
	table_remove(&br->fdb, f);
	fdb_notify(br);
}

/* Another port than 'p' that has this address, in that VLAN. */
static struct net_bridge_port *
other_owner(const struct net_bridge *br, const struct net_bridge_port *p, const uint8_t *addr,
	    uint16_t vid)
{
	for (struct net_bridge_port *other = br->ports; other; other = other->next)
		if (other != p && ether_addr_equal(other->dev->dev_addr, addr) &&
		    (!vid || br_vlan_find(&other->vlans, vid)))
			return other;
	return NULL;
}

static bool
is_bridges_own(const struct net_bridge *br, const uint8_t *addr, uint16_t vid)
{
	const struct net_bridge_vlan *v;

	if (!ether_addr_equal(br->dev->dev_addr, addr))
		return false;
	if (!vid)
		return true;
	v = br_vlan_find(&br->vlans, vid);
	return v && br_vlan_should_use(NULL, v);
}

/* A local address stays as long as any port, or the bridge, has it. */
static void
fdb_delete_local(struct net_bridge *br, const struct net_bridge_port *p,
		 struct net_bridge_fdb_entry *f)
{
	uint16_t vid = (uint16_t)f->key.sub;
	struct net_bridge_port *other = other_owner(br, p, f->key.addr, vid);

	if (!other && !(p && is_bridges_own(br, f->key.addr, vid))) {
		fdb_delete(br, f);
		return;
	}
	fdb_move(br, f, other);
	f->flags &= ~BR_FDB_ADDED_BY_USER;
}

static bool
is_automatic(const struct net_bridge_fdb_entry *f, const struct net_bridge_port *p)
{
	return f->dst == p && f->flags & BR_FDB_LOCAL && !(f->flags & BR_FDB_ADDED_BY_USER);
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
	fdb_add_hw_addr(br, addr);
	fdb_notify(br);
	return 0;
}

void
br_fdb_find_delete_local(struct net_bridge *br, struct net_bridge_port *p, const uint8_t *addr,
			 uint16_t vid)
{
	struct net_bridge_fdb_entry *f = br_fdb_find(br, addr, vid);

	if (f && is_automatic(f, p))
		fdb_delete_local(br, p, f);
}

/* The port's local entries that the user did not make follow its address.  Without
 * VLANs there is one. */
void
br_fdb_changeaddr(struct net_bridge_port *p, const uint8_t *addr)
{
	struct net_bridge *br = p->br;
	struct net_bridge_fdb_entry *f;
	struct cursor cursor;

	table_for_each (&br->fdb, &cursor, f) {
		if (!is_automatic(f, p))
			continue;
		fdb_delete_local(br, p, f);
		if (p->vlans.num_vlans == 0)
			break;
	}
	br_fdb_add_local(br, p, addr, 0);
	for (unsigned n = 0; n < p->vlans.count; n++)
		br_fdb_add_local(br, p, addr, p->vlans.vlans[n].vid);
}

static void
change_own(struct net_bridge *br, const uint8_t *addr, uint16_t vid)
{
	br_fdb_find_delete_local(br, NULL, br->dev->dev_addr, vid);
	br_fdb_add_local(br, NULL, addr, vid);
}

/* 'addr' will be the bridge's; the one that it has may still be a port's. */
void
br_fdb_change_mac_address(struct net_bridge *br, const uint8_t *addr)
{
	change_own(br, addr, 0);
	for (unsigned n = 0; n < br->vlans.count; n++)
		if (br_vlan_should_use(NULL, &br->vlans.vlans[n]))
			change_own(br, addr, br->vlans.vlans[n].vid);
}

static bool
is_learned(const struct net_bridge_fdb_entry *f)
{
	return !(f->flags & (BR_FDB_STATIC | BR_FDB_ADDED_BY_EXT_LEARN));
}

void
br_fdb_delete_by_port(struct net_bridge *br, struct net_bridge_port *p, uint16_t vid, bool all)
{
	struct net_bridge_fdb_entry *f;
	struct cursor cursor;

	DEV_ENTER(br->dev, "br_fdb_delete_by_port");
	table_for_each (&br->fdb, &cursor, f) {
		if (f->dst != p)
			continue;
		if (!all && (!is_learned(f) || (vid && f->key.sub != vid)))
			continue;
		if (f->flags & BR_FDB_LOCAL)
			fdb_delete_local(br, p, f);
		else
			fdb_delete(br, f);
	}
}

/* Learning */

/* What moves is not what another switch said it was. */
static bool
move_entry(struct net_bridge *br, struct net_bridge_fdb_entry *f, struct net_bridge_port *p)
{
	if (f->flags & BR_FDB_STICKY || !fdb_move(br, f, p))
		return false;
	f->flags &= ~BR_FDB_ADDED_BY_EXT_LEARN;
	return true;
}

void
br_fdb_update(struct net_bridge *br, struct net_bridge_port *p, const uint8_t *addr, uint16_t vid)
{
	struct net_bridge_fdb_entry *f;

	DEV_ENTER(br->dev, "br_fdb_update");
	if (br->ageing_ps == 0)
		return;
	f = br_fdb_find(br, addr, vid);
	if (f && f->flags & BR_FDB_LOCAL)
		return;
	if (!f) {
		f = fdb_create(br, p, addr, vid, 0);
		fdb_notify(br);
	} else {
		f->updated = engine_now(br->dev->kernel->engine);
		if (move_entry(br, f, p))
			fdb_notify(br);
	}
	if (is_learned(f))
		br_fdb_gc_expect(br);
}
