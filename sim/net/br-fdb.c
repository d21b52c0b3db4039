/* SPDX-License-Identifier: GPL-2.0-or-later */
/* br-fdb.c - the forwarding database of a bridge.
 *
 * Models net/bridge/br_fdb.c (Linux 5.10 and 6.1).  Each bridge has default VLAN
 * 1 and no VLAN filtering, so every local address is there twice: for no VLAN
 * and for that one. */
#include "net/bridge.h"

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

int
br_fdb_add_local(struct net_bridge *br, struct net_bridge_port *p, const uint8_t *addr,
		 uint16_t vid)
{
	struct net_bridge_fdb_entry *f;
	struct key key = key_make(addr, ETH_ALEN, vid);
	bool created;

	if (!is_valid_ether_addr(addr))
		return -EINVAL;
	f = br_fdb_find(br, addr, vid);
	if (f && f->flags & BR_FDB_LOCAL)
		return 0;
	if (f)
		fdb_delete(br, f);
	f = table_add(&br->fdb, &key, &created);
	f->dst = p;
	f->flags = BR_FDB_LOCAL | BR_FDB_STATIC;
	f->updated = f->used = engine_now(br->dev->kernel->engine);
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
	FOR_EACH_VID (vid)
		br_fdb_add_local(br, p, addr, vid);
}

/* 'addr' will be the bridge's; the one that it has may still be a port's. */
void
br_fdb_change_mac_address(struct net_bridge *br, const uint8_t *addr)
{
	FOR_EACH_VID (vid) {
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
	unsigned kept = BR_FDB_STATIC | BR_FDB_ADDED_BY_EXT_LEARN;
	struct net_bridge_fdb_entry *f;
	struct cursor cursor;

	table_for_each (&br->fdb, &cursor, f) {
		if (f->dst != p || (!all && f->flags & kept))
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
