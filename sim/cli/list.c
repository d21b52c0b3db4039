/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.c - sim list: what can be chosen. */
#include <string.h>

#include "backend.h"
#include "cli/cli.h"
#include "cost/machine.h"
#include "data/folder.h"
#include "net/kernel.h"
#include "scenario/kernel-option.h"
#include "scenario/scenario.h"

#define WIDTH 98

/* A name in a column of its own and a text beside it, wrapped between words. */
static void
entry(GString *out, unsigned indent, int column, const char *name, const char *text)
{
	g_auto(GStrv) words = g_strsplit(text ? text : "", " ", -1);
	int start = (int)indent + column + 2;
	glong at;

	g_string_append_printf(out, "%*s%-*s ", (int)indent, "", column, name);
	at = MAX(start - 1, (int)(indent + strlen(name)) + 1);
	for (char **word = words; *word; word++) {
		glong width = g_utf8_strlen(*word, -1);

		if (at + 1 + width > WIDTH && word > words) {
			g_string_append_printf(out, "\n%*s", start - 1, "");
			at = start - 1;
		}
		g_string_append_printf(out, " %s", *word);
		at += 1 + width;
	}
	g_string_append_c(out, '\n');
}

static char *
param_text(const struct backend_param *p)
{
	if (p->words) {
		g_autofree char *words = g_strjoinv("|", (char **)p->words);

		return g_strdup_printf("%s=%s", p->name, words);
	}
	return g_strdup_printf("%s=%" G_GUINT64_FORMAT "..%" G_GUINT64_FORMAT, p->name, p->min,
			       p->max);
}

static char *
param_help(const struct backend_param *p)
{
	const char *power = p->power_of_two ? ", a power of two" : "";

	if (p->words)
		return g_strdup_printf("%s (default %s)", p->help, p->words[p->fallback]);
	return g_strdup_printf("%s (default %" G_GUINT64_FORMAT "%s)", p->help, p->fallback, power);
}

static void
list_backends(GString *out)
{
	for (unsigned i = 0; i < backend_count(); i++) {
		const struct backend *b = backend_at(i);

		entry(out, 0, 12, b->name, b->summary);
		for (unsigned j = 0; j < BACKEND_MAX_PARAMS && b->params[j].name; j++) {
			g_autofree char *name = param_text(&b->params[j]);
			g_autofree char *help = param_help(&b->params[j]);

			entry(out, 2, 26, name, help);
		}
	}
}

static void
list_tables(GString *out)
{
	for (unsigned i = 0; i < table_spec_count(); i++) {
		const struct table_spec *t = table_spec_at(i);
		g_autofree char *text =
			g_strdup_printf("%s (the kernel's: %s)", t->about, t->backend);

		entry(out, 0, 16, t->name, text);
	}
}

/* As ip(8) has it after "type KIND". */
static char *
option_text(const struct link_option *o)
{
	g_autofree char *words = o->words ? g_strjoinv("|", (char **)o->words) : NULL;

	switch (o->form) {
	case LINK_OPTION_NUMBER:
		return g_strdup_printf("%s %s%s%" G_GUINT64_FORMAT "..%" G_GUINT64_FORMAT, o->name,
				       words ? words : "", words ? "|" : "", o->min, o->max);
	case LINK_OPTION_ON_OFF:
		return g_strconcat(o->name, " on|off", NULL);
	case LINK_OPTION_WORD:
		return g_strconcat(o->name, " ", words, NULL);
	case LINK_OPTION_DEVICE:
		return g_strconcat(o->name, " DEVICE", NULL);
	case LINK_OPTION_PEER:
		return g_strconcat(o->name, " name DEVICE ...", NULL);
	case LINK_OPTION_FLAG:
		return g_strconcat(o->min ? "" : "[no]", o->name, NULL);
	case LINK_OPTION_INET:
	case LINK_OPTION_INET_GROUP:
		return g_strconcat(o->name, " ADDRESS", NULL);
	case LINK_OPTION_PORTS:
		return g_strconcat(o->name, " FIRST LAST", NULL);
	}
	g_assert_not_reached();
}

static void
list_kinds(GString *out)
{
	for (unsigned i = 0; i < net_module_count(); i++) {
		const struct link_kind *kind = net_module_at(i)->kind;

		if (!kind || kind->builtin)
			continue;
		entry(out, 0, 12, kind->name, kind->about);
		for (unsigned j = 0; j < LINK_OPTIONS_MAX && kind->options[j].name; j++) {
			g_autofree char *text = option_text(&kind->options[j]);

			entry(out, 2, 26, text, kind->options[j].help);
		}
	}
}

