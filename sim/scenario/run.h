/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.h - runs a scenario: makes the engine, the kernel and the tables, lets a
 * task play the user, and collects the result phase by phase. */
#pragma once

#include "report/result.h"
#include "scenario/scenario.h"

struct run_options {
	const char *const *backends; /* --backend texts, the last one wins; or null */
	const char *machine;         /* null: the scenario's */
	uint64_t seed;
	enum rcu_flavor rcu_flavor;
	bool want_commands;

	/* Calls as JSON Lines; may be null. */
	void (*trace)(const char *text, gsize length, void *data);
	void *trace_data;

	/* Called now and then; may be null. */
	void (*progress)(const char *phase, uint64_t commands, uint64_t now_ps, void *data);
	void *progress_data;
};

/* Null and an error for a bad option, "--backend=TEXT: unknown backend ...".  A
 * command that fails where it may not is no error: result->failure says so, as
 * "FILE:LINE:COLUMN: COMMAND: ANSWER". */
struct run_result *scenario_run(const struct scenario *, const struct run_options *,
				GError **error);
