/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine-impl.h - what the files of this folder share, and nobody else sees. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cost/machine.h"
#include "data/document.h"

struct probe_name {
	const char *name;
	size_t offset; /* in struct probes */
};

#define MACHINE_MAX_CALLS 64 /* functions with a price of their own */

extern const struct probe_name machine_probes[]; /* ends at the first without a name */

/* What one count of a probe costs on one backend; backend null: on all that
 * have no price of their own. */
struct operation_price {
	size_t probe; /* its offset */
	char *backend;
	uint64_t ps;
};

struct call_price {
	char *function;
	uint64_t ps;
};

struct machine {
	char *name, *about;
	unsigned cpus;
	struct cpu_topology topology;
	uint64_t line_ps[CPU_DISTANCES];
	uint64_t grace_ps, process_start_ps, process_exit_ps;
	GArray *operations;  /* struct operation_price */
	GArray *calls;       /* struct call_price */
	GPtrArray *fitted;   /* texts */
	GHashTable *sources; /* path of a figure to text */
};

struct machine *machine_new(void);

/* Fills 'm' from a profile.  Errors begin with "PATH:LINE:COLUMN: ". */
bool machine_parse(struct machine *m, const char *path, const struct document *, GError **error);

/* machine-set.c: gives figures of the profile other values, and adds that to its name.  False
 * and a MACHINE_ERROR for what is no figure; a value that is none is machine_parse()'s to say. */
bool machine_set(json_t *root, const char *const *set, GString *name, GError **error);

uint64_t machine_operation_ps(const struct machine *, size_t probe, const char *backend);
