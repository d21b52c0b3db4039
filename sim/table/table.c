/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.c - the one seam between the models (table.h) and the data structures
 * (backend.h): allocation of elements, order, cursors, and the counts that do
 * not depend on the structure. */
#include "table/table.h"

#include <glib.h>

#include "engine/rcu.h"
#include "table/table-impl.h"

static size_t
aligned(size_t size)
{
	return (size + sizeof(uint64_t) - 1) & ~(sizeof(uint64_t) - 1);
}

static void
check_backend(const struct backend *b)
{
	g_assert(b->find && b->add && b->unlink && b->next && b->match && b->clear);
	g_assert(!b->resize == !b->size && !b->resize == !b->crowded);
	g_assert(b->node_bytes <= b->node_size);
	g_assert(b->state_size <= BACKEND_STATE_SIZE);
	g_assert((b->rekey && b->insert) || !(b->properties & BACKEND_INSERT_ORDER));
}

static void
lay_out(struct table_kind *kind)
{
	const struct backend *b = kind->choice.backend;
	bool own_order = b->properties & BACKEND_INSERT_ORDER;

	kind->ordered = kind->spec->order != TABLE_UNORDERED;
	kind->threaded = kind->ordered && !own_order;
	kind->node_offset = aligned(kind->spec->elem_size);
	kind->block_size = kind->node_offset + aligned(b->node_size);
	kind->elem_bytes = kind->spec->elem_size + b->node_bytes;
	if (own_order)
		kind->order_offset = kind->node_offset;
	if (kind->threaded) {
		kind->order_offset = kind->block_size;
		kind->block_size += sizeof(struct order_link);
		kind->elem_bytes += ORDER_LINK_BYTES;
	}
}

struct table_kind *
table_kind_new(const struct table_spec *spec, const struct backend_choice *choice, struct rcu *rcu,
	       uint64_t seed)
{
	struct table_kind *kind = g_new0(struct table_kind, 1);

	kind->spec = spec;
	kind->rcu = rcu;
	kind->seed = seed;
	if (choice) {
		kind->choice = *choice;
	} else {
		bool valid = backend_parse(spec->backend, &kind->choice, NULL);

		g_assert(valid);
	}
	check_backend(kind->choice.backend);
	lay_out(kind);
	return kind;
}

void
table_kind_free(struct table_kind *kind)
{
	if (!kind)
		return;
	g_assert(kind->tables == 0 && kind->elements == 0 && kind->backend_bytes == 0);
	g_free(kind);
}

const struct backend_choice *
table_kind_choice(const struct table_kind *kind)
{
	return &kind->choice;
}

const struct probes *
table_kind_probes(const struct table_kind *kind)
{
	return &kind->probes;
}

uint64_t
table_kind_elements(const struct table_kind *kind)
{
	return kind->elements;
}

uint64_t
table_kind_bytes(const struct table_kind *kind)
{
	return kind->elements * kind->elem_bytes + kind->backend_bytes;
}

static inline const struct backend *
backend_of(const struct table *t)
{
	return t->kind->choice.backend;
}

void
table_init(struct table *t, struct table_kind *kind)
{
	*t = (struct table){.kind = kind};
	kind->tables++;
	if (backend_of(t)->bytes)
		kind->backend_bytes += backend_of(t)->bytes(t);
}

void
table_fini(struct table *t)
{
	table_clear(t);
	if (backend_of(t)->bytes)
		t->kind->backend_bytes -= backend_of(t)->bytes(t);
	t->kind->tables--;
	*t = (struct table){.kind = NULL};
}

bool
table_rcu_readers(const struct table *t)
{
	return backend_of(t)->properties & BACKEND_RCU_READERS;
}

void *
table_elem_new(struct table *t, const struct key *k)
{
	void *elem = g_malloc0(t->kind->block_size);

	*table_key(t, elem) = *k;
	return elem;
}

void
table_elem_release(struct table *t, void *elem)
{
	if (t->kind->rcu && (table_rcu_readers(t) || t->kind->spec->kfree_rcu))
		rcu_defer(t->kind->rcu, elem, t->kind->block_size, NULL);
	else
		g_free(elem);
}

static void
count_lookup(struct table *t, bool hit)
{
	PROBE(t, lookups);
	if (hit)
		PROBE(t, hits);
	else
		PROBE(t, misses);
}

