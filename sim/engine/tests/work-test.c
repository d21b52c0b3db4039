/* SPDX-License-Identifier: GPL-2.0-or-later */
/* work-test.c - work queues: order, delays, changes of mind. */
#include "engine/work.h"

#include "engine/random.h"
#include "engine/tests/stage.h"
#include "engine/tests/suite.h"

struct item {
	struct stage *stage;
	const char *name;
	uint64_t cost;
	unsigned again; /* so often it queues itself */
	struct workqueue *queue;
	struct work work;
	unsigned runs;
};

static void
item_run(void *item)
{
	struct item *i = item;

	ck_assert(!work_pending(&i->work));
	stage_note(i->stage, i->name);
	i->runs++;
	task_charge(i->stage->engine, i->cost);
	if (i->again) {
		i->again--;
		ck_assert(work_queue(i->queue, &i->work));
	}
}

static void
item_init(struct item *i, struct stage *s, struct workqueue *q, const char *name, uint64_t cost)
{
	*i = (struct item){.stage = s, .name = name, .cost = cost, .queue = q};
	work_init(&i->work, name, item_run, i);
}

/* A stage with a queue and three items that cost 10 each. */
struct shop {
	struct stage stage;
	struct workqueue *queue;
	struct item a, b, c;
};

static void
shop_init(struct shop *s)
{
	stage_init(&s->stage, 4);
	s->queue = workqueue_new(s->stage.engine, "events");
	item_init(&s->a, &s->stage, s->queue, "a", 10);
	item_init(&s->b, &s->stage, s->queue, "b", 10);
	item_init(&s->c, &s->stage, s->queue, "c", 10);
}

static void
shop_fini(struct shop *s)
{
	workqueue_free(s->queue);
	stage_fini(&s->stage);
}

static void
shop_open(struct shop *s, void (*fn)(void *))
{
	task_detach(task_start(s->stage.engine, "customer", fn, s));
}

/* One at a time, in order; a second request changes nothing. */
static void
order_three(void *shop)
{
	struct shop *s = shop;

	ck_assert(workqueue_idle(s->queue));
	ck_assert(work_queue(s->queue, &s->b.work));
	ck_assert(work_queue(s->queue, &s->a.work));
	ck_assert(work_queue(s->queue, &s->c.work));
	ck_assert(!work_queue(s->queue, &s->b.work));
	ck_assert(work_pending(&s->b.work));
	ck_assert(!workqueue_idle(s->queue));
}

START_TEST(order)
{
	struct shop s;

	shop_init(&s);
	shop_open(&s, order_three);
	stage_expect(&s.stage, "0 b\n10 a\n20 c\n");
	ck_assert(workqueue_idle(s.queue));
	ck_assert_uint_eq(engine_now(s.stage.engine), 30);
	shop_fini(&s);
}
END_TEST

/* An item that queues itself goes behind the others. */
START_TEST(again)
{
	struct shop s;

	shop_init(&s);
	s.b.again = 2;
	shop_open(&s, order_three);
	stage_expect(&s.stage, "0 b\n10 a\n20 c\n30 b\n40 b\n");
	shop_fini(&s);
}
END_TEST

/* The debt of who queues is paid first: at 7. */
static void
order_late(void *shop)
{
	struct shop *s = shop;

	task_charge(s->stage.engine, 7);
	work_queue(s->queue, &s->a.work);
	task_sleep(s->stage.engine, 4); /* a runs, at no cost that is paid yet */
	ck_assert(!work_pending(&s->a.work));
	ck_assert(!workqueue_idle(s->queue));
	ck_assert(!work_cancel(&s->a.work));
	ck_assert(work_queue(s->queue, &s->a.work)); /* while it runs */
	task_sleep(s->stage.engine, 1);
	ck_assert(work_cancel(&s->a.work));
	ck_assert(!work_cancel(&s->a.work));
}

START_TEST(while_it_runs)
{
	struct shop s;

	shop_init(&s);
	shop_open(&s, order_late);
	stage_expect(&s.stage, "7 a\n");
	ck_assert(workqueue_idle(s.queue));
	shop_fini(&s);
}
END_TEST

