/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rhashtable-walk.c - the walks of rhashtable.c: of the whole table, by number, and of
 * what one chain has of an address, newest first. */
#include "rhashtable.h"

/* Nodes rank by number, then by arrival; the words of a cursor are the rank of
 * the one returned last. */
enum { AT_NUMBER, AT_ARRIVAL };

static bool
ranks_after(const struct rhashtable_node *n, uint64_t number, uint64_t arrival)
{
	return n->number > number || (n->number == number && n->arrival > arrival);
}

/* The lowest one of a chain that ranks after these. */
static struct rhashtable_node *
next_in_chain(struct rhashtable_node *n, uint64_t number, uint64_t arrival)
{
	struct rhashtable_node *lowest = NULL;

	for (; n; n = n->next) {
		if (ranks_after(n, number, arrival) &&
		    (!lowest || ranks_after(lowest, n->number, n->arrival)))
			lowest = n;
	}
	return lowest;
}

/* Reading so many buckets ahead hides most of the way to an element. */
enum { AHEAD = 8 };

void *
rhashtable_next(struct table *t, struct cursor *c)
{
	const struct rhashtable_state *s = table_state(t);
	uint64_t number = 0, arrival = 0; /* the first arrival is 1 */
	struct rhashtable_node *n = NULL;
	uint32_t bucket;

	if (!s->buckets)
		return NULL;
	if (c->started) {
		number = c->word[AT_NUMBER];
		arrival = c->word[AT_ARRIVAL];
	}
	for (bucket = number >> s->shift; bucket < s->size; bucket++) {
		n = next_in_chain(s->buckets[bucket], number, arrival);
		if (n)
			break;
		if (bucket + AHEAD < s->size)
			table_prefetch(t, s->buckets[bucket + AHEAD]);
	}
	if (!n)
		return NULL;
	c->word[AT_NUMBER] = n->number;
	c->word[AT_ARRIVAL] = n->arrival;
	c->chain = bucket;
	return table_elem(t, n);
}

/* A table that shrank has put chains before each other, but those of one address never
 * were apart. */
void *
rhashtable_match(struct table *t, const struct key *k, const void *after)
{
	const struct rhashtable_node *n = after ? table_node(t, after) : NULL;
	uint32_t visits = 0;
	void *elem = NULL;

	n = n ? n->next : rhashtable_first_of(table_state(t), rhashtable_number_of(t, k));
	for (; n && !elem; n = n->next) {
		visits++;
		if (key_compare_addr(table_key(t, table_elem(t, n)), k) == 0)
			elem = table_elem(t, n);
	}
	PROBE_N(t, visits, visits);
	PROBE_N(t, compares, visits);
	return elem;
}
