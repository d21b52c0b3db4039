/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-explain.h - where a phase's predicted time comes from: what was counted times what
 * one costs on the machine, line by line, and where each price is from. */
#pragma once

#include "cost/machine.h"
#include "report/result.h"

/* Of each phase that took any time; then the prices that were used. */
void report_explain(GString *out, const struct run_result *, const struct machine *);
