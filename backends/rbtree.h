/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rbtree.h - the nodes of rbtree.c, and ways through them. */
#pragma once

#include <stddef.h>

#include "backend.h"
#include "table/table-impl.h"

enum { LEFT, RIGHT };

/* The kernel hides the colour in a spare bit of the parent's address. */
struct rb_node {
	struct rb_node *parent, *child[2];
	bool red;
};

#define RB_NODE_BYTES offsetof(struct rb_node, red)

struct rbtree_state {
	struct rb_node *root;
};

static inline struct rb_node *
outermost(struct rb_node *n, int side)
{
	while (n && n->child[side])
		n = n->child[side];
	return n;
}

static inline struct rb_node *
successor(struct rb_node *n)
{
	if (n->child[RIGHT])
		return outermost(n->child[RIGHT], LEFT);
	while (n->parent && n == n->parent->child[RIGHT])
		n = n->parent;
	return n->parent;
}

static inline struct key *
key_of(const struct table *t, const struct rb_node *n)
{
	return table_key(t, table_elem(t, n));
}

/* rbtree-walk.c: operations of struct backend. */
void *rbtree_next(struct table *, struct cursor *);
void *rbtree_match(struct table *, const struct key *, const void *after);
void *rbtree_find_any(struct table *, const struct key *);
