/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fdb-walk.h - what rtnl-fdb-dump.c and the fill functions need of fdb-walk.c. */
#pragma once

#include "net/rtnl-fdb-dump.h"

/* A walk by cursors begins with another device: what was kept of the last one is
 * of no use. */
void fdb_walk_forget(struct fdb_dump *);