/* For what can't be searched by address alone. */
static void *
scan_any(struct table *t, const struct key *k)
{
	for (struct order_link *link = t->first; link; link = link->next) {
		void *elem = (char *)link - t->kind->order_offset;

		PROBE(t, scans);
		if (key_compare_addr(table_key(t, elem), k) == 0)
			return elem;
	}
	return NULL;
}

static void *
find_any(struct table *t, const struct key *k)
{
	const struct backend *b = backend_of(t);
	bool scattered =
		b->properties & BACKEND_BY_HASH && t->kind->spec->hashing == TABLE_HASH_KEY;

	g_assert(t->kind->ordered);
	return b->find_any && !scattered ? b->find_any(t, k) : scan_any(t, k);
}

void *
table_find(struct table *t, const struct key *k)
{
	void *elem = k->sub == KEY_ANY ? find_any(t, k) : backend_of(t)->find(t, k);

	count_lookup(t, elem != NULL);
	return elem;
}

void *
table_match(struct table *t, const struct key *k, const void *after)
{
	void *elem = backend_of(t)->match(t, k, after);

	g_assert(t->kind->spec->hashing != TABLE_HASH_KEY);
	if (!after)
		count_lookup(t, elem != NULL);
	return elem;
}

uint32_t
table_buckets(const struct table *t)
{
	return backend_of(t)->size ? backend_of(t)->size(t) : 0;
}

void
table_resize(struct table *t, uint32_t buckets)
{
	table_rebuild(t, buckets, NULL);
}

void
table_rebuild(struct table *t, uint32_t buckets, void *const *elems)
{
	if (buckets <= table_buckets(t) || !backend_of(t)->resize)
		return;
	backend_of(t)->resize(t, buckets, elems);
	t->generation++;
}

bool
table_crowded(const struct table *t, const void *elem)
{
	return backend_of(t)->crowded && backend_of(t)->crowded(t, elem);
}

static void
thread(struct table *t, void *elem)
{
	struct order_link *link = table_order_link(t, elem);
	unsigned writes;

	if (table_is_sorted(t))
		PROBE_N(t, scans, order_insert(t, link, &writes));
	else
		writes = order_append(t, link);
	PROBE_N(t, order_writes, writes);
}

static void
note_arrival(struct table *t, void *elem)
{
	if (t->kind->threaded)
		thread(t, elem);
	else if (!(backend_of(t)->properties & BACKEND_INSERT_ORDER))
		t->next_seq++;
	PROBE(t, inserts);
	t->count++;
	t->kind->elements++;
	t->generation++;
}

void *
table_add(struct table *t, const struct key *k, bool *created)
{
	bool fresh = false;
	void *elem;

	g_assert(k->sub != KEY_ANY && !table_is_sorted(t));
	elem = backend_of(t)->add(t, k, NULL, &fresh);
	g_assert(fresh || !t->kind->spec->push);
	if (!t->kind->spec->push)
		count_lookup(t, !fresh);
	if (fresh)
		note_arrival(t, elem);
	if (created)
		*created = fresh;
	return elem;
}

void *
table_insert(struct table *t, const struct key *k, unsigned rank)
{
	void *elem = table_elem_new(t, k);
	bool fresh = false;

	g_assert(table_is_sorted(t) && rank < TABLE_RANKS && k->sub != KEY_ANY);
	order_rank(t, table_order_link(t, elem), rank);
	if (backend_of(t)->insert) {
		backend_of(t)->insert(t, elem);
	} else {
		backend_of(t)->add(t, k, elem, &fresh);
		g_assert(fresh);
	}
	note_arrival(t, elem);
	return elem;
}

void
table_remove(struct table *t, void *elem)
{
	g_assert(t->count > 0);
	backend_of(t)->unlink(t, elem);
	if (t->kind->threaded)
		PROBE_N(t, order_writes, order_unlink(t, table_order_link(t, elem)));
	PROBE(t, removes);
	t->count--;
	t->kind->elements--;
	t->generation++;
	table_elem_release(t, elem);
	if (t->count == 0)
		backend_of(t)->clear(t);
}

void
table_clear(struct table *t)
{
	if (t->count == 0)
		return;
	backend_of(t)->clear(t);
	PROBE_N(t, removes, t->count);
	t->kind->elements -= t->count;
	t->count = 0;
	t->first = t->last = t->gap_next = NULL;
	t->gap_seq = 0;
	t->generation++;
}

