/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test-machine.c - the shipped profiles, and what is said about bad ones. */
#include <check.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "cost/machine-impl.h"
#include "data/folder.h"
#include "engine/engine.h"

/* Each line is one that a bad input breaks. */
static const char profile[] =
	"{\n"
	"  \"format\": \"netstruct-machine/1\",\n"
	"  \"about\": \"a machine\",\n"
	"  \"cpus\": { \"value\": 8, \"source\": \"s\" },\n"
	"  \"grace_period\": { \"value\": \"0.25 ms\", \"source\": \"s\" },\n"
	"  \"process\": {\n"
	"    \"start\": { \"value\": \"2 ms\", \"source\": \"s\" },\n"
	"    \"exit\": { \"value\": \"1.5 us\", \"source\": \"s\" }\n"
	"  },\n"
	"  \"operations\": {\n"
	"    \"visits\": {\n"
	"      \"rbtree\": { \"value\": \"0.001 ns\", \"source\": \"s\" },\n"
	"      \"default\": { \"value\": \"10 s\", \"source\": \"s\" }\n"
	"    },\n"
	"    \"hashes\": { \"hash\": { \"value\": \"5 ps\", \"source\": \"s\" } }\n"
	"  },\n"
	"  \"calls\": {\n"
	"    \"cleanup_net\": { \"value\": \"0 s\", \"source\": \"s\" }\n"
	"  }\n"
	"}\n";

static char *folder, *path;

static void
make_folder(void)
{
	folder = g_dir_make_tmp("test-machine-XXXXXX", NULL);
	ck_assert_ptr_nonnull(folder);
	path = g_build_filename(folder, "box.json", NULL);
}

static void
remove_folder(void)
{
	g_unlink(path);
	g_rmdir(folder);
	g_free(path);
	g_free(folder);
	g_unsetenv(MACHINE_FOLDER_VARIABLE);
}

static struct machine *
load(const char *name)
{
	GError *error = NULL;
	struct machine *m = machine_load(name, &error);

	ck_assert_msg(m != NULL, "%s", error ? error->message : "no message");
	ck_assert_ptr_null(error);
	return m;
}

/* Fails with one line that begins with 'name' and goes on with 'want'. */
static void
assert_bad(const char *name, const char *want)
{
	GError *error = NULL;
	struct machine *m = machine_load(name, &error);

	ck_assert_msg(m == NULL && error, "loaded, instead of: %s", want);
	ck_assert_ptr_null(strchr(error->message, '\n'));
	ck_assert_msg(g_str_has_prefix(error->message, name), "%s", error->message);
	ck_assert_msg(g_str_has_prefix(error->message + strlen(name), want), "got %s, not %s",
		      error->message + strlen(name), want);
	g_error_free(error);
}

static void
write_profile(const char *text, size_t length)
{
	ck_assert(g_file_set_contents(path, text, (gssize)length, NULL));
}

START_TEST(test_shipped)
{
	char **names = data_names(DATA_MACHINES);
	struct machine *m;

	ck_assert_uint_gt(g_strv_length(names), 3);
	ck_assert_str_eq(names[0], "e5-2650v3");
	for (char **name = names; *name; name++) {
		m = load(*name);
		ck_assert_str_eq(machine_name(m), *name);
		ck_assert(*machine_about(m) != '\0');
		machine_free(m);
	}
	g_strfreev(names);
	machine_free(NULL);
}
END_TEST

START_TEST(test_e5_2650v3)
{
	struct machine *m = load("e5-2650v3");
	size_t visits = offsetof(struct probes, visits);

	ck_assert_uint_eq(machine_process_start_ps(m) + machine_process_exit_ps(m),
			  3350 * PS_PER_US);
	ck_assert_uint_eq(machine_operation_ps(m, visits, "list"), 12 * PS_PER_NS);
	ck_assert_uint_eq(machine_operation_ps(m, visits, "rcu-list"), 12 * PS_PER_NS);
	ck_assert_uint_eq(machine_operation_ps(m, visits, "rbtree"), 22 * PS_PER_NS);
	machine_free(m);
}
END_TEST

