/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loader-test.c - scenario files: what is read from good ones, and where the
 * loader says that bad ones are wrong.
 *
 * A bad file is written with an '@' before the place that is to blame; the test
 * takes it out, and counts lines and characters itself. */
#include <check.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/document.h"
#include "scenario/scenario.h"

static const char *folder; /* of the shipped scenarios */

static char *
write_temporary(const char *text)
{
	char *path = NULL;
	int fd = g_file_open_tmp("scenario-XXXXXX.json", &path, NULL);

	ck_assert_int_ge(fd, 0);
	g_close(fd, NULL);
	ck_assert(g_file_set_contents(path, text, -1, NULL));
	return path;
}

static struct scenario *
load(const char *text, const struct scenario_options *options, GError **error)
{
	char *path = write_temporary(text);
	struct scenario *s = scenario_load(path, options, error);

	if (error && *error) {
		char *rest = g_strdup((*error)->message + strlen(path));

		ck_assert(g_str_has_prefix((*error)->message, path));
		g_free((*error)->message);
		(*error)->message = rest;
	}
	g_unlink(path);
	g_free(path);
	return s;
}

static struct scenario *
load_good(const char *text, const char *variant, const char *const *params)
{
	const struct scenario_options options = {variant, params};
	GError *error = NULL;
	struct scenario *s = load(text, &options, &error);

	ck_assert_msg(s != NULL, "%s", error ? error->message : "");
	return s;
}

/* What the file says, and what wins over it. */

static const char full[] =
	"{ \"name\": \"full\", \"about\": \"All members.\", \"source\": \"a mail\",\n"
	"  \"machine\": \"e5-2650v3\",\n"
	"  \"params\": { \"n\": 3, \"m\": { \"default\": 5, \"min\": -2, \"max\": 9 },\n"
	"                \"again\": { \"default\": 0, \"max\": 1 } },\n"
	"  \"kernel\": { \"version\": \"5.10\", \"gvrp\": false },\n"
	"  \"backends\": { \"*\": \"list\" },\n"
	"  \"previous_namespace\": \"${again}\",\n"
	"  \"setup\": [ \"ip netns add t\", { \"run\": \"ip netns add u\", \"may_fail\": true } "
	"],\n"
	"  \"phases\": [\n"
	"    { \"name\": \"one\", \"for\": { \"i\": \"1..$n\", \"j\": \"$i..${m}\" },\n"
	"      \"run\": [ \"ip -n t link add d$i.${j}x type dummy\" ],\n"
	"      \"keep_going\": true, \"settle\": \"$m\" },\n"
	"    { \"name\": \"two\", \"run\": [ \"ip netns del t\" ], \"until_idle\": true } ],\n"
	"  \"variants\": {\n"
	"    \"b\": { \"params\": { \"n\": 5, \"again\": 1 }, \"kernel\": { \"gvrp\": true } },\n"
	"    \"a\": { \"about\": \"A tree.\", \"backends\": { \"*\": \"rbtree\" },\n"
	"      \"previous_namespace\": true } },\n"
	"  \"published\": { \"b\": { \"two\": { \"real_s\": 1.5 } } } }\n";

static json_int_t
param(const struct scenario *s, const char *name)
{
	return json_integer_value(json_object_get(s->params, name));
}

