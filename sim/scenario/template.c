/* SPDX-License-Identifier: GPL-2.0-or-later */
/* template.c - finds and replaces the variables and expressions of a text. */
#include "scenario/template.h"

#include <string.h>

#include "scenario/expression.h"
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

/* 'open' parentheses are open before p; returns the one that closes the last of
 * them, or null.  Two that open together close together. */
static const char *
closing(const char *p, unsigned open)
{
	unsigned depth = open;

	for (; *p; p++) {
		depth += *p == '(';
		if (*p != ')' || --depth > 1)
			continue;
		if (depth == 0)
			return p;
		if (open == 2)
			return p[1] == ')' ? p : NULL;
	}
	return NULL;
}

static struct piece
piece_of(enum piece_kind kind, const char *start, size_t length)
{
	return (struct piece){.kind = kind, .start = start, .length = length};
}

static struct piece
bad_piece(const char **p, const char *start, const char *what)
{
	*p = start + 1;
	return (struct piece){.kind = PIECE_BAD, .start = start, .length = 1, .what = what};
}

/* "$((EXPRESSION))" */
static struct piece
next_number(const char **p, const char *start)
{
	const char *begin = start + 3, *end = closing(begin, 2);

	if (!end)
		return bad_piece(p, start, "the \"$((\" is not closed by \"))\"");
	*p = end + 2;
	return piece_of(PIECE_EXPRESSION, begin, (size_t)(end - begin));
}

/* "$(macN EXPRESSION)" */
static struct piece
next_mac(const char **p, const char *start)
{
	const char *digit = start + strlen("$(mac"), *end;
	struct piece piece;

	if (!g_str_has_prefix(start, "$(mac") || *digit < '1' || *digit > '0' + TEMPLATE_MAC_MAX ||
	    digit[1] != ' ')
		return bad_piece(p, start,
				 "\"$(\" begins \"$((EXPRESSION))\" or \"$(mac3 "
				 "EXPRESSION)\", mac1 to mac5; no command is run here");
	end = closing(digit + 2, 1);
	if (!end)
		return bad_piece(p, start, "the \"$(\" is not closed");
	*p = end + 1;
	piece = piece_of(PIECE_EXPRESSION, digit + 2, (size_t)(end - digit - 2));
	piece.mac = (unsigned)(*digit - '0');
	return piece;
}

/* "$name" or "${name}" */
static struct piece
next_variable(const char **p, const char *start)
{
	bool brace = start[1] == '{';
	const char *name = start + 1 + brace;
	size_t length = name_length(name);

	if (length == 0 || (brace && name[length] != '}'))
		return bad_piece(p, start,
				 "\"$\" begins \"$name\", \"${name}\", \"$((EXPRESSION))\" or "
				 "\"$(mac3 EXPRESSION)\"; a dollar is \"$$\"");
	*p = name + length + brace;
	return piece_of(PIECE_VARIABLE, name, length);
}

