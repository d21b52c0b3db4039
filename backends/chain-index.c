/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chain-index.c - position of a key in its chain: two parts.
 *
 * A hash over the keys of all chains (open addressing, linear probing) finds the
 * link of any key.  For each chain a binary indexed tree over 'slots', which number
 * its links in order of arrival and leave gaps where some were removed, counts how
 * many are still there up to a link's own: its position. */
#include "chain-index.h"

#include <string.h>

#include "table/table-impl.h"

struct entry {
	struct order_link *link; /* null: free */
	uint32_t hash;
	uint32_t slot; /* from 1 */
};

struct chain {
	uint32_t *sums;       /* [1 .. room], the binary indexed tree */
	uint32_t slots, room; /* given out; 0 or a power of two */
	uint32_t length;      /* slots without gaps */
};

struct chain_index {
	struct entry *entries;
	uint32_t mask; /* how many there is room for, less one */
	uint32_t used;
	uint32_t chain_count;
	struct chain chains[];
};

enum { MIN_ENTRIES = 64, MIN_ROOM = 8 };

const char *const chain_walk_words[] = {
	[CHAIN_WALK_COUNTED] = "counted", [CHAIN_WALK_LITERAL] = "literal", NULL};

static uint32_t
hash_of(const struct key *k)
{
	return key_hash(k, 0);
}

static const struct key *
key_of(const struct table *t, const struct order_link *link)
{
	return table_key(t, table_elem(t, link));
}

/* The hash */

static void
enter(struct chain_index *x, struct entry e)
{
	uint32_t at = e.hash & x->mask;

	while (x->entries[at].link)
		at = (at + 1) & x->mask;
	x->entries[at] = e;
}

/* Closes the gap, so that a search may end at the first free entry. */
static void
leave(struct chain_index *x, uint32_t gap)
{
	uint32_t at = gap;

	for (;;) {
		uint32_t home;

		at = (at + 1) & x->mask;
		if (!x->entries[at].link)
			break;
		home = x->entries[at].hash & x->mask;
		if (((at - home) & x->mask) >= ((at - gap) & x->mask)) {
			x->entries[gap] = x->entries[at];
			gap = at;
		}
	}
	x->entries[gap].link = NULL;
}

static struct entry *
entry_of_link(const struct chain_index *x, const struct table *t, const struct order_link *link)
{
	uint32_t at = hash_of(key_of(t, link)) & x->mask;

	while (x->entries[at].link != link) {
		g_assert(x->entries[at].link);
		at = (at + 1) & x->mask;
	}
	return &x->entries[at];
}

static const struct entry *
entry_of_key(const struct chain_index *x, const struct table *t, const struct key *k)
{
	uint32_t hash = hash_of(k), at = hash & x->mask;

	for (; x->entries[at].link; at = (at + 1) & x->mask) {
		const struct entry *e = &x->entries[at];

		if (e->hash == hash && key_equal(key_of(t, e->link), k))
			return e;
	}
	return NULL;
}

/* At most three quarters are used: misses of linear probing read some eight. */
static void
make_room_for_entry(struct chain_index *x)
{
	struct entry *old = x->entries;
	uint32_t old_mask = x->mask;

	if (x->used < old_mask - old_mask / 4)
		return;
	x->mask = 2 * old_mask + 1;
	x->entries = g_new0(struct entry, (size_t)x->mask + 1);
	for (uint32_t at = 0; at <= old_mask; at++) {
		if (old[at].link)
			enter(x, old[at]);
	}
	g_free(old);
}

/* The trees */

static void
add_at(struct chain *c, uint32_t slot, uint32_t difference)
{
	for (; slot <= c->room; slot += slot & -slot)
		c->sums[slot] += difference;
}

static uint32_t
sum_to(const struct chain *c, uint32_t slot)
{
	uint32_t sum = 0;

	for (; slot > 0; slot &= slot - 1)
		sum += c->sums[slot];
	return sum;
}

