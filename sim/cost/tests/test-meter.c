/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test-meter.c - prices against sums made by hand, and the published figures
 * that the profile of their machine was fitted to. */
#include <check.h>
#include <stdlib.h>

#include "cost/machine.h"
#include "engine/engine.h"
#include "engine/random.h"
#include "table/table-impl.h"

struct element {
	struct key key;
};

static const struct table_spec spec = {
	.name = "test",
	.about = "for this test",
	.backend = "list",
	.elem_size = sizeof(struct element),
	.key_offset = offsetof(struct element, key),
	.order = TABLE_OLDEST_FIRST,
};

#define KINDS 3

static struct machine *machine;
static struct table_kind *kinds[KINDS], *list, *rbtree, *hash;
static struct calls *calls;

static struct table_kind *
make_kind(const char *text)
{
	struct backend_choice choice;

	ck_assert(backend_parse(text, &choice, NULL));
	return table_kind_new(&spec, &choice, NULL, 1);
}

static void
set_up(void)
{
	machine = machine_load("e5-2650v3", NULL);
	ck_assert_ptr_nonnull(machine);
	kinds[0] = list = make_kind("list");
	kinds[1] = rbtree = make_kind("rbtree");
	kinds[2] = hash = make_kind("hash:buckets=16");
	calls = g_new0(struct calls, 1);
}

static void
tear_down(void)
{
	for (unsigned i = 0; i < KINDS; i++)
		table_kind_free(kinds[i]);
	g_free(calls);
	machine_free(machine);
}

static struct meter *
make_meter(void)
{
	return meter_new(machine, kinds, KINDS, calls);
}

START_TEST(test_sums)
{
	struct meter *m;

	list->probes.visits = 1000000; /* before the meter: not its business */
	m = make_meter();
	ck_assert_uint_eq(meter_take(m), 0);
	list->probes.visits += 3;
	list->probes.walk_visits += 5;
	ck_assert_uint_eq(meter_take(m), 3 * 12000 + 5 * 2000);
	ck_assert_uint_eq(meter_take(m), 0);
	rbtree->probes.visits += 7;
	rbtree->probes.scans += 2;
	hash->probes.visits += 1;
	ck_assert_uint_eq(meter_take(m), 7 * 22000 + 2 * 12000 + 22000);
	list->probes.lookups += 100;
	list->probes.compares += 100;
	list->probes.inserts += 100;
	ck_assert_uint_eq(meter_take(m), 0);
	meter_free(m);
	meter_free(NULL);
}
END_TEST

START_TEST(test_calls)
{
	struct meter *m = make_meter();

	CALL(calls, "vrf_add_slave");
	CALL(calls, "dev_mc_add");
	ck_assert_uint_eq(meter_take(m), 6500 * PS_PER_US);
	CALL(calls, "cleanup_net");
	CALL(calls, "vrf_add_slave");
	CALL(calls, "vrf_add_slave");
	ck_assert_uint_eq(meter_take(m), 113 * PS_PER_MS);
	ck_assert_uint_eq(meter_take(m), 0);
	meter_free(m);
}
END_TEST

START_TEST(test_names_outlive_the_machine)
{
	struct meter *m = make_meter();
	unsigned number = call_number("vrf_add_slave");

	machine_free(machine);
	machine = machine_load("none", NULL);
	ck_assert_str_eq(call_name(number), "vrf_add_slave");
	calls->count[number]++;
	ck_assert_uint_eq(meter_take(m), 6500 * PS_PER_US);
	meter_free(m);
}
END_TEST

static uint64_t *
random_counter(struct rng *rng)
{
	uint64_t *probes = (uint64_t *)&kinds[rng_below(rng, KINDS)]->probes;

	if (rng_below(rng, 10) == 0)
		return &calls->count[call_number("vrf_add_slave")];
	return &probes[rng_below(rng, sizeof(struct probes) / sizeof *probes)];
}

START_TEST(test_how_often_does_not_matter)
{
	struct meter *always = make_meter(), *sometimes = make_meter(), *once = make_meter();
	uint64_t sum_always = 0, sum_sometimes = 0, sum_once;
	struct rng rng = {1};

	for (unsigned i = 0; i < 100000; i++) {
		*random_counter(&rng) += rng_below(&rng, 1000);
		sum_always += meter_take(always);
		if (rng_below(&rng, 50) == 0)
			sum_sometimes += meter_take(sometimes);
	}
	sum_sometimes += meter_take(sometimes);
	sum_once = meter_take(once);
	ck_assert_uint_gt(sum_once, PS_PER_S);
	ck_assert_uint_eq(sum_always, sum_once);
	ck_assert_uint_eq(sum_sometimes, sum_once);
	meter_free(always);
	meter_free(sometimes);
	meter_free(once);
}
END_TEST

