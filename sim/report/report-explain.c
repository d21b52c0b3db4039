/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-explain.c - see report-explain.h.
 *
 * All is worked out from the result's counts, which are those that the meter priced. */
#include "report/report-explain.h"

#include <string.h>

#include "engine/engine.h"
#include "report/metric.h"
#include "report/text.h"

#define MAX_ITEMS 10 /* lines of a phase; smaller ones are one line */

struct item {
	double ps; /* of all */
	uint64_t count, each_ps;
	char *what, *figure;
};

struct explanation {
	const struct machine *machine;
	GArray *items;      /* struct item, of one phase */
	GPtrArray *figures; /* names of those that were used, in the order of their use */
};

static void
item_clear(void *data)
{
	struct item *i = data;

	g_free(i->what);
	g_free(i->figure);
}

static void
note_figure(struct explanation *e, const char *figure)
{
	for (unsigned i = 0; i < e->figures->len; i++)
		if (strcmp(e->figures->pdata[i], figure) == 0)
			return;
	g_ptr_array_add(e->figures, g_strdup(figure));
}

/* Takes both texts. */
static void
add_item(struct explanation *e, uint64_t count, uint64_t each_ps, char *what, char *figure)
{
	struct item item = {.ps = (double)count * (double)each_ps,
			    .count = count,
			    .each_ps = each_ps,
			    .what = what,
			    .figure = figure};

	if (item.ps > 0)
		g_array_append_val(e->items, item);
	else
		item_clear(&item);
}

/* "hash:buckets=8" is priced as "hash". */
static void
add_table(struct explanation *e, const struct table_result *t)
{
	g_autofree char *backend = g_strndup(t->backend, strcspn(t->backend, ":"));

	for (const struct metric *m = metrics_of_table; m->name; m++) {
		uint64_t count = metric_value(m, t), ps = 0;
		char *figure = machine_operation(e->machine, m->name, backend, &ps);

		add_item(e, count, ps, g_strdup_printf("%s of %s=%s", m->name, t->name, backend),
			 figure);
	}
}

static void
add_call(struct explanation *e, const struct call_result *c)
{
	uint64_t ps = 0;
	char *figure = machine_call(e->machine, c->name, &ps);

	if (figure)
		add_item(e, c->count, ps, g_strdup_printf("calls of %s", c->name), figure);
}

static int
dearest_first(const void *a, const void *b)
{
	const struct item *one = a, *other = b;

	if (one->ps != other->ps)
		return one->ps > other->ps ? -1 : 1;
	return strcmp(one->what, other->what);
}

static void
collect(struct explanation *e, const struct phase_result *p)
{
	g_array_set_size(e->items, 0);
	for (unsigned i = 0; i < p->tables->len; i++)
		add_table(e, &g_array_index(p->tables, struct table_result, i));
	for (unsigned i = 0; i < p->calls->len; i++)
		add_call(e, &g_array_index(p->calls, struct call_result, i));
	add_item(e, p->commands, machine_process_start_ps(e->machine),
		 g_strdup("processes that start"), g_strdup("process.start"));
	add_item(e, p->commands, machine_process_exit_ps(e->machine),
		 g_strdup("processes that end"), g_strdup("process.exit"));
	g_array_sort(e->items, dearest_first);
}

static void
append_seconds(GString *out, double ps)
{
	char text[TEXT_FIGURE];

	g_string_append_printf(out, "  %12s s  ",
			       text_decimals(text, ps / (double)PS_PER_S, 6, 12));
}

static void
append_item(struct explanation *e, GString *out, const struct item *i)
{
	char count[TEXT_FIGURE], each[TEXT_FIGURE];

	append_seconds(out, i->ps);
	g_string_append_printf(out, "%s %s at %s [%s]\n", text_count(count, i->count, 20), i->what,
			       text_duration(each, i->each_ps), i->figure);
	note_figure(e, i->figure);
}

/* What is left is time in which nobody of these worked - or a part of them did so beside
 * each other, on several CPUs. */
static void
append_rest(GString *out, double rest)
{
	append_seconds(out, rest > 0 ? rest : -rest);
	g_string_append(out, rest >= 0 ? "waits: sleep, RCU, locks, cache lines, others' work\n"
				       : "less, because CPUs worked side by side\n");
}

static void
append_phase(struct explanation *e, GString *out, const struct phase_result *p)
{
	double took = (double)(p->end_ps - p->start_ps), sum = 0, others = 0;
	char text[TEXT_FIGURE];

	collect(e, p);
	g_string_append_printf(out, "\n%s: %s s\n", p->name,
			       text_decimals(text, took / (double)PS_PER_S, 6, 16));
	for (unsigned i = 0; i < e->items->len; i++) {
		const struct item *item = &g_array_index(e->items, struct item, i);

		sum += item->ps;
		if (i < MAX_ITEMS)
			append_item(e, out, item);
		else
			others += item->ps;
	}
	if (others > 0) {
		append_seconds(out, others);
		g_string_append(out, "smaller items\n");
	}
	append_rest(out, took - sum);
}

static void
append_figures(const struct explanation *e, GString *out)
{
	g_string_append(out, "\nPrices\n");
	for (unsigned i = 0; i < e->figures->len; i++) {
		const char *figure = e->figures->pdata[i];

		g_string_append_printf(out, "  [%s]\n", figure);
		text_wrapped(out, "      ", machine_source(e->machine, figure), 6, 98);
	}
}

void
report_explain(GString *out, const struct run_result *r, const struct machine *machine)
{
	struct explanation e = {.machine = machine,
				.items = g_array_new(FALSE, FALSE, sizeof(struct item)),
				.figures = g_ptr_array_new_with_free_func(g_free)};

	g_array_set_clear_func(e.items, item_clear);
	for (unsigned i = 0; i < r->phases->len; i++) {
		const struct phase_result *p = r->phases->pdata[i];

		if (p->end_ps > p->start_ps)
			append_phase(&e, out, p);
	}
	append_figures(&e, out);
	g_array_unref(e.items);
	g_ptr_array_unref(e.figures);
}
