/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traffic.h - what a sender of a workload did, for reports: no part of the kernel, and
 * nothing here is counted. */
#pragma once

#include <stdint.h>

struct kernel;

struct traffic_record {
	const char *kind; /* "udp6_send" */
	uint64_t packets, bytes;
	uint64_t start_ps, end_ps;
	unsigned cpu;     /* where it ran when it ended */
	uint64_t busy_ps; /* that CPU between start and end, by whomever */
};

/* By the running task: what is common to its records begins; ends, and is kept until the
 * phase is over. */
struct traffic_record traffic_begin(const struct kernel *, const char *kind);
void traffic_end(struct kernel *, struct traffic_record *);
