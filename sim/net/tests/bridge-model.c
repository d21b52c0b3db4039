/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge-model.c - a bridge's forwarding database by the simplest means. */
#include "bridge-model.h"

#include <linux/neighbour.h>
#include <string.h>

static const uint8_t broadcast[ETH_ALEN] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

struct port *
port_of(struct model *m, int port)
{
	return port == NOBODY ? &m->bridge : &m->port[port];
}

struct entry *
find(struct model *m, const uint8_t *mac, uint16_t vid)
{
	for (unsigned n = 0; n < m->entries->len; n++) {
		struct entry *e = &g_array_index(m->entries, struct entry, n);

		if (memcmp(e->mac, mac, ETH_ALEN) == 0 && e->vid == vid)
			return e;
	}
	return NULL;
}

static struct entry *
make(struct model *m, const uint8_t *mac, uint16_t vid, int port, unsigned flags)
{
	struct entry e = {.vid = vid, .port = port, .flags = flags, .updated = m->now};

	memcpy(e.mac, mac, ETH_ALEN);
	g_array_append_val(m->entries, e);
	return find(m, mac, vid);
}

static void
drop(struct model *m, const struct entry *e)
{
	g_array_remove_index(m->entries,
			     (unsigned)(e - &g_array_index(m->entries, struct entry, 0)));
}

static bool
is_learned(const struct entry *e)
{
	return !(e->flags & (BR_FDB_STATIC | BR_FDB_ADDED_BY_EXT_LEARN));
}

/* Devices' own addresses */

static bool
has_mac(const struct port *p, const uint8_t *mac, uint16_t vid)
{
	return p->joined && memcmp(p->mac, mac, ETH_ALEN) == 0 && (vid == 0 || p->has[vid]);
}

/* The newest one of the others. */
static int
other_port(struct model *m, int port, const uint8_t *mac, uint16_t vid)
{
	int other = NOBODY;

	for (int n = 0; n < PORTS; n++)
		if (n != port && has_mac(&m->port[n], mac, vid) &&
		    (other == NOBODY || m->port[n].order > m->port[other].order))
			other = n;
	return other;
}

/* It stays as long as any device has it. */
static void
drop_own(struct model *m, int port, struct entry *e)
{
	int other = other_port(m, port, e->mac, e->vid);

	if (other == NOBODY && (port == NOBODY || !has_mac(&m->bridge, e->mac, e->vid))) {
		drop(m, e);
		return;
	}
	e->port = other;
	e->flags &= ~BR_FDB_ADDED_BY_USER;
}

static bool
is_automatic(const struct entry *e, int port)
{
	return e->port == port && e->flags & BR_FDB_LOCAL && !(e->flags & BR_FDB_ADDED_BY_USER);
}

static void
find_drop_own(struct model *m, int port, const uint8_t *mac, uint16_t vid)
{
	struct entry *e = find(m, mac, vid);

	if (e && is_automatic(e, port))
		drop_own(m, port, e);
}

/* It takes the place of whatever was there, unless that is a device's own, too. */
static void
add_own(struct model *m, const uint8_t *mac, uint16_t vid, int port)
{
	struct entry *e = find(m, mac, vid);

	if (e && e->flags & BR_FDB_LOCAL)
		return;
	if (e)
		drop(m, e);
	make(m, mac, vid, port, BR_FDB_LOCAL | BR_FDB_STATIC);
}

static void
add_own_all(struct model *m, int port)
{
	const struct port *p = port_of(m, port);

	add_own(m, p->mac, 0, port);
	for (uint16_t vid = 1; vid < VIDS; vid++)
		if (p->has[vid])
			add_own(m, p->mac, vid, port);
}

static void
drop_own_all(struct model *m, int port)
{
	for (unsigned n = m->entries->len; n-- > 0;) {
		struct entry *e = &g_array_index(m->entries, struct entry, n);

		if (is_automatic(e, port))
			drop_own(m, port, e);
	}
}

void
model_change_mac(struct model *m, int port, const uint8_t mac[ETH_ALEN])
{
	struct port *p = port_of(m, port);

	if (port == NOBODY && memcmp(p->mac, mac, ETH_ALEN) == 0)
		return;
	if (p->joined)
		drop_own_all(m, port);
	memcpy(p->mac, mac, ETH_ALEN);
	if (p->joined)
		add_own_all(m, port);
}

/* Ports, VLANs, time */

void
model_joins(struct model *m, int port)
{
	struct port *p = port_of(m, port);
	uint8_t mac[ETH_ALEN];

	memcpy(mac, p->mac, ETH_ALEN);
	*p = (struct port){
		.joined = true, .learning = true, .flood = true, .pvid = 1, .order = ++m->joins};
	p->has[1] = true;
	memcpy(p->mac, mac, ETH_ALEN);
	add_own_all(m, port);
}

static void
drop_all(struct model *m, int port)
{
	for (unsigned n = m->entries->len; n-- > 0;) {
		struct entry *e = &g_array_index(m->entries, struct entry, n);

		if (e->port != port)
			continue;
		if (e->flags & BR_FDB_LOCAL)
			drop_own(m, port, e);
		else
			drop(m, e);
	}
}

void
model_leaves(struct model *m, int port)
{
	drop_all(m, port);
	m->port[port].joined = false;
}

static void
drop_learned(struct model *m, int port, uint16_t vid)
{
	for (unsigned n = m->entries->len; n-- > 0;) {
		const struct entry *e = &g_array_index(m->entries, struct entry, n);

		if (e->port == port && is_learned(e) && e->vid == vid)
			drop(m, e);
	}
}

