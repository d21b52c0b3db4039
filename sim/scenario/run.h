/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.h - runs a scenario: makes the engine, the kernel and the tables, lets a
 * task play the user, and collects the result phase by phase. */
#pragma once

#include "report/result.h"
#include "scenario/scenario.h"

struct run_options {
	const char *const *backends; /* --backend texts, the last one wins; or null */
	const char *machine;         /* null: the scenario's */
	const char *const *set;      /* figures of it that are others: machine.h; or null */
	uint64_t seed;
	enum rcu_flavor rcu_flavor;

	/* Take JSON Lines, a line for each command that has ended and for each traced
	 * call; may be null. */
	void (*log)(const char *text, gsize length, void *data);
	void *log_data;
	void (*trace)(const char *text, gsize length, void *data);
	void *trace_data;

	/* Where CPU time goes: phase_result.profile and, as lines for flame graphs with
	 * the phase in front, 'folded', which may be null. */
	bool profile;
	void (*folded)(const char *text, gsize length, void *data);
	void *folded_data;

	/* Takes trace events, a file's text piece by piece; may be null. */
	void (*events)(const char *text, gsize length, void *data);
	void *events_data;
#define RUN_EVENTS_MAX_BYTES (UINT64_C(64) << 20)

	/* Called now and then; may be null. */
	void (*progress)(const char *phase, uint64_t commands, uint64_t now_ps, void *data);
	void *progress_data;
};

/* The one that is asked for, or the scenario's own, or "none". */
const char *scenario_machine(const struct scenario *, const char *asked);

/* Null and an error: for a bad option (BACKEND_ERROR, "--backend=TEXT: unknown
 * backend ..."), for a machine (machine.h) or, as "FILE:LINE:COLUMN: ...", for a
 * command that makes no sense with the values that its variables have then
 * (COMMAND_ERROR); or an ENGINE_ERROR.  A command that fails where it may not is
 * no error: result->failure says so, as "FILE:LINE:COLUMN: COMMAND: ANSWER". */
struct run_result *scenario_run(const struct scenario *, const struct run_options *,
				GError **error);
