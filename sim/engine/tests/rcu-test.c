/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rcu-test.c - grace periods: when they end, what they wait for, what they promise. */
#include "engine/tests/stage.h"

#include <string.h>

#include "engine/random.h"
#include "engine/tests/suite.h"

/* A grace period is 1000 long; nobody reads. */
START_TEST(idle)
{
	struct stage s;

	stage_init(&s, 4);
	stage_enter(&s, "a", "c5 G G");
	stage_expect(&s, "1005 a G\n2005 a G\n");
	ck_assert_uint_eq(rcu_stats(s.rcu)->grace_periods, 2);
	ck_assert_uint_eq(rcu_stats(s.rcu)->synchronize_calls, 2);
	stage_fini(&s);
}
END_TEST

/* old began before the grace period (5), new within it: only old is waited for. */
START_TEST(waits_for_old_readers)
{
	struct stage s;

	stage_init(&s, 4);
	stage_enter(&s, "old", "( c3000 )");
	stage_enter(&s, "gone", "( c3 )");
	stage_enter(&s, "writer", "c5 G G");
	stage_enter(&s, "new", "c6 . ( c8000 )");
	stage_expect(&s, "0 old (\n0 gone (\n3 gone )\n6 new .\n6 new (\n"
			 "3000 old )\n3000 writer G\n8006 new )\n8006 writer G\n");
	ck_assert_uint_eq(rcu_stats(s.rcu)->read_sections, 3);
	stage_fini(&s);
}
END_TEST

START_TEST(nested_sections_are_one)
{
	struct stage s;

	stage_init(&s, 4);
	stage_enter(&s, "reader", "( ( c2000 . ) c100 . )");
	stage_enter(&s, "writer", "G");
	stage_expect(&s, "0 reader (\n0 reader (\n2000 reader .\n2000 reader )\n2100 reader .\n"
			 "2100 reader )\n2100 writer G\n");
	ck_assert_uint_eq(rcu_stats(s.rcu)->read_sections, 1);
	stage_fini(&s);
}
END_TEST

/* 1 and 2 begin a grace period when the work before them will have been done, 10;
 * 3 comes within it, and waits for the one from 1010 to 2010. */
START_TEST(defer)
{
	struct stage s;

	stage_init(&s, 4);
	stage_enter(&s, "a", "c10 d1 d2 s500 d3");
	stage_expect(&s, "0 a d1\n0 a d2\n510 a s500\n510 a d3\n1010 freed 1\n1010 freed 2\n"
			 "2010 freed 3\n");
	ck_assert_uint_eq(rcu_stats(s.rcu)->deferred, 3);
	ck_assert_uint_eq(rcu_stats(s.rcu)->grace_periods, 2);
	ck_assert_uint_eq(rcu_stats(s.rcu)->pending_bytes, 0);
	stage_fini(&s);
}
END_TEST

START_TEST(pending_bytes)
{
	struct stage s;

	stage_init(&s, 1);
	rcu_defer(s.rcu, g_malloc(100), 100, NULL);
	rcu_defer(s.rcu, g_malloc(30), 30, NULL);
	ck_assert_uint_eq(rcu_stats(s.rcu)->pending_bytes, 130);
	stage_expect(&s, "");
	rcu_defer(s.rcu, g_malloc(7), 7, NULL);
	ck_assert_uint_eq(rcu_stats(s.rcu)->pending_bytes, 7);
	ck_assert_uint_eq(rcu_stats(s.rcu)->pending_bytes_max, 130);
	rcu_forget_maxima(s.rcu);
	ck_assert_uint_eq(rcu_stats(s.rcu)->pending_bytes_max, 7);
	stage_fini(&s);
}
END_TEST

/* What a reader finds who holds on to an object for too long. */
START_TEST(poison)
{
	struct stage s;
	uint8_t *object = g_malloc0(40), want[40];

	stage_init(&s, 1);
	rcu_defer(s.rcu, object, 40, NULL);
	ck_assert_uint_eq(object[0], 0);
	stage_expect(&s, "");
	memset(want, RCU_POISON, sizeof want);
	ck_assert_mem_eq(object, want, sizeof want);
	stage_fini(&s);
}
END_TEST

