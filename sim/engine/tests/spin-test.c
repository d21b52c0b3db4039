/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spin-test.c - cache lines, and locks whose users wait busily: what they cost, in which
 * order they are had, and what they keep apart. */
#include <string.h>

#include "engine/random.h"
#include "engine/spin.h"
#include "engine/tests/stage.h"
#include "engine/tests/suite.h"

/* Two sockets of two cores of two threads: CPU 0 and 4 are a core, 0 and 1 a socket. */
static const struct engine_config machine = {
	.cpus = 8,
	.topology = {.sockets = 2, .cores = 2, .threads = 2},
	.line_ps = {[CPU_SAME] = 1,
		    [CPU_SAME_CORE] = 10,
		    [CPU_SAME_SOCKET] = 100,
		    [CPU_OTHER_SOCKET] = 1000},
	.grace_ps = 1,
};

static struct {
	struct engine *engine;
	GString *log;
	struct cacheline line;
	struct spinlock spin;
	struct rwlock rw;
	struct seqcount seq;
	struct refcount ref, checked;
} test;

static void
set_up(void)
{
	struct engine *e = engine_new(&machine);

	test.engine = e;
	test.log = g_string_new(NULL);
	line_init(&test.line, e);
	spinlock_init(&test.spin, lock_class(e, "spin"), e, SPINLOCK_QUEUED);
	rwlock_init(&test.rw, lock_class(e, "rw"), e);
	seqcount_init(&test.seq, e);
	refcount_init(&test.ref, lock_class(e, "ref"), e, REFCOUNT_ATOMIC, 1);
	refcount_init(&test.checked, lock_class(e, "checked"), e, REFCOUNT_FULL, 1);
}

static void
tear_down(void)
{
	spinlock_fini(&test.spin);
	rwlock_fini(&test.rw);
	seqcount_fini(&test.seq);
	engine_free(test.engine);
	g_string_free(test.log, TRUE);
}

static bool
use_lock(char word)
{
	switch (word) {
	case 'L':
		spin_lock(&test.spin);
		return true;
	case 'U':
		spin_unlock(&test.spin);
		return true;
	case '(':
		read_lock(&test.rw);
		return true;
	case ')':
		read_unlock(&test.rw);
		return true;
	case '[':
		write_lock(&test.rw);
		return true;
	case ']':
		write_unlock(&test.rw);
		return true;
	default:
		return false;
	}
}

static bool
use_line(char word)
{
	switch (word) {
	case 'm':
		line_rmw(&test.line);
		return true;
	case 'r':
		line_read(&test.line);
		return true;
	case '+':
		refcount_add(&test.ref, 1);
		return true;
	case '*':
		refcount_add(&test.checked, 1);
		return true;
	default:
		return false;
	}
}

/* A script: "CPU@START: words", where a number charges that long and a letter does
 * something, which is then noted with the time. */
static void
act(void *data)
{
	const char *script = data;

	task_sleep(test.engine, g_ascii_strtoull(strchr(script, '@') + 1, NULL, 10));
	for (const char *s = strchr(script, ':') + 1; *s; s++) {
		if (g_ascii_isdigit(*s)) {
			task_charge(test.engine, g_ascii_strtoull(s, (char **)&s, 10));
			s--;
		} else if (use_lock(*s) || use_line(*s)) {
			task_sync(test.engine);
			g_string_append_printf(test.log, "%u:%c%c ",
					       (unsigned)engine_now(test.engine), *script, *s);
		}
	}
}

static void
perform(const char *const *scripts, const char *log)
{
	for (; *scripts; scripts++)
		task_detach(task_start_on(test.engine, "actor", (unsigned)(**scripts - '0'), act,
					  (void *)*scripts));
	ck_assert(engine_run(test.engine, NULL));
	ck_assert_str_eq(g_strchomp(test.log->str), log);
}

#define PLAY(log, ...)                                                                             \
	do {                                                                                       \
		set_up();                                                                          \
		perform((const char *const[]){__VA_ARGS__, NULL}, log);                            \
		tear_down();                                                                       \
	} while (0)

START_TEST(lines_come_from_afar)
{
	PLAY("1:0m 2:0m", "0@0: m m"); /* the first access is free */
	PLAY("1:0m 61:4m", "0@0: m", "4@50: m");
	PLAY("1:0m 151:1m", "0@0: m", "1@50: m");
	PLAY("1:0m 1051:2m", "0@0: m", "2@50: m");
	PLAY("1:0m 1051:6m 2551:0m", "0@0: m", "6@50: m", "0@1051: m");
}
END_TEST

/* It comes at 150 and stays until 200: what 1 does at 160 is cheap, and at 179 too though
 * 0 has asked; 0 has it at 300.  What 1 does at 249 waits until 0 has had it for 50. */