START_TEST(test_exact_beyond_floating_point)
{
	struct meter *m = make_meter();

	/* Times 2000 this needs 61 bits; a double has 53. */
	list->probes.walk_visits += (UINT64_C(1) << 50) + 1;
	ck_assert_uint_eq(meter_take(m), ((UINT64_C(1) << 50) + 1) * 2000);
	list->probes.walk_visits = UINT64_MAX - 1;
	meter_take(m);
	list->probes.walk_visits += 3;
	ck_assert_uint_eq(meter_take(m), 6000);
	meter_free(m);
}
END_TEST

START_TEST(test_sums_that_do_not_fit)
{
	struct meter *m = make_meter();

	list->probes.visits += UINT64_MAX / 2;
	ck_assert_uint_eq(meter_take(m), UINT64_MAX);
	list->probes.visits += UINT64_MAX / 12000;
	rbtree->probes.visits += UINT64_MAX / 22000;
	ck_assert_uint_eq(meter_take(m), UINT64_MAX);
	ck_assert_uint_eq(meter_take(m), 0);
	meter_free(m);
}
END_TEST

START_TEST(test_none_charges_all_backends_alike)
{
	uint64_t want = 0;

	machine_free(machine);
	machine = machine_load("none", NULL);
	for (unsigned i = 0; i < KINDS; i++) {
		struct meter *m = meter_new(machine, &kinds[i], 1, calls);
		uint64_t got;

		kinds[i]->probes.lookups += 10;
		kinds[i]->probes.walk_visits += 20;
		kinds[i]->probes.visits += 1000 * i;
		kinds[i]->probes.rotations += i;
		kinds[i]->probes.order_writes += i;
		got = meter_take(m);
		ck_assert_uint_eq(got, i == 0 ? got : want);
		ck_assert_uint_gt(got, 0);
		want = got;
		meter_free(m);
	}
}
END_TEST

/* 1500 VLANs, four shared addresses: counts from the closed formulas of the
 * algorithm, times by hand (3.35 ms a command, 12 or 22 ns a visit, 2 ns a
 * walked element, 6.5 ms a VRF slave, 100 ms a namespace), and the e-mail's. */
static const struct phase {
	const char *name;
	const char *backend;
	uint64_t visits, walk_visits, slaves, namespaces;
	uint64_t predicted_us;
	double published_s;
} phases[] = {
	{"create, beside the end of a namespace", "list", UINT64_C(9072231526), 18107700, 0, 1,
	 UINT64_C(114027993), 108.35},
	{"up", "list", 103500, 45000, 0, 0, 5026332, 4.96},
	{"address", "list", 1137420250, 2269500, 0, 0, 18678582, 19.22},
	{"VRF", "list", UINT64_C(33919012500), 45129000, 1500, 0, UINT64_C(421893408), 458.84},
	{"address", "rbtree", 21098520, 2269500, 0, 0, 5493706, 5.64},
	{"VRF", "rbtree", 449531777, 45129000, 1500, 0, 24754957, 25.37},
};

START_TEST(test_published)
{
	const struct phase *p = &phases[_i];
	struct table_kind *kind = strcmp(p->backend, "list") == 0 ? list : rbtree;
	struct meter *m = make_meter();
	uint64_t ps;
	double ratio;

	kind->probes.visits += p->visits;
	kind->probes.walk_visits += p->walk_visits;
	calls->count[call_number("vrf_add_slave")] += p->slaves;
	calls->count[call_number("cleanup_net")] += p->namespaces;
	ps = meter_take(m) +
	     1500 * (machine_process_start_ps(machine) + machine_process_exit_ps(machine));
	ck_assert_uint_eq(ps / PS_PER_US, p->predicted_us);
	ratio = (double)ps / (double)PS_PER_S / p->published_s;
	ck_assert_msg(ratio > 0.9 && ratio < 1.1, "%s: %f of the published time", p->name, ratio);
	meter_free(m);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("meter");
	TCase *t = tcase_create("meter");
	SRunner *sr;
	int failed;

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, test_sums);
	tcase_add_test(t, test_calls);
	tcase_add_test(t, test_names_outlive_the_machine);
	tcase_add_test(t, test_how_often_does_not_matter);
	tcase_add_test(t, test_exact_beyond_floating_point);
	tcase_add_test(t, test_sums_that_do_not_fit);
	tcase_add_test(t, test_none_charges_all_backends_alike);
	tcase_add_loop_test(t, test_published, 0, G_N_ELEMENTS(phases));
	suite_add_tcase(s, t);
	sr = srunner_create(s);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
