/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hash.c - hash table of a fixed number of buckets, chains newest first: the
 * kernel's hlist_head arrays (netdev names and indexes, IPv6 addresses, and until
 * 4.16 the forwarding database of a bridge).
 *
 * The modelled table has its bucket array from the start.  The simulated one
 * keeps few elements in one chain, in which the nodes of other buckets are
 * passed over uncounted, and makes the array when it gets longer: a hundred
 * thousand short tables take no hundred thousand arrays, and no table an array
 * that is out of proportion to it.
 *
 * When a chain has got long, a search asks chain-index.c for the place of the key
 * in its chain instead of walking there, and counts that many visits; the parameter
 * walk=literal walks. */
#include "backend.h"
#include "chain-index.h"
#include "hash-chain.h"
#include "table/table-impl.h"

enum { PARAM_WALK = HASH_PARAM_BUCKETS + 1 };
enum { ONE_CHAIN_MAX = 16, BUCKETS_PER_ELEMENT_MAX = 1024 };

static inline uint32_t
one_chain_max(const struct table *t)
{
	return MAX(ONE_CHAIN_MAX, hash_buckets(t) / BUCKETS_PER_ELEMENT_MAX);
}

/* How many nodes a search reads is the place of its hit, or the chain's length. */
static struct hash_node *
walk(const struct table *t, const struct key *k, uint32_t hash, uint32_t *visited)
{
	uint32_t mask = hash_mask(t), bucket = hash & mask, visits = 0;
	struct hash_node *n = *hash_head(table_state(t), bucket);

	for (; n; n = hash_older(n)) {
		if ((n->hash & mask) != bucket)
			continue;
		visits++;
		if (n->hash == hash && key_equal(table_key(t, table_elem(t, n)), k))
			break;
	}
	*visited = visits;
	return n;
}

static struct hash_node *
locate(const struct table *t, const struct key *k, uint32_t hash, uint32_t *visits)
{
	const struct hash_state *s = table_state(t);
	uint32_t bucket = hash & hash_mask(t), position;
	struct order_link *link;

	if (!s->index)
		return walk(t, k, hash, visits);
	*visits = chain_index_length(s->index, bucket);
	link = chain_index_find(s->index, t, k, bucket, &position);
	if (link)
		*visits -= position - 1;
	return hash_node_of(link);
}

static void
count_search(struct table *t, uint32_t visits)
{
	PROBE(t, hashes);
	PROBE_N(t, visits, visits);
	PROBE_N(t, compares, visits);
}

/* Both pointers of the node, the head, and what points back from the next. */
static void
link_first(struct table *t, struct hash_node *n, uint32_t hash)
{
	struct hash_state *s = table_state(t);
	uint32_t mask = hash_mask(t), bucket = hash & mask;
	struct hash_node **first = hash_head(s, bucket);

	PROBE_N(t, writes, hash_in_bucket(*first, bucket, mask) ? 4 : 3);
	n->hash = hash;
	n->link.seq = ++s->arrivals;
	hash_push(first, n);
	if (s->index)
		chain_index_append(s->index, t, bucket, &n->link);
}

static void
spread(struct table *t)
{
	struct hash_state *s = table_state(t);
	struct hash_node *n = hash_oldest(s->first);

	s->first = NULL;
	s->buckets = g_new0(struct hash_node *, hash_buckets(t));
	for (struct hash_node *next; n; n = next) {
		next = hash_newer(n);
		hash_push(hash_head(s, n->hash & hash_mask(t)), n);
	}
}

static void
make_index(struct table *t)
{
	struct hash_state *s = table_state(t);

	s->index = chain_index_new(hash_mask(t) + 1);
	for (uint32_t bucket = 0; bucket <= hash_mask(t); bucket++) {
		for (struct hash_node *n = hash_oldest(s->buckets[bucket]); n; n = hash_newer(n))
			chain_index_append(s->index, t, bucket, &n->link);
	}
}

static void *
hash_find(struct table *t, const struct key *k)
{
	uint32_t visits;
	struct hash_node *n = locate(t, k, hash_of(t, k), &visits);

	count_search(t, visits);
	return n ? table_elem(t, n) : NULL;
}