START_TEST(lines_stay_a_while)
{
	PLAY("1:0m 151:1m 161:1m 180:1m 301:0m 451:1m", "0@0: m", "1@50: m 9 m 18 m 69 m",
	     "0@165: m");
}
END_TEST

/* 1 asks before 4, so 4 waits, though it is nearer; 1 keeps it for 50, 4 for 50, 0. */
START_TEST(lines_go_in_order)
{
	PLAY("1:0m 121:1m 271:4m 421:5m", "0@0: m", "1@20: m", "4@21: m", "5@22: m");
}
END_TEST

START_TEST(copies)
{
	/* Each gets one, without waiting; the second read is free. */
	PLAY("1:0m 150:1r 150:1r 1051:2r", "0@0: m", "1@50: r r", "2@51: r");
	/* The owner calls in the copies: from the other socket. */
	PLAY("1:0m 1050:2r 3001:0m 3002:0m", "0@0: m", "2@50: r", "0@2000: m m");
	PLAY("1:0m 150:1r 1051:2r 3001:0m", "0@0: m", "1@50: r", "2@51: r", "0@2000: m");
	/* And so does somebody else who has one. */
	PLAY("1:0m 1050:2r 3001:2m 4002:0r", "0@0: m", "2@50: r 950 m", "0@3002: r");
}
END_TEST

START_TEST(spinlocks)
{
	const struct lock_stats *s;

	set_up();
	/* 1 has the lock's word at 110, but 0 has the lock until 200, and then needs the
	 * word back: it has it at 300.  1 hears of that 100 later. */
	perform((const char *const[]){"0@0: L 199 U", "1@10: L 20 U", NULL},
		"1:0L 301:0U 401:1L 522:1U");
	s = &lock_class_at(test.engine, 0)->stats;
	ck_assert_uint_eq(s->acquisitions, 2);
	ck_assert_uint_eq(s->contended, 1);
	ck_assert_uint_eq(s->transfers, 4);
	tear_down();
}
END_TEST

START_TEST(readers_beside_each_other)
{
	PLAY("1:0( 111:1( 501:0) 712:1)", "0@0: ( 399 )", "1@10: ( 500 )");
}
END_TEST

START_TEST(readers_wait_behind_writers)
{
	PLAY("1:0( 3011:0) 3116:1[ 4117:1] 4218:4( 4229:4)", "0@0: ( 2999 )", "1@100: [ 1000 ]",
	     "4@2000: ( 10 )");
}
END_TEST

static void
write_twice(void *data)
{
	for (unsigned n = 0; n < 2; n++) {
		write_seqcount_begin(&test.seq);
		task_charge(test.engine, 100);
		write_seqcount_end(&test.seq);
		task_sleep(test.engine, 5000);
	}
}

static void
read_often(void *data)
{
	unsigned *retries = data, sequence;

	for (unsigned n = 0; n < 20; n++) {
		do {
			sequence = read_seqcount_begin(&test.seq);
			ck_assert_uint_eq(sequence % 2, 0);
			task_charge(test.engine, 300);
		} while (read_seqcount_retry(&test.seq, sequence) && ++*retries);
	}
}

START_TEST(sequences)
{
	unsigned retries = 0;

	set_up();
	task_detach(task_start_on(test.engine, "reader", 0, read_often, &retries));
	task_detach(task_start_on(test.engine, "writer", 2, write_twice, NULL));
	ck_assert(engine_run(test.engine, NULL));
	ck_assert_uint_eq(retries, 2);
	tear_down();
}
END_TEST

static void
count_references(void *data)
{
	ck_assert(refcount_inc_not_zero(&test.ref));
	ck_assert(!refcount_sub_and_test(&test.ref, 1));
	ck_assert(refcount_sub_and_test(&test.ref, 1));
	ck_assert(!refcount_inc_not_zero(&test.ref));
	refcount_add(&test.ref, 5);
	ck_assert(refcount_sub_and_test(&test.ref, 5));
}

START_TEST(references)
{
	set_up();
	task_detach(task_start(test.engine, "a", count_references, NULL));
	ck_assert(engine_run(test.engine, NULL));
	ck_assert_uint_eq(lock_class_at(test.engine, 2)->stats.acquisitions, 6);
	tear_down();
}
END_TEST

static void
charge(void *data)
{
	task_charge(test.engine, *(const unsigned *)data);
}

/* Those that are checked are read first, which brings a copy.  0 reads at 200 what 1
 * changes at 250, so that 0's swap at 400 fails, and the next one does not. */
START_TEST(kinds_of_references)
{
	PLAY("1:0+ 151:1+ 301:0+", "0@0: + 199 +", "1@50: +");
	PLAY("1:0* 251:1* 402:0*", "0@0: * 199 *", "1@50: *");
}
END_TEST

