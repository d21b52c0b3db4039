/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.h - the operations that list and rcu-list share: they differ in what
 * they promise to readers, and in nothing that is counted. */
#pragma once

#include "backend.h"
#include "chain-index.h"
#include "table/order.h"

struct list_state {
	struct chain_index *index; /* null while the list is short, or is walked */
	struct order_link *finger; /* null: before the first */
	uint32_t finger_position;  /* 0 then */
};

void *list_find(struct table *, const struct key *);
void *list_find_any(struct table *, const struct key *);
void *list_add(struct table *, const struct key *, void *fresh, bool *created);
void list_insert(struct table *, void *fresh);
void list_unlink(struct table *, void *elem);
void *list_next(struct table *, struct cursor *);
void *list_match(struct table *, const struct key *, const void *after);
void list_clear(struct table *);
bool list_rekey(struct table *, void *elem, const struct key *);
void list_check(const struct table *);

#define LIST_OPERATIONS                                                                            \
	.node_size = sizeof(struct order_link), .node_bytes = ORDER_LINK_BYTES,                    \
	.state_size = sizeof(struct list_state), .params = {CHAIN_WALK_PARAM}, .find = list_find,  \
	.add = list_add, .unlink = list_unlink, .next = list_next, .match = list_match,            \
	.clear = list_clear, .find_any = list_find_any, .insert = list_insert,                     \
	.rekey = list_rekey, .check = list_check
