/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result.c - makes and frees what the runner fills and the reports read. */
#include "report/result.h"

#include <string.h>

static void
table_result_clear(void *data)
{
	struct table_result *t = data;

	g_free(t->name);
	g_free(t->backend);
}

struct phase_result *
phase_result_new(const char *name)
{
	struct phase_result *p = g_new0(struct phase_result, 1);

	p->name = g_strdup(name);
	p->published = published_none;
	p->tables = g_array_new(FALSE, TRUE, sizeof(struct table_result));
	g_array_set_clear_func(p->tables, table_result_clear);
	p->calls = g_array_new(FALSE, TRUE, sizeof(struct call_result));
	p->locks = g_array_new(FALSE, TRUE, sizeof(struct lock_result));
	p->dumps = g_array_new(FALSE, TRUE, sizeof(struct dump_record));
	p->traffic = g_array_new(FALSE, TRUE, sizeof(struct traffic_record));
	p->dump_totals = g_array_new(FALSE, TRUE, sizeof(struct dump_total));
	return p;
}

static struct dump_total *
dump_total_of(struct phase_result *p, const struct dump_record *d)
{
	struct dump_total new = {.sum = {.what = d->what, .algorithm = d->algorithm}};

	for (unsigned i = 0; i < p->dump_totals->len; i++) {
		struct dump_total *t = &g_array_index(p->dump_totals, struct dump_total, i);

		if (strcmp(t->sum.what, d->what) == 0 &&
		    strcmp(t->sum.algorithm, d->algorithm) == 0)
			return t;
	}
	g_array_append_val(p->dump_totals, new);
	return &g_array_index(p->dump_totals, struct dump_total, p->dump_totals->len - 1);
}

void
phase_result_add_dump(struct phase_result *p, const struct dump_record *d)
{
	struct dump_total *t = dump_total_of(p, d);

	t->dumps++;
	t->interrupted += d->interrupted;
	t->sum.messages += d->messages;
	t->sum.bytes += d->bytes;
	t->sum.existing += d->existing;
	t->sum.shown += d->shown;
	t->sum.lost += d->lost;
	t->sum.repeated += d->repeated;
	t->sum.restarts += d->restarts;
	if (p->dumps->len < RESULT_MAX_DUMPS)
		g_array_append_vals(p->dumps, d, 1);
}

static struct traffic_total *
traffic_total_of(GArray *totals, const struct traffic_record *r)
{
	struct traffic_total new = {.kind = r->kind, .start_ps = UINT64_MAX};

	for (unsigned i = 0; i < totals->len; i++) {
		struct traffic_total *t = &g_array_index(totals, struct traffic_total, i);

		if (strcmp(t->kind, r->kind) == 0)
			return t;
	}
	g_array_append_val(totals, new);
	return &g_array_index(totals, struct traffic_total, totals->len - 1);
}

/* Rounded; 0 where no time has passed. */
static uint64_t
a_second(const struct traffic_total *t, double n)
{
	double ps = (double)(t->end_ps - t->start_ps);

	return ps > 0 ? (uint64_t)(n * (double)PS_PER_S / ps + 0.5) : 0;
}

static void
add_traffic(struct traffic_total *t, const struct traffic_record *r)
{
	t->senders++;
	t->packets += r->packets;
	t->bytes += r->bytes;
	t->start_ps = MIN(t->start_ps, r->start_ps);
	t->end_ps = MAX(t->end_ps, r->end_ps);
	t->pps = a_second(t, (double)t->packets);
	t->bit_per_s = MIN(a_second(t, (double)t->bytes * 8), RESULT_BIT_MAX);
}

GArray *
phase_result_traffic(const struct phase_result *p)
{
	GArray *totals = g_array_new(FALSE, FALSE, sizeof(struct traffic_total));

	for (unsigned i = 0; i < p->traffic->len; i++) {
		const struct traffic_record *r =
			&g_array_index(p->traffic, struct traffic_record, i);

		add_traffic(traffic_total_of(totals, r), r);
	}
	return totals;
}

uint64_t
phase_result_dumps_left_out(const struct phase_result *p)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < p->dump_totals->len; i++)
		all += g_array_index(p->dump_totals, struct dump_total, i).dumps;
	return all - p->dumps->len;
}

void
phase_result_free(void *data)
{
	struct phase_result *p = data;

	g_free(p->name);
	g_array_unref(p->tables);
	g_array_unref(p->calls);
	g_clear_pointer(&p->profile, g_array_unref);
	g_array_unref(p->locks);
	g_array_unref(p->dumps);
	g_array_unref(p->traffic);
	g_array_unref(p->dump_totals);
	g_free(p);
}

struct run_result *
run_result_new(void)
{
	struct run_result *r = g_new0(struct run_result, 1);

	r->phases = g_ptr_array_new_with_free_func(phase_result_free);
	return r;
}

void
run_result_free(struct run_result *r)
{
	if (!r)
		return;
	g_free(r->scenario);
	g_free(r->about);
	g_free(r->source);
	g_free(r->variant);
	g_free(r->machine);
	json_decref(r->params);
	json_decref(r->kernel);
	g_ptr_array_unref(r->phases);
	json_decref(r->state);
	g_free(r->failure);
	g_free(r);
}

static int
compare_names(const void *a, const void *b)
{
	const struct table_result *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

GPtrArray *
run_result_tables(const struct run_result *r)
{
	GPtrArray *tables = g_ptr_array_new();

	for (unsigned i = 0; i < r->phases->len; i++) {
		const struct phase_result *p = g_ptr_array_index(r->phases, i);

		for (unsigned j = 0; j < p->tables->len; j++)
			g_ptr_array_add(tables, &g_array_index(p->tables, struct table_result, j));
	}
	/* The sort is stable, so the first of equals is the first phase's. */
	g_ptr_array_sort(tables, compare_names);
	for (unsigned i = tables->len; i-- > 1;) {
		if (compare_names(&tables->pdata[i - 1], &tables->pdata[i]) == 0)
			g_ptr_array_remove_index(tables, i);
	}
	return tables;
}

char *
run_result_backends(const struct run_result *r)
{
	g_autoptr(GPtrArray) tables = run_result_tables(r);
	GString *s = g_string_new(NULL);

	for (unsigned i = 0; i < tables->len; i++) {
		const struct table_result *t = g_ptr_array_index(tables, i);

		g_string_append_printf(s, "%s%s=%s", i > 0 ? " " : "", t->name, t->backend);
	}
	return g_string_free(s, FALSE);
}