START_TEST(test_members)
{
	struct scenario *s = load_good(full, NULL, NULL);
	const struct phase *setup = s->phases->pdata[0], *one = s->phases->pdata[1],
			   *two = s->phases->pdata[2];
	const struct step *step = setup->steps->pdata[1];

	ck_assert_str_eq(s->name, "full");
	ck_assert_str_eq(s->about, "All members.");
	ck_assert_str_eq(s->source, "a mail");
	ck_assert_str_eq(s->machine, "e5-2650v3");
	ck_assert_ptr_null(s->variant);
	ck_assert_uint_eq(s->kernel.version, KERNEL_5_10);
	ck_assert(!s->kernel.gvrp && s->kernel.mvrp && !s->previous_namespace);
	ck_assert_str_eq(g_hash_table_lookup(s->backends, "*"), "list");
	ck_assert_uint_eq(s->phases->len, 3);
	ck_assert_str_eq(setup->name, "setup");
	ck_assert(!((const struct step *)setup->steps->pdata[0])->may_fail && step->may_fail);
	ck_assert_str_eq(step->text, "ip netns add u");
	ck_assert_uint_eq(step->line, 8);
	ck_assert_uint_eq(step->column, 41);
	ck_assert(one->keep_going && !one->until_idle && two->until_idle && !two->keep_going);
	ck_assert_int_eq(scenario_seconds(s, one->settle), 5);
	ck_assert_ptr_null(two->settle);
	ck_assert_double_lt(two->published_s, 0);
	scenario_free(s);
}
END_TEST

START_TEST(test_precedence)
{
	static const char *const params[] = {"n=7", "m=-1", "n=8", NULL};
	struct scenario *s = load_good(full, "b", NULL);

	ck_assert_str_eq(s->variant, "b");
	ck_assert_int_eq(param(s, "n"), 5);
	ck_assert_int_eq(param(s, "m"), 5);
	ck_assert(s->kernel.gvrp && s->previous_namespace);
	ck_assert_uint_eq(s->kernel.version, KERNEL_5_10);
	ck_assert_double_eq(((const struct phase *)s->phases->pdata[2])->published_s, 1.5);
	ck_assert_double_lt(((const struct phase *)s->phases->pdata[1])->published_s, 0);
	scenario_free(s);

	s = load_good(full, "a", (const char *const[]){"n=7", "n=2", NULL});
	ck_assert_int_eq(param(s, "n"), 2);
	ck_assert(s->previous_namespace && !s->kernel.gvrp);
	ck_assert_str_eq(g_hash_table_lookup(s->backends, "*"), "rbtree");
	scenario_free(s);

	s = load(full, &(struct scenario_options){"b", params}, NULL);
	ck_assert_ptr_null(s); /* a loop would run from 1 to -1 */
	s = load_good(full, "b", (const char *const[]){"again=0", NULL});
	ck_assert(!s->previous_namespace);
	scenario_free(s);
}
END_TEST

START_TEST(test_variants_in_order)
{
	struct scenario *s = load_good(full, NULL, NULL);
	const struct scenario_variant *first, *second;

	ck_assert_uint_eq(s->variants->len, 2);
	first = g_ptr_array_index(s->variants, 0);
	second = g_ptr_array_index(s->variants, 1);
	ck_assert_str_eq(first->name, "b");
	ck_assert_ptr_null(first->about);
	ck_assert_str_eq(second->name, "a");
	ck_assert_str_eq(second->about, "A tree.");
	scenario_free(s);
}
END_TEST

/* Iteration, against loops in C. */

START_TEST(test_iteration)
{
	GString *line = g_string_new(NULL);

	for (int n = 0; n <= 4; n++) {
		g_autofree char *text = g_strdup_printf("n=%d", n);
		struct scenario *s =
			load_good(full, NULL, (const char *const[]){text, "m=3", NULL});
		struct command_iter it;

		command_iter_init(&it, s, s->phases->pdata[1]);
		for (int i = 1; i <= n; i++) {
			for (int j = i; j <= 3; j++) {
				g_autofree char *want = g_strdup_printf(
					"ip -n t link add d%d.%dx type dummy", i, j);

				ck_assert_ptr_nonnull(command_iter_next(&it, line));
				ck_assert_str_eq(line->str, want);
			}
		}
		ck_assert_ptr_null(command_iter_next(&it, line));
		ck_assert_ptr_null(command_iter_next(&it, line));
		scenario_free(s);
	}
	g_string_free(line, TRUE);
}
END_TEST

