/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spin.c - spinlocks, reader-writer locks, sequence counts, reference counts. */
#include "engine/spin.h"

#include <string.h>

#include "engine/engine-impl.h"

/* Classes */

struct lock_class *
lock_class(struct engine *e, const char *name)
{
	struct lock_class *class;

	for (unsigned n = 0; n < e->classes->len; n++) {
		class = g_ptr_array_index(e->classes, n);
		if (strcmp(class->name, name) == 0)
			return class;
	}
	class = g_new0(struct lock_class, 1);
	class->name = g_strdup(name);
	g_ptr_array_add(e->classes, class);
	return class;
}

unsigned
lock_class_count(const struct engine *e)
{
	return e->classes->len;
}

struct lock_class *
lock_class_at(const struct engine *e, unsigned n)
{
	return g_ptr_array_index(e->classes, n);
}

void
lock_class_forget_maxima(struct lock_class *class)
{
	class->stats.wait_max_ps = class->stats.hold_max_ps = 0;
}

void
lock_class_free(void *class)
{
	g_free(((struct lock_class *)class)->name);
	g_free(class);
}

/* One acquisition, asked for at 'start'. */
static void
count(struct lock_class *class, struct engine *e, uint64_t start, bool comes, bool contended)
{
	struct lock_stats *s = &class->stats;
	uint64_t waited = e->now - start;

	if (e->config.trace && e->current)
		trace_wait(e->config.trace, e->current, class->name, start, e->now);

	s->acquisitions++;
	s->transfers += comes;
	s->contended += contended;
	s->wait_ps = time_add(s->wait_ps, waited);
	s->wait_max_ps = MAX(s->wait_max_ps, waited);
}

static void
count_hold(struct lock_class *class, uint64_t held)
{
	class->stats.hold_ps = time_add(class->stats.hold_ps, held);
	class->stats.hold_max_ps = MAX(class->stats.hold_max_ps, held);
}

/* Where lines cost nothing, only those pay who have to wait, or to wake somebody: the
 * order in which tasks run is then the same as without locks. */
static void
pay(struct engine *e)
{
	if (e->lines_cost)
		task_sync(e);
}

/* Waiting for others, busily.  Who lets a task go on has taken it from the queue. */
static void
spin_on(struct engine *e, struct wait_queue *q, const char *what, const char *name)
{
	struct wait_reason reason = {.what = what, .name = name};
	uint64_t start = e->now;

	wait_queue_push(q, e->current);
	e->current->reason = &reason;
	task_spin(e);
	e->current->reason = NULL;
	task_spun(e, start);
}

/* Spinlocks */

void
spinlock_init(struct spinlock *l, struct lock_class *class, struct engine *e,
	      enum spinlock_kind kind)
{
	*l = (struct spinlock){.class = class, .kind = kind};
	line_init(&l->line, e);
}

void
spinlock_fini(struct spinlock *l)
{
	g_assert(!l->holder);
}

/* The word that tells of it comes from the one who had it. */
static void
hear_of_it(struct spinlock *l)
{
	struct engine *e = l->line.engine;
	uint64_t way = e->config.line_ps[cpu_distance(e, l->from, e->current->cpu)];

	l->class->stats.transfers++;
	task_charge(e, l->kind == SPINLOCK_TICKET ? way * (l->waiting + 1) / 2 : way);
	task_sync(e);
}

static void
wait_for_holder(struct spinlock *l)
{
	struct engine *e = l->line.engine;

	l->waiting++;
	spin_on(e, &l->waiters, "the spinlock", l->class->name);
	if (e->lines_cost)
		hear_of_it(l);
	l->waiting--;
}

void
spin_lock(struct spinlock *l)
{
	struct engine *e = l->line.engine;
	bool contended, comes;
	uint64_t start;

	g_assert(e->current && l->holder != e->current);
	pay(e);
	start = e->now;
	comes = line_rmw(&l->line);
	if (l->holder)
		task_sync(e); /* it may be free when the operation is over */
	contended = l->holder != NULL;
	if (contended)
		wait_for_holder(l);
	else
		l->holder = e->current;
	e->current->spinlocks++;
	l->since = e->now;
	count(l->class, e, start, comes, contended);
}

void
spin_unlock(struct spinlock *l)
{
	struct engine *e = l->line.engine;

	g_assert(l->holder && l->holder == e->current);
	l->class->stats.transfers += line_rmw(&l->line);
	pay(e);
	if (l->waiters.first)
		task_sync(e);
	count_hold(l->class, e->now - l->since);
	e->current->spinlocks--;
	l->from = e->current->cpu;
	l->holder = wait_queue_pop(&l->waiters);
	if (l->holder)
		task_spin_end(l->holder);
}

/* Reader-writer locks */

void
rwlock_init(struct rwlock *l, struct lock_class *class, struct engine *e)
{
	*l = (struct rwlock){.class = class};
	line_init(&l->line, e);
}

void
rwlock_fini(struct rwlock *l)
{
	g_assert(!l->writer && l->readers == 0);
}

