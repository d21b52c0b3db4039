/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timer.c - the event queue: timers in a heap by (due, order of setting).
 *
 * Four children a node: half the levels of a binary heap, and the children
 * that are compared lie in one or two cache lines. */
#include "engine/engine-impl.h"

#define ARITY 4

static inline unsigned
parent_of(unsigned at)
{
	return (at + ARITY - 2) / ARITY;
}

static inline unsigned
first_child_of(unsigned at)
{
	return ARITY * at - (ARITY - 2);
}

static inline bool
earlier(const struct timer_slot *a, const struct timer_slot *b)
{
	return a->due != b->due ? a->due < b->due : a->timer->seq < b->timer->seq;
}

static inline void
put(struct engine *e, unsigned at, struct timer_slot slot)
{
	e->heap[at] = slot;
	slot.timer->at = at;
}

/* Finds the slot's place between 'at', which is free, and the root. */
static void
sift_up(struct engine *e, unsigned at, struct timer_slot slot)
{
	while (at > 1 && earlier(&slot, &e->heap[parent_of(at)])) {
		put(e, at, e->heap[parent_of(at)]);
		at = parent_of(at);
	}
	put(e, at, slot);
}

/* The same between 'at' and the leaves. */
static void
sift_down(struct engine *e, unsigned at, struct timer_slot slot)
{
	for (;;) {
		unsigned child = first_child_of(at), best = child;
		unsigned end = MIN(child + ARITY, e->timers + 1);

		for (unsigned i = child + 1; i < end; i++)
			if (earlier(&e->heap[i], &e->heap[best]))
				best = i;
		if (child > e->timers || !earlier(&e->heap[best], &slot))
			break;
		put(e, at, e->heap[best]);
		at = best;
	}
	put(e, at, slot);
}

static void
settle(struct engine *e, unsigned at, struct timer_slot slot)
{
	if (at > 1 && earlier(&slot, &e->heap[parent_of(at)]))
		sift_up(e, at, slot);
	else
		sift_down(e, at, slot);
}

void
timer_init(struct timer *t, const char *name, void (*fn)(void *), void *data)
{
	*t = (struct timer){.name = name, .fn = fn, .data = data};
}

void
timer_set(struct engine *e, struct timer *t, uint64_t due_ps)
{
	t->due = MAX(due_ps, e->now);
	t->seq = e->seq++;

	struct timer_slot slot = {t->due, t};

	if (t->at) {
		settle(e, t->at, slot);
		return;
	}
	if (e->timers + 1 >= e->heap_size) {
		e->heap_size = MAX(64, 2 * e->heap_size);
		e->heap = g_renew(struct timer_slot, e->heap, e->heap_size);
	}
	sift_up(e, ++e->timers, slot);
}

void
timer_cancel(struct engine *e, struct timer *t)
{
	unsigned at = t->at;

	if (at == 0)
		return;
	g_assert(at <= e->timers && e->heap[at].timer == t);

	struct timer_slot last = e->heap[e->timers--];

	t->at = 0;
	if (last.timer != t)
		settle(e, at, last);
}
