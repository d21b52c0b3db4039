/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run-test.c - what a run hands over besides its counts: the state at its end,
 * the log of its commands, and why it stopped. */
#include <check.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "scenario/journal.h"
#include "scenario/run.h"

static void
append(const char *text, gsize length, void *log)
{
	g_string_append_len(log, text, (gssize)length);
}

/* Runs these commands, which are JSON, as the only phase. */
static struct run_result *
run(const char *commands, GString *log, GError **error)
{
	const struct run_options options = {
		.machine = "none", .seed = 1, .log = log ? append : NULL, .log_data = log};
	g_autofree char *path = NULL;
	g_autofree char *text = g_strdup_printf(
		"{ \"name\": \"t\", \"phases\": [ { \"name\": \"p\", \"run\": [ %s ] } ] }",
		commands);
	int fd = g_file_open_tmp("run-test-XXXXXX.json", &path, NULL);
	struct run_result *result;
	struct scenario *s;

	ck_assert_int_ge(fd, 0);
	ck_assert(g_close(fd, NULL));
	ck_assert(g_file_set_contents(path, text, -1, NULL));
	s = scenario_load(path, NULL, NULL);
	g_unlink(path);
	ck_assert_ptr_nonnull(s);
	result = scenario_run(s, &options, error);
	scenario_free(s);
	return result;
}

static json_t *
addresses_of(const struct run_result *r, const char *dev)
{
	json_t *devices = json_object_get(json_object_get(r->state, ""), "addr"), *device;
	size_t i;

	json_array_foreach(devices, i, device)
	{
		if (strcmp(json_string_value(json_object_get(device, "ifname")), dev) == 0)
			return json_object_get(device, "addr_info");
	}
	return NULL;
}

#define DUMMY "\"ip link add d0 type dummy\", \"ip link set d0 up\", "

/* An address that has a lifetime is there at the end, however long it would last,
 * and DAD, which takes a second or two, is over. */
START_TEST(state_at_the_end)
{
	static const unsigned lifetimes[] = {100, 100000, 400000000};
	g_autofree char *commands = g_strdup_printf(
		DUMMY "\"ip address add 2001:db8::1/64 dev d0 valid_lft %u preferred_lft 50\"",
		lifetimes[_i]);
	struct run_result *r = run(commands, NULL, NULL);
	json_t *addresses, *address;

	ck_assert_ptr_nonnull(r);
	ck_assert_ptr_null(r->failure);
	addresses = addresses_of(r, "d0");
	ck_assert_uint_eq(json_array_size(addresses), 2);
	address = json_array_get(addresses, 0);
	ck_assert_str_eq(json_string_value(json_object_get(address, "local")), "2001:db8::1");
	ck_assert_ptr_null(json_object_get(address, "tentative"));
	ck_assert_int_eq(json_integer_value(json_object_get(address, "valid_life_time")),
			 lifetimes[_i] - 10);
	run_result_free(r);
}
END_TEST

/* What a namespace takes with it is gone, even if its end takes long. */
START_TEST(state_after_the_last_namespace)
{
	struct run_result *r = run("\"ip netns add t\", "
				   "\"ip link add v0 type veth peer name v1 netns t\", "
				   "\"ip netns del t\"",
				   NULL, NULL);

	ck_assert_ptr_nonnull(r);
	ck_assert_uint_eq(json_object_size(r->state), 1);
	ck_assert_ptr_nonnull(addresses_of(r, "lo"));
	ck_assert_ptr_null(addresses_of(r, "v0"));
	run_result_free(r);
}
END_TEST

START_TEST(log_and_failure)
{
	GString *log = g_string_new(NULL);
	struct run_result *r = run("\"ip netns add t\", \"ip netns add t\", \"true\"", log, NULL);
	g_auto(GStrv) lines = NULL;
	json_t *second;

	ck_assert_ptr_nonnull(r);
	ck_assert(g_str_has_suffix(r->failure, ": ip netns add t: Cannot create namespace file "
					       "\"/run/netns/t\": File exists"));
	lines = g_strsplit(log->str, "\n", -1);
	ck_assert_uint_eq(g_strv_length(lines), 3);
	ck_assert_str_eq(lines[2], "");
	second = json_loads(lines[1], 0, NULL);
	ck_assert_str_eq(json_string_value(json_object_get(second, "command")), "ip netns add t");
	ck_assert_int_eq(json_integer_value(json_object_get(second, "status")), 1);
	/* A process of this machine takes two milliseconds. */
	ck_assert_double_ge(json_real_value(json_object_get(second, "start_s")), 0.002);
	ck_assert_double_lt(json_real_value(json_object_get(second, "start_s")), 0.003);
	json_decref(second);
	run_result_free(r);
	g_string_free(log, TRUE);
}
END_TEST

