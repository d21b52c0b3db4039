/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list-index.h - where in a long list a key is, without walking there.
 *
 * A list that finds its n-th element has read n nodes, one that finds nothing
 * has read all.  The index tells n in less time; it belongs to the simulator,
 * not to the modelled list, so it counts nothing and its memory is no list's.
 * It must be told of every change of the list it was made for. */
#pragma once

#include <stdint.h>

struct key;
struct list_index;
struct order_link;
struct table;

struct list_index *list_index_new(const struct table *); /* of all that is linked now */
void list_index_free(struct list_index *);               /* null is allowed */

/* The link with this key and its position, from 1; or null. */
struct order_link *list_index_find(struct list_index *, const struct table *, const struct key *,
				   uint32_t *position);

void list_index_append(struct list_index *, const struct table *, struct order_link *); /* linked */
void list_index_remove(struct list_index *, const struct table *,
		       struct order_link *); /* yet linked */

/* The link's key is still the old one and will be the given one. */
void list_index_rekey(struct list_index *, const struct table *, struct order_link *,
		      const struct key *);

void list_index_check(const struct list_index *, const struct table *);
