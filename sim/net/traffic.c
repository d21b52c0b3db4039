/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traffic.c - see traffic.h. */
#include "net/traffic.h"

#include "net/kernel.h"

struct traffic_record
traffic_begin(const struct kernel *k, const char *kind)
{
	unsigned cpu = task_cpu(k->engine);

	task_sync(k->engine); /* what came before is no part of it */
	return (struct traffic_record){.kind = kind,
				       .start_ps = engine_now(k->engine),
				       .cpu = cpu,
				       .busy_ps = engine_cpu_busy_ps(k->engine, cpu)};
}

/* A sender that has moved says nothing of how busy it kept a CPU. */
void
traffic_end(struct kernel *k, struct traffic_record *r)
{
	unsigned cpu = task_cpu(k->engine);

	r->end_ps = engine_now(k->engine);
	r->busy_ps = cpu == r->cpu ? engine_cpu_busy_ps(k->engine, cpu) - r->busy_ps : 0;
	r->cpu = cpu;
	g_array_append_vals(k->traffic, r, 1);
}
