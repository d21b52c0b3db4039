/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-policy-inexact.c - policies of prefixes: bins, trees, lists.
 *
 * Models net/xfrm/xfrm_policy.c (Linux 5.10 and 6.1).  A node that holds no policy any
 * more goes at once; the kernel leaves some of them until a policy is deleted by its
 * selector, or all are. */
#include "net/xfrm-policy-inexact.h"

/* Shorter prefixes are as good as none. */
#define INEXACT_PREFIXLEN_IPV4 16
#define INEXACT_PREFIXLEN_IPV6 48

static struct key
bin_key(uint8_t type, uint16_t family, uint8_t dir, uint32_t if_id)
{
	uint32_t words[2] = {GUINT32_TO_BE((uint32_t)type << 24 | (uint32_t)dir << 16 | family),
			     GUINT32_TO_BE(if_id)};

	return key_make(words, sizeof words, 0);
}

struct xfrm_policy_bin *
xfrm_policy_inexact_lookup(struct net *net, uint8_t type, uint16_t family, uint8_t dir,
			   uint32_t if_id)
{
	struct key key = bin_key(type, family, dir, if_id);

	return table_find(&xfrm_policy_net(net)->bin, &key);
}

static struct xfrm_policy_bin *
alloc_bin(struct net *net, const struct xfrm_pol *pol)
{
	uint16_t family = pol->info.sel.family;
	struct key key = bin_key(pol->type, family, pol->info.dir, pol->if_id);
	struct xfrm_policy_bin *bin = table_add(&xfrm_policy_net(net)->bin, &key, NULL);

	bin->family = family;
	return bin;
}

/* Lists */

int
xfrm_policy_compare(gconstpointer a, gconstpointer b, gpointer unused)
{
	const struct xfrm_policy *x = a, *y = b;
	uint32_t px = x->pol.info.priority, py = y->pol.info.priority;

	return px != py ? (px > py) - (px < py) : (x->seq > y->seq) - (x->seq < y->seq);
}

void
xfrm_pol_chain_add(struct xfrm_pol_chain *chain, struct xfrm_policy *p)
{
	if (!chain->policies)
		chain->policies = g_sequence_new(NULL);
	p->chain = chain;
	p->at = g_sequence_insert_sorted(chain->policies, p, xfrm_policy_compare, NULL);
}

/* Those of its priority, or of lower ones. */
static int
compare_priority(gconstpointer a, gconstpointer b, gpointer limit)
{
	const struct xfrm_policy *x = a == limit ? b : a;

	return (x->pol.info.priority <= *(uint32_t *)limit ? -1 : 1) * (a == limit ? -1 : 1);
}

unsigned
xfrm_policy_insert_reads(GSequence *list, uint32_t priority, GSequenceIter *twin)
{
	unsigned length = list ? (unsigned)g_sequence_get_length(list) : 0, before;
	const struct xfrm_policy *old = twin ? g_sequence_get(twin) : NULL;

	if (!old)
		return length;
	if (priority <= old->pol.info.priority)
		return (unsigned)g_sequence_iter_get_position(twin) + 1;
	before = (unsigned)g_sequence_iter_get_position(
		g_sequence_search(list, &priority, compare_priority, &priority));
	return MIN(before + 1, length);
}

/* Nodes */

static void
free_node(struct xfrm_policy_bin *bin, struct xfrm_pol_node *n)
{
	g_assert(!n->chain.policies && !n->by_saddr.root);
	bin->nodes--;
	g_free(n);
}

/* Policies of one list into another one. */
static void
move_policies(struct net *net, struct xfrm_pol_chain *from, struct xfrm_pol_chain *to)
{
	GSequence *old = from->policies;
	GSequenceIter *it;

	XFRM_COUNT_READ(net, "visit_policy_all", table_count(&xfrm_policy_net(net)->idx));
	if (!old)
		return;
	from->policies = NULL;
	for (it = g_sequence_get_begin_iter(old); !g_sequence_iter_is_end(it);
	     it = g_sequence_iter_next(it))
		xfrm_pol_chain_add(to, g_sequence_get(it));
	g_sequence_free(old);
}

struct insertion {
	struct net *net;
	struct xfrm_policy_bin *bin;
	unsigned visits;
};

/* 'n', which is in no tree, goes into 'tree', and nodes whose prefixes overlap with its
 * become one. */
