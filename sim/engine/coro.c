/* SPDX-License-Identifier: GPL-2.0-or-later */
/* coro.c - coroutines: stacks, their reuse, and what memory checkers must know.
 *
 * context.h does the switch itself. */
#include "engine/coro.h"

#include <errno.h>
#include <glib.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "engine/context.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define CORO_ASAN 1
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
#define CORO_ASAN 0
#endif

#if __has_include(<valgrind/memcheck.h>)
#define CORO_VALGRIND 1
#include <valgrind/memcheck.h>
#else
#define CORO_VALGRIND 0
#endif

/* The kernel makes do with 16 KiB for the call chains that are modelled here;
 * printing text and JSON, which tasks do as well, and the frames of sanitizers
 * need more.  Only pages that were touched take memory, so room to spare is free. */
#define STACK_SIZE ((size_t)256 << 10)

/* Far wider than a page, so that no frame with a large array steps over it. */
#define GUARD_SIZE ((size_t)64 << 10)

/* Enough for what context_prepare() writes. */
#define FIRST_FRAME_MAX ((size_t)4 << 10)

struct coro {
	void *sp;     /* where it stands, while it does not run */
	void *caller; /* where its resumer stands, while it runs */
	void (*fn)(void *);
	void *data;
	bool ended;
	char *map;         /* the guard, then the stack */
	struct coro *next; /* in the pool */
#if CORO_ASAN
	void *fake_stack, *caller_fake_stack;
	const void *caller_stack;
	size_t caller_stack_size;
#endif
#if CORO_VALGRIND
	unsigned valgrind_id;
#endif
};

static char *
coro_stack(const struct coro *c)
{
	return c->map + GUARD_SIZE;
}

/* What address sanitizer must hear before and after a switch: whose stack it is
 * on, and whether the one left behind will be continued. */
#if CORO_ASAN
static void
asan_entering(struct coro *c)
{
	__sanitizer_start_switch_fiber(&c->caller_fake_stack, coro_stack(c), STACK_SIZE);
}

static void
asan_entered(struct coro *c)
{
	__sanitizer_finish_switch_fiber(c->fake_stack, &c->caller_stack, &c->caller_stack_size);
}

static void
asan_leaving(struct coro *c)
{
	__sanitizer_start_switch_fiber(c->ended ? NULL : &c->fake_stack, c->caller_stack,
				       c->caller_stack_size);
}

static void
asan_left(struct coro *c)
{
	__sanitizer_finish_switch_fiber(c->caller_fake_stack, NULL, NULL);
}
#else
#define asan_entering(c) ((void)(c))
#define asan_entered(c)  ((void)(c))
#define asan_leaving(c)  ((void)(c))
#define asan_left(c)     ((void)(c))
#endif

/* Frames that never returned leave marks behind; the next user's must not meet them. */
static void
forget_frames(struct coro *c)
{
#if CORO_ASAN
	__asan_unpoison_memory_region(coro_stack(c), STACK_SIZE);
#else
	(void)c;
#endif
}

/* A new life of the stack.  What was above its pointer at the end of the last one
 * is out of bounds for valgrind, but context_prepare() is about to write there. */
static void
expect_frames(struct coro *c)
{
#if CORO_ASAN
	c->fake_stack = NULL;
#endif
#if CORO_VALGRIND
	VALGRIND_MAKE_MEM_UNDEFINED(coro_stack(c) + STACK_SIZE - FIRST_FRAME_MAX, FIRST_FRAME_MAX);
#endif
	(void)c;
}

static struct coro *
coro_make(struct coro_pool *pool)
{
	struct coro *c = g_new0(struct coro, 1);

	c->map = mmap(NULL, GUARD_SIZE + STACK_SIZE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (c->map == MAP_FAILED || mprotect(c->map, GUARD_SIZE, PROT_NONE) != 0)
		g_error("no memory for the stack of one more task, after %u: %s", pool->made,
			g_strerror(errno));
#if CORO_VALGRIND
	c->valgrind_id = VALGRIND_STACK_REGISTER(coro_stack(c), coro_stack(c) + STACK_SIZE - 1);
#endif
	pool->made++;
	return c;
}

static void
coro_destroy(struct coro *c)
{
#if CORO_VALGRIND
	VALGRIND_STACK_DEREGISTER(c->valgrind_id);
#endif
	munmap(c->map, GUARD_SIZE + STACK_SIZE);
	g_free(c);
}

void
coro_pool_fini(struct coro_pool *pool)
{
	while (pool->idle) {
		struct coro *c = pool->idle;

		pool->idle = c->next;
		coro_destroy(c);
		pool->made--;
	}
	g_assert(pool->made == 0);
}

static void
coro_main(void *data)
{
	struct coro *c = data;

	asan_entered(c);
	c->fn(c->data);
	c->ended = true;
	asan_leaving(c);
	context_switch(&c->sp, c->caller);
	g_assert_not_reached();
}

struct coro *
coro_new(struct coro_pool *pool, void (*fn)(void *), void *data)
{
	struct coro *c = pool->idle;

	if (c)
		pool->idle = c->next;
	else
		c = coro_make(pool);
	c->fn = fn;
	c->data = data;
	c->ended = false;
	expect_frames(c);
	c->sp = context_prepare(coro_stack(c), STACK_SIZE, coro_main, c);
	return c;
}

bool
coro_resume(struct coro *c)
{
	asan_entering(c);
	context_switch(&c->caller, c->sp);
	asan_left(c);
	return !c->ended;
}

void
coro_yield(struct coro *c)
{
	asan_leaving(c);
	context_switch(&c->sp, c->caller);
	asan_entered(c);
}

void
coro_free(struct coro_pool *pool, struct coro *c)
{
	if (!c->ended)
		forget_frames(c);
	c->next = pool->idle;
	pool->idle = c;
}
