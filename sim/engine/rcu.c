/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rcu.c - read sections, and what waits for them to end.
 *
 * Grace periods come one after another, and each begins a new phase.  It waits
 * for the read sections of the phase before, then runs what was deferred in it.
 * The next one does not begin until then, so there are never more than two
 * phases to keep apart.  Deferred calls run outside tasks, in their order. */
#include "engine/rcu.h"

#include <string.h>

#include "engine/engine-impl.h"

struct deferred {
	void *object;
	size_t size;
	rcu_callback *fn;
};

struct deferred_list {
	struct deferred *items;
	size_t count, room;
};

struct phase {
	size_t readers; /* read sections that began in it and are open */
	struct deferred_list deferred;
	struct wait_queue waiters; /* in rcu_synchronize() */
};

/* Where the grace period is.  After 'begins', the phase that is not current is
 * the one that ends. */
enum rcu_state {
	RCU_IDLE,
	RCU_BEGINS,  /* when the work before it has been paid */
	RCU_LASTS,   /* its least time */
	RCU_READERS, /* until the last reader has gone */
};

struct rcu {
	struct engine *engine;
	enum rcu_flavor flavor;
	struct rcu_stats stats;
	struct phase phases[2];
	unsigned current; /* the phase of what begins now */
	enum rcu_state state;
	struct timer timer;            /* leads from one state to the next */
	struct deferred_list poisoned; /* RCU_CHECK: kept for one more grace period */
};

static void
list_add(struct deferred_list *l, struct deferred d)
{
	if (l->count == l->room) {
		l->room = MAX(16, 2 * l->room);
		l->items = g_renew(struct deferred, l->items, l->room);
	}
	l->items[l->count++] = d;
}

/* Ends */

static void
poisoned_free(struct rcu *r)
{
	for (size_t i = 0; i < r->poisoned.count; i++)
		g_free(r->poisoned.items[i].object);
	r->poisoned.count = 0;
}

static void
run_one(struct rcu *r, struct deferred d)
{
	r->stats.pending_bytes -= d.size;
	if (d.fn) {
		d.fn(d.object);
	} else if (r->flavor == RCU_CHECK) {
		memset(d.object, RCU_POISON, d.size);
		list_add(&r->poisoned, d);
	} else {
		g_free(d.object);
	}
}

/* What a callback defers goes to the current phase, not to this one. */
static void
run_deferred(struct rcu *r, struct deferred_list *l)
{
	poisoned_free(r);
	for (size_t i = 0; i < l->count; i++)
		run_one(r, l->items[i]);
	l->count = 0;
}

/* Grace periods */

static void
grace_request(struct rcu *r)
{
	if (r->state != RCU_IDLE)
		return;
	r->state = RCU_BEGINS;
	timer_set(r->engine, &r->timer, task_clock(r->engine));
}

static void
grace_begin(struct rcu *r)
{
	r->state = RCU_LASTS;
	r->current ^= 1;
	timer_set(r->engine, &r->timer, time_add(r->engine->now, r->engine->config.grace_ps));
}

static void
grace_end(struct rcu *r)
{
	struct phase *over = &r->phases[r->current ^ 1], *next = &r->phases[r->current];

	run_deferred(r, &over->deferred);
	while (task_wake_first(&over->waiters))
		;
	r->stats.grace_periods++;
	r->state = RCU_IDLE;
	if (next->deferred.count || next->waiters.first)
		grace_begin(r);
}

static void
grace_timer(void *rcu)
{
	struct rcu *r = rcu;

	if (r->state == RCU_BEGINS) {
		grace_begin(r);
		return;
	}
	r->state = RCU_READERS;
	if (r->phases[r->current ^ 1].readers == 0)
		grace_end(r);
}

struct rcu *
rcu_new(struct engine *e, enum rcu_flavor flavor)
{
	struct rcu *r = g_new0(struct rcu, 1);

	r->engine = e;
	r->flavor = flavor;
	timer_init(&r->timer, "RCU grace period", grace_timer, r);
	return r;
}

void
rcu_free(struct rcu *r)
{
	if (!r)
		return;
	timer_cancel(r->engine, &r->timer);
	r->state = RCU_LASTS; /* so that none begins */
	do {
		run_deferred(r, &r->phases[r->current ^ 1].deferred);
		r->current ^= 1;
	} while (r->phases[0].deferred.count || r->phases[1].deferred.count);
	poisoned_free(r);
	for (int i = 0; i < 2; i++) {
		while (wait_queue_pop(&r->phases[i].waiters))
			;
		g_free(r->phases[i].deferred.items);
	}
	g_free(r->poisoned.items);
	g_free(r);
}

const struct rcu_stats *
rcu_stats(const struct rcu *r)
{
	return &r->stats;
}

void
rcu_forget_maxima(struct rcu *r)
{
	r->stats.pending_bytes_max = r->stats.pending_bytes;
}

/* Readers */

static struct rcu_reader *
reader_of(struct rcu *r)
{
	struct engine *e = r->engine;

	return e->current ? &e->current->reader : &e->reader;
}

void
rcu_read_lock(struct rcu *r)
{
	struct rcu_reader *reader = reader_of(r);

	if (reader->nesting++ > 0) {
		g_assert(reader->rcu == r);
		return;
	}
	reader->rcu = r;
	reader->phase = r->current;
	r->phases[r->current].readers++;
	r->stats.read_sections++;
}

/* The end is seen by grace periods, so the debt is paid.  It is not at the
 * beginning: a section may count as begun a little early, never late. */
void
rcu_read_unlock(struct rcu *r)
{
	struct rcu_reader *reader = reader_of(r);

	g_assert(reader->nesting > 0 && reader->rcu == r);
	if (reader->nesting == 1)
		task_sync(r->engine);
	if (--reader->nesting > 0)
		return;

	struct phase *began = &r->phases[reader->phase];

	reader->rcu = NULL;
	began->readers--;
	if (r->state == RCU_READERS && reader->phase != r->current && began->readers == 0)
		timer_set(r->engine, &r->timer, r->engine->now);
}

/* Updaters */

/* Pays nothing, because it is called from within changes of a table, where
 * nobody else may run; the grace period begins when the debt will be paid. */
void
rcu_defer(struct rcu *r, void *object, size_t size, rcu_callback *fn)
{
	list_add(&r->phases[r->current].deferred, (struct deferred){object, size, fn});
	r->stats.deferred++;
	r->stats.pending_bytes += size;
	r->stats.pending_bytes_max = MAX(r->stats.pending_bytes_max, r->stats.pending_bytes);
	grace_request(r);
}

void
rcu_synchronize(struct rcu *r)
{
	struct engine *e = r->engine;
	struct wait_reason reason = {.what = "an RCU grace period"};

	task_assert_may_block(e);
	r->stats.synchronize_calls++;
	task_sync(e);
	grace_request(r);
	task_block(e, &r->phases[r->current].waiters, &reason);
}
