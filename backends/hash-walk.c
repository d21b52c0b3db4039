/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hash-walk.c - the walks of hash.c: of the whole table, bucket by bucket, and of
 * what one chain has of an address; newest first. */
#include "backend.h"
#include "hash-chain.h"

/* The words of a cursor: the place of the element returned last. */
enum { AT_BUCKET, AT_ARRIVAL, AT_REMOVALS };

/* The newest one in the bucket that arrived before 'arrival'. */
static struct hash_node *
next_in_bucket(struct hash_state *s, uint32_t bucket, uint32_t mask, uint64_t arrival)
{
	struct hash_node *n = hash_in_bucket(*hash_head(s, bucket), bucket, mask);

	while (n && n->link.seq >= arrival)
		n = hash_in_bucket(hash_older(n), bucket, mask);
	return n;
}

/* Additions leave what is behind an element alone.  Without removals its memory
 * still is an element's; its arrival tells whether that has moved. */
static bool
keeps_place(const struct table *t, const struct cursor *c)
{
	const struct hash_node *at = c->hint;

	return c->generation == t->generation ||
	       (c->word[AT_REMOVALS] == table_removals(t) && c->word[AT_ARRIVAL] == at->link.seq);
}

/* The lowest bucket from 'bucket' on that is not empty, by its newest. */
static struct hash_node *
next_bucket(struct hash_state *s, uint32_t bucket, uint32_t mask)
{
	struct hash_node *lowest = NULL;

	if (s->buckets) {
		while (bucket <= mask && !s->buckets[bucket])
			bucket++;
		return bucket <= mask ? s->buckets[bucket] : NULL;
	}
	for (struct hash_node *n = s->first; n; n = hash_older(n)) {
		if ((n->hash & mask) >= bucket &&
		    (!lowest || (n->hash & mask) < (lowest->hash & mask)))
			lowest = n;
	}
	return lowest;
}

/* By bucket, newest first. */
void *
hash_next(struct table *t, struct cursor *c)
{
	struct hash_state *s = table_state(t);
	uint32_t mask = hash_mask(t), bucket = c->word[AT_BUCKET];
	struct hash_node *n;

	if (!c->started)
		n = next_bucket(s, 0, mask);
	else if (keeps_place(t, c))
		n = hash_in_bucket(hash_older(c->hint), bucket, mask);
	else
		n = next_in_bucket(s, bucket, mask, c->word[AT_ARRIVAL]);
	if (!n && c->started)
		n = next_bucket(s, bucket + 1, mask);
	if (!n)
		return NULL;
	table_prefetch(t, hash_older(n));
	c->hint = n;
	c->word[AT_BUCKET] = n->hash & mask;
	c->word[AT_ARRIVAL] = n->link.seq;
	c->word[AT_REMOVALS] = table_removals(t);
	c->chain = n->hash & mask;
	return table_elem(t, n);
}

/* The nodes of other buckets that share a short table's chain are passed over. */
void *
hash_match(struct table *t, const struct key *k, const void *after)
{
	uint32_t mask = hash_mask(t), bucket = hash_of(t, k) & mask, visits = 0;
	struct hash_node *n =
		after ? hash_older(table_node(t, after)) : *hash_head(table_state(t), bucket);
	void *elem = NULL;

	for (; n && !elem; n = hash_older(n)) {
		if ((n->hash & mask) != bucket)
			continue;
		visits++;
		if (key_compare_addr(table_key(t, table_elem(t, n)), k) == 0)
			elem = table_elem(t, n);
	}
	PROBE_N(t, hashes, !after);
	PROBE_N(t, visits, visits);
	PROBE_N(t, compares, visits);
	return elem;
}
