/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scenario.c - loads a scenario file; load.h says who reads which part. */
#include "scenario/scenario.h"

#include <string.h>

#include "data/document.h"
#include "scenario/load.h"

#define MAX_MIB 4 /* of a file */

static const char *const known_members[] = {
	"$schema",   "name",         "about",
	"source",    "machine",      "params",
	"kernel",    "backends",     "previous_namespace",
	"setup",     "phases",       "variants",
	"published", "published_at", NULL,
};

GQuark
scenario_error_quark(void)
{
	return g_quark_from_static_string("scenario-error");
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
	    !load_param_options(l) || !load_kernel_options(l))
		return false;
	load_apply(l);
	return load_phases(l, &root) && load_published(l, &root);
}

struct scenario *
scenario_load(const char *path, const struct scenario_options *options, GError **error)
{
	static const struct scenario_options none = {.variant = NULL};
	struct document document;
	struct loader l = {
		.reader = {.file = path, .error = error},
		.options = options ? options : &none,
		.settings = {.kernel = kernel_option_defaults()},
	};

	if (!document_load(&document, "scenario", path, MAX_MIB, error))
		return NULL;
	l.reader.text.text = document.text->str;
	l.settings.backends = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	l.scenario = g_new0(struct scenario, 1);
	l.scenario->file = g_strdup(path);
	l.scenario->backends = l.settings.backends;
	if (!load(&l, document.json))
		g_clear_pointer(&l.scenario, scenario_free);
	document_clear(&document);
	return l.scenario;
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
	json_decref(s->published_at);
	g_hash_table_unref(s->backends);
	if (s->param_list)
		g_ptr_array_unref(s->param_list);
	if (s->variants)
		g_ptr_array_unref(s->variants);
	if (s->phases)
		g_ptr_array_unref(s->phases);
	g_free(s);
}

int64_t
scenario_seconds(const struct scenario *s, const char *template)
{
	struct variables v = {.params = s->params};
	int64_t seconds = 0;
	size_t at;
	char *what = template_integer(template, &v, &seconds, &at);

	g_assert(!what);
	return seconds;
}
