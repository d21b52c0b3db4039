/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine-bench.c - what the engine costs the host, beside a peer in the same run.
 *
 * engine-bench [OPERATIONS]: the fewest nanoseconds an operation of several runs,
 * ours and the peer's alternately, so that both see the same machine. */
#include <glib.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "engine/engine.h"
#include "engine/lock.h"
#include "engine/spin.h"
#include "engine/random.h"

#define RUNS 7

/* Does about n operations and returns how many. */
typedef uint64_t bench_fn(uint64_t n);

static double
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double
run_once(bench_fn *fn, uint64_t n)
{
	double start = now_ns();
	uint64_t done = fn(n);

	return (now_ns() - start) / (double)done;
}

static struct engine *
make_engine(unsigned cpus)
{
	const struct engine_config config = {.cpus = cpus};

	return engine_new(&config);
}

static void
run_engine(struct engine *e)
{
	GError *error = NULL;

	if (!engine_run(e, &error))
		g_error("%s", error->message);
	engine_free(e);
}

/* Events: each one that is due schedules itself again, at a random time; so many
 * are pending all the time (the "hold" model), but no more than run at all. */

struct hold {
	struct engine *engine;
	struct rng rng;
	uint64_t left;
};

struct held {
	struct hold *hold;
	struct timer timer;
	uint64_t due; /* the peer's */
};

static void
held_fires(void *held)
{
	struct held *h = held;

	if (h->hold->left == 0)
		return;
	h->hold->left--;
	timer_set(h->hold->engine, &h->timer,
		  engine_now(h->hold->engine) + 1 + rng_below(&h->hold->rng, PS_PER_MS));
}

static uint64_t
hold(uint64_t n, unsigned pending)
{
	pending = (unsigned)MIN(pending, n);

	struct hold h = {.engine = make_engine(1), .rng = {1}, .left = n + pending};
	struct held *held = g_new0(struct held, pending);

	for (unsigned i = 0; i < pending; i++) {
		held[i].hold = &h;
		timer_init(&held[i].timer, "held", held_fires, &held[i]);
		held_fires(&held[i]);
	}
	run_engine(h.engine);
	g_free(held);
	return n + pending;
}

static int
compare_due(const void *a, const void *b, void *data)
{
	const struct held *x = a, *y = b;

	return x->due < y->due ? -1 : x->due > y->due;
}

static uint64_t
hold_sequence(uint64_t n, unsigned pending)
{
	pending = (unsigned)MIN(pending, n);

	struct rng rng = {1};
	struct held *held = g_new0(struct held, pending);
	GSequence *queue = g_sequence_new(NULL);

	for (unsigned i = 0; i < pending; i++) {
		held[i].due = 1 + rng_below(&rng, PS_PER_MS);
		g_sequence_insert_sorted(queue, &held[i], compare_due, NULL);
	}
	for (uint64_t i = 0; i < n; i++) {
		GSequenceIter *first = g_sequence_get_begin_iter(queue);
		struct held *h = g_sequence_get(first);

		g_sequence_remove(first);
		h->due += 1 + rng_below(&rng, PS_PER_MS);
		g_sequence_insert_sorted(queue, h, compare_due, NULL);
	}
	g_sequence_free(queue);
	g_free(held);
	return n + pending;
}

static uint64_t
events_100(uint64_t n)
{
	return hold(n, 100);
}

static uint64_t
events_100_peer(uint64_t n)
{
	return hold_sequence(n, 100);
}

static uint64_t
events_100k(uint64_t n)
{
	return hold(n, 100000);
}

static uint64_t
events_100k_peer(uint64_t n)
{
	return hold_sequence(n, 100000);
}

/* Switches: two flows of control take turns. */

struct turns {
	struct engine *engine;
	uint64_t left;
	sem_t sem[2];
};

static void
take_turns(void *turns)
{
	struct turns *t = turns;

	for (uint64_t i = 0; i < t->left; i++)
		task_sleep(t->engine, 1);
}

static uint64_t
switches(uint64_t n)
{
	struct turns t = {.engine = make_engine(1), .left = n / 2};

	task_detach(task_start(t.engine, "ping", take_turns, &t));
	task_detach(task_start(t.engine, "pong", take_turns, &t));
	run_engine(t.engine);
	return n;
}

static void *
pong(void *turns)
{
	struct turns *t = turns;

	for (uint64_t i = 0; i < t->left; i++) {
		sem_wait(&t->sem[1]);
		sem_post(&t->sem[0]);
	}
	return NULL;
}

/* A thread's switch costs so much more that fewer must do. */
static uint64_t
switches_peer(uint64_t n)
{
	struct turns t = {.left = n / 40 + 1};
	GThread *thread;

	sem_init(&t.sem[0], 0, 0);
	sem_init(&t.sem[1], 0, 0);
	thread = g_thread_new("pong", pong, &t);
	for (uint64_t i = 0; i < t.left; i++) {
		sem_post(&t.sem[1]);
		sem_wait(&t.sem[0]);
	}
	g_thread_join(thread);
	sem_destroy(&t.sem[0]);
	sem_destroy(&t.sem[1]);
	return 2 * t.left;
}

