/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table-impl.h - what table.c and the backends share, and nobody else sees.
 *
 * One block per element: the model's struct, then the backend's node, then an
 * order link where the table threads one (see order.h). */
#pragma once

#include "backend.h"
#include "table/order.h"
#include "table/table.h"

struct table_kind {
	const struct table_spec *spec;
	struct backend_choice choice;
	struct rcu *rcu;     /* null: free at once */
	uint64_t seed;       /* for hashing */
	size_t node_offset;  /* in an element's block */
	size_t order_offset; /* of the order link, ours or the backend's; 0: none */
	size_t block_size;
	size_t elem_bytes; /* of the block, what the modelled structure needs */
	bool ordered;      /* by the spec */
	bool threaded;     /* table.c keeps the order link */
	struct probes probes;
	uint64_t elements, tables;
	uint64_t backend_bytes; /* sum of the backend's bytes() over all tables */
};

static inline void *
table_state(const struct table *t)
{
	return (void *)t->state;
}

static inline uint64_t
table_param(const struct table *t, unsigned at)
{
	return t->kind->choice.param[at];
}

static inline void *
table_node(const struct table *t, const void *elem)
{
	return (char *)elem + t->kind->node_offset;
}

static inline void *
table_elem(const struct table *t, const void *node)
{
	return (char *)node - t->kind->node_offset;
}

static inline bool
table_is_sorted(const struct table *t)
{
	return t->kind->spec->order == TABLE_SORTED;
}

/* For next(), of a node that is soon returned or null: what the caller does with
 * other elements hides the way to this one. */
static inline void
table_prefetch(const struct table *t, const void *node)
{
	if (!node)
		return;
	__builtin_prefetch(node);
	__builtin_prefetch(table_elem(t, node));
}

static inline struct key *
table_key(const struct table *t, const void *elem)
{
	return (struct key *)((char *)elem + t->kind->spec->key_offset);
}

static inline struct order_link *
table_order_link(const struct table *t, const void *elem)
{
	return (struct order_link *)((char *)elem + t->kind->order_offset);
}

/* Rises with the order of arrival; of tables that have an order. */
static inline uint64_t
table_seq(const struct table *t, const void *elem)
{
	return table_order_link(t, elem)->seq;
}

/* How many elements ever left the table: while it stands still, whatever was
 * an element's memory still is one's. */
static inline uint64_t
table_removals(const struct table *t)
{
	return t->next_seq - t->count;
}

#define GOLDEN_RATIO_32 0x61C88647u /* include/linux/hash.h */

static inline uint32_t
table_hash(const struct table *t, const struct key *k)
{
	switch (t->kind->spec->hashing) {
	case TABLE_HASH_LOW_BITS:
		return (uint32_t)(key_word(k, 0) >> 32);
	case TABLE_HASH_HIGH_BITS:
		return (uint32_t)(key_word(k, 0) >> 32) * GOLDEN_RATIO_32;
	case TABLE_HASH_KEY:
		return key_hash(k, t->kind->seed);
	case TABLE_HASH_MIXED:
		break;
	}
	return key_hash_addr(k, t->kind->seed);
}

/* A fresh element with this key: what add() links when it finds none. */
void *table_elem_new(struct table *, const struct key *);

/* For clear(): the element is gone from the structure. */
void table_elem_release(struct table *, void *elem);
