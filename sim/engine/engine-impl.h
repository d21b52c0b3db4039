/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine-impl.h - what the files of this folder share, and nobody else sees.
 *
 * engine.c runs the loop, timer.c keeps what is due, task.c keeps who runs
 * where; locks, work queues and RCU are built from task.c's waiting. */
#pragma once

#include <signal.h>

#include "engine/coro.h"
#include "engine/engine.h"
#include "engine/profile.h"
#include "engine/trace.h"

/* A place in the heap; 'due' is here too, so that most comparisons stay within it. */
struct timer_slot {
	uint64_t due;
	struct timer *timer;
};

/* Read sections that are open in one flow of control. */
struct rcu_reader {
	struct rcu *rcu; /* null: none */
	unsigned nesting;
	unsigned phase; /* of the outermost one */
};

/* For messages: "<task> waits for <what> <name>, held by <holder>".  Lives on
 * the stack of the task that waits. */
struct wait_reason {
	const char *what;           /* "the lock" */
	const char *name;           /* may be null */
	struct task *const *holder; /* may be null */
};

#define NO_CPU UINT32_MAX

struct task {
	struct engine *engine;
	struct coro *coro; /* null when it has ended */
	char *name;
	void (*fn)(void *);
	void *data;
	struct task *older, *newer; /* all tasks, in the order of their start */

	struct wait_queue *queue; /* where it waits: for others, a CPU, or its turn */
	struct task *next;        /* on that queue */
	uint64_t seq;             /* when it got its turn; orders it among timers */
	struct timer timer;       /* the end of its sleep or of what it pays */

	uint64_t debt;
	uint32_t frame;   /* where it is in the profile, if there is one */
	GArray *frames;   /* the trace's; null at first */
	unsigned cpu;     /* or NO_CPU */
	unsigned pinned;  /* likewise */
	bool wants_write; /* while it waits for a reader-writer lock */
	bool idle;        /* a worker without work: its waiting is no deadlock */
	bool detached;

	const struct wait_reason *reason; /* while it waits for others; may be null */
	struct wait_queue joiner;
	unsigned locks;     /* it holds */
	unsigned spinlocks; /* of those that it must not block with */
	struct rcu_reader reader;
};

#define CPU_WORDS (ENGINE_MAX_CPUS / 64)

/* What a CPU has read of a line, as of one of the writes to it. */
struct copy {
	uint64_t line, write;
};

struct cpu {
	uint64_t busy_ps; /* of tasks that have left it */
	uint64_t since;   /* when the one that has it came */
	bool taken;
	struct copy *copies; /* by the line's number; null at first */
};

struct engine {
	struct engine_config config;
	uint64_t now;
	uint64_t seq;         /* of what is scheduled next */
	struct task *current; /* null: the loop, or a timer's fn */
	bool running;
	volatile sig_atomic_t stopping;

	struct timer_slot *heap; /* from 1 */
	unsigned timers, heap_size;

	struct task *oldest, *newest;
	struct wait_queue ready;    /* have a CPU and wait for their turn */
	struct wait_queue want_cpu; /* could run, but all CPUs are taken */
	uint64_t idle_cpus[CPU_WORDS];
	uint64_t idle_words; /* bit n: idle_cpus[n] is not zero */
	struct cpu *cpus;
	bool lines_cost;    /* any of config.line_ps */
	uint64_t lines;     /* that there were */
	GPtrArray *classes; /* struct lock_class */
	struct coro_pool stacks;
	struct rcu_reader reader; /* of timers, and of code outside engine_run() */

	uint64_t steps;                  /* since the clock moved last */
	struct engine_suspect *suspects; /* who took the last ones before config.max_steps */
	unsigned suspect_count;
	unsigned suspect_others; /* steps of those who found no place there */
};

/* engine.c */

/* Sum of times; UINT64_MAX, the end of time, if that is too far. */
static inline uint64_t
time_add(uint64_t a, uint64_t b)
{
	return b < UINT64_MAX - a ? a + b : UINT64_MAX;
}

/* Moves the clock; 'due' is not in the past. */
void engine_advance(struct engine *, uint64_t due);

/* Counts a step that takes no simulated time; false: there were too many, and
 * the loop must be reached for engine_run() to say so. */
bool engine_step(struct engine *, const char *kind, const char *name);

/* Work that was done outside tasks is free: the meter is asked for nothing. */
void engine_forget_work(struct engine *);

/* spin.c */
void lock_class_free(void *class);

/* profile.c */
void profile_attach(struct profile *, struct engine *);

/* timer.c */

static inline struct timer *
timer_first(const struct engine *e)
{
	return e->timers ? e->heap[1].timer : NULL;
}

/* task.c */

void wait_queue_push(struct wait_queue *, struct task *);
struct task *wait_queue_pop(struct wait_queue *); /* or null */

void task_run(struct task *);  /* until it blocks, yields or ends */
void task_due(void *task);     /* its timer's fn; the loop knows it by address */
void task_wake(struct task *); /* it waits on no queue now */

/* At the start of what may block, whether or not it does this time. */
static inline void
task_assert_may_block(const struct engine *e)
{
	g_assert(e->current && e->current->reader.nesting == 0 && e->current->spinlocks == 0);
}

/* The running task gives back its CPU and waits on the queue.  Its debt must be
 * paid.  'reason' may be null. */
void task_block(struct engine *, struct wait_queue *, const struct wait_reason *);

/* When what the running task has done so far is done: it owes from now on.  Now,
 * outside tasks. */
uint64_t task_clock(struct engine *);

/* Wakes the first without paying the running task's debt; null if nobody waited. */
struct task *task_wake_first(struct wait_queue *);

/* The running task, whose debt is paid, keeps its CPU and waits busily: until then, or
 * until its timer is set and due or task_spin_end().  Afterwards task_spun() says since
 * when. */
void task_spin_until(struct engine *, uint64_t due);
void task_spin(struct engine *);
void task_spin_end(struct task *);
void task_spun(struct engine *, uint64_t start);

/* Ends a task where it stands, whatever that is; it must not be running. */
void task_kill(struct task *);
