/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-rows.c - a result as one long table: one figure a row, as CSV or as
 * JSON Lines.
 *
 * A metric's name is its path in the JSON document ("calls.dev_mc_add"), and
 * the rows of many runs can be put one after the other: 'run' tells them apart. */
#include "report/report.h"

#include <math.h>

#include "report/metric.h"
#include "report/text.h"

#define RUN_ID_DIGITS 12

struct rows {
	const struct run_result *result;
	GString *out;
	void (*write)(struct rows *, const char *metric, const char *unit);
	char *run, *backends;
	char *n; /* the scenario's size, or null */

	/* Of the current row. */
	const char *phase, *table, *backend; /* table null: not of a table */
	GString *metric, *value;
};

static void
csv_row(struct rows *w, const char *metric, const char *unit)
{
	const char *const field[] = {
		w->run,
		w->result->scenario,
		w->result->variant,
		w->phase,
		w->table,
		w->backend,
		w->n,
		metric,
		w->value->str,
		unit,
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(field); i++) {
		if (i > 0)
			g_string_append_c(w->out, ',');
		text_csv(w->out, field[i]);
	}
	g_string_append_c(w->out, '\n');
}

static void
jsonl_string(struct rows *w, const char *key, const char *value)
{
	g_string_append_printf(w->out, "\"%s\":", key);
	text_json(w->out, value);
	g_string_append_c(w->out, ',');
}

static void
jsonl_number(struct rows *w, const char *key, const char *digits)
{
	g_string_append_printf(w->out, "\"%s\":%s,", key, digits ? digits : "null");
}

static void
jsonl_row(struct rows *w, const char *metric, const char *unit)
{
	g_string_append_c(w->out, '{');
	jsonl_string(w, "run", w->run);
	jsonl_string(w, "scenario", w->result->scenario);
	jsonl_string(w, "variant", w->result->variant);
	jsonl_string(w, "phase", w->phase);
	jsonl_string(w, "table", w->table);
	jsonl_string(w, "backend", w->backend);
	jsonl_number(w, "n", w->n);
	jsonl_string(w, "metric", metric);
	jsonl_number(w, "value", w->value->str);
	g_string_append_printf(w->out, "\"unit\":\"%s\"}\n", unit);
}

static void
kernel_identity(const json_t *kernel, GString *s)
{
	const char *name;
	json_t *value;

	g_string_append(s, ",\"kernel\":{");
	json_object_foreach((json_t *)kernel, name, value)
	{
		g_string_append(s, s->str[s->len - 1] == '{' ? "" : ",");
		text_json(s, name);
		g_string_append_c(s, ':');
		if (json_is_boolean(value))
			g_string_append(s, json_is_true(value) ? "true" : "false");
		else
			text_json(s, json_string_value(value));
	}
	g_string_append_c(s, '}');
}

/* What makes a run what it is, and nothing of what it found: equal texts,
 * equal results.  results/README.md tells readers how to make it. */
static char *
run_identity(const struct run_result *r, GPtrArray *tables)
{
	GString *s = g_string_new("{\"scenario\":");
	const char *name;
	json_t *value;

	text_json(s, r->scenario);
	g_string_append(s, ",\"variant\":");
	text_json(s, r->variant);
	g_string_append(s, ",\"params\":{");
	json_object_foreach(r->params, name, value)
	{
		g_string_append(s, s->str[s->len - 1] == '{' ? "" : ",");
		text_json(s, name);
		g_string_append_printf(s, ":%" JSON_INTEGER_FORMAT, json_integer_value(value));
	}
	g_string_append_printf(s, "},\"seed\":%" PRIu64 ",\"machine\":", r->seed);
	text_json(s, r->machine);
	kernel_identity(r->kernel, s);
	g_string_append(s, ",\"backends\":{");
	for (unsigned i = 0; i < tables->len; i++) {
		const struct table_result *t = g_ptr_array_index(tables, i);

		g_string_append(s, i > 0 ? "," : "");
		text_json(s, t->name);
		g_string_append_c(s, ':');
		text_json(s, t->backend);
	}
	g_string_append(s, "}}");
	return g_string_free(s, FALSE);
}

static char *
run_id(const struct run_result *r, GPtrArray *tables)
{
	g_autofree char *identity = run_identity(r, tables);
	char *id = g_compute_checksum_for_string(G_CHECKSUM_SHA256, identity, -1);

	id[RUN_ID_DIGITS] = '\0';
	return id;
}

static char *
first_param(const json_t *params)
{
	void *first = json_object_iter((json_t *)params);

	if (!first)
		return NULL;
	return g_strdup_printf("%" JSON_INTEGER_FORMAT,
			       json_integer_value(json_object_iter_value(first)));
}

/* What follows belongs to no one table, and so to the backends of all. */
static void
no_table(struct rows *w)
{
	w->table = NULL;
	w->backend = w->backends;
}

static void
number_row(struct rows *w, const char *metric, uint64_t value)
{
	g_string_printf(w->value, "%" PRIu64, value);
	w->write(w, metric, "count");
}

