/* SPDX-License-Identifier: GPL-2.0-or-later */
/* context-asm.c - makes the first frame that context-PROCESSOR.S then restores.
 *
 * The layouts here and there belong together. */
#include "engine/context.h"

#include <stdint.h>
#include <string.h>

void context_entry(void); /* context-PROCESSOR.S */

#define CODE(fn) ((uint64_t)(uintptr_t)(fn))

#if defined(__x86_64__)
/* r15 r14 r13 r12 rbx rbp, then the address to continue at. */
#define FRAME_WORDS 7
#define FRAME_FN    3 /* r12 */
#define FRAME_DATA  4 /* rbx */
#define FRAME_PC    6
#elif defined(__aarch64__)
/* x19 ... x30, then d8 ... d15; x30 is the address to continue at. */
#define FRAME_WORDS 20
#define FRAME_FN    0  /* x19 */
#define FRAME_DATA  1  /* x20 */
#define FRAME_PC    11 /* x30 */
#else
#error "no assembly for this processor: meson.build should have chosen context-ucontext.c"
#endif

void *
context_prepare(void *stack, size_t size, void (*fn)(void *), void *data)
{
	/* Both ABIs want the stack pointer to be a multiple of 16 at a call. */
	uintptr_t top = ((uintptr_t)stack + size) & ~(uintptr_t)15;
	uint64_t *frame = (uint64_t *)top - FRAME_WORDS;

	memset(frame, 0, FRAME_WORDS * sizeof *frame);
	frame[FRAME_FN] = CODE(fn);
	frame[FRAME_DATA] = (uintptr_t)data;
	frame[FRAME_PC] = CODE(context_entry);
	return frame;
}