/* Delayed: by when they are due, not by when they were queued. */
static void
order_delayed(void *shop)
{
	struct shop *s = shop;

	work_mod_delayed(s->queue, &s->a.work, 50);
	work_mod_delayed(s->queue, &s->b.work, 40);
	work_mod_delayed(s->queue, &s->c.work, 50);
	ck_assert(work_pending(&s->a.work));
	ck_assert(!s->a.work.queued);
	ck_assert(workqueue_idle(s->queue));
	ck_assert(!work_queue(s->queue, &s->a.work)); /* stays where it is: at 50 */
}

START_TEST(delayed)
{
	struct shop s;

	shop_init(&s);
	shop_open(&s, order_delayed);
	stage_expect(&s.stage, "40 b\n50 a\n60 c\n");
	shop_fini(&s);
}
END_TEST

static void
change_mind(void *shop)
{
	struct shop *s = shop;
	struct engine *e = s->stage.engine;

	work_mod_delayed(s->queue, &s->a.work, 100);
	work_mod_delayed(s->queue, &s->b.work, 100);
	task_sleep(e, 20);
	work_mod_delayed(s->queue, &s->a.work, 200); /* later: 220 */
	work_mod_delayed(s->queue, &s->b.work, 10);  /* sooner: 30 */
	work_mod_delayed(s->queue, &s->c.work, 0);   /* now: 20-30, so that b is due, and... */
	task_sleep(e, 5);
	work_queue(s->queue, &s->b.work);           /* ... still pending */
	work_mod_delayed(s->queue, &s->b.work, 40); /* and moves again: 65 */
	task_sleep(e, 100);                         /* 125 */
	work_queue(s->queue, &s->c.work);           /* 125-135 */
	work_queue(s->queue, &s->b.work);           /* due, waits for the worker */
	work_mod_delayed(s->queue, &s->b.work, 20); /* not due any more: 145 */
	ck_assert(!s->b.work.queued);
}

START_TEST(mod_delayed)
{
	struct shop s;

	shop_init(&s);
	shop_open(&s, change_mind);
	stage_expect(&s.stage, "20 c\n65 b\n125 c\n145 b\n220 a\n");
	shop_fini(&s);
}
END_TEST

/* From one queue to another, and the item does not stay behind. */
static void
move_over(void *shop)
{
	struct shop *s = shop;
	struct workqueue *other = workqueue_new(s->stage.engine, "other");

	work_mod_delayed(other, &s->a.work, 10);
	work_mod_delayed(s->queue, &s->a.work, 20);
	work_mod_delayed(other, &s->b.work, 10);
	work_queue(other, &s->c.work);
	workqueue_free(other);
	ck_assert(!work_pending(&s->b.work));
	ck_assert(!work_pending(&s->c.work));
}

START_TEST(free_drops)
{
	struct shop s;

	shop_init(&s);
	shop_open(&s, move_over);
	stage_expect(&s.stage, "20 a\n");
	shop_fini(&s);
}
END_TEST

/* The worker waits for a lock when its queue goes away. */
static void
item_lock(void *stage)
{
	mutex_lock(&((struct stage *)stage)->lock);
	ck_abort_msg("there is no such time");
}

static void
free_busy(void *shop)
{
	struct shop *s = shop;
	struct work w;

	mutex_lock(&s->stage.lock);
	work_init(&w, "locker", item_lock, &s->stage);
	work_queue(s->queue, &w);
	task_sleep(s->stage.engine, 5);
	ck_assert(!work_pending(&w));
	workqueue_free(s->queue);
	s->queue = NULL;
	mutex_unlock(&s->stage.lock);
	ck_assert_ptr_null(s->stage.lock.holder);
}

START_TEST(free_while_it_waits)
{
	struct shop s;

	shop_init(&s);
	shop_open(&s, free_busy);
	stage_expect(&s.stage, "");
	shop_fini(&s);
}
END_TEST

static void
item_free(void *item)
{
	g_free(item);
}

START_TEST(item_frees_itself)
{
	struct shop s;
	struct item *i = g_new(struct item, 1);

	shop_init(&s);
	work_init(&i->work, "gone", item_free, i);
	ck_assert(work_queue(s.queue, &i->work)); /* from outside tasks */
	stage_expect(&s.stage, "");
	shop_fini(&s);
}
END_TEST

