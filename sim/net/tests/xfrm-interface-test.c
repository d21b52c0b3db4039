/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-interface-test.c - what a packet's search for its xfrm interface finds and reads:
 * at the sizes that were published and measured, and for random interfaces that come,
 * change, go up and down, beside an array.
 *
 * The kernel's own steps are those of truth/README.md: of 401 interfaces, the first
 * made is the second one in its list. */
#include <stdio.h>
#include <stdlib.h>

#include "box.h"
#include "net/xfrm-interface.h"
#include "require.h"
#include "variants.h"

enum { STEPS = 4000, NAMES = 40, IF_IDS = 60, PUBLISHED = 401 };

char require_about[128];

static const struct probes *
probes_of(const struct box *b)
{
	return table_kind_probes(kernel_table(b->kernel, table_spec_by_name("xfrm_if")));
}

static const char *
name_of(unsigned n)
{
	static char name[IFNAMSIZ];

	snprintf(name, sizeof name, "x%u", n);
	return name;
}

/* Number 0 is the if_id, as in 'ip link add NAME type xfrm if_id N'. */
static int
change(struct box *b, unsigned n, uint32_t if_id, bool new)
{
	struct link_request req = {
		.kind = link_kind_by_name("xfrm"), .given = 1, .option = {if_id}};

	if (new) {
		g_strlcpy(req.ifname, name_of(n), sizeof req.ifname);
		return rtnl_newlink(b->net, &req, NULL);
	}
	req.ifindex = box_ifindex(b, name_of(n));
	return rtnl_setlink(b->net, &req, NULL);
}

/* Visits of one search, and of one walk by ifindex. */

static uint64_t
visits_of_lookup(struct box *b, uint32_t if_id, bool found)
{
	uint64_t before = probes_of(b)->visits;

	require((xfrmi_lookup(b->net, if_id) != NULL) == found);
	return probes_of(b)->visits - before;
}

static uint64_t
visits_of_decode(struct box *b, const char *name)
{
	uint64_t before = probes_of(b)->walk_visits;
	struct xfrmi_packet p = {.state_net = b->net, .dev = dev_get_by_name(b->net, name)};
	const struct xfrm_if *xi = xfrmi_decode_session(b->kernel, &p);

	require(xi && xi->dev == p.dev);
	return probes_of(b)->walk_visits - before;
}

struct expected {
	uint64_t lookup_one, decode_one, lookup_many, decode_many;
};

static void
play_published(struct box *b, void *data)
{
	const struct expected *e = data;

	for (unsigned n = 1; n <= PUBLISHED; n++) {
		require(change(b, n, n, true) == 0);
		require(box_set_up(b, name_of(n), true) == 0);
		if (n > 1)
			continue;
		require(visits_of_lookup(b, 1, true) == e->lookup_one);
		require(visits_of_decode(b, "x1") == e->decode_one);
	}
	require(visits_of_lookup(b, 1, true) == e->lookup_many);
	require(visits_of_decode(b, "x1") == e->decode_many);
}

/* The e-mail's two ends, and each of its patches alone. */
START_TEST(published)
{
	static const struct {
		const char *backend;
		enum xfrmi_decode decode;
		struct expected expected;
	} cases[] = {
		{"list", XFRMI_DECODE_WALK, {1, 1, 401, 401}},
		{"list", XFRMI_DECODE_DIRECT, {1, 0, 401, 0}},
		{"hash:buckets=256", XFRMI_DECODE_DIRECT, {1, 0, 2, 0}},
	};
	struct kernel_options options = {.version = KERNEL_6_1, .xfrmi_decode = cases[_i].decode};
	struct expected expected = cases[_i].expected;

	snprintf(require_about, sizeof require_about, "%s, %d", cases[_i].backend,
		 cases[_i].decode);
	box_play(cases[_i].backend, &options, play_published, &expected);
}
END_TEST

/* One that is down is no match: the rest of its list is read, in vain. */
static void
play_down(struct box *b, void *data)
{
	const bool *list = data;

	for (unsigned n = 1; n <= 10; n++)
		require(change(b, n, n, true) == 0);
	require(visits_of_lookup(b, 4, false) == (*list ? 10 : 1));
	require(box_set_up(b, "x4", true) == 0);
	require(visits_of_lookup(b, 4, true) == (*list ? 7 : 1));
	require(visits_of_lookup(b, 11, false) == (*list ? 10 : 0));
}

