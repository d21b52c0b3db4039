/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-state-find.c - the state that a packet on its way out is to use.
 *
 * Models xfrm_state_find() and xfrm_state_look_at() of net/xfrm/xfrm_state.c (Linux 5.10
 * and 6.1).  The buckets of both ways to look are read to their ends, since the best
 * state is wanted; in the second one the kernel would also take a state of another
 * source, if chance has put it there.  Selectors match: who asks has no packet to compare them
 * with. */
#include "net/xfrm.h"

struct best {
	struct xfrm_state *x;
	bool error; /* one that is no longer valid was there */
};

/* Valid ones: rather one that does not die soon, then the one that was made last. */
static void
xfrm_state_look_at(struct xfrm_state *x, struct best *best)
{
	const struct xfrm_state *old = best->x;

	CALL_ENTER(&x->net->kernel->calls, "xfrm_state_look_at");
	if (x->km_state != XFRM_STATE_VALID) {
		best->error = true;
		return;
	}
	if (!old || old->dying > x->dying ||
	    (old->dying == x->dying && old->sa.info.curlft.add_time < x->sa.info.curlft.add_time))
		best->x = x;
}

static bool
fits(const struct xfrm_state *x, const struct xfrm_find *f, const xfrm_address_t *saddr)
{
	const struct xfrm_usersa_info *i = &x->sa.info;

	return i->family == f->family && i->reqid == f->reqid &&
	       xfrm_mark_matches(&x->sa.mark, f->mark) && x->sa.if_id == f->if_id &&
	       !(i->flags & XFRM_STATE_WILDRECV) &&
	       xfrm_addr_equal(&i->id.daddr, &f->daddr, f->family) &&
	       xfrm_addr_equal(&i->saddr, saddr, f->family) && i->mode == f->mode &&
	       i->id.proto == f->proto && (f->spi == 0 || i->id.spi == f->spi);
}

static void
look_in_bucket(struct net *net, const struct xfrm_find *f, const xfrm_address_t *saddr,
	       struct best *best)
{
	struct table *bydst = &xfrm_net(net)->state[XFRM_BYDST];
	struct key k = xfrm_dst_key(&f->daddr, saddr, f->reqid, f->family);
	struct xfrm_state_node *n = NULL;

	while ((n = table_match(bydst, &k, n)) != NULL)
		if (fits(n->x, f, saddr))
			xfrm_state_look_at(n->x, best);
}

struct xfrm_state *
xfrm_state_find(struct net *net, const struct xfrm_find *f, int *err)
{
	static const xfrm_address_t any;
	uint32_t generation = xfrm_net(net)->state_hash_generation;
	struct best best = {NULL, false};

	CALL_ENTER(&net->kernel->calls, "xfrm_state_find");
	rcu_read_lock(net->kernel->rcu);
	look_in_bucket(net, f, &f->saddr, &best);
	if (!best.x)
		look_in_bucket(net, f, &any, &best);
	rcu_read_unlock(net->kernel->rcu);
	*err = 0;
	if (best.x)
		return best.x;
	*err = generation % 2 || generation != xfrm_net(net)->state_hash_generation ? -EAGAIN
										    : -ESRCH;
	if (f->spi && xfrm_state_lookup(net, f->mark, &f->daddr, f->spi, f->proto, f->family))
		*err = -EEXIST;
	return NULL;
}
