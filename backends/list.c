/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.c - doubly linked list in order of insertion, searched from its oldest
 * element: what Linux keeps device addresses in, and until 5.15 searched them in.
 * Where elements are pushed (table.h) it is searched from its newest one, as the
 * kernel's lists are that grow at their head.
 *
 * The links are those of order.c.  A search of a long list asks chain-index.c
 * for the position of the key instead of walking there, and counts that many
 * visits; the parameter walk=literal walks.
 *
 * With an index goes a finger, which remembers the last hit: searches that proceed
 * in the order of the list, as those of the kernel's sync functions do, need no
 * more. */
#include "list.h"

#include "table/table-impl.h"

/* Where elements are pushed, the newest is the first one. */
static inline struct order_link *
first_link(const struct table *t)
{
	return t->kind->spec->push ? t->last : t->first;
}

static inline struct order_link *
link_behind(const struct table *t, const struct order_link *link)
{
	return t->kind->spec->push ? link->prev : link->next;
}

/* How many nodes a search reads is the position of its hit, or the length. */
static struct order_link *
walk(const struct table *t, const struct key *k, uint32_t *visited)
{
	struct order_link *link = first_link(t);
	uint32_t visits = 0;

	for (; link; link = link_behind(t, link)) {
		visits++;
		if (key_equal(table_key(t, table_elem(t, link)), k))
			break;
	}
	*visited = visits;
	return link;
}

static struct order_link *
locate_from_newest(const struct table *t, const struct key *k, uint32_t *visits)
{
	const struct list_state *s = table_state(t);
	uint32_t position = 1;
	struct order_link *link = chain_index_find(s->index, t, k, 0, &position);

	*visits = t->count + 1 - position;
	return link;
}

static struct order_link *
locate(const struct table *t, const struct key *k, uint32_t *visits)
{
	struct list_state *s = table_state(t);
	struct order_link *link = s->finger ? s->finger->next : t->first;

	if (!s->index)
		return walk(t, k, visits);
	if (t->kind->spec->push)
		return locate_from_newest(t, k, visits);
	if (link && key_equal(table_key(t, table_elem(t, link)), k)) {
		*visits = s->finger_position + 1;
	} else {
		*visits = t->count;
		link = chain_index_find(s->index, t, k, 0, visits);
	}
	if (link) {
		s->finger = link;
		s->finger_position = *visits;
	}
	return link;
}

static void
count_visits(struct table *t, uint32_t visits)
{
	PROBE_N(t, visits, visits);
	PROBE_N(t, compares, visits);
}

static struct order_link *
search(struct table *t, const struct key *k)
{
	uint32_t visits;
	struct order_link *link = locate(t, k, &visits);

	count_visits(t, visits);
	return link;
}

void *
list_find(struct table *t, const struct key *k)
{
	struct order_link *link = search(t, k);

	return link ? table_elem(t, link) : NULL;
}

/* Rare enough in the kernel to be walked always. */
void *
list_find_any(struct table *t, const struct key *k)
{
	struct order_link *link = t->first;
	uint32_t visits = 0;
	void *elem = NULL;

	for (; link && !elem; link = link->next) {
		visits++;
		if (key_compare_addr(table_key(t, table_elem(t, link)), k) == 0)
			elem = table_elem(t, link);
	}
	count_visits(t, visits);
	return elem;
}

static void
append(struct table *t, struct order_link *link)
{
	struct list_state *s = table_state(t);

	PROBE_N(t, writes, order_append(t, link));
	if (!s->index) {
		if (t->count < CHAIN_INDEX_ABOVE || table_param(t, 0) != CHAIN_WALK_COUNTED)
			return;
		s->index = chain_index_new(1);
		link = t->first;
	}
	for (; link; link = link->next)
		chain_index_append(s->index, t, 0, link);
}

void *
list_add(struct table *t, const struct key *k, void *fresh, bool *created)
{
	struct order_link *link = t->kind->spec->push ? NULL : search(t, k);

	if (link)
		return table_elem(t, link);
	if (!fresh)
		fresh = table_elem_new(t, k);
	append(t, table_node(t, fresh));
	*created = true;
	return fresh;
}

/* A sorted list is walked always: positions in it are not those of arrival. */
void
list_insert(struct table *t, void *fresh)
{
	unsigned writes;

	PROBE_N(t, visits, order_insert(t, table_node(t, fresh), &writes));
	PROBE_N(t, writes, writes);
}

static void
lift_finger(struct list_state *s, const struct order_link *link)
{
	if (!s->finger || link->seq > s->finger->seq)
		return;
	if (link == s->finger)
		s->finger = link->prev;
	s->finger_position--;
}

void
list_unlink(struct table *t, void *elem)
{
	struct list_state *s = table_state(t);
	struct order_link *link = table_node(t, elem);

	if (s->index) {
		lift_finger(s, link);
		chain_index_remove(s->index, t, 0, link);
	}
	PROBE_N(t, writes, order_unlink(t, link));
}

void *
list_match(struct table *t, const struct key *k, const void *after)
{
	struct order_link *link = after ? link_behind(t, table_node(t, after)) : first_link(t);
	uint32_t visits = 0;
	void *elem = NULL;

	for (; link && !elem; link = link_behind(t, link)) {
		visits++;
		if (key_compare_addr(table_key(t, table_elem(t, link)), k) == 0)
			elem = table_elem(t, link);
	}
	count_visits(t, visits);
	return elem;
}

/* As it is searched, whatever the order of the spec. */
void *
list_next(struct table *t, struct cursor *c)
{
	struct order_link *link = order_next(t, c, t->kind->spec->push);

	return link ? table_elem(t, link) : NULL;
}

void
list_clear(struct table *t)
{
	struct list_state *s = table_state(t);

	for (struct order_link *link = t->first, *next; link; link = next) {
		next = link->next;
		table_elem_release(t, table_elem(t, link));
	}
	chain_index_free(s->index);
	*s = (struct list_state){.index = NULL};
}

/* The element is no candidate, and not looked at where the search passes it. */
static bool
has_twin(struct table *t, const void *elem, const struct key *k)
{
	uint32_t own, visits;
	bool found = locate(t, k, &visits) != NULL;

	locate(t, table_key(t, elem), &own);
	count_visits(t, visits - (own <= visits));
	return found;
}

bool
list_rekey(struct table *t, void *elem, const struct key *k)
{
	struct list_state *s = table_state(t);

	if (has_twin(t, elem, k))
		return false;
	if (s->index)
		chain_index_rekey(s->index, t, table_node(t, elem), k);
	*table_key(t, elem) = *k;
	return true;
}

static void
check_finger(const struct table *t, const struct list_state *s)
{
	const struct order_link *link = t->first;

	if (!s->finger)
		g_assert(s->finger_position == 0);
	for (uint32_t position = 1; s->finger && position < s->finger_position; position++)
		link = link->next;
	g_assert(!s->finger || link == s->finger);
}

/* table.c has checked the links. */
void
list_check(const struct table *t)
{
	const struct list_state *s = table_state(t);
	bool literal = table_param(t, 0) == CHAIN_WALK_LITERAL;

	g_assert(!s->index || !literal);
	g_assert(s->index ||
		 (!s->finger && (literal || table_is_sorted(t) || t->count <= CHAIN_INDEX_ABOVE)));
	check_finger(t, s);
	if (s->index)
		chain_index_check(s->index, t, 0, t->last);
}

BACKEND(list) = {
	.name = "list",
	.summary = "doubly linked list, oldest first; readers and writer exclude each other",
	.properties = BACKEND_INSERT_ORDER,
	LIST_OPERATIONS,
};
