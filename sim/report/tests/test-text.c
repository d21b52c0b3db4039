/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test-text.c - figures and names as text: exact where they must be, and never
 * wider than they may be. */
#include <check.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "engine/random.h"
#include "report/text.h"

static const char *
seconds(GString *out, uint64_t ps)
{
	g_string_truncate(out, 0);
	text_seconds(out, ps);
	return out->str;
}

START_TEST(test_seconds)
{
	GString *s = g_string_new(NULL);

	ck_assert_str_eq(seconds(s, 0), "0.0");
	ck_assert_str_eq(seconds(s, 1), "0.000000000001");
	ck_assert_str_eq(seconds(s, UINT64_C(10)), "0.00000000001");
	ck_assert_str_eq(seconds(s, UINT64_C(999999999999)), "0.999999999999");
	ck_assert_str_eq(seconds(s, UINT64_C(1000000000000)), "1.0");
	ck_assert_str_eq(seconds(s, UINT64_C(108350000000000)), "108.35");
	ck_assert_str_eq(seconds(s, UINT64_MAX), "18446744.073709551615");
	g_string_free(s, TRUE);
}
END_TEST

static const char *
real(GString *out, double value)
{
	g_string_truncate(out, 0);
	text_real(out, value);
	return out->str;
}

START_TEST(test_real)
{
	GString *s = g_string_new(NULL);
	struct rng rng = {1};

	ck_assert_str_eq(real(s, 0), "0.0");
	ck_assert_str_eq(real(s, 5), "5.0");
	ck_assert_str_eq(real(s, 108.35), "108.35");
	ck_assert_str_eq(real(s, 0.1), "0.1");
	ck_assert_str_eq(real(s, 1e22), "1e+22");
	for (unsigned i = 0; i < 2000; i++) {
		uint64_t bits = rng_next(&rng);
		double value;
		json_t *back;

		memcpy(&value, &bits, sizeof value);
		if (value != value || value - value != 0)
			continue;
		back = json_loads(real(s, value), JSON_DECODE_ANY, NULL);
		ck_assert_msg(json_is_real(back), "%s", s->str);
		ck_assert_msg(json_real_value(back) == value, "%s", s->str);
		json_decref(back);
	}
	g_string_free(s, TRUE);
}
END_TEST

START_TEST(test_count)
{
	char buf[TEXT_FIGURE];

	ck_assert_str_eq(text_count(buf, 0, 8), "0");
	ck_assert_str_eq(text_count(buf, 999, 8), "999");
	ck_assert_str_eq(text_count(buf, 1000, 8), "1,000");
	ck_assert_str_eq(text_count(buf, 999999, 8), "999,999");
	ck_assert_str_eq(text_count(buf, 1234567, 9), "1,234,567");
	ck_assert_str_eq(text_count(buf, 1234567, 8), "1.23 M");
	ck_assert_str_eq(text_count(buf, UINT64_C(33919012500), 14), "33,919,012,500");
	ck_assert_str_eq(text_count(buf, UINT64_C(33919012500), 13), "33.92 G");
	ck_assert_str_eq(text_count(buf, UINT64_C(999949999), 8), "999.9 M");
	ck_assert_str_eq(text_count(buf, UINT64_C(999950000), 8), "1.00 G");
	ck_assert_str_eq(text_count(buf, UINT64_C(99995000), 8), "100.0 M");
	ck_assert_str_eq(text_count(buf, UINT64_MAX, 26), "18,446,744,073,709,551,615");
	ck_assert_str_eq(text_count(buf, UINT64_MAX, 25), "18.45 E");
}
END_TEST

START_TEST(test_figures_fit_their_columns)
{
	char buf[TEXT_FIGURE];
	struct rng rng = {2};

	for (unsigned i = 0; i < 5000; i++) {
		uint64_t n = rng_next(&rng) >> rng_below(&rng, 64);
		double value;

		ck_assert_msg(strlen(text_count(buf, n, 7)) <= 7, "%s", buf);
		ck_assert_msg(strlen(text_duration(buf, n)) <= 8, "%s", buf);
		memcpy(&value, &n, sizeof value);
		if (value >= 0 && value <= G_MAXDOUBLE)
			ck_assert_msg(strlen(text_decimals(buf, value, 2, 6)) <= 6, "%s", buf);
	}
}
END_TEST

START_TEST(test_duration_and_decimals)
{
	char buf[TEXT_FIGURE];

	ck_assert_str_eq(text_duration(buf, 0), "0 s");
	ck_assert_str_eq(text_duration(buf, 12000), "12.00 ns");
	ck_assert_str_eq(text_duration(buf, UINT64_C(3350000000)), "3.35 ms");
	ck_assert_str_eq(text_duration(buf, UINT64_C(108360000000000)), "108.4 s");
	ck_assert_str_eq(text_decimals(buf, 0.949, 2, 6), "0.95");
	ck_assert_str_eq(text_decimals(buf, 458.84, 2, 6), "458.84");
	ck_assert_str_eq(text_decimals(buf, 1458.84, 2, 6), "1e+03");
}
END_TEST

