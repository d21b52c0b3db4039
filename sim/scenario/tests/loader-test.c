/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loader-test.c - scenario files: what is read from good ones; what is no scenario,
 * and what is too much of one.  Bad ones are loader-errors.c's. */
#include <check.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "load-text.h"
#include "net/af-netlink.h"
#include "net/rtnl-fdb-dump.h"
#include "scenario/kernel-option.h"

static const char *folder; /* of the shipped scenarios */

static struct scenario *
load_good(const char *text, const char *variant, const char *const *params)
{
	const struct scenario_options options = {.variant = variant, .params = params};
	GError *error = NULL;
	struct scenario *s = load_text(text, &options, &error);

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
	"  \"published\": { \"b\": { \"two\": { \"real_s\": 1.5 } } },\n"
	"  \"published_at\": [ { \"params\": { \"m\": 7 },\n"
	"    \"published\": { \"b\": { \"two\": { \"real_s\": 2.5 } } } } ] }\n";

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
	ck_assert_double_lt(two->published.figure[PUBLISHED_REAL_S], 0);
	scenario_free(s);
}
END_TEST

static double
published_of(const char *variant, const char *param)
{
	struct scenario *s =
		load_good(full, variant, param ? (const char *const[]){param, NULL} : NULL);
	const struct phase *two = s->phases->pdata[2];
	double figure = two->published.figure[PUBLISHED_REAL_S];

	ck_assert_uint_eq(json_array_size(s->published_at), 1);
	scenario_free(s);
	return figure;
}

/* What is published is that of the variant and of these parameters. */
START_TEST(test_published)
{
	ck_assert_double_eq(published_of("b", NULL), 1.5);
	ck_assert_double_eq(published_of("b", "n=5"), 1.5);
	ck_assert_double_eq(published_of("b", "m=7"), 2.5);
	ck_assert_double_lt(published_of("b", "m=6"), 0);
	ck_assert_double_lt(published_of("b", "n=3"), 0);
	ck_assert_double_lt(published_of("a", NULL), 0);
	ck_assert_double_lt(published_of(NULL, NULL), 0);
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
	ck_assert_double_eq(
		((const struct phase *)s->phases->pdata[2])->published.figure[PUBLISHED_REAL_S],
		1.5);
	ck_assert_double_lt(
		((const struct phase *)s->phases->pdata[1])->published.figure[PUBLISHED_REAL_S], 0);
	scenario_free(s);

	s = load_good(full, "a", (const char *const[]){"n=7", "n=2", NULL});
	ck_assert_int_eq(param(s, "n"), 2);
	ck_assert(s->previous_namespace && !s->kernel.gvrp);
	ck_assert_str_eq(g_hash_table_lookup(s->backends, "*"), "rbtree");
	scenario_free(s);

	s = load_text(full, &(struct scenario_options){.variant = "b", .params = params}, NULL);
	ck_assert_ptr_null(s); /* a loop would run from 1 to -1 */
	s = load_good(full, "b", (const char *const[]){"again=0", NULL});
	ck_assert(!s->previous_namespace);
	scenario_free(s);
}
END_TEST

