/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge-test.c - what a bridge has in its forwarding database, and where frames go:
 * random frames, entries, VLANs, ports that leave and join, and time that passes.
 *
 * The reference is a list of entries, searched from one end to the other, and rules
 * that were written down from the manual of bridge(8) and the kernel's source. */
#include <check.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box.h"
#include "net/bridge.h"
#include "net/packet.h"
#include "require.h"
#include "variants.h"

#define PORTS     3
#define MACS      6 /* that no device has */
#define VIDS      4 /* 1 .. VIDS - 1 */
#define STEPS     4000
#define SEEDS     4
#define AGEING_PS (10 * PS_PER_S)
#define NOBODY    (-1) /* the bridge itself */

char require_about[128];

static const uint8_t broadcast[ETH_ALEN] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/* The model */

struct entry {
	uint8_t mac[ETH_ALEN];
	uint16_t vid;
	int port;
	unsigned flags; /* BR_FDB_LOCAL ... */
	uint64_t updated;
};

struct port {
	bool joined, has[VIDS], learning, flood, isolated;
	uint16_t pvid;
	uint8_t mac[ETH_ALEN];
};

struct model {
	struct box *box;
	struct rng rng;
	struct port port[PORTS];
	struct port bridge;
	bool filtering;
	GArray *entries;            /* struct entry */
	uint64_t forwarded, passed; /* frames, by ports and to the bridge */
	uint64_t base_forwarded, base_passed;
};

static const char *const ports[PORTS] = {"e0", "e1", "e2"};
static const char *const peers[PORTS] = {"veth0", "veth1", "veth2"};

static uint64_t
below(struct model *m, uint64_t bound)
{
	return rng_below(&m->rng, bound);
}

static uint64_t
now_of(const struct model *m)
{
	return engine_now(m->box->engine);
}

static struct entry *
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
	struct entry e = {.vid = vid, .port = port, .flags = flags, .updated = now_of(m)};

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

/* A device's own address takes the place of whatever was there. */
static void
add_own(struct model *m, const uint8_t *mac, uint16_t vid, int port)
{
	struct entry *e = find(m, mac, vid);

	if (e)
		drop(m, e);
	make(m, mac, vid, port, BR_FDB_LOCAL | BR_FDB_STATIC);
}

static void
drop_by_port(struct model *m, int port, uint16_t vid, bool all)
{
	for (unsigned n = m->entries->len; n-- > 0;) {
		const struct entry *e = &g_array_index(m->entries, struct entry, n);

		if (e->port == port && (all || (is_learned(e) && e->vid == vid)))
			drop(m, e);
	}
}

static void
grow_old(struct model *m)
{
	for (unsigned n = m->entries->len; n-- > 0;) {
		const struct entry *e = &g_array_index(m->entries, struct entry, n);

		if (is_learned(e) && now_of(m) - e->updated >= AGEING_PS)
			drop(m, e);
	}
}

/* Choices */

static struct port *
port_of(struct model *m, int port)
{
	return port == NOBODY ? &m->bridge : &m->port[port];
}

static void
free_mac(uint8_t mac[ETH_ALEN], uint64_t n)
{
	const uint8_t bytes[ETH_ALEN] = {0x02, 0, 0, 0, 1, (uint8_t)n};

	memcpy(mac, bytes, ETH_ALEN);
}

/* One that a device has, or none. */
static void
any_mac(struct model *m, uint8_t mac[ETH_ALEN])
{
	uint64_t n = below(m, MACS + PORTS + 1);

	if (n < MACS)
		free_mac(mac, n);
	else
		memcpy(mac, port_of(m, (int)(n - MACS) - 1)->mac, ETH_ALEN);
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
	e->updated = now_of(m);
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

static void
send_frame(struct model *m)
{
	int from = (int)below(m, PORTS);
	struct packet_request r = {.ifindex = box_ifindex(m->box, peers[from]),
				   .tagged = below(m, 2),
				   .vid = (uint16_t)(1 + below(m, VIDS - 1))};
	uint16_t vid = r.vid;

	any_mac(m, r.src);
	any_mac(m, r.dst);
	if (below(m, 4) == 0)
		memcpy(r.dst, broadcast, ETH_ALEN);
	require(packet_snd(m->box->net, &r) == 0);
	if (!m->port[from].joined || !ingress(m, &m->port[from], r.tagged, &vid))
		return;
	if (m->port[from].learning)
		learn(m, r.src, vid, from);
	expect_way(m, from, r.dst, vid);
}

/* Entries */

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
		e->updated = now_of(m);
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
	e->updated = now_of(m);
	e->port = port;
	if (!(e->flags & BR_FDB_ADDED_BY_USER))
		e->flags |= BR_FDB_ADDED_BY_EXT_LEARN;
	e->flags |= BR_FDB_ADDED_BY_USER;
	return 0;
}

