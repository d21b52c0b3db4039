/* SPDX-License-Identifier: GPL-2.0-or-later */
/* model.c - see model.h.  Compares by memcmp(), not with what it tests. */
#include "model.h"

#include <glib.h>
#include <string.h>

struct model_item *
model_find(struct model *m, const struct key *k)
{
	for (unsigned i = 0; i < m->count; i++) {
		const struct key *other = &m->items[i].key;

		if (memcmp(other->addr, k->addr, k->len) == 0 &&
		    (k->sub == KEY_ANY || k->sub == other->sub))
			return &m->items[i];
	}
	return NULL;
}

struct model_item *
model_find_id(struct model *m, uint64_t id)
{
	for (unsigned i = 0; i < m->count; i++) {
		if (m->items[i].id == id)
			return &m->items[i];
	}
	return NULL;
}

struct model_item *
model_add(struct model *m, const struct key *k, void *elem)
{
	struct model_item *item = &m->items[m->count++];

	g_assert(m->last_id < MODEL_MAX);
	*item = (struct model_item){.key = *k, .id = ++m->last_id, .elem = elem};
	m->generation++;
	return item;
}

struct model_item *
model_insert(struct model *m, const struct key *k, void *elem, unsigned rank)
{
	struct model_item item = *model_add(m, k, elem);
	unsigned at = 0;

	while (at < m->count - 1 && m->items[at].rank < rank)
		at++;
	memmove(&m->items[at + 1], &m->items[at], (m->count - 1 - at) * sizeof item);
	item.rank = rank;
	m->items[at] = item;
	return &m->items[at];
}

void
model_remove(struct model *m, struct model_item *item)
{
	struct model_item *end = m->items + m->count;

	memmove(item, item + 1, (end - item - 1) * sizeof *item);
	m->count--;
	m->generation++;
}

void
model_clear(struct model *m)
{
	m->generation += m->count > 0;
	m->count = 0;
}

void
model_rekey(struct model *m, struct model_item *item, const struct key *k)
{
	item->key = *k;
	m->generation++;
}

void
model_arrive(struct model *m, const unsigned order[])
{
	struct model_item *items = g_memdup2(m->items, m->count * sizeof *items);

	for (unsigned i = 0; i < m->count; i++) {
		m->items[i] = items[order[i]];
		m->items[i].id = ++m->last_id;
	}
	g_assert(m->last_id < MODEL_MAX);
	m->generation++;
	g_free(items);
}
