/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settings.c - loads what a variant or an option may change: parameters, the
 * modelled kernel, the backends. */
#include "scenario/load.h"

#include <string.h>

#include "backend.h"

/* clang-format off */
#define SETTINGS "kernel", "backends", "previous_namespace"
/* clang-format on */

static struct scenario_param *
param_by_name(const struct loader *l, const char *name, size_t length)
{
	for (unsigned i = 0; i < l->scenario->param_list->len; i++) {
		struct scenario_param *p = g_ptr_array_index(l->scenario->param_list, i);

		if (strlen(p->name) == length && memcmp(p->name, name, length) == 0)
			return p;
	}
	return NULL;
}

static char *
param_names(const struct loader *l)
{
	GString *names = g_string_new(NULL);

	for (unsigned i = 0; i < l->scenario->param_list->len; i++) {
		const struct scenario_param *p = g_ptr_array_index(l->scenario->param_list, i);

		g_string_append_printf(names, "%s%s", i ? ", " : "", p->name);
	}
	if (l->scenario->param_list->len == 0)
		g_string_append(names, "none");
	return g_string_free(names, FALSE);
}

static void
param_free(void *param)
{
	struct scenario_param *p = param;

	g_free(p->name);
	g_free(p->about);
	g_free(p);
}

static bool
read_param_object(struct reader *r, struct node *n, struct scenario_param *p)
{
	static const char *const known[] = {"default", "min", "max", "about", NULL};
	struct node value = reader_member(n, "default"), min = reader_member(n, "min"),
		    max = reader_member(n, "max"), about = reader_member(n, "about");

	return reader_object(r, n, "a parameter", known) &&
	       reader_needs(r, n, "a parameter", "default") &&
	       reader_integer(r, &min, -LOAD_PARAM_MAX, LOAD_PARAM_MAX, &p->min) &&
	       reader_integer(r, &max, p->min, LOAD_PARAM_MAX, &p->max) &&
	       reader_integer(r, &value, p->min, p->max, &p->value) &&
	       reader_text(r, &about, LOAD_LINE_MAX, &p->about);
}

static bool
read_param(struct loader *l, struct node *n)
{
	const char *name = n->place.key;
	struct scenario_param *p = g_new0(struct scenario_param, 1);

	p->name = g_strdup(name);
	p->max = LOAD_PARAM_MAX;
	g_ptr_array_add(l->scenario->param_list, p);
	if (!template_name_valid(name, strlen(name)))
		return reader_fail_key(
			&l->reader, n,
			"\"%.80s\" is no name of a parameter: a small letter, then small "
			"letters, digits and '_', %d at most",
			name, TEMPLATE_NAME_MAX);
	if (json_is_object(n->json))
		return read_param_object(&l->reader, n, p);
	return reader_integer(&l->reader, n, p->min, p->max, &p->value);
}

bool
load_params(struct loader *l, struct node *root)
{
	struct node params = reader_member(root, "params");
	const char *name;
	json_t *value;

	l->scenario->param_list = g_ptr_array_new_with_free_func(param_free);
	if (!reader_object(&l->reader, &params, "\"params\"", NULL))
		return false;
	if (json_object_size(params.json) > LOAD_MAX_PARAMS)
		return reader_fail(&l->reader, &params, "more than %d parameters", LOAD_MAX_PARAMS);
	json_object_foreach(params.json, name, value)
	{
		struct node child = reader_child(&params, name, value);

		if (!read_param(l, &child))
			return false;
	}
	return true;
}

static bool
read_flag(struct loader *l, struct node *n, struct flag *flag)
{
	const char *text = json_string_value(n->json);
	struct piece piece;

	if (!n->json)
		return true;
	if (!text) {
		flag->param = NULL;
		return reader_bool(&l->reader, n, &flag->value);
	}
	piece = template_next(&text);
	if (piece.kind != PIECE_VARIABLE || *text != '\0')
		return reader_fail(&l->reader, n,
				   "\"%s\" is true, false or the \"$name\" of a parameter",
				   n->place.key);
	flag->param = param_by_name(l, piece.start, piece.length);
	if (!flag->param) {
		g_autofree char *names = param_names(l);

		return reader_fail(&l->reader, n, "unknown parameter \"$%.*s\"; known are %s",
				   (int)MIN(piece.length, 80), piece.start, names);
	}
	if (flag->param->min < 0 || flag->param->max > 1)
		return reader_fail(
			&l->reader, n,
			"\"$%s\" may be other than 0 and 1: give it \"min\": 0, \"max\": 1",
			flag->param->name);
	return true;
}

/* A word; of a flag true, false or "$name". */
static bool
read_kernel_option(struct loader *l, struct node *n, unsigned number, struct settings *s)
{
	const struct kernel_option *o = kernel_option_at(number);
	const char *word = json_string_value(n->json);
	struct flag flag = {.value = false};
	g_autofree char *choices = NULL;

	if (!n->json)
		return true;
	if (o->is_flag) {
		if (!read_flag(l, n, &flag))
			return false;
		s->kernel_params[number] = flag.param;
		return kernel_option_set(o, &s->kernel, o->words[flag.value]);
	}
	if (word && kernel_option_set(o, &s->kernel, word))
		return true;
	choices = kernel_option_choices(o, "\"");
	return reader_fail(&l->reader, n, "\"%s\" is %s", o->name, choices);
}

