/* SPDX-License-Identifier: GPL-2.0-or-later */
/* br-vlan.c - the VLANs of a bridge and of its ports.
 *
 * Models net/bridge/br_vlan.c (Linux 5.10 and 6.1).  The groups are there, and have
 * their local entries in the forwarding database, whether or not the bridge filters
 * by them.  A bridge knows each VLAN that one of its ports has; one that is its own,
 * too, is marked BRIDGE_VLAN_INFO_BRENTRY. */
#include <string.h>

#include "net/bridge.h"

#define PVID_UNTAGGED (BRIDGE_VLAN_INFO_PVID | BRIDGE_VLAN_INFO_UNTAGGED)

/* Groups */

/* The place of the id, or of the next higher one. */
static unsigned
place_of(const struct net_bridge_vlan_group *g, uint16_t vid)
{
	unsigned low = 0, high = g->count;

	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (g->vlans[middle].vid < vid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct net_bridge_vlan *
br_vlan_find(const struct net_bridge_vlan_group *g, uint16_t vid)
{
	unsigned at = place_of(g, vid);

	return at < g->count && g->vlans[at].vid == vid ? &g->vlans[at] : NULL;
}

static struct net_bridge_vlan *
group_insert(struct net_bridge_vlan_group *g, uint16_t vid)
{
	unsigned at = place_of(g, vid);

	if (g->count == g->size) {
		g->size = MAX(1, 2 * g->size);
		g->vlans = g_renew(struct net_bridge_vlan, g->vlans, g->size);
	}
	memmove(g->vlans + at + 1, g->vlans + at, (g->count - at) * sizeof *g->vlans);
	g->vlans[at] = (struct net_bridge_vlan){.vid = vid};
	g->count++;
	return &g->vlans[at];
}

static void
group_remove(struct net_bridge_vlan_group *g, struct net_bridge_vlan *v)
{
	unsigned after = g->count - (unsigned)(v - g->vlans) - 1;

	memmove(v, v + 1, after * sizeof *v);
	g->count--;
}

static void
group_clear(struct net_bridge_vlan_group *g)
{
	g_free(g->vlans);
	*g = (struct net_bridge_vlan_group){.count = 0};
}

static void
set_flags(struct net_bridge_vlan_group *g, struct net_bridge_vlan *v, unsigned flags)
{
	if (flags & BRIDGE_VLAN_INFO_PVID)
		g->pvid = v->vid;
	else if (g->pvid == v->vid)
		g->pvid = 0;
	v->flags &= (uint16_t)~BRIDGE_VLAN_INFO_UNTAGGED;
	v->flags |= flags & BRIDGE_VLAN_INFO_UNTAGGED;
}

/* A bridge's VLANs */

static void
put_master(struct net_bridge *br, uint16_t vid)
{
	struct net_bridge_vlan *v = br_vlan_find(&br->vlans, vid);

	if (--v->refcount == 0)
		group_remove(&br->vlans, v);
}

static struct net_bridge_vlan *
insert_master(struct net_bridge *br, uint16_t vid)
{
	DEV_ENTER(br->dev, "__vlan_add");
	return group_insert(&br->vlans, vid);
}

/* A port has it. */
static void
get_master(struct net_bridge *br, uint16_t vid)
{
	struct net_bridge_vlan *v = br_vlan_find(&br->vlans, vid);

	if (!v) {
		DEV_CALL(br->dev, "br_vlan_add");
		v = insert_master(br, vid);
	}
	v->refcount++;
}

/* It was not the bridge's own so far. */
static int
add_own(struct net_bridge *br, struct net_bridge_vlan *v, uint16_t vid)
{
	bool new = !v;
	int err;

	if (new)
		v = insert_master(br, vid);
	err = br_fdb_add_local(br, NULL, br->dev->dev_addr, vid);
	if (err != 0) {
		if (new)
			group_remove(&br->vlans, v);
		return err;
	}
	v->refcount++;
	v->flags |= BRIDGE_VLAN_INFO_BRENTRY;
	br->vlans.num_vlans++;
	return 0;
}

int
br_vlan_add(struct net_bridge *br, uint16_t vid, unsigned flags)
{
	struct net_bridge_vlan *v = br_vlan_find(&br->vlans, vid);
	int err = 0;

	DEV_ENTER(br->dev, "br_vlan_add");
	if (!v || !br_vlan_should_use(NULL, v))
		err = add_own(br, v, vid);
	if (err == 0)
		set_flags(&br->vlans, br_vlan_find(&br->vlans, vid), flags);
	return err;
}

int
br_vlan_delete(struct net_bridge *br, uint16_t vid)
{
	struct net_bridge_vlan *v = br_vlan_find(&br->vlans, vid);

	if (!v || !br_vlan_should_use(NULL, v))
		return -ENOENT;
	br_fdb_find_delete_local(br, NULL, br->dev->dev_addr, vid);
	br_fdb_delete_by_port(br, NULL, vid, false);
	if (br->vlans.pvid == vid)
		br->vlans.pvid = 0;
	v->flags &= (uint16_t)~BRIDGE_VLAN_INFO_BRENTRY;
	br->vlans.num_vlans--;
	put_master(br, vid);
	return 0;
}

int
br_vlan_init(struct net_bridge *br)
{
	return br_vlan_add(br, br->default_pvid, PVID_UNTAGGED);
}

void
br_vlan_fini(struct net_bridge *br)
{
	group_clear(&br->vlans);
}

/* A port's VLANs */

static int
add_new(struct net_bridge_port *p, uint16_t vid, unsigned flags)
{
	int err = vlan_vid_add(p->dev, vid);

	DEV_ENTER(p->dev, "__vlan_add");
	if (err != 0)
		return err;
	get_master(p->br, vid);
	err = br_fdb_add_local(p->br, p, p->dev->dev_addr, vid);
	if (err != 0) {
		put_master(p->br, vid);
		vlan_vid_del(p->dev, vid);
		return err;
	}
	p->vlans.num_vlans++;
	set_flags(&p->vlans, group_insert(&p->vlans, vid), flags);
	return 0;
}

int
nbp_vlan_add(struct net_bridge_port *p, uint16_t vid, unsigned flags)
{
	struct net_bridge_vlan *v = br_vlan_find(&p->vlans, vid);

	DEV_ENTER(p->dev, "nbp_vlan_add");
	if (!v)
		return add_new(p, vid, flags);
	set_flags(&p->vlans, v, flags);
	return 0;
}

static void
remove_from_port(struct net_bridge_port *p, struct net_bridge_vlan *v)
{
	uint16_t vid = v->vid;

	if (p->vlans.pvid == vid)
		p->vlans.pvid = 0;
	vlan_vid_del(p->dev, vid);
	p->vlans.num_vlans--;
	group_remove(&p->vlans, v);
	put_master(p->br, vid);
}

int
nbp_vlan_delete(struct net_bridge_port *p, uint16_t vid)
{
	struct net_bridge_vlan *v = br_vlan_find(&p->vlans, vid);

	if (!v)
		return -ENOENT;
	br_fdb_find_delete_local(p->br, p, p->dev->dev_addr, vid);
	br_fdb_delete_by_port(p->br, p, vid, false);
	remove_from_port(p, v);
	return 0;
}

int
nbp_vlan_init(struct net_bridge_port *p)
{
	uint16_t vid = p->br->default_pvid;

	return vid ? nbp_vlan_add(p, vid, PVID_UNTAGGED) : 0;
}

void
nbp_vlan_flush(struct net_bridge_port *p)
{
	while (p->vlans.count > 0)
		remove_from_port(p, &p->vlans.vlans[0]);
	group_clear(&p->vlans);
}

/* What a user sets */

void
br_vlan_filter_toggle(struct net_bridge *br, bool on)
{
	if (br->vlan_enabled == on)
		return;
	br->vlan_enabled = on;
	br_manage_promisc(br);
}

/* Is the default still what the group has, or did the user change it? */
static bool
has_default(const struct net_bridge *br, const struct net_bridge_port *p,
	    const struct net_bridge_vlan_group *g)
{
	const struct net_bridge_vlan *v = br_vlan_find(g, br->default_pvid);

	return v && g->pvid == br->default_pvid && br_vlan_should_use(p, v) &&
	       v->flags & BRIDGE_VLAN_INFO_UNTAGGED;
}

static void
disable_default_pvid(struct net_bridge *br)
{
	if (has_default(br, NULL, &br->vlans))
		br_vlan_delete(br, br->default_pvid);
	for (struct net_bridge_port *p = br->ports; p; p = p->next)
		if (has_default(br, p, &p->vlans))
			nbp_vlan_delete(p, br->default_pvid);
	br->default_pvid = 0;
}

/* Who has the old default, or none was there, gets the new one; unless the user has
 * put it there. */

static int
change_own_default(struct net_bridge *br, uint16_t vid)
{
	const struct net_bridge_vlan *v = br_vlan_find(&br->vlans, vid);
	int err;

	if (br->default_pvid && !has_default(br, NULL, &br->vlans))
		return 0;
	if (v && br_vlan_should_use(NULL, v))
		return 0;
	err = br_vlan_add(br, vid, PVID_UNTAGGED);
	if (err == 0)
		br_vlan_delete(br, br->default_pvid);
	return err;
}

static int
change_port_default(struct net_bridge_port *p, uint16_t vid)
{
	int err;

	if (p->br->default_pvid && !has_default(p->br, p, &p->vlans))
		return 0;
	if (br_vlan_find(&p->vlans, vid))
		return 0;
	err = nbp_vlan_add(p, vid, PVID_UNTAGGED);
	if (err == 0)
		nbp_vlan_delete(p, p->br->default_pvid);
	return err;
}

int
br_vlan_set_default_pvid(struct net_bridge *br, uint16_t vid)
{
	int err;

	if (vid == 0) {
		disable_default_pvid(br);
		return 0;
	}
	err = change_own_default(br, vid);
	for (struct net_bridge_port *p = br->ports; err == 0 && p; p = p->next)
		err = change_port_default(p, vid);
	if (err == 0)
		br->default_pvid = vid;
	return err;
}
