/* SPDX-License-Identifier: GPL-2.0-or-later */
/* template.c - finds and replaces the variables of a text. */
#include "scenario/template.h"

#include <string.h>

#include "scenario/scenario.h"

static size_t
name_length(const char *p)
{
	size_t n = 0;

	if (g_ascii_isdigit(*p))
		return 0;
	while (g_ascii_isalnum(p[n]) || p[n] == '_')
		n++;
	return n;
}

struct piece
template_next(const char **p)
{
	const char *start = *p, *name = start + 1;
	size_t length;

	if (*start == '\0')
		return (struct piece){.kind = PIECE_END, .start = start};
	if (*start != '$') {
		*p = start + strcspn(start, "$");
		return (struct piece){PIECE_TEXT, start, (size_t)(*p - start)};
	}
	if (*name == '$') {
		*p = name + 1;
		return (struct piece){PIECE_TEXT, name, 1};
	}
	name += *name == '{';
	length = name_length(name);
	*p = name + length;
	if (start[1] == '{' && *(*p)++ != '}')
		length = 0;
	if (length == 0) {
		*p = start + 1;
		return (struct piece){PIECE_BAD, start, 1};
	}
	return (struct piece){PIECE_VARIABLE, name, length};
}

bool
template_name_valid(const char *name, size_t length)
{
	if (length == 0 || length > TEMPLATE_NAME_MAX || !g_ascii_islower(*name))
		return false;
	for (size_t i = 0; i < length; i++) {
		if (!g_ascii_islower(name[i]) && !g_ascii_isdigit(name[i]) && name[i] != '_')
			return false;
	}
	return true;
}

bool
template_lookup(const struct variables *v, const char *name, size_t length, int64_t *value)
{
	char copy[TEMPLATE_NAME_MAX + 1];
	json_t *param;

	if (length > TEMPLATE_NAME_MAX)
		return false;
	memcpy(copy, name, length);
	copy[length] = '\0';
	for (unsigned i = v->count; i-- > 0;) {
		const struct loop *loop = g_ptr_array_index(v->loops, i);

		if (strcmp(loop->variable, copy) == 0) {
			*value = v->value[i];
			return true;
		}
	}
	param = json_object_get(v->params, copy);
	if (!param)
		return false;
	*value = json_integer_value(param);
	return true;
}

static char *
unknown_variable(const struct variables *v, const struct piece *piece)
{
	GString *what = g_string_new(NULL);
	const char *separator = "; known are ", *none = "; none is known", *name;
	json_t *value;

	g_string_printf(what, "unknown variable \"$%.*s\"", (int)MIN(piece->length, 80),
			piece->start);
	for (unsigned i = 0; i < v->count; i++) {
		const struct loop *loop = g_ptr_array_index(v->loops, i);

		g_string_append_printf(what, "%s$%s", separator, loop->variable);
		separator = ", ";
		none = "";
	}
	json_object_foreach(v->params, name, value)
	{
		g_string_append_printf(what, "%s$%s", separator, name);
		separator = ", ";
		none = "";
	}
	g_string_append(what, none);
	return g_string_free(what, FALSE);
}

char *
template_check(const char *text, const struct variables *v, size_t *at)
{
	const char *p = text;
	int64_t value;

	for (;;) {
		*at = (size_t)(p - text);

		struct piece piece = template_next(&p);

		if (piece.kind == PIECE_END)
			return NULL;
		if (piece.kind == PIECE_BAD)
			return g_strdup(
				"\"$\" begins \"$name\" or \"${name}\"; a dollar is \"$$\"");
		if (piece.kind == PIECE_VARIABLE &&
		    !template_lookup(v, piece.start, piece.length, &value))
			return unknown_variable(v, &piece);
	}
}

/* Appends a piece; 'out' may be the only thing that changes. */
static void
append(const struct piece *piece, const struct variables *v, GString *out)
{
	int64_t value;

	if (piece->kind == PIECE_VARIABLE &&
	    template_lookup(v, piece->start, piece->length, &value))
		g_string_append_printf(out, "%" G_GINT64_FORMAT, value);
	else
		g_string_append_len(out, piece->start, (gssize)piece->length);
}

void
template_expand(const char *text, const struct variables *v, GString *out)
{
	for (;;) {
		struct piece piece = template_next(&text);

		if (piece.kind == PIECE_END)
			return;
		append(&piece, v, out);
	}
}

size_t
template_origin(const char *text, const struct variables *v, size_t at)
{
	g_autoptr(GString) out = g_string_new(NULL);
	const char *p = text;

	for (;;) {
		const char *begin = p;
		size_t before = out->len;
		struct piece piece = template_next(&p);

		append(&piece, v, out);
		if (piece.kind != PIECE_END && at >= out->len)
			continue;
		if (piece.kind == PIECE_TEXT)
			begin = piece.start + MIN(at - before, piece.length);
		return (size_t)(begin - text);
	}
}

bool
template_integer(const char *text, const struct variables *v, int64_t *value)
{
	const char *p = text;
	struct piece piece = template_next(&p);
	gint64 number;

	if (piece.kind == PIECE_VARIABLE && *p == '\0')
		return template_lookup(v, piece.start, piece.length, value);
	if (!g_ascii_string_to_signed(text, 10, G_MININT64, G_MAXINT64, &number, NULL))
		return false;
	*value = number;
	return true;
}
