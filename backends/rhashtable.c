/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rhashtable.c - hash table that doubles above three quarters of load and shrinks
 * below three tenths, new elements at the head of their chain: what the kernel's
 * lib/rhashtable.c counts (the forwarding database of a bridge since 4.17).
 *
 * The kernel leaves a change of size to a worker, which runs as soon as it can;
 * here it is part of the operation that crosses the limit, so that no count
 * depends on time.  The kernel hashes with another salt after each change; here
 * one salt serves for a table's life, and the bucket is the top bits of a number:
 * a bucket of twice as many is half of a bucket, so that a walk by ascending
 * number passes bucket by bucket, and keeps its place whatever the size becomes.
 * The number is the hash with its bits reversed, so these are its low bits. */
#include "rhashtable.h"

enum { PARAM_BUCKETS, PARAM_MIN, PARAM_MAX, PARAM_SHRINK };
enum { SHRINK_ON, SHRINK_OFF };
static const char *const shrink_words[] = {[SHRINK_ON] = "on", [SHRINK_OFF] = "off", NULL};

enum { LEAST_SIZE = 4, MOVE_WRITES = 3, INSERT_WRITES = 2, REMOVE_WRITES = 1 };

/* Of a table that has no elements yet, or none any more. */
static uint32_t
first_size(const struct table *t)
{
	uint64_t size = MAX(table_param(t, PARAM_BUCKETS), table_param(t, PARAM_MIN));

	return MIN(size, table_param(t, PARAM_MAX));
}

/* Passes by 'but', which may be null: it is no candidate. */
static struct rhashtable_node *
search_others(struct table *t, const struct key *k, uint32_t number,
	      const struct rhashtable_node *but)
{
	struct rhashtable_node *n = rhashtable_first_of(table_state(t), number);
	uint32_t visits = 0;

	for (; n; n = n->next) {
		if (n == but)
			continue;
		visits++;
		if (n->number == number && key_equal(table_key(t, table_elem(t, n)), k))
			break;
	}
	PROBE_N(t, visits, visits);
	PROBE_N(t, compares, visits);
	return n;
}

static void
set_size(struct rhashtable_state *s, uint32_t size)
{
	s->size = size;
	s->shift = 32 - g_bit_nth_lsf(size, -1);
	s->buckets = g_new0(struct rhashtable_node *, size);
}

static void
push(struct rhashtable_state *s, struct rhashtable_node *n)
{
	struct rhashtable_node **first = &s->buckets[n->number >> s->shift];

	n->next = *first;
	*first = n;
}

/* The last one of a chain first: where one becomes two, both keep its order. */
static uint32_t
move_chain(struct rhashtable_state *s, struct rhashtable_node *n)
{
	struct rhashtable_node *last = NULL, *next;
	uint32_t moved = 0;

	for (; n; n = next) {
		next = n->next;
		n->next = last;
		last = n;
	}
	for (; last; last = next, moved++) {
		next = last->next;
		push(s, last);
	}
	return moved;
}

/* Each one is hashed again, taken from the one before it, and put at the head. */
static void
resize(struct table *t, uint32_t size)
{
	struct rhashtable_state *s = table_state(t);
	struct rhashtable_node **old = s->buckets;
	uint32_t old_size = s->size, moved = 0;

	set_size(s, size);
	for (uint32_t bucket = 0; bucket < old_size; bucket++)
		moved += move_chain(s, old[bucket]);
	PROBE_N(t, moves, moved);
	PROBE_N(t, hashes, moved);
	PROBE_N(t, writes, (uint64_t)moved * MOVE_WRITES);
	t->kind->backend_bytes += ((uint64_t)size - old_size) * sizeof *s->buckets;
	g_free(old);
}

static void
maybe_grow(struct table *t, uint32_t count)
{
	const struct rhashtable_state *s = table_state(t);

	if (count > s->size / 4 * 3 && s->size < table_param(t, PARAM_MAX))
		resize(t, 2 * s->size);
}

/* To the least size that is above one and a half times the elements. */
static void
maybe_shrink(struct table *t, uint32_t count)
{
	const struct rhashtable_state *s = table_state(t);
	uint32_t least = table_param(t, PARAM_MIN), size = LEAST_SIZE;

	if (count == 0 || count >= (uint64_t)s->size * 3 / 10 ||
	    table_param(t, PARAM_SHRINK) == SHRINK_OFF)
		return;
	while (size < least || size < (uint64_t)count * 3 / 2)
		size *= 2;
	if (size < s->size)
		resize(t, size);
}

static void
link_first(struct table *t, struct rhashtable_node *n, uint32_t number)
{
	struct rhashtable_state *s = table_state(t);

	n->number = number;
	n->arrival = ++s->arrivals;
	push(s, n);
	PROBE_N(t, writes, INSERT_WRITES);
}

/* A node knows only the next one, so the one before it has to be found. */
static void
unlink_node(struct table *t, struct rhashtable_node *n)
{
	struct rhashtable_state *s = table_state(t);
	struct rhashtable_node **at = &s->buckets[n->number >> s->shift];
	uint32_t visits = 1;

	for (; *at != n; at = &(*at)->next)
		visits++;
	*at = n->next;
	PROBE(t, hashes);
	PROBE_N(t, visits, visits);
	PROBE_N(t, writes, REMOVE_WRITES);
}

