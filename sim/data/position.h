/* SPDX-License-Identifier: GPL-2.0-or-later */
/* position.h - where in a JSON text a value stands.
 *
 * jansson says where a syntax error is, but forgets the positions of values.
 * Whoever walks the parsed tree keeps its path as a chain of places on its own
 * stack; a position is looked for in the text only when somebody asks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The text, which jansson has accepted, and the position counted last: asking
 * in ascending order costs one pass over the text. */
struct position_text {
	const char *text; /* ends with a NUL */
	size_t offset;
	unsigned line, column;
};

/* One step of a path.  The root has neither 'up' nor 'key'.  'index' may rise
 * while the place is in use (a loop over an array); nothing else may change. */
struct place {
	struct place *up;
	const char *key; /* a member of an object; null: element 'index' of an array */
	size_t index;

	const char *found; /* where element 'found_index', or the member, begins */
	size_t found_index;
};

const char *position_of_value(const struct position_text *, struct place *);
const char *position_of_key(const struct position_text *, struct place *);

/* The character that became byte 'at' of the decoded string at 'quote'. */
const char *position_in_string(const char *quote, size_t at);

/* Counted from 1; a column is a character, as in jansson's messages. */
void position_line_column(struct position_text *, const char *at, unsigned *line, unsigned *column);
