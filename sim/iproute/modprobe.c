/* SPDX-License-Identifier: GPL-2.0-or-later */
/* modprobe.c - 'modprobe refscale scale_type=T nreaders=N loops=N nruns=N': the module
 * measures, and prints a table, which is in the kernel's log of a real one. */
#include <string.h>

#include "engine/engine.h"
#include "iproute/command-impl.h"
#include "net/refscale.h"

#define MAX_RUNS 1000u

struct modprobe {
	struct refscale refscale;
	uint64_t nruns;
};

/* Three quarters of the CPUs, unless it is said. */
static unsigned
readers(const struct process *p, const struct modprobe *m)
{
	unsigned cpus = engine_cpus(p->kernel->engine);

	return m->refscale.nreaders ? m->refscale.nreaders : (cpus >> 1) + (cpus >> 2) + (cpus < 2);
}

static void
modprobe_run(struct process *p, const void *data)
{
	const struct modprobe *m = data;
	struct refscale how = m->refscale;

	how.nreaders = readers(p, m);
	process_print(p, "Runs\tTime(ns)\n");
	for (uint64_t run = 0; run < m->nruns; run++) {
		uint64_t ps = refscale_run(p->kernel, &how);

		process_print(p, "%u\t%u.%03u\n", (unsigned)run, (unsigned)(ps / PS_PER_NS),
			      (unsigned)(ps % PS_PER_NS));
	}
}

static const struct command_type modprobe_type = {.run = modprobe_run, .free = g_free};

/* The command line */

static bool
read_type(struct args *a, struct refscale *r, const char *text)
{
	g_autofree char *known = g_strjoinv(", ", (char **)refscale_words);

	for (unsigned n = 0; refscale_words[n]; n++)
		if (strcmp(refscale_words[n], text) == 0) {
			r->scale_type = n;
			return true;
		}
	return args_error(a, "not simulated: the scale_type \"%s\"; there are %s", text, known);
}

static bool
read_number(struct args *a, const char *name, const char *text, uint64_t max, uint64_t *value)
{
	return args_number(text, 1, max, value) ||
	       args_error(a, "%s is a number from 1 to %" G_GUINT64_FORMAT ", not \"%s\"", name,
			  max, text);
}

static bool
read_parameter(struct args *a, struct modprobe *m, const char *word)
{
	const char *equals = strchr(word, '=');
	g_autofree char *name = equals ? g_strndup(word, (gsize)(equals - word)) : g_strdup(word);
	uint64_t readers;

	if (!equals)
		return args_error(a, "a parameter is NAME=VALUE, not \"%s\"", word);
	if (strcmp(name, "scale_type") == 0)
		return read_type(a, &m->refscale, equals + 1);
	if (strcmp(name, "loops") == 0)
		return read_number(a, name, equals + 1, REFSCALE_MAX_LOOPS, &m->refscale.loops);
	if (strcmp(name, "nruns") == 0)
		return read_number(a, name, equals + 1, MAX_RUNS, &m->nruns);
	if (strcmp(name, "nreaders") != 0)
		return args_error(a,
				  "not simulated: the parameter \"%s\" of refscale; there are "
				  "scale_type, nreaders, loops and nruns",
				  name);
	if (!read_number(a, name, equals + 1, ENGINE_MAX_CPUS, &readers))
		return false;
	m->refscale.nreaders = (unsigned)readers;
	return true;
}

static bool
read_parameters(struct args *a, struct modprobe *m)
{
	while (args_left(a))
		if (!read_parameter(a, m, args_take(a)))
			return false;
	return true;
}

bool
modprobe_parse(struct args *a, struct command *c, const char *input)
{
	struct modprobe *m;

	if (input)
		return args_not_simulated(a, "a pipe to modprobe");
	if (!args_left(a))
		return args_error_next(a, "modprobe: a module is missing");
	if (strcmp(args_take(a), "refscale") != 0)
		return args_not_simulated(a, "modules other than refscale");
	m = g_new0(struct modprobe, 1);
	*m = (struct modprobe){{.scale_type = REFSCALE_RCU, .loops = 10000}, .nruns = 30};
	if (read_parameters(a, m))
		return command_becomes(c, &modprobe_type, m);
	g_free(m);
	return false;
}
