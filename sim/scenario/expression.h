/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expression.h - integer arithmetic in templates, as in sh's "$((p * 256 + k))".
 *
 * There are + - * / % and parentheses over decimal numbers and variables, a name
 * with or without its dollar.  Only what sh and we read in the same way is
 * accepted: numbers of 64 bits, no leading zeros, no "--". */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct variables;

/* The value of 'length' bytes.  Null, or what is wrong; *at is then the offset in
 * the text.  With 'value' null only the form is checked, and that all variables are
 * known: a division by zero and what does not fit are matters of values. */
char *expression_evaluate(const char *text, size_t length, const struct variables *, int64_t *value,
			  size_t *at);

/* The next variable's name in [*p, end), and *p behind it; 0: no more. */
size_t expression_next_name(const char **p, const char *end, const char **name);

/* As bash is to see it: names without dollars, which no value can get in between. */
void expression_append(const char *text, size_t length, GString *out);
