/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result.h - what a run found: filled by the runner, read by the reports.
 *
 * results/README.md documents the schema that the reports make of it. */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <stdint.h>

#include "engine/lock.h"
#include "engine/profile.h"
#include "engine/rcu.h"
#include "report/published.h"
#include "net/dump-audit.h"
#include "net/traffic.h"
#include "table/probe.h"

/* One table in one phase: what the phase added, and what stood at its end. */
struct table_result {
	char *name, *backend;
	struct probes probes;
	uint64_t elements, bytes;
};

/* Dumps of one kind by one algorithm. */
struct dump_total {
	struct dump_record sum; /* of the figures */
	uint64_t dumps, interrupted;
};

#define RESULT_MAX_DUMPS 1000 /* of one phase that are kept one by one */

struct call_result {
	const char *name;
	uint64_t count;
};

/* Counts and sums are what the phase added; the two maxima are of the phase. */
struct lock_result {
	const char *name;
	struct lock_stats stats;
};

struct phase_result {
	char *name;
	uint64_t commands, failed;
	uint64_t start_ps, end_ps; /* from its first command's start to its last one's end */
	struct published published;
	GArray *tables;       /* struct table_result, sorted by name */
	GArray *calls;        /* struct call_result, sorted by name, none of them zero */
	GArray *locks;        /* struct lock_result, sorted by name */
	GArray *dumps;        /* struct dump_record, the first ones that ended */
	GArray *dump_totals;  /* struct dump_total, of all, by the first of each */
	GArray *traffic;      /* struct traffic_record, in the order of their end */
	GArray *profile;      /* struct profile_symbol; null: not asked for */
	struct rcu_stats rcu; /* as locks; pending_bytes is what stood at its end */
};

struct run_result {
	char *scenario, *about, *source, *variant, *machine; /* variant null: none */
	json_t *params; /* name: integer; the first one is the scenario's size */
	uint64_t seed;
	json_t *kernel;       /* its options, name: word or boolean; null: none */
	GPtrArray *phases;    /* struct phase_result */
	char fingerprint[65]; /* SHA-256 of all answers and of the final state, in hex */
	json_t *state;        /* at the end: { "NS": { "link": [], "addr": [], "maddr": [] } } */
	uint64_t events_left_out; /* of the trace */
	char *failure;            /* the command that stopped the run and its answer, or null */
};

/* Empty; strings are owned and made with g_malloc(), the rest as said above. */
struct run_result *run_result_new(void);
void run_result_free(struct run_result *); /* null is allowed */
struct phase_result *phase_result_new(const char *name);
void phase_result_free(void *); /* not one that a run has */

#define RESULT_BIT_MAX UINT64_C(1000000000000)

/* All records of one kind, from the start of the first sender to the end of the last. */
struct traffic_total {
	const char *kind;
	uint64_t senders, packets, bytes, start_ps, end_ps;
	uint64_t pps;       /* packets a second */
	uint64_t bit_per_s; /* of 'bytes', and at most RESULT_BIT_MAX */
};

/* One for each kind, in the order of their first ends; free with g_array_unref(). */
GArray *phase_result_traffic(const struct phase_result *);

void phase_result_add_dump(struct phase_result *, const struct dump_record *);
uint64_t phase_result_dumps_left_out(const struct phase_result *);

/* One struct table_result for each table of the run, sorted by name, from the
 * first phase that has it: who ran on what.  Borrowed elements; free the array
 * with g_ptr_array_unref(). */
GPtrArray *run_result_tables(const struct run_result *);

/* The same as --backend would say it: "dev_addr=list netdev_name=hash". */
char *run_result_backends(const struct run_result *);