static void
list_kernel(GString *out)
{
	for (unsigned i = 0; i < KERNEL_OPTIONS; i++) {
		const struct kernel_option *o = kernel_option_at(i);
		g_autofree char *words = g_strjoinv("|", (char **)o->words);
		g_autofree char *name =
			g_strdup_printf("%s=%s", o->name, o->word_help ? "..." : words);
		g_autofree char *help = g_strdup_printf("%s (default %s)", o->help, o->fallback);

		entry(out, 0, 16, name, help);
		for (unsigned j = 0; o->word_help && o->words[j]; j++)
			entry(out, 2, 14, o->words[j], o->word_help[j]);
	}
}

static void
list_params(GString *out, const struct scenario *s)
{
	for (unsigned i = 0; i < s->param_list->len; i++) {
		const struct scenario_param *p = g_ptr_array_index(s->param_list, i);
		g_autofree char *name = g_strdup_printf("--param=%s=%" JSON_INTEGER_FORMAT
							"..%" JSON_INTEGER_FORMAT,
							p->name, p->min, p->max);
		g_autofree char *help = g_strdup_printf("%s (default %" JSON_INTEGER_FORMAT ")",
							p->about ? p->about : "", p->value);

		entry(out, 2, 28, name, help);
	}
}

/* A name of any characters has a line of its own, so that scripts can tell. */
static void
list_variants(GString *out, const struct scenario *s)
{
	for (unsigned i = 0; i < s->variants->len; i++) {
		const struct scenario_variant *v = g_ptr_array_index(s->variants, i);

		g_string_append_printf(out, "  --variant=%s\n", v->name);
		if (v->about)
			entry(out, 2 + 28, 0, "", v->about);
	}
}

static void
list_topology(GString *out, const char *name)
{
	g_autoptr(GError) error = NULL;
	struct scenario *s = cli_load(name, NULL, &error);

	if (!s) {
		entry(out, 0, 16, name, error->message);
		return;
	}
	entry(out, 0, 16, name, s->about);
	list_params(out, s);
	list_variants(out, s);
	scenario_free(s);
}

static void
list_topologies(GString *out)
{
	g_auto(GStrv) names = data_names(DATA_TOPOLOGIES);

	for (char **name = names; *name; name++)
		list_topology(out, *name);
}

static void
list_machines(GString *out)
{
	g_auto(GStrv) names = data_names(DATA_MACHINES);

	for (char **name = names; *name; name++) {
		g_autoptr(GError) error = NULL;
		struct machine *m = machine_load(*name, &error);

		entry(out, 0, 16, *name, m ? machine_about(m) : error->message);
		machine_free(m);
	}
}

static const struct {
	const char *name;
	void (*list)(GString *);
} lists[] = {
	{"backends", list_backends}, {"tables", list_tables},         {"kinds", list_kinds},
	{"kernel", list_kernel},     {"topologies", list_topologies}, {"machines", list_machines},
};

static void
list_all(GString *out)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(lists); i++) {
		g_string_append_printf(out, "%s%s:\n", i ? "\n" : "", lists[i].name);
		lists[i].list(out);
	}
}

static enum cli_status
list_one(GString *out, const char *name, GError **error)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(lists); i++) {
		if (strcmp(lists[i].name, name) == 0) {
			lists[i].list(out);
			return CLI_FINE;
		}
	}
	return cli_usage(
		error,
		"list: unknown \"%.80s\"; there are backends, tables, kinds, kernel, topologies, "
		"machines",
		name);
}

static enum cli_status
run(int argc, char **argv, GError **error)
{
	static const GOptionEntry none[] = {{.long_name = NULL}};
	g_autoptr(GOptionContext) context =
		g_option_context_new("[backends|tables|kinds|kernel|topologies|machines]...");
	g_autoptr(GString) out = g_string_new(NULL);

	g_option_context_set_summary(context, "Shows what can be chosen: all of it, or one kind.");
	if (!cli_parse(context, none, &argc, &argv, error))
		return CLI_BAD;
	if (argc <= 1)
		list_all(out);
	for (int i = 1; i < argc; i++) {
		if (list_one(out, argv[i], error) != CLI_FINE)
			return CLI_BAD;
	}
	return cli_print(out->str, error);
}

const struct cli_command cli_list = {"list", "show what can be chosen", run};
