/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hash-chain.h - the chains of hash.c: newest first, linked both ways, and possibly
 * of several buckets, of which each reads its own nodes only. */
#pragma once

#include <stddef.h>

#include "table/order.h"
#include "table/table-impl.h"

struct chain_index;

struct hash_node {
	struct order_link link; /* older, newer; the arrival under this key */
	uint32_t hash;
};

#define HASH_NODE_BYTES (2 * sizeof(void *)) /* an hlist_node */

struct hash_state {
	struct hash_node **buckets; /* null: all are in 'first' */
	struct hash_node *first;
	uint64_t arrivals;
	struct chain_index *index; /* null while all chains are short, or are walked */
};

enum { HASH_PARAM_BUCKETS }; /* and others, which are hash.c's */

/* Those of the parameter, unless the model has asked for others. */
static inline uint32_t
hash_buckets(const struct table *t)
{
	return t->buckets ? t->buckets : (uint32_t)table_param(t, HASH_PARAM_BUCKETS);
}

static inline uint32_t
hash_mask(const struct table *t)
{
	return hash_buckets(t) - 1;
}

static inline struct hash_node **
hash_head(struct hash_state *s, uint32_t bucket)
{
	return s->buckets ? &s->buckets[bucket] : &s->first;
}

/* The bucket is in its low bits, even where the kernel takes the high ones. */
static inline uint32_t
hash_of(const struct table *t, const struct key *k)
{
	uint32_t hash = table_hash(t, k), bits = (uint32_t)g_bit_storage(hash_mask(t));

	if (t->kind->spec->hashing != TABLE_HASH_HIGH_BITS || hash_buckets(t) == 1)
		return hash;
	return hash << bits | hash >> (32 - bits);
}

static inline struct hash_node *
hash_node_of(struct order_link *link)
{
	return (struct hash_node *)link;
}

static inline struct hash_node *
hash_older(const struct hash_node *n)
{
	return hash_node_of(n->link.prev);
}

static inline struct hash_node *
hash_newer(const struct hash_node *n)
{
	return hash_node_of(n->link.next);
}

/* The first of its bucket from 'n' on. */
static inline struct hash_node *
hash_in_bucket(struct hash_node *n, uint32_t bucket, uint32_t mask)
{
	while (n && (n->hash & mask) != bucket)
		n = hash_older(n);
	return n;
}

static inline void
hash_push(struct hash_node **first, struct hash_node *n)
{
	n->link.next = NULL;
	n->link.prev = *first ? &(*first)->link : NULL;
	if (*first)
		(*first)->link.next = &n->link;
	*first = n;
}

/* Out of the chain that begins with *first. */
static inline void
hash_take(struct hash_node **first, struct hash_node *n)
{
	if (hash_newer(n))
		hash_newer(n)->link.prev = n->link.prev;
	else
		*first = hash_older(n);
	if (hash_older(n))
		hash_older(n)->link.next = n->link.next;
}

/* The end of the chain from n on; both may be null. */
static inline struct hash_node *
hash_oldest(struct hash_node *n)
{
	while (n && hash_older(n))
		n = hash_older(n);
	return n;
}

/* hash-walk.c: operations of struct backend. */
void *hash_next(struct table *, struct cursor *);
void *hash_match(struct table *, const struct key *, const void *after);
