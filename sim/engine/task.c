/* SPDX-License-Identifier: GPL-2.0-or-later */
/* task.c - tasks, the CPUs that they run on, and waiting.
 *
 * A task that does not run is in one of these states: it has a CPU and waits
 * for its turn (engine.ready) or for its debt to be paid (its timer); or it has
 * none and waits for one (engine.want_cpu), sleeps (its timer), or waits for
 * others (their wait queue).  All switches go through the loop of engine.c. */
#include "engine/engine-impl.h"

/* Queues */

void
wait_queue_push(struct wait_queue *q, struct task *t)
{
	g_assert(t->queue == NULL);
	t->queue = q;
	t->next = NULL;
	if (q->last)
		q->last->next = t;
	else
		q->first = t;
	q->last = t;
}

struct task *
wait_queue_pop(struct wait_queue *q)
{
	struct task *t = q->first;

	if (!t)
		return NULL;
	q->first = t->next;
	if (!q->first)
		q->last = NULL;
	t->queue = NULL;
	return t;
}

static void
wait_queue_remove(struct wait_queue *q, struct task *t)
{
	struct task *before = NULL;

	for (struct task *i = q->first; i != t; i = i->next)
		before = i;
	if (before)
		before->next = t->next;
	else
		q->first = t->next;
	if (q->last == t)
		q->last = before;
	t->queue = NULL;
}

/* CPUs */

unsigned
engine_cpus(const struct engine *e)
{
	return e->config.cpus;
}

enum cpu_distance
cpu_distance(const struct engine *e, unsigned a, unsigned b)
{
	const struct cpu_topology *t = &e->config.topology;
	unsigned cores = t->sockets * t->cores;

	if (a == b)
		return CPU_SAME;
	if (cores == 0)
		return CPU_SAME_SOCKET;
	if (a % cores == b % cores)
		return CPU_SAME_CORE;
	return a % cores / t->cores == b % cores / t->cores ? CPU_SAME_SOCKET : CPU_OTHER_SOCKET;
}

uint64_t
engine_cpu_busy_ps(const struct engine *e, unsigned cpu)
{
	const struct cpu *c = &e->cpus[cpu];

	return c->busy_ps + (c->taken ? e->now - c->since : 0);
}

static void
cpu_begin(struct engine *e, struct task *t, unsigned cpu)
{
	t->cpu = cpu;
	e->cpus[cpu].taken = true;
	e->cpus[cpu].since = e->now;
	if (e->config.trace)
		trace_on(e->config.trace, t);
}

static void
cpu_end(struct engine *e, struct task *t)
{
	struct cpu *c = &e->cpus[t->cpu];

	if (e->config.trace)
		trace_off(e->config.trace, t);
	c->busy_ps += e->now - c->since;
	c->taken = false;
	t->cpu = NO_CPU;
}

static bool
is_idle(const struct engine *e, unsigned cpu)
{
	return e->idle_cpus[cpu / 64] & UINT64_C(1) << cpu % 64;
}

