/* SPDX-License-Identifier: GPL-2.0-or-later */
/* script-test.c - 'sim script', run by bash: does it do what the simulator does?
 *
 * Commands are functions that write down how they were called.  Once the script
 * runs with them, and once the commands of command_iter, line by line: both must
 * leave the same log. */
#include <check.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/scenario.h"

static const char *folder; /* of the shipped scenarios */

/* Logs a call with each argument in brackets, and what a pipe feeds it; as one write,
 * because others may write, too.  Fails where $FAIL matches.  wait_idle's own
 * commands are none of the scenario's. */
static const char stubs[] =
	"log() {\n"
	"  [ \"${FUNCNAME[2]}\" != wait_idle ] || return 1\n"
	"  local line\n"
	"  printf -v line ' <%s>' \"${FUNCNAME[1]}\" \"$@\"\n"
	"  [ ! -p /dev/stdin ] || line+=\" | $(cat)\"\n"
	"  echo \"$line\" >>\"$LOG\"\n"
	"  [[ -z $FAIL || ! \"$*\" =~ $FAIL ]]\n"
	"}\n"
	"ip() { log \"$@\" || [[ ${FUNCNAME[1]} = wait_idle && $2 != show ]]; }\n"
	"sleep() { log \"$@\"; }\n"
	"sysctl() { log \"$@\"; }\n"
	"tee() { log \"$@\"; }\n"
	"exec </dev/null\n";

static char *
temporary(const char *text)
{
	char *path = NULL;
	int fd = g_file_open_tmp("script-XXXXXX", &path, NULL);

	ck_assert_int_ge(fd, 0);
	g_close(fd, NULL);
	ck_assert(g_file_set_contents(path, text, -1, NULL));
	return path;
}

/* Bash's exit status; *log is what the stubs wrote. */
static int
run_bash(const char *script, const char *fail, char **log)
{
	g_autofree char *text = g_strconcat(stubs, script, NULL);
	g_autofree char *file = temporary(text), *log_file = temporary("");
	g_autofree char *output = NULL, *errors = NULL;
	char *argv[] = {(char *)"bash", file, NULL};
	g_auto(GStrv) env = g_get_environ();
	GError *error = NULL;
	int status;

	env = g_environ_setenv(env, "LOG", log_file, TRUE);
	env = g_environ_setenv(env, "FAIL", fail, TRUE);
	ck_assert_msg(g_spawn_sync(NULL, argv, env, G_SPAWN_SEARCH_PATH, NULL, NULL, &output,
				   &errors, &status, &error),
		      "%s", error ? error->message : "");
	ck_assert(g_file_get_contents(log_file, log, NULL, NULL));
	g_unlink(file);
	g_unlink(log_file);
	return status;
}

/* What would run in the background runs at once, and there is nothing to wait for. */
static void
append_line(const char *line, const struct step *step, bool may_fail, GString *out)
{
	size_t length = strlen(line);

	if (strcmp(line, "wait") == 0)
		return;
	if (step->background)
		length = (size_t)(strrchr(line, '&') - line);
	g_string_append_printf(out, "%.*s%s\n", (int)length, line, may_fail ? " || true" : "");
}

static void
append_phase(const struct scenario *s, const struct phase *phase, GString *out)
{
	GString *line = g_string_new(NULL);
	struct command_iter it;
	const struct step *step;

	command_iter_init(&it, s, phase);
	while ((step = command_iter_next(&it, line)) != NULL)
		append_line(line->str, step, step->may_fail || phase->keep_going, out);
	if (phase->settle)
		g_string_append_printf(out, "sleep %d\n", (int)scenario_seconds(s, phase->settle));
	g_string_free(line, TRUE);
}

/* All commands, unrolled. */
static char *
expand(const struct scenario *s)
{
	GString *out = g_string_new("set -e -f\n");

	if (s->previous_namespace) {
		for (unsigned i = 0; i + 1 < s->phases->len; i++)
			append_phase(s, s->phases->pdata[i], out);
	}
	for (unsigned i = 0; i < s->phases->len; i++)
		append_phase(s, s->phases->pdata[i], out);
	return g_string_free(out, FALSE);
}

static void
compare(const char *path, const char *variant, const char *const *params, const char *fail)
{
	GError *error = NULL;
	struct scenario *s = scenario_load(
		path, &(struct scenario_options){.variant = variant, .params = params}, &error);
	g_autoptr(GString) script = g_string_new(NULL);
	g_autofree char *lines = NULL, *want = NULL, *got = NULL;
	int want_status, got_status;

	ck_assert_msg(s != NULL, "%s", error ? error->message : "");
	scenario_script(s, script);
	lines = expand(s);
	want_status = run_bash(lines, fail, &want);
	got_status = run_bash(script->str, fail, &got);
	ck_assert_str_eq(got, want);
	ck_assert_int_eq(got_status, want_status);
	ck_assert_int_eq(got_status == 0, *fail == '\0' || strcmp(fail, "may") == 0);
	ck_assert_uint_gt(strlen(want), 100);
	scenario_free(s);
}