static int
expect_add(struct model *m, int port, const struct fdb_request *r)
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

static void
add_or_replace(struct model *m)
{
	static const uint16_t states[] = {NUD_PERMANENT, NUD_NOARP, NUD_NOARP, NUD_REACHABLE,
					  NUD_REACHABLE};
	static const uint16_t flags[] = {0, 0, 0, NTF_STICKY, NTF_EXT_LEARNED};
	int port = (int)below(m, PORTS);
	struct fdb_request r = {.ifindex = box_ifindex(m->box, ports[port]),
				.vid = (uint16_t)below(m, VIDS),
				.state = states[below(m, G_N_ELEMENTS(states))],
				.flags = NTF_MASTER,
				.create = below(m, 8) != 0,
				.exclusive = below(m, 2)};

	if (!(r.state & NUD_PERMANENT))
		r.flags |= flags[below(m, G_N_ELEMENTS(flags))];
	free_mac(r.addr, below(m, MACS));
	if (m->port[port].joined)
		require(rtnl_fdb_add(m->box->net, &r, NULL) == expect_add(m, port, &r));
}

static int
expect_del(struct model *m, int port, const uint8_t *mac, uint16_t vid)
{
	struct entry *e = find(m, mac, vid);

	if (!e || e->port != port)
		return -ENOENT;
	drop(m, e);
	return 0;
}

static void
del(struct model *m)
{
	int port = (int)below(m, PORTS), expected = -ENOENT;
	uint16_t vid = (uint16_t)below(m, VIDS);
	uint8_t mac[ETH_ALEN];

	if (!m->port[port].joined)
		return;
	free_mac(mac, below(m, MACS));
	if (vid && !m->port[port].has[vid])
		expected = -EINVAL;
	else if (vid)
		expected = expect_del(m, port, mac, vid);
	else
		for (uint16_t v = 0; v < VIDS; v++)
			if (v == 0 || m->port[port].has[v])
				expected = expect_del(m, port, mac, v) == 0 ? 0 : expected;
	require(box_fdb_del(m->box, ports[port], mac, vid, NTF_MASTER) == expected);
}

/* VLANs, ports, time */

static void
change_vlan(struct model *m)
{
	int port = (int)below(m, PORTS + 1) - 1;
	struct port *p = port_of(m, port);
	struct bridge_request r = {
		.ifindex = box_ifindex(m->box, port == NOBODY ? "br0" : ports[port]),
		.flags = port == NOBODY ? BRIDGE_FLAGS_SELF : 0,
		.has_vlan = true,
		.vid = (uint16_t)(1 + below(m, VIDS - 1)),
		.vlan_flags = below(m, 2) ? BRIDGE_VLAN_INFO_PVID : 0,
	};
	bool add = below(m, 2);

	r.vid_end = r.vid;
	if (!p->joined)
		return;
	require((add ? rtnl_bridge_setlink(m->box->net, &r, NULL)
		     : rtnl_bridge_dellink(m->box->net, &r, NULL)) == 0);
	if (add && !p->has[r.vid])
		add_own(m, p->mac, r.vid, port);
	if (!add && p->has[r.vid]) {
		drop(m, find(m, p->mac, r.vid));
		drop_by_port(m, port, r.vid, false);
	}
	p->has[r.vid] = add;
	if (add && r.vlan_flags)
		p->pvid = r.vid;
	else if (p->pvid == r.vid)
		p->pvid = 0;
}

static void
joins(struct model *m, int port)
{
	struct port *p = port_of(m, port);

	*p = (struct port){.joined = true, .learning = true, .flood = true, .pvid = 1};
	p->has[1] = true;
	p->mac[0] = 0x02;
	p->mac[5] = (uint8_t)(2 + port);
	add_own(m, p->mac, 0, port);
	add_own(m, p->mac, 1, port);
}

static void
join_or_leave(struct model *m)
{
	int port = (int)below(m, PORTS);
	bool join = !m->port[port].joined;

	if (!join && below(m, 4) != 0)
		return;
	require(box_set_master(m->box, ports[port], join ? "br0" : NULL) == 0);
	if (join) {
		joins(m, port);
		return;
	}
	m->port[port].joined = false;
	drop_by_port(m, port, 0, true);
}