START_TEST(test_none_does_not_know_backends)
{
	struct machine *m = load("none");
	size_t reads = offsetof(struct probes, visits);

	for (unsigned i = 0; i < backend_count(); i++) {
		for (const struct probe_name *p = machine_probes; p->name; p++)
			ck_assert_uint_eq(machine_operation_ps(m, p->offset, backend_at(i)->name),
					  machine_operation_ps(m, p->offset, "list"));
		/* How much is read differs, so reading must be free. */
		ck_assert_uint_eq(machine_operation_ps(m, reads, backend_at(i)->name), 0);
	}
	machine_free(m);
}
END_TEST

START_TEST(test_figures_are_exact)
{
	size_t visits = offsetof(struct probes, visits), hashes = offsetof(struct probes, hashes);
	struct machine *m;

	write_profile(profile, strlen(profile));
	m = load(path);
	ck_assert_str_eq(machine_name(m), "box");
	ck_assert_str_eq(machine_about(m), "a machine");
	ck_assert_uint_eq(machine_cpus(m), 8);
	ck_assert_uint_eq(machine_grace_ps(m), 250 * PS_PER_US);
	ck_assert_uint_eq(machine_process_start_ps(m), 2 * PS_PER_MS);
	ck_assert_uint_eq(machine_process_exit_ps(m), 1500 * PS_PER_NS);
	ck_assert_uint_eq(machine_operation_ps(m, visits, "rbtree"), 1);
	ck_assert_uint_eq(machine_operation_ps(m, visits, "list"), 10 * PS_PER_S);
	ck_assert_uint_eq(machine_operation_ps(m, hashes, "hash"), 5);
	ck_assert_uint_eq(machine_operation_ps(m, hashes, "list"), 0);
	machine_free(m);
}
END_TEST

/* The profile with one text replaced, and where and how that is wrong. */
#define FIGURE(value) "{\"value\": " value ", \"source\": \"s\"}"
#define TOPOLOGY(s, c, t)                                                                          \
	"\"topology\": {\"sockets\": " FIGURE(s) ", \"cores\": " FIGURE(                           \
		c) ", \"threads\": " FIGURE(t) "},\n  \"calls\""
#define LINES(local, core, socket, other)                                                          \
	"\"cache_lines\": {\"local\": " FIGURE(local) ", \"same_core\": " FIGURE(                  \
		core) ", \"same_socket\": " FIGURE(socket) ", \"other_socket\": " FIGURE(other) "},\n  \"calls\""

