/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load-text.c - loads a scenario from a text, by way of a temporary file. */
#include "load-text.h"

#include <check.h>
#include <glib/gstdio.h>
#include <string.h>

static char *
write_temporary(const char *text)
{
	char *path = NULL;
	int fd = g_file_open_tmp("scenario-XXXXXX.json", &path, NULL);

	ck_assert_int_ge(fd, 0);
	g_close(fd, NULL);
	ck_assert(g_file_set_contents(path, text, -1, NULL));
	return path;
}

struct scenario *
load_text(const char *text, const struct scenario_options *options, GError **error)
{
	char *path = write_temporary(text);
	struct scenario *s = scenario_load(path, options, error);

	if (error && *error) {
		char *rest = g_strdup((*error)->message + strlen(path));

		ck_assert(g_str_has_prefix((*error)->message, path));
		g_free((*error)->message);
		(*error)->message = rest;
	}
	g_unlink(path);
	g_free(path);
	return s;
}
