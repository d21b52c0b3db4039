/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test-report.c - the reports of hand-made results: golden outputs, widths, and
 * what jansson reads back.
 *
 * "print-sample SAMPLE FORMAT > golden/SAMPLE.FORMAT" makes a golden file again. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "sample.h"

static GString *
written(const struct report_format *format, const char *sample)
{
	struct run_result *r = sample_new(sample);
	GString *out = g_string_new(NULL);

	ck_assert_ptr_nonnull(r);
	format->write(r, out);
	run_result_free(r);
	return out;
}

static json_t *
parsed(const char *sample)
{
	GString *out = written(&report_json, sample);
	json_error_t error;
	json_t *root = json_loadb(out->str, out->len, JSON_REJECT_DUPLICATES, &error);

	ck_assert_msg(root != NULL, "%s:%d: %s", sample, error.line, error.text);
	g_string_free(out, TRUE);
	return root;
}

START_TEST(test_formats_by_name)
{
	static const char *const names[] = {"table", "json", "csv", "jsonl"};
	const struct report_format *f;

	for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
		f = report_format_at(i);
		ck_assert_str_eq(f->name, names[i]);
		ck_assert_ptr_eq(report_format_by_name(names[i]), f);
		ck_assert(f->help[0] != '\0');
	}
	ck_assert_ptr_null(report_format_at(G_N_ELEMENTS(names)));
	ck_assert_ptr_null(report_format_by_name("xml"));
	ck_assert_ptr_null(report_format_by_name(""));
}
END_TEST

/* By the first line that differs: check's messages are short. */
static void
assert_same(const char *got, const char *want, const char *path)
{
	unsigned line = 1, length = 0;

	for (; *got == *want && *got; got++, want++)
		line += *got == '\n';
	while (got[length] && got[length] != '\n' && length < 200)
		length++;
	ck_assert_msg(*got == *want, "%s:%u: got '%.*s'", path, line, (int)length, got);
}

START_TEST(test_golden)
{
	const struct report_format *f;

	for (unsigned i = 0; (f = report_format_at(i)); i++) {
		for (const char *const *s = sample_names; *s; s++) {
			char *path = g_strdup_printf(GOLDEN "/%s.%s", *s, f->name), *want;
			GString *first = written(f, *s), *second = written(f, *s);

			ck_assert_msg(g_file_get_contents(path, &want, NULL, NULL), "no %s", path);
			assert_same(first->str, want, path);
			ck_assert(g_string_equal(first, second));
			ck_assert_uint_eq(first->len, strlen(first->str));
			g_string_free(first, TRUE);
			g_string_free(second, TRUE);
			g_free(want);
			g_free(path);
		}
	}
}
END_TEST

static unsigned
terminal_columns(const char *line)
{
	unsigned columns = 0;

	for (; *line; line = g_utf8_next_char(line)) {
		gunichar c = g_utf8_get_char(line);

		ck_assert(!g_unichar_iscntrl(c));
		columns += g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
	}
	return columns;
}

START_TEST(test_table_fits_a_mail)
{
	for (const char *const *s = sample_names; *s; s++) {
		GString *out = written(&report_table, *s);
		char **lines = g_strsplit(out->str, "\n", -1);
		unsigned count = g_strv_length(lines);

		ck_assert(g_utf8_validate(out->str, (gssize)out->len, NULL));
		for (unsigned i = 0; i < count; i++) {
			size_t length = strlen(lines[i]);

			ck_assert_msg(terminal_columns(lines[i]) <= 100, "%s: %s", *s, lines[i]);
			ck_assert_msg(length == 0 || lines[i][length - 1] != ' ', "%s: '%s'", *s,
				      lines[i]);
		}
		ck_assert(count >= 2);
		ck_assert_str_eq(lines[count - 1], "");
		ck_assert(g_str_has_prefix(lines[count - 2], "fingerprint  aaaa"));
		ck_assert_uint_eq(strlen(lines[count - 2]), 13 + 64);
		g_strfreev(lines);
		g_string_free(out, TRUE);
	}
}
END_TEST

