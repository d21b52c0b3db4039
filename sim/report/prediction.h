/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prediction.h - published figures beside what runs predict: rows of many runs, their
 * errors, and ratios between variants, which need no price to be right.
 *
 * An error is predicted / published - 1. */
#pragma once

#include "report/result.h"

/* One published figure. */
struct prediction {
	char *scenario, *variant, *phase;
	char *params; /* "policies=1000": where they are not the scenario's own; or "" */
	enum published_figure which;
	double published, predicted;
};

/* One scenario's figure of two variants: the first one's over the other's. */
struct prediction_ratio {
	const struct prediction *first, *other;
	double published, predicted;
};

/* What was fitted to figures like these, of one machine. */
struct prediction_machine {
	char *name;
	GPtrArray *fitted; /* texts */
};

struct predictions {
	GArray *rows;     /* struct prediction, in the order of the runs */
	GArray *machines; /* struct prediction_machine, in the order of their first runs */
};

struct predictions *predictions_new(void);
void predictions_free(struct predictions *); /* null is allowed */

/* What the run says where its scenario has published figures; true if it has any. */
bool predictions_add(struct predictions *, const struct run_result *, const char *params);
void predictions_add_machine(struct predictions *, const char *name, const GPtrArray *fitted);

/* Of rows that differ in nothing but the variant; free with g_array_unref(). */
GArray *predictions_ratios(const struct predictions *);

void predictions_markdown(const struct predictions *, GString *out);
void predictions_json(const struct predictions *, GString *out);
