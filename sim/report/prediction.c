/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prediction.c - rows of published and predicted figures; see prediction.h. */
#include "report/prediction.h"

#include <string.h>

#include "engine/engine.h"

static void
prediction_clear(void *data)
{
	struct prediction *p = data;

	g_free(p->scenario);
	g_free(p->variant);
	g_free(p->phase);
	g_free(p->params);
}

static void
machine_clear(void *data)
{
	struct prediction_machine *m = data;

	g_free(m->name);
	g_ptr_array_unref(m->fitted);
}

struct predictions *
predictions_new(void)
{
	struct predictions *p = g_new0(struct predictions, 1);

	p->rows = g_array_new(FALSE, FALSE, sizeof(struct prediction));
	g_array_set_clear_func(p->rows, prediction_clear);
	p->machines = g_array_new(FALSE, FALSE, sizeof(struct prediction_machine));
	g_array_set_clear_func(p->machines, machine_clear);
	return p;
}

void
predictions_free(struct predictions *p)
{
	if (!p)
		return;
	g_array_unref(p->rows);
	g_array_unref(p->machines);
	g_free(p);
}

/* Rows */

/* By dumps of which an algorithm can be chosen. */
static double
shown_by_dumps(const struct phase_result *p)
{
	uint64_t shown = 0;

	for (unsigned i = 0; i < p->dump_totals->len; i++) {
		const struct dump_record *sum =
			&g_array_index(p->dump_totals, struct dump_total, i).sum;

		shown += *sum->algorithm ? sum->shown : 0;
	}
	return (double)shown;
}

/* Of one kind of traffic; whose a figure of several would be is not said. */
static double
by_traffic(const struct phase_result *p, enum published_figure which)
{
	g_autoptr(GArray) totals = phase_result_traffic(p);
	const struct traffic_total *t = &g_array_index(totals, struct traffic_total, 0);

	if (totals->len != 1)
		return 0;
	return which == PUBLISHED_PPS ? (double)t->pps : (double)t->bit_per_s / 1e6;
}

static double
predicted_figure(const struct phase_result *p, enum published_figure which)
{
	if (which == PUBLISHED_REAL_S)
		return (double)(p->end_ps - p->start_ps) / (double)PS_PER_S;
	return which == PUBLISHED_SHOWN ? shown_by_dumps(p) : by_traffic(p, which);
}

static void
add_figure(struct predictions *all, const struct run_result *r, const struct phase_result *p,
	   enum published_figure which, const char *params)
{
	struct prediction row = {.scenario = g_strdup(r->scenario),
				 .variant = g_strdup(r->variant),
				 .phase = g_strdup(p->name),
				 .params = g_strdup(params),
				 .which = which,
				 .published = p->published.figure[which],
				 .predicted = predicted_figure(p, which)};

	g_array_append_val(all->rows, row);
}

bool
predictions_add(struct predictions *all, const struct run_result *r, const char *params)
{
	unsigned before = all->rows->len;

	for (unsigned i = 0; i < r->phases->len; i++) {
		const struct phase_result *p = r->phases->pdata[i];

		for (unsigned which = 0; which < PUBLISHED_FIGURES; which++)
			if (published_has(&p->published, which) && p->published.figure[which] > 0)
				add_figure(all, r, p, which, params);
	}
	return all->rows->len > before;
}

void
predictions_add_machine(struct predictions *all, const char *name, const GPtrArray *fitted)
{
	struct prediction_machine m = {.name = NULL};

	for (unsigned i = 0; i < all->machines->len; i++)
		if (strcmp(g_array_index(all->machines, struct prediction_machine, i).name, name) ==
		    0)
			return;
	m.name = g_strdup(name);
	m.fitted = g_ptr_array_new_with_free_func(g_free);
	for (unsigned i = 0; i < fitted->len; i++)
		g_ptr_array_add(m.fitted, g_strdup(fitted->pdata[i]));
	g_array_append_val(all->machines, m);
}

/* Ratios */

static bool
same_but_variant(const struct prediction *a, const struct prediction *b)
{
	return a->which == b->which && strcmp(a->scenario, b->scenario) == 0 &&
	       strcmp(a->phase, b->phase) == 0 && strcmp(a->params, b->params) == 0;
}

static const struct prediction *
first_like(const struct predictions *all, const struct prediction *row)
{
	const struct prediction *first = &g_array_index(all->rows, struct prediction, 0);

	while (!same_but_variant(first, row))
		first++;
	return first;
}

GArray *
predictions_ratios(const struct predictions *all)
{
	GArray *ratios = g_array_new(FALSE, FALSE, sizeof(struct prediction_ratio));

	for (unsigned i = 0; i < all->rows->len; i++) {
		const struct prediction *row = &g_array_index(all->rows, struct prediction, i);
		const struct prediction *first = first_like(all, row);
		struct prediction_ratio ratio = {.first = first,
						 .other = row,
						 .published = first->published / row->published,
						 .predicted = first->predicted / row->predicted};

		if (first != row)
			g_array_append_val(ratios, ratio);
	}
	return ratios;
}