/* Only the new last one of the sums has any of the old slots below it. */
static void
widen(struct chain *c)
{
	uint32_t old = c->room;

	c->room = old > 0 ? 2 * old : MIN_ROOM;
	c->sums = g_renew(uint32_t, c->sums, (size_t)c->room + 1);
	memset(c->sums + old + 1, 0, (c->room - old) * sizeof *c->sums);
	if (old > 0)
		c->sums[c->room] = c->sums[old];
}

/* Closes the gaps. */
static void
renumber(const struct chain_index *x, const struct table *t, struct chain *c,
	 const struct order_link *newest)
{
	memset(c->sums, 0, ((size_t)c->room + 1) * sizeof *c->sums);
	c->slots = c->length;
	for (uint32_t slot = c->length; slot > 0; slot--, newest = newest->prev) {
		entry_of_link(x, t, newest)->slot = slot;
		add_at(c, slot, 1);
	}
}

/* Half of the slots are free then, so that the work is spread. */
static void
make_room_for_slot(const struct chain_index *x, const struct table *t, struct chain *c,
		   const struct order_link *newest)
{
	if (c->slots < c->room)
		return;
	if (c->length > c->room / 2 || c->room == 0)
		widen(c);
	else
		renumber(x, t, c, newest);
}

/* Both */

struct chain_index *
chain_index_new(uint32_t chains)
{
	struct chain_index *x = g_malloc0(sizeof *x + chains * sizeof x->chains[0]);

	x->chain_count = chains;
	x->mask = MIN_ENTRIES - 1;
	x->entries = g_new0(struct entry, MIN_ENTRIES);
	return x;
}

void
chain_index_free(struct chain_index *x)
{
	if (!x)
		return;
	for (uint32_t i = 0; i < x->chain_count; i++)
		g_free(x->chains[i].sums);
	g_free(x->entries);
	g_free(x);
}

uint32_t
chain_index_length(const struct chain_index *x, uint32_t chain)
{
	return x->chains[chain].length;
}

struct order_link *
chain_index_find(const struct chain_index *x, const struct table *t, const struct key *k,
		 uint32_t chain, uint32_t *position)
{
	const struct entry *e = entry_of_key(x, t, k);

	if (!e)
		return NULL;
	*position = sum_to(&x->chains[chain], e->slot);
	return e->link;
}

void
chain_index_append(struct chain_index *x, const struct table *t, uint32_t chain,
		   struct order_link *link)
{
	struct chain *c = &x->chains[chain];

	make_room_for_slot(x, t, c, link->prev);
	make_room_for_entry(x);
	c->slots++;
	c->length++;
	x->used++;
	add_at(c, c->slots, 1);
	enter(x, (struct entry){.link = link, .hash = hash_of(key_of(t, link)), .slot = c->slots});
}

void
chain_index_remove(struct chain_index *x, const struct table *t, uint32_t chain,
		   struct order_link *link)
{
	struct entry *e = entry_of_link(x, t, link);
	struct chain *c = &x->chains[chain];

	add_at(c, e->slot, -1u);
	leave(x, e - x->entries);
	c->length--;
	x->used--;
}

void
chain_index_rekey(struct chain_index *x, const struct table *t, struct order_link *link,
		  const struct key *k)
{
	struct entry *e = entry_of_link(x, t, link), changed = *e;

	changed.hash = hash_of(k);
	leave(x, e - x->entries);
	enter(x, changed);
}

void
chain_index_check(const struct chain_index *x, const struct table *t, uint32_t chain,
		  const struct order_link *newest)
{
	const struct chain *c = &x->chains[chain];
	uint32_t left = c->length, used = 0;

	g_assert(c->length <= c->slots && c->slots <= c->room);
	for (; newest; newest = newest->prev) {
		const struct entry *e = entry_of_key(x, t, key_of(t, newest));

		g_assert(e && e->link == newest);
		g_assert(sum_to(c, e->slot) == left--);
	}
	g_assert(left == 0);
	for (uint32_t at = 0; at <= x->mask; at++)
		used += x->entries[at].link != NULL;
	g_assert(used == x->used);
}
