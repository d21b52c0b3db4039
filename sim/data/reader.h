/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reader.h - typed access to a parsed JSON text, with errors that say where.
 *
 * Every function that can fail returns false and sets the reader's error, a
 * DATA_ERROR whose text begins with FILE:LINE:COLUMN and names what would be right. */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "data/position.h"

struct reader {
	const char *file;
	struct position_text text;
	GError **error;
};

/* A value and the way to it.  It refers to its parent, which must stay. */
struct node {
	struct place place;
	json_t *json; /* null: there is no such member */
};

struct node reader_child(struct node *object, const char *key, json_t *value);
struct node reader_member(struct node *object, const char *key);
struct node reader_elements(struct node *array); /* before the first one */
bool reader_next(struct node *array, struct node *element);

void reader_position(struct reader *, struct node *, unsigned *line, unsigned *column);

/* At a value, at the key of a member, at byte 'at' of a string's text. */
bool reader_fail(struct reader *, struct node *, const char *format, ...) G_GNUC_PRINTF(3, 4);
bool reader_fail_key(struct reader *, struct node *, const char *format, ...) G_GNUC_PRINTF(3, 4);
bool reader_fail_in(struct reader *, struct node *, size_t at, const char *format, ...)
	G_GNUC_PRINTF(4, 5);

/* An object, or no such member.  'known' are all the members it may have,
 * null-terminated; null: any.  'what' is it: "a phase". */
bool reader_object(struct reader *, struct node *, const char *what, const char *const *known);
bool reader_array(struct reader *, struct node *, const char *what); /* not empty */
bool reader_needs(struct reader *, struct node *object, const char *what, const char *key);

/* Leave *value alone if there is no such member. */
bool reader_text(struct reader *, struct node *, unsigned max, char **value);
bool reader_bool(struct reader *, struct node *, bool *value);
bool reader_integer(struct reader *, struct node *, json_int_t min, json_int_t max,
		    json_int_t *value);

/* A line of text: 1 to 'max' characters, none of them a control character. */
bool reader_line(struct reader *, struct node *, const char *text, unsigned max);