START_TEST(test_bond_vlan_vrf)
{
	static const char *const params[] = {"vlans=11", "settle=6", NULL};
	g_autofree char *path = g_build_filename(folder, "bond-vlan-vrf.json", NULL);

	compare(path, NULL, params, "");
	compare(path, "before", params, "");
	compare(path, "after", params, "foo.7 up");
}
END_TEST

START_TEST(test_bond_macvlan)
{
	static const char *const params[] = {"containers=4", "groups=3", NULL};
	g_autofree char *path = g_build_filename(folder, "bond-macvlan.json", NULL);

	compare(path, "list", params, "");
	compare(path, "list", params, "flush dev mv3");
}
END_TEST

/* Quotes, braces, dollars, nested and empty loops, numbers that bash would take
 * for octal ones, names with quotes; failures that may be, and one that may not. */
static const char odd[] =
	"{ \"name\": \"odd\", \"about\": \"it's \\\"odd\\\" $x `id`\",\n"
	"  \"params\": { \"n\": 7, \"unused\": 1 },\n"
	"  \"phases\": [\n"
	"   { \"name\": \"it's $HOME `id`\", \"for\": { \"i\": \"008..$n\", \"j\": \"1..2\" },\n"
	"     \"run\": [ \"ip netns add never$i$j\" ] },\n"
	"   { \"name\": \"two\", \"for\": { \"i\": \"-1..${n}\", \"j\": \"$i..9\" },\n"
	"     \"run\": [ \"ip netns add a'b$i'\\\"c${j}d\\\"x\", \"echo $i | tee"
	" /proc/sys/net/ipv6/conf/all/forwarding >/dev/null\",\n"
	"       { \"run\": \"ip netns del may$i\", \"may_fail\": true } ] },\n"
	"   { \"name\": \"three\", \"run\": [ \"ip netns add may\", \"ip netns add '$$x'\" ],\n"
	"     \"keep_going\": true, \"settle\": 3 },\n"
	"   { \"name\": \"four\", \"run\": [ \"ip netns add must\" ] } ] }\n";

START_TEST(test_odd)
{
	g_autofree char *path = temporary(odd);

	compare(path, NULL, (const char *const[]){"n=7", NULL}, "");
	compare(path, NULL, (const char *const[]){"n=9", NULL}, "may");
	compare(path, NULL, (const char *const[]){"n=8", NULL}, "must");
	g_unlink(path);
}
END_TEST

/* Arithmetic, also where bash needs more quotes, and parts of MAC addresses. */
static const char arithmetic[] =
	"{ \"name\": \"arithmetic\", \"params\": { \"n\": 7, \"m\": 3, \"last\": 4 },\n"
	"  \"phases\": [\n"
	"   { \"name\": \"one\", \"for\": { \"i\": \"$((m - 5))..$(( n / 2 ))\","
	" \"j\": \"$((-i))..$((($i + 4) * 2))\" },\n"
	"     \"run\": [ \"ip netns add a$((i - -j))'b$(( ${i} * $j % 3 ))'\\\"c$((-i))\\\"\",\n"
	"       \"ip netns add m$(mac1 j + 5)'-$(mac3 (i + 2) * 70000)'\\\"-$(mac5 j + 5)\\\"\","
	" \"ip netns add $(mac2 65535 + n)\" ] },\n"
	"   { \"name\": \"two\", \"run\": [ \"ip netns add b\" ], \"settle\": \"$((last * 2))\" }"
	" ] }\n";

START_TEST(test_arithmetic)
{
	g_autofree char *path = temporary(arithmetic);

	compare(path, NULL, (const char *const[]){"n=7", NULL}, "");
	compare(path, NULL, (const char *const[]){"n=11", "m=4", NULL}, "");
	g_unlink(path);
}
END_TEST

/* Random expressions over i, j and n; bash knows what they are worth. */

static void
append_random(GRand *rand, unsigned depth, GString *out)
{
	static const char *const leaves[] = {"i", "$j",  "${n}",  "0",         "1",
					     "7", "255", "65536", "4294967296"};
	static const char *const operators[] = {"+", " - ", "*", " / ", " % ", " + ", " * "};

	if (depth == 0 || g_rand_int_range(rand, 0, 8) == 0) {
		g_string_append(out, leaves[g_rand_int_range(rand, 0, G_N_ELEMENTS(leaves))]);
		return;
	}
	switch (g_rand_int_range(rand, 0, 6)) {
	case 0:
		g_string_append(out, " -");
		append_random(rand, 0, out);
		break;
	case 1:
		g_string_append_c(out, '(');
		append_random(rand, depth - 1, out);
		g_string_append_c(out, ')');
		break;
	default:
		append_random(rand, depth - 1, out);
		g_string_append(out, operators[g_rand_int_range(rand, 0, G_N_ELEMENTS(operators))]);
		append_random(rand, depth - 1, out);
	}
}

