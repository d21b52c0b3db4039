/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timer-test.c - the event queue against a list that is searched from end to end. */
#include "engine/tests/stage.h"

#include "engine/random.h"
#include "engine/tests/suite.h"

struct cue {
	struct stage *stage;
	const char *text;
	struct timer timer;
};

static void
cue_note(void *cue)
{
	struct cue *c = cue;

	ck_assert(!timer_pending(&c->timer));
	stage_note(c->stage, c->text);
}

static void
cue_init(struct cue *c, struct stage *s, const char *text)
{
	c->stage = s;
	c->text = text;
	timer_init(&c->timer, text, cue_note, c);
}

START_TEST(set_move_cancel)
{
	struct stage s;
	struct cue a, b, c, d;

	stage_init(&s, 1);
	cue_init(&a, &s, "a");
	cue_init(&b, &s, "b");
	cue_init(&c, &s, "c");
	cue_init(&d, &s, "d");
	timer_set(s.engine, &a.timer, 10);
	timer_set(s.engine, &b.timer, 10);
	timer_set(s.engine, &c.timer, 7);
	timer_set(s.engine, &d.timer, 8);
	timer_set(s.engine, &a.timer, 10); /* moved: now after b */
	timer_cancel(s.engine, &c.timer);
	timer_cancel(s.engine, &c.timer);
	ck_assert(!timer_pending(&c.timer));
	ck_assert(timer_pending(&a.timer));
	stage_expect(&s, "8 d\n10 b\n10 a\n");
	timer_set(s.engine, &c.timer, 3); /* past: now */
	stage_expect(&s, "8 d\n10 b\n10 a\n10 c\n");
	stage_fini(&s);
}
END_TEST

START_TEST(end_of_time)
{
	struct stage s;
	struct cue last, never;

	stage_init(&s, 1);
	cue_init(&last, &s, "last");
	cue_init(&never, &s, "never");
	timer_set(s.engine, &never.timer, UINT64_MAX);
	timer_set(s.engine, &last.timer, UINT64_MAX - 1);
	stage_expect_error(
		&s, ENGINE_ERROR_TIME,
		"simulated time ends at 18446744.073709 s, and timer 'never' is due later");
	ck_assert_str_eq(s.log->str, "18446744073709551614 last\n");
	timer_cancel(s.engine, &never.timer);
	stage_expect(&s, "18446744073709551614 last\n");
	stage_fini(&s);
}
END_TEST

/* The model: all timers that are set, in the order in which that was done. */
#define TIMERS 150
#define FIRED  1500

struct event {
	struct play *play;
	struct timer timer;
};

struct play {
	struct stage stage;
	struct rng rng;
	struct event events[TIMERS];
	struct {
		unsigned number;
		uint64_t due;
	} model[TIMERS];
	unsigned modelled, fired;
	uint64_t spread; /* small: many ties */
};

static bool
model_remove(struct play *p, unsigned number)
{
	unsigned kept = 0, before = p->modelled;

	for (unsigned i = 0; i < p->modelled; i++)
		if (p->model[i].number != number)
			p->model[kept++] = p->model[i];
	p->modelled = kept;
	return kept < before;
}

static unsigned
model_first(const struct play *p)
{
	unsigned best = 0;

	for (unsigned i = 1; i < p->modelled; i++)
		if (p->model[i].due < p->model[best].due)
			best = i;
	return best;
}

static void
change_one(struct play *p)
{
	struct engine *e = p->stage.engine;
	unsigned number = (unsigned)rng_below(&p->rng, TIMERS);
	struct timer *t = &p->events[number].timer;

	ck_assert_int_eq(timer_pending(t), model_remove(p, number));
	if (rng_below(&p->rng, 3) == 0) {
		timer_cancel(e, t);
		return;
	}

	uint64_t due = engine_now(e) + rng_below(&p->rng, p->spread);

	timer_set(e, t, due);
	p->model[p->modelled].number = number;
	p->model[p->modelled++].due = due;
}

static void
event_fires(void *event)
{
	struct event *ev = event;
	struct play *p = ev->play;
	unsigned first = model_first(p), number = (unsigned)(ev - p->events);

	ck_assert_uint_gt(p->modelled, 0);
	ck_assert_uint_eq(p->model[first].number, number);
	ck_assert_uint_eq(p->model[first].due, engine_now(p->stage.engine));
	ck_assert(model_remove(p, number));
	if (++p->fired > FIRED)
		return;
	for (uint64_t n = rng_below(&p->rng, 4); n > 0 || p->modelled == 0; n -= n > 0)
		change_one(p);
}

static const uint64_t spreads[] = {1, 5, 1000, PS_PER_S};

START_TEST(against_the_list)
{
	struct play *p = g_new0(struct play, 1);

	stage_init(&p->stage, 1);
	p->rng.state = (uint64_t)_i;
	p->spread = spreads[(unsigned)_i % G_N_ELEMENTS(spreads)];
	for (unsigned i = 0; i < TIMERS; i++) {
		p->events[i].play = p;
		timer_init(&p->events[i].timer, "event", event_fires, &p->events[i]);
	}
	for (unsigned i = 0; i < 2 * TIMERS; i++)
		change_one(p);
	stage_expect(&p->stage, "");
	ck_assert_uint_eq(p->modelled, 0);
	ck_assert_uint_gt(p->fired, FIRED);
	for (unsigned i = 0; i < TIMERS; i++)
		ck_assert(!timer_pending(&p->events[i].timer));
	stage_fini(&p->stage);
	g_free(p);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("timer");
	TCase *tc = tcase_create("timers");

	tcase_add_test(tc, set_move_cancel);
	tcase_add_test(tc, end_of_time);
	tcase_add_loop_test(tc, against_the_list, 0, 12);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
