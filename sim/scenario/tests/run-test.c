/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run-test.c - what a run hands over besides its counts: the state at its end,
 * the log of its commands, and why it stopped. */
#include <check.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
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

/* Whatever stands around then is left as it is. */
START_TEST(end_of_time)
{
	GString *commands = g_string_new(DUMMY "\"ip netns add t\"");
	GError *error = NULL;

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
	tcase_add_test(tc, end_of_time);
	suite_add_tcase(suite, tc);
	sr = srunner_create(suite);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
