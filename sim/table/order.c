/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order.c - elements in the order in which they came: the links of order.h.
 *
 * A cursor remembers the number (seq) of the link it returned last, which is
 * never used again, so its place is defined whatever happens to that link.
 * Finding the place is a walk from the near end; two shortcuts avoid it in
 * all walks that do not remove other elements. */
#include "table/order.h"

#include "table/table-impl.h"

/* As many as list_add_tail() and __list_del() write in a circular list. */
enum { APPEND_WRITES = 4, UNLINK_WRITES = 2 };

/* The words of a cursor. */
enum { AT_SEQ, AT_REMOVALS };

unsigned
order_append(struct table *t, struct order_link *link)
{
	link->seq = ++t->next_seq;
	link->prev = t->last;
	link->next = NULL;
	if (t->last)
		t->last->next = link;
	else
		t->first = link;
	t->last = link;
	if (!t->gap_next)
		t->gap_next = link;
	return APPEND_WRITES;
}

void
order_rank(struct table *t, struct order_link *link, unsigned rank)
{
	link->seq = (uint64_t)rank << ORDER_RANK_SHIFT | (ORDER_ARRIVAL_MASK - ++t->next_seq);
}

/* A walk that stands in the gap must meet it, if it is farther on. */
unsigned
order_insert(struct table *t, struct order_link *link, unsigned *writes)
{
	struct order_link *at = t->first;
	unsigned read = 0;

	for (; at; at = at->next) {
		read++;
		if (at->seq > link->seq)
			break;
	}
	link->next = at;
	link->prev = at ? at->prev : t->last;
	*(link->prev ? &link->prev->next : &t->first) = link;
	*(at ? &at->prev : &t->last) = link;
	if (t->gap_next == at && link->seq > t->gap_seq)
		t->gap_next = link;
	*writes = APPEND_WRITES;
	return read;
}

unsigned
order_unlink(struct table *t, struct order_link *link)
{
	if (link->prev)
		link->prev->next = link->next;
	else
		t->first = link->next;
	if (link->next)
		link->next->prev = link->prev;
	else
		t->last = link->prev;
	t->gap_seq = link->seq;
	t->gap_next = link->next;
	return UNLINK_WRITES;
}

static struct order_link *
first_after(const struct table *t, uint64_t seq)
{
	struct order_link *link = t->first;

	while (link && link->seq <= seq)
		link = link->next;
	return link;
}

static struct order_link *
last_before(const struct table *t, uint64_t seq)
{
	struct order_link *link = t->last;

	while (link && link->seq >= seq)
		link = link->prev;
	return link;
}

static struct order_link *
newer(const struct table *t, const struct cursor *c)
{
	const struct order_link *at = c->hint;

	if (!c->started)
		return t->first;
	if (c->word[AT_SEQ] == t->gap_seq)
		return t->gap_next;
	if (c->word[AT_REMOVALS] == table_removals(t))
		return at->next;
	return first_after(t, c->word[AT_SEQ]);
}

static struct order_link *
older(const struct table *t, const struct cursor *c)
{
	const struct order_link *at = c->hint;

	if (!c->started)
		return t->last;
	if (c->word[AT_SEQ] == t->gap_seq)
		return t->gap_next ? t->gap_next->prev : t->last;
	if (c->word[AT_REMOVALS] == table_removals(t))
		return at->prev;
	return last_before(t, c->word[AT_SEQ]);
}

struct order_link *
order_next(const struct table *t, struct cursor *c, bool newest_first)
{
	struct order_link *link = newest_first ? older(t, c) : newer(t, c);

	if (link) {
		c->hint = link;
		c->word[AT_SEQ] = link->seq;
		c->word[AT_REMOVALS] = table_removals(t);
	}
	return link;
}
