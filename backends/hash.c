/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hash.c - hash table of a fixed number of buckets, chains newest first: the
 * kernel's hlist_head arrays (netdev names and indexes, IPv6 addresses).
 *
 * The modelled table has its bucket array from the start.  The simulated one
 * keeps few elements in one chain, in which the nodes of other buckets are
 * passed over uncounted, and makes the array when it gets longer: a hundred
 * thousand short tables take no hundred thousand arrays, and no table an array
 * that is out of proportion to it. */
#include "backend.h"
#include "table/table-impl.h"

struct hash_node {
	struct hash_node *next, *prev; /* older, newer */
	uint64_t arrival;              /* under this key; orders a chain */
	uint32_t hash;
};

#define HASH_NODE_BYTES (2 * sizeof(void *)) /* an hlist_node */

struct hash_state {
	struct hash_node **buckets; /* null: all are in 'first' */
	struct hash_node *first;
	uint64_t arrivals;
};

enum { ONE_CHAIN_MAX = 16, BUCKETS_PER_ELEMENT_MAX = 1024 };

static inline uint32_t
one_chain_max(const struct table *t)
{
	return MAX(ONE_CHAIN_MAX, (uint32_t)table_param(t, 0) / BUCKETS_PER_ELEMENT_MAX);
}

static inline uint32_t
bucket_mask(const struct table *t)
{
	return (uint32_t)table_param(t, 0) - 1;
}

static inline struct hash_node **
head(struct hash_state *s, uint32_t bucket)
{
	return s->buckets ? &s->buckets[bucket] : &s->first;
}

/* The first of its bucket from 'n' on. */
static struct hash_node *
in_bucket(struct hash_node *n, uint32_t bucket, uint32_t mask)
{
	while (n && (n->hash & mask) != bucket)
		n = n->next;
	return n;
}

/* Passes by 'but', which may be null: it is no candidate. */
static struct hash_node *
search_others(struct table *t, const struct key *k, uint32_t hash, const struct hash_node *but)
{
	uint32_t mask = bucket_mask(t), bucket = hash & mask;
	struct hash_node *n = *head(table_state(t), bucket);
	unsigned visits = 0;

	for (; n; n = n->next) {
		if ((n->hash & mask) != bucket || n == but)
			continue;
		visits++;
		if (n->hash == hash && key_equal(table_key(t, table_elem(t, n)), k))
			break;
	}
	PROBE(t, hashes);
	PROBE_N(t, visits, visits);
	PROBE_N(t, compares, visits);
	return n;
}

static struct hash_node *
search(struct table *t, const struct key *k, uint32_t hash)
{
	return search_others(t, k, hash, NULL);
}

static void
push(struct hash_node **first, struct hash_node *n)
{
	n->prev = NULL;
	n->next = *first;
	if (n->next)
		n->next->prev = n;
	*first = n;
}

/* Both pointers of the node, the head, and what points back from the next. */
static void
link_first(struct table *t, struct hash_node *n, uint32_t hash)
{
	struct hash_state *s = table_state(t);
	uint32_t mask = bucket_mask(t), bucket = hash & mask;
	struct hash_node **first = head(s, bucket);

	PROBE_N(t, writes, in_bucket(*first, bucket, mask) ? 4 : 3);
	n->hash = hash;
	n->arrival = ++s->arrivals;
	push(first, n);
}

static void
spread(struct table *t)
{
	struct hash_state *s = table_state(t);
	struct hash_node *n = s->first;

	while (n && n->next)
		n = n->next;
	s->first = NULL;
	s->buckets = g_new0(struct hash_node *, table_param(t, 0));
	for (struct hash_node *newer; n; n = newer) {
		newer = n->prev;
		push(head(s, n->hash & bucket_mask(t)), n);
	}
}

static void *
hash_find(struct table *t, const struct key *k)
{
	struct hash_node *n = search(t, k, table_hash(t, k));

	return n ? table_elem(t, n) : NULL;
}

static void *
hash_add(struct table *t, const struct key *k, void *fresh, bool *created)
{
	struct hash_state *s = table_state(t);
	uint32_t hash = table_hash(t, k);
	struct hash_node *n = search(t, k, hash);

	if (n)
		return table_elem(t, n);
	if (!fresh)
		fresh = table_elem_new(t, k);
	if (!s->buckets && t->count >= one_chain_max(t))
		spread(t);
	link_first(t, table_node(t, fresh), hash);
	*created = true;
	return fresh;
}

static void
hash_unlink(struct table *t, void *elem)
{
	struct hash_node *n = table_node(t, elem);
	uint32_t mask = bucket_mask(t), bucket = n->hash & mask;

	PROBE_N(t, writes, in_bucket(n->next, bucket, mask) ? 2 : 1);
	if (n->prev)
		n->prev->next = n->next;
	else
		*head(table_state(t), bucket) = n->next;
	if (n->next)
		n->next->prev = n->prev;
}

/* The words of a cursor: the place of the element returned last. */
enum { AT_BUCKET, AT_ARRIVAL };