START_TEST(free_at_once)
{
	struct stage s;
	struct rcu *plain;

	stage_init(&s, 1);
	plain = rcu_new(s.engine, RCU_SIM);
	rcu_defer(plain, g_malloc(40), 40, NULL);
	stage_expect(&s, "");
	ck_assert_uint_eq(rcu_stats(plain)->grace_periods, 1);
	rcu_free(plain);
	stage_fini(&s);
}
END_TEST

/* Callbacks that defer more. */
struct chain {
	struct rcu *rcu;
	unsigned left;
};

static void
chain_next(void *chain)
{
	struct chain *c = chain;

	if (c->left-- > 0)
		rcu_defer(c->rcu, c, sizeof *c, chain_next);
	else
		g_free(c);
}

START_TEST(callback_defers)
{
	struct stage s;
	struct chain *c = g_new(struct chain, 1);

	stage_init(&s, 1);
	*c = (struct chain){s.rcu, 3};
	rcu_defer(s.rcu, c, sizeof *c, chain_next);
	stage_expect(&s, "");
	ck_assert_uint_eq(engine_now(s.engine), 4 * STAGE_GRACE_PS);
	stage_fini(&s);
}
END_TEST

static void
stop(void *stage)
{
	engine_stop(((struct stage *)stage)->engine);
}

/* rcu_free() in the middle: everything runs, in its order. */
START_TEST(free_runs_what_is_pending)
{
	struct stage s;
	struct timer t;
	struct chain *c = g_new(struct chain, 1);

	stage_init(&s, 4);
	*c = (struct chain){s.rcu, 5};
	timer_init(&t, "stop", stop, &s);
	timer_set(s.engine, &t, 100);
	stage_enter(&s, "a", "d1 s10 d2 d3 G");
	stage_enter(&s, "b", "( c5000 )");
	rcu_defer(s.rcu, c, sizeof *c, chain_next);
	stage_expect(&s, "0 a d1\n0 b (\n10 a s10\n10 a d2\n10 a d3\n");
	rcu_free(s.rcu);
	s.rcu = NULL;
	ck_assert_str_eq(s.log->str, "0 a d1\n0 b (\n10 a s10\n10 a d2\n10 a d3\n"
				     "100 freed 1\n100 freed 2\n100 freed 3\n");
	stage_fini(&s);
}
END_TEST

static void
read_in_timer(void *stage)
{
	struct stage *s = stage;

	rcu_read_lock(s->rcu);
	rcu_read_lock(s->rcu);
	rcu_read_unlock(s->rcu);
	rcu_read_unlock(s->rcu);
}

START_TEST(section_in_timer)
{
	struct stage s;
	struct timer t;

	stage_init(&s, 4);
	timer_init(&t, "softirq", read_in_timer, &s);
	timer_set(s.engine, &t, 10);
	stage_enter(&s, "writer", "G");
	stage_expect(&s, "1000 writer G\n");
	ck_assert_uint_eq(rcu_stats(s.rcu)->read_sections, 1);
	stage_fini(&s);
}
END_TEST

/* The promise, on random times: no object is freed while a section is open that
 * began before it was deferred, and none later than two grace periods and the
 * longest sections allow. */
#define READERS     12
#define SECTIONS    60
#define UPDATES     200
#define SECTION_MAX 3000

struct world {
	struct stage stage;
	struct rng rng;
	unsigned freed;
	uint64_t open_since[READERS]; /* plus 1; 0: not in a section */
	uint64_t order[READERS];      /* of the section's begin, among all that happens */
	uint64_t happened;
	unsigned last_freed;
};

struct reader {
	struct world *world;
	unsigned number;
};

struct object {
	struct world *world;
	unsigned number;
	uint64_t deferred, order;
};