START_TEST(test_steps_of_a_body)
{
	struct scenario *s = load_good(full, NULL, NULL);
	GString *line = g_string_new(NULL);
	struct command_iter it;

	command_iter_init(&it, s, s->phases->pdata[0]);
	ck_assert(!command_iter_next(&it, line)->may_fail);
	ck_assert_str_eq(line->str, "ip netns add t");
	ck_assert(command_iter_next(&it, line)->may_fail);
	ck_assert_str_eq(line->str, "ip netns add u");
	ck_assert_ptr_null(command_iter_next(&it, line));
	g_string_free(line, TRUE);
	scenario_free(s);
}
END_TEST

/* Against the same in C. */
START_TEST(test_expressions)
{
	struct scenario *s = load_good(
		"{ \"name\": \"t\", \"params\": { \"n\": 7 }, \"phases\": [ { \"name\": \"p\",\n"
		"  \"for\": { \"p\": \"-3..$((n / 7))\", \"k\": \"$((p - 1))..$((-p + n % 4))\" "
		"},\n"
		"  \"run\": [ \"ip netns add a$((2 + 3 * p - -k)).$(((2 + 3) * $p))."
		"$(( ${k} % 3 - k / 2 ))\",\n"
		"           \"ip netns add $(mac1 n).$(mac5 (p + 3) * 1000000007)\" ],\n"
		"  \"keep_going\": true, \"settle\": \"$((n * 2 - 1))\" } ] }",
		NULL, NULL);
	GString *line = g_string_new(NULL);
	struct command_iter it;

	command_iter_init(&it, s, s->phases->pdata[0]);
	for (int p = -3; p <= 1; p++) {
		for (int k = p - 1; k <= -p + 3; k++) {
			uint64_t mac = (uint64_t)(p + 3) * 1000000007;
			g_autofree char *first = g_strdup_printf(
				"ip netns add a%d.%d.%d", 2 + 3 * p + k, 5 * p, k % 3 - k / 2);
			g_autofree char *second = g_strdup_printf(
				"ip netns add 07.%02x:%02x:%02x:%02x:%02x", (unsigned)(mac >> 32),
				(unsigned)(mac >> 24 & 0xff), (unsigned)(mac >> 16 & 0xff),
				(unsigned)(mac >> 8 & 0xff), (unsigned)(mac & 0xff));

			ck_assert_ptr_nonnull(command_iter_next(&it, line));
			ck_assert_str_eq(line->str, first);
			ck_assert_ptr_nonnull(command_iter_next(&it, line));
			ck_assert_str_eq(line->str, second);
		}
	}
	ck_assert_ptr_null(command_iter_next(&it, line));
	ck_assert_int_eq(scenario_seconds(s, ((struct phase *)s->phases->pdata[0])->settle), 13);
	g_string_free(line, TRUE);
	scenario_free(s);
}
END_TEST

/* How many commands a loop makes: accepted up to SCENARIO_MAX_COMMANDS. */

static const struct {
	const char *loops;
	bool good;
} counts[] = {
	{"'i': '1..2000000'", true},
	{"'i': '1..2000001'", false},
	{"'i': '-999999..1000000'", true},
	{"'i': '5..4'", true}, /* empty */
	{"'i': '5..3'", false},
	{"'i': '1..2000', 'j': '1..1000'", true},
	{"'i': '1..2000', 'j': '1..1001'", false},
	{"'i': '1..1999', 'j': '1..$i'", true}, /* 1,999,000 */
	{"'i': '1..2000', 'j': '1..$i'", false},
	{"'i': '1..1000000', 'j': '$i..1000000', 'k': '1..1'", false},
	{"'i': '1..1000000', 'j': '1..0'", true},
	{"'i': '1..2000000', 'j': '1..0'", false}, /* too long to find that it is empty */
	{"'i': '1..1000', 'j': '1..1000', 'k': '1..1000', 'l': '1..0'", false},
	{"'i': '3..1', 'j': '1..$i'", false},
	{"'i': '1..3', 'j': '1..$i', 'k': '$i..$j'", false}, /* 3..1 */
	{"'i': '1..9223372036854775807'", false},
	{"'i': '-9223372036854775808..9223372036854775807'", false},
	{"'i': '-9223372036854775808..-9223372036854775807'", false},
};