static void
set_port(struct model *m)
{
	int port = (int)below(m, PORTS);
	struct port *p = &m->port[port];
	struct bridge_request r = {.ifindex = box_ifindex(m->box, ports[port]),
				   .port_given = UINT64_C(1) << IFLA_BRPORT_LEARNING |
						 UINT64_C(1) << IFLA_BRPORT_UNICAST_FLOOD |
						 UINT64_C(1) << IFLA_BRPORT_ISOLATED};

	if (!p->joined)
		return;
	p->learning = below(m, 4) != 0;
	p->flood = below(m, 4) != 0;
	p->isolated = below(m, 2);
	r.port_on = (uint64_t)p->learning << IFLA_BRPORT_LEARNING |
		    (uint64_t)p->flood << IFLA_BRPORT_UNICAST_FLOOD |
		    (uint64_t)p->isolated << IFLA_BRPORT_ISOLATED;
	require(rtnl_bridge_setlink(m->box->net, &r, NULL) == 0);
}

static struct net_bridge *
bridge_of(const struct model *m)
{
	return netdev_priv(dev_get_by_name(m->box->net, "br0"));
}

static void
toggle_filter(struct model *m)
{
	m->filtering = !m->filtering;
	rtnl_lock(m->box->kernel);
	br_vlan_filter_toggle(bridge_of(m), m->filtering);
	rtnl_unlock(m->box->kernel);
}

/* Never a whole part of the ageing time. */
static void
wait_a_while(struct model *m)
{
	task_sleep(m->box->engine, 3100 * PS_PER_MS);
	grow_old(m);
}

/* What is compared */

static int
index_of(const struct net_bridge_port *p)
{
	return p ? p->dev->name[1] - '0' : NOBODY;
}

static void
compare(struct model *m)
{
	const struct calls *calls = &m->box->kernel->calls;
	struct net_bridge *br = bridge_of(m);
	struct net_bridge_fdb_entry *f;
	struct cursor cursor;

	require(table_count(&br->fdb) == m->entries->len);
	table_for_each (&br->fdb, &cursor, f) {
		const struct entry *e = find(m, f->key.addr, (uint16_t)f->key.sub);

		require(e && e->port == index_of(f->dst) && e->flags == f->flags);
		require(e->updated == f->updated);
	}
	require(calls->count[call_number("__br_forward")] - m->base_forwarded == m->forwarded);
	require(calls->count[call_number("br_pass_frame_up")] - m->base_passed == m->passed);
}

static void
set_up(struct model *m)
{
	struct box *b = m->box;
	const uint8_t own[ETH_ALEN] = {0x02, 0, 0, 0, 0, 1};

	joins(m, NOBODY);
	require(box_add_link(b, "bridge", "br0", own) == 0);
	for (int n = 0; n < PORTS; n++) {
		joins(m, n);
		require(box_add_link(b, "veth", ports[n], m->port[n].mac) == 0);
		require(box_set_master(b, ports[n], "br0") == 0);
		require(box_set_up(b, ports[n], true) == 0 && box_set_up(b, peers[n], true) == 0);
	}
	require(box_set_up(b, "br0", true) == 0);
	task_sleep(b->engine, 5 * PS_PER_S);
	br_set_ageing_time(bridge_of(m), AGEING_PS / (PS_PER_S / 100));
	m->base_forwarded = b->kernel->calls.count[call_number("__br_forward")];
	m->base_passed = b->kernel->calls.count[call_number("br_pass_frame_up")];
}

static void
play(struct box *b, void *data)
{
	static void (*const kinds[])(struct model *) = {
		send_frame, send_frame,  send_frame,    send_frame,    send_frame, add_or_replace,
		del,        change_vlan, join_or_leave, toggle_filter, set_port,   wait_a_while,
	};
	struct model m = {.box = b,
			  .rng = {.state = *(const uint64_t *)data},
			  .entries = g_array_new(FALSE, FALSE, sizeof(struct entry))};

	set_up(&m);
	for (unsigned n = 0; n < m.entries->len; n++) /* the model began before they did */
		g_array_index(m.entries, struct entry, n).updated = 0;
	compare(&m);
	for (unsigned step = 0; step < STEPS; step++) {
		kinds[below(&m, G_N_ELEMENTS(kinds))](&m);
		compare(&m);
	}
	g_array_unref(m.entries);
}

START_TEST(like_a_list)
{
	const struct kernel_options options = {.version = KERNEL_6_1};

	for (unsigned v = 0; v < variant_count(); v++)
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			snprintf(require_about, sizeof require_about, "%s, seed %d", variant_at(v),
				 (int)seed);
			box_play(variant_at(v), &options, play, &seed);
		}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("bridge");
	TCase *tcase = tcase_create("bridge");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, like_a_list);
	suite_add_tcase(suite, tcase);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
