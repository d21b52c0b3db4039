/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine.h - simulated time, events and tasks.
 *
 * Time is an unsigned count of picoseconds since the start.  What is due at one
 * time runs in the order in which it was scheduled.  There is one host thread;
 * nothing here depends on the host's clock, addresses or hash order.
 *
 * A task is a thread of the simulated kernel or of a user.  It has a stack of
 * its own, so that model code reads like kernel code: it may lock, sleep and
 * wait anywhere.  It occupies one simulated CPU from the moment it is given one
 * until it blocks or ends; a runnable task takes the lowest-numbered idle CPU,
 * or waits for one first come, first served.  One that is pinned takes that CPU only.
 * Tasks are not preempted.
 *
 * Work costs time: task_charge() adds to the running task's debt, and so does
 * the meter, which prices what has been done since it was last asked.  The debt
 * is paid - the clock advances, other events run - whenever the task does what
 * others can see: takes or drops a lock, sleeps, waits, queues work, ends. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define PS_PER_NS UINT64_C(1000)
#define PS_PER_US UINT64_C(1000000)
#define PS_PER_MS UINT64_C(1000000000)
#define PS_PER_S  UINT64_C(1000000000000)

struct engine;
struct task;

/* How far apart two CPUs are. */
enum cpu_distance {
	CPU_SAME,
	CPU_SAME_CORE,
	CPU_SAME_SOCKET,
	CPU_OTHER_SOCKET,
	CPU_DISTANCES,
};

/* CPUs are numbered as Linux does: the first threads of all cores, socket by socket, then
 * the second ones.  All 0: each CPU is a core, all in one socket. */
struct cpu_topology {
	unsigned sockets;
	unsigned cores;   /* of a socket */
	unsigned threads; /* of a core */
};

struct engine_config {
	unsigned cpus; /* 1 .. ENGINE_MAX_CPUS */
	struct cpu_topology topology;

	/* What an atomic operation takes whose cache line is in the CPU that does it, and
	 * how long a line needs from other CPUs; see cacheline.h.  All 0: nothing. */
	uint64_t line_ps[CPU_DISTANCES];

	uint64_t grace_ps; /* length of an RCU grace period */

	/* The price of the work done since it was last asked; may be null. */
	uint64_t (*meter)(void *data);
	void *meter_data;

	/* Take note of where time goes, and of who runs when; may be null, but not the
	 * first one alone. */
	struct profile *profile;
	struct trace *trace;

	/* How much may happen at one time before engine_run() calls it no progress;
	 * 0: ENGINE_MAX_STEPS. */
	uint64_t max_steps;
};

#define ENGINE_MAX_CPUS  4096
#define ENGINE_MAX_STEPS UINT64_C(20000000)

struct engine *engine_new(const struct engine_config *);
void engine_free(struct engine *); /* ends tasks that still wait; null is allowed */

uint64_t engine_now(const struct engine *);
unsigned engine_cpus(const struct engine *);
enum cpu_distance cpu_distance(const struct engine *, unsigned a, unsigned b);

/* How long tasks have had the CPU so far, waiting busily included. */
uint64_t engine_cpu_busy_ps(const struct engine *, unsigned cpu);

/* Runs until nothing is scheduled or engine_stop(); may be called again.  False,
 * with an error that names the events, if simulated time no longer advances, or
 * if nothing is scheduled while a task that is no worker waits (a deadlock: names
 * the tasks), or if the next event lies beyond the end of time, 213 days. */
bool engine_run(struct engine *, GError **);
void engine_stop(struct engine *); /* after the current event; also by a signal handler */

#define ENGINE_ERROR (engine_error_quark())
GQuark engine_error_quark(void);

enum engine_error {
	ENGINE_ERROR_STUCK,    /* no progress in simulated time */
	ENGINE_ERROR_DEADLOCK, /* nothing is scheduled, but tasks wait */
	ENGINE_ERROR_TIME,     /* the end of time */
};

/* Timers.  Embedded in their owner; fn runs outside any task, so it must not
 * lock, sleep or wait: it wakes tasks or queues work. */
struct timer {
	const char *name; /* for messages */
	void (*fn)(void *data);
	void *data;
	uint64_t due, seq; /* the engine's */
	unsigned at;       /* place in the heap, from 1; 0 when not set */
};

void timer_init(struct timer *, const char *name, void (*fn)(void *), void *data);
void timer_set(struct engine *, struct timer *,
	       uint64_t due_ps);                    /* again moves it; a past time means now */
void timer_cancel(struct engine *, struct timer *); /* of a timer that is not set: nothing */

static inline bool
timer_pending(const struct timer *t)
{
	return t->at != 0;
}

/* Tasks.  The struct is freed when the task has ended and task_join() was
 * called, or at once at its end if task_detach() was.  Some 30,000 can be alive
 * at once: each stack is two of the mappings that Linux allows a process. */
struct task *task_start(struct engine *, const char *name, void (*fn)(void *), void *data);
#define TASK_ANY_CPU UINT32_MAX
struct task *task_start_on(struct engine *, const char *name, unsigned cpu, void (*fn)(void *),
			   void *data); /* pinned */
void task_detach(struct task *);
void task_join(struct task *); /* by a task: waits for its end */

struct task *task_current(const struct engine *); /* null outside tasks */
unsigned task_cpu(const struct engine *);         /* where the running task is */

void task_charge(struct engine *, uint64_t ps);
void task_sync(struct engine *); /* pays the debt; a no-op outside tasks */
void task_sleep(struct engine *, uint64_t ps);

/* Where tasks wait, first come, first served.  All zero is empty. */
struct wait_queue {
	struct task *first, *last;
	const char *name; /* of what they wait for, for messages; may be null */
};

void wait_on(struct engine *, struct wait_queue *);  /* blocks the running task */
bool wake_one(struct engine *, struct wait_queue *); /* false: nobody waited */
unsigned wake_all(struct engine *, struct wait_queue *);
