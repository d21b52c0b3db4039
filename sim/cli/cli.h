/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cli.h - the subcommands of sim; each has a file of its name. */
#pragma once

#include <glib.h>
#include <stdbool.h>

enum cli_status {
	CLI_FINE,
	CLI_FAILED, /* a command of the scenario failed where it may not */
	CLI_BAD,    /* bad input, or an output that can't be written */
};

struct cli_command {
	const char *name;
	const char *summary;

	/* 'argv' begins with the subcommand's name.  An error set is what main()
	 * prints, as one line; without one there is nothing to say. */
	enum cli_status (*run)(int argc, char **argv, GError **error);
};

extern const struct cli_command cli_run, cli_list, cli_predict, cli_script;

#define CLI_ERROR (cli_error_quark())
GQuark cli_error_quark(void);

enum cli_error {
	CLI_ERROR_USAGE, /* the command line is wrong */
	CLI_ERROR_RUN,   /* a command of the scenario failed */
};

/* Sets a CLI_ERROR_USAGE; returns CLI_BAD. */
enum cli_status cli_usage(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

struct scenario;
struct scenario_options;

/* A scenario of the given name or file, or null and an error. */
struct scenario *cli_load(const char *name, const struct scenario_options *, GError **error);

/* Parses options, of which each subcommand has --help too: that one prints the
 * help, and the program ends. */
bool cli_parse(GOptionContext *, const GOptionEntry *, int *argc, char ***argv, GError **error);

/* Prints on standard output. */
enum cli_status cli_print(const char *text, GError **error);
