/* SPDX-License-Identifier: GPL-2.0-or-later */
/* template.h - texts with variables: "$name", "${name}", and "$$" for a dollar.
 *
 * Names are read as bash reads them, the longest one that fits, so that a
 * template means the same in a script. */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEMPLATE_NAME_MAX 32

enum piece_kind {
	PIECE_END,
	PIECE_TEXT,     /* 'length' bytes at 'start' */
	PIECE_VARIABLE, /* the name is 'length' bytes at 'start' */
	PIECE_BAD,      /* a dollar that is none of the above, at 'start' */
};

struct piece {
	enum piece_kind kind;
	const char *start;
	size_t length;
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

/* Null, or what is wrong; *at is then the offset in the text. */
char *template_check(const char *text, const struct variables *, size_t *at);

/* Of a text that was checked. */
void template_expand(const char *text, const struct variables *, GString *out);

/* Which byte of the text became byte 'at' of the expanded one. */
size_t template_origin(const char *text, const struct variables *, size_t at);

/* An integer: "-5", "$name" or "${name}".  False: it is neither. */
bool template_integer(const char *text, const struct variables *, int64_t *value);
