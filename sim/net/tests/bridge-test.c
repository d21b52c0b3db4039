/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge-test.c - what a bridge has in its forwarding database, and where frames go:
 * random frames, entries, VLANs, ports that leave and join, addresses
 * that change, and time that passes.  The reference is bridge-model.c. */
#include <check.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box.h"
#include "bridge-model.h"
#include "net/packet.h"
#include "require.h"
#include "variants.h"

#define MACS  6 /* that no device has */
#define STEPS 4000
#define SEEDS 4

char require_about[128];

struct test {
	struct box *box;
	struct rng rng;
	struct model model;
	uint64_t base_forwarded, base_passed;
};

static const char *const ports[PORTS] = {"e0", "e1", "e2"};
static const char *const peers[PORTS] = {"veth0", "veth1", "veth2"};

static uint64_t
below(struct test *t, uint64_t bound)
{
	return rng_below(&t->rng, bound);
}

/* As of now, which is after what the kernel was asked. */
static struct model *
model_of(struct test *t)
{
	t->model.now = engine_now(t->box->engine);
	return &t->model;
}

static const char *
name_of(int port)
{
	return port == NOBODY ? "br0" : ports[port];
}

/* Choices */

static void
free_mac(uint8_t mac[ETH_ALEN], uint64_t n)
{
	const uint8_t bytes[ETH_ALEN] = {0x02, 0, 0, 0, 1, (uint8_t)n};

	memcpy(mac, bytes, ETH_ALEN);
}

/* What devices have at first: 1 is the bridge's. */
static void
device_mac(uint8_t mac[ETH_ALEN], uint64_t n)
{
	const uint8_t bytes[ETH_ALEN] = {0x02, 0, 0, 0, 0, (uint8_t)n};

	memcpy(mac, bytes, ETH_ALEN);
}

/* One that a device has, or none. */
static void
any_mac(struct test *t, uint8_t mac[ETH_ALEN])
{
	uint64_t n = below(t, MACS + PORTS + 1);

	if (n < MACS)
		free_mac(mac, n);
	else
		memcpy(mac, port_of(&t->model, (int)(n - MACS) - 1)->mac, ETH_ALEN);
}

static int
any_port(struct test *t)
{
	return (int)below(t, PORTS);
}

static int
any_port_or_bridge(struct test *t)
{
	return (int)below(t, PORTS + 1) - 1;
}

/* Frames */

static void
send_frame(struct test *t)
{
	int from = any_port(t);
	struct packet_request r = {.ifindex = box_ifindex(t->box, peers[from]),
				   .tagged = below(t, 2),
				   .vid = (uint16_t)(1 + below(t, VIDS - 1))};

	any_mac(t, r.src);
	any_mac(t, r.dst);
	if (below(t, 4) == 0)
		memset(r.dst, 0xff, ETH_ALEN);
	require(packet_snd(t->box->net, &r) == 0);
	model_frame(model_of(t), from, r.src, r.dst, r.tagged, r.vid);
}

/* Entries */

static void
add_or_replace(struct test *t)
{
	static const uint16_t states[] = {NUD_PERMANENT, NUD_NOARP, NUD_NOARP, NUD_REACHABLE,
					  NUD_REACHABLE};
	static const uint16_t flags[] = {0, 0, 0, NTF_STICKY, NTF_EXT_LEARNED};
	int port = (int)below(t, PORTS);
	struct fdb_request r = {.ifindex = box_ifindex(t->box, ports[port]),
				.vid = (uint16_t)below(t, VIDS),
				.state = states[below(t, G_N_ELEMENTS(states))],
				.flags = NTF_MASTER,
				.create = below(t, 8) != 0,
				.exclusive = below(t, 2)};

	if (!(r.state & NUD_PERMANENT))
		r.flags |= flags[below(t, G_N_ELEMENTS(flags))];
	free_mac(r.addr, below(t, MACS));
	if (t->model.port[port].joined)
		require(rtnl_fdb_add(t->box->net, &r, NULL) == model_add(model_of(t), port, &r));
}

static void
del(struct test *t)
{
	int port = any_port(t);
	uint16_t vid = (uint16_t)below(t, VIDS);
	uint8_t mac[ETH_ALEN];

	if (!t->model.port[port].joined)
		return;
	free_mac(mac, below(t, MACS));
	require(box_fdb_del(t->box, ports[port], mac, vid, NTF_MASTER) ==
		model_del(model_of(t), port, mac, vid));
}

/* VLANs, ports, time */

static void
change_vlan(struct test *t)
{
	int port = any_port_or_bridge(t);
	struct bridge_request r = {
		.ifindex = box_ifindex(t->box, name_of(port)),
		.flags = port == NOBODY ? BRIDGE_FLAGS_SELF : 0,
		.has_vlan = true,
		.vid = (uint16_t)(1 + below(t, VIDS - 1)),
		.vlan_flags = below(t, 2) ? BRIDGE_VLAN_INFO_PVID : 0,
	};
	bool add = below(t, 2);

	r.vid_end = r.vid;
	if (!port_of(&t->model, port)->joined)
		return;
	require((add ? rtnl_bridge_setlink(t->box->net, &r, NULL)
		     : rtnl_bridge_dellink(t->box->net, &r, NULL)) == 0);
	model_change_vlan(model_of(t), port, r.vid, add, r.vlan_flags != 0);
}

