/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chain-index.h - where in long chains a key is, without walking there: for list,
 * which is one chain, and hash, which has many.
 *
 * A search that finds the n-th element of a chain has read n nodes, one that finds
 * nothing has read all.  The index tells n in less time; it belongs to the
 * simulator, not to the modelled structure, so it counts nothing and its memory
 * is in no result.  It must be told of every change of the chains. */
#pragma once

#include <stdint.h>

struct chain_index;
struct key;
struct order_link;
struct table;

/* Up to here a walk is as fast as an index, and takes no memory. */
enum { CHAIN_INDEX_ABOVE = 16 };

/* What walk=counted and walk=literal say. */
enum chain_walk { CHAIN_WALK_COUNTED, CHAIN_WALK_LITERAL };
extern const char *const chain_walk_words[];

#define CHAIN_WALK_PARAM                                                                           \
	{                                                                                          \
		.name = "walk",                                                                    \
		.help = "count the nodes read by arithmetic, or by reading them: same counts",     \
		.fallback = CHAIN_WALK_COUNTED, .max = CHAIN_WALK_LITERAL,                         \
		.words = chain_walk_words,                                                         \
	}

struct chain_index *chain_index_new(uint32_t chains); /* all of them empty */
void chain_index_free(struct chain_index *);          /* null is allowed */

uint32_t chain_index_length(const struct chain_index *, uint32_t chain);

/* The link with this key, which is in no other chain than the given one, and its
 * position from the chain's oldest, which is 1; or null. */
struct order_link *chain_index_find(const struct chain_index *, const struct table *,
				    const struct key *, uint32_t chain, uint32_t *position);

/* The link is the newest of its chain; 'prev' leads from it to the older ones,
 * all of which are known. */
void chain_index_append(struct chain_index *, const struct table *, uint32_t chain,
			struct order_link *);

/* The link still has the key that it is known by. */
void chain_index_remove(struct chain_index *, const struct table *, uint32_t chain,
			struct order_link *);

/* The same; it will have the given key, and keeps its place. */
void chain_index_rekey(struct chain_index *, const struct table *, struct order_link *,
		       const struct key *);

/* Asserts that the chain is the one that begins, or ends, with 'newest'. */
void chain_index_check(const struct chain_index *, const struct table *, uint32_t chain,
		       const struct order_link *newest);
