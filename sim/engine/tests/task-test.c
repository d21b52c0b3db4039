/* SPDX-License-Identifier: GPL-2.0-or-later */
/* task-test.c - tasks: turns, CPUs, debts, waiting, joining; timelines by hand. */
#include "engine/engine-impl.h"
#include "engine/tests/stage.h"
#include "engine/tests/suite.h"

static void
timer_note(void *stage)
{
	stage_note(stage, "timer");
}

/* Turns and CPUs */

START_TEST(ties_run_in_order)
{
	struct stage s;

	stage_init(&s, 4);
	stage_enter(&s, "a", "c5 . c5 . c2 .");
	stage_enter(&s, "b", "c10 . .");
	stage_enter(&s, "c", "s10 s0");
	stage_expect(&s, "5 a .\n10 b .\n10 b .\n10 c s10\n10 a .\n10 c s0\n12 a .\n");
	stage_fini(&s);
}
END_TEST

/* A timer of the same time, set before, comes first. */
START_TEST(ties_with_timers)
{
	struct stage s;
	struct timer early, late;

	stage_init(&s, 1);
	timer_init(&early, "early", timer_note, &s);
	timer_init(&late, "late", timer_note, &s);
	timer_set(s.engine, &early, 5);
	stage_enter(&s, "a", "c5 . c5 .");
	timer_set(s.engine, &late, 10);
	stage_expect(&s, "5 timer\n5 a .\n10 timer\n10 a .\n");
	stage_fini(&s);
}
END_TEST

static void
timer_wake(void *stage)
{
	struct stage *s = stage;

	ck_assert(wake_one(s->engine, &s->queue));
}

/* Who is woken at 10 gets its turn after the timer that was set for 10 long before. */
START_TEST(woken_after_what_is_due)
{
	struct stage s;
	struct timer waker, other;

	stage_init(&s, 1);
	timer_init(&waker, "waker", timer_wake, &s);
	timer_init(&other, "other", timer_note, &s);
	timer_set(s.engine, &waker, 10);
	timer_set(s.engine, &other, 10);
	stage_enter(&s, "a", "W");
	stage_expect(&s, "10 timer\n10 a W\n");
	stage_fini(&s);
}
END_TEST

/* a 0-10, then b, then c; a sleeps 10-12 but gets the CPU again only at 35. */
START_TEST(one_cpu)
{
	struct stage s;

	stage_init(&s, 1);
	stage_enter(&s, "a", "c10 . s2 c1 .");
	stage_enter(&s, "b", "c20 .");
	stage_enter(&s, "c", "c5 .");
	stage_expect(&s, "10 a .\n30 b .\n35 c .\n35 a s2\n36 a .\n");
	stage_fini(&s);
}
END_TEST

/* a, b start; c follows a at 10, d follows b at 15, a follows c at 17. */
START_TEST(two_cpus)
{
	struct stage s;

	stage_init(&s, 2);
	stage_enter(&s, "a", "c10 . s1 c3 .");
	stage_enter(&s, "b", "c15 .");
	stage_enter(&s, "c", "c7 .");
	stage_enter(&s, "d", "c7 .");
	stage_expect(&s, "10 a .\n15 b .\n17 c .\n17 a s1\n20 a .\n22 d .\n");
	stage_fini(&s);
}
END_TEST

struct cpu_log {
	struct engine *engine;
	unsigned first[8];
	unsigned count;
};

static void
log_cpu(void *data)
{
	struct cpu_log *l = data;

	l->first[l->count++] = task_current(l->engine)->cpu;
	task_charge(l->engine, 10);
}

/* 0, 1, 2 start at 0 and leave at 10; who starts at 5 gets 3, at 10 gets 0. */
START_TEST(lowest_idle_cpu)
{
	static const unsigned want[] = {0, 1, 2, 3, 0};
	struct stage s;
	struct cpu_log l = {0};
	struct task *last;

	stage_init(&s, ENGINE_MAX_CPUS);
	l.engine = s.engine;
	for (int i = 0; i < 3; i++)
		task_start(s.engine, "early", log_cpu, &l);
	engine_advance(s.engine, 5);
	last = task_start(s.engine, "late", log_cpu, &l);
	stage_expect(&s, "");
	ck_assert_uint_eq(engine_now(s.engine), 15);
	task_detach(last);
	task_start(s.engine, "later", log_cpu, &l);
	stage_expect(&s, "");
	ck_assert_mem_eq(l.first, want, sizeof want);
	stage_fini(&s);
}
END_TEST

static void
count_charge(void *stage)
{
	struct stage *s = stage;

	task_charge(s->engine, 10);
	task_sync(s->engine);
	g_string_append_c(s->log, engine_now(s->engine) == 10 ? 'x' : 'y');
}

