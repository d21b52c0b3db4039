/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe.h - what was done to a table, counted.
 *
 * A probe counts a fact: something the structure did.  It never depends on how
 * the simulator stores or finds things, only on how the modelled structure
 * would.  The first five and the last three are counted by table.c, the rest
 * by the backends.  How an interrupted iteration finds its place again is the
 * simulator's business and costs nothing: what the kernel pays for that is the
 * model's to say. */
#pragma once

#include <stdint.h>

#define PROBE_LIST(X)                                                                              \
	X(lookups, "searches by key: find, add, rekey")                                            \
	X(hits, "lookups that found their key")                                                    \
	X(misses, "lookups that did not")                                                          \
	X(inserts, "elements added")                                                               \
	X(removes, "elements removed")                                                             \
	X(visits, "nodes read by lookups, and by removals that have to search")                    \
	X(compares, "keys compared by lookups")                                                    \
	X(hashes, "hashes computed")                                                               \
	X(writes, "links written, but those that keep the order")                                  \
	X(rotations, "tree rotations")                                                             \
	X(moves, "elements moved by a change of size")                                             \
	X(scans, "nodes read because the backend has no such operation")                           \
	X(order_writes, "links written to keep the order of iteration")                            \
	X(walk_visits, "elements returned by iterations")

struct probes {
#define X(name, help) uint64_t name;
	PROBE_LIST(X)
#undef X
};

#define PROBE_N(t, what, n) ((void)((t)->kind->probes.what += (n)))
#define PROBE(t, what)      PROBE_N(t, what, 1)
