/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge.h - bridge(8): the objects that it acts on. */
#pragma once

#include "iproute/ip.h"

#define EXIT_FAILED 255 /* bridge(8) returns -1 */

bool bridge_fdb_parse(struct args *, void *bridge, const struct keyword *);
bool bridge_link_parse(struct args *, void *bridge, const struct keyword *);
bool bridge_vlan_parse(struct args *, void *bridge, const struct keyword *);

/* bridge-fdb-show.c: the words after 'show', which is taken. */
bool bridge_fdb_show_parse(struct args *, void *bridge, const struct keyword *);