void
model_change_vlan(struct model *m, int port, uint16_t vid, bool add, bool pvid)
{
	struct port *p = port_of(m, port);

	if (add && !p->has[vid])
		add_own(m, p->mac, vid, port);
	if (!add && p->has[vid]) {
		find_drop_own(m, port, p->mac, vid);
		drop_learned(m, port, vid);
	}
	p->has[vid] = add;
	if (add && pvid)
		p->pvid = vid;
	else if (p->pvid == vid)
		p->pvid = 0;
}

void
model_grow_old(struct model *m)
{
	for (unsigned n = m->entries->len; n-- > 0;) {
		const struct entry *e = &g_array_index(m->entries, struct entry, n);

		if (is_learned(e) && m->now - e->updated >= AGEING_PS)
			drop(m, e);
	}
}

/* Frames */

static bool
ingress(const struct model *m, const struct port *p, bool tagged, uint16_t *vid)
{
	if (!m->filtering) {
		*vid = 0;
		return true;
	}
	if (!tagged)
		*vid = p->pvid;
	return *vid != 0 && p->has[*vid];
}

static void
learn(struct model *m, const uint8_t *mac, uint16_t vid, int port)
{
	struct entry *e = find(m, mac, vid);

	if (!e) {
		make(m, mac, vid, port, 0);
		return;
	}
	if (e->flags & BR_FDB_LOCAL)
		return;
	e->updated = m->now;
	if (e->port == port || e->flags & BR_FDB_STICKY)
		return;
	e->port = port;
	e->flags &= ~BR_FDB_ADDED_BY_EXT_LEARN;
}

static bool
goes_out(const struct model *m, int from, int to, uint16_t vid)
{
	const struct port *p = &m->port[to];

	return to != from && p->joined && (!m->filtering || p->has[vid]) &&
	       !(p->isolated && m->port[from].isolated);
}

static void
expect_way(struct model *m, int from, const uint8_t *dst, uint16_t vid)
{
	bool all = memcmp(dst, broadcast, ETH_ALEN) == 0;
	const struct entry *e = all ? NULL : find(m, dst, vid);

	if (e && e->flags & BR_FDB_LOCAL) {
		m->passed++;
	} else if (e) {
		m->forwarded += goes_out(m, from, e->port, vid);
	} else {
		for (int to = 0; to < PORTS; to++)
			m->forwarded += (all || m->port[to].flood) && goes_out(m, from, to, vid);
		m->passed += all;
	}
}

void
model_frame(struct model *m, int from, const uint8_t *src, const uint8_t *dst, bool tagged,
	    uint16_t vid)
{
	const struct port *p = &m->port[from];

	if (!p->joined || !ingress(m, p, tagged, &vid))
		return;
	if (p->learning)
		learn(m, src, vid, from);
	expect_way(m, from, dst, vid);
}

/* What users ask for */

static int
add_entry(struct model *m, int port, const struct fdb_request *r, uint16_t vid)
{
	struct entry *e = find(m, r->addr, vid);
	unsigned old;

	if (e && r->exclusive)
		return -EEXIST;
	if (!e && !r->create)
		return -ENOENT;
	if (!e)
		e = make(m, r->addr, vid, port, 0);
	old = e->flags | (e->port == port ? 0 : ~0u);
	e->port = port;
	e->flags &= ~(BR_FDB_LOCAL | BR_FDB_STATIC | BR_FDB_STICKY);
	if (r->state & NUD_PERMANENT)
		e->flags |= BR_FDB_LOCAL | BR_FDB_STATIC;
	else if (r->state & NUD_NOARP)
		e->flags |= BR_FDB_STATIC;
	if (r->flags & NTF_STICKY)
		e->flags |= BR_FDB_STICKY;
	if (e->flags != old && e->flags != (old & ~BR_FDB_ADDED_BY_USER))
		e->updated = m->now;
	e->flags |= BR_FDB_ADDED_BY_USER;
	return 0;
}

static int
learn_external(struct model *m, int port, const struct fdb_request *r, uint16_t vid)
{
	struct entry *e = find(m, r->addr, vid);

	if (!e) {
		make(m, r->addr, vid, port, BR_FDB_ADDED_BY_EXT_LEARN | BR_FDB_ADDED_BY_USER);
		return 0;
	}
	e->updated = m->now;
	e->port = port;
	if (!(e->flags & BR_FDB_ADDED_BY_USER))
		e->flags |= BR_FDB_ADDED_BY_EXT_LEARN;
	e->flags |= BR_FDB_ADDED_BY_USER;
	return 0;
}

int
model_add(struct model *m, int port, const struct fdb_request *r)
{
	int (*add)(struct model *, int, const struct fdb_request *, uint16_t) =
		r->flags & NTF_EXT_LEARNED ? learn_external : add_entry;
	int err;

	if (r->vid)
		return m->port[port].has[r->vid] ? add(m, port, r, r->vid) : -EINVAL;
	err = add(m, port, r, 0);
	for (uint16_t vid = 1; err == 0 && vid < VIDS; vid++)
		if (m->port[port].has[vid])
			err = add(m, port, r, vid);
	return err;
}

static int
del_entry(struct model *m, int port, const uint8_t *mac, uint16_t vid)
{
	struct entry *e = find(m, mac, vid);

	if (!e || e->port != port)
		return -ENOENT;
	drop(m, e);
	return 0;
}

int
model_del(struct model *m, int port, const uint8_t *mac, uint16_t vid)
{
	int err = -ENOENT;

	if (vid)
		return m->port[port].has[vid] ? del_entry(m, port, mac, vid) : -EINVAL;
	for (; vid < VIDS; vid++)
		if ((vid == 0 || m->port[port].has[vid]) && del_entry(m, port, mac, vid) == 0)
			err = 0;
	return err;
}
