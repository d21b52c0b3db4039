/* SPDX-License-Identifier: GPL-2.0-or-later */
/* context-ucontext.c - context_switch() where there is no assembly for it.
 *
 * Some hundred nanoseconds a switch, because the C library saves the signal
 * mask; otherwise the same. */
#include "engine/context.h"

#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

struct start {
	ucontext_t context;
	void (*fn)(void *);
	void *data;
};

/* makecontext() hands over ints, so that a pointer takes two. */
static void
enter(unsigned high, unsigned low)
{
	struct start *s = (struct start *)(uintptr_t)((uint64_t)high << 32 | low);

	s->fn(s->data);
	abort();
}

void *
context_prepare(void *stack, size_t size, void (*fn)(void *), void *data)
{
	uintptr_t top = ((uintptr_t)stack + size - sizeof(struct start)) & ~(uintptr_t)63;
	struct start *s = (struct start *)top;
	uint64_t word = top;

	if (getcontext(&s->context) != 0)
		abort();
	s->fn = fn;
	s->data = data;
	s->context.uc_stack.ss_sp = stack;
	s->context.uc_stack.ss_size = top - (uintptr_t)stack;
	s->context.uc_link = NULL;
	makecontext(&s->context, (void (*)(void))enter, 2, (unsigned)(word >> 32), (unsigned)word);
	return s;
}

void
context_switch(void **save, void *to)
{
	ucontext_t self;

	*save = &self;
	if (swapcontext(&self, to) != 0)
		abort();
}