static void *
hash_add(struct table *t, const struct key *k, void *fresh, bool *created)
{
	struct hash_state *s = table_state(t);
	uint32_t hash = hash_of(t, k), visits = 0;
	struct hash_node *n = t->kind->spec->push ? NULL : locate(t, k, hash, &visits);

	count_search(t, visits);
	if (n)
		return table_elem(t, n);
	if (!fresh)
		fresh = table_elem_new(t, k);
	if (!s->buckets && t->count >= one_chain_max(t))
		spread(t);
	link_first(t, table_node(t, fresh), hash);
	if (visits >= CHAIN_INDEX_ABOVE && s->buckets && !s->index &&
	    table_param(t, PARAM_WALK) == CHAIN_WALK_COUNTED)
		make_index(t);
	*created = true;
	return fresh;
}

static void
hash_unlink(struct table *t, void *elem)
{
	struct hash_node *n = table_node(t, elem);
	struct hash_state *s = table_state(t);
	uint32_t mask = hash_mask(t), bucket = n->hash & mask;

	PROBE_N(t, writes, hash_in_bucket(hash_older(n), bucket, mask) ? 2 : 1);
	if (s->index)
		chain_index_remove(s->index, t, bucket, &n->link);
	hash_take(hash_head(s, bucket), n);
}

/* Into an array of the table's size. */
static void
move_chain(struct table *t, struct hash_node *n)
{
	struct hash_state *s = table_state(t);

	n = hash_oldest(n);
	for (struct hash_node *next; n; n = next) {
		struct hash_node **first = hash_head(s, n->hash & hash_mask(t));

		next = hash_newer(n);
		PROBE_N(t, writes, *first ? 4 : 3);
		hash_push(first, n);
	}
}

static void
push_again(struct table *t, void *const *elems)
{
	struct hash_state *s = table_state(t);

	for (uint32_t i = 0; i < t->count; i++) {
		struct hash_node *n = table_node(t, elems[i]);
		struct hash_node **first = hash_head(s, n->hash & hash_mask(t));

		PROBE_N(t, writes, *first ? 4 : 3);
		n->link.seq = ++s->arrivals;
		hash_push(first, n);
	}
}

/* Each one is hashed again and put at the head of its new chain: as 'elems' has them, or
 * the oldest first, so that chains keep their order. */
static void
hash_resize(struct table *t, uint32_t buckets, void *const *elems)
{
	struct hash_state *s = table_state(t);
	uint32_t old_buckets = hash_buckets(t);
	struct hash_node **old;

	g_assert(buckets > old_buckets && (buckets & (buckets - 1)) == 0);
	if (!s->buckets && s->first)
		spread(t);
	old = s->buckets;
	t->buckets = buckets;
	t->kind->backend_bytes += (uint64_t)(buckets - old_buckets) * sizeof *old;
	if (!old)
		return;
	s->buckets = g_new0(struct hash_node *, buckets);
	if (elems)
		push_again(t, elems);
	for (uint32_t bucket = 0; !elems && bucket < old_buckets; bucket++)
		move_chain(t, old[bucket]);
	g_free(old);
	PROBE_N(t, moves, t->count);
	PROBE_N(t, hashes, t->count);
	if (!s->index)
		return;
	chain_index_free(s->index);
	make_index(t);
}

static bool
hash_crowded(const struct table *t, const void *elem)
{
	const struct hash_node *n = table_node(t, elem);

	return hash_in_bucket(hash_older(n), n->hash & hash_mask(t), hash_mask(t)) != NULL;
}

static void
release_chain(struct table *t, struct hash_node *n)
{
	for (struct hash_node *next; n; n = next) {
		next = hash_older(n);
		table_elem_release(t, table_elem(t, n));
	}
}

static void
hash_clear(struct table *t)
{
	struct hash_state *s = table_state(t);

	release_chain(t, s->first);
	for (uint32_t bucket = 0; s->buckets && bucket <= hash_mask(t); bucket++)
		release_chain(t, s->buckets[bucket]);
	g_free(s->buckets);
	chain_index_free(s->index);
	*s = (struct hash_state){.first = NULL};
}

/* Not asked where the hash is of the subkey, too: all matches are in one chain.  It
 * has to be read to the end, because an element may have got its key late. */
