/* SPDX-License-Identifier: GPL-2.0-or-later */
/* template.h - texts with variables: "$name", "${name}", "$((EXPRESSION))", and "$$"
 * for a dollar.
 *
 * All of it is read as bash reads it, so that a template means the same in a
 * script.  "$(mac3 EXPRESSION)" is the lowest three bytes of a number as they stand
 * in a MAC address, "00:01:1f"; there are mac1 to mac5. */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEMPLATE_NAME_MAX 32
#define TEMPLATE_MAC_MAX  5

enum piece_kind {
	PIECE_END,
	PIECE_TEXT,       /* 'length' bytes at 'start' */
	PIECE_VARIABLE,   /* the name is 'length' bytes at 'start' */
	PIECE_EXPRESSION, /* what is between the parentheses, 'length' bytes at 'start' */
	PIECE_BAD,        /* a dollar, at 'start', that is none of the above */
};

struct piece {
	enum piece_kind kind;
	const char *start;
	size_t length;
	unsigned mac;     /* of an expression: how many bytes of it; 0: the number itself */
	const char *what; /* of a bad one: what is wrong */
};

/* The piece at *p, which moves behind it. */
struct piece template_next(const char **p);

/* "[a-z][a-z0-9_]*", at most TEMPLATE_NAME_MAX long. */
bool template_name_valid(const char *name, size_t length);

/* What a name means: a loop's value, or else a parameter. */
struct variables {
	json_t *params;
	const GPtrArray *loops; /* struct loop; may be null */
	const int64_t *value;   /* of the first 'count' of them */
	unsigned count;
};

bool template_lookup(const struct variables *, const char *name, size_t length, int64_t *value);
char *template_unknown(const struct variables *, const char *name, size_t length); /* a text */

/* Null, or what is wrong with the form; *at is then the offset in the text.  Which
 * values the variables have does not matter. */
char *template_check(const char *text, const struct variables *, size_t *at);

bool template_has_expression(const char *text);

/* Appends a text that was checked.  Null, or what is wrong with a value. */
char *template_expand(const char *text, const struct variables *, GString *out, size_t *at);

/* Which byte of the text became byte 'at' of the expanded one. */
size_t template_origin(const char *text, const struct variables *, size_t at);

/* "-5", "$name", "${name}" or "$((EXPRESSION))". */
bool template_is_integer(const char *text);

/* The value of such a text, checked.  Null, or what is wrong with it. */
char *template_integer(const char *text, const struct variables *, int64_t *value, size_t *at);
