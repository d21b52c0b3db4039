/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rbtree-walk.c - the walks of rbtree.c: from key to key, and over the subkeys of one
 * address. */
#include "rbtree.h"

static struct rb_node *
first_after(const struct table *t, const struct key *k)
{
	struct rbtree_state *s = table_state(t);
	struct rb_node *n = s->root, *found = NULL;

	while (n) {
		bool greater = key_compare(key_of(t, n), k) > 0;

		if (greater)
			found = n;
		n = n->child[greater ? LEFT : RIGHT];
	}
	return found;
}

void *
rbtree_next(struct table *t, struct cursor *c)
{
	struct rbtree_state *s = table_state(t);
	struct rb_node *n;

	if (!c->started)
		n = outermost(s->root, LEFT);
	else if (c->generation == t->generation)
		n = successor(c->hint);
	else
		n = first_after(t, &c->after);
	if (!n)
		return NULL;
	c->hint = n;
	c->after = *key_of(t, n);
	return table_elem(t, n);
}

/* The subkeys of an address are neighbours: a subtree below the topmost of
 * them, cut off at both sides.  Each node on the way and in it is read once. */
static void
oldest_below(struct table *t, struct rb_node *n, const struct key *k, void **oldest)
{
	while (n) {
		void *elem = table_elem(t, n);
		int diff = key_compare_addr(k, table_key(t, elem));

		PROBE(t, visits);
		PROBE(t, compares);
		if (diff == 0) {
			if (!*oldest || table_seq(t, elem) < table_seq(t, *oldest))
				*oldest = elem;
			oldest_below(t, n->child[LEFT], k, oldest);
		}
		n = n->child[diff < 0 ? LEFT : RIGHT];
	}
}

void *
rbtree_find_any(struct table *t, const struct key *k)
{
	struct rbtree_state *s = table_state(t);
	void *oldest = NULL;

	oldest_below(t, s->root, k, &oldest);
	return oldest;
}

/* The least key with this address: the last one on the way down that is not below it. */
static struct rb_node *
first_of(struct table *t, const struct key *k)
{
	struct rbtree_state *s = table_state(t);
	struct rb_node *n = s->root, *found = NULL;
	unsigned visits = 0;

	while (n) {
		bool below = key_compare_addr(key_of(t, n), k) < 0;

		visits++;
		if (!below)
			found = n;
		n = n->child[below ? RIGHT : LEFT];
	}
	PROBE_N(t, visits, visits);
	PROBE_N(t, compares, visits);
	return found;
}

/* By rising subkey.  The first one was read on the way down. */
void *
rbtree_match(struct table *t, const struct key *k, const void *after)
{
	struct rb_node *n = after ? successor(table_node(t, after)) : first_of(t, k);

	if (after && n) {
		PROBE(t, visits);
		PROBE(t, compares);
	}
	return n && key_compare_addr(key_of(t, n), k) == 0 ? table_elem(t, n) : NULL;
}