static void
metric_rows(struct rows *w, const char *prefix, const struct metric *list, const void *object)
{
	for (const struct metric *m = list; m->name; m++) {
		g_string_printf(w->metric, "%s%s", prefix, m->name);
		g_string_truncate(w->value, 0);
		metric_append(m, object, w->value);
		w->write(w, w->metric->str, m->unit);
	}
}

static void
seconds_rows(struct rows *w, const struct phase_result *p)
{
	g_string_truncate(w->value, 0);
	text_seconds(w->value, p->end_ps - p->start_ps);
	w->write(w, "predicted_s", "s");
	for (unsigned i = 0; i < PUBLISHED_FIGURES; i++) {
		if (!published_has(&p->published, i))
			continue;
		g_string_truncate(w->value, 0);
		text_real(w->value, p->published.figure[i]);
		w->write(w, published_names[i].metric, published_names[i].unit);
	}
}

static void
table_rows(struct rows *w, const struct phase_result *p)
{
	for (unsigned i = 0; i < p->tables->len; i++) {
		const struct table_result *t = &g_array_index(p->tables, struct table_result, i);

		w->table = t->name;
		w->backend = t->backend;
		metric_rows(w, "", metrics_of_table, t);
	}
}

/* "dumps.fdb.0.lost": what it was of, and its place among the phase's dumps. */
static void
dump_rows(struct rows *w, const struct phase_result *p)
{
	uint64_t left_out = phase_result_dumps_left_out(p);

	for (unsigned i = 0; i < p->dumps->len; i++) {
		const struct dump_record *d = &g_array_index(p->dumps, struct dump_record, i);
		g_autofree char *prefix = g_strdup_printf("dumps.%s.%u.", d->what, i);

		metric_rows(w, prefix, metrics_of_dump, d);
		g_string_printf(w->metric, "%sinterrupted", prefix);
		number_row(w, w->metric->str, d->interrupted);
	}
	if (left_out > 0)
		number_row(w, "dumps_left_out", left_out);
}

static void
traffic_rows(struct rows *w, const struct phase_result *p)
{
	g_autoptr(GArray) totals = phase_result_traffic(p);

	for (unsigned i = 0; i < totals->len; i++) {
		const struct traffic_total *t = &g_array_index(totals, struct traffic_total, i);
		g_autofree char *prefix = g_strdup_printf("traffic.%s.", t->kind);

		metric_rows(w, prefix, metrics_of_traffic, t);
	}
}

static void
profile_rows(struct rows *w, const struct phase_result *p)
{
	for (unsigned i = 0; p->profile && i < p->profile->len; i++) {
		const struct profile_symbol *s =
			&g_array_index(p->profile, struct profile_symbol, i);
		g_autofree char *prefix =
			g_strdup_printf("profile.%s%s.", s->user ? "user." : "", s->symbol);

		metric_rows(w, prefix, metrics_of_symbol, s);
	}
}

static void
phase_rows(struct rows *w, const struct phase_result *p)
{
	g_assert(p->end_ps >= p->start_ps);
	w->phase = p->name;
	no_table(w);
	number_row(w, "commands", p->commands);
	number_row(w, "failed", p->failed);
	seconds_rows(w, p);
	table_rows(w, p);
	no_table(w);
	for (unsigned i = 0; i < p->calls->len; i++) {
		const struct call_result *c = &g_array_index(p->calls, struct call_result, i);

		g_string_printf(w->metric, "calls.%s", c->name);
		number_row(w, w->metric->str, c->count);
	}
	for (unsigned i = 0; i < p->locks->len; i++) {
		const struct lock_result *l = &g_array_index(p->locks, struct lock_result, i);
		g_autofree char *prefix = g_strdup_printf("locks.%s.", l->name);

		metric_rows(w, prefix, metrics_of_lock, &l->stats);
	}
	metric_rows(w, "rcu.", metrics_of_rcu, &p->rcu);
	dump_rows(w, p);
	traffic_rows(w, p);
	profile_rows(w, p);
}

static void
rows_write(const struct run_result *r, GString *out,
	   void (*write)(struct rows *, const char *metric, const char *unit))
{
	GPtrArray *tables = run_result_tables(r);
	struct rows w = {
		.result = r,
		.out = out,
		.write = write,
		.run = run_id(r, tables),
		.backends = run_result_backends(r),
		.n = first_param(r->params),
		.metric = g_string_new(NULL),
		.value = g_string_new(NULL),
	};

	for (unsigned i = 0; i < r->phases->len; i++)
		phase_rows(&w, g_ptr_array_index(r->phases, i));
	g_string_free(w.metric, TRUE);
	g_string_free(w.value, TRUE);
	g_free(w.run);
	g_free(w.backends);
	g_free(w.n);
	g_ptr_array_unref(tables);
}

static void
csv_write(const struct run_result *r, GString *out)
{
	g_string_append(out, "run,scenario,variant,phase,table,backend,n,metric,value,unit\n");
	rows_write(r, out, csv_row);
}

static void
jsonl_write(const struct run_result *r, GString *out)
{
	rows_write(r, out, jsonl_row);
}

const struct report_format report_csv = {
	.name = "csv",
	.help = "one figure a row, for spreadsheets, R and pandas",
	.write = csv_write,
};

const struct report_format report_jsonl = {
	.name = "jsonl",
	.help = "the rows of csv as JSON Lines",
	.write = jsonl_write,
};
