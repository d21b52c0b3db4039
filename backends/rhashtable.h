/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rhashtable.h - the nodes of rhashtable.c, and where they are. */
#pragma once

#include "backend.h"
#include "table/table-impl.h"

struct rhashtable_node {
	struct rhashtable_node *next;
	uint64_t arrival; /* under this key: orders walks where numbers are equal */
	uint32_t number;
};

#define RHASHTABLE_NODE_BYTES sizeof(void *) /* an rhash_head */

struct rhashtable_state {
	struct rhashtable_node **buckets; /* null: empty */
	uint64_t arrivals;
	uint32_t size;  /* of them; a power of two, at least LEAST_SIZE */
	uint32_t shift; /* of a number: the bucket */
};

static inline uint32_t
rhashtable_reversed(uint32_t bits)
{
	bits = (bits & 0x55555555) << 1 | (bits >> 1 & 0x55555555);
	bits = (bits & 0x33333333) << 2 | (bits >> 2 & 0x33333333);
	bits = (bits & 0x0f0f0f0f) << 4 | (bits >> 4 & 0x0f0f0f0f);
	return GUINT32_SWAP_LE_BE(bits);
}

static inline uint32_t
rhashtable_number_of(struct table *t, const struct key *k)
{
	PROBE(t, hashes);
	return rhashtable_reversed(table_hash(t, k));
}

static inline struct rhashtable_node *
rhashtable_first_of(const struct rhashtable_state *s, uint32_t number)
{
	return s->buckets ? s->buckets[number >> s->shift] : NULL;
}

/* rhashtable-walk.c: operations of struct backend. */
void *rhashtable_next(struct table *, struct cursor *);
void *rhashtable_match(struct table *, const struct key *, const void *after);