/* All CPUs, and three tasks more, which come second. */
START_TEST(all_cpus)
{
	struct stage s;

	stage_init(&s, ENGINE_MAX_CPUS);
	for (unsigned i = 0; i < ENGINE_MAX_CPUS + 3; i++)
		task_detach(task_start(s.engine, "one of many", count_charge, &s));
	ck_assert(engine_run(s.engine, NULL));
	ck_assert_uint_eq(engine_now(s.engine), 20);
	ck_assert_uint_eq(s.log->len, ENGINE_MAX_CPUS + 3);
	ck_assert_str_eq(s.log->str + ENGINE_MAX_CPUS - 1, "xyyy");
	for (unsigned i = 0; i < ENGINE_MAX_CPUS / 64; i++)
		ck_assert_uint_eq(s.engine->idle_cpus[i], UINT64_MAX);
	stage_fini(&s);
}
END_TEST

START_TEST(too_many_cpus_abort)
{
	const struct engine_config config = {.cpus = ENGINE_MAX_CPUS + 1};

	stage_expect_abort();
	engine_new(&config);
}
END_TEST

/* Debt */

static uint64_t
take_price(void *price)
{
	uint64_t p = *(uint64_t *)price;

	*(uint64_t *)price = 0;
	return p;
}

struct metered {
	struct engine *engine;
	uint64_t unpaid;
	struct timer timer;
	uint64_t seen[4];
};

static void
metered_timer(void *data)
{
	struct metered *m = data;

	m->unpaid += 1000; /* outside tasks: free */
}

static void
metered_main(void *data)
{
	struct metered *m = data;

	m->unpaid += 7;
	m->seen[0] = engine_now(m->engine);
	task_charge(m->engine, 3);
	task_sync(m->engine);
	m->seen[1] = engine_now(m->engine);
	m->unpaid += 5;
	task_sleep(m->engine, 100);
	m->seen[2] = engine_now(m->engine);
	m->unpaid += 1; /* paid at the end */
}

START_TEST(meter)
{
	struct metered m = {.unpaid = 500}; /* before the run: free */
	const struct engine_config config = {
		.cpus = 1, .meter = take_price, .meter_data = &m.unpaid};

	m.engine = engine_new(&config);
	timer_init(&m.timer, "free work", metered_timer, &m);
	timer_set(m.engine, &m.timer, 20);
	task_detach(task_start(m.engine, "payer", metered_main, &m));
	ck_assert(engine_run(m.engine, NULL));
	ck_assert_uint_eq(m.seen[0], 0);
	ck_assert_uint_eq(m.seen[1], 10);
	ck_assert_uint_eq(m.seen[2], 115);
	ck_assert_uint_eq(engine_now(m.engine), 116);
	engine_free(m.engine);
}
END_TEST

/* Waiting */

START_TEST(wake_one_is_fifo)
{
	struct stage s;

	stage_init(&s, 8);
	stage_enter(&s, "a", "c2 W");
	stage_enter(&s, "b", "c1 W");
	stage_enter(&s, "c", "W");
	stage_enter(&s, "d", "c5 N c1 N c1 A N");
	stage_expect(&s, "5 d N\n5 a W\n6 d N\n6 b W\n7 d A\n7 d N\n7 c W\n");
	stage_fini(&s);
}
END_TEST

/* a is on the queue from 0, though it pays until 10: the wake at 4 is not lost. */
START_TEST(wake_while_paying)
{
	struct stage s;

	stage_init(&s, 2);
	stage_enter(&s, "a", "c10 W c1 .");
	stage_enter(&s, "b", "c4 N");
	stage_expect(&s, "4 b N\n10 a W\n11 a .\n");
	stage_fini(&s);
}
END_TEST

START_TEST(wake_all_counts)
{
	struct stage s;

	stage_init(&s, 1);
	ck_assert_uint_eq(wake_all(s.engine, &s.queue), 0);
	ck_assert(!wake_one(s.engine, &s.queue));
	for (int i = 0; i < 5; i++)
		stage_enter(&s, "a", "W");
	stage_enter(&s, "b", "A");
	stage_expect(&s, "0 b A\n0 a W\n0 a W\n0 a W\n0 a W\n0 a W\n");
	stage_fini(&s);
}
END_TEST

/* Beginning and end */

static void
parent(void *stage)
{
	struct stage *s = stage;
	struct task *fast = stage_enter(s, "fast", "c1 ."), *slow = stage_enter(s, "slow", "c9 .");

	task_charge(s->engine, 5);
	task_join(fast); /* has ended already: at 5, after the debt */
	stage_note(s, "fast joined");
	task_join(slow);
	stage_note(s, "slow joined");
	task_charge(s->engine, 1);
	task_detach(stage_enter(s, "orphan", "s3")); /* starts at 10 */
}