static void
requeue(void *item)
{
	struct item *i = item;

	work_queue(i->queue, &i->work);
}

START_TEST(endless_item)
{
	struct shop s;

	shop_init(&s);
	work_init(&s.a.work, "linkwatch", requeue, &s.a);
	work_queue(s.queue, &s.a.work);
	stage_expect_error(&s.stage, ENGINE_ERROR_STUCK,
			   "simulated time stands still at 0.000000 s after 1000002 steps; the "
			   "last ones: work 'linkwatch' 334 times, task 'events' 667 times");
	shop_fini(&s);
}
END_TEST

/* Against a model: items with their due times in a list that is searched. */
#define ITEMS 30
#define DEEDS 3000

struct random_shop {
	struct stage stage;
	struct workqueue *queue;
	struct rng rng;
	struct item items[ITEMS];
	struct {
		unsigned number;
		uint64_t due;
	} model[ITEMS]; /* in the order of the requests */
	unsigned modelled, runs;
};

static void
forget(struct random_shop *s, unsigned number)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < s->modelled; i++)
		if (s->model[i].number != number)
			s->model[kept++] = s->model[i];
	s->modelled = kept;
}

static void
random_item_run(void *item)
{
	struct item *it = item;
	struct random_shop *s = (struct random_shop *)it->stage;
	unsigned first = 0;

	ck_assert_uint_gt(s->modelled, 0);
	for (unsigned i = 1; i < s->modelled; i++)
		if (s->model[i].due < s->model[first].due)
			first = i;
	ck_assert_uint_le(s->model[first].due, engine_now(s->stage.engine));
	ck_assert_uint_eq(s->model[first].number, it - s->items);
	forget(s, s->model[first].number);
	s->runs++;
	task_charge(s->stage.engine, rng_below(&s->rng, 30));
}

static void
random_deed(struct random_shop *s)
{
	unsigned number = (unsigned)rng_below(&s->rng, ITEMS);
	struct work *w = &s->items[number].work;
	uint64_t deed = rng_below(&s->rng, 6), delay = deed ? rng_below(&s->rng, 100) : 0;
	bool was = work_pending(w);

	if (deed == 5) {
		ck_assert_int_eq(work_cancel(w), was);
		forget(s, number);
		return;
	}
	if (deed == 0) {
		ck_assert_int_eq(work_queue(s->queue, w), !was);
		if (was)
			return;
	} else {
		work_mod_delayed(s->queue, w, delay);
		forget(s, number);
	}
	s->model[s->modelled].number = number;
	s->model[s->modelled++].due = engine_now(s->stage.engine) + delay;
}

static void
random_customer(void *shop)
{
	struct random_shop *s = shop;

	for (unsigned i = 0; i < DEEDS; i++) {
		random_deed(s);
		if (rng_below(&s->rng, 3) == 0)
			task_sleep(s->stage.engine, rng_below(&s->rng, 40));
	}
}

START_TEST(against_the_list)
{
	struct random_shop s = {.rng = {(uint64_t)_i}};

	stage_init(&s.stage, 2);
	s.queue = workqueue_new(s.stage.engine, "random");
	for (unsigned i = 0; i < ITEMS; i++) {
		s.items[i].stage = &s.stage;
		work_init(&s.items[i].work, "item", random_item_run, &s.items[i]);
	}
	task_detach(task_start(s.stage.engine, "customer", random_customer, &s));
	stage_expect(&s.stage, "");
	ck_assert_uint_eq(s.modelled, 0);
	ck_assert_uint_gt(s.runs, DEEDS / 10);
	workqueue_free(s.queue);
	stage_fini(&s.stage);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("work");
	TCase *tc = tcase_create("work queues");

	tcase_add_test(tc, order);
	tcase_add_test(tc, again);
	tcase_add_test(tc, while_it_runs);
	tcase_add_test(tc, delayed);
	tcase_add_test(tc, mod_delayed);
	tcase_add_test(tc, free_drops);
	tcase_add_test(tc, free_while_it_waits);
	tcase_add_test(tc, item_frees_itself);
	tcase_add_test(tc, endless_item);
	tcase_add_loop_test(tc, against_the_list, 0, 10);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
