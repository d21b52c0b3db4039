/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record-test.c - what a phase added: counters and dumps of a kernel at work, each in
 * the phase that it belongs to. */
#include <check.h>
#include <stdlib.h>

#include "net/dump-audit.h"
#include "net/netdevice.h"
#include "scenario/record.h"

static struct kernel *kernel;
static struct phase_result *phases[3];

static void
add_dump(const char *what, const char *algorithm, uint64_t lost, bool interrupted)
{
	const struct dump_record d = {.what = what,
				      .algorithm = algorithm,
				      .messages = 3,
				      .bytes = 100,
				      .existing = 20 + lost,
				      .shown = 20,
				      .lost = lost,
				      .interrupted = interrupted};

	g_array_append_vals(kernel->dumps, &d, 1);
}

static void
record_phase(unsigned n, unsigned dumps)
{
	struct record *record = record_begin(kernel);

	phases[n] = phase_result_new("phase");
	for (unsigned i = 0; i < dumps; i++) {
		add_dump("fdb", "restart", i, i == 1);
		add_dump("link", "", 0, false);
		rtnl_lock(kernel);
		rtnl_unlock(kernel);
	}
	record_end(record, kernel, phases[n]);
	record_free(record);
}

static void
user_main(void *data)
{
	kernel_boot(kernel);
	add_dump("link", "", 5, true); /* belongs to no phase */
	record_phase(0, 3);
	record_phase(1, 0);
	record_phase(2, 1);
	engine_stop(kernel->engine);
}

static void
play(void)
{
	struct engine *engine =
		engine_new(&(struct engine_config){.cpus = 1, .grace_ps = PS_PER_MS});

	kernel = kernel_new(&(struct kernel_config){.engine = engine, .seed = 1});
	task_detach(task_start(engine, "user", user_main, NULL));
	ck_assert(engine_run(engine, NULL));
	kernel_free(kernel);
	engine_free(engine);
}

static const struct dump_total *
total(unsigned phase, unsigned n)
{
	return &g_array_index(phases[phase]->dump_totals, struct dump_total, n);
}

START_TEST(phases_have_their_own)
{
	static const unsigned dumps[] = {3, 0, 1};

	play();
	for (unsigned n = 0; n < 3; n++) {
		const struct lock_result *rtnl =
			&g_array_index(phases[n]->locks, struct lock_result, 0);

		ck_assert_uint_eq(phases[n]->dumps->len, 2 * dumps[n]);
		ck_assert_uint_eq(phases[n]->dump_totals->len, dumps[n] > 0 ? 2 : 0);
		ck_assert_uint_eq(rtnl->stats.acquisitions, dumps[n]);
		ck_assert_uint_eq(phase_result_dumps_left_out(phases[n]), 0);
	}
	ck_assert_str_eq(total(0, 0)->sum.algorithm, "restart");
	ck_assert_uint_eq(total(0, 0)->dumps, 3);
	ck_assert_uint_eq(total(0, 0)->interrupted, 1);
	ck_assert_uint_eq(total(0, 0)->sum.lost, 0 + 1 + 2);
	ck_assert_uint_eq(total(0, 0)->sum.existing, 20 + 21 + 22);
	ck_assert_str_eq(total(0, 1)->sum.what, "link");
	ck_assert_uint_eq(total(0, 1)->sum.bytes, 300);
	ck_assert_uint_eq(total(0, 1)->interrupted, 0);
	ck_assert_uint_eq(total(2, 0)->sum.messages, 3);
	for (unsigned n = 0; n < 3; n++)
		phase_result_free(phases[n]);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("record");
	TCase *tc = tcase_create("record");
	SRunner *sr;
	int failed;

	tcase_add_test(tc, phases_have_their_own);
	suite_add_tcase(suite, tc);
	sr = srunner_create(suite);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
