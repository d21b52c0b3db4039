/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench.h - what the benchmarks of models share: a clock, and a process for each
 * measurement, so that its peak of memory is its own. */
#pragma once

#include <stdbool.h>

double bench_now_s(void); /* from any start */
double bench_peak_mb(void);

/* Runs 'measure' in a child, which prints its line.  False if that failed. */
bool bench_in_child(void (*measure)(const char *what, unsigned count), const char *what,
		    unsigned count);
