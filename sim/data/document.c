/* SPDX-License-Identifier: GPL-2.0-or-later */
/* document.c - reads and parses a JSON file; reader.c looks into it. */
#include "data/document.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>

GQuark
data_error_quark(void)
{
	return g_quark_from_static_string("data-error-quark");
}

static bool
fail(const char *path, int code, GError **error)
{
	g_set_error(error, DATA_ERROR, DATA_ERROR_FILE, "%s: %s", path, g_strerror(code));
	return false;
}

/* At least all of it, or more than 'max_size': the size is not asked for before,
 * because the file need not be a regular one. */
static bool
read_file(const char *path, size_t max_size, GString *text, GError **error)
{
	FILE *file = g_fopen(path, "rbe");
	char buffer[8192];
	size_t n;
	int code;

	if (!file)
		return fail(path, errno, error);
	errno = 0;
	while (text->len <= max_size && (n = fread(buffer, 1, sizeof buffer, file)) > 0)
		g_string_append_len(text, buffer, (gssize)n);
	code = ferror(file) ? errno : 0;
	fclose(file);
	if (code != 0)
		return fail(path, code, error);
	return true;
}

/* jansson's message quotes the text, which may hold line breaks; where nothing
 * was read it counts the column from 0. */
static json_t *
parse(const char *path, const GString *text, GError **error)
{
	json_error_t wrong;
	json_t *json = json_loadb(text->str, text->len, JSON_REJECT_DUPLICATES, &wrong);

	if (!json)
		g_set_error(error, DATA_ERROR, DATA_ERROR_TEXT, "%s:%d:%d: not valid JSON: %s",
			    path, MAX(wrong.line, 1), MAX(wrong.column, 1),
			    g_strdelimit(wrong.text, "\n\r\t", ' '));
	return json;
}

bool
document_load(struct document *d, const char *what, const char *path, unsigned max_mib,
	      GError **error)
{
	size_t max_size = (size_t)max_mib << 20;

	*d = (struct document){.text = g_string_new(NULL)};
	if (!read_file(path, max_size, d->text, error)) {
		document_clear(d);
		return false;
	}
	if (d->text->len > max_size)
		g_set_error(error, DATA_ERROR, DATA_ERROR_FILE,
			    "%s: larger than %u MiB, which no %s is", path, max_mib, what);
	else
		d->json = parse(path, d->text, error);
	if (!d->json)
		document_clear(d);
	return d->json != NULL;
}

void
document_clear(struct document *d)
{
	json_decref(d->json);
	d->json = NULL;
	if (d->text)
		g_string_free(d->text, TRUE);
	d->text = NULL;
}
