/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registry.c - which backends there are, and what --backend=SPEC makes of one. */
#include "backend.h"

#include <string.h>

#define BACKEND_NAME(name) extern BACKEND(name);
#include "backend-list.h"
#undef BACKEND_NAME

static const struct backend *const registry[] = {
#define BACKEND_NAME(name) &backend_##name,
#include "backend-list.h"
#undef BACKEND_NAME
};

#define SYNTAX "NAME[:param=value[,param=value]...]"

GQuark
backend_error_quark(void)
{
	return g_quark_from_static_string("backend-error-quark");
}

unsigned
backend_count(void)
{
	return G_N_ELEMENTS(registry);
}

const struct backend *
backend_at(unsigned at)
{
	g_assert(at < backend_count());
	return registry[at];
}

const struct backend *
backend_by_name(const char *name)
{
	for (unsigned i = 0; i < backend_count(); i++) {
		if (strcmp(registry[i]->name, name) == 0)
			return registry[i];
	}
	return NULL;
}

static unsigned
param_count(const struct backend *b)
{
	unsigned count = 0;

	while (count < BACKEND_MAX_PARAMS && b->params[count].name)
		count++;
	return count;
}

static void
append_name(GString *text, const char *name)
{
	if (text->len > 0)
		g_string_append(text, ", ");
	g_string_append(text, name);
}

static void
set_unknown_backend(const char *name, GError **error)
{
	g_autoptr(GString) known = g_string_new(NULL);

	for (unsigned i = 0; i < backend_count(); i++)
		append_name(known, registry[i]->name);
	g_set_error(error, BACKEND_ERROR, BACKEND_ERROR_UNKNOWN,
		    "unknown backend '%s'; there are: %s", name, known->str);
}

static void
set_unknown_param(const struct backend *b, const char *name, GError **error)
{
	g_autoptr(GString) known = g_string_new(NULL);

	for (unsigned i = 0; i < param_count(b); i++)
		append_name(known, b->params[i].name);
	if (known->len == 0)
		g_string_append(known, "none");
	g_set_error(error, BACKEND_ERROR, BACKEND_ERROR_UNKNOWN,
		    "backend %s has no parameter '%s'; it has: %s", b->name, name, known->str);
}

static bool
parse_word(const struct backend *b, const struct backend_param *p, const char *text,
	   uint64_t *value, GError **error)
{
	g_autoptr(GString) known = g_string_new(NULL);

	for (unsigned i = 0; p->words[i]; i++) {
		if (strcmp(p->words[i], text) == 0) {
			*value = i;
			return true;
		}
		append_name(known, p->words[i]);
	}
	g_set_error(error, BACKEND_ERROR, BACKEND_ERROR_UNKNOWN,
		    "backend %s: %s is one of: %s; not '%s'", b->name, p->name, known->str, text);
	return false;
}

static bool
in_range(const struct backend_param *p, uint64_t value)
{
	return value >= p->min && value <= p->max &&
	       (!p->power_of_two || (value & (value - 1)) == 0);
}

static bool
parse_number(const struct backend *b, const struct backend_param *p, const char *text,
	     uint64_t *value, GError **error)
{
	guint64 number;

	/* A number of more digits than 64 bits hold is out of range too. */
	if (*text == '\0' || text[strspn(text, "0123456789")] != '\0' ||
	    !g_ascii_string_to_unsigned(text, 10, 0, UINT64_MAX, &number, NULL) ||
	    !in_range(p, number)) {
		g_set_error(error, BACKEND_ERROR, BACKEND_ERROR_RANGE,
			    "backend %s: %s is a %s from %" G_GUINT64_FORMAT
			    " to %" G_GUINT64_FORMAT ", not '%s'",
			    b->name, p->name, p->power_of_two ? "power of two" : "number", p->min,
			    p->max, text);
		return false;
	}
	*value = number;
	return true;
}

/* One "param=value"; 'seen' has a bit for each that came before. */
static bool
parse_param(struct backend_choice *choice, char *text, unsigned *seen, GError **error)
{
	const struct backend *b = choice->backend;
	char *equals = strchr(text, '=');
	const struct backend_param *p;
	unsigned at = 0;

	if (!equals) {
		g_set_error(error, BACKEND_ERROR, BACKEND_ERROR_SYNTAX,
			    "backend %s: '%s' is not of the form param=value", b->name, text);
		return false;
	}
	*equals = '\0';
	while (at < param_count(b) && strcmp(b->params[at].name, text) != 0)
		at++;
	if (at == param_count(b)) {
		set_unknown_param(b, text, error);
		return false;
	}
	if (*seen & 1u << at) {
		g_set_error(error, BACKEND_ERROR, BACKEND_ERROR_SYNTAX,
			    "backend %s: %s is given twice; give it once", b->name, text);
		return false;
	}
	*seen |= 1u << at;
	p = &b->params[at];
	return p->words ? parse_word(b, p, equals + 1, &choice->param[at], error)
			: parse_number(b, p, equals + 1, &choice->param[at], error);
}

static bool
parse_params(struct backend_choice *choice, char *text, GError **error)
{
	unsigned seen = 0;

	while (text) {
		char *comma = strchr(text, ',');

		if (comma)
			*comma++ = '\0';
		if (!parse_param(choice, text, &seen, error))
			return false;
		text = comma;
	}
	return true;
}

bool
backend_parse(const char *text, struct backend_choice *choice, GError **error)
{
	g_autofree char *name = g_strdup(text);
	char *colon = strchr(name, ':');
	struct backend_choice parsed = {.backend = NULL};

	if (colon)
		*colon++ = '\0';
	if (*name == '\0') {
		g_set_error(error, BACKEND_ERROR, BACKEND_ERROR_SYNTAX,
			    "'%s' is not of the form " SYNTAX, text);
		return false;
	}
	parsed.backend = backend_by_name(name);
	if (!parsed.backend) {
		set_unknown_backend(name, error);
		return false;
	}
	for (unsigned i = 0; i < param_count(parsed.backend); i++)
		parsed.param[i] = parsed.backend->params[i].fallback;
	if (!parse_params(&parsed, colon, error))
		return false;
	*choice = parsed;
	return true;
}

char *
backend_choice_text(const struct backend_choice *choice)
{
	const struct backend *b = choice->backend;
	GString *text = g_string_new(b->name);
	char separator = ':';

	for (unsigned i = 0; i < param_count(b); i++) {
		const struct backend_param *p = &b->params[i];
		uint64_t value = choice->param[i];

		if (value == p->fallback)
			continue;
		g_string_append_printf(text, "%c%s=", separator, p->name);
		if (p->words)
			g_string_append(text, p->words[value]);
		else
			g_string_append_printf(text, "%" G_GUINT64_FORMAT, value);
		separator = ',';
	}
	return g_string_free(text, FALSE);
}