START_TEST(start_and_join)
{
	struct stage s;

	stage_init(&s, 4);
	ck_assert_ptr_null(task_current(s.engine));
	task_detach(task_start(s.engine, "parent", parent, &s));
	stage_expect(&s, "1 fast .\n5 fast joined\n9 slow .\n9 slow joined\n13 orphan s3\n");
	ck_assert_ptr_null(s.engine->oldest);
	stage_fini(&s);
}
END_TEST

START_TEST(detach_after_the_end)
{
	struct stage s;
	struct task *t;

	stage_init(&s, 1);
	t = stage_enter(&s, "a", "s1");
	stage_expect(&s, "1 a s1\n");
	task_detach(t);
	ck_assert_ptr_null(s.engine->oldest);
	stage_fini(&s);
}
END_TEST

static void
stop(void *stage)
{
	engine_stop(((struct stage *)stage)->engine);
}

START_TEST(stop_and_go_on)
{
	struct stage s;
	struct timer t;

	stage_init(&s, 2);
	timer_init(&t, "stop", stop, &s);
	timer_set(s.engine, &t, 5);
	stage_enter(&s, "a", "c4 . c4 . c4 .");
	stage_expect(&s, "4 a .\n");
	ck_assert_uint_eq(engine_now(s.engine), 5);
	stage_expect(&s, "4 a .\n8 a .\n12 a .\n");
	stage_fini(&s);
}
END_TEST

/* Whatever state tasks are in, the engine's end ends them. */
START_TEST(free_with_tasks)
{
	struct stage s;
	struct timer t;

	stage_init(&s, 2);
	timer_init(&t, "stop", stop, &s);
	timer_set(s.engine, &t, 5);
	stage_enter(&s, "sleeps", "s100");
	stage_enter(&s, "holds and pays", "L c100 U");
	stage_enter(&s, "wants the lock", "L U");
	stage_enter(&s, "waits", "W");
	stage_enter(&s, "pays", "c100 .");
	stage_enter(&s, "wants a CPU", ".");
	stage_enter(&s, "has ended", "");
	stage_expect(&s, "0 holds and pays L\n");
	stage_enter(&s, "has not begun", ".");
	stage_fini(&s);
}
END_TEST

#define SEQUENCE 100000

static void
count(void *counter)
{
	(*(unsigned *)counter)++;
}

struct sequence {
	struct engine *engine;
	unsigned ended;
};

static void
start_many(void *sequence)
{
	struct sequence *s = sequence;

	for (unsigned i = 0; i < SEQUENCE; i++) {
		task_charge(s->engine, 1);
		task_join(task_start(s->engine, "ip", count, &s->ended));
	}
}

/* One after another, as a script's commands: two stacks are enough for them all. */
START_TEST(stacks_are_reused)
{
	const struct engine_config config = {.cpus = 2};
	struct sequence s = {.engine = engine_new(&config)};

	task_detach(task_start(s.engine, "bash", start_many, &s));
	ck_assert(engine_run(s.engine, NULL));
	ck_assert_uint_eq(s.ended, SEQUENCE);
	ck_assert_uint_eq(engine_now(s.engine), SEQUENCE);
	ck_assert_uint_eq(s.engine->stacks.made, 2);
	engine_free(s.engine);
}
END_TEST

static TCase *
turns(void)
{
	TCase *tc = tcase_create("turns");

	tcase_add_test(tc, ties_run_in_order);
	tcase_add_test(tc, ties_with_timers);
	tcase_add_test(tc, woken_after_what_is_due);
	tcase_add_test(tc, one_cpu);
	tcase_add_test(tc, two_cpus);
	tcase_add_test(tc, lowest_idle_cpu);
	tcase_add_test(tc, all_cpus);
	tcase_add_test(tc, meter);
	suite_add_death(tc, too_many_cpus_abort, SIGABRT, 1);
	return tc;
}

static TCase *
life(void)
{
	TCase *tc = tcase_create("life");

	tcase_add_test(tc, wake_one_is_fifo);
	tcase_add_test(tc, wake_while_paying);
	tcase_add_test(tc, wake_all_counts);
	tcase_add_test(tc, start_and_join);
	tcase_add_test(tc, detach_after_the_end);
	tcase_add_test(tc, stop_and_go_on);
	tcase_add_test(tc, free_with_tasks);
	tcase_add_test(tc, stacks_are_reused);
	return tc;
}

int
main(void)
{
	Suite *suite = suite_create("task");

	suite_add_tcase(suite, turns());
	suite_add_tcase(suite, life());
	return suite_run(suite);
}
