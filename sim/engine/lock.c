/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lock.c - the mutex, built from task.c's waiting.
 *
 * The holder hands it to the first waiter, who has it from that moment, before
 * it runs: nobody can overtake, and waiting for a CPU counts as holding. */
#include "engine/lock.h"

#include "engine/engine-impl.h"

void
mutex_init(struct mutex *m, struct engine *e, const char *name)
{
	*m = (struct mutex){.engine = e, .name = name};
}

static void
take(struct mutex *m, struct task *t)
{
	m->holder = t;
	m->since = m->engine->now;
	m->stats.acquisitions++;
	t->locks++;
}

static void
wait_for_it(struct mutex *m)
{
	struct wait_reason reason = {.what = "the lock", .name = m->name, .holder = &m->holder};
	uint64_t start = m->engine->now;

	task_block(m->engine, &m->waiters, &reason);

	uint64_t waited = m->since - start;

	if (m->engine->config.trace)
		trace_wait(m->engine->config.trace, m->holder, m->name, start, m->since);
	m->stats.contended++;
	m->stats.wait_ps = time_add(m->stats.wait_ps, waited);
	m->stats.wait_max_ps = MAX(m->stats.wait_max_ps, waited);
}

void
mutex_lock(struct mutex *m)
{
	struct task *t = task_current(m->engine);

	task_assert_may_block(m->engine);
	g_assert(m->holder != t);
	task_sync(m->engine);
	if (m->holder)
		wait_for_it(m);
	else
		take(m, t);
	g_assert(m->holder == t);
}

void
mutex_unlock(struct mutex *m)
{
	g_assert(mutex_is_held(m));
	task_sync(m->engine);

	uint64_t held = m->engine->now - m->since;

	m->stats.hold_ps = time_add(m->stats.hold_ps, held);
	m->stats.hold_max_ps = MAX(m->stats.hold_max_ps, held);
	m->holder->locks--;
	m->holder = NULL;

	struct task *heir = task_wake_first(&m->waiters);

	if (heir)
		take(m, heir);
}

void
mutex_forget_maxima(struct mutex *m)
{
	m->stats.wait_max_ps = m->stats.hold_max_ps = 0;
}

bool
mutex_is_held(const struct mutex *m)
{
	return m->holder && m->holder == m->engine->current;
}
