/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-json.c - a result as one JSON document, "netstruct-result/1".
 *
 * Written by hand because jansson can hold neither a seed above 2^63 nor a
 * time that prints exactly.  The order of the keys is documented in
 * results/README.md. */
#include "report/report.h"

#include <string.h>

#include "report/metric.h"
#include "report/text.h"

struct writer {
	GString *out;
	unsigned depth;
	bool empty; /* the innermost object or array, so far */
};

static void
line(struct writer *w)
{
	g_string_append_printf(w->out, "\n%*s", (int)w->depth * 2, "");
}

/* Before each member of an object (with its key) or of an array (null). */
static void
member(struct writer *w, const char *key)
{
	if (!w->empty)
		g_string_append_c(w->out, ',');
	line(w);
	w->empty = false;
	if (key) {
		text_json(w->out, key);
		g_string_append(w->out, ": ");
	}
}

static void
open_with(struct writer *w, char bracket)
{
	g_string_append_c(w->out, bracket);
	w->depth++;
	w->empty = true;
}

static void
close_with(struct writer *w, char bracket)
{
	w->depth--;
	if (!w->empty)
		line(w);
	g_string_append_c(w->out, bracket);
	w->empty = false;
}

static void
string(struct writer *w, const char *key, const char *value)
{
	member(w, key);
	text_json(w->out, value);
}

static void
number(struct writer *w, const char *key, uint64_t value)
{
	member(w, key);
	g_string_append_printf(w->out, "%" PRIu64, value);
}

static void
metric_members(struct writer *w, const struct metric *list, const void *object)
{
	for (const struct metric *m = list; m->name; m++) {
		member(w, m->name);
		metric_append(m, object, w->out);
	}
}

static void
metrics(struct writer *w, const char *key, const struct metric *list, const void *object)
{
	member(w, key);
	open_with(w, '{');
	metric_members(w, list, object);
	close_with(w, '}');
}