static void
reinsert_node(struct insertion *in, struct xfrm_pol_node *n, struct xfrm_pol_tree *tree)
{
	struct xfrm_pol_node *parent = NULL, *at = tree->root;
	int delta = 0;

	while (at) {
		uint8_t prefixlen = MIN(at->prefixlen, n->prefixlen);
		bool same = at->prefixlen == n->prefixlen;

		in->visits++;
		delta = xfrm_policy_addr_delta(&n->addr, &at->addr, prefixlen, in->bin->family);
		parent = at;
		if (delta != 0) {
			at = at->child[delta > 0];
			continue;
		}
		move_policies(in->net, &n->chain, &at->chain);
		at->prefixlen = prefixlen;
		free_node(in->bin, n);
		if (same)
			return;
		n = at;
		xfrm_tree_erase(n);
		parent = NULL;
		at = tree->root;
	}
	xfrm_tree_link(tree, parent, delta > 0, n);
}

/* What was below 'gone' and in it comes to 'n', whose prefix has it, too. */
static void
merge_node(struct insertion *in, struct xfrm_pol_node *gone, struct xfrm_pol_node *n)
{
	struct xfrm_pol_node *below;

	while ((below = xfrm_tree_first(&gone->by_saddr)) != NULL) {
		xfrm_tree_erase(below);
		below->above = n;
		reinsert_node(in, below, &n->by_saddr);
	}
	move_policies(in->net, &gone->chain, &n->chain);
	free_node(in->bin, gone);
}

static struct xfrm_pol_node *
new_node(struct insertion *in, struct xfrm_pol_node *above)
{
	struct xfrm_pol_node *n = g_new0(struct xfrm_pol_node, 1);

	n->above = above;
	n->chain.node = n;
	in->bin->nodes++;
	return n;
}

/* The node of a prefix, or of one that it lies in.  Nodes that lie in it are taken out, and
 * become one for all of it: 'cached'. */
static struct xfrm_pol_node *
insert_node(struct insertion *in, struct xfrm_pol_tree *tree, const xfrm_address_t *addr,
	    uint8_t prefixlen, struct xfrm_pol_node *above)
{
	struct xfrm_pol_node *cached = NULL, *parent = NULL, *n = tree->root;
	uint16_t family = in->bin->family;
	bool right = false;

	while (n) {
		int delta = xfrm_policy_addr_delta(addr, &n->addr, n->prefixlen, family);

		in->visits++;
		if (delta == 0 && prefixlen >= n->prefixlen)
			return n;
		parent = n;
		right = delta >= 0;
		if (prefixlen >= n->prefixlen ||
		    xfrm_policy_addr_delta(addr, &n->addr, prefixlen, family) != 0) {
			n = n->child[right];
			continue;
		}
		xfrm_tree_erase(n);
		if (cached)
			merge_node(in, n, cached);
		else
			cached = n;
		cached->addr = *addr;
		cached->prefixlen = prefixlen;
		parent = NULL;
		n = tree->root;
	}
	if (!cached) {
		cached = new_node(in, above);
		cached->addr = *addr;
		cached->prefixlen = prefixlen;
	}
	xfrm_tree_link(tree, parent, right, cached);
	return cached;
}

static bool
use_any_list(const xfrm_address_t *addr, uint16_t family, uint8_t prefixlen)
{
	static const xfrm_address_t any;

	return xfrm_addr_equal(addr, &any, family) ||
	       prefixlen < (family == AF_INET6 ? INEXACT_PREFIXLEN_IPV6 : INEXACT_PREFIXLEN_IPV4);
}

static struct xfrm_pol_chain *
chain_of(struct insertion *in, const struct xfrm_selector *sel)
{
	bool any_d = use_any_list(&sel->daddr, sel->family, sel->prefixlen_d);
	bool any_s = use_any_list(&sel->saddr, sel->family, sel->prefixlen_s);
	struct xfrm_pol_node *n;

	if (any_d && any_s)
		return &in->bin->any;
	if (any_d)
		return &insert_node(in, &in->bin->by_saddr, &sel->saddr, sel->prefixlen_s, NULL)
				->chain;
	n = insert_node(in, &in->bin->by_daddr, &sel->daddr, sel->prefixlen_d, NULL);
	if (!any_s)
		n = insert_node(in, &n->by_saddr, &sel->saddr, sel->prefixlen_s, n);
	return &n->chain;
}

