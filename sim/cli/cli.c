/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cli.c - what all subcommands share: their errors, their --help, and scenarios
 * by name. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

#include "data/folder.h"
#include "report/output.h"
#include "scenario/scenario.h"

GQuark
cli_error_quark(void)
{
	return g_quark_from_static_string("sim-cli-error");
}

enum cli_status
cli_usage(GError **error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_propagate_error(error, g_error_new_valist(CLI_ERROR, CLI_ERROR_USAGE, format, args));
	va_end(args);
	return CLI_BAD;
}

enum cli_status
cli_print(const char *text, GError **error)
{
	return output_write_file(NULL, text, strlen(text), error) ? CLI_FINE : CLI_BAD;
}

/* GLib's own --help writes an ellipsis, which the C locale turns into a '?'. */
static bool
print_help(GOptionContext *context, GError **error)
{
	g_autofree char *text = g_option_context_get_help(context, TRUE, NULL);
	g_auto(GStrv) parts = g_strsplit(text, "\342\200\246", -1);
	g_autofree char *ascii = g_strjoinv("...", parts);

	return cli_print(ascii, error) == CLI_FINE;
}

bool
cli_parse(GOptionContext *context, const GOptionEntry *entries, int *argc, char ***argv,
	  GError **error)
{
	gboolean help = FALSE;
	/* clang-format off */
	const GOptionEntry common[] = {
		{"help", 'h', 0, G_OPTION_ARG_NONE, &help, "Shows this", NULL},
		{.long_name = NULL},
	};
	/* clang-format on */
	GError *wrong = NULL;

	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_add_main_entries(context, entries, NULL);
	g_option_context_add_main_entries(context, common, NULL);
	if (!g_option_context_parse(context, argc, argv, &wrong)) {
		cli_usage(error, "%s; '%s --help' shows the options", wrong->message,
			  g_get_prgname());
		g_error_free(wrong);
		return false;
	}
	if (help) {
		if (!print_help(context, error))
			return false;
		exit(EXIT_SUCCESS);
	}
	return true;
}

static void
unknown_scenario(const char *name, GError **error)
{
	g_auto(GStrv) names = data_names(DATA_TOPOLOGIES);
	g_autofree char *list = g_strjoinv(", ", names);

	cli_usage(error,
		  "%.200s: neither a command nor a scenario; commands are run, list, predict and "
		  "script, scenarios are %s, and a file's name has a '/' or ends in .json",
		  name, *list ? list : "none");
}

struct scenario *
cli_load(const char *name, const struct scenario_options *options, GError **error)
{
	g_autofree char *path = data_find(DATA_TOPOLOGIES, name);

	if (path)
		return scenario_load(path, options, error);
	unknown_scenario(name, error);
	return NULL;
}
