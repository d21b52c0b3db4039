/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.c - writes beside the file to be, and renames at the end. */
#include "report/output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LINKS 40 /* as the kernel */
#define CHUNK     65536

struct output {
	int fd;
	int code;        /* errno of what went wrong first; 0: nothing */
	GString *buffer; /* not written yet */
	char *path;      /* as the user gave it; null: standard output */
	char *target;    /* the file to be; null: the path itself is written to */
	char *temporary; /* null if there is no target */
};

/* Temporary files, for a signal that leaves no time to free anything. */
static const char *volatile unfinished[OUTPUT_MAX];
static unsigned guarded;

static const int signals[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM};

static void
on_signal(int number)
{
	for (unsigned i = 0; i < OUTPUT_MAX; i++) {
		if (unfinished[i])
			unlink(unfinished[i]);
	}
	signal(number, SIG_DFL);
	raise(number);
}

/* One that is ignored, as by nohup, stays so. */
static void
set_handlers(void (*from)(int), void (*to)(int))
{
	struct sigaction now, then = {.sa_handler = to};

	for (unsigned i = 0; i < G_N_ELEMENTS(signals); i++) {
		if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == from)
			sigaction(signals[i], &then, NULL);
	}
}

static void
guard(const char *temporary)
{
	unsigned i = 0;

	while (i < OUTPUT_MAX && unfinished[i])
		i++;
	g_assert(i < OUTPUT_MAX);
	unfinished[i] = temporary;
	if (guarded++ == 0)
		set_handlers(SIG_DFL, on_signal);
}

static void
unguard(const char *temporary)
{
	for (unsigned i = 0; i < OUTPUT_MAX; i++) {
		if (unfinished[i] == temporary)
			unfinished[i] = NULL;
	}
	if (--guarded == 0)
		set_handlers(on_signal, SIG_DFL);
}

static bool
fail(GError **error, const char *path, int code)
{
	if (path)
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code),
			    "cannot write '%s': %s", path, g_strerror(code));
	else
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code),
			    "cannot write to standard output: %s", g_strerror(code));
	return false;
}

static bool
is_stdout(const char *path)
{
	return !path || strcmp(path, "-") == 0;
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

/* What a path leads to: *target is the file to be, and *mode that of the one
 * which it replaces, or 0; null: the path is to be written in place.  Returns 0
 * or what is wrong. */
static int
resolve(const char *path, char **target, mode_t *mode)
{
	struct stat st;

	*target = NULL;
	*mode = 0;
	if (stat(path, &st) != 0) {
		if (errno != ENOENT || *path == '\0')
			return errno;
		*target = follow_links(path);
		return 0;
	}
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	if (!S_ISREG(st.st_mode))
		return 0;
	/* A rename would not ask whether the file may be written to. */
	if (access(path, W_OK) != 0)
		return errno;
	*target = follow_links(path);
	*mode = st.st_mode & 0777;
	return 0;
}

bool
output_check(const char *path, GError **error)
{
	g_autofree char *target = NULL, *folder = NULL;
	mode_t mode;
	int code;

	if (is_stdout(path))
		return true;
	code = resolve(path, &target, &mode);
	if (code != 0)
		return fail(error, path, code);
	if (!target)
		return access(path, W_OK) == 0 || fail(error, path, errno);
	folder = g_path_get_dirname(target);
	return access(folder, W_OK | X_OK) == 0 || fail(error, path, errno);
}

/* 'mode' 0: as the umask has it. */
static int
open_temporary(struct output *o, mode_t mode)
{
	g_autofree char *folder = g_path_get_dirname(o->target);
	g_autofree char *base = g_path_get_basename(o->target);
	g_autofree char *name = g_strdup_printf("%s/.%.200s.XXXXXX", folder, base);

	o->fd = g_mkstemp_full(name, O_WRONLY | O_CLOEXEC, 0666);
	if (o->fd < 0)
		return errno;
	o->temporary = g_steal_pointer(&name);
	guard(o->temporary);
	return mode == 0 || fchmod(o->fd, mode) == 0 ? 0 : errno;
}

static int
open_path(struct output *o)
{
	mode_t mode;
	int code;

	if (!o->path)
		return 0;
	code = resolve(o->path, &o->target, &mode);
	if (code != 0)
		return code;
	if (o->target)
		return open_temporary(o, mode);
	o->fd = g_open(o->path, O_WRONLY | O_CLOEXEC | O_NOCTTY, 0);
	return o->fd < 0 ? errno : 0;
}

struct output *
output_open(const char *path, GError **error)
{
	struct output *o = g_new0(struct output, 1);

	o->path = is_stdout(path) ? NULL : g_strdup(path);
	o->fd = o->path ? -1 : STDOUT_FILENO;
	o->buffer = g_string_new(NULL);
	o->code = open_path(o);
	if (o->code == 0)
		return o;
	output_close(o, false, error);
	return NULL;
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

static void
flush(struct output *o)
{
	if (o->code == 0 && !write_all(o->fd, o->buffer->str, o->buffer->len))
		o->code = errno;
	g_string_truncate(o->buffer, 0);
}

void
output_write(const char *text, gsize length, void *output)
{
	struct output *o = output;

	g_string_append_len(o->buffer, text, (gssize)length);
	if (o->buffer->len >= CHUNK)
		flush(o);
}

/* Some file systems can't sync, which is no reason to lose what was written. */
static void
finish(struct output *o, bool keep)
{
	if (o->temporary && keep && o->code == 0 && fsync(o->fd) != 0 && errno != EINVAL)
		o->code = errno;
	if (o->path && o->fd >= 0 && close(o->fd) != 0 && o->code == 0)
		o->code = errno;
	if (!o->temporary)
		return;
	if (keep && o->code == 0 && g_rename(o->temporary, o->target) != 0)
		o->code = errno;
	if (!keep || o->code != 0)
		g_unlink(o->temporary);
	unguard(o->temporary);
}

bool
output_close(struct output *o, bool keep, GError **error)
{
	bool good;

	flush(o);
	finish(o, keep);
	good = o->code == 0 || fail(error, o->path, o->code);
	g_string_free(o->buffer, TRUE);
	g_free(o->path);
	g_free(o->target);
	g_free(o->temporary);
	g_free(o);
	return good;
}

bool
output_write_file(const char *path, const char *text, gsize length, GError **error)
{
	struct output *o = output_open(path, error);

	if (!o)
		return false;
	output_write(text, length, o);
	return output_close(o, true, error);
}