START_TEST(test_counts)
{
	g_autofree char *quoted = g_strdelimit(g_strdup(counts[_i].loops), "'", '"');
	g_autofree char *text = g_strdup_printf(
		"{ \"name\": \"t\", \"phases\": [ { \"name\": \"p\", \"for\": { %s },"
		" \"run\": [ \"ip netns add n$i\" ] } ] }",
		quoted);
	GError *error = NULL;
	struct scenario *s = load(text, NULL, &error);

	ck_assert_msg((s != NULL) == counts[_i].good, "%s: %s", counts[_i].loops,
		      error ? error->message : "accepted");
	g_clear_error(&error);
	scenario_free(s);
}
END_TEST

/* A step counts as often as it is run, over all phases. */
START_TEST(test_count_of_all_phases)
{
	GError *error = NULL;

	ck_assert_ptr_null(
		load("{ \"name\": \"t\", \"setup\": [ \"ip netns add a\" ], \"phases\": [\n"
		     " { \"name\": \"p\", \"for\": { \"i\": \"1..1000000\" },\n"
		     "   \"run\": [ \"ip netns add n$i\", \"ip netns del n$i\" ] } ] }",
		     NULL, &error));
	ck_assert_str_eq(error->message, ":2:31: a loop from 1 to 1000000 makes more than 2000000 "
					 "commands in all");
	g_error_free(error);
}
END_TEST

/* Bad files.  ' stands for ". */

#define P(body) "{ 'name': 't', 'phases': [ { 'name': 'p', " body " } ] }"
#define RUN     "'run': ['ip netns add t']"

