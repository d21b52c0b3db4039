/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.h - files that appear whole or not at all.
 *
 * What is written goes to a temporary file beside the one that is meant, which
 * takes its name at the end; a signal that ends the program removes it.  A
 * symbolic link is followed, also to where nothing is yet.  A path that is no
 * regular file (a pipe, /dev/null) is written to, and never replaced.  "-" or
 * null is standard output, past stdio: what stdio still holds comes later.
 *
 * Errors are of the domain G_FILE_ERROR, and name the path. */
#pragma once

#include <glib.h>
#include <stdbool.h>

struct output;

#define OUTPUT_MAX 8 /* that are open at one time */

/* Could 'path' be written?  Asked before a run, so that a long one is not for
 * nothing. */
bool output_check(const char *path, GError **error);

struct output *output_open(const char *path, GError **error);

/* An error stays with the output, and is said by output_close(). */
void output_write(const char *text, gsize length, void *output);

/* Makes the file appear if 'keep'; frees the output in any case.  False, with
 * an error, if anything went wrong on the way. */
bool output_close(struct output *, bool keep, GError **error);

/* The whole text at once. */
bool output_write_file(const char *path, const char *text, gsize length, GError **error);