static void *
rhashtable_find(struct table *t, const struct key *k)
{
	struct rhashtable_node *n = search_others(t, k, rhashtable_number_of(t, k), NULL);

	return n ? table_elem(t, n) : NULL;
}

static void *
rhashtable_add(struct table *t, const struct key *k, void *fresh, bool *created)
{
	struct rhashtable_state *s = table_state(t);
	uint32_t number = rhashtable_number_of(t, k);
	struct rhashtable_node *n = search_others(t, k, number, NULL);

	if (n)
		return table_elem(t, n);
	if (!fresh)
		fresh = table_elem_new(t, k);
	if (!s->buckets)
		set_size(s, first_size(t));
	link_first(t, table_node(t, fresh), number);
	maybe_grow(t, t->count + 1);
	*created = true;
	return fresh;
}

static void
rhashtable_unlink(struct table *t, void *elem)
{
	unlink_node(t, table_node(t, elem));
	maybe_shrink(t, t->count - 1);
}

static void
rhashtable_clear(struct table *t)
{
	struct rhashtable_state *s = table_state(t);

	if (!s->buckets)
		return;
	for (uint32_t bucket = 0; bucket < s->size; bucket++) {
		for (struct rhashtable_node *n = s->buckets[bucket], *next; n; n = next) {
			next = n->next;
			table_elem_release(t, table_elem(t, n));
		}
	}
	t->kind->backend_bytes += ((uint64_t)first_size(t) - s->size) * sizeof *s->buckets;
	g_free(s->buckets);
	*s = (struct rhashtable_state){.buckets = NULL};
}

/* As in hash.c: one chain has all subkeys of an address, in no useful order. */
static void *
rhashtable_find_any(struct table *t, const struct key *k)
{
	struct rhashtable_node *n = rhashtable_first_of(table_state(t), rhashtable_number_of(t, k));
	void *oldest = NULL;
	uint32_t visits = 0;

	for (; n; n = n->next) {
		void *elem = table_elem(t, n);

		visits++;
		if (key_compare_addr(table_key(t, elem), k) == 0 &&
		    (!oldest || table_seq(t, elem) < table_seq(t, oldest)))
			oldest = elem;
	}
	PROBE_N(t, visits, visits);
	PROBE_N(t, compares, visits);
	return oldest;
}

/* Out and in again, if nothing speaks against it. */
static bool
rhashtable_rekey(struct table *t, void *elem, const struct key *k)
{
	struct rhashtable_node *n = table_node(t, elem);
	uint32_t number = rhashtable_number_of(t, k);

	if (search_others(t, k, number, n))
		return false;
	unlink_node(t, n);
	*table_key(t, elem) = *k;
	link_first(t, n, number);
	return true;
}

static size_t
rhashtable_bytes(const struct table *t)
{
	const struct rhashtable_state *s = table_state(t);

	return (s->buckets ? s->size : first_size(t)) * sizeof *s->buckets;
}

static void
rhashtable_check(const struct table *t)
{
	const struct rhashtable_state *s = table_state(t);
	uint32_t count = 0;

	for (uint32_t bucket = 0; bucket < s->size; bucket++) {
		for (const struct rhashtable_node *n = s->buckets[bucket]; n; n = n->next) {
			const struct key *k = table_key(t, table_elem(t, n));

			g_assert(n->number >> s->shift == bucket);
			g_assert(n->number == rhashtable_reversed(table_hash(t, k)));
			g_assert(n->arrival > 0 && n->arrival <= s->arrivals);
			count++;
		}
	}
	g_assert(count == t->count && (count > 0) == (s->buckets != NULL));
	g_assert(s->size <= table_param(t, PARAM_MAX));
	g_assert(count <= s->size / 4 * 3 || s->size == table_param(t, PARAM_MAX));
}

#define SIZE_PARAM(name_, help_, fallback_, max_)                                                  \
	{                                                                                          \
		.name = name_, .help = help_, .fallback = fallback_, .min = LEAST_SIZE,            \
		.max = max_, .power_of_two = true,                                                 \
	}
#define SHRINK_PARAM                                                                               \
	{                                                                                          \
		.name = "shrink", .help = "when few are left: automatic_shrinking",                \
		.fallback = SHRINK_ON, .max = SHRINK_OFF, .words = shrink_words,                   \
	}

BACKEND(rhashtable) = {
	.name = "rhashtable",
	.summary = "hash table that grows and shrinks with its elements; RCU readers",
	.properties = BACKEND_RCU_READERS | BACKEND_BY_HASH,
	.node_size = sizeof(struct rhashtable_node),
	.node_bytes = RHASHTABLE_NODE_BYTES,
	.state_size = sizeof(struct rhashtable_state),
	.params = {[PARAM_BUCKETS] = SIZE_PARAM("buckets", "how many at the start", 64, 1 << 16),
		   [PARAM_MIN] = SIZE_PARAM("min", "never fewer", LEAST_SIZE, 1 << 16),
		   [PARAM_MAX] = SIZE_PARAM("max", "never more", 1 << 28, 1 << 28),
		   [PARAM_SHRINK] = SHRINK_PARAM},
	.find = rhashtable_find,
	.add = rhashtable_add,
	.unlink = rhashtable_unlink,
	.next = rhashtable_next,
	.match = rhashtable_match,
	.clear = rhashtable_clear,
	.find_any = rhashtable_find_any,
	.rekey = rhashtable_rekey,
	.bytes = rhashtable_bytes,
	.check = rhashtable_check,
};