static char *
scenario_of(const char *steps)
{
	return g_strdup_printf(
		"{ \"name\": \"random\", \"params\": { \"n\": 5 }, \"phases\": [\n"
		"  { \"name\": \"p\", \"for\": { \"i\": \"-2..2\", \"j\": \"3..4\" },"
		" \"run\": [ %s ] } ] }\n",
		steps);
}

/* Nothing where an iteration would divide by zero, or need more than 64 bits. */
static bool
append_if_good(const char *expression, GString *steps)
{
	g_autofree char *step = g_strdup_printf("\"ip netns add n$((%s))\"", expression);
	g_autofree char *text = scenario_of(step), *path = temporary(text);
	struct scenario *s = scenario_load(path, NULL, NULL);

	g_unlink(path);
	if (!s)
		return false;
	g_string_append_printf(steps, "%s%s", steps->len > 0 ? ", " : "", step);
	scenario_free(s);
	return true;
}

START_TEST(test_random_expressions)
{
	GRand *rand = g_rand_new_with_seed((guint32)_i);
	g_autoptr(GString) steps = g_string_new(NULL);
	g_autofree char *text = NULL, *path = NULL;

	for (unsigned good = 0; good < 40;) {
		g_autoptr(GString) expression = g_string_new(NULL);

		append_random(rand, 4, expression);
		good += append_if_good(expression->str, steps);
	}
	text = scenario_of(steps->str);
	path = temporary(text);
	compare(path, NULL, NULL, "");
	g_unlink(path);
	g_rand_free(rand);
}
END_TEST

static const char background[] =
	"{ \"name\": \"background\", \"params\": { \"n\": 4 }, \"phases\": [\n"
	"   { \"name\": \"one\", \"for\": { \"i\": \"1..$n\" }, \"run\": [\n"
	"       \"ip netns add must$i 2>/dev/null &\", \"ip netns add 'a&' & \", \"ip netns add "
	"c\",\n"
	"       \"wait\", { \"run\": \"ip netns del may$i &\", \"may_fail\": true } ] },\n"
	"   { \"name\": \"two\", \"run\": [ \"ip netns add may&\", \"ip netns add d\" ],"
	" \"keep_going\": true } ] }\n";

static int
compare_lines(char *const *a, char *const *b)
{
	return strcmp(*a, *b);
}

static char *
sorted_lines(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(GPtrArray) sorted = g_ptr_array_new();

	for (char **line = lines; *line; line++)
		g_ptr_array_add(sorted, *line);
	g_ptr_array_sort(sorted, (GCompareFunc)compare_lines);
	g_ptr_array_add(sorted, NULL);
	return g_strjoinv("\n", (char **)sorted->pdata);
}

/* In whichever order bash's processes write. */
START_TEST(test_background)
{
	static const char *const fails[] = {"", "may", "must3"};
	g_autofree char *path = temporary(background), *lines = NULL, *want = NULL, *got = NULL;
	struct scenario *s = scenario_load(path, NULL, NULL);
	g_autoptr(GString) script = g_string_new(NULL);
	int want_status, got_status;

	scenario_script(s, script);
	lines = expand(s);
	want_status = run_bash(lines, fails[_i], &want);
	got_status = run_bash(script->str, fails[_i], &got);
	ck_assert_int_eq(got_status != 0, want_status != 0);
	ck_assert_int_eq(want_status != 0, _i == 2);
	if (want_status == 0) {
		g_autofree char *want_lines = sorted_lines(want), *got_lines = sorted_lines(got);

		ck_assert_str_eq(got_lines, want_lines);
	} else {
		/* It is noticed where the script waits. */
		ck_assert_ptr_nonnull(strstr(got, "must3"));
		ck_assert_ptr_null(strstr(got, "may3"));
	}
	g_unlink(path);
	scenario_free(s);
}
END_TEST

static Suite *
script_suite(void)
{
	Suite *suite = suite_create("script");
	TCase *tests = tcase_create("script");

	tcase_add_test(tests, test_bond_vlan_vrf);
	tcase_add_test(tests, test_bond_macvlan);
	tcase_add_test(tests, test_odd);
	tcase_add_test(tests, test_arithmetic);
	tcase_add_loop_test(tests, test_random_expressions, 0, 3);
	tcase_add_loop_test(tests, test_background, 0, 3);
	tcase_set_timeout(tests, 60);
	suite_add_tcase(suite, tests);
	return suite;
}

int
main(int argc, char **argv)
{
	SRunner *runner = srunner_create(script_suite());
	int failed;

	folder = argc > 1 ? argv[1] : "topologies";
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
