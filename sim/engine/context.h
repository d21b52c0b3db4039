/* SPDX-License-Identifier: GPL-2.0-or-later */
/* context.h - saving one flow of execution and continuing another.
 *
 * The smallest part that knows the processor.  context-asm.c with a .S file is
 * used where there is one; context-ucontext.c everywhere else, and by a test on
 * every machine.  coro.c is its only user.
 *
 * The floating-point control words and the signal mask are not saved: nothing
 * here changes them, and saving the mask is two system calls a switch. */
#pragma once

#include <stddef.h>

/* A context that will call fn(data) on this stack when it is switched to.  It
 * lives in the stack; fn must never return. */
void *context_prepare(void *stack, size_t size, void (*fn)(void *), void *data);

/* Stores the running context in *save and continues 'to'.  Returns when
 * something switches to what was saved; a context can be continued once. */
void context_switch(void **save, void *to);
