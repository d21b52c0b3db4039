/* SPDX-License-Identifier: GPL-2.0-or-later */
/* work.c - work queues: a list of items, and a task that runs them.
 *
 * An item is pending on one of two lists of its queue: 'later' while its timer
 * runs, 'due' from then until the worker takes it. */
#include "engine/work.h"

#include "engine/engine-impl.h"

struct work_list {
	struct work *first, *last;
};

struct workqueue {
	struct engine *engine;
	char *name;
	struct work_list due, later;
	struct task *worker;        /* null until the first item is due */
	struct wait_queue idle;     /* the worker */
	struct wait_queue flushers; /* who waits until it is idle */
	bool busy;                  /* the worker is within an item, or pays for it */
};

static void
list_append(struct work_list *l, struct work *w)
{
	w->prev = l->last;
	w->next = NULL;
	if (l->last)
		l->last->next = w;
	else
		l->first = w;
	l->last = w;
}

static void
list_remove(struct work_list *l, struct work *w)
{
	if (w->prev)
		w->prev->next = w->next;
	else
		l->first = w->next;
	if (w->next)
		w->next->prev = w->prev;
	else
		l->last = w->prev;
}

static void
drop(struct work *w)
{
	if (w->queued) {
		list_remove(&w->queue->due, w);
		w->queued = false;
	} else if (timer_pending(&w->timer)) {
		list_remove(&w->queue->later, w);
		timer_cancel(w->queue->engine, &w->timer);
	}
}

/* The worker */

/* The item may free its owner, and itself with it: it is not looked at again. */
static void
run_first(struct workqueue *q)
{
	struct work *w = q->due.first;

	drop(w);
	engine_step(q->engine, "work", w->timer.name);
	q->busy = true;
	w->fn(w->data);
	task_sync(q->engine);
	q->busy = false;
}

static void
work_loop(void *queue)
{
	struct workqueue *q = queue;
	struct task *self = task_current(q->engine);

	for (;;) {
		while (q->due.first)
			run_first(q);
		wake_all(q->engine, &q->flushers);
		self->idle = true;
		task_block(q->engine, &q->idle, NULL);
		self->idle = false;
	}
}

static void
make_due(struct workqueue *q, struct work *w)
{
	w->queue = q;
	w->queued = true;
	list_append(&q->due, w);
	if (q->worker)
		task_wake_first(&q->idle);
	else
		q->worker = task_start(q->engine, q->name, work_loop, q);
}

static void
work_timer(void *work)
{
	struct work *w = work;

	list_remove(&w->queue->later, w);
	make_due(w->queue, w);
}

/* Queues */

struct workqueue *
workqueue_new(struct engine *e, const char *name)
{
	struct workqueue *q = g_new0(struct workqueue, 1);

	q->engine = e;
	q->name = g_strdup(name);
	q->flushers.name = "workqueue_flush";
	return q;
}

void
workqueue_free(struct workqueue *q)
{
	if (!q)
		return;
	while (q->due.first)
		drop(q->due.first);
	while (q->later.first)
		drop(q->later.first);
	if (q->worker)
		task_kill(q->worker);
	g_free(q->name);
	g_free(q);
}

bool
workqueue_idle(const struct workqueue *q)
{
	return !q->due.first && !q->busy;
}

void
workqueue_flush(struct workqueue *q)
{
	task_sync(q->engine);
	while (!workqueue_idle(q))
		wait_on(q->engine, &q->flushers);
}

/* Items */

void
work_init(struct work *w, const char *name, void (*fn)(void *), void *data)
{
	*w = (struct work){.fn = fn, .data = data};
	timer_init(&w->timer, name, work_timer, w);
}

bool
work_pending(const struct work *w)
{
	return w->queued || timer_pending(&w->timer);
}

bool
work_queue(struct workqueue *q, struct work *w)
{
	task_sync(q->engine);
	if (work_pending(w))
		return false;
	make_due(q, w);
	return true;
}

void
work_mod_delayed(struct workqueue *q, struct work *w, uint64_t delay_ps)
{
	task_sync(q->engine);
	drop(w);
	if (delay_ps == 0) {
		make_due(q, w);
		return;
	}
	w->queue = q;
	list_append(&q->later, w);
	timer_set(q->engine, &w->timer, time_add(q->engine->now, delay_ps));
}

bool
work_cancel(struct work *w)
{
	if (w->queue)
		task_sync(w->queue->engine);
	if (!work_pending(w))
		return false;
	drop(w);
	return true;
}
