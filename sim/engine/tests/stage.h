/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stage.h - tests as plays: actors with scripts, and a log of what happened when.
 *
 * A script is words; each is done, then logged as "<time> <actor> <word>":
 *
 *   c5  charges 5 ps (not logged)        s5  sleeps for 5 ps
 *   .   pays the debt                    L U locks, unlocks the mutex
 *   W   waits on the queue               N A wakes one, all who wait there
 *   ( ) begins, ends a read section      G   waits for a grace period
 *   d7  defers an object that logs "freed 7" */
#pragma once

#include "engine/engine.h"
#include "engine/lock.h"
#include "engine/rcu.h"

#define STAGE_GRACE_PS 1000

struct stage {
	struct engine *engine;
	struct rcu *rcu;
	struct mutex lock;
	struct wait_queue queue;
	GString *log;
	struct role *roles; /* scripts must outlive tasks that never run */
};

void stage_init(struct stage *, unsigned cpus);
void stage_fini(struct stage *);

/* Both texts are borrowed.  The task can be joined or detached. */
struct task *stage_enter(struct stage *, const char *actor, const char *script);

void stage_note(struct stage *, const char *text); /* logs "<time> <text>" */

/* Runs to the end, and fails the test if the log differs from the lines given. */
void stage_expect(struct stage *, const char *log);

/* Runs, and fails the test unless that fails with this error. */
void stage_expect_error(struct stage *, enum engine_error, const char *message);

/* For tests of assertions: what GLib prints would spoil the TAP output. */
void stage_expect_abort(void);