static const struct bad {
	const char *old, *new, *message;
} bad_profiles[] = {
	{"/1\"", "/2\"", ":2:13: \"format\" must be \"netstruct-machine/1\""},
	{"\"netstruct-machine/1\"", "1", ":2:13: \"format\" must be "},
	{"  \"about\": \"a machine\",\n", "", ":1:1: a machine needs a member \"about\""},
	{"\"a machine\"", "\"\"", ":3:12: a text of 0 characters"},
	{"\"a machine\"", "\"two\\nlines\"", ":3:"},
	{"\"cpus\"", "\"cores\"", ":4:3: unknown member \"cores\" of a machine; known are format,"},
	{"8, ", "0, ", ":4:22: \"value\" is 0; it must be 1 to 4096"},
	{"8, ", "4097, ", ":4:22: \"value\" is 4097; it must be 1 to 4096"},
	{"8, ", "8.0, ", ":4:22: \"value\" is an integer, not a number that is no integer"},
	{"{ \"value\": 8, \"source\": \"s\" }", "8",
	 ":4:11: a figure is an object, not an integer"},
	{"\"calls\"", TOPOLOGY("65", "1", "1"), ":17:37: \"value\" is 65; it must be 1 to 64"},
	{"\"calls\"", TOPOLOGY("1", "0", "1"), ":17:75: \"value\" is 0; it must be 1 to 64"},
	{"\"calls\"", TOPOLOGY("1", "1", "9"), ":17:115: \"value\" is 9; it must be 1 to 8"},
	{"\"calls\"", TOPOLOGY("1", "7", "1"),
	 ":17:15: 1 sockets of 7 cores of 1 threads are fewer than the machine's 8 CPUs"},
	{"\"calls\"", "\"topology\": {},\n  \"calls\"",
	 ":17:15: \"topology\" needs a member \"sockets\""},
	{"\"calls\"", "\"topology\": 7,\n  \"calls\"",
	 ":17:15: \"topology\" is an object, not an integer"},
	{"\"calls\"", LINES("\"1 ns\"", "\"2 ns\"", "\"3\"", "\"4 ns\""),
	 ":17:134: \"3\" is not a time;"},
	{"\"calls\"", LINES("\"1 ns\"", "\"2 ns\"", "\"3 ns\"", "\"11 s\""),
	 ":17:184: \"11 s\" is more than 10 s"},
	{"\"calls\"", "\"cache_lines\": {\"remote\": 1},\n  \"calls\"",
	 ":17:19: unknown member \"remote\" of \"cache_lines\"; known are local,"},
	{"\"value\": 8, ", "", ":4:11: a figure needs a member \"value\""},
	{"8, \"source\": \"s\"", "8", ":4:11: a figure needs a member \"source\""},
	{"8, \"source\": \"s\"", "8, \"source\": \"\"", ":4:35: a text of 0 characters"},
	{"\"0.25 ms\"", "0.25", ":5:30: \"value\" is a string, not a number"},
	{"0.25 ms", "0.25", ":5:30: \"0.25\" is not a time; write a number, a space and ps,"},
	{"0.25 ms", "0.25ms", ":5:30: \"0.25ms\" is not a time; "},
	{"0.25 ms", "-1 ms", ":5:30: \"-1 ms\" is not a time; "},
	{"0.25 ms", ".5 ms", ":5:30: \".5 ms\" is not a time; "},
	{"0.25 ms", "1. ms", ":5:30: \"1. ms\" is not a time; "},
	{"0.25 ms", "1e3 ms", ":5:30: \"1e3 ms\" is not a time; "},
	{"0.25 ms", "1 min", ":5:30: \"1 min\" is not a time; "},
	{"0.25 ms", "1 ms ", ":5:30: \"1 ms \" is not a time; "},
	{"0.25 ms", "0.0000000001 ms", ":5:30: \"0.0000000001 ms\" is finer than a picosecond"},
	{"0.25 ms", "10.000000000001 s", ":5:30: \"10.000000000001 s\" is more than 10 s"},
	{"0.25 ms", "999999999999999 s", ":5:30: \"999999999999999 s\" is more than 10 s"},
	{"0.25 ms", "12345678.123456789 ms", ":5:30: \"12345678.123456789 ms\" is too many digits"},
	{"0.25 ms", "1000000000000000 ps", ":5:30: \"1000000000000000 ps\" is not a time; "},
	{"\"2 ms\", \"source\": \"s\" },\n    \"exit\": { \"value\": \"1.5 us\"",
	 "\"0 s\", \"source\": \"s\" },\n    \"exit\": { \"value\": \"0 s\"",
	 ":6:14: a process that takes no time: the clock would stand still"},
	{"\"start\"", "\"begin\"",
	 ":7:5: unknown member \"begin\" of \"process\"; known are start, exit"},
	{"\"visits\"", "\"visit\"",
	 ":11:5: no operation \"visit\" is counted; there are lookups, hits,"},
	{"\"rbtree\"", "\"rbtre\"", ":12:7: no backend \"rbtre\"; there are default, hash, list, "},
	{"{ \"hash\": { \"value\": \"5 ps\", \"source\": \"s\" } }", "[]",
	 ":15:15: the price of an operation is an object, not an array"},
	{"\"cleanup_net\"", "\"cleanup net\"",
	 ":18:5: \"cleanup net\" is no name of a kernel function"},
	{"\"cleanup_net\"", "\"\"", ":18:5: \"\" is no name of a kernel function"},
	{"\"exit\"", "\"start\"", ":8:11: not valid JSON: duplicate object key near '\"start\"'"},
	{"}\n}\n", "}\n", ":20:1: not valid JSON: '}' expected near end of file"},
	{"}\n}\n", "}\n} {\n", ":20:3: not valid JSON: end of file expected near '{'"},
	{"a machine", "a \xff machine", ":3:14: not valid JSON: unable to decode byte 0xff"},
	{"a machine", "a\nmachine", ":3:13: not valid JSON: "},
	{"a machine", "\\u0000", ":3:19: not valid JSON: "},
};

