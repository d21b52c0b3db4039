/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cacheline.c - who has a line, and who waits for it.
 *
 * All requests are made in the order of simulated time, because a task pays its debt
 * before it asks. */
#include "engine/cacheline.h"

#include <string.h>

#include "engine/engine-impl.h"

void
line_init(struct cacheline *l, struct engine *e)
{
	*l = (struct cacheline){.engine = e, .owner = LINE_NOWHERE};
}

void
line_fini(struct cacheline *l)
{
	g_assert(!l->waiters.first);
	g_free(l->copies);
}

/* Copies */

static unsigned
copy_words(const struct engine *e)
{
	return (e->config.cpus + 63) / 64;
}

static bool
has_copy(const struct cacheline *l, unsigned cpu)
{
	return l->shared && l->copies[cpu / 64] & UINT64_C(1) << cpu % 64;
}

static void
add_copy(struct cacheline *l, unsigned cpu)
{
	if (!l->copies)
		l->copies = g_new0(uint64_t, copy_words(l->engine));
	else if (!l->shared)
		memset(l->copies, 0, copy_words(l->engine) * sizeof *l->copies);
	l->shared = true;
	l->copies[cpu / 64] |= UINT64_C(1) << cpu % 64;
}

static uint64_t
farther(const struct engine *e, uint64_t ps, unsigned from, unsigned to)
{
	return from == to ? ps : MAX(ps, e->config.line_ps[cpu_distance(e, from, to)]);
}

/* The way from the farthest of those who have it. */
static uint64_t
way_to(const struct cacheline *l, unsigned cpu)
{
	uint64_t ps = farther(l->engine, 0, l->owner, cpu);

	for (unsigned w = 0; l->shared && w < copy_words(l->engine); w++)
		for (uint64_t bits = l->copies[w]; bits; bits &= bits - 1)
			ps = farther(l->engine, ps, 64 * w + (unsigned)__builtin_ctzll(bits), cpu);
	return ps;
}

/* Writes */

static bool
is_here(const struct cacheline *l, unsigned cpu)
{
	return l->owner == cpu && !l->shared &&
	       (!l->waiters.first || l->engine->now < l->keep_until);
}

/* When the first who waits has it. */
static uint64_t
arrival(const struct cacheline *l)
{
	const struct engine *e = l->engine;

	return time_add(MAX(e->now, l->keep_until), way_to(l, l->waiters.first->cpu));
}

static void
arrive(struct cacheline *l, struct task *t, uint64_t way)
{
	struct task *first = wait_queue_pop(&l->waiters);

	g_assert(first == t);
	l->owner = t->cpu;
	l->shared = false;
	l->keep_until = time_add(l->engine->now, way / 2);
	if (l->waiters.first)
		timer_set(l->engine, &l->waiters.first->timer, arrival(l));
}

static void
wait_for_line(struct cacheline *l, struct task *t)
{
	struct engine *e = l->engine;
	uint64_t start = e->now, way;

	wait_queue_push(&l->waiters, t);
	if (l->waiters.first == t)
		task_spin_until(e, arrival(l));
	else
		task_spin(e); /* the one before sets the timer */
	way = way_to(l, t->cpu);
	arrive(l, t, way);
	task_spun(e, start);
}

bool
line_rmw(struct cacheline *l)
{
	struct engine *e = l->engine;
	struct task *t = e->current;
	bool comes;

	if (!e->lines_cost || !t)
		return false;
	task_sync(e);
	comes = l->owner != LINE_NOWHERE && !is_here(l, t->cpu);
	if (comes)
		wait_for_line(l, t);
	l->owner = t->cpu;
	task_charge(e, e->config.line_ps[CPU_SAME]);
	return comes;
}

bool
line_read(struct cacheline *l)
{
	struct engine *e = l->engine;
	struct task *t = e->current;

	if (!e->lines_cost || !t)
		return false;
	task_sync(e);
	if (l->owner == LINE_NOWHERE || l->owner == t->cpu || has_copy(l, t->cpu))
		return false;
	task_charge(e, e->config.line_ps[cpu_distance(e, l->owner, t->cpu)]);
	add_copy(l, t->cpu);
	return true;
}
