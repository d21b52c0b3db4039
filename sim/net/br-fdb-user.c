/* SPDX-License-Identifier: GPL-2.0-or-later */
/* br-fdb-user.c - entries of a bridge's forwarding database that a user adds, changes
 * and removes.
 *
 * Models br_fdb_add() and br_fdb_delete() of net/bridge/br_fdb.c (Linux 5.10 and
 * 6.1). */
#include <linux/neighbour.h>

#include "net/bridge.h"

static uint64_t
now_of(const struct net_bridge *br)
{
	return engine_now(br->dev->kernel->engine);
}

static unsigned
state_flags(uint16_t state)
{
	if (state & NUD_PERMANENT)
		return BR_FDB_LOCAL | BR_FDB_STATIC;
	return state & NUD_NOARP ? BR_FDB_STATIC : 0;
}

/* Did anything change? */
static bool
set_state(struct net_bridge *br, struct net_bridge_fdb_entry *f, uint16_t state)
{
	unsigned old = f->flags, kinds = BR_FDB_LOCAL | BR_FDB_STATIC;

	f->flags = (old & ~kinds) | state_flags(state);
	if (f->flags & ~old & BR_FDB_STATIC)
		fdb_add_hw_addr(br, f->key.addr);
	else if (old & ~f->flags & BR_FDB_STATIC)
		fdb_del_hw_addr(br, f->key.addr);
	return f->flags != old;
}

static bool
set_sticky(struct net_bridge_fdb_entry *f, bool sticky)
{
	bool changed = sticky != ((f->flags & BR_FDB_STICKY) != 0);

	if (changed)
		f->flags ^= BR_FDB_STICKY;
	return changed;
}

/* A port that does not learn cannot have learned anything. */
static int
check_entry(const struct net_bridge_port *p, const struct fdb_request *req)
{
	bool sticky = req->flags & NTF_STICKY, permanent = req->state & NUD_PERMANENT;

	if (p && !permanent && !(req->state & NUD_NOARP) && !br_state_learns(p->state))
		return -EPERM;
	return (!p && !permanent) || (sticky && permanent) ? -EINVAL : 0;
}

static int
fdb_add_entry(struct net_bridge *br, struct net_bridge_port *p, const struct fdb_request *req,
	      uint16_t vid)
{
	struct net_bridge_fdb_entry *f;
	bool modified;
	int err = check_entry(p, req);

	if (err != 0)
		return err;
	f = br_fdb_find(br, req->addr, vid);
	if (!f && !req->create)
		return -ENOENT;
	if (f && req->exclusive)
		return -EEXIST;
	modified = !f;
	if (!f)
		f = fdb_create(br, p, req->addr, vid, 0);
	modified |= fdb_move(br, f, p);
	modified |= set_state(br, f, req->state);
	modified |= set_sticky(f, req->flags & NTF_STICKY);
	f->flags |= BR_FDB_ADDED_BY_USER;
	f->used = now_of(br);
	if (modified) {
		f->updated = f->used;
		fdb_notify(br);
	}
	return 0;
}

/* Another program than the bridge has learned it, and keeps it fresh or takes it
 * back. */
static int
external_learn_add(struct net_bridge *br, struct net_bridge_port *p, const struct fdb_request *req,
		   uint16_t vid, struct ext_ack *ack)
{
	unsigned own = p ? 0 : BR_FDB_LOCAL, taken = 0;
	struct net_bridge_fdb_entry *f;

	if (!p && !(req->state & NUD_PERMANENT)) {
		ext_ack_set(ack, "bridge: FDB entry towards bridge must be permanent");
		return -EINVAL;
	}
	f = br_fdb_find(br, req->addr, vid);
	if (!f) {
		fdb_create(br, p, req->addr, vid,
			   own | BR_FDB_ADDED_BY_EXT_LEARN | BR_FDB_ADDED_BY_USER);
		fdb_notify(br);
		return 0;
	}
	f->updated = now_of(br);
	if (f->flags & BR_FDB_ADDED_BY_EXT_LEARN)
		f->used = f->updated;
	else if (!(f->flags & BR_FDB_ADDED_BY_USER))
		taken = BR_FDB_ADDED_BY_EXT_LEARN;
	if (fdb_move(br, f, p) || taken)
		fdb_notify(br);
	f->flags |= own | taken | BR_FDB_ADDED_BY_USER;
	return 0;
}

static int
add_one(struct net_bridge *br, struct net_bridge_port *p, const struct fdb_request *req,
	uint16_t vid, struct ext_ack *ack)
{
	return req->flags & NTF_EXT_LEARNED ? external_learn_add(br, p, req, vid, ack)
					    : fdb_add_entry(br, p, req, vid);
}

/* For none, and for all VLANs that the port has. */
static int
add_all(struct net_bridge *br, struct net_bridge_port *p, const struct fdb_request *req,
	struct ext_ack *ack)
{
	const struct net_bridge_vlan_group *g = br_vlan_group(br, p);
	int err = add_one(br, p, req, 0, ack);

	for (unsigned n = 0; err == 0 && n < g->count; n++)
		if (br_vlan_should_use(p, &g->vlans[n]))
			err = add_one(br, p, req, g->vlans[n].vid, ack);
	return err;
}

static bool
grows_old(const struct fdb_request *req)
{
	return !(req->state & (NUD_PERMANENT | NUD_NOARP)) && !(req->flags & NTF_EXT_LEARNED);
}

int
br_fdb_add(struct net_device *dev, const struct fdb_request *req, struct ext_ack *ack)
{
	struct net_bridge_port *p;
	struct net_bridge *br = br_and_port(dev, &p);
	const struct net_bridge_vlan *v;
	int err;

	DEV_ENTER(dev, "br_fdb_add");
	if (!(req->state & (NUD_PERMANENT | NUD_NOARP | NUD_REACHABLE)) ||
	    is_zero_ether_addr(req->addr))
		return -EINVAL;
	if (!req->vid) {
		err = add_all(br, p, req, ack);
	} else {
		v = br_vlan_find(br_vlan_group(br, p), req->vid);
		if (!v || !br_vlan_should_use(p, v))
			return -EINVAL;
		err = add_one(br, p, req, req->vid, ack);
	}
	if (grows_old(req))
		br_fdb_gc_expect(br);
	return err;
}

static int
del_one(struct net_bridge *br, struct net_bridge_port *p, const uint8_t *addr, uint16_t vid)
{
	struct net_bridge_fdb_entry *f = br_fdb_find(br, addr, vid);

	if (!f || f->dst != p)
		return -ENOENT;
	fdb_delete(br, f);
	return 0;
}

/* One that is there is enough. */
static int
del_all(struct net_bridge *br, struct net_bridge_port *p, const uint8_t *addr)
{
	const struct net_bridge_vlan_group *g = br_vlan_group(br, p);
	int err = -ENOENT & del_one(br, p, addr, 0);

	for (unsigned n = 0; n < g->count; n++)
		if (br_vlan_should_use(p, &g->vlans[n]))
			err &= del_one(br, p, addr, g->vlans[n].vid);
	return err;
}

int
br_fdb_del(struct net_device *dev, const struct fdb_request *req, struct ext_ack *ack)
{
	struct net_bridge_port *p;
	struct net_bridge *br = br_and_port(dev, &p);

	if (!req->vid)
		return del_all(br, p, req->addr);
	if (!br_vlan_find(br_vlan_group(br, p), req->vid))
		return -EINVAL;
	return del_one(br, p, req->addr, req->vid);
}