struct xfrm_pol_chain *
xfrm_policy_inexact_alloc_chain(struct net *net, const struct xfrm_pol *pol)
{
	struct insertion in = {.net = net, .bin = alloc_bin(net, pol)};
	struct xfrm_pol_chain *chain = chain_of(&in, &pol->info.sel);

	XFRM_COUNT_READ(net, "visit_inexact_node", in.visits);
	return chain;
}

/* A node without policies, and the one above it if that has none either. */
static void
prune_node(struct xfrm_policy_bin *bin, struct xfrm_pol_node *n)
{
	while (n && !n->chain.policies && !n->by_saddr.root) {
		struct xfrm_pol_node *above = n->above;

		xfrm_tree_erase(n);
		free_node(bin, n);
		n = above;
	}
}

void
xfrm_pol_chain_prune(struct net *net, const struct xfrm_pol *pol, struct xfrm_pol_chain *chain)
{
	struct xfrm_policy_bin *bin = xfrm_policy_inexact_lookup(
		net, pol->type, pol->info.sel.family, pol->info.dir, pol->if_id);

	if (chain->node)
		prune_node(bin, chain->node);
	if (!bin->nodes && !bin->any.policies)
		table_remove(&xfrm_policy_net(net)->bin, bin);
}

void
xfrm_pol_chain_remove(struct xfrm_policy *p)
{
	struct xfrm_pol_chain *chain = p->chain;

	g_sequence_remove(p->at);
	p->chain = NULL;
	p->at = NULL;
	if (!g_sequence_is_empty(chain->policies))
		return;
	g_sequence_free(chain->policies);
	chain->policies = NULL;
	xfrm_pol_chain_prune(p->net, &p->pol, chain);
}

void
xfrm_policy_inexact_prune_bin(struct net *net, const struct xfrm_pol *pol)
{
	struct xfrm_policy_bin *bin = xfrm_policy_inexact_lookup(
		net, pol->type, pol->info.sel.family, pol->info.dir, pol->if_id);

	if (bin)
		XFRM_COUNT_READ(net, "visit_inexact_node", bin->nodes);
}

/* Lookups */

static struct xfrm_pol_node *
lookup_inexact_addr(struct net *net, const struct xfrm_policy_bin *bin,
		    const struct xfrm_pol_tree *tree, const xfrm_address_t *addr, unsigned *visits)
{
	CALL(&net->kernel->calls, "xfrm_policy_lookup_inexact_addr");
	return xfrm_tree_lookup(tree, addr, bin->family, visits);
}

void
xfrm_policy_find_inexact_candidates(struct net *net, struct xfrm_policy_bin *bin,
				    const xfrm_address_t *saddr, const xfrm_address_t *daddr,
				    struct xfrm_pol_candidates *c)
{
	struct xfrm_pol_node *n;
	unsigned visits = 0;

	CALL_ENTER(&net->kernel->calls, "xfrm_policy_find_inexact_candidates");
	*c = (struct xfrm_pol_candidates){.chain = {[XFRM_POL_CAND_ANY] = &bin->any}};
	n = lookup_inexact_addr(net, bin, &bin->by_daddr, daddr, &visits);
	if (n) {
		c->chain[XFRM_POL_CAND_DADDR] = &n->chain;
		n = lookup_inexact_addr(net, bin, &n->by_saddr, saddr, &visits);
		if (n)
			c->chain[XFRM_POL_CAND_BOTH] = &n->chain;
	}
	n = lookup_inexact_addr(net, bin, &bin->by_saddr, saddr, &visits);
	if (n)
		c->chain[XFRM_POL_CAND_SADDR] = &n->chain;
	XFRM_COUNT_READ(net, "visit_inexact_node", visits);
}

void
xfrm_policy_inexact_check(struct net *net)
{
	struct cursor cursor = CURSOR_START;
	struct xfrm_policy_bin *bin;

	while ((bin = table_peek(&xfrm_policy_net(net)->bin, &cursor)) != NULL) {
		g_assert(bin->nodes || bin->any.policies);
		xfrm_tree_check(&bin->by_daddr, bin->family);
		xfrm_tree_check(&bin->by_saddr, bin->family);
	}
}