static void
object_free(void *object)
{
	struct object *o = object;
	struct world *w = o->world;
	uint64_t now = engine_now(w->stage.engine);

	for (unsigned i = 0; i < READERS; i++)
		ck_assert(w->open_since[i] == 0 || w->order[i] > o->order);
	ck_assert_uint_ge(now, o->deferred + STAGE_GRACE_PS);
	ck_assert_uint_le(now, o->deferred + 2 * (STAGE_GRACE_PS + SECTION_MAX));
	ck_assert_uint_eq(o->number, w->freed);
	w->freed++;
	g_free(o);
}

static void
reader_main(void *reader)
{
	struct reader *r = reader;
	struct world *w = r->world;
	struct engine *e = w->stage.engine;

	for (unsigned i = 0; i < SECTIONS; i++) {
		task_sleep(e, rng_below(&w->rng, 4000));
		rcu_read_lock(w->stage.rcu);
		w->open_since[r->number] = 1 + engine_now(e);
		w->order[r->number] = w->happened++;
		task_charge(e, rng_below(&w->rng, SECTION_MAX / 2));
		task_sync(e);
		task_charge(e, rng_below(&w->rng, SECTION_MAX / 2));
		task_sync(e);
		w->open_since[r->number] = 0;
		rcu_read_unlock(w->stage.rcu);
	}
}

static void
updater_main(void *world)
{
	struct world *w = world;
	struct engine *e = w->stage.engine;

	for (unsigned i = 0; i < UPDATES; i++) {
		struct object *o = g_new(struct object, 1);

		*o = (struct object){w, i, engine_now(e), w->happened++};
		rcu_defer(w->stage.rcu, o, sizeof *o, object_free);
		task_sleep(e, rng_below(&w->rng, 700));
		if (rng_below(&w->rng, 20) == 0) {
			rcu_synchronize(w->stage.rcu);
			ck_assert_uint_eq(w->freed, i + 1);
		}
	}
}

START_TEST(promise)
{
	struct world *w = g_new0(struct world, 1);
	struct reader readers[READERS];

	stage_init(&w->stage, READERS + 1);
	w->rng.state = (uint64_t)_i;
	for (unsigned i = 0; i < READERS; i++) {
		readers[i] = (struct reader){w, i};
		task_detach(task_start(w->stage.engine, "reader", reader_main, &readers[i]));
	}
	task_detach(task_start(w->stage.engine, "updater", updater_main, w));
	stage_expect(&w->stage, "");
	ck_assert_uint_eq(w->freed, UPDATES);
	ck_assert_uint_eq(rcu_stats(w->stage.rcu)->read_sections, READERS * SECTIONS);
	ck_assert_uint_eq(rcu_stats(w->stage.rcu)->pending_bytes, 0);
	stage_fini(&w->stage);
	g_free(w);
}
END_TEST

static void
play_to_abort(const char *script)
{
	struct stage s;

	stage_expect_abort();
	stage_init(&s, 1);
	stage_enter(&s, "a", script);
	engine_run(s.engine, NULL);
}

static const char *const misuse[] = {
	"( s5 )", "( L U )", "( W )", "( G )", ")", "(", "( ) )",
};

START_TEST(misuse_aborts)
{
	play_to_abort(misuse[_i]);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("rcu");
	TCase *tc = tcase_create("rcu");

	tcase_add_test(tc, idle);
	tcase_add_test(tc, waits_for_old_readers);
	tcase_add_test(tc, nested_sections_are_one);
	tcase_add_test(tc, defer);
	tcase_add_test(tc, pending_bytes);
	tcase_add_test(tc, poison);
	tcase_add_test(tc, free_at_once);
	tcase_add_test(tc, callback_defers);
	tcase_add_test(tc, free_runs_what_is_pending);
	tcase_add_test(tc, section_in_timer);
	tcase_add_loop_test(tc, promise, 0, 10);
	suite_add_death(tc, misuse_aborts, SIGABRT, G_N_ELEMENTS(misuse));
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
