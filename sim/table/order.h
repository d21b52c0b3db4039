/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order.h - elements in the order in which they came.
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
	uint64_t seq;                   /* from 1, in order of arrival; never reused */
};

/* What the kernel's list_head needs; 'seq' is the simulator's. */
#define ORDER_LINK_BYTES (2 * sizeof(void *))

/* Return the number of links written, as list_add_tail() and list_del() would.
 * Unlinking leaves the link's own fields alone: a reader may stand on it. */
unsigned order_append(struct table *, struct order_link *);
unsigned order_unlink(struct table *, struct order_link *);

/* The link after the cursor's, oldest first or newest first; null at the end.
 * Keeps the promise of table_next() across any change, in O(1) unless other
 * elements than the cursor's own were removed since the last call. */
struct order_link *order_next(const struct table *, struct cursor *, bool newest_first);