/* Mostly the bytes that something could trip over. */
static void
random_text(struct rng *rng, GString *out)
{
	static const char odd[] = "\"\\\b\f\n\r\t,;\x01\x1f\x7f =\xc3\xa9\xe4\xb8\xad\xcc\x81\xff";
	uint64_t length = rng_below(rng, 40);

	g_string_truncate(out, 0);
	while (length-- > 0) {
		if (rng_below(rng, 2))
			g_string_append_c(out, odd[rng_below(rng, sizeof odd - 1)]);
		else
			g_string_append_c(out, (char)(1 + rng_below(rng, 255)));
	}
}

START_TEST(test_json_strings_come_back)
{
	GString *s = g_string_new(NULL), *out = g_string_new(NULL);
	struct rng rng = {3};

	for (unsigned i = 0; i < 2000; i++) {
		char *valid;
		json_t *back;

		random_text(&rng, s);
		valid = g_utf8_make_valid(s->str, -1);
		g_string_truncate(out, 0);
		text_json(out, s->str);
		back = json_loads(out->str, JSON_DECODE_ANY, NULL);
		ck_assert_msg(json_is_string(back), "%s", out->str);
		ck_assert_str_eq(json_string_value(back), valid);
		json_decref(back);
		g_free(valid);
	}
	g_string_truncate(out, 0);
	text_json(out, NULL);
	ck_assert_str_eq(out->str, "null");
	g_string_free(out, TRUE);
	g_string_free(s, TRUE);
}
END_TEST

static const char *
csv(GString *out, const char *s)
{
	g_string_truncate(out, 0);
	text_csv(out, s);
	return out->str;
}

START_TEST(test_csv_quotes_only_what_needs_it)
{
	GString *out = g_string_new(NULL);

	ck_assert_str_eq(csv(out, "Creating vlans"), "Creating vlans");
	ck_assert_str_eq(csv(out, ""), "");
	ck_assert_str_eq(csv(out, NULL), "");
	ck_assert_str_eq(csv(out, "a,b"), "\"a,b\"");
	ck_assert_str_eq(csv(out, "say \"yes\""), "\"say \"\"yes\"\"\"");
	ck_assert_str_eq(csv(out, "two\nlines"), "\"two\nlines\"");
	ck_assert_str_eq(csv(out, "return\r"), "\"return\r\"");
	g_string_free(out, TRUE);
}
END_TEST

/* No width at all if something moves the cursor. */
static unsigned
columns(const char *s)
{
	unsigned n = 0;

	for (; *s; s = g_utf8_next_char(s)) {
		gunichar c = g_utf8_get_char(s);

		if (g_unichar_iscntrl(c))
			return UINT_MAX;
		n += g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
	}
	return n;
}

START_TEST(test_columns_are_as_wide_as_asked)
{
	GString *s = g_string_new(NULL), *left = g_string_new(NULL), *right = g_string_new(NULL);
	struct rng rng = {4};

	for (unsigned i = 0; i < 2000; i++) {
		unsigned width = 1 + (unsigned)rng_below(&rng, 50);

		random_text(&rng, s);
		g_string_truncate(left, 0);
		g_string_truncate(right, 0);
		text_left(left, s->str, width);
		text_right(right, s->str, width);
		ck_assert_uint_eq(columns(left->str), width);
		ck_assert_uint_eq(columns(right->str), width);
	}
	g_string_assign(left, "|");
	text_left(left, "abc", 5);
	text_right(left, "de", 3);
	text_left(left, "abcdef", 4);
	ck_assert_str_eq(left->str, "|abc   deabc~");
	g_string_free(right, TRUE);
	g_string_free(left, TRUE);
	g_string_free(s, TRUE);
}
END_TEST

START_TEST(test_wrapped)
{
	GString *out = g_string_new(NULL), *s = g_string_new(NULL);
	struct rng rng = {5};

	text_wrapped(out, "about", "one two three four", 7, 15);
	ck_assert_str_eq(out->str, "about  one two\n"
				   "       three\n"
				   "       four\n");
	for (unsigned i = 0; i < 1000; i++) {
		char **lines;

		random_text(&rng, s);
		g_string_truncate(out, 0);
		text_wrapped(out, "label", s->str, 7, 7 + 2 + (unsigned)rng_below(&rng, 20));
		lines = g_strsplit(out->str, "\n", -1);
		for (char **line = lines; *line; line++)
			ck_assert_uint_le(columns(*line), 7 + 2 + 19);
		g_strfreev(lines);
	}
	g_string_free(s, TRUE);
	g_string_free(out, TRUE);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("text");
	TCase *t = tcase_create("text");
	SRunner *sr;
	int failed;

	tcase_set_timeout(t, 60);
	tcase_add_test(t, test_seconds);
	tcase_add_test(t, test_real);
	tcase_add_test(t, test_count);
	tcase_add_test(t, test_figures_fit_their_columns);
	tcase_add_test(t, test_duration_and_decimals);
	tcase_add_test(t, test_json_strings_come_back);
	tcase_add_test(t, test_csv_quotes_only_what_needs_it);
	tcase_add_test(t, test_columns_are_as_wide_as_asked);
	tcase_add_test(t, test_wrapped);
	suite_add_tcase(s, t);
	sr = srunner_create(s);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