START_TEST(test_bad_profile)
{
	const struct bad *bad = &bad_profiles[_i];
	char **parts = g_strsplit(profile, bad->old, 2), *text;

	ck_assert_msg(parts[0] && parts[1], "'%s' is not in the profile", bad->old);
	text = g_strconcat(parts[0], bad->new, parts[1], NULL);
	write_profile(text, strlen(text));
	assert_bad(path, bad->message);
	g_free(text);
	g_strfreev(parts);
}
END_TEST

START_TEST(test_many_calls)
{
	GString *calls = g_string_new("\"calls\": {\n");
	char **parts = g_strsplit(profile, "\"calls\": {\n", 2), *text;

	for (unsigned i = 0; i < MACHINE_MAX_CALLS; i++)
		g_string_append_printf(calls, "\"f%u\": {\"value\": \"1 s\", \"source\": \"s\"},\n",
				       i);
	text = g_strconcat(parts[0], calls->str, parts[1], NULL);
	write_profile(text, strlen(text));
	assert_bad(path, ":17:12: prices of more than 64 functions");
	g_free(text);
	g_strfreev(parts);
	g_string_free(calls, TRUE);
}
END_TEST

START_TEST(test_what_is_no_profile)
{
	char *missing = g_build_filename(folder, "missing.json", NULL);
	GError *error = NULL;

	assert_bad("/dev/zero", ": larger than 1 MiB, which no machine profile is");
	assert_bad("/dev/null", ":1:1: not valid JSON: '[' or '{' expected near end of file");
	write_profile("{}", 2);
	assert_bad(path, ":1:1: a machine needs a member \"format\"");
	write_profile("[1]", 3);
	assert_bad(path, ":1:1: a machine is an object, not an array");
	write_profile("{\0}", 3);
	assert_bad(path, ":1:2: not valid JSON: ");
	ck_assert_ptr_null(machine_load(missing, &error));
	ck_assert_msg(g_str_has_suffix(error->message, "missing.json: No such file or directory"),
		      "%s", error->message);
	g_clear_error(&error);
	ck_assert_ptr_null(machine_load("./", &error));
	ck_assert_str_eq(error->message, "./: Is a directory");
	g_clear_error(&error);
	g_free(missing);
}
END_TEST

static void
assert_not_set(const char *set, const char *want)
{
	const char *const sets[] = {set, NULL};
	GError *error = NULL;
	struct machine *m = machine_load_set("e5-2650v3", sets, &error);

	ck_assert_msg(m == NULL && error, "set, instead of: %s", want);
	ck_assert_msg(strstr(error->message, want) != NULL, "%s", error->message);
	ck_assert_ptr_null(strchr(error->message, '\n'));
	g_error_free(error);
}

