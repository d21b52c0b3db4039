/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words.h - a command line as the words that sh would make of it. */
#pragma once

#include <glib.h>
#include <stdbool.h>

struct word {
	char *text;      /* quotes removed; of an operator: the operator */
	unsigned column; /* from 1 */
	bool is_operator;
};

struct words {
	GArray *array; /* struct word */
	unsigned end_column;
};

/* False, with an error and the column of its cause, for a quote that is not
 * closed and for what sh would expand: a scenario's own "$name" is long
 * replaced, so a "$" that is left is a mistake. */
bool words_split(const char *line, struct words *, unsigned *column, GError **error);
void words_clear(struct words *);

static inline const struct word *
words_at(const struct words *w, unsigned n)
{
	return &g_array_index(w->array, struct word, n);
}
