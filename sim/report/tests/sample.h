/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sample.h - results made by hand, for the tests of the reports.
 *
 * "ordinary" is what a run looks like; "extreme" has the largest figures and
 * the worst names that the formats must survive; "empty" has as little as can
 * be; "stopped" ended early. */
#pragma once

#include "report/result.h"

extern const char *const sample_names[]; /* null-terminated */

struct run_result *sample_new(const char *name); /* null: no such sample */