static GPtrArray *
entries_of(const GString *log)
{
	GPtrArray *entries = g_ptr_array_new_with_free_func((GDestroyNotify)json_decref);
	g_auto(GStrv) lines = g_strsplit(log->str, "\n", -1);

	for (char **line = lines; **line; line++)
		g_ptr_array_add(entries, json_loads(*line, 0, NULL));
	return entries;
}

static void
assert_entry(const GPtrArray *log, unsigned n, const char *command, double start, double end)
{
	const json_t *entry = g_ptr_array_index(log, n);

	ck_assert_str_eq(json_string_value(json_object_get(entry, "command")), command);
	ck_assert_double_eq_tol(json_real_value(json_object_get(entry, "start_s")), start, 0.02);
	ck_assert_double_eq_tol(json_real_value(json_object_get(entry, "end_s")), end, 0.02);
}

/* Times are whole seconds, but for the milliseconds that processes take. */
START_TEST(background)
{
	GString *log = g_string_new(NULL);
	struct run_result *r = run("\"sleep 5 &\", \"sleep 1 || true &\", \"sleep 2\", \"wait\", "
				   "\"sleep 4 &\", \"true\"",
				   log, NULL);
	const struct phase_result *p = r->phases->pdata[0];
	GPtrArray *entries = entries_of(log);

	ck_assert_uint_eq(entries->len, 6);
	assert_entry(entries, 0, "sleep 2", 0, 2);
	assert_entry(entries, 1, "sleep 5 &", 0, 5);
	assert_entry(entries, 2, "sleep 1 || true &", 0, 1);
	assert_entry(entries, 3, "wait", 2, 5);
	assert_entry(entries, 4, "true", 5, 5);
	assert_entry(entries, 5, "sleep 4 &", 5, 9);
	ck_assert_uint_eq(p->commands, 6);
	ck_assert_uint_eq((p->end_ps - p->start_ps) / PS_PER_S, 9);
	ck_assert_ptr_null(r->failure);
	g_ptr_array_unref(entries);
	g_string_free(log, TRUE);
	run_result_free(r);
}
END_TEST

/* Nothing is started after a failure is known; what runs already, ends. */
START_TEST(background_failures)
{
	static const struct {
		const char *commands, *failure;
		unsigned ran, failed;
	} cases[] = {
		{"\"ip link set d0 up &\", \"sleep 1\", \"wait\", \"sleep 1\"",
		 "ip link set d0 up &", 3, 1},
		{"\"ip link set d0 up &\", \"ip link set d1 up &\", \"sleep 1\"",
		 "ip link set d0 up &", 3, 2},
		{"\"sleep 3 &\", \"ip link set d0 up\", \"sleep 1\"", "ip link set d0 up", 2, 1},
		{"\"ip link set d0 up || true &\", \"wait\", \"true\"", NULL, 3, 0},
		{"{ \"run\": \"ip link set d0 up &\", \"may_fail\": true }, \"true\"", NULL, 2, 1},
	};
	struct run_result *r = run(cases[_i].commands, NULL, NULL);
	const struct phase_result *p = r->phases->pdata[0];
	g_autofree char *failure =
		g_strconcat(": ", cases[_i].failure, ": Cannot find device \"d0\"", NULL);

	if (cases[_i].failure)
		ck_assert_msg(g_str_has_suffix(r->failure, failure), "%s", r->failure);
	else
		ck_assert_ptr_null(r->failure);
	ck_assert_uint_eq(p->commands, cases[_i].ran);
	ck_assert_uint_eq(p->failed, cases[_i].failed);
	run_result_free(r);
}
END_TEST

