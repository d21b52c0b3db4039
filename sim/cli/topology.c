/* SPDX-License-Identifier: GPL-2.0-or-later */
/* topology.c - finds scenario files by name. */
#include "cli/topology.h"

#include <string.h>

#include "cli/build-config.h"
#include "cli/cli.h"

static char *
folder(void)
{
	const char *chosen = g_getenv(TOPOLOGY_FOLDER_VARIABLE);
	g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *bin = program ? g_path_get_dirname(program) : NULL;
	g_autofree char *installed =
		bin ? g_build_filename(bin, TOPOLOGIES_FROM_PROGRAM, NULL) : NULL;

	if (chosen && *chosen != '\0')
		return g_strdup(chosen);
	if (installed && g_file_test(installed, G_FILE_TEST_IS_DIR))
		return g_steal_pointer(&installed);
	return g_strdup(TOPOLOGIES_IN_SOURCE);
}

static int
by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **
topology_list(void)
{
	g_autofree char *path = folder();
	GDir *dir = g_dir_open(path, 0, NULL);
	GPtrArray *names;
	const char *file;

	if (!dir)
		return NULL;
	names = g_ptr_array_new();
	while ((file = g_dir_read_name(dir)) != NULL) {
		if (g_str_has_suffix(file, ".json") && strcmp(file, "schema.json") != 0)
			g_ptr_array_add(names, g_strndup(file, strlen(file) - strlen(".json")));
	}
	g_dir_close(dir);
	g_ptr_array_sort(names, by_name);
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

static void
unknown(const char *name, GError **error)
{
	g_auto(GStrv) names = topology_list();
	g_autofree char *list = names ? g_strjoinv(", ", names) : g_strdup("none");

	cli_usage(error,
		  "%.200s: neither a command nor a scenario; commands are run, list and script, "
		  "scenarios are %s, and a file's name has a '/' or ends in .json",
		  name, list);
}

char *
topology_find(const char *name, GError **error)
{
	g_autofree char *path = NULL, *base = NULL, *dir = NULL;

	if (strchr(name, '/') || g_str_has_suffix(name, ".json"))
		return g_strdup(name);
	dir = folder();
	base = g_strconcat(name, ".json", NULL);
	path = g_build_filename(dir, base, NULL);
	if (*name != '\0' && strcmp(name, "schema") != 0 && g_file_test(path, G_FILE_TEST_EXISTS))
		return g_steal_pointer(&path);
	unknown(name, error);
	return NULL;
}
