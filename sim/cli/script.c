/* SPDX-License-Identifier: GPL-2.0-or-later */
/* script.c - sim script: a scenario as a bash script for a real kernel. */
#include "cli/cli.h"
#include "report/output.h"
#include "scenario/scenario.h"

static enum cli_status
write_script(const char *name, const struct scenario_options *options, const char *output,
	     GError **error)
{
	g_autoptr(GString) out = g_string_new(NULL);
	struct scenario *s = cli_load(name, options, error);

	if (!s)
		return CLI_BAD;
	scenario_script(s, out);
	scenario_free(s);
	return output_write_file(output, out->str, out->len, error) ? CLI_FINE : CLI_BAD;
}

static enum cli_status
run(int argc, char **argv, GError **error)
{
	g_auto(GStrv) params = NULL;
	g_autofree char *variant = NULL, *output = NULL;
	/* clang-format off */
	const GOptionEntry entries[] = {
		{"param", 'p', 0, G_OPTION_ARG_FILENAME_ARRAY, &params, "Sets a parameter of the scenario", "NAME=VALUE"},
		{"variant", 0, 0, G_OPTION_ARG_FILENAME, &variant, "Chooses a variant of the scenario", "NAME"},
		{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Writes the script here", "FILE"},
		{.long_name = NULL},
	};
	/* clang-format on */
	g_autoptr(GOptionContext) context = g_option_context_new("SCENARIO");
	struct scenario_options options;

	g_option_context_set_summary(
		context, "Writes a scenario as a bash script that does the same to a real kernel.");
	if (!cli_parse(context, entries, &argc, &argv, error))
		return CLI_BAD;
	if (argc != 2)
		return cli_usage(error, "script: wants one scenario, a name or a file; 'sim list "
					"topologies' shows them");
	options = (struct scenario_options){.variant = variant,
					    .params = (const char *const *)params};
	return write_script(argv[1], &options, output, error);
}

const struct cli_command cli_script = {"script", "write a scenario as a bash script", run};