static void
write_params(struct writer *w, const json_t *params)
{
	const char *name;
	json_t *value;

	member(w, "params");
	open_with(w, '{');
	json_object_foreach((json_t *)params, name, value)
	{
		member(w, name);
		g_string_append_printf(w->out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	}
	close_with(w, '}');
}

static void
boolean(struct writer *w, const char *key, bool value)
{
	member(w, key);
	g_string_append(w->out, value ? "true" : "false");
}

static void
write_kernel(struct writer *w, const json_t *kernel)
{
	const char *name;
	json_t *value;

	member(w, "kernel");
	open_with(w, '{');
	json_object_foreach((json_t *)kernel, name, value)
	{
		if (json_is_boolean(value))
			boolean(w, name, json_is_true(value));
		else
			string(w, name, json_string_value(value));
	}
	close_with(w, '}');
}

static void
write_backends(struct writer *w, const struct run_result *r)
{
	GPtrArray *tables = run_result_tables(r);

	member(w, "backends");
	open_with(w, '{');
	for (unsigned i = 0; i < tables->len; i++) {
		const struct table_result *t = g_ptr_array_index(tables, i);

		string(w, t->name, t->backend);
	}
	close_with(w, '}');
	g_ptr_array_unref(tables);
}

/* A phase without a dump has no such member. */
static void
write_dumps(struct writer *w, const struct phase_result *p)
{
	uint64_t left_out = phase_result_dumps_left_out(p);

	if (p->dumps->len == 0)
		return;
	member(w, "dumps");
	open_with(w, '[');
	for (unsigned i = 0; i < p->dumps->len; i++) {
		const struct dump_record *d = &g_array_index(p->dumps, struct dump_record, i);

		member(w, NULL);
		open_with(w, '{');
		string(w, "what", d->what);
		string(w, "algorithm", d->algorithm);
		metric_members(w, metrics_of_dump, d);
		boolean(w, "interrupted", d->interrupted);
		close_with(w, '}');
	}
	close_with(w, ']');
	if (left_out > 0)
		number(w, "dumps_left_out", left_out);
}

/* How busy the CPU was while its sender sent. */
static void
write_cpu(struct writer *w, const struct traffic_record *r)
{
	uint64_t ps = r->end_ps - r->start_ps;

	member(w, NULL);
	open_with(w, '{');
	number(w, "cpu", r->cpu);
	number(w, "packets", r->packets);
	member(w, "busy_s");
	text_seconds(w->out, r->busy_ps);
	member(w, "utilisation");
	text_real(w->out,
		  ps > 0 ? (double)(uint64_t)((double)r->busy_ps / (double)ps * 1e6 + 0.5) / 1e6
			 : 0);
	close_with(w, '}');
}

static void
write_total(struct writer *w, const struct phase_result *p, const struct traffic_total *t)
{
	member(w, NULL);
	open_with(w, '{');
	string(w, "kind", t->kind);
	metric_members(w, metrics_of_traffic, t);
	member(w, "cpus");
	open_with(w, '[');
	for (unsigned i = 0; i < p->traffic->len; i++) {
		const struct traffic_record *r =
			&g_array_index(p->traffic, struct traffic_record, i);

		if (strcmp(r->kind, t->kind) == 0)
			write_cpu(w, r);
	}
	close_with(w, ']');
	close_with(w, '}');
}

static void
write_traffic(struct writer *w, const struct phase_result *p)
{
	g_autoptr(GArray) totals = phase_result_traffic(p);

	if (totals->len == 0)
		return;
	member(w, "traffic");
	open_with(w, '[');
	for (unsigned i = 0; i < totals->len; i++)
		write_total(w, p, &g_array_index(totals, struct traffic_total, i));
	close_with(w, ']');
}

static void
write_profile(struct writer *w, const struct phase_result *p)
{
	if (!p->profile)
		return;
	member(w, "profile");
	open_with(w, '[');
	for (unsigned i = 0; i < p->profile->len; i++) {
		const struct profile_symbol *s =
			&g_array_index(p->profile, struct profile_symbol, i);

		member(w, NULL);
		open_with(w, '{');
		string(w, "symbol", s->symbol);
		boolean(w, "user", s->user);
		metric_members(w, metrics_of_symbol, s);
		close_with(w, '}');
	}
	close_with(w, ']');
}

static void
write_phase_members(struct writer *w, const struct phase_result *p)
{
	member(w, "tables");
	open_with(w, '{');
	for (unsigned i = 0; i < p->tables->len; i++) {
		const struct table_result *t = &g_array_index(p->tables, struct table_result, i);

		metrics(w, t->name, metrics_of_table, t);
	}
	close_with(w, '}');
	member(w, "calls");
	open_with(w, '{');
	for (unsigned i = 0; i < p->calls->len; i++) {
		const struct call_result *c = &g_array_index(p->calls, struct call_result, i);

		number(w, c->name, c->count);
	}
	close_with(w, '}');
	member(w, "locks");
	open_with(w, '{');
	for (unsigned i = 0; i < p->locks->len; i++) {
		const struct lock_result *l = &g_array_index(p->locks, struct lock_result, i);

		metrics(w, l->name, metrics_of_lock, &l->stats);
	}
	close_with(w, '}');
	metrics(w, "rcu", metrics_of_rcu, &p->rcu);
	write_dumps(w, p);
	write_traffic(w, p);
	write_profile(w, p);
}

static void
write_phase(struct writer *w, const struct phase_result *p)
{
	g_assert(p->end_ps >= p->start_ps);
	member(w, NULL);
	open_with(w, '{');
	string(w, "name", p->name);
	number(w, "commands", p->commands);
	number(w, "failed", p->failed);
	member(w, "predicted_s");
	text_seconds(w->out, p->end_ps - p->start_ps);
	for (unsigned i = 0; i < PUBLISHED_FIGURES; i++) {
		if (!published_has(&p->published, i))
			continue;
		member(w, published_names[i].metric);
		text_real(w->out, p->published.figure[i]);
	}
	write_phase_members(w, p);
	close_with(w, '}');
}

static void
json_write(const struct run_result *r, GString *out)
{
	struct writer w = {.out = out};

	open_with(&w, '{');
	string(&w, "format", "netstruct-result/1");
	string(&w, "scenario", r->scenario);
	string(&w, "variant", r->variant);
	write_params(&w, r->params);
	number(&w, "seed", r->seed);
	string(&w, "machine", r->machine);
	write_kernel(&w, r->kernel);
	write_backends(&w, r);
	member(&w, "phases");
	open_with(&w, '[');
	for (unsigned i = 0; i < r->phases->len; i++)
		write_phase(&w, g_ptr_array_index(r->phases, i));
	close_with(&w, ']');
	if (r->failure)
		string(&w, "failure", r->failure);
	string(&w, "fingerprint", r->fingerprint);
	close_with(&w, '}');
	g_string_append_c(out, '\n');
}

const struct report_format report_json = {
	.name = "json",
	.help = "one document, exact figures (netstruct-result/1)",
	.write = json_write,
};
