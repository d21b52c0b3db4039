/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load.h - what the files share that load a scenario, and nobody else sees.
 *
 * scenario.c reads the file and its head, settings.c what a variant may change,
 * phases.c what is run, checks.c checks that, and published.c reads what is compared. */
#pragma once

#include "data/reader.h"
#include "scenario/kernel-option.h"
#include "scenario/scenario.h"
#include "scenario/template.h"

#define LOAD_NAME_MAX     60  /* characters of a scenario's name */
#define LOAD_LINE_MAX     200 /* of other names and short descriptions */
#define LOAD_ABOUT_MAX    1000
#define LOAD_STEP_MAX     4096 /* of a command's template */
#define LOAD_PARAM_MAX    1000000000

#define LOAD_MAX_PARAMS   100
#define LOAD_MAX_VARIANTS 100
#define LOAD_MAX_PHASES   1000

/* True, false, or "$name" of a parameter that is 0 or 1: known at the end. */
struct flag {
	bool value;
	const struct scenario_param *param; /* null: it is 'value' */
};

/* What the file sets and a variant may set again. */
struct settings {
	struct kernel_options kernel;
	const struct scenario_param *kernel_params[KERNEL_OPTIONS]; /* null: it is in 'kernel' */
	struct flag previous_namespace;
	GHashTable *backends;
};

struct loader {
	struct reader reader;
	struct scenario *scenario;
	const struct scenario_options *options;
	struct settings settings;
};

/* All take the root, and fail with the reader's error. */
bool load_params(struct loader *, struct node *root);
bool load_settings(struct loader *, struct node *root, struct settings *);
bool load_variants(struct loader *, struct node *root);
bool load_param_options(struct loader *);
bool load_kernel_options(struct loader *);
void load_apply(struct loader *); /* params and settings to the scenario */
bool load_phases(struct loader *, struct node *root);
bool load_published(struct loader *, struct node *root);

struct phase *scenario_phase(const struct scenario *, const char *name); /* or null */

/* The parameter that a member's key names, or null and an error. */
struct scenario_param *load_param(struct loader *, struct node *member);

/* Loops and commands of a phase that have been read; adds to *commands how many they
 * make.  'loops' may be no member. */
bool load_check_run(struct loader *, struct node *steps, struct node *loops, struct phase *,
		    uint64_t *commands);
struct node load_step_text(struct node *step); /* where a step's text is */
