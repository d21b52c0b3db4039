/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choose.c - which table of a run gets which backend. */
#include "scenario/choose.h"

#include <string.h>

/* "TABLE=BACKEND": where BACKEND begins, or null if all tables are meant.  What
 * stands behind a colon belongs to the backend. */
static const char *
after_table(const char *text)
{
	const char *end = strpbrk(text, "=:");

	return end && *end == '=' ? end + 1 : NULL;
}

static bool
set_all(struct choices *c, const char *text, GError **error)
{
	struct backend_choice choice;

	if (!backend_parse(text, &choice, error))
		return false;
	for (unsigned n = 0; n < table_spec_count(); n++)
		c->choice[n] = choice;
	return true;
}

static void
unknown_table(const char *table, GError **error)
{
	g_autoptr(GString) known = g_string_new(NULL);

	for (unsigned n = 0; n < table_spec_count(); n++)
		g_string_append_printf(known, "%s%s", n > 0 ? ", " : "", table_spec_at(n)->name);
	g_set_error(error, BACKEND_ERROR, BACKEND_ERROR_UNKNOWN,
		    "unknown table '%.40s'; known are %s", table, known->str);
}

static bool
set_one(struct choices *c, const char *table, const char *text, GError **error)
{
	for (unsigned n = 0; n < table_spec_count(); n++)
		if (strcmp(table_spec_at(n)->name, table) == 0)
			return backend_parse(text, &c->choice[n], error);
	unknown_table(table, error);
	return false;
}

static void
set_defaults(struct choices *c, const struct kernel_options *options)
{
	for (unsigned n = 0; n < table_spec_count(); n++) {
		const char *text = kernel_default_backend(options, table_spec_at(n));
		bool valid = backend_parse(text, &c->choice[n], NULL);

		g_assert(valid);
	}
}

static bool
set_from_scenario(struct choices *c, const struct scenario *s, GError **error)
{
	const char *all = g_hash_table_lookup(s->backends, "*");
	GHashTableIter iter;
	void *table, *text;

	if (all && !set_all(c, all, error))
		return false;
	g_hash_table_iter_init(&iter, s->backends);
	while (g_hash_table_iter_next(&iter, &table, &text))
		if (strcmp(table, "*") != 0 && !set_one(c, table, text, error))
			return false;
	return true;
}

/* In two rounds, so that the order of a wide and a narrow one does not matter. */
static bool
set_from_user(struct choices *c, const char *const *backends, bool narrow, GError **error)
{
	for (const char *const *at = backends; *at; at++) {
		const char *text = after_table(*at);
		g_autofree char *table = text ? g_strndup(*at, (gsize)(text - 1 - *at)) : NULL;
		bool fine = true;

		if (text && narrow)
			fine = set_one(c, table, text, error);
		else if (!text && !narrow)
			fine = set_all(c, *at, error);
		if (!fine) {
			g_prefix_error(error, "--backend=%.200s: ", *at);
			return false;
		}
	}
	return true;
}

bool
choices_init(struct choices *c, const struct scenario *s, const char *const *backends,
	     GError **error)
{
	c->choice = g_new0(struct backend_choice, table_spec_count());
	set_defaults(c, &s->kernel);
	if (set_from_scenario(c, s, error) &&
	    (!backends ||
	     (set_from_user(c, backends, false, error) && set_from_user(c, backends, true, error))))
		return true;
	choices_clear(c);
	return false;
}

void
choices_clear(struct choices *c)
{
	g_clear_pointer(&c->choice, g_free);
}

const struct backend_choice *
choices_get(const struct table_spec *spec, void *choices)
{
	const struct choices *c = choices;

	for (unsigned n = 0; n < table_spec_count(); n++)
		if (table_spec_at(n) == spec)
			return &c->choice[n];
	return NULL;
}
