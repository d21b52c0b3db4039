/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.h - who ran where and when, as trace events that Chrome's tracing page and
 * Perfetto show: a track for each CPU with its tasks and, in them, the functions of the
 * profile; and waits for locks.
 *
 * What takes no time is left out.  Like the profile, this changes no result. */
#pragma once

#include <glib.h>
#include <stdint.h>

struct trace;
struct task;

/* For engine_config.trace, beside a profile; outlives that engine.  'write' takes the
 * text, an array of JSON, piece by piece.  Events beyond about 'max_bytes' of it are
 * counted only. */
struct trace *trace_new(void (*write)(const char *text, gsize length, void *data), void *data,
			uint64_t max_bytes);

/* Ends the array and writes what is left; null is allowed. */
void trace_free(struct trace *);

uint64_t trace_left_out(const struct trace *); /* events */

/* By the engine.  A task gets a CPU and gives it back; enters a function and leaves it;
 * has waited for a lock. */
void trace_on(struct trace *, struct task *);
void trace_off(struct trace *, struct task *);
void trace_push(struct trace *, struct task *, const char *symbol, uint64_t ps);
void trace_pop(struct trace *, struct task *, uint64_t ps);
void trace_wait(struct trace *, const struct task *, const char *lock, uint64_t from_ps,
		uint64_t to_ps);
