/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order.h - elements in the order in which they came, or sorted by rank.
 *
 * A backend that keeps insertion order anyway (list) uses this link as its
 * node; for the others table.c threads one through each element when the
 * table's spec asks for an order, and counts the writes as order_writes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct table;
struct cursor;

struct order_link {
	struct order_link *prev, *next; /* older, newer; null at the ends */
	uint64_t seq;                   /* from 1, rises along the list; never reused */
};

/* Of a TABLE_SORTED table 'seq' has the rank above these bits, and below it, counted
 * down from the greatest number, which element it was to come. */
#define ORDER_RANK_SHIFT   48
#define ORDER_ARRIVAL_MASK ((UINT64_C(1) << ORDER_RANK_SHIFT) - 1)

/* What the kernel's list_head needs; 'seq' is the simulator's. */
#define ORDER_LINK_BYTES (2 * sizeof(void *))

/* Return the number of links written, as list_add_tail() and list_del() would.
 * Unlinking leaves the link's own fields alone: a reader may stand on it. */
unsigned order_append(struct table *, struct order_link *);
unsigned order_unlink(struct table *, struct order_link *);

/* Of a TABLE_SORTED table: decides the link's place, and puts it there.  Returns how
 * many links were read to find it, the one that ended the search included. */
void order_rank(struct table *, struct order_link *, unsigned rank);
unsigned order_insert(struct table *, struct order_link *, unsigned *writes);

/* The link after the cursor's, oldest first or newest first; null at the end.
 * Keeps the promise of table_next() across any change, in O(1) unless other
 * elements than the cursor's own were removed since the last call. */
struct order_link *order_next(const struct table *, struct cursor *, bool newest_first);
