/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine-set.c - figures of a profile that are other ones for a run: what if the cache
 * lines were as slow as that? */
#include <string.h>

#include "cost/machine-impl.h"

#define PREFIX "machine."

static json_t *
figure_at(json_t *root, const char *path)
{
	g_auto(GStrv) keys = g_strsplit(path, ".", -1);
	json_t *at = root;

	for (char **key = keys; *key && at; key++)
		at = json_object_get(at, *key);
	return json_object_get(at, "value") ? at : NULL;
}

static void
list_figures(json_t *at, const char *path, GString *out)
{
	const char *key;
	json_t *member;

	if (json_object_get(at, "value"))
		g_string_append_printf(out, "%s%s", out->len ? ", " : "", path);
	else
		json_object_foreach(at, key, member)
		{
			g_autofree char *longer =
				*path ? g_strdup_printf("%s.%s", path, key) : g_strdup(key);

			list_figures(member, longer, out);
		}
}

static bool
unknown(json_t *root, const char *text, GError **error)
{
	g_autoptr(GString) known = g_string_new(NULL);

	list_figures(root, "", known);
	g_set_error(error, MACHINE_ERROR, 0,
		    "--set=%.200s: no such figure; write \"" PREFIX
		    "FIGURE=VALUE\"; this machine has %s",
		    text, known->str);
	return false;
}

/* A number stays a number; what is wrong with a price is said when the profile is read. */
static bool
set_value(json_t *figure, const char *text, const char *value, GError **error)
{
	json_t *old = json_object_get(figure, "value");
	guint64 number = 0;

	if (!json_is_integer(old)) {
		json_object_set_new(figure, "value", json_string(value));
	} else if (g_ascii_string_to_unsigned(value, 10, 0, G_MAXINT32, &number, NULL)) {
		json_object_set_new(figure, "value", json_integer((json_int_t)number));
	} else {
		g_set_error(error, MACHINE_ERROR, 0, "--set=%.200s: this figure is an integer",
			    text);
		return false;
	}
	json_object_set_new(figure, "source", json_string("--set"));
	json_object_del(figure, "fitted");
	return true;
}

static bool
set_one(json_t *root, const char *text, GError **error)
{
	const char *equals = strchr(text, '=');
	g_autofree char *path = NULL;
	json_t *figure;

	if (!equals || !g_str_has_prefix(text, PREFIX))
		return unknown(root, text, error);
	path = g_strndup(text + strlen(PREFIX), (gsize)(equals - text) - strlen(PREFIX));
	figure = figure_at(root, path);
	return figure ? set_value(figure, text, equals + 1, error) : unknown(root, text, error);
}

bool
machine_set(json_t *root, const char *const *set, GString *name, GError **error)
{
	for (; set && *set; set++) {
		if (!set_one(root, *set, error))
			return false;
		g_string_append_printf(name, " %s", *set + strlen(PREFIX));
	}
	return true;
}