struct piece
template_next(const char **p)
{
	const char *start = *p;

	if (*start == '\0')
		return piece_of(PIECE_END, start, 0);
	if (*start != '$') {
		*p = start + strcspn(start, "$");
		return piece_of(PIECE_TEXT, start, (size_t)(*p - start));
	}
	if (start[1] == '$') {
		*p = start + 2;
		return piece_of(PIECE_TEXT, start + 1, 1);
	}
	if (start[1] != '(')
		return next_variable(p, start);
	return start[2] == '(' ? next_number(p, start) : next_mac(p, start);
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

char *
template_unknown(const struct variables *v, const char *unknown, size_t length)
{
	GString *what = g_string_new(NULL);
	const char *separator = "; known are ", *none = "; none is known", *name;
	json_t *value;

	g_string_printf(what, "unknown variable \"$%.*s\"", (int)MIN(length, 80), unknown);
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

static char *
check_piece(const struct piece *piece, const struct variables *v, size_t *at)
{
	int64_t value;
	size_t inside;
	char *what;

	if (piece->kind == PIECE_BAD)
		return g_strdup(piece->what);
	if (piece->kind == PIECE_VARIABLE &&
	    !template_lookup(v, piece->start, piece->length, &value))
		return template_unknown(v, piece->start, piece->length);
	if (piece->kind != PIECE_EXPRESSION)
		return NULL;
	what = expression_evaluate(piece->start, piece->length, v, NULL, &inside);
	if (what)
		*at += inside;
	return what;
}

char *
template_check(const char *text, const struct variables *v, size_t *at)
{
	const char *p = text;

	for (;;) {
		const char *begin = p;
		struct piece piece = template_next(&p);
		char *what;

		if (piece.kind == PIECE_END)
			return NULL;
		if (piece.kind == PIECE_EXPRESSION)
			begin = piece.start;
		*at = (size_t)(begin - text);
		what = check_piece(&piece, v, at);
		if (what)
			return what;
	}
}

bool
template_has_expression(const char *text)
{
	for (;;) {
		struct piece piece = template_next(&text);

		if (piece.kind == PIECE_END || piece.kind == PIECE_EXPRESSION)
			return piece.kind == PIECE_EXPRESSION;
	}
}

static char *
append_mac(int64_t value, unsigned bytes, GString *out)
{
	if (value < 0)
		return g_strdup_printf("the value is %" G_GINT64_FORMAT
				       "; a MAC address has no negative ones",
				       value);
	while (bytes-- > 0)
		g_string_append_printf(out, "%02x%s", (unsigned)(value >> 8 * bytes) & 0xff,
				       bytes > 0 ? ":" : "");
	return NULL;
}

/* Appends a piece; 'out' may be the only thing that changes. */
static char *
append(const struct piece *piece, const struct variables *v, GString *out, size_t *at)
{
	int64_t value = 0;
	char *what = NULL;

	*at = 0;
	if (piece->kind == PIECE_EXPRESSION)
		what = expression_evaluate(piece->start, piece->length, v, &value, at);
	else if (piece->kind != PIECE_VARIABLE ||
		 !template_lookup(v, piece->start, piece->length, &value)) {
		g_string_append_len(out, piece->start, (gssize)piece->length);
		return NULL;
	}
	if (what)
		return what;
	if (piece->mac > 0)
		return append_mac(value, piece->mac, out);
	g_string_append_printf(out, "%" G_GINT64_FORMAT, value);
	return NULL;
}

char *
template_expand(const char *text, const struct variables *v, GString *out, size_t *at)
{
	const char *p = text;

	for (;;) {
		struct piece piece = template_next(&p);
		char *what;

		if (piece.kind == PIECE_END)
			return NULL;
		what = append(&piece, v, out, at);
		if (what) {
			*at += (size_t)(piece.start - text);
			return what;
		}
	}
}

size_t
template_origin(const char *text, const struct variables *v, size_t at)
{
	g_autoptr(GString) out = g_string_new(NULL);
	const char *p = text;

	for (;;) {
		const char *begin = p;
		size_t before = out->len, ignored;
		struct piece piece = template_next(&p);

		g_free(append(&piece, v, out, &ignored));
		if (piece.kind != PIECE_END && at >= out->len)
			continue;
		if (piece.kind == PIECE_TEXT)
			begin = piece.start + MIN(at - before, piece.length);
		return (size_t)(begin - text);
	}
}

bool
template_is_integer(const char *text)
{
	const char *p = text;
	struct piece piece = template_next(&p);

	if (piece.kind == PIECE_VARIABLE || piece.kind == PIECE_EXPRESSION)
		return *p == '\0' && piece.mac == 0;
	return g_ascii_string_to_signed(text, 10, G_MININT64, G_MAXINT64, NULL, NULL);
}

char *
template_integer(const char *text, const struct variables *v, int64_t *value, size_t *at)
{
	g_autoptr(GString) digits = g_string_new(NULL);
	char *what = template_expand(text, v, digits, at);

	if (!what)
		*value = g_ascii_strtoll(digits->str, NULL, 10);
	return what;
}
