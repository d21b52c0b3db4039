/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rbtree.c - red-black tree by address, then subkey: the textbook's (Cormen,
 * Leiserson, Rivest, Stein, 3rd edition, chapter 13), which replaces a node of
 * two children by its successor.
 *
 * Linux's lib/rbtree.c keeps the same rules, so its trees have the same shape
 * after the same operations, and searches read as many nodes. */
#include "rbtree.h"

static inline bool
is_red(const struct rb_node *n)
{
	return n && n->red;
}

/* key_compare() for a descent: 'word' is the first one of 'k', read once, and
 * mostly decides. */
static inline int
compare(const struct key *k, uint64_t word, const struct key *other)
{
	uint64_t first = key_word(other, 0);

	if (word != first)
		return word < first ? -1 : 1;
	return key_compare(k, other);
}

/* Where a search ended: at the node with the key, or at the place for it. */
struct place {
	struct rb_node *node, *parent;
	int side;
};

static struct place
descend(struct table *t, const struct key *k)
{
	struct rbtree_state *s = table_state(t);
	uint64_t word = key_word(k, 0);
	struct place p = {.node = s->root};
	unsigned visits = 0;

	while (p.node) {
		int diff = compare(k, word, key_of(t, p.node));

		visits++;
		if (diff == 0)
			break;
		p.parent = p.node;
		p.side = diff > 0;
		p.node = p.node->child[p.side];
	}
	PROBE_N(t, visits, visits);
	PROBE_N(t, compares, visits);
	return p;
}

static struct rb_node **
slot(struct table *t, struct rb_node *parent, int side)
{
	struct rbtree_state *s = table_state(t);

	return parent ? &parent->child[side] : &s->root;
}

static struct rb_node **
slot_of(struct table *t, const struct rb_node *n)
{
	return slot(t, n->parent, n->parent && n == n->parent->child[RIGHT]);
}

/* Links 'n', which may be null, below 'parent'. */
static void
attach(struct table *t, struct rb_node **at, struct rb_node *parent, struct rb_node *n)
{
	*at = n;
	PROBE(t, writes);
	if (n) {
		n->parent = parent;
		PROBE(t, writes);
	}
}

/* 'n' goes down to 'side', its other child takes its place. */
static void
rotate(struct table *t, struct rb_node *n, int side)
{
	struct rb_node *up = n->child[!side];

	attach(t, &n->child[!side], n, up->child[side]);
	attach(t, slot_of(t, n), n->parent, up);
	attach(t, &up->child[side], up, n);
	PROBE(t, rotations);
}

static void
fix_insert(struct table *t, struct rb_node *n)
{
	struct rbtree_state *s = table_state(t);

	while (is_red(n->parent)) {
		struct rb_node *parent = n->parent, *grand = parent->parent;
		int side = parent == grand->child[RIGHT];
		struct rb_node *uncle = grand->child[!side];

		grand->red = true;
		if (is_red(uncle)) {
			parent->red = uncle->red = false;
			n = grand;
			continue;
		}
		if (n == parent->child[!side]) {
			rotate(t, parent, side);
			parent = n;
		}
		parent->red = false;
		rotate(t, grand, !side);
		break;
	}
	s->root->red = false;
}

/* The paths through 'n' (which may be null) lack a black node. */
static void
fix_remove(struct table *t, struct rb_node *n, struct rb_node *parent)
{
	while (parent && !is_red(n)) {
		int side = n == parent->child[RIGHT];
		struct rb_node *sibling = parent->child[!side];

		if (sibling->red) {
			sibling->red = false;
			parent->red = true;
			rotate(t, parent, side);
			sibling = parent->child[!side];
		}
		if (!is_red(sibling->child[LEFT]) && !is_red(sibling->child[RIGHT])) {
			sibling->red = true;
			n = parent;
			parent = n->parent;
			continue;
		}
		if (!is_red(sibling->child[!side])) {
			sibling->child[side]->red = false;
			sibling->red = true;
			rotate(t, sibling, !side);
			sibling = parent->child[!side];
		}
		sibling->red = parent->red;
		parent->red = false;
		sibling->child[!side]->red = false;
		rotate(t, parent, side);
		return;
	}
	if (n)
		n->red = false;
}

