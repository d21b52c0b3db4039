/* SPDX-License-Identifier: GPL-2.0-or-later */
/* topology.h - where scenario files are.
 *
 * The folder is the one that the environment names, or the one that was installed
 * with the program, or that of the source for a program that was only built. */
#pragma once

#include <glib.h>

#define TOPOLOGY_FOLDER_VARIABLE "NETSTRUCT_TOPOLOGIES"

/* The path of "NAME", "PATH/FILE" or "FILE.json"; g_free() it. */
char *topology_find(const char *name, GError **error);

/* The names in the folder, sorted; g_strfreev() it.  Null: there is no folder. */
char **topology_list(void);
