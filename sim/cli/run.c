/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.c - sim run: runs a scenario, and writes what it found. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "report/output.h"
#include "report/report-explain.h"
#include "report/report.h"
#include "report/text.h"
#include "scenario/kernel-option.h"
#include "scenario/run.h"

#define DEFAULT_SEED 1

struct arguments {
	char **backends, **params, **kernel, **set;
	char *variant, *machine, *format, *seed;
	char *output, *state, *commands, *calls, *folded, *trace;
	gboolean profile, explain;
	char *topology; /* one of argv */

	const struct report_format *report;
	uint64_t seed_value;
};

static void
arguments_clear(struct arguments *a)
{
	g_strfreev(a->backends);
	g_strfreev(a->params);
	g_strfreev(a->kernel);
	g_strfreev(a->set);
	g_free(a->variant);
	g_free(a->machine);
	g_free(a->format);
	g_free(a->seed);
	g_free(a->output);
	g_free(a->state);
	g_free(a->commands);
	g_free(a->calls);
	g_free(a->folded);
	g_free(a->trace);
}

static char *
run_description(void)
{
	GString *s = g_string_new("Options of the kernel; 'sim list kernel' tells more:\n");

	for (unsigned n = 0; n < KERNEL_OPTIONS; n++) {
		const struct kernel_option *o = kernel_option_at(n);
		g_autofree char *words = g_strjoinv("|", (char **)o->words);

		g_string_append_printf(s, "  %s=%s\n", o->name, words);
	}
	g_string_append(s, "\nOther commands: sim list, sim script; see their --help, and sim(1).");
	return g_string_free(s, FALSE);
}

