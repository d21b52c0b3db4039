/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.h - a file that grows during a run and appears whole at its end.
 *
 * For what is too much to keep in memory; everything else is written by
 * report_write_file(). */
#pragma once

#include <glib.h>
#include <stdbool.h>

struct output;

/* Could 'path' be written?  Asked before a run, so that a long one is not for
 * nothing.  Null and "-", standard output, always can. */
bool output_check(const char *path, GError **error);

/* One at a time: an interrupt removes what it has written so far. */
struct output *output_open(const char *path, GError **error);
void output_write(const char *text, gsize length, void *output);

/* Makes the file appear if 'keep'; frees the output in any case. */
bool output_close(struct output *, bool keep, GError **error);