/* The lowest one, or the task's own. */
static bool
cpu_take(struct engine *e, struct task *t)
{
	unsigned cpu = t->pinned;

	if (cpu == NO_CPU && e->idle_words != 0) {
		cpu = 64 * (unsigned)__builtin_ctzll(e->idle_words);
		cpu += (unsigned)__builtin_ctzll(e->idle_cpus[cpu / 64]);
	}
	if (cpu == NO_CPU || !is_idle(e, cpu))
		return false;
	e->idle_cpus[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
	if (e->idle_cpus[cpu / 64] == 0)
		e->idle_words &= ~(UINT64_C(1) << cpu / 64);
	cpu_begin(e, t, cpu);
	return true;
}

static void
give_turn(struct task *t)
{
	t->seq = t->engine->seq++;
	wait_queue_push(&t->engine->ready, t);
}

/* Who may have this CPU, and waits for one. */
static struct task *
heir_of(struct engine *e, unsigned cpu)
{
	struct task *t = e->want_cpu.first;

	while (t && t->pinned != NO_CPU && t->pinned != cpu)
		t = t->next;
	if (t)
		wait_queue_remove(&e->want_cpu, t);
	return t;
}

static void
cpu_release(struct task *t)
{
	struct engine *e = t->engine;
	unsigned cpu = t->cpu;
	struct task *heir = heir_of(e, cpu);

	cpu_end(e, t);
	if (heir) {
		cpu_begin(e, heir, cpu);
		give_turn(heir);
	} else {
		e->idle_cpus[cpu / 64] |= UINT64_C(1) << cpu % 64;
		e->idle_words |= UINT64_C(1) << cpu / 64;
	}
}

/* Waiting and waking */

void
task_wake(struct task *t)
{
	/* It may have joined the queue and still be paying: wait_on() looks. */
	if (t->cpu != NO_CPU)
		return;
	if (cpu_take(t->engine, t))
		give_turn(t);
	else
		wait_queue_push(&t->engine->want_cpu, t);
}

struct task *
task_wake_first(struct wait_queue *q)
{
	struct task *t = wait_queue_pop(q);

	if (t)
		task_wake(t);
	return t;
}

void
task_block(struct engine *e, struct wait_queue *q, const struct wait_reason *reason)
{
	struct task *t = e->current;

	g_assert(t && t->debt == 0);
	if (t->queue != q)
		wait_queue_push(q, t);
	t->reason = reason;
	cpu_release(t);
	coro_yield(t->coro);
	t->reason = NULL;
}

void
wait_on(struct engine *e, struct wait_queue *q)
{
	struct task *t = e->current;
	struct wait_reason reason = {.what = "the event", .name = q->name};

	task_assert_may_block(e);
	wait_queue_push(q, t);
	task_sync(e);
	if (t->queue == q)
		task_block(e, q, q->name ? &reason : NULL);
}

bool
wake_one(struct engine *e, struct wait_queue *q)
{
	task_sync(e);
	return task_wake_first(q) != NULL;
}

unsigned
wake_all(struct engine *e, struct wait_queue *q)
{
	unsigned count = 0;

	task_sync(e);
	while (task_wake_first(q))
		count++;
	return count;
}

/* Debt */

void
task_charge(struct engine *e, uint64_t ps)
{
	if (!e->current)
		return;
	e->current->debt = time_add(e->current->debt, ps);
	if (e->config.profile)
		profile_add(e->config.profile, e->current->frame, ps);
}

uint64_t
task_clock(struct engine *e)
{
	if (!e->current)
		return e->now;
	if (e->config.meter)
		task_charge(e, e->config.meter(e->config.meter_data));
	return time_add(e->now, e->current->debt);
}

/* Would anything run before this task does, if it paid until 'due'?  What is
 * due at the same time was scheduled earlier, so it goes first. */
static bool
nothing_until(const struct engine *e, uint64_t due)
{
	const struct timer *first = timer_first(e);

	return !e->ready.first && (!first || first->due > due) && !e->stopping && due != UINT64_MAX;
}

void
task_spin_until(struct engine *e, uint64_t due)
{
	struct task *t = e->current;

	g_assert(t->debt == 0);
	if (due > e->now && nothing_until(e, due)) {
		engine_advance(e, due);
		return;
	}
	timer_set(e, &t->timer, due);
	coro_yield(t->coro);
}

void
task_sync(struct engine *e)
{
	struct task *t = e->current;
	uint64_t due = task_clock(e);

	if (!t || (due == e->now && engine_step(e, "task", t->name)))
		return;
	t->debt = 0;
	task_spin_until(e, due);
}

/* Waiting busily */

void
task_spin(struct engine *e)
{
	g_assert(e->current->debt == 0);
	coro_yield(e->current->coro);
}

void
task_spin_end(struct task *t)
{
	give_turn(t);
}

void
task_spun(struct engine *e, uint64_t start)
{
	if (e->config.profile)
		profile_add(e->config.profile, e->current->frame, e->now - start);
}

/* Sleeping */

void
task_sleep(struct engine *e, uint64_t ps)
{
	struct task *t = e->current;

	task_assert_may_block(e);
	task_sync(e);
	timer_set(e, &t->timer, time_add(e->now, ps));
	cpu_release(t);
	coro_yield(t->coro);
}

void
task_due(void *task)
{
	struct task *t = task;

	if (t->cpu != NO_CPU || cpu_take(t->engine, t))
		task_run(t);
	else
		wait_queue_push(&t->engine->want_cpu, t);
}

/* Beginning and end */

static void
task_free(struct task *t)
{
	struct engine *e = t->engine;

	if (t->older)
		t->older->newer = t->newer;
	else
		e->oldest = t->newer;
	if (t->newer)
		t->newer->older = t->older;
	else
		e->newest = t->older;
	if (t->coro)
		coro_free(&e->stacks, t->coro);
	g_clear_pointer(&t->frames, g_array_unref);
	g_free(t->name);
	g_free(t);
}

static void
task_main(void *task)
{
	struct task *t = task;

	t->fn(t->data);
	task_sync(t->engine);
	g_assert(t->locks == 0 && t->spinlocks == 0);
	g_assert(t->reader.nesting == 0);
	cpu_release(t);
}

void
task_run(struct task *t)
{
	struct engine *e = t->engine;

	e->current = t;
	bool alive = coro_resume(t->coro);
	e->current = NULL;
	if (alive)
		return;
	coro_free(&e->stacks, t->coro);
	t->coro = NULL;
	task_wake_first(&t->joiner);
	if (t->detached)
		task_free(t);
}

struct task *
task_start(struct engine *e, const char *name, void (*fn)(void *), void *data)
{
	return task_start_on(e, name, NO_CPU, fn, data);
}

struct task *
task_start_on(struct engine *e, const char *name, unsigned cpu, void (*fn)(void *), void *data)
{
	g_assert(cpu == NO_CPU || cpu < e->config.cpus);
	task_sync(e);

	struct task *t = g_new0(struct task, 1);

	t->engine = e;
	t->name = g_strdup(name);
	t->fn = fn;
	t->data = data;
	t->cpu = NO_CPU;
	t->pinned = cpu;
	if (e->config.profile)
		t->frame = profile_task(e->config.profile, name);
	t->coro = coro_new(&e->stacks, task_main, t);
	timer_init(&t->timer, t->name, task_due, t);
	t->older = e->newest;
	if (e->newest)
		e->newest->newer = t;
	else
		e->oldest = t;
	e->newest = t;
	task_wake(t);
	return t;
}

void
task_detach(struct task *t)
{
	g_assert(!t->detached && !t->joiner.first);
	t->detached = true;
	if (!t->coro)
		task_free(t);
}

void
task_join(struct task *t)
{
	struct engine *e = t->engine;
	struct wait_reason reason = {.what = "the end of", .name = t->name};

	task_assert_may_block(e);
	g_assert(e->current != t);
	g_assert(!t->detached && !t->joiner.first);
	task_sync(e);
	if (t->coro)
		task_block(e, &t->joiner, &reason);
	task_free(t);
}

void
task_kill(struct task *t)
{
	g_assert(t->engine->current != t);
	if (t->queue)
		wait_queue_remove(t->queue, t);
	timer_cancel(t->engine, &t->timer);
	if (t->cpu != NO_CPU)
		cpu_release(t);
	task_free(t);
}

unsigned
task_cpu(const struct engine *e)
{
	g_assert(e->current);
	return e->current->cpu;
}

struct task *
task_current(const struct engine *e)
{
	return e->current;
}
