/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rcu.h - read sections and grace periods in simulated time.
 *
 * A grace period begins when there is something to wait for, lasts the
 * engine's grace_ps and then until the last read section has ended that was
 * open when it began.  It is for all that was deferred before it began.  A read
 * section may take time, but not block: a lock, sleep or wait inside one asserts. */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"

struct rcu;

typedef void rcu_callback(void *object);

enum rcu_flavor {
	RCU_SIM,   /* deferred work runs at the end of a grace period */
	RCU_CHECK, /* the same, but an object whose callback is null is filled with
		    * RCU_POISON, and freed one grace period later: who still reads it,
		    * reads nonsense */
};

#define RCU_POISON 0x6b

struct rcu_stats {
	uint64_t read_sections, grace_periods, deferred;
	size_t pending_bytes, pending_bytes_max;
	uint64_t synchronize_calls;
};

struct rcu *rcu_new(struct engine *, enum rcu_flavor);
void rcu_free(struct rcu *); /* runs what is pending; before the engine's end; null is allowed */
const struct rcu_stats *rcu_stats(const struct rcu *);
void rcu_forget_maxima(struct rcu *); /* the most that is pending is from now on */

/* They nest, and must end where they began: in the same task, or timer's fn.  The
 * end of the outermost one pays the task's debt, so others may run there. */
void rcu_read_lock(struct rcu *);
void rcu_read_unlock(struct rcu *);

/* 'object' may still be read until a grace period has passed; then fn(object),
 * or g_free(object) when fn is null. 'size' is for the report and the poison. Never
 * lets others run.  fn runs outside any task and may defer more. */
void rcu_defer(struct rcu *, void *object, size_t size, rcu_callback *fn);

void rcu_synchronize(struct rcu *); /* the running task waits for a grace period */
