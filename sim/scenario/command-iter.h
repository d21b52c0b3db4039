/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command-iter.h - how many iterations a phase has, before anything iterates; and
 * its commands before they are expanded. */
#pragma once

#include <stdint.h>

#include "scenario/scenario.h"
#include "scenario/template.h"

#define LOOP_VALUE_MAX INT64_C(1000000000000000) /* any smaller: no sum overflows */

enum loop_trouble {
	LOOP_FINE,
	LOOP_LONG,      /* more iterations than the limit, or SCENARIO_MAX_COMMANDS entries */
	LOOP_BACKWARDS, /* the last is below the first; one below is an empty loop */
	LOOP_VALUE,     /* beyond LOOP_VALUE_MAX */
	LOOP_BOUND,     /* a bound has no value */
};

struct loop_count {
	uint64_t iterations;
	uint64_t entries; /* how often a loop was begun */

	/* In trouble: which loop, and its bounds then. */
	unsigned depth;
	int64_t first, last;

	/* Of LOOP_BOUND: what is wrong, to be freed, where in the bound, and which. */
	char *what;
	size_t what_at;
	bool what_is_last;
};

enum loop_trouble command_iter_count(const struct scenario *, const struct phase *, uint64_t limit,
				     struct loop_count *);

/* The step that comes next, null at the end, and the values of its variables, until
 * command_iter_advance(). */
const struct step *command_iter_peek(const struct command_iter *, struct variables *);
void command_iter_advance(struct command_iter *);
