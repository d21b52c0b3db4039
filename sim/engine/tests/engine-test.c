/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine-test.c - runs that lead nowhere: each error, and its text. */
#include "engine/tests/stage.h"

#include "engine/tests/suite.h"

START_TEST(deadlock)
{
	struct stage s;

	stage_init(&s, 4);
	s.queue.name = "bell";
	stage_enter(&s, "ip link", "c3 L W");
	stage_enter(&s, "ip addr", "c2000000 L");
	stage_enter(&s, "cat", "G W");
	stage_expect_error(&s, ENGINE_ERROR_DEADLOCK,
			   "deadlock at 0.000002 s: nothing is scheduled, but tasks wait: 'ip "
			   "link' (for the event 'bell'), 'ip addr' (for the lock 'rtnl', held by "
			   "'ip link'), 'cat' (for the event 'bell')");
	stage_fini(&s);
}
END_TEST

START_TEST(deadlock_of_many)
{
	struct stage s;

	stage_init(&s, 1);
	for (int i = 0; i < 11; i++)
		stage_enter(&s, "t", "W");
	stage_expect_error(&s, ENGINE_ERROR_DEADLOCK,
			   "deadlock at 0.000000 s: nothing is scheduled, but tasks wait: 't', "
			   "'t', 't', 't', 't', 't', 't', 't' and 3 more");
	stage_fini(&s);
}
END_TEST

static void
wait_for_child(void *stage)
{
	task_join(stage_enter(stage, "child", "W"));
}

START_TEST(deadlock_of_parent)
{
	struct stage s;

	stage_init(&s, 1);
	task_start(s.engine, "parent", wait_for_child, &s);
	stage_expect_error(
		&s, ENGINE_ERROR_DEADLOCK,
		"deadlock at 0.000000 s: nothing is scheduled, but tasks wait: 'parent' (for the "
		"end of 'child'), 'child'");
	stage_fini(&s);
}
END_TEST

static void
spin(void *stage)
{
	struct stage *s = stage;

	for (;;) {
		mutex_lock(&s->lock);
		mutex_unlock(&s->lock);
	}
}

/* Alone, it never has to wait for anything; the loop must be reached all the same. */
START_TEST(no_progress_alone)
{
	struct stage s;

	stage_init(&s, 1);
	task_start(s.engine, "spinner", spin, &s);
	stage_expect_error(&s, ENGINE_ERROR_STUCK,
			   "simulated time stands still at 0.000000 s after 1000001 steps; the "
			   "last ones: task 'spinner' 1000 times");
	stage_expect_error(&s, ENGINE_ERROR_STUCK,
			   "simulated time stands still at 0.000000 s after 1000001 steps; the "
			   "last ones: task 'spinner' 1000 times");
	stage_fini(&s);
}
END_TEST

static void
yield_forever(void *stage)
{
	for (;;)
		task_sleep(((struct stage *)stage)->engine, 0);
}

START_TEST(no_progress_of_yielder)
{
	struct stage s;

	stage_init(&s, 4);
	stage_enter(&s, "innocent", "c2000000 L");
	task_start(s.engine, "yielder", yield_forever, &s);
	stage_expect_error(&s, ENGINE_ERROR_STUCK,
			   "simulated time stands still at 0.000000 s after 1000001 steps; the "
			   "last ones: task 'yielder' 1000 times");
	stage_fini(&s);
}
END_TEST

struct again {
	struct engine *engine;
	struct timer timer;
};

static void
set_again(void *data)
{
	struct again *a = data;

	timer_set(a->engine, &a->timer, 0);
}

START_TEST(no_progress_of_timers)
{
	struct stage s;
	struct again a[10];

	stage_init(&s, 4);
	for (int i = 0; i < 10; i++) {
		static const char names[10][2] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};

		a[i].engine = s.engine;
		timer_init(&a[i].timer, names[i], set_again, &a[i]);
		timer_set(s.engine, &a[i].timer, 3 * PS_PER_S);
	}
	stage_expect_error(&s, ENGINE_ERROR_STUCK,
			   "simulated time stands still at 3.000000 s after 1000001 steps; the "
			   "last ones: timer 'b' 100 times, timer 'c' 100 times, timer 'd' 100 "
			   "times, timer 'e' 100 times, timer 'f' 100 times, timer 'g' 100 times, "
			   "timer 'h' 100 times, timer 'i' 100 times, others 200 times");
	stage_fini(&s);
}
END_TEST

START_TEST(end_of_time)
{
	struct stage s;

	stage_init(&s, 2);
	stage_enter(&s, "patient", "s18446744073709551610 . s100");
	stage_expect_error(
		&s, ENGINE_ERROR_TIME,
		"simulated time ends at 18446744.073709 s, and task 'patient' is due later");
	ck_assert_str_eq(s.log->str, "18446744073709551610 patient s18446744073709551610\n"
				     "18446744073709551610 patient .\n");
	stage_fini(&s);
}
END_TEST

START_TEST(endless_debt)
{
	struct stage s;

	stage_init(&s, 2);
	stage_enter(&s, "debtor", "c18446744073709551615 c18446744073709551615 .");
	stage_expect_error(
		&s, ENGINE_ERROR_TIME,
		"simulated time ends at 18446744.073709 s, and task 'debtor' is due later");
	stage_fini(&s);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("engine");
	TCase *tc = tcase_create("errors");

	tcase_add_test(tc, deadlock);
	tcase_add_test(tc, deadlock_of_many);
	tcase_add_test(tc, deadlock_of_parent);
	tcase_add_test(tc, no_progress_alone);
	tcase_add_test(tc, no_progress_of_yielder);
	tcase_add_test(tc, no_progress_of_timers);
	tcase_add_test(tc, end_of_time);
	tcase_add_test(tc, endless_debt);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
