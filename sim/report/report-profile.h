/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-profile.h - the traffic and the profile of a phase, for the table. */
#pragma once

#include "report/result.h"

/* Appends what was sent, beside the published figure.  False: nothing was. */
bool report_traffic(GString *out, const struct phase_result *);

/* Appends the symbols that took the most time, in the form of perf report.  False: there
 * is no profile, or it is empty. */
bool report_profile(GString *out, const struct phase_result *);