/* No option is of type STRING: that one would convert from the locale's charset. */
static bool
parse_options(struct arguments *a, int *argc, char ***argv, GError **error)
{
	/* clang-format off */
	const GOptionEntry entries[] = {
		{"backend", 'b', 0, G_OPTION_ARG_FILENAME_ARRAY, &a->backends, "Chooses the backend of all tables, or of one", "[TABLE=]NAME[:P=V,...]"},
		{"param", 'p', 0, G_OPTION_ARG_FILENAME_ARRAY, &a->params, "Sets a parameter of the scenario", "NAME=VALUE"},
		{"variant", 0, 0, G_OPTION_ARG_FILENAME, &a->variant, "Chooses a variant of the scenario", "NAME"},
		{"kernel", 'k', 0, G_OPTION_ARG_FILENAME_ARRAY, &a->kernel, "Sets an option of the modelled kernel", "NAME=VALUE"},
		{"machine", 0, 0, G_OPTION_ARG_FILENAME, &a->machine, "Predicts the time on this machine", "NAME"},
		{"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &a->set, "Changes a figure of the machine", "machine.FIGURE=VALUE"},
		{"seed", 0, 0, G_OPTION_ARG_FILENAME, &a->seed, "Seed of all that is random (default 1)", "N"},
		{"format", 'f', 0, G_OPTION_ARG_FILENAME, &a->format, "table (default), json, csv or jsonl", "FORMAT"},
		{"output", 'o', 0, G_OPTION_ARG_FILENAME, &a->output, "Writes the result here", "FILE"},
		{"state", 0, 0, G_OPTION_ARG_FILENAME, &a->state, "Writes the final state as JSON", "FILE"},
		{"commands", 0, 0, G_OPTION_ARG_FILENAME, &a->commands, "Writes each command's answer as JSON Lines", "FILE"},
		{"calls", 0, 0, G_OPTION_ARG_FILENAME, &a->calls, "Writes each traced call as JSON Lines", "FILE"},
		{"profile", 0, 0, G_OPTION_ARG_NONE, &a->profile, "Shows in which functions CPU time went", NULL},
		{"explain", 0, 0, G_OPTION_ARG_NONE, &a->explain, "Shows what the predicted time is made of", NULL},
		{"folded", 0, 0, G_OPTION_ARG_FILENAME, &a->folded, "Writes stacks of functions for flame graphs", "FILE"},
		{"trace", 0, 0, G_OPTION_ARG_FILENAME, &a->trace, "Writes trace events for Chrome or Perfetto", "FILE"},
		{.long_name = NULL},
	};
	/* clang-format on */
	g_autoptr(GOptionContext) context = g_option_context_new("SCENARIO");
	g_autofree char *description = run_description();

	g_option_context_set_summary(
		context, "Runs a scenario, a name or a file, and shows what it counted.");
	g_option_context_set_description(context, description);
	return cli_parse(context, entries, argc, argv, error);
}

static enum cli_status
check_format(struct arguments *a, GError **error)
{
	g_autoptr(GString) names = g_string_new(NULL);
	const struct report_format *f;

	a->report = report_format_by_name(a->format ? a->format : "table");
	if (a->report)
		return CLI_FINE;
	for (unsigned i = 0; (f = report_format_at(i)) != NULL; i++)
		g_string_append_printf(names, "%s%s", i ? ", " : "", f->name);
	return cli_usage(error, "--format=%.80s: unknown format; known are %s", a->format,
			 names->str);
}

static enum cli_status
check_seed(struct arguments *a, GError **error)
{
	guint64 value = DEFAULT_SEED;

	if (a->seed && !g_ascii_string_to_unsigned(a->seed, 10, 0, G_MAXUINT64, &value, NULL))
		return cli_usage(error,
				 "--seed=%.80s: a seed is an integer from 0 to %" G_GUINT64_FORMAT,
				 a->seed, G_MAXUINT64);
	a->seed_value = value;
	return CLI_FINE;
}

static enum cli_status
check_outputs(const struct arguments *a, GError **error)
{
	const char *const paths[] = {
		a->output ? a->output : "-", a->state, a->commands, a->calls, a->folded, a->trace};

	for (unsigned i = 0; i < G_N_ELEMENTS(paths); i++) {
		if (!paths[i])
			continue;
		for (unsigned j = 0; j < i; j++) {
			if (g_strcmp0(paths[i], paths[j]) == 0)
				return cli_usage(error,
						 "'%.200s' is given for two outputs; each of "
						 "--output, --state, --commands, --calls, "
						 "--folded and --trace needs its own",
						 paths[i]);
		}
		if (!output_check(paths[i], error))
			return CLI_BAD;
	}
	return CLI_FINE;
}

static enum cli_status
check_arguments(struct arguments *a, int argc, char **argv, GError **error)
{
	if (argc != 2)
		return cli_usage(error,
				 argc < 2 ? "run: wants a scenario, a name or a file; 'sim list "
					    "topologies' shows them"
					  : "run: one scenario at a time");
	a->topology = argv[1];
	if (a->explain && a->format && strcmp(a->format, "table") != 0)
		return cli_usage(error, "--explain: is a part of --format=table only");
	if (check_format(a, error) != CLI_FINE || check_seed(a, error) != CLI_FINE)
		return CLI_BAD;
	return check_outputs(a, error);
}

/* A line on the terminal, once the run is longer than a second. */

#define PROGRESS_FIRST_US 1000000
#define PROGRESS_EVERY_US 100000
#define PROGRESS_NAME     32 /* columns */

struct progress {
	gint64 next_us;
	bool shown;
};

static void
show_progress(const char *phase, uint64_t commands, uint64_t now_ps, void *data)
{
	struct progress *p = data;
	gint64 now_us = g_get_monotonic_time();
	g_autoptr(GString) name = NULL;

	if (now_us < p->next_us)
		return;
	p->next_us = now_us + PROGRESS_EVERY_US;
	p->shown = true;
	name = g_string_new(NULL);
	text_left(name, phase, PROGRESS_NAME);
	fprintf(stderr, "\r\033[K%s: %" PRIu64 " commands, %.1f s simulated", g_strchomp(name->str),
		commands, (double)now_ps / (double)PS_PER_S);
	fflush(stderr);
}

static void
clear_progress(const struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
}

/* What is written while the run goes on; null: not asked for. */
enum { LOG_COMMANDS, LOG_CALLS, LOG_FOLDED, LOG_EVENTS, LOGS };

struct logs {
	struct output *log[LOGS];
};

static bool
logs_close(struct logs *l, bool keep, GError **error)
{
	bool good = true;

	for (unsigned n = 0; n < LOGS; n++)
		if (l->log[n])
			good = output_close(l->log[n], keep, good ? error : NULL) && good;
	return good;
}

static bool
logs_open(struct logs *l, const struct arguments *a, GError **error)
{
	const char *const paths[LOGS] = {a->commands, a->calls, a->folded, a->trace};

	*l = (struct logs){{NULL}};
	for (unsigned n = 0; n < LOGS; n++) {
		if (!paths[n])
			continue;
		l->log[n] = output_open(paths[n], error);
		if (l->log[n])
			continue;
		logs_close(l, false, NULL);
		return false;
	}
	return true;
}

static struct run_result *
simulate(const struct arguments *a, const struct scenario *s, const struct logs *logs,
	 GError **error)
{
	struct progress progress = {.next_us = g_get_monotonic_time() + PROGRESS_FIRST_US};
	const struct run_options options = {
		.backends = (const char *const *)a->backends,
		.machine = a->machine,
		.set = (const char *const *)a->set,
		.seed = a->seed_value,
		.rcu_flavor = RCU_SIM,
		.log = logs->log[LOG_COMMANDS] ? output_write : NULL,
		.log_data = logs->log[LOG_COMMANDS],
		.trace = logs->log[LOG_CALLS] ? output_write : NULL,
		.trace_data = logs->log[LOG_CALLS],
		.profile = a->profile,
		.folded = logs->log[LOG_FOLDED] ? output_write : NULL,
		.folded_data = logs->log[LOG_FOLDED],
		.events = logs->log[LOG_EVENTS] ? output_write : NULL,
		.events_data = logs->log[LOG_EVENTS],
		.progress = isatty(STDERR_FILENO) ? show_progress : NULL,
		.progress_data = &progress,
	};
	struct run_result *result = scenario_run(s, &options, error);

	clear_progress(&progress);
	if (result && result->events_left_out > 0)
		g_printerr("sim: %s: %" PRIu64 " events were left out, beyond %" PRIu64 " MiB\n",
			   a->trace, result->events_left_out, RUN_EVENTS_MAX_BYTES >> 20);
	return result;
}

static bool
write_state(const struct arguments *a, const struct run_result *r, GError **error)
{
	char *text = json_dumps(r->state, JSON_INDENT(2));
	g_autofree char *lines = g_strconcat(text, "\n", NULL);

	free(text);
	return output_write_file(a->state, lines, strlen(lines), error);
}

static bool
explain(const struct arguments *a, const struct scenario *s, const struct run_result *r,
	GString *out, GError **error)
{
	const char *name = scenario_machine(s, a->machine);
	struct machine *m = machine_load_set(name, (const char *const *)a->set, error);

	if (!m)
		return false;
	report_explain(out, r, m);
	machine_free(m);
	return true;
}

static bool
write_result(const struct arguments *a, const struct scenario *s, const struct run_result *r,
	     GError **error)
{
	g_autoptr(GString) out = g_string_new(NULL);

	a->report->write(r, out);
	if (a->explain && !explain(a, s, r, out, error))
		return false;
	return output_write_file(a->output, out->str, out->len, error);
}

static enum cli_status
write_outputs(const struct arguments *a, const struct scenario *s, const struct run_result *r,
	      GError **error)
{
	if ((a->state && !write_state(a, r, error)) || !write_result(a, s, r, error))
		return CLI_BAD;
	if (!r->failure)
		return CLI_FINE;
	g_set_error_literal(error, CLI_ERROR, CLI_ERROR_RUN, r->failure);
	return CLI_FAILED;
}

static enum cli_status
run_scenario(const struct arguments *a, const struct scenario *s, GError **error)
{
	struct logs logs;
	struct run_result *result;
	enum cli_status status = CLI_BAD;

	if (!logs_open(&logs, a, error))
		return CLI_BAD;
	result = simulate(a, s, &logs, error);
	if (logs_close(&logs, result != NULL, result ? error : NULL) && result)
		status = write_outputs(a, s, result, error);
	run_result_free(result);
	return status;
}

static enum cli_status
load_and_run(const struct arguments *a, GError **error)
{
	const struct scenario_options options = {.variant = a->variant,
						 .params = (const char *const *)a->params,
						 .kernel = (const char *const *)a->kernel};
	struct scenario *s = cli_load(a->topology, &options, error);
	enum cli_status status;

	if (!s)
		return CLI_BAD;
	status = run_scenario(a, s, error);
	scenario_free(s);
	return status;
}

static enum cli_status
run(int argc, char **argv, GError **error)
{
	struct arguments a = {.topology = NULL};
	enum cli_status status = CLI_BAD;

	if (parse_options(&a, &argc, &argv, error))
		status = check_arguments(&a, argc, argv, error);
	if (status == CLI_FINE && a.topology)
		status = load_and_run(&a, error);
	arguments_clear(&a);
	return status;
}

const struct cli_command cli_run = {"run", "run a scenario (the default)", run};
