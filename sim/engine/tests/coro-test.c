/* SPDX-License-Identifier: GPL-2.0-or-later */
/* coro-test.c - coroutines, on each implementation of context.h: built twice. */
#include "engine/coro.h"

#include <glib.h>
#include <stdint.h>
#include <string.h>

#include "engine/tests/suite.h"

struct counter {
	struct coro *self;
	unsigned from, to, seen;
};

static void
count_up(void *counter)
{
	struct counter *c = counter;

	for (c->seen = c->from; c->seen < c->to; c->seen++)
		coro_yield(c->self);
}

START_TEST(resume_and_yield)
{
	struct coro_pool pool = {0};
	struct counter c = {.from = 3, .to = 6};

	c.self = coro_new(&pool, count_up, &c);
	ck_assert_uint_eq(c.seen, 0);
	for (unsigned want = 3; want < 6; want++) {
		ck_assert(coro_resume(c.self));
		ck_assert_uint_eq(c.seen, want);
	}
	ck_assert(!coro_resume(c.self));
	ck_assert_uint_eq(c.seen, 6);
	coro_free(&pool, c.self);
	coro_pool_fini(&pool);
}
END_TEST

/* More values than there are registers, of both kinds, live across the switches. */
struct juggler {
	struct coro *self;
	uint64_t seed, whole;
	double broken;
};

static void
juggle(void *juggler)
{
	struct juggler *j = juggler;
	uint64_t a = j->seed, b = a + 1, c = a + 2, d = a + 3, e = a + 4, f = a + 5, g = a + 6;
	double s = (double)a, t = s + 1, u = s + 2, v = s + 3, w = s + 4, x = s + 5, y = s + 6;

	for (int i = 0; i < 50; i++) {
		coro_yield(j->self);
		a += b, b += c, c += d, d += e, e += f, f += g, g += 1;
		s += t, t += u, u += v, v += w, w += x, x += y, y += 1;
	}
	j->whole = a ^ b ^ c ^ d ^ e ^ f ^ g;
	j->broken = s + t + u + v + w + x + y;
}

START_TEST(registers_survive)
{
	struct coro_pool pool = {0};
	struct juggler one = {.seed = 1}, two = {.seed = 1}, other = {.seed = 1000};

	one.self = coro_new(&pool, juggle, &one);
	while (coro_resume(one.self))
		;
	coro_free(&pool, one.self);

	two.self = coro_new(&pool, juggle, &two);
	other.self = coro_new(&pool, juggle, &other);
	while (coro_resume(two.self))
		coro_resume(other.self);
	ck_assert_uint_eq(one.whole, two.whole);
	ck_assert(one.broken == two.broken);
	ck_assert(!coro_resume(other.self));
	ck_assert_uint_ne(other.whole, two.whole);
	coro_free(&pool, two.self);
	coro_free(&pool, other.self);
	coro_pool_fini(&pool);
}
END_TEST

struct tower {
	struct coro_pool *pool;
	struct coro *self;
	unsigned height, *reached;
};

/* Resumes another, which resumes another: each returns to its own resumer. */
static void
climb(void *tower)
{
	struct tower *t = tower, next = {t->pool, NULL, t->height - 1, t->reached};

	(*t->reached)++;
	coro_yield(t->self);
	if (t->height == 0)
		return;
	next.self = coro_new(t->pool, climb, &next);
	while (coro_resume(next.self))
		coro_yield(t->self);
	coro_free(t->pool, next.self);
}

START_TEST(nested)
{
	struct coro_pool pool = {0};
	unsigned reached = 0, yields = 0;
	struct tower t = {&pool, NULL, 9, &reached};

	t.self = coro_new(&pool, climb, &t);
	while (coro_resume(t.self))
		ck_assert_uint_eq(reached, ++yields);
	ck_assert_uint_eq(reached, 10);
	ck_assert_uint_eq(pool.made, 10);
	coro_free(&pool, t.self);
	coro_pool_fini(&pool);
}
END_TEST

static void
add_one(void *sum)
{
	++*(unsigned *)sum;
}

START_TEST(one_stack_for_many)
{
	struct coro_pool pool = {0};
	unsigned sum = 0;

	for (unsigned i = 0; i < 100000; i++) {
		struct coro *c = coro_new(&pool, add_one, &sum);

		ck_assert(!coro_resume(c));
		coro_free(&pool, c);
	}
	ck_assert_uint_eq(sum, 100000);
	ck_assert_uint_eq(pool.made, 1);
	coro_pool_fini(&pool);
}
END_TEST

START_TEST(many_stacks)
{
	enum { COUNT = 1000 };
	struct coro_pool pool = {0};
	struct counter *c = g_new0(struct counter, COUNT);
	unsigned alive = COUNT;

	for (unsigned i = 0; i < COUNT; i++) {
		c[i] = (struct counter){.from = i, .to = i + 3};
		c[i].self = coro_new(&pool, count_up, &c[i]);
	}
	while (alive)
		for (unsigned i = 0; i < COUNT; i++)
			alive -= !coro_resume(c[i].self);
	for (unsigned i = 0; i < COUNT; i++) {
		ck_assert_uint_eq(c[i].seen, i + 3);
		coro_free(&pool, c[i].self);
	}
	ck_assert_uint_eq(pool.made, COUNT);
	coro_pool_fini(&pool);
	g_free(c);
}
END_TEST

struct digger {
	struct coro *self;
	unsigned depth;
};

static unsigned
dig(struct digger *d, unsigned depth)
{
	volatile char room[512];

	memset((char *)room, (int)depth, sizeof room);
	if (depth == 0)
		coro_yield(d->self);
	else
		room[1] = (char)dig(d, depth - 1);
	return (unsigned char)room[0];
}

static void
dig_down(void *digger)
{
	struct digger *d = digger;

	ck_assert_uint_eq(dig(d, d->depth), d->depth);
}

/* Forgotten in the depth, and its stack used again: memory checkers must not mind. */
START_TEST(forgotten)
{
	struct coro_pool pool = {0};
	struct digger d = {.depth = 100};

	d.self = coro_new(&pool, dig_down, &d);
	ck_assert(coro_resume(d.self));
	coro_free(&pool, d.self);
	d.self = coro_new(&pool, dig_down, &d);
	ck_assert(coro_resume(d.self));
	ck_assert(!coro_resume(d.self));
	coro_free(&pool, d.self);
	ck_assert_uint_eq(pool.made, 1);
	coro_pool_fini(&pool);
}
END_TEST

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED 0
#endif

START_TEST(overflow)
{
	struct coro_pool pool = {0};
	struct digger d = {.depth = 1000000};

	d.self = coro_new(&pool, dig_down, &d);
	coro_resume(d.self);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("coro");
	TCase *tc = tcase_create("coroutines");

	tcase_add_test(tc, resume_and_yield);
	tcase_add_test(tc, registers_survive);
	tcase_add_test(tc, nested);
	tcase_add_test(tc, one_stack_for_many);
	tcase_add_test(tc, many_stacks);
	tcase_add_test(tc, forgotten);
	if (!SANITIZED) /* which reports it in its own way */
		suite_add_death(tc, overflow, SIGSEGV, 1);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
