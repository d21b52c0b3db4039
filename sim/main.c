/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main.c - picks the subcommand, prints its error, and maps it to an exit status.
 *
 * The locale is never set: numbers, messages and the order of names are the same
 * for everybody. */
#include <stdio.h>
#include <string.h>

#include "cli/build-config.h"
#include "cli/cli.h"

static const struct cli_command *const commands[] = {&cli_run, &cli_list, &cli_predict,
						     &cli_script};

static enum cli_status
print_usage(GError **error)
{
	g_autoptr(GString) out = g_string_new("Usage:\n"
					      "  sim [run] [OPTION...] SCENARIO\n"
					      "  sim COMMAND [--help | ARGUMENT...]\n"
					      "  sim --version\n"
					      "\n"
					      "Commands:\n");

	for (unsigned i = 0; i < G_N_ELEMENTS(commands); i++)
		g_string_append_printf(out, "  %-10s%s\n", commands[i]->name, commands[i]->summary);
	g_string_append(out, "\n'sim run --help' shows the options of a run, 'sim list topologies' "
			     "the scenarios.\n");
	return cli_print(out->str, error);
}

/* One line, whatever a file name or an option holds. */
static void
print_error(const GError *error)
{
	g_autofree char *line = g_strdup(error->message);

	for (char *c = line; *c; c++) {
		if (g_ascii_iscntrl(*c))
			*c = '?';
	}
	fprintf(stderr, "sim: %s\n", line);
}

static const struct cli_command *
command_by_name(const char *name)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(commands); i++) {
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	}
	return NULL;
}

static enum cli_status
run_command(int argc, char **argv, GError **error)
{
	const struct cli_command *command = argc > 1 ? command_by_name(argv[1]) : NULL;
	g_autofree char *name = NULL;

	if (command) {
		argc--;
		argv++;
	} else {
		command = &cli_run;
	}
	name = g_strconcat("sim ", command->name, NULL);
	g_set_prgname(name);
	return command->run(argc, argv, error);
}

static bool
is_only(int argc, char **argv, const char *option)
{
	return argc == 2 && strcmp(argv[1], option) == 0;
}

int
main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	enum cli_status status;

	if (is_only(argc, argv, "--version"))
		status = cli_print("sim (netstruct) " SIM_VERSION "\n", &error);
	else if (is_only(argc, argv, "--help") || is_only(argc, argv, "-h"))
		status = print_usage(&error);
	else
		status = run_command(argc, argv, &error);
	if (error)
		print_error(error);
	return (int)status;
}
