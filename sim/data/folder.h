/* SPDX-License-Identifier: GPL-2.0-or-later */
/* folder.h - where the files are that come with the program.
 *
 * A folder is the one that the environment names, or the one that was installed
 * with the program, or that of the source for a program that was only built. */
#pragma once

#include <glib.h>

enum data_kind {
	DATA_MACHINES,
	DATA_TOPOLOGIES,
};

#define MACHINE_FOLDER_VARIABLE  "NETSTRUCT_MACHINES"
#define TOPOLOGY_FOLDER_VARIABLE "NETSTRUCT_TOPOLOGIES"

char *data_folder(enum data_kind); /* its path, which need not exist; g_free() it */

/* The names in the folder, sorted, without ".json"; g_strfreev() it. */
char **data_names(enum data_kind);

/* The path of a name, or a copy of what is a path already: what has a slash or
 * ends in ".json".  Null if the folder has no such name; g_free() it. */
char *data_find(enum data_kind, const char *name);