START_TEST(test_set)
{
	static const char *const sets[] = {
		"machine.cpus=3", "machine.operations.visits.rbtree=7 ps",
		"machine.process.start=1 us", "machine.process.start=2 us", NULL};
	GError *error = NULL;
	struct machine *m = machine_load_set("e5-2650v3", sets, &error), *plain = load("e5-2650v3");
	size_t visits = offsetof(struct probes, visits);

	ck_assert_ptr_null(error);
	ck_assert_uint_eq(machine_cpus(m), 3);
	ck_assert_uint_eq(machine_operation_ps(m, visits, "rbtree"), 7);
	ck_assert_uint_eq(machine_operation_ps(m, visits, "list"),
			  machine_operation_ps(plain, visits, "list"));
	ck_assert_uint_eq(machine_process_start_ps(m), 2 * PS_PER_US);
	ck_assert_str_eq(machine_name(m),
			 "e5-2650v3 cpus=3 operations.visits.rbtree=7 ps process.start=1 us "
			 "process.start=2 us");
	ck_assert_uint_eq(machine_fitted(plain)->len, 3);
	ck_assert_uint_eq(machine_fitted(m)->len, 2);
	machine_free(plain);
	machine_free(m);

	assert_not_set("cpus=3",
		       "--set=cpus=3: no such figure; write \"machine.FIGURE=VALUE\"; this "
		       "machine has cpus, grace_period, process.start, ");
	assert_not_set("machine.cpus", "no such figure");
	assert_not_set("machine.=3", "no such figure");
	assert_not_set("machine.operations=3", "no such figure");
	assert_not_set("machine.cpus=many", "--set=machine.cpus=many: this figure is an integer");
	assert_not_set("machine.cpus=0", ": \"value\" is 0; it must be 1 to 4096");
	assert_not_set("machine.grace_period=5", ": \"5\" is not a time; ");
}
END_TEST

START_TEST(test_names_and_folders)
{
	GError *error = NULL;
	struct machine *m;
	char **names;

	ck_assert_ptr_null(machine_load("e5", &error));
	ck_assert_msg(g_str_has_prefix(error->message, "no machine 'e5'; "), "%s", error->message);
	ck_assert_msg(strstr(error->message, " has: e5-2650v3, ipsec-2008, kvm-guest, "), "%s",
		      error->message);
	g_clear_error(&error);
	ck_assert_ptr_null(machine_load("", &error));
	g_clear_error(&error);

	g_setenv(MACHINE_FOLDER_VARIABLE, folder, TRUE);
	names = data_names(DATA_MACHINES);
	ck_assert_uint_eq(g_strv_length(names), 0);
	g_strfreev(names);
	ck_assert_ptr_null(machine_load("none", &error));
	ck_assert_msg(g_str_has_suffix(error->message, " has: none at all"), "%s", error->message);
	g_clear_error(&error);
	write_profile(profile, strlen(profile));
	m = load("box");
	ck_assert_uint_eq(machine_cpus(m), 8);
	machine_free(m);
	g_setenv(MACHINE_FOLDER_VARIABLE, "/nowhere", TRUE);
	names = data_names(DATA_MACHINES);
	ck_assert_uint_eq(g_strv_length(names), 0);
	g_strfreev(names);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("machine");
	TCase *t = tcase_create("machine");
	SRunner *sr;
	int failed;

	tcase_add_checked_fixture(t, make_folder, remove_folder);
	tcase_add_test(t, test_shipped);
	tcase_add_test(t, test_e5_2650v3);
	tcase_add_test(t, test_none_does_not_know_backends);
	tcase_add_test(t, test_figures_are_exact);
	tcase_add_loop_test(t, test_bad_profile, 0, G_N_ELEMENTS(bad_profiles));
	tcase_add_test(t, test_many_calls);
	tcase_add_test(t, test_what_is_no_profile);
	tcase_add_test(t, test_set);
	tcase_add_test(t, test_names_and_folders);
	suite_add_tcase(s, t);
	sr = srunner_create(s);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
