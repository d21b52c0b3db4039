/* SPDX-License-Identifier: GPL-2.0-or-later */
/* args.h - the words of one program, as its command-line parser takes them.
 *
 * Every failure sets the error and the column of the word that is to blame,
 * and returns false, so that a parser can say 'return args_error(...)'. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "iproute/words.h"

struct args {
	const struct words *words;
	unsigned at, end; /* the next word, and one past the last */
	unsigned *column; /* may be null */
	GError **error;   /* may be null */
};

static inline bool
args_left(const struct args *a)
{
	return a->at < a->end;
}

static inline const char *
args_peek(const struct args *a)
{
	return words_at(a->words, a->at)->text;
}

static inline const char *
args_take(struct args *a)
{
	return words_at(a->words, a->at++)->text;
}

/* About the word taken last; the next one, or the end of the line; any other. */
bool args_error(struct args *, const char *format, ...) G_GNUC_PRINTF(2, 3);
bool args_error_next(struct args *, const char *format, ...) G_GNUC_PRINTF(2, 3);
bool args_error_at(struct args *, unsigned word, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* The errors that all of iproute2's parsers share, in its words. */
bool args_value(struct args *, const char **value); /* takes one; false at the end */
bool args_string(struct args *, char **value);      /* the same, and replaces *value by a copy */
bool args_wrong(struct args *, const char *what);   /* Error: argument "X" is wrong: WHAT */
bool args_duplicate(struct args *, const char *key);
bool args_garbage(struct args *, const char *key); /* either KEY is duplicate, or ... */

/* "not simulated: WHAT", about the word taken last. */
bool args_not_simulated(struct args *, const char *what);

/* iproute2's abbreviations: is 'word' a beginning of 'name'? */
bool args_abbreviates(const char *word, const char *name);

/* A number as strtoull() with base 0 reads it, within bounds, and nothing after. */
bool args_number(const char *text, uint64_t min, uint64_t max, uint64_t *value);

/* "on" or "off"; 'key' is for the message. */
bool args_on_off(struct args *, const char *key, bool *on);

/* A link-layer address, as iproute2 reads it: hexadecimal bytes between colons.
 * 'len' receives how many there are; at most 'max' are stored. */
bool args_lladdr(struct args *, const char *text, uint8_t *addr, unsigned max, unsigned *len);

/* What may follow: a word, exact or abbreviated, and what to do about it. */
struct keyword {
	const char *name;
	bool exact; /* iproute2 takes no abbreviation of this one */
	bool (*parse)(struct args *, void *data, const struct keyword *); /* null: not simulated */
	int value;                                                        /* for 'parse' */
};

/* The first that fits, as iproute2 compares them one after the other; or null. */
const struct keyword *keyword_find(const struct keyword *table, const char *word);

/* Takes the next word, which is this keyword, and lets it parse what follows.
 * 'name' is what it belongs to, for the text of "not simulated". */
bool keyword_run(const struct keyword *, struct args *, const char *name, void *data);
