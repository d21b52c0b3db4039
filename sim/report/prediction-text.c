/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prediction-text.c - predictions as a page of Markdown, and as JSON. */
#include <math.h>

#include "report/prediction.h"
#include "report/text.h"

static double
error_of(double predicted, double published)
{
	return predicted / published - 1;
}

/* Means of absolute errors. */
static double
mean_error(const struct predictions *all)
{
	double sum = 0;

	for (unsigned i = 0; i < all->rows->len; i++) {
		const struct prediction *p = &g_array_index(all->rows, struct prediction, i);

		sum += fabs(error_of(p->predicted, p->published));
	}
	return all->rows->len ? sum / all->rows->len : 0;
}

static double
mean_ratio_error(const GArray *ratios)
{
	double sum = 0;

	for (unsigned i = 0; i < ratios->len; i++) {
		const struct prediction_ratio *r =
			&g_array_index(ratios, struct prediction_ratio, i);

		sum += fabs(error_of(r->predicted, r->published));
	}
	return ratios->len ? sum / ratios->len : 0;
}

/* Markdown */

/* Four digits, which is what published figures have at most. */
static const char *
figure(char buf[TEXT_FIGURE], double value)
{
	unsigned digits = 0;

	for (double v = value; v > 0 && v < 1000 && digits < 6; v *= 10)
		digits++;
	return text_decimals(buf, value, digits, 16);
}

static const char *
percent(char buf[TEXT_FIGURE], double error)
{
	char digits[TEXT_FIGURE];

	text_decimals(digits, fabs(error) * 100, 1, 16);
	g_snprintf(buf, TEXT_FIGURE, "%s%s %%", error < 0 ? "-" : "+", digits);
	return buf;
}

static void
where(GString *out, const struct prediction *p)
{
	g_string_append_printf(out, "| %s%s%s | %s ", p->scenario, *p->params ? " " : "", p->params,
			       p->phase);
}

static void
rows_markdown(const struct predictions *all, GString *out)
{
	g_string_append(out,
			"| scenario | phase | variant | figure | published | predicted | error |\n"
			"|---|---|---|---|---:|---:|---:|\n");
	for (unsigned i = 0; i < all->rows->len; i++) {
		const struct prediction *p = &g_array_index(all->rows, struct prediction, i);
		char published[TEXT_FIGURE], predicted[TEXT_FIGURE], error[TEXT_FIGURE];

		where(out, p);
		g_string_append_printf(out, "| %s | %s | %s | %s | %s |\n", p->variant,
				       published_names[p->which].key,
				       figure(published, p->published),
				       figure(predicted, p->predicted),
				       percent(error, error_of(p->predicted, p->published)));
	}
}

static void
ratios_markdown(const GArray *ratios, GString *out)
{
	g_string_append(out,
			"| scenario | phase | figure | variants | published | predicted | error |\n"
			"|---|---|---|---|---:|---:|---:|\n");
	for (unsigned i = 0; i < ratios->len; i++) {
		const struct prediction_ratio *r =
			&g_array_index(ratios, struct prediction_ratio, i);
		char published[TEXT_FIGURE], predicted[TEXT_FIGURE], error[TEXT_FIGURE];

		where(out, r->first);
		g_string_append_printf(out, "| %s | %s / %s | %s | %s | %s |\n",
				       published_names[r->first->which].key, r->first->variant,
				       r->other->variant, figure(published, r->published),
				       figure(predicted, r->predicted),
				       percent(error, error_of(r->predicted, r->published)));
	}
}

static void
machines_markdown(const struct predictions *all, GString *out)
{
	for (unsigned i = 0; i < all->machines->len; i++) {
		const struct prediction_machine *m =
			&g_array_index(all->machines, struct prediction_machine, i);

		g_string_append_printf(out, "- `%s`:", m->name);
		for (unsigned n = 0; n < m->fitted->len; n++)
			g_string_append_printf(out, "%s `%s`", n ? "," : "",
					       (const char *)m->fitted->pdata[n]);
		g_string_append(out, m->fitted->len ? "\n" : " none\n");
	}
}

