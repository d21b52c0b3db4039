/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metric.h - the figures of a result as lists, so that every report prints
 * the same ones under the same names, and a new probe appears in all of them. */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

#include "report/result.h"

/* One figure of a struct.  Lists end at the first without a name. */
struct metric {
	const char *name;
	const char *unit; /* "count", "bytes" or, for what is kept in picoseconds, "s" */
	size_t offset;
};

extern const struct metric metrics_of_table[];   /* of struct table_result */
extern const struct metric metrics_of_lock[];    /* of struct lock_stats */
extern const struct metric metrics_of_rcu[];     /* of struct rcu_stats */
extern const struct metric metrics_of_dump[];    /* of struct dump_record */
extern const struct metric metrics_of_traffic[]; /* of struct traffic_total */
extern const struct metric metrics_of_symbol[];  /* of struct profile_symbol */

uint64_t metric_value(const struct metric *, const void *object);
void metric_append(const struct metric *, const void *object, GString *out); /* exactly */

/* Has the phase done anything to the table? */
bool metric_table_used(const struct table_result *);
