/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine.h - a named machine and what work costs on it.
 *
 * The price of a run is read from its probes and calls, and from nothing else.
 * Profiles are cost/machines/NAME.json; every figure there names its source,
 * and README.md describes the format. */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "engine/engine.h"
#include "net/calls.h"
#include "table/table.h"

struct machine;

#define MACHINE_ERROR (machine_error_quark())
GQuark machine_error_quark(void);

/* 'name' is a profile's name, or a path; see data/folder.h.  Null and an error:
 * MACHINE_ERROR if there is no such name, a DATA_ERROR (document.h), said as
 * "FILE:LINE:COLUMN: ...", for what is wrong with a profile. */
struct machine *machine_load(const char *name, GError **error);

/* The same with other figures, "machine.cpus=2", null-terminated or null; its name tells of
 * them. */
struct machine *machine_load_set(const char *name, const char *const *set, GError **error);
void machine_free(struct machine *); /* null is allowed */

const char *machine_name(const struct machine *);
const char *machine_about(const struct machine *);

/* Where a figure is from; null: the machine has no such figure. */
const char *machine_source(const struct machine *, const char *figure);

/* What an operation that a probe counts costs on a backend, 0 if nothing; and the call of a
 * function.  Each returns the figure's name, for g_free(), machine_call() null if there is
 * none. */
char *machine_operation(const struct machine *, const char *probe, const char *backend,
			uint64_t *ps);
char *machine_call(const struct machine *, const char *function, uint64_t *ps);

/* Figures that were fitted to what is predicted with them: "operations.visits.default =
 * 12 ns", in the profile's order. */
const GPtrArray *machine_fitted(const struct machine *);

unsigned machine_cpus(const struct machine *);
uint64_t machine_grace_ps(const struct machine *);
struct cpu_topology machine_topology(const struct machine *); /* all 0: not told */
uint64_t machine_line_ps(const struct machine *, enum cpu_distance);

/* A process ('ip', 'tee'): before it asks the kernel, and after the answer. */
uint64_t machine_process_start_ps(const struct machine *);
uint64_t machine_process_exit_ps(const struct machine *);

/* The meter: prices what the probes of 'kinds' and 'calls' gained since it was
 * last asked.  Both are borrowed. */
struct meter;

struct meter *meter_new(const struct machine *, struct table_kind *const *kinds, unsigned count,
			const struct calls *);
void meter_free(struct meter *);  /* null is allowed */
uint64_t meter_take(void *meter); /* picoseconds; fits engine_config.meter */