void
predictions_markdown(const struct predictions *all, GString *out)
{
	g_autoptr(GArray) ratios = predictions_ratios(all);
	char error[TEXT_FIGURE];

	g_string_append_printf(
		out,
		"# Predicted and published\n\nMade by `sim predict`. An error is "
		"predicted / published - 1; the mean of the absolute errors of these "
		"%u figures is %s %%.\n\n",
		all->rows->len, text_decimals(error, mean_error(all) * 100, 1, 16));
	rows_markdown(all, out);
	g_string_append_printf(out,
			       "\n## Between variants\n\nThe mean of the absolute errors of these "
			       "%u ratios is %s %%.\n\n",
			       ratios->len,
			       text_decimals(error, mean_ratio_error(ratios) * 100, 1, 16));
	ratios_markdown(ratios, out);
	g_string_append(out, "\n## Fitted figures of the machines\n\nAll other prices have another "
			     "source, or are assumed: `sim/cost/machines/`.\n\n");
	machines_markdown(all, out);
}

/* JSON */

static void
text_member(GString *out, const char *name, const char *text)
{
	g_string_append_printf(out, "\"%s\": ", name);
	text_json(out, text);
	g_string_append(out, ", ");
}

static void
figures_json(GString *out, double published, double predicted)
{
	g_string_append(out, "\"published\": ");
	text_real(out, published);
	g_string_append(out, ", \"predicted\": ");
	text_real(out, predicted);
	g_string_append(out, ", \"error\": ");
	text_real(out, error_of(predicted, published));
	g_string_append(out, " }");
}

static void
place_json(GString *out, const struct prediction *p)
{
	g_string_append(out, "    { ");
	text_member(out, "scenario", p->scenario);
	text_member(out, "params", p->params);
	text_member(out, "phase", p->phase);
	text_member(out, "figure", published_names[p->which].key);
}

static void
rows_json(const struct predictions *all, GString *out)
{
	for (unsigned i = 0; i < all->rows->len; i++) {
		const struct prediction *p = &g_array_index(all->rows, struct prediction, i);

		place_json(out, p);
		text_member(out, "variant", p->variant);
		figures_json(out, p->published, p->predicted);
		g_string_append(out, i + 1 < all->rows->len ? ",\n" : "\n");
	}
}

static void
ratios_json(const GArray *ratios, GString *out)
{
	for (unsigned i = 0; i < ratios->len; i++) {
		const struct prediction_ratio *r =
			&g_array_index(ratios, struct prediction_ratio, i);

		place_json(out, r->first);
		text_member(out, "first", r->first->variant);
		text_member(out, "other", r->other->variant);
		figures_json(out, r->published, r->predicted);
		g_string_append(out, i + 1 < ratios->len ? ",\n" : "\n");
	}
}

static void
machines_json(const struct predictions *all, GString *out)
{
	for (unsigned i = 0; i < all->machines->len; i++) {
		const struct prediction_machine *m =
			&g_array_index(all->machines, struct prediction_machine, i);

		g_string_append(out, "    ");
		text_json(out, m->name);
		g_string_append(out, ": [");
		for (unsigned n = 0; n < m->fitted->len; n++) {
			g_string_append(out, n ? ", " : "");
			text_json(out, m->fitted->pdata[n]);
		}
		g_string_append(out, i + 1 < all->machines->len ? "],\n" : "]\n");
	}
}

void
predictions_json(const struct predictions *all, GString *out)
{
	g_autoptr(GArray) ratios = predictions_ratios(all);

	g_string_append(out, "{\n  \"format\": \"netstruct-predictions/1\",\n  \"mean_error\": ");
	text_real(out, mean_error(all));
	g_string_append(out, ",\n  \"mean_ratio_error\": ");
	text_real(out, mean_ratio_error(ratios));
	g_string_append(out, ",\n  \"rows\": [\n");
	rows_json(all, out);
	g_string_append(out, "  ],\n  \"ratios\": [\n");
	ratios_json(ratios, out);
	g_string_append(out, "  ],\n  \"fitted\": {\n");
	machines_json(all, out);
	g_string_append(out, "  }\n}\n");
}
