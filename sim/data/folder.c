/* SPDX-License-Identifier: GPL-2.0-or-later */
/* folder.c - finds scenarios and machine profiles by name. */
#include "data/folder.h"

#include <stdbool.h>
#include <string.h>

#include "data/data-paths.h"

#define SUFFIX ".json"

static const struct {
	const char *variable;
	const char *from_program; /* from the folder of the program that was installed */
	const char *in_source;
} folders[] = {
	[DATA_MACHINES] = {MACHINE_FOLDER_VARIABLE, MACHINES_FROM_PROGRAM, MACHINES_IN_SOURCE},
	[DATA_TOPOLOGIES] = {TOPOLOGY_FOLDER_VARIABLE, TOPOLOGIES_FROM_PROGRAM,
			     TOPOLOGIES_IN_SOURCE},
};

char *
data_folder(enum data_kind kind)
{
	const char *chosen = g_getenv(folders[kind].variable);
	g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *bin = program ? g_path_get_dirname(program) : NULL;
	g_autofree char *installed =
		bin ? g_build_filename(bin, folders[kind].from_program, NULL) : NULL;

	if (chosen && *chosen)
		return g_strdup(chosen);
	if (installed && g_file_test(installed, G_FILE_TEST_IS_DIR))
		return g_steal_pointer(&installed);
	return g_strdup(folders[kind].in_source);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The schema lies beside what it describes. */
static bool
is_data(const char *file)
{
	return *file != '.' && g_str_has_suffix(file, SUFFIX) && strcmp(file, "schema.json") != 0;
}

char **
data_names(enum data_kind kind)
{
	g_autofree char *path = data_folder(kind);
	GDir *dir = g_dir_open(path, 0, NULL);
	GPtrArray *names = g_ptr_array_new();
	const char *file;

	while (dir && (file = g_dir_read_name(dir)) != NULL) {
		if (is_data(file))
			g_ptr_array_add(names, g_strndup(file, strlen(file) - strlen(SUFFIX)));
	}
	if (dir)
		g_dir_close(dir);
	g_ptr_array_sort(names, by_name);
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

char *
data_find(enum data_kind kind, const char *name)
{
	g_auto(GStrv) names = NULL;
	g_autofree char *folder = NULL, *file = NULL;

	if (strchr(name, '/') || g_str_has_suffix(name, SUFFIX))
		return g_strdup(name);
	names = data_names(kind);
	if (!g_strv_contains((const char *const *)names, name))
		return NULL;
	folder = data_folder(kind);
	file = g_strconcat(name, SUFFIX, NULL);
	return g_build_filename(folder, file, NULL);
}