static void *
rbtree_find(struct table *t, const struct key *k)
{
	struct rb_node *n = descend(t, k).node;

	return n ? table_elem(t, n) : NULL;
}

static void *
rbtree_add(struct table *t, const struct key *k, void *fresh, bool *created)
{
	struct place p = descend(t, k);
	struct rb_node *n;

	if (p.node)
		return table_elem(t, p.node);
	if (!fresh)
		fresh = table_elem_new(t, k);
	n = table_node(t, fresh);
	n->child[LEFT] = n->child[RIGHT] = NULL;
	PROBE_N(t, writes, 2);
	n->red = true;
	attach(t, slot(t, p.parent, p.side), p.parent, n);
	fix_insert(t, n);
	*created = true;
	return fresh;
}

/* Takes out 'n', which has two children, by putting its successor in its place.
 * Returns what moved up, its new parent, and whether a black node is missing. */
static struct place
replace_by_successor(struct table *t, struct rb_node *n, bool *short_of_black)
{
	struct rb_node *next = outermost(n->child[RIGHT], LEFT);
	struct place p = {.node = next->child[RIGHT], .parent = next};

	*short_of_black = !next->red;
	if (next->parent != n) {
		p.parent = next->parent;
		attach(t, slot_of(t, next), p.parent, p.node);
		attach(t, &next->child[RIGHT], next, n->child[RIGHT]);
	}
	attach(t, &next->child[LEFT], next, n->child[LEFT]);
	attach(t, slot_of(t, n), n->parent, next);
	next->red = n->red;
	return p;
}

static void
rbtree_unlink(struct table *t, void *elem)
{
	struct rb_node *n = table_node(t, elem);
	bool short_of_black = !n->red;
	struct place p;

	if (n->child[LEFT] && n->child[RIGHT]) {
		p = replace_by_successor(t, n, &short_of_black);
	} else {
		p.node = n->child[LEFT] ? n->child[LEFT] : n->child[RIGHT];
		p.parent = n->parent;
		attach(t, slot_of(t, n), p.parent, p.node);
	}
	if (short_of_black)
		fix_remove(t, p.node, p.parent);
}

/* Recursion is as deep as the tree: at most twice the logarithm of its size. */
static void
release_below(struct table *t, struct rb_node *n)
{
	if (!n)
		return;
	release_below(t, n->child[LEFT]);
	release_below(t, n->child[RIGHT]);
	table_elem_release(t, table_elem(t, n));
}

static void
rbtree_clear(struct table *t)
{
	struct rbtree_state *s = table_state(t);

	release_below(t, s->root);
	s->root = NULL;
}

/* Returns the number of black nodes on every way down. */
static unsigned
check_below(const struct table *t, const struct rb_node *n, uint32_t *count)
{
	unsigned blacks;

	if (!n)
		return 0;
	for (int side = LEFT; side <= RIGHT; side++) {
		const struct rb_node *child = n->child[side];

		g_assert(!child || (child->parent == n && !(n->red && child->red)));
	}
	++*count;
	blacks = check_below(t, n->child[LEFT], count);
	g_assert(check_below(t, n->child[RIGHT], count) == blacks);
	return blacks + !n->red;
}

static void
rbtree_check(const struct table *t)
{
	struct rbtree_state *s = table_state(t);
	uint32_t count = 0;

	g_assert(!s->root || (!s->root->parent && !s->root->red));
	check_below(t, s->root, &count);
	g_assert(count == t->count);
	for (struct rb_node *n = outermost(s->root, LEFT), *next; n; n = next) {
		next = successor(n);
		g_assert(!next || key_compare(key_of(t, n), key_of(t, next)) < 0);
	}
}

BACKEND(rbtree) = {
	.name = "rbtree",
	.summary = "red-black tree by address, then subkey",
	.properties = BACKEND_KEY_ORDER,
	.node_size = sizeof(struct rb_node),
	.node_bytes = RB_NODE_BYTES,
	.state_size = sizeof(struct rbtree_state),
	.find = rbtree_find,
	.add = rbtree_add,
	.unlink = rbtree_unlink,
	.next = rbtree_next,
	.match = rbtree_match,
	.clear = rbtree_clear,
	.find_any = rbtree_find_any,
	.check = rbtree_check,
};
