// SPDX-License-Identifier: GPL-2.0-or-later
/* report.c - the list of formats, and how a finished text reaches a file. */
#include "report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LINKS 40 /* as the kernel */

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

static bool
fail(GError **error, const char *path, int code)
{
	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code), "cannot write '%s': %s",
		    path, g_strerror(code));
	return false;
}

static bool
write_all(int fd, const char *text, gsize length)
{
	while (length > 0) {
		ssize_t n = write(fd, text, MIN(length, (gsize)1 << 30));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		text += n;
		length -= (gsize)n;
	}
	return true;
}

/* For what can't be replaced: the text may arrive in part if this fails. */
static bool
write_in_place(const char *path, const char *text, gsize length, GError **error)
{
	int fd = g_open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY, 0);
	bool good = fd >= 0 && write_all(fd, text, length);
	int code = errno;

	if (fd >= 0 && close(fd) != 0 && good) {
		good = false;
		code = errno;
	}
	return good || fail(error, path, code);
}

/* 'mode' is that of the file which is replaced, or 0: as the umask has it. */
static bool
write_and_rename(const char *path, mode_t mode, const char *text, gsize length, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(path), *base = g_path_get_basename(path);
	g_autofree char *temporary = g_strdup_printf("%s/.%.200s.XXXXXX", folder, base);
	int code = 0, fd = g_mkstemp_full(temporary, O_WRONLY | O_CLOEXEC, 0666);

	if (fd < 0)
		return fail(error, path, errno);
	if ((mode != 0 && fchmod(fd, mode) != 0) || !write_all(fd, text, length) ||
	    (fsync(fd) != 0 && errno != EINVAL))
		code = errno;
	if (close(fd) != 0 && code == 0)
		code = errno;
	if (code == 0 && g_rename(temporary, path) != 0)
		code = errno;
	if (code == 0)
		return true;
	g_unlink(temporary);
	return fail(error, path, code);
}

static bool
write_stdout(const char *text, gsize length, GError **error)
{
	if (!write_all(STDOUT_FILENO, text, length))
		return fail(error, "standard output", errno);
	return true;
}

/* Where a chain of symbolic links ends, which need not exist. */
static char *
follow_links(const char *path)
{
	char *at = g_strdup(path), *link;

	for (unsigned i = 0; i < MAX_LINKS && (link = g_file_read_link(at, NULL)); i++) {
		g_autofree char *folder = g_path_get_dirname(at);

		g_free(at);
		at = g_path_is_absolute(link) ? g_strdup(link)
					      : g_build_filename(folder, link, NULL);
		g_free(link);
	}
	return at;
}

static bool
write_regular(const char *path, const struct stat *old, const char *text, gsize length,
	      GError **error)
{
	g_autofree char *target = follow_links(path);

	/* A rename would not ask whether the file may be written to. */
	if (old && access(target, W_OK) != 0)
		return fail(error, path, errno);
	return write_and_rename(target, old ? old->st_mode & 0777 : 0, text, length, error);
}

bool
report_write_file(const char *path, const char *text, gsize length, GError **error)
{
	struct stat st;

	if (!path || strcmp(path, "-") == 0)
		return write_stdout(text, length, error);
	if (*path == '\0')
		return fail(error, path, ENOENT);
	if (stat(path, &st) != 0)
		return errno == ENOENT ? write_regular(path, NULL, text, length, error)
				       : fail(error, path, errno);
	if (S_ISDIR(st.st_mode))
		return fail(error, path, EISDIR);
	if (!S_ISREG(st.st_mode))
		return write_in_place(path, text, length, error);
	return write_regular(path, &st, text, length, error);
}
