/* SPDX-License-Identifier: GPL-2.0-or-later */
/* coro.h - coroutines: functions with a stack of their own.
 *
 * What tasks are made of; nothing outside this folder uses it. */
#pragma once

#include <stdbool.h>

struct coro;

/* Keeps stacks for the next coroutine.  All zero is empty.  It never shrinks
 * before its end: it holds what was alive at once, at most. */
struct coro_pool {
	struct coro *idle;
	unsigned made; /* stacks that exist */
};

void coro_pool_fini(struct coro_pool *); /* every coroutine was given back */

/* One that will run fn(data).  Ends the program if there is no memory, as
 * g_malloc() does. */
struct coro *coro_new(struct coro_pool *, void (*fn)(void *), void *data);

/* Runs it until it yields or ends; false when it has ended. */
bool coro_resume(struct coro *);

/* By the coroutine itself: back to who resumed it. */
void coro_yield(struct coro *);

/* Gives it back to its pool.  One that has not ended is forgotten where it
 * stands: nothing on its stack is cleaned up. */
void coro_free(struct coro_pool *, struct coro *);