static bool
read_kernel(struct loader *l, struct node *n, struct settings *s)
{
	const char *known[KERNEL_OPTIONS + 1] = {NULL};

	for (unsigned i = 0; i < KERNEL_OPTIONS; i++)
		known[i] = kernel_option_at(i)->name;
	if (!reader_object(&l->reader, n, "\"kernel\"", known))
		return false;
	for (unsigned i = 0; i < KERNEL_OPTIONS; i++) {
		struct node option = reader_member(n, known[i]);

		if (!read_kernel_option(l, &option, i, s))
			return false;
	}
	return true;
}

static bool
unknown_table(struct reader *r, struct node *n)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (unsigned i = 0; i < table_spec_count(); i++)
		g_string_append_printf(names, ", %s", table_spec_at(i)->name);
	return reader_fail_key(r, n, "unknown table \"%.80s\"; known are *%s", n->place.key,
			       names->str);
}

static bool
read_backend(struct reader *r, struct node *n, struct settings *s)
{
	const char *text = json_string_value(n->json);
	struct backend_choice choice;
	GError *error = NULL;

	if (strcmp(n->place.key, "*") != 0 && !table_spec_by_name(n->place.key))
		return unknown_table(r, n);
	if (!text)
		return reader_fail(r, n, "a backend is a string: \"rbtree\", \"hash:buckets=64\"");
	if (!reader_line(r, n, text, LOAD_LINE_MAX))
		return false;
	if (!backend_parse(text, &choice, &error)) {
		reader_fail(r, n, "%s", error->message);
		g_error_free(error);
		return false;
	}
	g_hash_table_replace(s->backends, g_strdup(n->place.key), g_strdup(text));
	return true;
}

/* Also of a variant: 'n' is the object that has the members. */
bool
load_settings(struct loader *l, struct node *n, struct settings *s)
{
	struct node kernel = reader_member(n, "kernel"), backends = reader_member(n, "backends"),
		    previous = reader_member(n, "previous_namespace");
	const char *table;
	json_t *text;

	if (!read_kernel(l, &kernel, s) || !read_flag(l, &previous, &s->previous_namespace) ||
	    !reader_object(&l->reader, &backends, "\"backends\"", NULL))
		return false;
	json_object_foreach(backends.json, table, text)
	{
		struct node child = reader_child(&backends, table, text);

		if (!read_backend(&l->reader, &child, s))
			return false;
	}
	return true;
}

struct scenario_param *
load_param(struct loader *l, struct node *member)
{
	const char *name = member->place.key;
	struct scenario_param *p = param_by_name(l, name, strlen(name));

	if (!p) {
		g_autofree char *names = param_names(l);

		reader_fail_key(&l->reader, member, "unknown parameter \"%.80s\"; known are %s",
				name, names);
	}
	return p;
}

static bool
read_variant_params(struct loader *l, struct node *params, bool chosen)
{
	const char *name;
	json_t *json;

	if (!reader_object(&l->reader, params, "\"params\"", NULL))
		return false;
	json_object_foreach(params->json, name, json)
	{
		struct node child = reader_child(params, name, json);
		struct scenario_param *p = load_param(l, &child);
		json_int_t value = 0;

		if (!p || !reader_integer(&l->reader, &child, p->min, p->max, &value))
			return false;
		if (chosen)
			p->value = value;
	}
	return true;
}

static void
variant_free(void *variant)
{
	struct scenario_variant *v = variant;

	g_free(v->name);
	g_free(v->about);
	g_free(v);
}

/* Every variant is checked; only the chosen one is applied. */
static bool
read_variant(struct loader *l, struct node *n)
{
	static const char *const known[] = {"about", "params", SETTINGS, NULL};
	struct settings unused = {.backends = NULL}, *s = &unused;
	struct node about = reader_member(n, "about"), params = reader_member(n, "params");
	bool chosen = g_strcmp0(l->options->variant, n->place.key) == 0, good;
	struct scenario_variant *v = g_new0(struct scenario_variant, 1);

	v->name = g_strdup(n->place.key);
	g_ptr_array_add(l->scenario->variants, v);
	if (chosen)
		s = &l->settings;
	else
		unused.backends = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	good = reader_line(&l->reader, n, n->place.key, LOAD_LINE_MAX) &&
	       reader_object(&l->reader, n, "a variant", known) &&
	       reader_text(&l->reader, &about, LOAD_LINE_MAX, &v->about) &&
	       read_variant_params(l, &params, chosen) && load_settings(l, n, s);
	if (unused.backends)
		g_hash_table_destroy(unused.backends);
	if (chosen)
		l->scenario->variant = g_strdup(n->place.key);
	return good;
}