static const struct {
	const char *text, *message;
} bad[] = {
	{"@[]", "a scenario is an object, not an array"},
	{"@{ 'phases': [] }", "a scenario needs a member \"name\""},
	{"@{ 'name': 't' }", "a scenario needs a member \"phases\""},
	{"{ 'name': 't',\n  'phases': @[] }", "\"phases\" must not be empty"},
	{"{ 'name': @7, 'phases': [] }", "\"name\" is a string, not an integer"},
	{"{ 'name': @'T', 'phases': [] }",
	 "\"name\" is made of small letters, digits and '-', and does not begin with '-'"},
	{"{ 'name': @'', 'phases': [] }", "a text of 0 characters; 1 to 60 are allowed"},
	{"{ 'name': 't', 'source': 'ü', @'phasen': 1 }", NULL},
	{"{ 'about': 'über \\u00fc \\ud83d\\ude00 ü', 'name': 't', @'phasen': [] }",
	 "unknown member \"phasen\" of a scenario; known are $schema, name, about, source, "
	 "machine, "
	 "params, kernel, backends, previous_namespace, setup, phases, variants, published"},
	{"{ 'name': 't', 'about': 'a\\u00fc@\\nb', 'phases': [] }",
	 "a control character; this is one line of plain text"},
	{"{ 'name': 't', 'params': { @'N': 1 }, 'phases': [] }",
	 "\"N\" is no name of a parameter: a small letter, then small letters, digits and '_', 32 "
	 "at most"},
	{"{ 'name': 't', 'params': { 'n': @-1 }, 'phases': [] }",
	 "\"n\" is -1; it must be 0 to 1000000000"},
	{"{ 'name': 't', 'params': { 'n': @'$n' }, 'phases': [] }",
	 "\"n\" is an integer, not a string"},
	{"{ 'name': 't', 'params': { 'n': { 'default': @5, 'max': 4 } }, 'phases': [] }",
	 "\"default\" is 5; it must be 0 to 4"},
	{"{ 'name': 't', 'params': { 'n': { 'default': 5, 'min': 4, 'max': @3 } }, 'phases': [] }",
	 "\"max\" is 3; it must be 4 to 1000000000"},
	{"{ 'name': 't', 'kernel': { 'version': @'4.9' }, 'phases': [] }",
	 "\"version\" is \"5.10\" or \"6.1\""},
	{"{ 'name': 't', 'params': { 'n': 1 }, 'kernel': { 'gvrp': @'$n' }, 'phases': [] }",
	 "\"$n\" may be other than 0 and 1: give it \"min\": 0, \"max\": 1"},
	{"{ 'name': 't', 'kernel': { 'gvrp': @'$n' }, 'phases': [] }",
	 "unknown parameter \"$n\"; known are none"},
	{"{ 'name': 't', 'kernel': { 'gvrp': @1 }, 'phases': [] }",
	 "\"gvrp\" is true or false, not an integer"},
	{"{ 'name': 't', 'backends': { '*': @'heap' }, 'phases': [] }", NULL},
	{"{ 'name': 't', 'backends': { @'fdbs': 'list' }, 'phases': [] }", NULL},
	{"{ 'name': 't', 'params': { 'n': 1 }, 'variants': { 'v': { 'params': { @'m': 1 } } },"
	 " 'phases': [] }",
	 "unknown parameter \"m\"; known are n"},
	{"{ 'name': 't', 'variants': { 'v': { @'setup': [] } }, 'phases': [] }",
	 "unknown member \"setup\" of a variant; known are about, params, kernel, backends, "
	 "previous_namespace"},
	{P("@'runs': []"),
	 "unknown member \"runs\" of a phase; known are name, for, run, keep_going, settle, "
	 "until_idle"},
	{"{ 'name': 't', 'phases': [ @{ 'name': 'p' } ] }", "a phase needs a member \"run\""},
	{"{ 'name': 't', 'phases': [ { 'name': 'p', " RUN " }, { 'name': @'p', " RUN " } ] }",
	 "a second phase of this name"},
	{"{ 'name': 't', 'setup': ['ip netns add t'], 'phases': [ { 'name': @'setup', " RUN
	 " } ] }",
	 "a second phase of this name"},
	{P("'run': [@7]"), "a step that is no string is an object, not an integer"},
	{P("'run': [{ 'run': @7 }]"), "\"run\" of a step is a string"},
	{P("'run': ['ip netns add t', { 'run': 'ip netns add u', 'may_fail': @'yes' }]"),
	 "\"may_fail\" is true or false, not a string"},
	{P("'run': ['ip netns add @$i']"), "unknown variable \"$i\"; none is known"},
	{P("'for': { 'i': '1..2' }, 'run': ['ip netns add \\u0061@${j}']"),
	 "unknown variable \"$j\"; known are $i"},
	{P("'for': { 'i': '1..2' }, 'run': ['ip netns add @${i']"),
	 "\"$\" begins \"$name\", \"${name}\", \"$((EXPRESSION))\" or \"$(mac3 EXPRESSION)\"; a "
	 "dollar is \"$$\""},
	{P("'for': { 'i': '1..2' }, 'run': ['ip netns add @$']"),
	 "\"$\" begins \"$name\", \"${name}\", \"$((EXPRESSION))\" or \"$(mac3 EXPRESSION)\"; a "
	 "dollar is \"$$\""},
	{P("'for': { 'i': '1..2' }, 'run': ['ip netns add @$ij']"),
	 "unknown variable \"$ij\"; known are $i"},
	{P("'for': { 'i': '1..@$i' }, " RUN), "unknown variable \"$i\"; none is known"},
	{P("'for': { 'i': '1..@$j', 'j': '1..2' }, " RUN),
	 "unknown variable \"$j\"; none is known"},
	{P("'for': { 'i': @'5' }, " RUN), "a loop is \"FIRST..LAST\", such as \"1..$n\""},
	{P("'for': { 'i': @5 }, " RUN), "a loop is \"FIRST..LAST\", such as \"1..$n\""},
	{P("'for': { 'i': '1..@x' }, " RUN),
	 "\"x\" is neither an integer nor one \"$name\" or \"$((EXPRESSION))\""},
	{P("'for': { 'i': '@1.5..2' }, " RUN),
	 "\"1.5\" is neither an integer nor one \"$name\" or \"$((EXPRESSION))\""},
	{P("'for': { 'i': '1..@99999999999999999999' }, " RUN),
	 "\"99999999999999999999\" is neither an integer nor one \"$name\" or \"$((EXPRESSION))\""},
	{P("'for': { 'i': @'2..0' }, " RUN), "a loop from 2 up to 0 runs backwards"},
	{P("'for': { 'i': @'1..3000000' }, " RUN),
	 "a loop from 1 to 3000000 makes more than 2000000 commands in all"},
	{P("'for': { 'i': '1..2', @'I': '1..2' }, " RUN),
	 "\"I\" is no name of a variable: a small letter, then small letters, digits and '_', 32 "
	 "at "
	 "most"},
	{"{ 'name': 't', 'params': { 'n': 1 }, 'phases': [ { 'name': 'p',"
	 " 'for': { @'n': '1..2' }, " RUN " } ] }",
	 "\"n\" is a parameter or a loop already"},
	{P("'for': { 'a': '1..1', 'b': '1..1', 'c': '1..1', 'd': '1..1', 'e': '1..1', 'f': '1..1',"
	   " 'g': '1..1', 'h': '1..1', @'i': '1..1' }, " RUN),
	 "more than 8 loops"},
	/* Expressions: their form, and values wherever they occur. */
	{P("'run': ['ip netns add n$((@))']"), "a value is missing at the end"},
	{P("'run': ['ip netns add n$((1 +@))']"), "a value is missing at the end"},
	{P("'run': ['ip netns add n$((1 + @* 2))']"),
	 "a number, a variable or \"(\" is wanted instead of \"*\""},
	{P("'run': ['ip netns add n$((1 @2))']"),
	 "an operator is wanted instead of \"2\"; there are + - * / % and parentheses"},
	{P("'run': ['ip netns add n$((2 *@* 3))']"),
	 "a number, a variable or \"(\" is wanted instead of \"*\""},
	{P("'run': ['ip netns add n$((1 @< 2))']"),
	 "an operator is wanted instead of \"<\"; there are + - * / % and parentheses"},
	{P("'run': ['ip netns add n$((1 @ü 2))']"),
	 "an operator is wanted instead of \"ü\"; there are + - * / % and parentheses"},
	{P("'run': ['ip netns add n@$((1 + 2)']"), "the \"$((\" is not closed by \"))\""},
	{P("'run': ['ip netns add n@$(((1 + 2))']"), "the \"$((\" is not closed by \"))\""},
	{P("'run': ['ip netns add n@$((1) + (2))']"), "the \"$((\" is not closed by \"))\""},
	{P("'run': ['ip netns add n$((@010))']"), "a number that begins with 0 is octal in sh"},
	{P("'run': ['ip netns add n$((@9223372036854775808))']"),
	 "a number that needs more than 64 bits"},
	{P("'for': { 'i': '1..2' }, 'run': ['ip netns add n$((i @-- 1))']"),
	 "\"--\" is one operator in sh; put a blank in between"},
	{P("'for': { 'i': '1..2' }, 'run': ['ip netns add n$((i + @j))']"),
	 "unknown variable \"$j\"; known are $i"},
	{P("'for': { 'i': '1..2' }, 'run': ['ip netns add n$((i + @${i))']"),
	 "\"$\" begins \"$name\" or \"${name}\" here"},
	{P("'run': ['ip netns add n$((((((((((((((((((((((((((((((((((@((1"
	   "))))))))))))))))))))))))))))))))))))']"),
	 "more than 32 levels"},
	{P("'for': { 'i': '-2..2' }, 'run': ['ip netns add n$((6 @/ i))']"),
	 "division by zero (with $i = 0)"},
	{P("'for': { 'i': '1..3', 'j': '0..4' }, 'run': ['true', 'ip netns add n$((6 @% (2 - "
	   "j)))']"),
	 "division by zero (with $i = 1, $j = 2)"},
	{P("'for': { 'i': '1..40' }, 'run': ['ip netns add n$((i * 1000000000000 @* 1000000))']"),
	 "a value that needs more than 64 bits (with $i = 10)"},
	{P("'run': ['ip netns add n$(((-9223372036854775807 - 1) @/ -1))']"),
	 "a value that needs more than 64 bits"},
	{P("'run': ['ip netns add n@$(mac6 1)']"),
	 "\"$(\" begins \"$((EXPRESSION))\" or \"$(mac3 EXPRESSION)\", mac1 to mac5; no command is "
	 "run here"},
	{P("'run': ['ip netns add n@$(date)']"), NULL},
	{P("'run': ['ip netns add n@$(mac3']"), NULL},
	{P("'run': ['ip netns add n@$(mac3 (1)']"), "the \"$(\" is not closed"},
	{P("'for': { 'i': '0..2' }, 'run': ['ip netns add n$(mac2 @1 - i)']"),
	 "the value is -1; a MAC address has no negative ones (with $i = 2)"},
	{P("'for': { 'i': '1..@$(mac2 5)' }, " RUN),
	 "\"$(mac2 5)\" is neither an integer nor one \"$name\" or \"$((EXPRESSION))\""},
	{P("'for': { 'i': '1..$((5 @/ 0))' }, " RUN), "division by zero"},
	{P("'for': { 'i': '$((@j + 1))..5' }, " RUN), "unknown variable \"$j\"; none is known"},
	{P("'for': { 'i': '0..3', 'j': '$((4 @/ (2 - i)))..5' }, " RUN), "division by zero"},
	{P(RUN ", 'settle': '$((7 @/ 0))'"), "division by zero"},
	{P(RUN ", 'settle': @'$((1 - 2))'"), "\"settle\" is -1 seconds; it must be 0 to 86400"},
	{P(RUN ", 'settle': @86401"), "\"settle\" is 86401 seconds; it must be 0 to 86400"},
	{P(RUN ", 'settle': @1.5"), "\"settle\" is an integer or the \"$name\" of a parameter"},
	{P("'for': { 'i': '1..2' }, " RUN ", 'settle': '@$i'"),
	 "unknown variable \"$i\"; none is known"},
	{"{ 'name': 't', 'phases': [ { 'name': 'p', " RUN " } ], 'published': { @'v': {} } }",
	 "there is no variant \"v\""},
	{"{ 'name': 't', 'phases': [ { 'name': 'p', " RUN " } ], 'variants': { 'v': {} },"
	 " 'published': { 'v': { @'q': {} } } }",
	 "there is no phase \"q\""},
	{"{ 'name': 't', 'phases': [ { 'name': 'p', " RUN " } ], 'variants': { 'v': {} },"
	 " 'published': { 'v': { 'p': { 'real_s': @-1 } } } }",
	 "\"real_s\" is a number of seconds, 0 or more"},
	/* The command's own words are the grammar's; the position is ours. */
	{P("'run': ['@gibberish a b']"), NULL},
	{P("'for': { 'i': '1..200', 'jj': '5..5' }, 'run': ['sleep $jj$i @x$i']"), NULL},
	{P("'run': ['ip netns add \\u0061@\\t']"),
	 "a control character; this is one line of plain text"},
};

