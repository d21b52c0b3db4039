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
	struct rcu *rcu;       /* null: free at once */
	uint64_t seed;         /* for hashing */
	size_t node_offset;    /* in an element's block */
	size_t order_offset;   /* of the order link; 0: none, or the backend's own */
	size_t block_size;
	bool threaded;         /* table.c keeps the order link */
	struct probes probes;
	uint64_t elements, tables;
	uint64_t backend_bytes; /* kept by backends whose memory varies */
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

static inline struct key *
table_key(const struct table *t, const void *elem)
{
	return (struct key *)((char *)elem + t->kind->spec->key_offset);
}

static inline uint32_t
table_hash(const struct table *t, const struct key *k)
{
	if (t->kind->spec->hashing == TABLE_HASH_LOW_BITS)
		return (uint32_t)(key_word(k, 0) >> 32);
	return key_hash_addr(k, t->kind->seed);
}

/* A fresh element with this key: what add() links when it finds none. */
void *table_elem_new(struct table *, const struct key *);

/* For clear(): the element is gone from the structure. */
void table_elem_release(struct table *, void *elem);
