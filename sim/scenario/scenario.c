/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scenario.c - loads a scenario file; load.h says who reads which part. */
#include "scenario/scenario.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "scenario/load.h"

#define FILE_MAX (4u << 20)

static const char *const known_members[] = {
	"$schema",   "name",     "about",
	"source",    "machine",  "params",
	"kernel",    "backends", "previous_namespace",
	"setup",     "phases",   "variants",
	"published", NULL,
};

GQuark
scenario_error_quark(void)
{
	return g_quark_from_static_string("scenario-error");
}

static bool
fail(GError **error, const char *path, const char *what)
{
	g_set_error(error, SCENARIO_ERROR, SCENARIO_ERROR_FILE, "%s: %s", path, what);
	return false;
}

/* Reads what need not be a regular file, so its size is not known before. */
static bool
read_file(const char *path, GString *text, GError **error)
{
	FILE *file = g_fopen(path, "rbe");
	char buffer[8192];
	size_t n;
	int code = errno;

	if (!file)
		return fail(error, path, g_strerror(code));
	while (text->len <= FILE_MAX && (n = fread(buffer, 1, sizeof(buffer), file)) > 0)
		g_string_append_len(text, buffer, (gssize)n);
	code = ferror(file) ? errno : 0;
	fclose(file);
	if (code != 0)
		return fail(error, path, g_strerror(code));
	if (text->len > FILE_MAX)
		return fail(error, path, "larger than 4 MiB, which no scenario is");
	return true;
}

static json_t *
parse_json(const char *path, const GString *text, GError **error)
{
	json_error_t e;
	json_t *json = json_loadb(text->str, text->len, JSON_REJECT_DUPLICATES, &e);

	if (!json)
		g_set_error(error, SCENARIO_ERROR, SCENARIO_ERROR_FILE,
			    "%s:%d:%d: not valid JSON: %s", path, MAX(e.line, 1), MAX(e.column, 1),
			    e.text);
	return json;
}

static bool
valid_name(const char *name)
{
	return strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name) &&
	       g_ascii_isalnum(*name);
}

static bool
read_head(struct loader *l, struct node *root)
{
	struct reader *r = &l->reader;
	struct scenario *s = l->scenario;
	struct node name = reader_member(root, "name"), about = reader_member(root, "about"),
		    source = reader_member(root, "source"),
		    machine = reader_member(root, "machine"),
		    schema = reader_member(root, "$schema");
	g_autofree char *ignored = NULL;

	if (!reader_object(r, root, "a scenario", known_members) ||
	    !reader_needs(r, root, "a scenario", "name") ||
	    !reader_needs(r, root, "a scenario", "phases") ||
	    !reader_text(r, &schema, LOAD_LINE_MAX, &ignored) ||
	    !reader_text(r, &name, LOAD_NAME_MAX, &s->name))
		return false;
	if (!valid_name(s->name))
		return reader_fail(
			r, &name,
			"\"name\" is made of small letters, digits and '-', and does not "
			"begin with '-'");
	return reader_text(r, &about, LOAD_ABOUT_MAX, &s->about) &&
	       reader_text(r, &source, LOAD_LINE_MAX, &s->source) &&
	       reader_text(r, &machine, LOAD_LINE_MAX, &s->machine);
}

static bool
load(struct loader *l, json_t *json)
{
	struct node root = {.json = json};

	if (!read_head(l, &root) || !load_params(l, &root) ||
	    !load_settings(l, &root, &l->settings) || !load_variants(l, &root) ||
	    !load_param_options(l))
		return false;
	load_apply(l);
	return load_phases(l, &root) && load_published(l, &root);
}

static struct scenario *
load_json(const char *path, const GString *text, json_t *json,
	  const struct scenario_options *options, GError **error)
{
	static const struct scenario_options none = {.variant = NULL};
	struct loader l = {
		.reader = {.file = path, .text = {.text = text->str}, .error = error},
		.scenario = g_new0(struct scenario, 1),
		.options = options ? options : &none,
		.settings = {.version = KERNEL_6_1,
			     .gvrp = {.value = true},
			     .mvrp = {.value = true}},
	};

	l.scenario->file = g_strdup(path);
	l.settings.backends = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	if (!load(&l, json)) {
		scenario_free(l.scenario);
		l.scenario = NULL;
	}
	g_hash_table_unref(l.settings.backends);
	return l.scenario;
}

struct scenario *
scenario_load(const char *path, const struct scenario_options *options, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	json_auto_t *json = NULL;

	if (read_file(path, text, error))
		json = parse_json(path, text, error);
	return json ? load_json(path, text, json, options, error) : NULL;
}

void
scenario_free(struct scenario *s)
{
	if (!s)
		return;
	g_free(s->file);
	g_free(s->name);
	g_free(s->about);
	g_free(s->source);
	g_free(s->machine);
	g_free(s->variant);
	json_decref(s->params);
	if (s->param_list)
		g_ptr_array_unref(s->param_list);
	if (s->phases)
		g_ptr_array_unref(s->phases);
	if (s->backends)
		g_hash_table_unref(s->backends);
	g_free(s);
}

char **
scenario_variants(const char *path, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	json_auto_t *json = NULL;
	struct scenario *s = NULL;
	GPtrArray *names;
	const char *name;
	json_t *variant;

	if (read_file(path, text, error))
		json = parse_json(path, text, error);
	if (json)
		s = load_json(path, text, json, NULL, error);
	if (!s)
		return NULL;
	scenario_free(s);
	names = g_ptr_array_new();
	json_object_foreach(json_object_get(json, "variants"), name, variant)
		g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

int64_t
scenario_seconds(const struct scenario *s, const char *template)
{
	struct variables v = {.params = s->params};
	int64_t seconds = 0;
	bool known = template_integer(template, &v, &seconds);

	g_assert(known);
	return seconds;
}