/* Before the holders change. */
static void
count_holders(struct rwlock *l)
{
	uint64_t now = l->line.engine->now, held = now - l->since;

	if (l->writer)
		count_hold(l->class, held);
	else
		l->class->stats.hold_ps = time_add(l->class->stats.hold_ps, held * l->readers);
	l->since = now;
}

static bool
must_wait(const struct rwlock *l, bool write)
{
	return l->writer || l->waiters.first || (write && l->readers > 0);
}

static void
rw_lock(struct rwlock *l, bool write)
{
	struct engine *e = l->line.engine;
	bool contended, comes;
	uint64_t start;

	g_assert(e->current && l->writer != e->current);
	pay(e);
	start = e->now;
	comes = line_rmw(&l->line);
	if (must_wait(l, write))
		task_sync(e); /* it may be free when the operation is over */
	contended = must_wait(l, write);
	if (contended) {
		e->current->wants_write = write;
		spin_on(e, &l->waiters, "the lock", l->class->name);
		comes |= line_rmw(&l->line);
	} else {
		count_holders(l);
		if (write)
			l->writer = e->current;
		else
			l->readers++;
	}
	e->current->spinlocks++;
	count(l->class, e, start, comes, contended);
}

/* To a writer, or to all readers before the next writer. */
static void
hand_over(struct rwlock *l)
{
	while (l->waiters.first && !l->writer) {
		bool write = l->waiters.first->wants_write;
		struct task *t;

		if (write && l->readers > 0)
			return;
		t = wait_queue_pop(&l->waiters);
		if (write)
			l->writer = t;
		else
			l->readers++;
		task_spin_end(t);
	}
}

static void
rw_unlock(struct rwlock *l)
{
	struct engine *e = l->line.engine;

	l->class->stats.transfers += line_rmw(&l->line);
	if (l->waiters.first)
		task_sync(e);
	count_holders(l);
	if (l->writer)
		l->writer = NULL;
	else
		l->readers--;
	e->current->spinlocks--;
	hand_over(l);
}

void
read_lock(struct rwlock *l)
{
	rw_lock(l, false);
}

void
read_unlock(struct rwlock *l)
{
	g_assert(l->line.engine->current && l->readers > 0);
	rw_unlock(l);
}

void
write_lock(struct rwlock *l)
{
	rw_lock(l, true);
}

void
write_unlock(struct rwlock *l)
{
	g_assert(l->writer && l->writer == l->line.engine->current);
	rw_unlock(l);
}

/* Sequence counts */

void
seqcount_init(struct seqcount *s, struct engine *e)
{
	*s = (struct seqcount){.sequence = 0};
	line_init(&s->line, e);
}

void
seqcount_fini(struct seqcount *s)
{
	g_assert(s->sequence % 2 == 0);
}

unsigned
read_seqcount_begin(struct seqcount *s)
{
	struct engine *e = s->line.engine;

	task_sync(e);
	while (s->sequence % 2) {
		spin_on(e, &s->waiters, "the writer of a sequence", NULL);
		task_sync(e);
	}
	line_read(&s->line);
	return s->sequence;
}

bool
read_seqcount_retry(struct seqcount *s, unsigned sequence)
{
	line_read(&s->line);
	task_sync(s->line.engine);
	return s->sequence != sequence;
}

void
write_seqcount_begin(struct seqcount *s)
{
	g_assert(s->sequence % 2 == 0);
	line_rmw(&s->line);
	task_sync(s->line.engine);
	s->sequence++;
}

void
write_seqcount_end(struct seqcount *s)
{
	struct task *t;

	g_assert(s->sequence % 2);
	line_rmw(&s->line);
	task_sync(s->line.engine);
	s->sequence++;
	while ((t = wait_queue_pop(&s->waiters)) != NULL)
		task_spin_end(t);
}

/* Reference counts */

void
refcount_init(struct refcount *r, struct lock_class *class, struct engine *e,
	      enum refcount_kind kind, int refs)
{
	*r = (struct refcount){.class = class, .kind = kind, .refs = refs};
	line_init(&r->line, e);
}

/* A swap that comes too late tells the value that it found, and is tried again with it. */
static bool
compare_and_swap(struct cacheline *l)
{
	bool comes = line_read(l);
	uint64_t seen;

	do {
		seen = l->writes;
		comes |= line_rmw(l);
	} while (l->engine->lines_cost && l->writes != seen + 1);
	return comes;
}

static void
touch(struct refcount *r)
{
	struct engine *e = r->line.engine;
	uint64_t start = task_clock(e);
	bool comes = r->kind == REFCOUNT_FULL ? compare_and_swap(&r->line) : line_rmw(&r->line);

	count(r->class, e, MIN(start, e->now), comes, false);
}

void
refcount_add(struct refcount *r, int refs)
{
	touch(r);
	r->refs += refs;
}

bool
refcount_inc_not_zero(struct refcount *r)
{
	touch(r);
	if (r->refs == 0)
		return false;
	r->refs++;
	return true;
}

bool
refcount_sub_and_test(struct refcount *r, int refs)
{
	touch(r);
	r->refs -= refs;
	g_assert(r->refs >= 0);
	return r->refs == 0;
}