static bool
unknown_variant(struct loader *l)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (unsigned i = 0; i < l->scenario->variants->len; i++) {
		const struct scenario_variant *v = g_ptr_array_index(l->scenario->variants, i);

		g_string_append_printf(names, "%s%s", i ? ", " : "", v->name);
	}
	g_set_error(l->reader.error, SCENARIO_ERROR, SCENARIO_ERROR_OPTION,
		    "%s: there is no variant \"%.80s\"; known are %s", l->reader.file,
		    l->options->variant, names->len ? names->str : "none");
	return false;
}

bool
load_variants(struct loader *l, struct node *root)
{
	struct node variants = reader_member(root, "variants");
	const char *name;
	json_t *value;

	l->scenario->variants = g_ptr_array_new_with_free_func(variant_free);
	if (!reader_object(&l->reader, &variants, "\"variants\"", NULL))
		return false;
	if (json_object_size(variants.json) > LOAD_MAX_VARIANTS)
		return reader_fail(&l->reader, &variants, "more than %d variants",
				   LOAD_MAX_VARIANTS);
	json_object_foreach(variants.json, name, value)
	{
		struct node child = reader_child(&variants, name, value);

		if (!read_variant(l, &child))
			return false;
	}
	return !l->options->variant || l->scenario->variant || unknown_variant(l);
}

/* "name=value" */
static bool
set_param(struct loader *l, const char *text)
{
	const char *equals = strchr(text, '=');
	struct scenario_param *p;
	gint64 value;

	if (!equals) {
		g_set_error(l->reader.error, SCENARIO_ERROR, SCENARIO_ERROR_OPTION,
			    "--param=%.80s: a parameter is set by name=value", text);
		return false;
	}
	p = param_by_name(l, text, (size_t)(equals - text));
	if (!p) {
		g_autofree char *names = param_names(l);

		g_set_error(l->reader.error, SCENARIO_ERROR, SCENARIO_ERROR_OPTION,
			    "--param=%.80s: %s has no such parameter; it has %s", text,
			    l->reader.file, names);
		return false;
	}
	if (!g_ascii_string_to_signed(equals + 1, 10, p->min, p->max, &value, NULL)) {
		g_set_error(l->reader.error, SCENARIO_ERROR, SCENARIO_ERROR_OPTION,
			    "--param=%.80s: %s is an integer from %" JSON_INTEGER_FORMAT
			    " to %" JSON_INTEGER_FORMAT,
			    text, p->name, p->min, p->max);
		return false;
	}
	p->value = value;
	return true;
}

bool
load_param_options(struct loader *l)
{
	for (unsigned i = 0; i < l->scenario->param_list->len; i++) {
		struct scenario_param *p = l->scenario->param_list->pdata[i];

		p->base = p->value;
	}
	for (const char *const *text = l->options->params; text && *text; text++) {
		if (!set_param(l, *text))
			return false;
	}
	return true;
}

/* "name=value" */
static bool
set_kernel_option(struct loader *l, const char *text)
{
	const char *equals = strchr(text, '=');
	size_t length = equals ? (size_t)(equals - text) : strlen(text);
	const struct kernel_option *o = kernel_option_by_name(text, length);
	g_autofree char *right = NULL;

	if (!o) {
		right = kernel_option_names();
		g_set_error(l->reader.error, SCENARIO_ERROR, SCENARIO_ERROR_OPTION,
			    "--kernel=%.80s: unknown option \"%.*s\"; known are %s", text,
			    (int)MIN(length, 80), text, right);
		return false;
	}
	if (!equals || !kernel_option_set(o, &l->settings.kernel, equals + 1)) {
		right = kernel_option_choices(o, "");
		g_set_error(l->reader.error, SCENARIO_ERROR, SCENARIO_ERROR_OPTION,
			    "--kernel=%.80s: %s is %s", text, o->name, right);
		return false;
	}
	l->settings.kernel_params[o - kernel_option_at(0)] = NULL;
	return true;
}

bool
load_kernel_options(struct loader *l)
{
	for (const char *const *text = l->options->kernel; text && *text; text++) {
		if (!set_kernel_option(l, *text))
			return false;
	}
	return true;
}

static void
apply_kernel(struct loader *l)
{
	struct settings *s = &l->settings;

	for (unsigned i = 0; i < KERNEL_OPTIONS; i++) {
		const struct kernel_option *o = kernel_option_at(i);

		if (s->kernel_params[i])
			kernel_option_set(o, &s->kernel, o->words[s->kernel_params[i]->value != 0]);
	}
	l->scenario->kernel = s->kernel;
}

static bool
flag_value(const struct flag *flag)
{
	return flag->param ? flag->param->value != 0 : flag->value;
}

void
load_apply(struct loader *l)
{
	struct scenario *s = l->scenario;

	s->params = json_object();
	for (unsigned i = 0; i < l->scenario->param_list->len; i++) {
		const struct scenario_param *p = g_ptr_array_index(l->scenario->param_list, i);

		json_object_set_new(s->params, p->name, json_integer(p->value));
	}
	apply_kernel(l);
	s->previous_namespace = flag_value(&l->settings.previous_namespace);
}