START_TEST(pinned_tasks)
{
	static const unsigned ps[] = {100, 200, 50};

	set_up();
	task_detach(task_start_on(test.engine, "a", 3, charge, (void *)&ps[0]));
	task_detach(task_start_on(test.engine, "b", 3, charge, (void *)&ps[1]));
	task_detach(task_start(test.engine, "c", charge, (void *)&ps[2]));
	ck_assert(engine_run(test.engine, NULL));
	ck_assert_uint_eq(engine_now(test.engine), 300);
	ck_assert_uint_eq(engine_cpu_busy_ps(test.engine, 3), 300);
	ck_assert_uint_eq(engine_cpu_busy_ps(test.engine, 0), 50);
	ck_assert_uint_eq(engine_cpu_busy_ps(test.engine, 1), 0);
	tear_down();
}
END_TEST

/* Many tasks, random times, one shadow: nobody is where he must not be, everybody comes
 * to an end, all sums are those of what the tasks saw. */
#define CROWD  16
#define ROUNDS 200

static struct {
	unsigned readers, writers, spinners, sequence_writers;
	unsigned acquired[3];
} shadow;

static void
use_rwlock(struct rng *r)
{
	bool write = rng_below(r, 4) == 0;

	if (write)
		write_lock(&test.rw);
	else
		read_lock(&test.rw);
	*(write ? &shadow.writers : &shadow.readers) += 1;
	ck_assert(shadow.writers == 0 || (shadow.writers == 1 && shadow.readers == 0));
	task_charge(test.engine, rng_below(r, 500));
	task_sync(test.engine);
	ck_assert(shadow.writers == 0 || (shadow.writers == 1 && shadow.readers == 0));
	*(write ? &shadow.writers : &shadow.readers) -= 1;
	shadow.acquired[1]++;
	if (write)
		write_unlock(&test.rw);
	else
		read_unlock(&test.rw);
}

static void
use_spinlock(struct rng *r)
{
	spin_lock(&test.spin);
	ck_assert_uint_eq(++shadow.spinners, 1);
	task_charge(test.engine, rng_below(r, 300));
	task_sync(test.engine);
	ck_assert_uint_eq(shadow.spinners--, 1);
	shadow.acquired[0]++;
	spin_unlock(&test.spin);
}

static void
use_anything(void *data)
{
	struct rng r = {.state = (uint64_t)(uintptr_t)data};

	for (unsigned n = 0; n < ROUNDS; n++) {
		if (rng_below(&r, 2))
			use_rwlock(&r);
		else
			use_spinlock(&r);
		refcount_add(&test.ref, 1);
		ck_assert(!refcount_sub_and_test(&test.ref, 1));
		shadow.acquired[2] += 2;
		if (rng_below(&r, 3) == 0)
			task_sleep(test.engine, rng_below(&r, 5000));
		task_charge(test.engine, rng_below(&r, 2000));
	}
}

static uint64_t
crowd(void)
{
	uint64_t end;

	set_up();
	memset(&shadow, 0, sizeof shadow);
	for (unsigned n = 0; n < CROWD; n++)
		task_detach(task_start_on(test.engine, "one", n % machine.cpus, use_anything,
					  (void *)(uintptr_t)(n + 1)));
	ck_assert(engine_run(test.engine, NULL));
	for (unsigned n = 0; n < 3; n++)
		ck_assert_uint_eq(lock_class_at(test.engine, n)->stats.acquisitions,
				  shadow.acquired[n]);
	ck_assert_int_eq(test.ref.refs, 1);
	end = engine_now(test.engine);
	tear_down();
	return end;
}

START_TEST(random_crowd)
{
	ck_assert_uint_eq(crowd(), crowd());
}
END_TEST

static void
block_in_lock(void *data)
{
	spin_lock(&test.spin);
	task_sleep(test.engine, 1);
}

START_TEST(blocking_with_a_spinlock)
{
	stage_expect_abort();
	set_up();
	task_detach(task_start(test.engine, "a", block_in_lock, NULL));
	engine_run(test.engine, NULL);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("spin");
	TCase *tc = tcase_create("spin");

	tcase_add_test(tc, lines_come_from_afar);
	tcase_add_test(tc, lines_stay_a_while);
	tcase_add_test(tc, lines_go_in_order);
	tcase_add_test(tc, copies);
	tcase_add_test(tc, spinlocks);
	tcase_add_test(tc, readers_beside_each_other);
	tcase_add_test(tc, readers_wait_behind_writers);
	tcase_add_test(tc, sequences);
	tcase_add_test(tc, references);
	tcase_add_test(tc, kinds_of_references);
	tcase_add_test(tc, pinned_tasks);
	tcase_add_test(tc, random_crowd);
	suite_add_death(tc, blocking_with_a_spinlock, SIGABRT, 1);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