START_TEST(test_json_says_what_the_result_holds)
{
	struct run_result *r = sample_new("ordinary");
	const struct phase_result *p = g_ptr_array_index(r->phases, 1);
	json_t *root = parsed("ordinary"), *phases = json_object_get(root, "phases");
	json_t *phase = json_array_get(phases, 1), *tables = json_object_get(phase, "tables");
	const char *name, *backends;
	int gvrp, mvrp;

	ck_assert_str_eq(json_string_value(json_object_get(root, "format")), "netstruct-result/1");
	ck_assert_uint_eq(json_array_size(phases), 2);
	ck_assert_ptr_null(json_object_get(json_array_get(phases, 0), "published_s"));
	ck_assert_double_eq(json_real_value(json_object_get(phase, "published_s")), 458.84);
	ck_assert_double_eq(json_real_value(json_object_get(phase, "published_shown")), 25000);
	ck_assert_double_eq(json_real_value(json_object_get(phase, "predicted_s")), 421.89324615);
	for (unsigned i = 0; i < p->tables->len; i++) {
		const struct table_result *t = &g_array_index(p->tables, struct table_result, i);
		json_t *table = json_object_get(tables, t->name);

#define X(member, help)                                                                            \
	ck_assert_uint_eq((uint64_t)json_integer_value(json_object_get(table, #member)),           \
			  t->probes.member);
		PROBE_LIST(X)
#undef X
		ck_assert_uint_eq((uint64_t)json_integer_value(json_object_get(table, "bytes")),
				  t->bytes);
		ck_assert_int_eq(json_unpack(root, "{s:{s:s}}", "backends", t->name, &backends), 0);
		ck_assert_str_eq(backends, t->backend);
	}
	ck_assert_int_eq(json_unpack(root, "{s:{s:s, s:b, s:b}}", "kernel", "version", &name,
				     "gvrp", &gvrp, "mvrp", &mvrp),
			 0);
	ck_assert_str_eq(name, "5.10");
	ck_assert(gvrp && !mvrp);
	ck_assert_int_eq(json_unpack(root, "{s:s}", "variant", &name), 0);
	ck_assert_str_eq(name, "before");
	json_decref(root);
	run_result_free(r);
}
END_TEST

START_TEST(test_json_carries_any_name)
{
	struct run_result *r = sample_new("extreme");
	char *want = g_utf8_make_valid(r->scenario, -1);
	GString *out = written(&report_json, "extreme");
	char *seed = g_strrstr(out->str, "\"seed\": 18446744073709551615,");
	json_t *root;

	/* Counts go beyond what jansson's integers hold; names do not. */
	ck_assert_ptr_nonnull(seed);
	root = json_loadb(out->str, out->len, JSON_DECODE_INT_AS_REAL, NULL);
	ck_assert_ptr_nonnull(root);
	ck_assert_str_eq(json_string_value(json_object_get(root, "scenario")), want);
	json_decref(root);
	g_string_free(out, TRUE);
	g_free(want);
	run_result_free(r);
}
END_TEST

START_TEST(test_json_of_little)
{
	json_t *root = parsed("empty");

	ck_assert(json_is_null(json_object_get(root, "variant")));
	ck_assert_uint_eq(json_object_size(json_object_get(root, "params")), 0);
	ck_assert(json_is_array(json_object_get(root, "phases")));
	ck_assert_ptr_null(json_object_get(root, "failure"));
	json_decref(root);
	root = parsed("stopped");
	ck_assert_str_eq(json_string_value(json_object_get(root, "failure")),
			 "ip link add d0 type dummy: RTNETLINK answers: File exists");
	json_decref(root);
}
END_TEST

/* The id that stands in the last line of the CSV. */
static char *
run_of(const struct run_result *r)
{
	GString *out = g_string_new(NULL);
	char **lines, *id;

	report_csv.write(r, out);
	lines = g_strsplit(out->str, "\n", -1);
	ck_assert(g_strv_length(lines) > 2);
	id = g_strndup(lines[g_strv_length(lines) - 2], 12);
	g_strfreev(lines);
	g_string_free(out, TRUE);
	return id;
}

static void
assert_run(const struct run_result *r, const char *want, bool equal)
{
	char *id = run_of(r);

	ck_assert_msg((strcmp(id, want) == 0) == equal, "%s and %s", id, want);
	g_free(id);
}

START_TEST(test_run_id_tells_inputs_apart_and_nothing_else)
{
	struct run_result *r = sample_new("ordinary");
	struct phase_result *p = g_ptr_array_index(r->phases, 1);
	char *id = run_of(r), *machine = r->machine, *variant = r->variant;

	p->end_ps++;
	p->failed++;
	r->fingerprint[0] = 'b';
	g_array_index(p->tables, struct table_result, 0).probes.visits++;
	assert_run(r, id, true);

	r->seed++;
	assert_run(r, id, false);
	r->seed--;
	r->machine = (char *)"none";
	assert_run(r, id, false);
	r->machine = machine;
	r->variant = NULL;
	assert_run(r, id, false);
	r->variant = variant;
	json_object_set_new(r->params, "vlans", json_integer(1501));
	assert_run(r, id, false);
	json_object_set_new(r->params, "vlans", json_integer(1500));
	assert_run(r, id, true);
	json_object_set_new(r->kernel, "gvrp", json_false());
	assert_run(r, id, false);
	json_object_set_new(r->kernel, "gvrp", json_true());
	assert_run(r, id, true);
	g_free(g_array_index(p->tables, struct table_result, 1).backend);
	g_array_index(p->tables, struct table_result, 1).backend = g_strdup("rbtree");
	assert_run(r, id, false);
	g_free(id);
	run_result_free(r);
}
END_TEST

/* A loop of commands makes many: they are counted, and the first ones are told. */
START_TEST(test_many_dumps)
{
	struct run_result *r = sample_new("stopped");
	struct phase_result *p = g_ptr_array_index(r->phases, 0);
	const struct dump_record link = {
		.what = "link", .algorithm = "", .messages = 2, .shown = 7};
	const struct dump_record fdb = {.what = "fdb", .algorithm = "resume", .messages = 3};
	GString *json = g_string_new(NULL), *table = g_string_new(NULL), *csv = g_string_new(NULL);
	json_t *root, *phase;

	for (unsigned i = 0; i < RESULT_MAX_DUMPS + 5; i++)
		phase_result_add_dump(p, &link);
	phase_result_add_dump(p, &fdb);
	ck_assert_uint_eq(phase_result_dumps_left_out(p), 6);
	report_json.write(r, json);
	root = json_loads(json->str, 0, NULL);
	phase = json_array_get(json_object_get(root, "phases"), 0);
	ck_assert_uint_eq(json_array_size(json_object_get(phase, "dumps")), RESULT_MAX_DUMPS);
	ck_assert_int_eq(json_integer_value(json_object_get(phase, "dumps_left_out")), 6);
	report_table.write(r, table);
	ck_assert_ptr_nonnull(strstr(table->str, "\n  link                   1,005     2,010 "));
	ck_assert_ptr_nonnull(strstr(table->str, "\n  fdb, resume                1         3 "));
	report_csv.write(r, csv);
	ck_assert_ptr_nonnull(strstr(csv->str, "dumps.link.999.shown,7,count\n"));
	ck_assert_ptr_null(strstr(csv->str, "dumps.link.1000."));
	ck_assert_ptr_nonnull(strstr(csv->str, "dumps_left_out,6,count\n"));
	json_decref(root);
	g_string_free(json, TRUE);
	g_string_free(table, TRUE);
	g_string_free(csv, TRUE);
	run_result_free(r);
}
END_TEST

START_TEST(test_tables_of_all_phases)
{
	struct run_result *r = sample_new("ordinary");
	static const char *const want[] = {"dev_addr", "inet6_addr", "netdev_name"};
	GPtrArray *tables = run_result_tables(r);
	char *backends = run_result_backends(r);

	ck_assert_uint_eq(tables->len, G_N_ELEMENTS(want));
	for (unsigned i = 0; i < tables->len; i++)
		ck_assert_str_eq(((struct table_result *)tables->pdata[i])->name, want[i]);
	ck_assert_str_eq(backends, "dev_addr=list inet6_addr=hash:buckets=64 netdev_name=hash");
	g_free(backends);
	g_ptr_array_unref(tables);
	run_result_free(r);
	run_result_free(NULL);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("report");
	TCase *t = tcase_create("report");
	SRunner *sr;
	int failed;

	tcase_add_test(t, test_formats_by_name);
	tcase_add_test(t, test_golden);
	tcase_add_test(t, test_table_fits_a_mail);
	tcase_add_test(t, test_json_says_what_the_result_holds);
	tcase_add_test(t, test_json_carries_any_name);
	tcase_add_test(t, test_json_of_little);
	tcase_add_test(t, test_run_id_tells_inputs_apart_and_nothing_else);
	tcase_add_test(t, test_many_dumps);
	tcase_add_test(t, test_tables_of_all_phases);
	suite_add_tcase(s, t);
	sr = srunner_create(s);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