/* As the kernel changes a key in a tree: out, and in again under the new one. */
static bool
relink(struct table *t, void *elem, const struct key *k)
{
	struct key old = *table_key(t, elem);
	bool linked = false;

	backend_of(t)->unlink(t, elem);
	*table_key(t, elem) = *k;
	backend_of(t)->add(t, k, elem, &linked);
	if (!linked) {
		bool back = false;

		*table_key(t, elem) = old;
		backend_of(t)->add(t, &old, elem, &back);
		g_assert(back);
	}
	return linked;
}

bool
table_rekey(struct table *t, void *elem, const struct key *k)
{
	bool changed;

	g_assert(k->sub != KEY_ANY);
	if (key_equal(table_key(t, elem), k))
		return true;
	if (backend_of(t)->rekey)
		changed = backend_of(t)->rekey(t, elem, k);
	else
		changed = relink(t, elem, k);
	count_lookup(t, !changed);
	t->generation += changed;
	return changed;
}

static void *
next_in_order(struct table *t, struct cursor *c)
{
	bool newest_first = t->kind->spec->order == TABLE_NEWEST_FIRST;
	struct order_link *link = order_next(t, c, newest_first);

	return link ? (char *)link - t->kind->order_offset : NULL;
}

static inline void
begin_step(const struct table *t, struct cursor *c)
{
	if (c->started && c->generation != t->generation)
		c->interrupted = true;
}

static inline void *
end_step(const struct table *t, struct cursor *c, void *elem)
{
	c->started |= elem != NULL;
	c->generation = t->generation;
	return elem;
}

static inline void *
step_own(struct table *t, struct cursor *c)
{
	begin_step(t, c);
	return end_step(t, c, backend_of(t)->next(t, c));
}

static inline void *
step(struct table *t, struct cursor *c)
{
	if (!t->kind->ordered)
		return step_own(t, c);
	begin_step(t, c);
	return end_step(t, c, next_in_order(t, c));
}

void *
table_peek(struct table *t, struct cursor *c)
{
	return step(t, c);
}

void *
table_next(struct table *t, struct cursor *c)
{
	void *elem = step(t, c);

	PROBE_N(t, walk_visits, elem != NULL);
	return elem;
}

void *
table_next_own(struct table *t, struct cursor *c)
{
	void *elem = step_own(t, c);

	PROBE_N(t, walk_visits, elem != NULL);
	return elem;
}

void
table_leave_chain(struct table *t, struct cursor *c)
{
	struct cursor ahead = *c;

	while (step_own(t, &ahead) && ahead.chain == c->chain)
		*c = ahead;
}

void
table_count_walk(struct table *t, uint64_t n)
{
	PROBE_N(t, walk_visits, n);
}

uint64_t
table_arrival(const struct table *t, const void *elem)
{
	g_assert(t->kind->ordered);
	return table_is_sorted(t) ? ORDER_ARRIVAL_MASK - (table_seq(t, elem) & ORDER_ARRIVAL_MASK)
				  : table_seq(t, elem);
}

uint64_t
table_arrivals(const struct table *t)
{
	return t->next_seq;
}

static void
check_order(const struct table *t)
{
	const struct order_link *prev = NULL, *after_gap = NULL;
	uint32_t count = 0;

	for (const struct order_link *link = t->first; link; prev = link, link = link->next) {
		g_assert(link->prev == prev);
		g_assert(link->seq > (prev ? prev->seq : 0));
		g_assert(table_is_sorted(t) || link->seq <= t->next_seq);
		if (!after_gap && link->seq > t->gap_seq)
			after_gap = link;
		count++;
	}
	g_assert(t->last == prev);
	g_assert(t->count == count);
	g_assert(t->gap_seq == 0 || t->gap_next == after_gap);
}

void
table_check(const struct table *t)
{
	g_assert(t->kind->elements >= t->count);
	g_assert(t->next_seq >= t->count);
	for (size_t i = 0; i < G_N_ELEMENTS(t->state); i++)
		g_assert(t->count > 0 || t->state[i] == 0);
	if (t->kind->order_offset)
		check_order(t);
	if (backend_of(t)->check)
		backend_of(t)->check(t);
}
