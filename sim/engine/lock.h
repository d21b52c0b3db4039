/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lock.h - locks in simulated time, with lock_stat's figures. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"

struct lock_stats {
	uint64_t acquisitions, contended; /* contended: those that had to wait */
	uint64_t wait_ps, wait_max_ps;    /* sums stop at UINT64_MAX */
	uint64_t hold_ps, hold_max_ps;    /* of holds that have ended */
	uint64_t transfers;               /* of its cache lines, from CPU to CPU */
};

/* A sleeping lock, handed over first come, first served.  Not recursive: the
 * holder's second lock is a bug and asserts. */
struct mutex {
	struct engine *engine;
	const char *name;
	struct task *holder;
	struct wait_queue waiters;
	uint64_t since; /* when the holder got it */
	struct lock_stats stats;
};

void mutex_init(struct mutex *, struct engine *, const char *name);
void mutex_lock(struct mutex *);
void mutex_unlock(struct mutex *);
bool mutex_is_held(const struct mutex *); /* by the running task: for assertions */
void mutex_forget_maxima(struct mutex *); /* the longest wait and hold are from now on */
