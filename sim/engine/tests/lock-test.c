/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lock-test.c - the mutex: order, fairness, lock_stat's figures. */
#include "engine/tests/stage.h"

#include "engine/random.h"
#include "engine/tests/suite.h"

static void
expect_stats(const struct stage *s, struct lock_stats want)
{
	const struct lock_stats *got = &s->lock.stats;

	ck_assert_uint_eq(got->acquisitions, want.acquisitions);
	ck_assert_uint_eq(got->contended, want.contended);
	ck_assert_uint_eq(got->wait_ps, want.wait_ps);
	ck_assert_uint_eq(got->wait_max_ps, want.wait_max_ps);
	ck_assert_uint_eq(got->hold_ps, want.hold_ps);
	ck_assert_uint_eq(got->hold_max_ps, want.hold_max_ps);
}

START_TEST(uncontended)
{
	struct stage s;

	stage_init(&s, 2);
	stage_enter(&s, "a", "c3 L c4 U c5 L U");
	stage_expect(&s, "3 a L\n7 a U\n12 a L\n12 a U\n");
	expect_stats(&s, (struct lock_stats){.acquisitions = 2, .hold_ps = 4, .hold_max_ps = 4});
	stage_fini(&s);
}
END_TEST

/* a holds 0-10, b asked at 1, c at 2, a again at 12: b 10-30, c 30-35, a 35-36. */
START_TEST(hand_over)
{
	struct stage s;

	stage_init(&s, 4);
	stage_enter(&s, "a", "L c10 U c2 L c1 U");
	stage_enter(&s, "b", "c1 L c20 U");
	stage_enter(&s, "c", "c2 L c5 U");
	stage_expect(&s, "0 a L\n10 a U\n10 b L\n30 b U\n30 c L\n35 c U\n35 a L\n36 a U\n");
	expect_stats(&s, (struct lock_stats){.acquisitions = 4,
					     .contended = 3,
					     .wait_ps = 9 + 28 + 23,
					     .wait_max_ps = 28,
					     .hold_ps = 10 + 20 + 5 + 1,
					     .hold_max_ps = 20});
	stage_fini(&s);
}
END_TEST

/* On one CPU b gets the lock at 16, but runs with it only when a ends, at 20. */
START_TEST(hand_over_without_cpu)
{
	struct stage s;

	stage_init(&s, 1);
	stage_enter(&s, "a", "L s10 c1 U c4 .");
	stage_enter(&s, "b", "L c2 U");
	stage_enter(&s, "c", "s1 c14 .");
	stage_expect(&s, "0 a L\n1 c s1\n15 c .\n15 a s10\n16 a U\n20 a .\n20 b L\n22 b U\n");
	expect_stats(&s, (struct lock_stats){.acquisitions = 2,
					     .contended = 1,
					     .wait_ps = 16,
					     .wait_max_ps = 16,
					     .hold_ps = 16 + 6,
					     .hold_max_ps = 16});
	mutex_forget_maxima(&s.lock);
	expect_stats(&s,
		     (struct lock_stats){
			     .acquisitions = 2, .contended = 1, .wait_ps = 16, .hold_ps = 16 + 6});
	stage_fini(&s);
}
END_TEST

/* Many tasks, random times: who asks first gets it first, and the figures are
 * the sums of what the tasks saw themselves. */
#define CROWD  40
#define ROUNDS 25

struct crowd {
	struct stage stage;
	struct rng rng;
	unsigned asked[CROWD * ROUNDS], asks, got;
	uint64_t since;
	struct lock_stats seen;
};

struct member {
	struct crowd *crowd;
	unsigned number;
};

static void
take_turn(struct crowd *c, unsigned number)
{
	struct engine *e = c->stage.engine;

	task_charge(e, rng_below(&c->rng, 50));
	task_sync(e);

	uint64_t start = engine_now(e);

	c->asked[c->asks++] = number;
	mutex_lock(&c->stage.lock);
	ck_assert(mutex_is_held(&c->stage.lock));
	ck_assert_uint_eq(c->asked[c->got++], number);

	uint64_t waited = engine_now(e) - start;

	c->seen.wait_ps += waited;
	c->seen.wait_max_ps = MAX(c->seen.wait_max_ps, waited);
	c->since = engine_now(e);
	task_charge(e, rng_below(&c->rng, 5));
	mutex_unlock(&c->stage.lock);
}

static void
member_main(void *member)
{
	struct member *m = member;

	for (unsigned i = 0; i < ROUNDS; i++)
		take_turn(m->crowd, m->number);
}

START_TEST(fairness)
{
	struct crowd c = {.rng = {(uint64_t)_i}};
	struct member members[CROWD];

	stage_init(&c.stage, CROWD);
	for (unsigned i = 0; i < CROWD; i++) {
		members[i] = (struct member){&c, i};
		task_start(c.stage.engine, "member", member_main, &members[i]);
	}
	stage_expect(&c.stage, "");
	ck_assert_uint_eq(c.got, CROWD * ROUNDS);
	ck_assert_uint_eq(c.stage.lock.stats.acquisitions, CROWD * ROUNDS);
	ck_assert_uint_gt(c.stage.lock.stats.contended, CROWD);
	ck_assert_uint_eq(c.stage.lock.stats.wait_ps, c.seen.wait_ps);
	ck_assert_uint_eq(c.stage.lock.stats.wait_max_ps, c.seen.wait_max_ps);
	stage_fini(&c.stage);
}
END_TEST

START_TEST(recursion_aborts)
{
	struct stage s;

	stage_expect_abort();
	stage_init(&s, 1);
	stage_enter(&s, "a", "L L");
	engine_run(s.engine, NULL);
}
END_TEST

START_TEST(unlock_of_another_aborts)
{
	struct stage s;

	stage_expect_abort();
	stage_init(&s, 2);
	stage_enter(&s, "a", "L c10 U");
	stage_enter(&s, "b", "c5 . U");
	engine_run(s.engine, NULL);
}
END_TEST

START_TEST(end_with_lock_aborts)
{
	struct stage s;

	stage_expect_abort();
	stage_init(&s, 1);
	stage_enter(&s, "a", "L");
	engine_run(s.engine, NULL);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("lock");
	TCase *tc = tcase_create("mutex");

	tcase_add_test(tc, uncontended);
	tcase_add_test(tc, hand_over);
	tcase_add_test(tc, hand_over_without_cpu);
	tcase_add_loop_test(tc, fairness, 0, 5);
	suite_add_death(tc, recursion_aborts, SIGABRT, 1);
	suite_add_death(tc, unlock_of_another_aborts, SIGABRT, 1);
	suite_add_death(tc, end_with_lock_aborts, SIGABRT, 1);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