/* The newest one in the bucket that arrived before 'arrival'. */
static struct hash_node *
next_in_bucket(struct hash_state *s, uint32_t bucket, uint32_t mask, uint64_t arrival)
{
	struct hash_node *n = in_bucket(*head(s, bucket), bucket, mask);

	while (n && n->arrival >= arrival)
		n = in_bucket(n->next, bucket, mask);
	return n;
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
	for (struct hash_node *n = s->first; n; n = n->next) {
		if ((n->hash & mask) >= bucket &&
		    (!lowest || (n->hash & mask) < (lowest->hash & mask)))
			lowest = n;
	}
	return lowest;
}

/* By bucket, newest first. */
static void *
hash_next(struct table *t, struct cursor *c)
{
	struct hash_state *s = table_state(t);
	uint32_t mask = bucket_mask(t), bucket = c->word[AT_BUCKET];
	struct hash_node *n;

	if (!c->started)
		n = next_bucket(s, 0, mask);
	else if (c->generation == t->generation)
		n = in_bucket(((struct hash_node *)c->hint)->next, bucket, mask);
	else
		n = next_in_bucket(s, bucket, mask, c->word[AT_ARRIVAL]);
	if (!n && c->started)
		n = next_bucket(s, bucket + 1, mask);
	if (!n)
		return NULL;
	c->hint = n;
	c->word[AT_BUCKET] = n->hash & mask;
	c->word[AT_ARRIVAL] = n->arrival;
	c->chain = n->hash & mask;
	return table_elem(t, n);
}

static void
release_chain(struct table *t, struct hash_node *n)
{
	for (struct hash_node *next; n; n = next) {
		next = n->next;
		table_elem_release(t, table_elem(t, n));
	}
}

static void
hash_clear(struct table *t)
{
	struct hash_state *s = table_state(t);

	release_chain(t, s->first);
	for (uint32_t bucket = 0; s->buckets && bucket <= bucket_mask(t); bucket++)
		release_chain(t, s->buckets[bucket]);
	g_free(s->buckets);
	*s = (struct hash_state){.first = NULL};
}

/* The hash is of the address only, so all matches are in one chain; it has to
 * be read to the end, because an element may have got its key late. */
static void *
hash_find_any(struct table *t, const struct key *k)
{
	uint32_t mask = bucket_mask(t), bucket = table_hash(t, k) & mask;
	struct hash_node *n = in_bucket(*head(table_state(t), bucket), bucket, mask);
	void *oldest = NULL;

	PROBE(t, hashes);
	for (; n; n = in_bucket(n->next, bucket, mask)) {
		void *elem = table_elem(t, n);

		PROBE(t, visits);
		PROBE(t, compares);
		if (key_compare_addr(table_key(t, elem), k) == 0 &&
		    (!oldest || table_seq(t, elem) < table_seq(t, oldest)))
			oldest = elem;
	}
	return oldest;
}

/* Like unlink() and add(), but a refused change must not move the element
 * within its chain: a cursor would lose it. */
static bool
hash_rekey(struct table *t, void *elem, const struct key *k)
{
	uint32_t hash = table_hash(t, k);

	if (search_others(t, k, hash, table_node(t, elem)))
		return false;
	hash_unlink(t, elem);
	*table_key(t, elem) = *k;
	link_first(t, table_node(t, elem), hash);
	return true;
}

static size_t
hash_bytes(const struct table *t)
{
	return table_param(t, 0) * sizeof(void *);
}

static uint32_t
check_chain(const struct table *t, const struct hash_node *n)
{
	const struct hash_node *prev = NULL;
	uint32_t count = 0;

	for (; n; prev = n, n = n->next) {
		g_assert(n->prev == prev);
		g_assert(!prev || n->arrival < prev->arrival);
		g_assert(n->hash == table_hash(t, table_key(t, table_elem(t, n))));
		count++;
	}
	return count;
}

static void
hash_check(const struct table *t)
{
	const struct hash_state *s = table_state(t);
	uint32_t mask = bucket_mask(t), count = check_chain(t, s->first);

	g_assert(!s->buckets || !s->first);
	g_assert(s->buckets || count <= one_chain_max(t));
	for (uint32_t bucket = 0; s->buckets && bucket <= mask; bucket++) {
		for (const struct hash_node *n = s->buckets[bucket]; n; n = n->next)
			g_assert((n->hash & mask) == bucket);
		count += check_chain(t, s->buckets[bucket]);
	}
	g_assert(count == t->count);
}

BACKEND(hash) = {
	.name = "hash",
	.summary = "hash table of a fixed number of buckets, chains newest first",
	.node_size = sizeof(struct hash_node),
	.node_bytes = HASH_NODE_BYTES,
	.state_size = sizeof(struct hash_state),
	.params = {{
		.name = "buckets",
		.help = "how many; the kernel's netdev and IPv6 address tables have 256",
		.fallback = 256,
		.min = 1,
		.max = 1 << 20,
		.power_of_two = true,
	}},
	.find = hash_find,
	.add = hash_add,
	.unlink = hash_unlink,
	.next = hash_next,
	.clear = hash_clear,
	.find_any = hash_find_any,
	.rekey = hash_rekey,
	.bytes = hash_bytes,
	.check = hash_check,
};
