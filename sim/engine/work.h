/* SPDX-License-Identifier: GPL-2.0-or-later */
/* work.h - work queues and delayed work.
 *
 * A queue has one worker, a task made when it is first needed: items run one
 * at a time in the order in which they became due, as on the kernel's ordered
 * work queues. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"

struct workqueue;

struct workqueue *workqueue_new(struct engine *, const char *name);

/* Pending items are dropped, and one that runs ends where it stands: free queues
 * before what their items use, and before the engine.  Null is allowed. */
void workqueue_free(struct workqueue *);

/* Embedded in its owner, which must not go away while it is pending; fn may
 * free it, or queue it again. */
struct work {
	void (*fn)(void *data);
	void *data;
	struct workqueue *queue;  /* the queue that it was last given to */
	struct work *prev, *next; /* on one of its lists, while it is pending */
	struct timer timer;       /* runs for delayed work */
	bool queued;              /* due, and waits for the worker */
};

void work_init(struct work *, const char *name, void (*fn)(void *), void *data);

/* False if it was pending already: it then stays where it is. */
bool work_queue(struct workqueue *, struct work *);

/* As mod_delayed_work(): due after 'delay', whether or not it was pending. */
void work_mod_delayed(struct workqueue *, struct work *, uint64_t delay_ps);

/* Drops a pending item; false if it was not pending.  One that runs now goes on. */
bool work_cancel(struct work *);
bool work_pending(const struct work *);

/* By a task that is no item of it: waits until nothing is queued or runs, delayed
 * work aside. */
void workqueue_flush(struct workqueue *);

bool workqueue_idle(const struct workqueue *); /* nothing is queued or runs; delayed work may be */
