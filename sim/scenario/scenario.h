/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scenario.h - a scenario file, loaded and checked.
 *
 * topologies/schema.json describes the format.  Everything that can be wrong
 * is found here, before anything runs, and said as FILE:LINE:COLUMN. */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "net/kernel.h"
#include "report/published.h"

#define SCENARIO_MAX_COMMANDS 2000000 /* of one run, loops expanded */
#define SCENARIO_MAX_JOBS     10000   /* commands that are in the background at one time */
#define SCENARIO_MAX_LOOPS    8       /* of one phase, one in another */
#define SCENARIO_MAX_SETTLE   86400   /* seconds */

/* A step is one command line as a template, see template.h: "$i", "${i}", "$vlans"
 * and "$((i * 2))" are replaced by integers.  "$$" is a dollar. */
struct step {
	char *text;
	bool may_fail;
	bool background;       /* it ends in '&' */
	unsigned line, column; /* of the string in the file */
};

struct loop {
	char *variable;
	char *first, *last; /* templates of integers: "1", "$vlans" */
};

struct phase {
	char *name;
	GPtrArray *loops; /* struct loop, the outermost first; may be empty */
	GPtrArray *steps; /* struct step */
	bool keep_going;  /* every command may fail */
	bool waits;       /* a step is 'wait'; all wait at the end */
	char *settle;     /* template: seconds to wait after it, not in its time; or null */
	bool until_idle;  /* its time lasts until no deleted namespace is left */
	struct published published; /* of the chosen variant, with these parameters */
};

struct scenario_param {
	char *name, *about; /* about may be null */
	json_int_t value, min, max;
	json_int_t base; /* what it is without --param */
};

struct scenario_variant {
	char *name, *about; /* about may be null */
};

struct scenario {
	char *file;
	char *name, *about, *source, *machine;
	GPtrArray *param_list;   /* struct scenario_param, in the file's order */
	json_t *params;          /* the same as name: value, after variant and --param */
	GPtrArray *variants;     /* struct scenario_variant, in the file's order */
	char *variant;           /* chosen one, or null */
	GPtrArray *phases;       /* struct phase; the first is "setup" if the file has one */
	json_t *published_at;    /* params objects, of which figures are published, too */
	bool previous_namespace; /* run all but the last phase once, unrecorded, before */
	struct kernel_options kernel;

	GHashTable *backends; /* table name or "*" to backend text, of scenario and variant */
};

struct scenario_options {
	const char *variant;       /* or null */
	const char *const *params; /* "name=value", null-terminated; or null */
	const char *const *kernel; /* the same, of kernel-option.h */
};

/* Null and an error: a DATA_ERROR (document.h) for what is wrong with the file,
 * whose text begins with the position, "FILE:LINE:COLUMN: ..."; or a
 * SCENARIO_ERROR for a bad option. */
struct scenario *scenario_load(const char *path, const struct scenario_options *, GError **error);
void scenario_free(struct scenario *);

#define SCENARIO_ERROR (scenario_error_quark())
GQuark scenario_error_quark(void);

enum scenario_error {
	SCENARIO_ERROR_OPTION, /* no such variant, parameter or kernel option, or a bad value */
};

/* Iterates a phase's commands in order: loops expanded, templates replaced.
 * Nothing is stored, so a million commands cost no memory. */
struct command_iter {
	const struct scenario *scenario;
	const struct phase *phase;
	int64_t value[SCENARIO_MAX_LOOPS], last[SCENARIO_MAX_LOOPS];
	unsigned step;
	bool done;
};

void command_iter_init(struct command_iter *, const struct scenario *, const struct phase *);
const struct step *command_iter_next(struct command_iter *, GString *line); /* null at the end */

int64_t scenario_seconds(const struct scenario *, const char *template); /* settle's value */

/* The scenario as a bash script for a real kernel. */
void scenario_script(const struct scenario *, GString *out);