/* Takes the '@' out and says where it was. */
static char *
split_place(const char *marked, unsigned *line, unsigned *column)
{
	g_autofree char *text = g_strdelimit(g_strdup(marked), "'", '"');
	char *at = strchr(text, '@'), *before;

	*at = '\0';
	before = strrchr(text, '\n');
	*line = 1;
	for (const char *p = text; *p; p++)
		*line += *p == '\n';
	*column = (unsigned)g_utf8_strlen(before ? before + 1 : text, -1) + 1;
	return g_strconcat(text, at + 1, NULL);
}

START_TEST(test_bad)
{
	unsigned line, column;
	g_autofree char *text = NULL, *place = NULL;
	GError *error = NULL;

	text = split_place(bad[_i].text, &line, &column);
	place = g_strdup_printf(":%u:%u: ", line, column);
	ck_assert_ptr_null(load(text, NULL, &error));
	ck_assert_ptr_nonnull(error);
	ck_assert(error->domain == DATA_ERROR);
	ck_assert_msg(g_str_has_prefix(error->message, place), "%s\nwant %s got %s", text, place,
		      error->message);
	if (bad[_i].message)
		ck_assert_str_eq(error->message + strlen(place), bad[_i].message);
	g_error_free(error);
}
END_TEST

/* What is no JSON, or no file. */
START_TEST(test_no_scenario)
{
	static const char *const texts[] = {
		"",
		"{",
		"{ \"name\": \"a\", \"name\": \"b\" }",
		"{}{}",
		"\xff",
		"{ \"name\": \"a\\u0000\" }",
		"[1,]",
		"nul",
		"{ \"params\": { \"n\": 99999999999999999999 } }",
		"\"\\ud800\"",
		"1",
		"[[[[",
	};
	GError *error = NULL;

	for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
		ck_assert_ptr_null(load(texts[i], NULL, &error));
		ck_assert_msg(g_str_has_prefix(error->message, ":1:"), "%s", error->message);
		g_clear_error(&error);
	}
	ck_assert_ptr_null(scenario_load("/", NULL, &error));
	ck_assert_str_eq(error->message, "/: Is a directory");
	g_clear_error(&error);
	ck_assert_ptr_null(scenario_load("/dev/zero", NULL, &error));
	ck_assert_str_eq(error->message, "/dev/zero: larger than 4 MiB, which no scenario is");
	g_clear_error(&error);
}
END_TEST

