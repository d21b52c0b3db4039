/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cacheline.c - who has a line, and who waits for it.
 *
 * All requests are made in the order of simulated time, because a task pays its debt
 * before it asks. */
#include "engine/cacheline.h"

#include "engine/engine-impl.h"

void
line_init(struct cacheline *l, struct engine *e)
{
	*l = (struct cacheline){.engine = e, .owner = LINE_NOWHERE, .number = ++e->lines};
}

/* Copies */

static struct copy *
copy_at(struct engine *e, unsigned cpu, const struct cacheline *l)
{
	if (!e->cpus[cpu].copies)
		e->cpus[cpu].copies = g_new0(struct copy, CPU_COPIES);
	return &e->cpus[cpu].copies[l->number % CPU_COPIES];
}

static bool
has_copy(const struct cacheline *l, unsigned cpu)
{
	const struct copy *copy = copy_at(l->engine, cpu, l);

	return copy->line == l->number && copy->write == l->writes;
}

static uint64_t
socket_bit(const struct engine *e, unsigned cpu)
{
	const struct cpu_topology *t = &e->config.topology;

	return UINT64_C(1) << (t->cores ? cpu % (t->sockets * t->cores) / t->cores : 0);
}

static void
add_copy(struct cacheline *l, unsigned cpu)
{
	*copy_at(l->engine, cpu, l) = (struct copy){l->number, l->writes};
	l->sockets |= socket_bit(l->engine, cpu);
}

/* The way from the owner, or from the farthest socket that has a copy. */
static uint64_t
way_to(const struct cacheline *l, unsigned cpu)
{
	const uint64_t *ps = l->engine->config.line_ps;
	uint64_t way = l->owner == cpu ? 0 : ps[cpu_distance(l->engine, l->owner, cpu)];

	if (l->sockets & ~socket_bit(l->engine, cpu))
		return MAX(way, ps[CPU_OTHER_SOCKET]);
	return l->sockets && l->owner == cpu ? ps[CPU_SAME_SOCKET] : way;
}

/* Writes */

static bool
is_here(const struct cacheline *l, unsigned cpu)
{
	return l->owner == cpu && !l->sockets &&
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
	l->sockets = 0;
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
	l->writes++;
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
