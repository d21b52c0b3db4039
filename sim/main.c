/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main.c - picks the subcommand, prints its error, and maps it to an exit status.
 *
 * The locale is never set: numbers, messages and the order of names are the same
 * for everybody. */
#include <stdio.h>
#include <string.h>

#include "cli/build-config.h"
#include "cli/cli.h"

static const struct cli_command *const commands[] = {&cli_run, &cli_list, &cli_script};

static void
print_usage(void)
{
	puts("Usage:\n"
	     "  sim [run] [OPTION...] SCENARIO\n"
	     "  sim COMMAND [--help | ARGUMENT...]\n"
	     "  sim --version\n"
	     "\n"
	     "Commands:");
	for (unsigned i = 0; i < G_N_ELEMENTS(commands); i++)
		printf("  %-10s%s\n", commands[i]->name, commands[i]->summary);
	puts("\n"
	     "'sim run --help' shows the options of a run, 'sim list topologies' the scenarios.");
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

static int
run_command(int argc, char **argv)
{
	const struct cli_command *command = argc > 1 ? command_by_name(argv[1]) : NULL;
	g_autofree char *name = NULL;
	g_autoptr(GError) error = NULL;
	enum cli_status status;

	if (command) {
		argc--;
		argv++;
	} else {
		command = &cli_run;
	}
	name = g_strconcat("sim ", command->name, NULL);
	g_set_prgname(name);
	status = command->run(argc, argv, &error);
	if (error)
		print_error(error);
	return (int)status;
}

int
main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		puts("sim (netstruct) " SIM_VERSION);
		return CLI_FINE;
	}
	if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
		print_usage();
		return CLI_FINE;
	}
	return run_command(argc, argv);
}
