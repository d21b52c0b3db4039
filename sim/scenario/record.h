/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record.h - what a phase added: the kernel's counters before and after it. */
#pragma once

#include "net/kernel.h"
#include "report/result.h"

struct record; /* the counters at one moment */

struct record *record_begin(struct kernel *);

void record_free(struct record *);

/* Fills the tables, calls, locks, RCU and dumps of the result; takes the dumps from the
 * kernel. */
void record_end(const struct record *, struct kernel *, struct phase_result *);
