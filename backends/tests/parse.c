/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parse.c - the registry, and what --backend=SPEC makes of a text. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "variants.h"

START_TEST(registry_is_sorted_and_found)
{
	for (unsigned i = 0; i < backend_count(); i++) {
		const struct backend *b = backend_at(i);

		ck_assert_ptr_eq(backend_by_name(b->name), b);
		ck_assert(i == 0 || strcmp(backend_at(i - 1)->name, b->name) < 0);
		ck_assert_uint_gt(strlen(b->summary), 0);
	}
	ck_assert_ptr_null(backend_by_name("no-such-backend"));
}
END_TEST

/* What 'sim list backends' prints must be whole, and hold what it says. */
START_TEST(parameters_are_declared_in_full)
{
	for (unsigned i = 0; i < backend_count(); i++) {
		const struct backend_param *p = backend_at(i)->params;

		for (unsigned at = 0; at < BACKEND_MAX_PARAMS && p[at].name; at++) {
			ck_assert_ptr_nonnull(p[at].help);
			ck_assert(p[at].fallback >= p[at].min && p[at].fallback <= p[at].max);
			for (uint64_t word = 0; p[at].words && word <= p[at].max; word++)
				ck_assert_ptr_nonnull(p[at].words[word]);
			ck_assert(!p[at].words || !p[at].words[p[at].max + 1]);
		}
	}
}
END_TEST

START_TEST(text_of_a_choice_is_parsed_to_it)
{
	const char *text = variant_at(_i);
	struct backend_choice choice, again;
	g_autofree char *printed = NULL;

	ck_assert(backend_parse(text, &choice, NULL));
	printed = backend_choice_text(&choice);
	ck_assert_str_eq(printed, text);
	ck_assert(backend_parse(printed, &again, NULL));
	ck_assert(memcmp(&choice, &again, sizeof choice) == 0);
}
END_TEST

static const struct {
	const char *text, *shortest;
} good[] = {
	{"hash", "hash"},
	{"hash:buckets=256", "hash"},
	{"hash:buckets=1", "hash:buckets=1"},
	{"hash:buckets=1048576", "hash:buckets=1048576"},
	{"hash:buckets=064", "hash:buckets=64"},
	{"list:walk=counted", "list"},
	{"list:walk=literal", "list:walk=literal"},
	{"rcu-list:walk=literal", "rcu-list:walk=literal"},
	{"hash:walk=literal,buckets=1", "hash:buckets=1,walk=literal"},
	{"rhashtable:buckets=64,min=4,shrink=on", "rhashtable"},
	{"rhashtable:shrink=off,max=8", "rhashtable:max=8,shrink=off"},
};

START_TEST(good_text)
{
	struct backend_choice choice;
	g_autofree char *printed = NULL;

	ck_assert(backend_parse(good[_i].text, &choice, NULL));
	printed = backend_choice_text(&choice);
	ck_assert_str_eq(printed, good[_i].shortest);
}
END_TEST

static const struct {
	const char *text;
	enum backend_error code;
	const char *says; /* part of the message */
} bad[] = {
	{"", BACKEND_ERROR_SYNTAX, "NAME[:param=value"},
	{":buckets=4", BACKEND_ERROR_SYNTAX, "NAME[:param=value"},
	{"lsit", BACKEND_ERROR_UNKNOWN, "hash, list, rbtree, rcu-list, rhashtable"},
	{"LIST", BACKEND_ERROR_UNKNOWN, "unknown backend 'LIST'"},
	{"rcu_list", BACKEND_ERROR_UNKNOWN, "rcu-list"},
	{"hash ", BACKEND_ERROR_UNKNOWN, "unknown backend 'hash '"},
	{"hash:", BACKEND_ERROR_SYNTAX, "param=value"},
	{"hash:buckets", BACKEND_ERROR_SYNTAX, "'buckets' is not of the form param=value"},
	{"hash:buckets=", BACKEND_ERROR_RANGE, "a power of two from 1 to 1048576, not ''"},
	{"hash:buckets=3", BACKEND_ERROR_RANGE, "a power of two from 1 to 1048576, not '3'"},
	{"hash:buckets=0", BACKEND_ERROR_RANGE, "from 1 to"},
	{"hash:buckets=2097152", BACKEND_ERROR_RANGE, "to 1048576"},
	{"hash:buckets=18446744073709551616", BACKEND_ERROR_RANGE, "to 1048576"},
	{"hash:buckets=-1", BACKEND_ERROR_RANGE, "not '-1'"},
	{"hash:buckets=+4", BACKEND_ERROR_RANGE, "not '+4'"},
	{"hash:buckets=0x10", BACKEND_ERROR_RANGE, "not '0x10'"},
	{"hash:buckets=4 ", BACKEND_ERROR_RANGE, "not '4 '"},
	{"hash:buckets=4=4", BACKEND_ERROR_RANGE, "not '4=4'"},
	{"hash:bucket=4", BACKEND_ERROR_UNKNOWN, "no parameter 'bucket'; it has: buckets, walk"},
	{"hash:=4", BACKEND_ERROR_UNKNOWN, "no parameter ''"},
	{"hash:buckets=4,", BACKEND_ERROR_SYNTAX, "'' is not of the form"},
	{"hash:buckets=4,buckets=4", BACKEND_ERROR_SYNTAX, "buckets is given twice"},
	{"hash:buckets=4:buckets=4", BACKEND_ERROR_RANGE, "not '4:buckets=4'"},
	{"rbtree:depth=3", BACKEND_ERROR_UNKNOWN, "no parameter 'depth'; it has: none"},
	{"rhashtable:min=2", BACKEND_ERROR_RANGE, "a power of two from 4 to 65536, not '2'"},
	{"rhashtable:max=1000", BACKEND_ERROR_RANGE, "a power of two from 4 to"},
	{"rhashtable:shrink=yes", BACKEND_ERROR_UNKNOWN, "one of: on, off; not 'yes'"},
	{"list:walk=fast", BACKEND_ERROR_UNKNOWN, "one of: counted, literal; not 'fast'"},
	{"list:walk=1", BACKEND_ERROR_UNKNOWN, "one of: counted, literal"},
};

START_TEST(bad_text)
{
	struct backend_choice choice = {.param = {42}}, before = choice;
	g_autoptr(GError) error = NULL;

	ck_assert(!backend_parse(bad[_i].text, &choice, &error));
	ck_assert(g_error_matches(error, BACKEND_ERROR, bad[_i].code));
	ck_assert_msg(strstr(error->message, bad[_i].says), "'%s': %s", bad[_i].text,
		      error->message);
	ck_assert_ptr_null(strchr(error->message, '\n'));
	ck_assert(memcmp(&choice, &before, sizeof choice) == 0);
	ck_assert(!backend_parse(bad[_i].text, &choice, NULL));
}
END_TEST

int
main(void)
{
	SRunner *sr;
	TCase *tc = tcase_create("parse");
	Suite *suite = suite_create("parse");
	int failed;

	tcase_add_test(tc, registry_is_sorted_and_found);
	tcase_add_test(tc, parameters_are_declared_in_full);
	tcase_add_loop_test(tc, text_of_a_choice_is_parsed_to_it, 0, variant_count());
	tcase_add_loop_test(tc, good_text, 0, G_N_ELEMENTS(good));
	tcase_add_loop_test(tc, bad_text, 0, G_N_ELEMENTS(bad));
	suite_add_tcase(suite, tc);
	sr = srunner_create(suite);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