START_TEST(down_is_passed_by)
{
	struct kernel_options options = {.version = KERNEL_6_1};
	bool list = _i == 0;

	box_play(list ? "list" : "hash:buckets=256", &options, play_down, &list);
}
END_TEST

/* Random interfaces */

struct test {
	struct box *box;
	struct rng rng;
	struct {
		uint32_t if_id; /* 0: there is none */
		bool up;
	} model[NAMES];
};

static unsigned
owner_of(const struct test *t, uint32_t if_id)
{
	unsigned n = 0;

	while (n < NAMES && t->model[n].if_id != if_id)
		n++;
	return n;
}

static void
one_step(struct test *t)
{
	unsigned n = (unsigned)rng_below(&t->rng, NAMES);
	uint32_t if_id = (uint32_t)rng_below(&t->rng, IF_IDS);
	unsigned owner = if_id ? owner_of(t, if_id) : NAMES;
	bool there = t->model[n].if_id != 0;

	switch (rng_below(&t->rng, 4)) {
	case 0:
		require(change(t->box, n, if_id, !there) == (if_id == 0                    ? -EINVAL
							     : owner < NAMES && owner != n ? -EEXIST
											   : 0));
		if (if_id != 0 && (owner == NAMES || owner == n))
			t->model[n].if_id = if_id;
		break;
	case 1:
		if (!there)
			break;
		t->model[n].up = rng_below(&t->rng, 3) > 0;
		require(box_set_up(t->box, name_of(n), t->model[n].up) == 0);
		break;
	case 2:
		if (!there || rng_below(&t->rng, 2))
			break;
		require(box_del_link(t->box, name_of(n)) == 0);
		t->model[n].if_id = 0;
		t->model[n].up = false;
		break;
	default:
		break;
	}
}

static void
check_lookup(struct test *t)
{
	uint32_t if_id = 1 + (uint32_t)rng_below(&t->rng, IF_IDS);
	const struct xfrm_if *xi = xfrmi_lookup(t->box->net, if_id);
	unsigned owner = owner_of(t, if_id);

	require((xi != NULL) == (owner < NAMES && t->model[owner].up));
	if (xi)
		require(g_str_equal(xi->dev->name, name_of(owner)));
}

/* From the device of a packet or from the one below a master; from one that is down;
 * from a device that is no interface; from a packet that was not decrypted. */
static void
check_decode(struct test *t)
{
	unsigned n = (unsigned)rng_below(&t->rng, NAMES), how = (unsigned)rng_below(&t->rng, 8);
	struct net_device *lo = t->box->net->loopback;
	struct xfrmi_packet p = {.state_net = how == 0 ? NULL : t->box->net, .dev = lo};
	const struct xfrm_if *xi;

	if (!t->model[n].if_id)
		return;
	if (how > 1 && how < 5)
		p.sdif = box_ifindex(t->box, name_of(n));
	else if (how > 1)
		p.dev = dev_get_by_name(t->box->net, name_of(n));
	xi = xfrmi_decode_session(t->box->kernel, &p);
	require((xi != NULL) == (how > 1 && t->model[n].up));
	if (xi)
		require(xi->if_id == t->model[n].if_id);
}

static void
play_random(struct box *b, void *data)
{
	const uint64_t *seed = data;
	struct test *t = g_new0(struct test, 1);

	t->box = b;
	t->rng.state = *seed;
	for (unsigned step = 0; step < STEPS; step++) {
		one_step(t);
		check_lookup(t);
		check_decode(t);
	}
	g_free(t);
}

START_TEST(random_interfaces)
{
	for (uint64_t seed = 0; seed < 4; seed++) {
		struct kernel_options options = {.version = KERNEL_6_1, .xfrmi_decode = seed % 2};

		snprintf(require_about, sizeof require_about, "%s, seed %d", variant_at(_i),
			 (int)seed);
		box_play(variant_at(_i), &options, play_random, &seed);
	}
}
END_TEST

int
main(void)
{
	SRunner *sr;
	TCase *tc = tcase_create("xfrm-interface");
	Suite *suite = suite_create("xfrm-interface");
	int failed;

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, published, 0, 3);
	tcase_add_loop_test(tc, down_is_passed_by, 0, 2);
	tcase_add_loop_test(tc, random_interfaces, 0, (int)variant_count());
	suite_add_tcase(suite, tc);
	sr = srunner_create(suite);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
