// SPDX-License-Identifier: GPL-2.0-or-later
/* machine.c - finds the profiles and answers what they say; machine-parse.c
 * reads them, meter.c applies them. */
#include "cost/machine.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <glib/gstdio.h>

#include "cost/machine-impl.h"
#include "cost/machine-paths.h"

#define MAX_PROFILE_SIZE (1u << 20)
#define SUFFIX           ".json"

G_DEFINE_QUARK(machine - error - quark, machine_error)

static void
operation_price_clear(void *data)
{
	g_free(((struct operation_price *)data)->backend);
}

static void
call_price_clear(void *data)
{
	g_free(((struct call_price *)data)->function);
}

struct machine *
machine_new(void)
{
	struct machine *m = g_new0(struct machine, 1);

	m->operations = g_array_new(FALSE, TRUE, sizeof(struct operation_price));
	g_array_set_clear_func(m->operations, operation_price_clear);
	m->calls = g_array_new(FALSE, TRUE, sizeof(struct call_price));
	g_array_set_clear_func(m->calls, call_price_clear);
	return m;
}

void
machine_free(struct machine *m)
{
	if (!m)
		return;
	g_free(m->name);
	g_free(m->about);
	g_array_unref(m->operations);
	g_array_unref(m->calls);
	g_free(m);
}

/* Where a user puts them; else beside the installed program; else, for a
 * program that was built and not installed, in the source. */
static char *
profiles_folder(void)
{
	const char *chosen = g_getenv(MACHINE_FOLDER_VARIABLE);
	g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *bin = program ? g_path_get_dirname(program) : NULL;
	char *installed;

	if (chosen && *chosen)
		return g_strdup(chosen);
	if (bin) {
		installed = g_build_filename(bin, MACHINES_FROM_PROGRAM, NULL);
		if (g_file_test(installed, G_FILE_TEST_IS_DIR))
			return installed;
		g_free(installed);
	}
	return g_strdup(MACHINES_IN_SOURCE);
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **
machine_list(void)
{
	g_autofree char *folder = profiles_folder();
	GPtrArray *names = g_ptr_array_new();
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *file;

	while (dir && (file = g_dir_read_name(dir))) {
		if (*file != '.' && g_str_has_suffix(file, SUFFIX))
			g_ptr_array_add(names, g_strndup(file, strlen(file) - strlen(SUFFIX)));
	}
	if (dir)
		g_dir_close(dir);
	g_ptr_array_sort(names, compare_names);
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

static bool
fail_to_read(const char *path, int code, GError **error)
{
	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code), "cannot read '%s': %s",
		    path, g_strerror(code));
	return false;
}

/* At most MAX_PROFILE_SIZE bytes, of whatever kind the file is. */
static bool
read_profile(const char *path, GString *text, GError **error)
{
	char buf[4096];
	FILE *file = g_fopen(path, "re");
	size_t got;
	int code;

	if (!file)
		return fail_to_read(path, errno, error);
	errno = 0;
	while (text->len <= MAX_PROFILE_SIZE && (got = fread(buf, 1, sizeof buf, file)) > 0)
		g_string_append_len(text, buf, (gssize)got);
	code = ferror(file) ? errno : 0;
	fclose(file);
	if (code != 0)
		return fail_to_read(path, code, error);
	if (text->len > MAX_PROFILE_SIZE) {
		g_set_error(error, MACHINE_ERROR, 0, "%s: longer than the %u bytes of a profile",
			    path, MAX_PROFILE_SIZE);
		return false;
	}
	return true;
}

static char *
name_of_path(const char *path)
{
	char *name = g_path_get_basename(path);

	if (g_str_has_suffix(name, SUFFIX))
		name[strlen(name) - strlen(SUFFIX)] = '\0';
	return name;
}

static struct machine *
load_path(const char *path, GError **error)
{
	struct machine *m = machine_new();
	GString *text = g_string_new(NULL);
	bool good;

	m->name = name_of_path(path);
	good = read_profile(path, text, error) &&
	       machine_parse(m, path, text->str, text->len, error);
	g_string_free(text, TRUE);
	if (good)
		return m;
	machine_free(m);
	return NULL;
}

struct machine *
machine_load(const char *name, GError **error)
{
	g_auto(GStrv) names = NULL;
	g_autofree char *folder = NULL, *file = NULL, *path = NULL, *known = NULL;

	if (strchr(name, '/') || g_str_has_suffix(name, SUFFIX))
		return load_path(name, error);
	names = machine_list();
	folder = profiles_folder();
	if (!g_strv_contains((const char *const *)names, name)) {
		known = g_strjoinv(", ", names);
		g_set_error(error, MACHINE_ERROR, 0, "no machine '%s'; %s has: %s", name, folder,
			    *known ? known : "none at all");
		return NULL;
	}
	file = g_strconcat(name, SUFFIX, NULL);
	path = g_build_filename(folder, file, NULL);
	return load_path(path, error);
}

const char *
machine_name(const struct machine *m)
{
	return m->name;
}

const char *
machine_about(const struct machine *m)
{
	return m->about;
}

unsigned
machine_cpus(const struct machine *m)
{
	return m->cpus;
}

uint64_t
machine_grace_ps(const struct machine *m)
{
	return m->grace_ps;
}

uint64_t
machine_process_start_ps(const struct machine *m)
{
	return m->process_start_ps;
}

uint64_t
machine_process_exit_ps(const struct machine *m)
{
	return m->process_exit_ps;
}

uint64_t
machine_operation_ps(const struct machine *m, size_t probe, const char *backend)
{
	uint64_t ps = 0;

	for (unsigned i = 0; i < m->operations->len; i++) {
		const struct operation_price *p =
			&g_array_index(m->operations, struct operation_price, i);

		if (p->probe != probe)
			continue;
		if (p->backend && strcmp(p->backend, backend) == 0)
			return p->ps;
		if (!p->backend)
			ps = p->ps;
	}
	return ps;
}
