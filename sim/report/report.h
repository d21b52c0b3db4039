/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.h - results out: one writer a format, all of the same result. */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "report/result.h"

struct report_format {
	const char *name, *help;
	void (*write)(const struct run_result *, GString *out);
};

extern const struct report_format report_table, report_json, report_csv, report_jsonl;

const struct report_format *report_format_by_name(const char *); /* or null */
const struct report_format *report_format_at(unsigned);          /* or null at the end */

/* Writes 'text' to 'path' whole or not at all (a temporary file, then rename);
 * "-" or null is standard output, past stdio: what stdio still holds comes
 * later.  A path that is no regular file (a pipe, /dev/null) is written to, and
 * never replaced; a symbolic link is followed, also to where nothing is yet. */
bool report_write_file(const char *path, const char *text, gsize length, GError **error);
