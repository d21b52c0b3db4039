/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.c - writes beside the file to be, and renames at the end. */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

struct output {
	FILE *file;
	char *path;      /* as the user gave it */
	char *target;    /* the file that will be replaced */
	char *temporary; /* null: the path itself is written, being no regular file */
};

/* What an interrupt leaves no time to free. */
static const char *volatile unfinished;

static void
on_signal(int number)
{
	if (unfinished)
		unlink(unfinished);
	signal(number, SIG_DFL);
	raise(number);
}

static void
guard(const char *temporary)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGTERM};

	unfinished = temporary;
	for (unsigned i = 0; i < G_N_ELEMENTS(signals); i++)
		signal(signals[i], temporary ? on_signal : SIG_DFL);
}

static bool
fail(GError **error, const char *path, int code)
{
	g_set_error(error, CLI_ERROR, CLI_ERROR_OUTPUT, "cannot write '%s': %s", path,
		    g_strerror(code));
	return false;
}

static bool
is_stdout(const char *path)
{
	return !path || strcmp(path, "-") == 0;
}

bool
output_check(const char *path, GError **error)
{
	g_autofree char *folder = NULL;
	struct stat st;

	if (is_stdout(path))
		return true;
	if (*path == '\0')
		return fail(error, path, ENOENT);
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return fail(error, path, EISDIR);
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return access(path, W_OK) == 0 || fail(error, path, errno);
	folder = g_path_get_dirname(path);
	if (stat(folder, &st) != 0)
		return fail(error, path, errno);
	if (!S_ISDIR(st.st_mode))
		return fail(error, path, ENOTDIR);
	return access(folder, W_OK | X_OK) == 0 || fail(error, path, errno);
}

static void
output_free(struct output *o)
{
	g_free(o->path);
	free(o->target);
	g_free(o->temporary);
	g_free(o);
}

static FILE *
open_temporary(struct output *o)
{
	g_autofree char *name = g_strconcat(o->target ? o->target : o->path, ".XXXXXX", NULL);
	int fd = g_mkstemp_full(name, O_WRONLY | O_CLOEXEC, 0666);

	if (fd < 0)
		return NULL;
	o->temporary = g_steal_pointer(&name);
	guard(o->temporary);
	return fdopen(fd, "w");
}

struct output *
output_open(const char *path, GError **error)
{
	struct output *o = g_new0(struct output, 1);
	struct stat st;

	o->path = g_strdup(is_stdout(path) ? "standard output" : path);
	if (is_stdout(path)) {
		o->file = stdout;
	} else if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		o->file = g_fopen(path, "we");
	} else {
		o->target = realpath(path, NULL); /* a symbolic link stays one */
		o->file = open_temporary(o);
	}
	if (o->file)
		return o;
	fail(error, path, errno);
	output_free(o);
	return NULL;
}

/* An error stays with the stream, and is asked for at the end. */
void
output_write(const char *text, gsize length, void *output)
{
	struct output *o = output;

	fwrite(text, 1, length, o->file);
}

bool
output_close(struct output *o, bool keep, GError **error)
{
	int code = 0;

	errno = 0;
	if (fflush(o->file) != 0 || ferror(o->file))
		code = errno ? errno : EIO;
	if (o->file != stdout && fclose(o->file) != 0 && code == 0)
		code = errno;
	if (o->temporary && keep && code == 0 &&
	    g_rename(o->temporary, o->target ? o->target : o->path) != 0)
		code = errno;
	if (o->temporary && (!keep || code != 0))
		g_unlink(o->temporary);
	if (o->temporary)
		guard(NULL);
	if (code != 0)
		fail(error, o->path, code);
	output_free(o);
	return code == 0;
}