static void
join_or_leave(struct test *t)
{
	int port = any_port(t);
	bool join = !t->model.port[port].joined;

	if (!join && below(t, 4) != 0)
		return;
	require(box_set_master(t->box, ports[port], join ? "br0" : NULL) == 0);
	if (join)
		model_joins(model_of(t), port);
	else
		model_leaves(model_of(t), port);
}

/* To one that another device has, one that frames came from, or its own. */
static void
change_mac(struct test *t)
{
	int port = any_port_or_bridge(t);
	struct link_request r = {.ifindex = box_ifindex(t->box, name_of(port)),
				 .has_address = true};

	if (below(t, 4))
		device_mac(r.address, 1 + below(t, PORTS + 1));
	else
		free_mac(r.address, below(t, MACS));
	require(rtnl_setlink(t->box->net, &r, NULL) == 0);
	model_change_mac(model_of(t), port, r.address);
}

static void
set_port(struct test *t)
{
	int port = (int)below(t, PORTS);
	struct port *p = &t->model.port[port];
	struct bridge_request r = {.ifindex = box_ifindex(t->box, ports[port]),
				   .port_given = UINT64_C(1) << IFLA_BRPORT_LEARNING |
						 UINT64_C(1) << IFLA_BRPORT_UNICAST_FLOOD |
						 UINT64_C(1) << IFLA_BRPORT_ISOLATED};

	if (!p->joined)
		return;
	p->learning = below(t, 4) != 0;
	p->flood = below(t, 4) != 0;
	p->isolated = below(t, 2);
	r.port_on = (uint64_t)p->learning << IFLA_BRPORT_LEARNING |
		    (uint64_t)p->flood << IFLA_BRPORT_UNICAST_FLOOD |
		    (uint64_t)p->isolated << IFLA_BRPORT_ISOLATED;
	require(rtnl_bridge_setlink(t->box->net, &r, NULL) == 0);
}

static struct net_bridge *
bridge_of(const struct test *t)
{
	return netdev_priv(dev_get_by_name(t->box->net, "br0"));
}

static void
toggle_filter(struct test *t)
{
	t->model.filtering = !t->model.filtering;
	rtnl_lock(t->box->kernel);
	br_vlan_filter_toggle(bridge_of(t), t->model.filtering);
	rtnl_unlock(t->box->kernel);
}

/* Never a whole part of the ageing time. */
static void
wait_a_while(struct test *t)
{
	task_sleep(t->box->engine, 3100 * PS_PER_MS);
	model_grow_old(model_of(t));
}

/* What is compared */

static int
index_of(const struct net_bridge_port *p)
{
	return p ? p->dev->name[1] - '0' : NOBODY;
}

static void
compare(struct test *t)
{
	const struct calls *calls = &t->box->kernel->calls;
	struct net_bridge *br = bridge_of(t);
	struct net_bridge_fdb_entry *f;
	struct cursor cursor;

	require(table_count(&br->fdb) == t->model.entries->len);
	table_for_each (&br->fdb, &cursor, f) {
		const struct entry *e = find(&t->model, f->key.addr, (uint16_t)f->key.sub);

		require(e && e->port == index_of(f->dst) && e->flags == f->flags);
		require(e->updated == f->updated);
	}
	require(calls->count[call_number("__br_forward")] - t->base_forwarded ==
		t->model.forwarded);
	require(calls->count[call_number("br_pass_frame_up")] - t->base_passed == t->model.passed);
}

static void
set_up(struct test *t)
{
	const uint64_t *count = t->box->kernel->calls.count;
	struct box *b = t->box;

	device_mac(t->model.bridge.mac, 1);
	require(box_add_link(b, "bridge", "br0", t->model.bridge.mac) == 0);
	model_joins(model_of(t), NOBODY);
	for (int n = 0; n < PORTS; n++) {
		device_mac(t->model.port[n].mac, (uint64_t)n + 2);
		require(box_add_link(b, "veth", ports[n], t->model.port[n].mac) == 0);
		require(box_set_master(b, ports[n], "br0") == 0);
		require(box_set_up(b, ports[n], true) == 0 && box_set_up(b, peers[n], true) == 0);
		model_joins(model_of(t), n);
	}
	require(box_set_up(b, "br0", true) == 0);
	task_sleep(b->engine, 5 * PS_PER_S);
	br_set_ageing_time(bridge_of(t), AGEING_PS / (PS_PER_S / 100));
	t->base_forwarded = count[call_number("__br_forward")];
	t->base_passed = count[call_number("br_pass_frame_up")];
}

static void
play(struct box *b, void *data)
{
	static void (*const kinds[])(struct test *) = {
		send_frame,     send_frame, send_frame,   send_frame,    send_frame,
		add_or_replace, del,        change_vlan,  join_or_leave, toggle_filter,
		set_port,       change_mac, wait_a_while,
	};
	struct test t = {.box = b,
			 .rng = {.state = *(const uint64_t *)data},
			 .model.entries = g_array_new(FALSE, FALSE, sizeof(struct entry))};

	set_up(&t);
	compare(&t);
	for (unsigned step = 0; step < STEPS; step++) {
		kinds[below(&t, G_N_ELEMENTS(kinds))](&t);
		compare(&t);
	}
	g_array_unref(t.model.entries);
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
