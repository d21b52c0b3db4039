/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-policy-find.c - the policy that a packet has to follow, or that a user names.
 *
 * Models xfrm_policy_lookup() of net/xfrm/xfrm_policy.c (Linux 5.10 and 6.1). */
#include "net/xfrm-policy-inexact.h"

static bool
addr_match(const xfrm_address_t *addr, const xfrm_address_t *prefix, uint8_t prefixlen,
	   uint16_t family)
{
	return xfrm_policy_addr_delta(addr, prefix, prefixlen, family) == 0;
}

bool
xfrm_selector_match(const struct xfrm_selector *sel, const struct xfrm_flow *fl)
{
	return addr_match(&fl->daddr, &sel->daddr, sel->prefixlen_d, fl->family) &&
	       addr_match(&fl->saddr, &sel->saddr, sel->prefixlen_s, fl->family) &&
	       ((fl->dport ^ sel->dport) & sel->dport_mask) == 0 &&
	       ((fl->sport ^ sel->sport) & sel->sport_mask) == 0 &&
	       (fl->proto == sel->proto || !sel->proto) &&
	       (fl->oif == sel->ifindex || !sel->ifindex);
}

static bool
xfrm_policy_match(const struct xfrm_policy *p, const struct xfrm_flow *fl, uint8_t type,
		  uint32_t if_id)
{
	const struct xfrm_pol *pol = &p->pol;

	CALL_ENTER(&p->net->kernel->calls, "xfrm_policy_match");
	return pol->info.sel.family == fl->family && pol->if_id == if_id &&
	       xfrm_mark_matches(&pol->mark, fl->mark) && pol->type == type &&
	       xfrm_selector_match(&pol->info.sel, fl);
}

static struct xfrm_policy *
find_exact(struct xfrm_policy_net *xn, uint8_t type, const struct xfrm_flow *fl, uint8_t dir,
	   uint32_t if_id)
{
	struct key k = xfrm_policy_dst_key(xn, &fl->daddr, &fl->saddr, fl->family, dir);
	struct xfrm_policy_node *n = NULL;
	struct xfrm_policy *best = NULL;

	while ((n = table_match(&xn->dst[dir], &k, n)) != NULL)
		if (xfrm_policy_match(n->p, fl, type, if_id) &&
		    (!best || xfrm_policy_compare(n->p, best, NULL) < 0))
			best = n->p;
	return best;
}

/* Of two of one priority: was the one that was found before here first?  While the list
 * of all is numbered, exact policies have the number 0, which is also its first one's. */
static bool
is_older(struct xfrm_policy_net *xn, const struct xfrm_policy *found, const struct xfrm_policy *p)
{
	if (!p->all_at)
		return found->pos < p->pos;
	if (!found->chain)
		return p->all_at != g_sequence_get_begin_iter(xn->order[p->pol.info.dir]);
	return found->seq < p->seq;
}

/* The first one in the list that selects the packet, if it is better than 'found'. */
static struct xfrm_policy *
eval_chain(struct xfrm_policy_net *xn, const struct xfrm_pol_chain *chain,
	   struct xfrm_policy *found, const struct xfrm_flow *fl, uint8_t type, uint32_t if_id)
{
	uint32_t limit = found ? found->pol.info.priority : UINT32_MAX;
	GSequenceIter *it = g_sequence_get_begin_iter(chain->policies);

	for (; !g_sequence_iter_is_end(it); it = g_sequence_iter_next(it)) {
		struct xfrm_policy *p = g_sequence_get(it);

		if (p->pol.info.priority > limit)
			break;
		if (!xfrm_policy_match(p, fl, type, if_id))
			continue;
		if (found && p->pol.info.priority == limit && is_older(xn, found, p))
			break;
		return p;
	}
	return found;
}