/* The kernel: what nobody sets, the file, its variant, a parameter, and the user. */
START_TEST(test_kernel_options)
{
	static const char text[] =
		"{ \"name\": \"t\", \"params\": { \"f\": { \"default\": 0, \"max\": 1 } },\n"
		"  \"kernel\": { \"fdb_dump\": \"restart\", \"skb\": \"3776\", \"mvrp\": \"$f\" "
		"},\n"
		"  \"phases\": [ { \"name\": \"p\", \"run\": [ \"true\" ] } ], \"variants\": {\n"
		"    \"v\": { \"kernel\": { \"fdb_dump\": \"resume-posted\", \"version\": \"5.10\" "
		"} } } }";
	static const char *const chosen[] = {"fdb_dump=cursor", "mvrp=1", "skb=16384", "skb=auto",
					     NULL};
	static const struct {
		const char *variant;
		const char *const *kernel;
		unsigned version;
		bool mvrp;
		unsigned fdb_dump, skb;
	} cases[] = {
		{NULL, NULL, KERNEL_6_1, false, FDB_DUMP_RESTART, NETLINK_SKB_3776},
		{"v", NULL, KERNEL_5_10, false, FDB_DUMP_RESUME_POSTED, NETLINK_SKB_3776},
		{"v", chosen, KERNEL_5_10, true, FDB_DUMP_CURSOR, NETLINK_SKB_AUTO},
	};
	const struct scenario_options options = {.variant = cases[_i].variant,
						 .kernel = cases[_i].kernel};
	struct scenario *s = load_text(text, &options, NULL);

	ck_assert_ptr_nonnull(s);
	ck_assert_uint_eq(s->kernel.version, cases[_i].version);
	ck_assert(s->kernel.gvrp && s->kernel.mvrp == cases[_i].mvrp);
	ck_assert_uint_eq(s->kernel.fdb_dump, cases[_i].fdb_dump);
	ck_assert_uint_eq(s->kernel.skb, cases[_i].skb);
	scenario_free(s);
}
END_TEST

/* Every word is stored as itself, and is what a file would say. */
START_TEST(test_kernel_words)
{
	struct kernel_options k = kernel_option_defaults();
	const struct kernel_option *o = kernel_option_at((unsigned)_i);
	json_t *json;

	ck_assert_str_eq(kernel_option_get(o, &k), o->fallback);
	ck_assert_ptr_eq(kernel_option_by_name(o->name, strlen(o->name)), o);
	ck_assert_ptr_null(kernel_option_by_name(o->name, strlen(o->name) - 1));
	ck_assert(!kernel_option_set(o, &k, ""));
	for (unsigned n = 0; o->words[n]; n++) {
		ck_assert(kernel_option_set(o, &k, o->words[n]));
		ck_assert_str_eq(kernel_option_get(o, &k), o->words[n]);
		json = kernel_option_json(&k);
		ck_assert_uint_eq(json_object_size(json), KERNEL_OPTIONS);
		if (o->is_flag)
			ck_assert(json_is_boolean(json_object_get(json, o->name)));
		else
			ck_assert_str_eq(json_string_value(json_object_get(json, o->name)),
					 o->words[n]);
		json_decref(json);
	}
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
	struct scenario *s = load_text(text, NULL, &error);

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
		load_text("{ \"name\": \"t\", \"setup\": [ \"ip netns add a\" ], \"phases\": [\n"
			  " { \"name\": \"p\", \"for\": { \"i\": \"1..1000000\" },\n"
			  "   \"run\": [ \"ip netns add n$i\", \"ip netns del n$i\" ] } ] }",
			  NULL, &error));
	ck_assert_str_eq(error->message, ":2:31: a loop from 1 to 1000000 makes more than 2000000 "
					 "commands in all");
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
		ck_assert_ptr_null(load_text(texts[i], NULL, &error));
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

		ck_assert_ptr_null(load_text(text, NULL, &error));
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
		const struct scenario_options options = {.variant = v->name};
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
	tcase_add_test(good, test_published);
	tcase_add_test(good, test_precedence);
	tcase_add_loop_test(good, test_kernel_options, 0, 3);
	tcase_add_loop_test(good, test_kernel_words, 0, KERNEL_OPTIONS);
	tcase_add_test(good, test_variants_in_order);
	tcase_add_test(good, test_iteration);
	tcase_add_test(good, test_steps_of_a_body);
	tcase_add_test(good, test_expressions);
	tcase_add_loop_test(good, test_shipped, 0, 2);
	suite_add_tcase(suite, good);
	tcase_add_loop_test(wrong, test_counts, 0, G_N_ELEMENTS(counts));
	tcase_add_test(wrong, test_count_of_all_phases);
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
