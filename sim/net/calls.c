/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calls.c - names of counted kernel functions, and the trace of their calls. */
#include "net/calls.h"

#include <stdarg.h>
#include <string.h>

#define TRACE_CHUNK 65536

/* Number 0 stays free: CALL() takes it for "not asked yet".  Names are literals
 * and live as long as the program; so may their numbers. */
static const char *names[CALLS_MAX];
static unsigned name_count = 1;

unsigned
call_number(const char *name)
{
	for (unsigned n = 1; n < name_count; n++)
		if (strcmp(names[n], name) == 0)
			return n;
	g_assert(name_count < CALLS_MAX);
	names[name_count] = name;
	return name_count++;
}

unsigned
call_names(void)
{
	return name_count;
}

const char *
call_name(unsigned number)
{
	g_assert(number > 0 && number < name_count);
	return names[number];
}

/* Formats with ' where JSON wants ": no argument ever holds a quote. */
void
call_trace(struct calls *calls, const char *name, const char *format, ...)
{
	gsize begin;
	va_list args;

	begin = calls->trace->len;
	g_string_append_printf(calls->trace, "{'fn': '%s', ", name);
	va_start(args, format);
	g_string_append_vprintf(calls->trace, format, args);
	va_end(args);
	g_string_append(calls->trace, "}\n");
	for (gsize at = begin; at < calls->trace->len; at++)
		if (calls->trace->str[at] == '\'')
			calls->trace->str[at] = '"';
	if (calls->trace->len >= TRACE_CHUNK)
		call_trace_flush(calls);
}

void
call_trace_flush(struct calls *calls)
{
	if (!calls->trace || !calls->flush)
		return;
	calls->flush(calls->trace->str, calls->trace->len, calls->flush_data);
	g_string_truncate(calls->trace, 0);
}
