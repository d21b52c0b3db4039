/* SPDX-License-Identifier: GPL-2.0-or-later */
/* predict.c - sim predict: all published figures of scenarios beside predicted ones. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cost/machine.h"
#include "data/folder.h"
#include "report/output.h"
#include "report/prediction.h"
#include "scenario/run.h"

#define SEED 1

/* "a=1 b=2": what --param would say, one by one. */
static GPtrArray *
params_of(const json_t *at)
{
	GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)at, name, value)
		g_ptr_array_add(texts, g_strdup_printf("%s=%" JSON_INTEGER_FORMAT, name,
						       json_integer_value(value)));
	g_ptr_array_add(texts, NULL);
	return texts;
}

static bool
note_machine(struct predictions *all, const char *name, GError **error)
{
	struct machine *m = machine_load(name, error);

	if (!m)
		return false;
	predictions_add_machine(all, machine_name(m), machine_fitted(m));
	machine_free(m);
	return true;
}

static bool
has_published(const struct scenario *s)
{
	for (unsigned i = 0; i < s->phases->len; i++) {
		const struct phase *p = s->phases->pdata[i];

		for (unsigned which = 0; which < PUBLISHED_FIGURES; which++)
			if (published_has(&p->published, which))
				return true;
	}
	return false;
}

/* A line on the terminal; the last one is empty. */
G_GNUC_PRINTF(1, 2)
static void
show_progress(const char *format, ...)
{
	va_list args;

	if (!isatty(STDERR_FILENO))
		return;
	va_start(args, format);
	fputs("\r\033[K", stderr);
	vfprintf(stderr, format, args);
	fflush(stderr);
	va_end(args);
}

static bool
run_one(struct predictions *all, const struct scenario *s, const char *params, GError **error)
{
	const struct run_options options = {.seed = SEED, .rcu_flavor = RCU_SIM};
	struct run_result *r;
	bool good;

	show_progress("%s %s %s", s->name, s->variant, params);
	r = scenario_run(s, &options, error);
	good = r != NULL;

	if (r && r->failure) {
		g_set_error_literal(error, CLI_ERROR, CLI_ERROR_RUN, r->failure);
		good = false;
	} else if (r && predictions_add(all, r, params)) {
		good = note_machine(all, r->machine, error);
	}
	run_result_free(r);
	return good;
}

/* Of one variant, with these parameters, if anybody published a figure of that. */
static bool
predict_one(struct predictions *all, const char *path, const char *variant, const json_t *at,
	    GError **error)
{
	g_autoptr(GPtrArray) params = params_of(at);
	g_autofree char *text = g_strjoinv(" ", (char **)params->pdata);
	const struct scenario_options options = {.variant = variant,
						 .params = (const char *const *)params->pdata};
	struct scenario *s = cli_load(path, &options, error);
	bool good = s != NULL;

	if (s && has_published(s))
		good = run_one(all, s, text, error);
	scenario_free(s);
	return good;
}

static bool
predict_variants(struct predictions *all, const char *path, const struct scenario *s,
		 const json_t *at, GError **error)
{
	for (unsigned i = 0; i < s->variants->len; i++) {
		const struct scenario_variant *v = s->variants->pdata[i];

		if (!predict_one(all, path, v->name, at, error))
			return false;
	}
	return true;
}

static bool
predict_scenario(struct predictions *all, const char *path, GError **error)
{
	struct scenario *s = cli_load(path, NULL, error);
	bool good = s && predict_variants(all, path, s, NULL, error);

	for (size_t i = 0; good && i < json_array_size(s->published_at); i++)
		good = predict_variants(all, path, s, json_array_get(s->published_at, i), error);
	scenario_free(s);
	return good;
}

static enum cli_status
predict(char **names, bool json, const char *output, GError **error)
{
	struct predictions *all = predictions_new();
	g_autoptr(GString) out = g_string_new(NULL);
	bool good = true;

	for (; good && *names; names++)
		good = predict_scenario(all, *names, error);
	show_progress("%s", "");
	if (good && json)
		predictions_json(all, out);
	else if (good)
		predictions_markdown(all, out);
	predictions_free(all);
	if (!good)
		return g_error_matches(*error, CLI_ERROR, CLI_ERROR_RUN) ? CLI_FAILED : CLI_BAD;
	return output_write_file(output, out->str, out->len, error) ? CLI_FINE : CLI_BAD;
}

static enum cli_status
run(int argc, char **argv, GError **error)
{
	g_autofree char *format = NULL, *output = NULL;
	/* clang-format off */
	const GOptionEntry entries[] = {
		{"format", 'f', 0, G_OPTION_ARG_FILENAME, &format, "md (default) or json", "FORMAT"},
		{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Writes the page here", "FILE"},
		{.long_name = NULL},
	};
	/* clang-format on */
	g_autoptr(GOptionContext) context = g_option_context_new("[SCENARIO...]");
	g_auto(GStrv) all = NULL;

	g_option_context_set_summary(context,
				     "Runs scenarios - those that come with sim, or these - "
				     "wherever a figure is\npublished, and lays both beside "
				     "each other, with the errors.");
	if (!cli_parse(context, entries, &argc, &argv, error))
		return CLI_BAD;
	if (format && strcmp(format, "md") != 0 && strcmp(format, "json") != 0)
		return cli_usage(error, "--format=%.80s: unknown format; known are md, json",
				 format);
	if (!output_check(output ? output : "-", error))
		return CLI_BAD;
	if (argc == 1)
		all = data_names(DATA_TOPOLOGIES);
	return predict(all ? all : argv + 1, g_strcmp0(format, "json") == 0, output, error);
}

const struct cli_command cli_predict = {"predict", "lay published figures beside predicted ones",
					run};