static char *
fingerprint_of(const char *output, bool unordered)
{
	const struct run_options options = {.machine = NULL};
	struct job job = {.line = (char *)"bridge fdb show",
			  .answer = {.output = g_string_new(output),
				     .error = g_string_new(NULL),
				     .unordered = unordered}};
	struct run_result *r = run_result_new();
	struct journal journal;
	char *fingerprint;

	r->state = json_object();
	journal_init(&journal, &options);
	journal_add(&journal, NULL, &job);
	journal_finish(&journal, r);
	fingerprint = g_strdup(r->fingerprint);
	journal_clear(&journal);
	run_result_free(r);
	g_string_free(job.answer.output, TRUE);
	g_string_free(job.answer.error, TRUE);
	return fingerprint;
}

/* Lines, or the elements of JSON, in any order; but no more and no fewer of them. */
START_TEST(unordered_answers)
{
	static const struct {
		const char *one, *other;
		bool unordered, equal;
	} cases[] = {
		{"a\nb\nb\n", "b\na\nb\n", true, true},
		{"a\nb\nb\n", "b\na\nb\n", false, false},
		{"a\nb\nb\n", "a\nb\na\n", true, false},
		{"a\nb\nb\n", "a\nb\n", true, false},
		{"[{\"x\":1},{\"x\":2}]\n", "[{\"x\":2},{\"x\":1}]\n", true, true},
		{"[{\"x\":1},{\"x\":2}]\n", "[{\"x\":2},{\"x\":2}]\n", true, false},
		{"[{\"x\":[1,2]}]\n", "[{\"x\":[2,1]}]\n", true, false},
	};
	g_autofree char *one = fingerprint_of(cases[_i].one, cases[_i].unordered);
	g_autofree char *other = fingerprint_of(cases[_i].other, cases[_i].unordered);

	ck_assert_int_eq(strcmp(one, other) == 0, cases[_i].equal);
}
END_TEST

static const struct lock_stats *
lock_of(const struct phase_result *p, const char *name)
{
	for (unsigned i = 0; i < p->locks->len; i++)
		if (strcmp(g_array_index(p->locks, struct lock_result, i).name, name) == 0)
			return &g_array_index(p->locks, struct lock_result, i).stats;
	ck_abort_msg("no lock %s", name);
	return NULL;
}

/* Two processes at the same table: the second one waits for the lock. */
START_TEST(background_shares_the_kernel)
{
	struct run_result *r =
		run("\"ip link add d0 type dummy &\", \"ip link add d1 type dummy &\", "
		    "\"ip link add d2 type dummy\", \"wait\", "
		    "\"ip link set d0 up &\", \"ip link set d1 up &\", "
		    "\"ip link set d2 up &\"",
		    NULL, NULL);

	const struct phase_result *p = r->phases->pdata[0];

	ck_assert_ptr_null(r->failure);
	ck_assert_uint_gt(lock_of(p, "rtnl_mutex")->contended, 0);
	for (unsigned n = 0; n < 3; n++) {
		g_autofree char *name = g_strdup_printf("d%u", n);

		ck_assert_uint_eq(json_array_size(addresses_of(r, name)), 1);
	}
	run_result_free(r);
}
END_TEST

/* Whatever stands around then is left as it is. */
START_TEST(end_of_time)
{
	GString *commands = g_string_new(DUMMY "\"ip netns add t\"");
	GError *error = NULL;

	g_string_append(commands, ", \"sleep 1000000 &\"");
	for (unsigned i = 0; i < 19; i++)
		g_string_append(commands, ", \"sleep 1000000\"");
	ck_assert_ptr_null(run(commands->str, NULL, &error));
	ck_assert(g_error_matches(error, ENGINE_ERROR, ENGINE_ERROR_TIME));
	g_error_free(error);
	g_string_free(commands, TRUE);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("run");
	TCase *tc = tcase_create("run");
	SRunner *sr;
	int failed;

	tcase_add_loop_test(tc, state_at_the_end, 0, 3);
	tcase_add_test(tc, state_after_the_last_namespace);
	tcase_add_test(tc, log_and_failure);
	tcase_add_test(tc, background);
	tcase_add_loop_test(tc, background_failures, 0, 5);
	tcase_add_loop_test(tc, unordered_answers, 0, 7);
	tcase_add_test(tc, background_shares_the_kernel);
	tcase_add_test(tc, end_of_time);
	suite_add_tcase(suite, tc);
	sr = srunner_create(suite);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
