/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refscale.c - readers of one lock or count, all at once. */
#include "net/refscale.h"

#include "engine/spin.h"
#include "net/kernel.h"

const char *const refscale_words[] = {
	[REFSCALE_RCU] = "rcu",
	[REFSCALE_REFCNT] = "refcnt",
	[REFSCALE_RWLOCK] = "rwlock",
	[REFSCALE_LOCK] = "lock",
	NULL,
};

/* What they all use. */
struct test {
	struct kernel *kernel;
	const struct refscale *how;
	struct refcount refcnt;
	struct rwlock rwlock;
	struct spinlock lock;
	struct wait_queue start; /* readers that are ready */
	unsigned ready;
	uint64_t sum_ps;
};

static void
rcu_section(struct test *t)
{
	rcu_read_lock(t->kernel->rcu);
	rcu_read_unlock(t->kernel->rcu);
}

static void
refcnt_section(struct test *t)
{
	refcount_add(&t->refcnt, 1);
	refcount_sub_and_test(&t->refcnt, 1);
}

static void
rwlock_section(struct test *t)
{
	read_lock(&t->rwlock);
	read_unlock(&t->rwlock);
}

static void
lock_section(struct test *t)
{
	spin_lock(&t->lock);
	spin_unlock(&t->lock);
}

static void (*const sections[])(struct test *) = {
	[REFSCALE_RCU] = rcu_section,
	[REFSCALE_REFCNT] = refcnt_section,
	[REFSCALE_RWLOCK] = rwlock_section,
	[REFSCALE_LOCK] = lock_section,
};

static void
ref_scale_reader(void *data)
{
	struct test *t = data;
	struct engine *e = t->kernel->engine;
	uint64_t begin;

	t->ready++;
	wait_on(e, &t->start);
	begin = engine_now(e);
	for (uint64_t n = 0; n < t->how->loops; n++)
		sections[t->how->scale_type](t);
	task_sync(e);
	t->sum_ps += engine_now(e) - begin;
}

static void
run_readers(struct test *t)
{
	struct engine *e = t->kernel->engine;
	struct task **readers = g_new(struct task *, t->how->nreaders);

	for (unsigned n = 0; n < t->how->nreaders; n++)
		readers[n] = task_start_on(e, "ref_scale_reader", n % engine_cpus(e),
					   ref_scale_reader, t);
	while (t->ready < t->how->nreaders)
		task_sleep(e, PS_PER_US);
	wake_all(e, &t->start);
	for (unsigned n = 0; n < t->how->nreaders; n++)
		task_join(readers[n]);
	g_free(readers);
}

uint64_t
refscale_run(struct kernel *k, const struct refscale *how)
{
	struct engine *e = k->engine;
	struct test t = {.kernel = k, .how = how};

	refcount_init(&t.refcnt, lock_class(e, "refcnt"), e, REFCOUNT_ATOMIC, 1);
	rwlock_init(&t.rwlock, lock_class(e, "test_rwlock"), e);
	spinlock_init(&t.lock, lock_class(e, "test_lock"), e, SPINLOCK_QUEUED);
	run_readers(&t);
	rwlock_fini(&t.rwlock);
	spinlock_fini(&t.lock);
	return t.sum_ps / how->nreaders / how->loops;
}
