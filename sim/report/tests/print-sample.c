/* SPDX-License-Identifier: GPL-2.0-or-later */
/* print-sample.c - one sample in one format on standard output, in the locale
 * of the environment: print-sample SAMPLE FORMAT */
#include <locale.h>
#include <stdio.h>

#include "report/output.h"
#include "report/report.h"
#include "sample.h"

int
main(int argc, char **argv)
{
	const struct report_format *format = argc == 3 ? report_format_by_name(argv[2]) : NULL;
	struct run_result *r = format ? sample_new(argv[1]) : NULL;
	GString *out = g_string_new(NULL);
	bool good = false;

	setlocale(LC_ALL, "");
	if (r) {
		format->write(r, out);
		good = output_write_file(NULL, out->str, out->len, NULL);
	} else {
		fprintf(stderr, "usage: print-sample SAMPLE FORMAT\n");
	}
	run_result_free(r);
	g_string_free(out, TRUE);
	return good ? 0 : 1;
}