struct xfrm_policy *
xfrm_policy_lookup_bytype(struct net *net, uint8_t type, const struct xfrm_flow *fl, uint8_t dir,
			  uint32_t if_id)
{
	struct xfrm_policy_net *xn = xfrm_policy_net(net);
	struct xfrm_pol_candidates c;
	struct xfrm_policy_bin *bin;
	struct xfrm_policy *found;

	CALL_ENTER(&net->kernel->calls, "xfrm_policy_lookup_bytype");
	rcu_read_lock(net->kernel->rcu);
	found = find_exact(xn, type, fl, dir, if_id);
	if (net->kernel->options.version < KERNEL_6_1)
		CALL(&net->kernel->calls, "xfrm_policy_inexact_lookup_rcu"); /* then inlined */
	bin = xfrm_policy_inexact_lookup(net, type, fl->family, dir, if_id);
	if (bin) {
		xfrm_policy_find_inexact_candidates(net, bin, &fl->saddr, &fl->daddr, &c);
		for (unsigned n = 0; n < XFRM_POL_CAND_MAX; n++)
			if (c.chain[n] && c.chain[n]->policies)
				found = eval_chain(xn, c.chain[n], found, fl, type, if_id);
	}
	rcu_read_unlock(net->kernel->rcu);
	return found;
}

struct xfrm_policy *
xfrm_policy_lookup(struct net *net, const struct xfrm_flow *fl, uint8_t dir, uint32_t if_id)
{
	struct xfrm_policy *p =
		xfrm_policy_lookup_bytype(net, XFRM_POLICY_TYPE_SUB, fl, dir, if_id);

	return p ? p : xfrm_policy_lookup_bytype(net, XFRM_POLICY_TYPE_MAIN, fl, dir, if_id);
}

void
xfrm_policy_use(struct xfrm_policy *p)
{
	p->pol.info.curlft.use_time = xfrm_now(p->net);
}

/* One of them, for users */

struct xfrm_policy *
xfrm_policy_byid(struct net *net, const struct xfrm_pol *pol)
{
	uint32_t index = pol->info.index;
	struct key k = xfrm_policy_idx_key(index);
	struct xfrm_policy_node *n;
	const struct xfrm_pol *found;

	CALL_ENTER(&net->kernel->calls, "xfrm_policy_byid");
	if ((index & 7) != pol->info.dir)
		return NULL;
	n = table_find(&xfrm_policy_net(net)->idx, &k);
	found = n ? &n->p->pol : NULL;
	if (!found || found->type != pol->type || found->if_id != pol->if_id ||
	    found->mark.v != pol->mark.v || found->mark.m != pol->mark.m)
		return NULL;
	return n->p;
}

/* The lists that a packet between the two addresses would look through. */
static void
read_candidates(struct net *net, const struct xfrm_policy *wanted, const struct xfrm_policy *twin)
{
	const struct xfrm_selector *sel = &wanted->pol.info.sel;
	struct xfrm_policy_bin *bin = xfrm_policy_inexact_lookup(
		net, wanted->pol.type, sel->family, wanted->pol.info.dir, wanted->pol.if_id);
	struct xfrm_pol_candidates c;
	unsigned reads = 0;

	if (!bin)
		return;
	xfrm_policy_find_inexact_candidates(net, bin, &sel->saddr, &sel->daddr, &c);
	for (unsigned n = 0; n < XFRM_POL_CAND_MAX; n++) {
		if (!c.chain[n] || !c.chain[n]->policies)
			continue;
		if (twin && twin->chain == c.chain[n])
			reads += (unsigned)g_sequence_iter_get_position(twin->at) + 1;
		else
			reads += (unsigned)g_sequence_get_length(c.chain[n]->policies);
	}
	XFRM_COUNT_READ(net, "visit_policy_chain", reads);
}

struct xfrm_policy *
xfrm_policy_bysel(struct net *net, const struct xfrm_pol *pol)
{
	struct xfrm_policy_net *xn = xfrm_policy_net(net);
	const struct xfrm_selector *sel = &pol->info.sel;
	struct xfrm_policy wanted = {.net = net, .pol = *pol},
			   *twin = xfrm_policy_twin(xn, &wanted);
	struct xfrm_policy_node *n = NULL;
	struct key k;

	CALL_ENTER(&net->kernel->calls, "xfrm_policy_bysel_ctx");
	if (!xfrm_policy_is_exact(xn, pol)) {
		read_candidates(net, &wanted, twin);
		return twin;
	}
	k = xfrm_policy_dst_key(xn, &sel->daddr, &sel->saddr, sel->family, pol->info.dir);
	do
		n = table_match(&xn->dst[pol->info.dir], &k, n);
	while (n && n->p != twin);
	return twin;
}
