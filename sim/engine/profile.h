/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile.h - where the time of simulated CPUs goes: a tree of functions, as they
 * called each other, below the tasks that ran them.
 *
 * What a task is charged for counts for the function that it is in.  Nothing here
 * takes simulated time, or changes when anything happens: with and without a profile
 * a run has the same results. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct profile;

#define PROFILE_MAX_NODES 65536 /* what is called beyond that counts as "[other]" */

/* For engine_config.profile; outlives that engine. */
struct profile *profile_new(void);
void profile_free(struct profile *); /* null is allowed */

/* The running task enters a function, and leaves it at the end of the block.  'profile'
 * may be null; 'symbol' is a literal. */
#define PROFILE_SCOPE(profile, symbol)                                                             \
	__attribute__((cleanup(profile_leave), unused)) const struct profile_scope G_PASTE(        \
		profile_scope_, __COUNTER__) = profile_enter(profile, symbol)

struct profile_scope {
	struct profile *profile; /* null: nothing to leave */
	uint32_t caller;
};

struct profile_scope profile_push(struct profile *, const char *symbol);
void profile_pop(const struct profile_scope *);

static inline struct profile_scope
profile_enter(struct profile *p, const char *symbol)
{
	return G_UNLIKELY(p != NULL) ? profile_push(p, symbol) : (struct profile_scope){NULL, 0};
}

static inline void
profile_leave(const struct profile_scope *s)
{
	if (G_UNLIKELY(s->profile != NULL))
		profile_pop(s);
}

/* The running task is a program of this name; its own time is spent in user space.
 * 'profile' may be null. */
void profile_program(struct profile *, const char *comm);

/* Forgets all time; tasks stay where they are. */
void profile_reset(struct profile *);

/* A symbol's time since then, in picoseconds. */
struct profile_symbol {
	const char *symbol; /* a function, or a task's name for what it did outside functions */
	bool user;          /* a program's own time */
	uint64_t self_ps;   /* in the function itself */
	uint64_t total_ps;  /* and in those that it called */
	uint64_t calls;
};

/* Those that took any time, with what they called, or were called; the one with the most time of
 * its own first and equal ones by name.  Symbols live as long as the program. */
GArray *profile_symbols(const struct profile *);

/* A line "PREFIX;TASK;FUNCTION;... NANOSECONDS" for each stack that took a nanosecond,
 * sorted: what flamegraph.pl and speedscope read. */
void profile_folded(const struct profile *, const char *prefix, GString *out);

/* By the engine.  A task that begins; time of one that is at 'node'. */
uint32_t profile_task(struct profile *, const char *name);
void profile_add(struct profile *, uint32_t node, uint64_t ps);
