/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.c - the list of formats. */
#include "report/report.h"

#include <string.h>

static const struct report_format *const formats[] = {
	&report_table,
	&report_json,
	&report_csv,
	&report_jsonl,
};

const struct report_format *
report_format_at(unsigned i)
{
	return i < G_N_ELEMENTS(formats) ? formats[i] : NULL;
}

const struct report_format *
report_format_by_name(const char *name)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(formats); i++) {
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	}
	return NULL;
}
