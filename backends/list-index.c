/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list-index.c - position of a key in a list: three parts, cheapest first.
 *
 * A finger remembers the last hit and its position: searches that proceed in
 * the order of the list, as those of the kernel's sync functions do, need no
 * more.  A hash (open addressing, linear probing, at most half full) finds the
 * link of any key.  A binary indexed tree over 'slots', which number the links
 * in order of arrival and leave gaps where some were removed, counts how many
 * are still there up to a link's own: its position. */
#include "list-index.h"

#include <string.h>

#include "table/table-impl.h"

struct entry {
	struct order_link *link; /* null: free */
	uint32_t hash;
	uint32_t slot; /* from 1 */
};

struct list_index {
	struct order_link *finger; /* null: before the first */
	uint32_t finger_position;  /* 0 then */
	uint32_t slots, max_slots; /* given out; a power of two */
	uint32_t mask;             /* entries - 1 */
	struct entry *entries;     /* twice max_slots */
	uint32_t *sums;            /* [1 .. max_slots], the binary indexed tree */
};

enum { MIN_SLOTS = 64 };

static uint32_t
hash_of(const struct key *k)
{
	return key_hash_addr(k, k->sub * UINT64_C(0x9e3779b97f4a7c15));
}

static const struct key *
key_of(const struct table *t, const struct order_link *link)
{
	return table_key(t, table_elem(t, link));
}

static void
add_at(struct list_index *x, uint32_t slot, uint32_t difference)
{
	for (; slot <= x->max_slots; slot += slot & -slot)
		x->sums[slot] += difference;
}

static uint32_t
sum_to(const struct list_index *x, uint32_t slot)
{
	uint32_t sum = 0;

	for (; slot > 0; slot &= slot - 1)
		sum += x->sums[slot];
	return sum;
}

static void
enter(struct list_index *x, struct order_link *link, uint32_t hash, uint32_t slot)
{
	uint32_t at = hash & x->mask;

	while (x->entries[at].link)
		at = (at + 1) & x->mask;
	x->entries[at] = (struct entry){.link = link, .hash = hash, .slot = slot};
}

/* Closes the gap, so that a search may end at the first free entry. */
static void
leave(struct list_index *x, uint32_t gap)
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
entry_of_link(const struct list_index *x, const struct table *t, const struct order_link *link)
{
	uint32_t at = hash_of(key_of(t, link)) & x->mask;

	while (x->entries[at].link != link) {
		g_assert(x->entries[at].link);
		at = (at + 1) & x->mask;
	}
	return &x->entries[at];
}

static struct entry *
entry_of_key(const struct list_index *x, const struct table *t, const struct key *k)
{
	uint32_t hash = hash_of(k), at = hash & x->mask;

	for (; x->entries[at].link; at = (at + 1) & x->mask) {
		struct entry *e = &x->entries[at];

		if (e->hash == hash && key_equal(key_of(t, e->link), k))
			return e;
	}
	return NULL;
}

static uint32_t
slots_for(uint32_t count)
{
	uint32_t slots = MIN_SLOTS;

	/* At least half as many again, so that the work of filling it is spread. */
	while (slots < count + count / 2)
		slots *= 2;
	return slots;
}

/* Numbers all links anew. */
static void
fill(struct list_index *x, const struct table *t, uint32_t count)
{
	x->max_slots = slots_for(count);
	x->mask = 2 * x->max_slots - 1;
	x->entries = g_new0(struct entry, 2 * (size_t)x->max_slots);
	x->sums = g_new0(uint32_t, (size_t)x->max_slots + 1);
	x->slots = 0;
	for (struct order_link *link = t->first; link; link = link->next) {
		enter(x, link, hash_of(key_of(t, link)), ++x->slots);
		add_at(x, x->slots, 1);
	}
}

static void
empty(struct list_index *x)
{
	g_free(x->entries);
	g_free(x->sums);
}

struct list_index *
list_index_new(const struct table *t)
{
	struct list_index *x = g_new0(struct list_index, 1);

	fill(x, t, t->count + 1);
	return x;
}

void
list_index_free(struct list_index *x)
{
	if (!x)
		return;
	empty(x);
	g_free(x);
}

struct order_link *
list_index_find(struct list_index *x, const struct table *t, const struct key *k,
		uint32_t *position)
{
	struct order_link *next = x->finger ? x->finger->next : t->first;
	const struct entry *e;

	if (next && key_equal(key_of(t, next), k)) {
		x->finger = next;
		*position = ++x->finger_position;
		return next;
	}
	e = entry_of_key(x, t, k);
	if (!e)
		return NULL;
	x->finger = e->link;
	*position = x->finger_position = sum_to(x, e->slot);
	return e->link;
}

void
list_index_append(struct list_index *x, const struct table *t, struct order_link *link)
{
	if (x->slots == x->max_slots) {
		empty(x);
		fill(x, t, t->count + 1);
		return;
	}
	enter(x, link, hash_of(key_of(t, link)), ++x->slots);
	add_at(x, x->slots, 1);
}

void
list_index_remove(struct list_index *x, const struct table *t, struct order_link *link)
{
	struct entry *e = entry_of_link(x, t, link);

	if (x->finger && link->seq <= x->finger->seq) {
		if (link == x->finger)
			x->finger = link->prev;
		x->finger_position--;
	}
	add_at(x, e->slot, -1u);
	leave(x, e - x->entries);
}

void
list_index_rekey(struct list_index *x, const struct table *t, struct order_link *link,
		 const struct key *k)
{
	struct entry *e = entry_of_link(x, t, link);
	uint32_t slot = e->slot;

	leave(x, e - x->entries);
	enter(x, link, hash_of(k), slot);
}

void
list_index_check(const struct list_index *x, const struct table *t)
{
	uint32_t position = 0, used = 0;

	if (!x->finger)
		g_assert(x->finger_position == 0);
	for (struct order_link *link = t->first; link; link = link->next) {
		const struct entry *e = entry_of_key(x, t, key_of(t, link));

		g_assert(e && e->link == link);
		g_assert(sum_to(x, e->slot) == ++position);
		g_assert(link != x->finger || x->finger_position == position);
	}
	for (uint32_t at = 0; at <= x->mask; at++)
		used += x->entries[at].link != NULL;
	g_assert(used == position && x->slots >= position && x->slots <= x->max_slots);
}
