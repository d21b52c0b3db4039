/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.h - results out: one writer a format, all of the same result. */
#pragma once

#include <glib.h>

#include "report/result.h"

struct report_format {
	const char *name, *help;
	void (*write)(const struct run_result *, GString *out);
};

extern const struct report_format report_table, report_json, report_csv, report_jsonl;

const struct report_format *report_format_by_name(const char *); /* or null */
const struct report_format *report_format_at(unsigned);          /* or null at the end */
