/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refscale.h - readers that do nothing but take and drop a reference, to see what that
 * costs: the kernel's module of that name (kernel/rcu/refscale.c, Linux 5.10 and 6.1). */
#pragma once

#include <stdint.h>

struct kernel;

enum refscale_type { REFSCALE_RCU, REFSCALE_REFCNT, REFSCALE_RWLOCK, REFSCALE_LOCK };

extern const char *const refscale_words[]; /* scale_type's, by enum; null-terminated */

#define REFSCALE_MAX_LOOPS 100000000u

/* The module's parameters. */
struct refscale {
	enum refscale_type scale_type;
	unsigned nreaders; /* each pinned to a CPU of its own, as far as there are CPUs */
	uint64_t loops;    /* of each reader */
};

/* One run, by a task: the mean of what a loop took, in picoseconds. */
uint64_t refscale_run(struct kernel *, const struct refscale *);
