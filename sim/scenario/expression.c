/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expression.c - evaluates the arithmetic of templates by recursive descent. */
#include "scenario/expression.h"

#include <string.h>

#include "scenario/template.h"

#define MAX_DEPTH 32 /* of parentheses and signs; the stack may be a task's */

struct parser {
	const char *text, *p, *end;
	const struct variables *variables;
	bool form_only;
	unsigned depth;
	char *what; /* what is wrong; null so far */
	size_t at;
};

static int64_t sum(struct parser *);

/* Keeps what was wrong first. */
static int64_t
fail(struct parser *e, const char *at, char *what)
{
	if (e->what) {
		g_free(what);
		return 0;
	}
	e->what = what;
	e->at = (size_t)(at - e->text);
	return 0;
}

static char
peek(struct parser *e)
{
	while (e->p < e->end && *e->p == ' ')
		e->p++;
	return e->p < e->end && !e->what ? *e->p : '\0';
}

static int64_t
number(struct parser *e)
{
	const char *start = e->p;
	int64_t value = 0;
	bool fits = true;

	for (; e->p < e->end && g_ascii_isdigit(*e->p); e->p++)
		fits = fits && !__builtin_mul_overflow(value, 10, &value) &&
		       !__builtin_add_overflow(value, *e->p - '0', &value);
	if (!fits)
		return fail(e, start, g_strdup("a number that needs more than 64 bits"));
	if (*start == '0' && e->p > start + 1)
		return fail(e, start, g_strdup("a number that begins with 0 is octal in sh"));
	return value;
}

static size_t
name_length(const char *p, const char *end)
{
	size_t n = 0;

	while (p + n < end && (g_ascii_isalnum(p[n]) || p[n] == '_'))
		n++;
	return n;
}

/* "name", "$name" or "${name}" */
static int64_t
variable(struct parser *e)
{
	const char *start = e->p;
	int64_t value = 0;
	bool brace;
	size_t length;

	e->p += *e->p == '$';
	brace = e->p > start && e->p < e->end && *e->p == '{';
	e->p += brace;
	length = name_length(e->p, e->end);
	if (length == 0 || (brace && (e->p + length == e->end || e->p[length] != '}')))
		return fail(e, start, g_strdup("\"$\" begins \"$name\" or \"${name}\" here"));
	if (!template_lookup(e->variables, e->p, length, &value))
		return fail(e, start, template_unknown(e->variables, e->p, length));
	e->p += length + brace;
	return value;
}

static int64_t
missing(struct parser *e)
{
	if (e->p == e->end)
		return fail(e, e->p, g_strdup("a value is missing at the end"));
	return fail(e, e->p,
		    g_strdup_printf("a number, a variable or \"(\" is wanted instead of \"%.*s\"",
				    (int)(g_utf8_next_char(e->p) - e->p), e->p));
}

static int64_t
parenthesis(struct parser *e)
{
	const char *open = e->p++;
	int64_t value = sum(e);

	if (peek(e) != ')')
		return fail(e, open, g_strdup("the \"(\" is not closed"));
	e->p++;
	return value;
}

static int64_t
operation(struct parser *e, const char *at, char op, int64_t a, int64_t b)
{
	int64_t value = 0;
	bool fits = true;

	if (e->form_only || e->what)
		return 0;
	if ((op == '/' || op == '%') && b == 0)
		return fail(e, at, g_strdup("division by zero"));
	if (op == '+')
		fits = !__builtin_add_overflow(a, b, &value);
	else if (op == '-')
		fits = !__builtin_sub_overflow(a, b, &value);
	else if (op == '*')
		fits = !__builtin_mul_overflow(a, b, &value);
	else if (b == -1)
		fits = op == '%' || !__builtin_sub_overflow(0, a, &value);
	else
		value = op == '/' ? a / b : a % b;
	if (!fits)
		return fail(e, at, g_strdup("a value that needs more than 64 bits"));
	return value;
}

/* sh takes "--" and "++" for one operator. */
static bool
take_sign(struct parser *e, const char **at)
{
	*at = e->p++;
	if (e->p == e->end || *e->p != **at)
		return true;
	fail(e, *at,
	     g_strdup_printf("\"%c%c\" is one operator in sh; put a blank in between", **at, **at));
	return false;
}

static int64_t
factor(struct parser *e)
{
	char c = peek(e);
	const char *at = e->p;
	int64_t v = 0;

	if (++e->depth > MAX_DEPTH)
		fail(e, at, g_strdup_printf("more than %d levels", MAX_DEPTH));
	else if (g_ascii_isdigit(c))
		v = number(e);
	else if (c == '$' || c == '_' || g_ascii_isalpha(c))
		v = variable(e);
	else if (c == '(')
		v = parenthesis(e);
	else if (c != '-' && c != '+')
		missing(e);
	else if (take_sign(e, &at))
		v = operation(e, at, c, 0, factor(e));
	e->depth--;
	return v;
}

static int64_t
product(struct parser *e)
{
	int64_t a = factor(e);
	char c;

	while ((c = peek(e)) == '*' || c == '/' || c == '%') {
		const char *at = e->p++;

		a = operation(e, at, c, a, factor(e));
	}
	return a;
}

static int64_t
sum(struct parser *e)
{
	int64_t a = product(e);
	const char *at;
	char c;

	while (((c = peek(e)) == '+' || c == '-') && take_sign(e, &at))
		a = operation(e, at, c, a, product(e));
	return a;
}

char *
expression_evaluate(const char *text, size_t length, const struct variables *v, int64_t *value,
		    size_t *at)
{
	struct parser e = {
		.text = text, .p = text, .end = text + length, .variables = v, .form_only = !value};
	int64_t result = sum(&e);

	if (peek(&e))
		fail(&e, e.p,
		     g_strdup_printf("an operator is wanted instead of \"%.*s\"; there are "
				     "+ - * / %% and parentheses",
				     (int)(g_utf8_next_char(e.p) - e.p), e.p));
	if (e.what)
		*at = e.at;
	else if (value)
		*value = result;
	return e.what;
}

size_t
expression_next_name(const char **p, const char *end, const char **name)
{
	while (*p < end) {
		size_t length = name_length(*p, end);

		*name = *p;
		*p += length > 0 ? length : 1;
		if (length > 0 && !g_ascii_isdigit(**name))
			return length;
	}
	return 0;
}

void
expression_append(const char *text, size_t length, GString *out)
{
	for (size_t i = 0; i < length; i++) {
		if (!strchr("${}", text[i]))
			g_string_append_c(out, text[i]);
	}
}
