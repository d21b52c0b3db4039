/* SPDX-License-Identifier: GPL-2.0-or-later */
/* textbook-tree.c - see textbook-tree.h. */
#include "textbook-tree.h"

#include <glib.h>

static struct textbook_node *
at(struct textbook_tree *t, unsigned n)
{
	return &t->nodes[n];
}

/* Node 0 is the black leaf below all others. */
static bool
red(const struct textbook_tree *t, unsigned n)
{
	return t->nodes[n].red;
}

static unsigned
depth_below(const struct textbook_tree *t, unsigned n, uint32_t key, bool *found)
{
	const struct textbook_node *node = &t->nodes[n];

	*found = n != 0 && node->key == key;
	if (n == 0)
		return 0;
	return *found ? 1 : 1 + depth_below(t, node->child[key > node->key], key, found);
}

unsigned
textbook_depth(const struct textbook_tree *t, uint32_t key, bool *found)
{
	return depth_below(t, t->root, key, found);
}

/* Returns the node that is on top afterwards. */
static unsigned
turn(struct textbook_tree *t, unsigned n, int side)
{
	unsigned up = at(t, n)->child[!side];

	at(t, n)->child[!side] = at(t, up)->child[side];
	at(t, up)->child[side] = n;
	t->rotations++;
	return up;
}

/* 'n' is the grandparent of what may be two reds in a row. */
static unsigned
mend_insert(struct textbook_tree *t, unsigned n, int side)
{
	unsigned parent = at(t, n)->child[side], uncle = at(t, n)->child[!side];
	bool inner = red(t, at(t, parent)->child[!side]);

	if (!red(t, parent) || !(inner || red(t, at(t, parent)->child[side])))
		return n;
	at(t, n)->red = true;
	if (red(t, uncle)) {
		at(t, parent)->red = at(t, uncle)->red = false;
		return n;
	}
	if (inner)
		parent = at(t, n)->child[side] = turn(t, parent, side);
	at(t, parent)->red = false;
	return turn(t, n, !side);
}

static unsigned
insert_below(struct textbook_tree *t, unsigned n, uint32_t key)
{
	int side;

	if (n == 0) {
		n = t->spare ? t->spare : ++t->used;
		g_assert(n <= TEXTBOOK_MAX);
		t->spare = at(t, n)->child[0];
		*at(t, n) = (struct textbook_node){.key = key, .red = true};
		return n;
	}
	side = key > at(t, n)->key;
	at(t, n)->child[side] = insert_below(t, at(t, n)->child[side], key);
	return mend_insert(t, n, side);
}

void
textbook_insert(struct textbook_tree *t, uint32_t key)
{
	t->root = insert_below(t, t->root, key);
	at(t, t->root)->red = false;
}

/* All ways down the given side of 'n' are short of a black node. */
static unsigned
mend_remove(struct textbook_tree *t, unsigned n, int side, bool *shorter)
{
	unsigned sibling = at(t, n)->child[!side];

	if (red(t, sibling)) {
		at(t, sibling)->red = false;
		at(t, n)->red = true;
		turn(t, n, side);
		at(t, sibling)->child[side] = mend_remove(t, n, side, shorter);
		return sibling;
	}
	if (!red(t, at(t, sibling)->child[0]) && !red(t, at(t, sibling)->child[1])) {
		at(t, sibling)->red = true;
		*shorter = !red(t, n);
		at(t, n)->red = false;
		return n;
	}
	if (!red(t, at(t, sibling)->child[!side])) {
		at(t, at(t, sibling)->child[side])->red = false;
		at(t, sibling)->red = true;
		sibling = at(t, n)->child[!side] = turn(t, sibling, !side);
	}
	at(t, sibling)->red = red(t, n);
	at(t, n)->red = false;
	at(t, at(t, sibling)->child[!side])->red = false;
	*shorter = false;
	return turn(t, n, side);
}

/* Of a node with at most one child. */
static unsigned
take_out(struct textbook_tree *t, unsigned n, bool *shorter)
{
	unsigned child = at(t, n)->child[0] ? at(t, n)->child[0] : at(t, n)->child[1];

	*shorter = !red(t, n) && !red(t, child);
	if (child)
		at(t, child)->red = false;
	at(t, n)->child[0] = t->spare;
	t->spare = n;
	return child;
}

static unsigned
remove_below(struct textbook_tree *t, unsigned n, uint32_t key, bool *shorter)
{
	struct textbook_node *node = at(t, n);
	int side = key > node->key;

	g_assert(n != 0);
	if (node->key == key && (node->child[0] == 0 || node->child[1] == 0))
		return take_out(t, n, shorter);
	if (node->key == key) {
		unsigned next = node->child[1];

		while (at(t, next)->child[0])
			next = at(t, next)->child[0];
		node->key = key = at(t, next)->key;
		side = 1;
	}
	node->child[side] = remove_below(t, node->child[side], key, shorter);
	return *shorter ? mend_remove(t, n, side, shorter) : n;
}

void
textbook_remove(struct textbook_tree *t, uint32_t key)
{
	bool shorter = false;

	t->root = remove_below(t, t->root, key, &shorter);
	at(t, t->root)->red = false;
}