/* Every way to cut off a good file is a bad one, and none of them harms. */
START_TEST(test_cut_off)
{
	for (size_t i = 0; i + 1 < strlen(full); i++) {
		g_autofree char *text = g_strndup(full, i);
		g_autoptr(GError) error = NULL;

		ck_assert_ptr_null(load(text, NULL, &error));
		ck_assert(g_str_has_prefix(error->message, ":"));
	}
}
END_TEST

START_TEST(test_shipped)
{
	static const char *const names[] = {"bond-vlan-vrf.json", "bond-macvlan.json"};
	g_autofree char *path = g_build_filename(folder, names[_i], NULL);
	struct scenario *plain = scenario_load(path, NULL, NULL);

	ck_assert_ptr_nonnull(plain);
	ck_assert_uint_eq(plain->variants->len, 2);
	for (unsigned i = 0; i < plain->variants->len; i++) {
		const struct scenario_variant *v = g_ptr_array_index(plain->variants, i);
		const struct scenario_options options = {v->name, NULL};
		GError *error = NULL;
		struct scenario *s = scenario_load(path, &options, &error);

		ck_assert_msg(s != NULL, "%s", error ? error->message : "");
		ck_assert_str_eq(s->variant, v->name);
		scenario_free(s);
	}
	scenario_free(plain);
}
END_TEST

static Suite *
loader_suite(void)
{
	Suite *suite = suite_create("loader");
	TCase *good = tcase_create("good"), *wrong = tcase_create("bad");

	tcase_add_test(good, test_members);
	tcase_add_test(good, test_precedence);
	tcase_add_test(good, test_variants_in_order);
	tcase_add_test(good, test_iteration);
	tcase_add_test(good, test_steps_of_a_body);
	tcase_add_test(good, test_expressions);
	tcase_add_loop_test(good, test_shipped, 0, 2);
	suite_add_tcase(suite, good);
	tcase_add_loop_test(wrong, test_counts, 0, G_N_ELEMENTS(counts));
	tcase_add_test(wrong, test_count_of_all_phases);
	tcase_add_loop_test(wrong, test_bad, 0, G_N_ELEMENTS(bad));
	tcase_add_test(wrong, test_no_scenario);
	tcase_add_test(wrong, test_cut_off);
	tcase_set_timeout(wrong, 60);
	suite_add_tcase(suite, wrong);
	return suite;
}

int
main(int argc, char **argv)
{
	SRunner *runner = srunner_create(loader_suite());
	int failed;

	folder = argc > 1 ? argv[1] : "topologies";
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