static void *
hash_find_any(struct table *t, const struct key *k)
{
	uint32_t mask = hash_mask(t), bucket = hash_of(t, k) & mask;
	struct hash_node *n = hash_in_bucket(*hash_head(table_state(t), bucket), bucket, mask);
	uint32_t visits = 0;
	void *first = NULL;

	for (; n; n = hash_in_bucket(hash_older(n), bucket, mask)) {
		void *elem = table_elem(t, n);

		visits++;
		if (key_compare_addr(table_key(t, elem), k) == 0 &&
		    (!first || table_seq(t, elem) < table_seq(t, first)))
			first = elem;
	}
	count_search(t, visits);
	return first;
}

/* The element is no candidate, and not looked at where the search passes it. */
static bool
has_twin(struct table *t, const void *elem, const struct key *k, uint32_t hash)
{
	uint32_t own_hash = ((struct hash_node *)table_node(t, elem))->hash, own, visits;
	bool found = locate(t, k, hash, &visits) != NULL;

	if (((hash ^ own_hash) & hash_mask(t)) == 0) {
		locate(t, table_key(t, elem), own_hash, &own);
		visits -= own <= visits;
	}
	count_search(t, visits);
	return found;
}

/* Like unlink() and add(), but a refused change must not move the element
 * within its chain: a cursor would lose it. */
static bool
hash_rekey(struct table *t, void *elem, const struct key *k)
{
	uint32_t hash = hash_of(t, k);

	if (has_twin(t, elem, k, hash))
		return false;
	hash_unlink(t, elem);
	*table_key(t, elem) = *k;
	link_first(t, table_node(t, elem), hash);
	return true;
}

static size_t
hash_bytes(const struct table *t)
{
	return hash_buckets(t) * sizeof(void *);
}

static uint32_t
check_chain(const struct table *t, const struct hash_node *n)
{
	const struct hash_node *prev = NULL;
	uint32_t count = 0;

	for (; n; prev = n, n = hash_older(n)) {
		g_assert(hash_newer(n) == prev);
		g_assert(!prev || n->link.seq < prev->link.seq);
		g_assert(n->hash == hash_of(t, table_key(t, table_elem(t, n))));
		count++;
	}
	return count;
}

static uint32_t
check_bucket(const struct table *t, uint32_t bucket)
{
	const struct hash_state *s = table_state(t);
	const struct hash_node *first = s->buckets[bucket];

	for (const struct hash_node *n = first; n; n = hash_older(n))
		g_assert((n->hash & hash_mask(t)) == bucket);
	if (s->index)
		chain_index_check(s->index, t, bucket, first ? &first->link : NULL);
	return check_chain(t, first);
}

static void
hash_check(const struct table *t)
{
	const struct hash_state *s = table_state(t);
	uint32_t count = check_chain(t, s->first);

	g_assert(!s->buckets || !s->first);
	g_assert(s->buckets || (!s->index && count <= one_chain_max(t)));
	g_assert(!s->index || table_param(t, PARAM_WALK) == CHAIN_WALK_COUNTED);
	for (uint32_t bucket = 0; s->buckets && bucket <= hash_mask(t); bucket++)
		count += check_bucket(t, bucket);
	g_assert(count == t->count);
}

#define BUCKETS_PARAM                                                                              \
	{                                                                                          \
		.name = "buckets",                                                                 \
		.help = "how many; the kernel's netdev and IPv6 address tables have 256",          \
		.fallback = 256, .min = 1, .max = 1 << 20, .power_of_two = true,                   \
	}

BACKEND(hash) = {
	.name = "hash",
	.summary = "hash table of a fixed number of buckets, chains newest first",
	.properties = BACKEND_BY_HASH,
	.node_size = sizeof(struct hash_node),
	.node_bytes = HASH_NODE_BYTES,
	.state_size = sizeof(struct hash_state),
	.params = {[HASH_PARAM_BUCKETS] = BUCKETS_PARAM, [PARAM_WALK] = CHAIN_WALK_PARAM},
	.find = hash_find,
	.add = hash_add,
	.unlink = hash_unlink,
	.next = hash_next,
	.match = hash_match,
	.clear = hash_clear,
	.find_any = hash_find_any,
	.rekey = hash_rekey,
	.size = hash_buckets,
	.resize = hash_resize,
	.crowded = hash_crowded,
	.bytes = hash_bytes,
	.check = hash_check,
};
