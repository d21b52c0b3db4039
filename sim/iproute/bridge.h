/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge.h - bridge(8): the objects that it acts on. */
#pragma once

#include <jansson.h>

#include "iproute/ip.h"

#define EXIT_FAILED 255 /* bridge(8) returns -1 */

bool bridge_fdb_parse(struct args *, void *bridge, const struct keyword *);
bool bridge_link_parse(struct args *, void *bridge, const struct keyword *);
bool bridge_vlan_parse(struct args *, void *bridge, const struct keyword *);

/* bridge-fdb-show.c: the words after 'show', which is taken. */
bool bridge_fdb_show_parse(struct args *, void *bridge, const struct keyword *);

/* show-fdb.c: an entry of a forwarding database, a line more of the process's output or a
 * member more of the array.  The names of links are those of the process's map. */
struct nlmsghdr;

struct fdb_listing {
	struct process *process;
	bool statistics;    /* -s: how long ago the entry was used, and changed */
	bool of_one_device; /* which is not named then */
	json_t *json;       /* null: lines */
};

void show_fdb_entry(const struct fdb_listing *, const struct nlmsghdr *);