/* Tasks: one starts another and waits for its end, again and again. */

static void
do_nothing(void *data)
{
}

static void
start_many(void *turns)
{
	struct turns *t = turns;

	for (uint64_t i = 0; i < t->left; i++) {
		task_charge(t->engine, 1);
		task_join(task_start(t->engine, "ip", do_nothing, NULL));
	}
}

static uint64_t
tasks(uint64_t n)
{
	struct turns t = {.engine = make_engine(2), .left = n};

	task_detach(task_start(t.engine, "bash", start_many, &t));
	run_engine(t.engine);
	return n;
}

static void *
return_nothing(void *data)
{
	return NULL;
}

static uint64_t
tasks_peer(uint64_t n)
{
	n = n / 40 + 1;
	for (uint64_t i = 0; i < n; i++)
		g_thread_join(g_thread_new("ip", return_nothing, NULL));
	return n;
}

/* A lock that is free, for some simulated time. */

static void
lock_often(void *turns)
{
	struct turns *t = turns;
	struct mutex m;

	mutex_init(&m, t->engine, "rtnl");
	for (uint64_t i = 0; i < t->left; i++) {
		mutex_lock(&m);
		task_charge(t->engine, 1);
		mutex_unlock(&m);
	}
}

static uint64_t
locks(uint64_t n)
{
	struct turns t = {.engine = make_engine(1), .left = n};

	task_detach(task_start(t.engine, "locker", lock_often, &t));
	run_engine(t.engine);
	return n;
}

static uint64_t
locks_peer(uint64_t n)
{
	GMutex m;

	g_mutex_init(&m);
	for (uint64_t i = 0; i < n; i++) {
		g_mutex_lock(&m);
		g_mutex_unlock(&m);
	}
	g_mutex_clear(&m);
	return n;
}

/* Reader-writer locks of one CPU alone, and of many at once: 1 us between operations. */
struct crowd {
	struct engine *engine;
	struct rwlock lock;
	uint64_t each;
};

static void
read_often(void *data)
{
	struct crowd *c = data;

	for (uint64_t i = 0; i < c->each; i++) {
		read_lock(&c->lock);
		read_unlock(&c->lock);
		task_charge(c->engine, PS_PER_US);
	}
}

static uint64_t
readers(unsigned cpus, uint64_t n)
{
	struct engine_config config = {
		.cpus = cpus, .grace_ps = 1, .line_ps = {5000, 12000, 100000, 400000}};
	struct crowd c = {.engine = engine_new(&config), .each = n / cpus};

	rwlock_init(&c.lock, lock_class(c.engine, "rwlock"), c.engine);
	for (unsigned cpu = 0; cpu < cpus; cpu++)
		task_detach(task_start_on(c.engine, "reader", cpu, read_often, &c));
	engine_run(c.engine, NULL);
	rwlock_fini(&c.lock);
	engine_free(c.engine);
	return MAX(c.each * cpus, 1) * 2;
}

static uint64_t
readers_1(uint64_t n)
{
	return readers(1, n);
}

static uint64_t
readers_16(uint64_t n)
{
	return readers(16, n);
}

static uint64_t
readers_192(uint64_t n)
{
	return readers(192, n);
}

static const struct bench {
	const char *name, *peer_name;
	bench_fn *fn, *peer;
} benches[] = {
	{"event, 100 pending", "GSequence", events_100, events_100_peer},
	{"event, 100000 pending", "GSequence", events_100k, events_100k_peer},
	{"task switch", "thread, semaphore", switches, switches_peer},
	{"task start, end, join", "GThread", tasks, tasks_peer},
	{"lock and unlock", "GMutex", locks, locks_peer},
	{"rwlock, 1 CPU", "GMutex", readers_1, locks_peer},
	{"rwlock, 16 CPUs", "GMutex", readers_16, locks_peer},
	{"rwlock, 192 CPUs", "GMutex", readers_192, locks_peer},
};

int
main(int argc, char **argv)
{
	uint64_t n = argc > 1 ? g_ascii_strtoull(argv[1], NULL, 10) : 1000000;

	printf("%-22s %9s %12s   %-18s %9s %8s\n", "operation", "ns", "per second", "peer", "ns",
	       "ratio");
	for (unsigned i = 0; i < G_N_ELEMENTS(benches); i++) {
		const struct bench *b = &benches[i];
		double ours = 1e300, peers = 1e300;

		for (int run = 0; run < RUNS; run++) {
			ours = MIN(ours, run_once(b->fn, n));
			peers = MIN(peers, run_once(b->peer, n));
		}
		printf("%-22s %9.1f %12.0f   %-18s %9.1f %8.4f\n", b->name, ours, 1e9 / ours,
		       b->peer_name, peers, ours / peers);
	}
	return EXIT_SUCCESS;
}
