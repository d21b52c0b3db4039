/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calls.h - calls of kernel functions, counted and traced under their kernel
 * names, so that a report can be laid beside a real kernel's kprobe counts.
 *
 * A name gets its number at its first call in the process; results are sorted
 * by name, so the numbers never show. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/profile.h"

#define CALLS_MAX 1024 /* distinct names */

struct calls {
	uint64_t count[CALLS_MAX];
	GString *trace;                                            /* null: calls are not traced */
	void (*flush)(const char *text, gsize length, void *data); /* takes it, now and then */
	void *flush_data;
	struct profile *profile; /* who calls whom, and how long it takes; may be null */
};

/* The number of a name; makes one if it is new. */
unsigned call_number(const char *name);
unsigned call_names(void); /* how many names there are */
const char *call_name(unsigned number);

/* Counts a call.  'name' must be a literal: its number is kept beside the call. */
#define CALL(calls, name)                                                                          \
	do {                                                                                       \
		static unsigned call_number_;                                                      \
		if (G_UNLIKELY(call_number_ == 0))                                                 \
			call_number_ = call_number(name);                                          \
		(calls)->count[call_number_]++;                                                    \
	} while (0)

/* The same at the top of the function of that name, which the profile shows from here
 * to its end, with the price of the call.  Two statements: not the body of an 'if'. */
#define CALL_ENTER(calls, name)                                                                    \
	PROFILE_SCOPE((calls)->profile, name);                                                     \
	CALL(calls, name)

/* Counts a call and, when tracing, writes a line: the name and further JSON
 * members, printf-style with single quotes for JSON's double ones. */
#define CALL_TRACED(calls, name, ...)                                                              \
	do {                                                                                       \
		CALL(calls, name);                                                                 \
		if (G_UNLIKELY((calls)->trace))                                                    \
			call_trace(calls, name, __VA_ARGS__);                                      \
	} while (0)

#define CALL_ENTER_TRACED(calls, name, ...)                                                        \
	PROFILE_SCOPE((calls)->profile, name);                                                     \
	CALL_TRACED(calls, name, __VA_ARGS__)

void call_trace(struct calls *, const char *name, const char *format, ...) G_GNUC_PRINTF(3, 4);
void call_trace_flush(struct calls *);
