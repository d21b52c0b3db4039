/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-policy-tree.h - prefixes of inexact policies: red-black trees in which no prefix
 * lies in another one, and the lists that they lead to.
 *
 * Models struct xfrm_pol_inexact_node of net/xfrm/xfrm_policy.c (Linux 5.10 and 6.1).  It is
 * no table of table.h: what is asked for is the prefix that an address falls into, and the
 * seam's find() knows only whole keys.  Nodes that a search reads are counted as calls of
 * "visit_inexact_node". */
#pragma once

#include "net/xfrm-policy.h"

/* A list of policies, by priority and age. */
struct xfrm_pol_chain {
	GSequence *policies;        /* struct xfrm_policy; null: empty */
	struct xfrm_pol_node *node; /* whose it is; null: the bin's own */
};

struct xfrm_pol_tree {
	struct xfrm_pol_node *root;
};

struct xfrm_pol_node {
	struct xfrm_pol_node *parent, *child[2];
	bool red;
	uint8_t prefixlen;
	xfrm_address_t addr;
	struct xfrm_pol_tree *tree;    /* it is in */
	struct xfrm_pol_tree by_saddr; /* of a node by destination: its policies' sources */
	struct xfrm_pol_node *above;   /* of a node in such a tree: whose tree that is */
	struct xfrm_pol_chain chain;
};

struct xfrm_policy_bin;

/* The order of two addresses' first bits. */
int xfrm_policy_addr_delta(const xfrm_address_t *, const xfrm_address_t *, uint8_t prefixlen,
			   uint16_t family);

/* Each returns how many nodes it has read. */
struct xfrm_pol_node *xfrm_tree_lookup(const struct xfrm_pol_tree *, const xfrm_address_t *,
				       uint16_t family, unsigned *visits); /* or null */

/* At the node that a search with 'delta' != 0 ended at; null: the tree is empty. */
void xfrm_tree_link(struct xfrm_pol_tree *, struct xfrm_pol_node *parent, bool right,
		    struct xfrm_pol_node *);
void xfrm_tree_erase(struct xfrm_pol_node *);
struct xfrm_pol_node *xfrm_tree_first(const struct xfrm_pol_tree *); /* or null */

void xfrm_tree_check(const struct xfrm_pol_tree *, uint16_t family); /* asserts all rules */
