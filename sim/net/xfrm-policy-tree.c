/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-policy-tree.c - the textbook's red-black tree (Cormen, Leiserson, Rivest, Stein, 3rd
 * edition, chapter 13), as the kernel's keeps its shape, of prefixes. */
#include "net/xfrm-policy-tree.h"

enum { LEFT, RIGHT };

int
xfrm_policy_addr_delta(const xfrm_address_t *x, const xfrm_address_t *y, uint8_t prefixlen,
		       uint16_t family)
{
	const uint8_t *a = (const uint8_t *)x, *b = (const uint8_t *)y;
	unsigned bits = MIN(prefixlen, family == AF_INET6 ? 128 : 32);
	int delta = memcmp(a, b, bits / 8);

	if (delta || bits % 8 == 0)
		return delta;
	return (a[bits / 8] >> (8 - bits % 8)) - (b[bits / 8] >> (8 - bits % 8));
}

struct xfrm_pol_node *
xfrm_tree_lookup(const struct xfrm_pol_tree *t, const xfrm_address_t *addr, uint16_t family,
		 unsigned *visits)
{
	struct xfrm_pol_node *n = t->root;

	while (n) {
		int delta = xfrm_policy_addr_delta(addr, &n->addr, n->prefixlen, family);

		++*visits;
		if (delta == 0)
			return n;
		n = n->child[delta > 0];
	}
	return NULL;
}

static bool
is_red(const struct xfrm_pol_node *n)
{
	return n && n->red;
}

static void
replace_child(struct xfrm_pol_tree *t, struct xfrm_pol_node *old, struct xfrm_pol_node *n)
{
	struct xfrm_pol_node *parent = old->parent;

	if (parent)
		parent->child[old == parent->child[RIGHT]] = n;
	else
		t->root = n;
	if (n)
		n->parent = parent;
}

/* 'n' goes down to 'side', its other child takes its place. */
static void
rotate(struct xfrm_pol_tree *t, struct xfrm_pol_node *n, int side)
{
	struct xfrm_pol_node *up = n->child[!side];

	replace_child(t, n, up);
	n->child[!side] = up->child[side];
	if (n->child[!side])
		n->child[!side]->parent = n;
	up->child[side] = n;
	n->parent = up;
}

static void
fix_insert(struct xfrm_pol_tree *t, struct xfrm_pol_node *n)
{
	while (is_red(n->parent)) {
		struct xfrm_pol_node *parent = n->parent, *grand = parent->parent;
		int side = parent == grand->child[RIGHT];
		struct xfrm_pol_node *uncle = grand->child[!side];

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
	t->root->red = false;
}

void
xfrm_tree_link(struct xfrm_pol_tree *t, struct xfrm_pol_node *parent, bool right,
	       struct xfrm_pol_node *n)
{
	n->tree = t;
	n->parent = parent;
	n->child[LEFT] = n->child[RIGHT] = NULL;
	n->red = true;
	if (parent)
		parent->child[right] = n;
	else
		t->root = n;
	fix_insert(t, n);
}

/* The paths through 'n' (which may be null) lack a black node. */
static void
fix_erase(struct xfrm_pol_tree *t, struct xfrm_pol_node *n, struct xfrm_pol_node *parent)
{
	while (parent && !is_red(n)) {
		int side = n == parent->child[RIGHT];
		struct xfrm_pol_node *sibling = parent->child[!side];

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

static struct xfrm_pol_node *
outermost(struct xfrm_pol_node *n, int side)
{
	while (n && n->child[side])
		n = n->child[side];
	return n;
}

/* Takes out 'n', which has two children, by putting its successor in its place. */
static void
erase_inner(struct xfrm_pol_tree *t, struct xfrm_pol_node *n)
{
	struct xfrm_pol_node *next = outermost(n->child[RIGHT], LEFT), *moved = next->child[RIGHT];
	struct xfrm_pol_node *parent = next->parent == n ? next : next->parent;
	bool short_of_black = !next->red;

	if (next->parent != n) {
		replace_child(t, next, moved);
		next->child[RIGHT] = n->child[RIGHT];
		next->child[RIGHT]->parent = next;
	}
	next->child[LEFT] = n->child[LEFT];
	next->child[LEFT]->parent = next;
	replace_child(t, n, next);
	next->red = n->red;
	if (short_of_black)
		fix_erase(t, moved, parent);
}

void
xfrm_tree_erase(struct xfrm_pol_node *n)
{
	struct xfrm_pol_tree *t = n->tree;
	struct xfrm_pol_node *child = n->child[LEFT] ? n->child[LEFT] : n->child[RIGHT];

	if (n->child[LEFT] && n->child[RIGHT]) {
		erase_inner(t, n);
		return;
	}
	replace_child(t, n, child);
	if (!n->red)
		fix_erase(t, child, n->parent);
}

struct xfrm_pol_node *
xfrm_tree_first(const struct xfrm_pol_tree *t)
{
	return outermost(t->root, LEFT);
}

static unsigned
check_below(const struct xfrm_pol_tree *t, const struct xfrm_pol_node *n, uint16_t family,
	    const struct xfrm_pol_node **last)
{
	unsigned blacks;

	if (!n)
		return 0;
	g_assert(n->tree == t && !(n->red && (is_red(n->child[LEFT]) || is_red(n->child[RIGHT]))));
	blacks = check_below(t, n->child[LEFT], family, last);
	g_assert(!*last ||
		 xfrm_policy_addr_delta(&(*last)->addr, &n->addr,
					MIN((*last)->prefixlen, n->prefixlen), family) < 0);
	*last = n;
	xfrm_tree_check(&n->by_saddr, family);
	g_assert(check_below(t, n->child[RIGHT], family, last) == blacks);
	return blacks + !n->red;
}

void
xfrm_tree_check(const struct xfrm_pol_tree *t, uint16_t family)
{
	const struct xfrm_pol_node *last = NULL;

	g_assert(!t->root || (!t->root->parent && !t->root->red));
	check_below(t, t->root, family, &last);
}
