/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-output.c - packets on their way out: a policy, its states, and what they do.
 *
 * Models xfrm_lookup_with_ifid() and bundles of net/xfrm/xfrm_policy.c, and
 * net/xfrm/xfrm_output.c (Linux 5.10 and 6.1).  Bundles have not been cached since 4.14,
 * but sockets that are connected keep theirs. */
#include "net/dev.h"
#include "net/xfrm-packet.h"
#include "net/xfrm-policy-inexact.h"

static bool
is_6_1(const struct net *net)
{
	return net->kernel->options.version >= KERNEL_6_1;
}

/* Bundles */

static int
xfrm_tmpl_resolve_one(struct net *net, const struct xfrm_pol *pol, const struct flowi4 *fl4,
		      struct dst4 *dst)
{
	xfrm_address_t daddr = xfrm_address_of(fl4->daddr), saddr = xfrm_address_of(fl4->saddr);
	int err = 0;

	if (!is_6_1(net))
		CALL(&net->kernel->calls, "xfrm_tmpl_resolve_one");
	for (unsigned i = 0; i < pol->tmpls; i++) {
		const struct xfrm_user_tmpl *t = &pol->tmpl[i];
		bool tunnel = t->mode == XFRM_MODE_TUNNEL || t->mode == XFRM_MODE_BEET;
		struct xfrm_find f = {
			.daddr = tunnel ? t->id.daddr : daddr,
			.saddr = tunnel ? t->saddr : saddr,
			.family = AF_INET,
			.if_id = pol->if_id,
			.reqid = t->reqid,
			.spi = t->id.spi,
			.mode = t->mode,
			.proto = t->id.proto,
		};
		struct xfrm_state *x = xfrm_state_find(net, &f, &err);

		if (x)
			dst->x[dst->states++] = x;
		else if (!t->optional)
			return err;
		daddr = f.daddr;
		saddr = f.saddr;
	}
	return 0;
}

/* 6.1's compiler leaves no function of these names. */
static int
xfrm_tmpl_resolve(struct net *net, const struct xfrm_pol *pol, const struct flowi4 *fl4,
		  struct dst4 *dst)
{
	if (!is_6_1(net))
		CALL(&net->kernel->calls, "xfrm_tmpl_resolve");
	return xfrm_tmpl_resolve_one(net, pol, fl4, dst);
}

/* What leaves a tunnel needs a route of its own: by the device's VRF, and 0 if there is
 * none, any device. */
static int
xfrm_dst_lookup(struct net *net, const struct xfrm_state *x, struct dst4 *dst)
{
	struct flowi4 fl4 = {.daddr = GUINT32_FROM_BE(x->sa.info.id.daddr.a4),
			     .saddr = GUINT32_FROM_BE(x->sa.info.saddr.a4)};

	CALL(&net->kernel->calls, "dev_get_by_index_rcu");
	dst->nexthop = fl4.daddr;
	return __ip_route_output_key(net, &fl4, &dst->rt);
}

static void
xfrm_init_pmtu(struct dst4 *dst)
{
	dst->mtu = dst->rt.dev->mtu;
	for (unsigned i = dst->states; i-- > 0;)
		dst->mtu = xfrm_state_mtu(dst->x[i], dst->mtu);
}

static int
xfrm_bundle_create(struct net *net, struct dst4 *dst)
{
	int err = 0;

	if (!is_6_1(net))
		CALL(&net->kernel->calls, "xfrm_bundle_create");
	for (unsigned i = 0; i < dst->states && err == 0; i++)
		if (dst->x[i]->sa.info.mode != XFRM_MODE_TRANSPORT)
			err = xfrm_dst_lookup(net, dst->x[i], dst);
	if (err != 0)
		return err;
	if (dst->rt.gateway)
		dst->nexthop = dst->rt.gateway;
	xfrm_init_pmtu(dst);
	return 0;
}

/* Nobody here makes states, so that one that is missing will not come. */
static int
xfrm_resolve_and_create_bundle(struct net *net, const struct xfrm_pol *pol,
			       const struct flowi4 *fl4, struct dst4 *dst)
{
	int err;

	CALL_ENTER(&net->kernel->calls, "xfrm_resolve_and_create_bundle");
	err = xfrm_tmpl_resolve(net, pol, fl4, dst);
	if (err != 0) {
		xfrm_inc_stats(net, LINUX_MIB_XFRMOUTNOSTATES);
		return -EREMOTE;
	}
	err = dst->states > 0 ? xfrm_bundle_create(net, dst) : 0;
	if (err != 0)
		xfrm_inc_stats(net, LINUX_MIB_XFRMOUTBUNDLEGENERROR);
	return err;
}

/* Lookups */

static struct xfrm_flow
flow_of(const struct flowi4 *fl4)
{
	return (struct xfrm_flow){.family = AF_INET,
				  .daddr = xfrm_address_of(fl4->daddr),
				  .saddr = xfrm_address_of(fl4->saddr),
				  .sport = GUINT16_TO_BE(fl4->sport),
				  .dport = GUINT16_TO_BE(fl4->dport),
				  .proto = fl4->proto,
				  .oif = fl4->oif};
}

int
xfrm_lookup_with_ifid(struct net *net, const struct flowi4 *fl4, struct dst4 *dst, uint32_t if_id)
{
	struct xfrm_flow flow = flow_of(fl4);
	struct xfrm_policy *p;
	int err;

	CALL_ENTER(&net->kernel->calls, "xfrm_lookup_with_ifid");
	if (xfrm_policy_count(net, XFRM_POLICY_OUT) == 0)
		return 0;
	p = xfrm_policy_lookup(net, &flow, XFRM_POLICY_OUT, if_id);
	if (!p)
		return 0;
	if (p->pol.info.action != XFRM_POLICY_ALLOW) {
		xfrm_inc_stats(net, LINUX_MIB_XFRMOUTPOLBLOCK);
		return -EPERM;
	}
	err = p->pol.tmpls > 0 ? xfrm_resolve_and_create_bundle(net, &p->pol, fl4, dst) : 0;
	if (err == 0)
		xfrm_policy_use(p);
	return err;
}

int
xfrm_lookup_route(struct net *net, const struct flowi4 *fl4, struct dst4 *dst)
{
	int err;

	CALL_ENTER(&net->kernel->calls, "xfrm_lookup_route");
	err = xfrm_lookup_with_ifid(net, fl4, dst, 0);
	if (err != -EREMOTE)
		return err;
	dst->blackhole = true;
	return 0;
}

/* All of these only rise. */
uint64_t
xfrm_dst_genid(const struct net *net)
{
	return net->dev_base_seq + fib_genid(net) + xfrm_net(net)->state[XFRM_BYDST].generation +
	       xfrm_policy_net(net)->idx.generation;
}

/* Output */

/* The next number of the sequence, unless all were used. */
static bool
xfrm_replay_overflow(struct net *net, struct xfrm_state *x)
{
	if (is_6_1(net))
		CALL(&net->kernel->calls, "xfrm_replay_overflow");
	x->sa.replay.oseq++;
	if (x->sa.replay.oseq != 0 || x->sa.extra_flags & XFRM_SA_XFLAG_OSEQ_MAY_WRAP)
		return false;
	x->sa.replay.oseq--;
	return true;
}

/* Null, or why the packet is dropped. */
static int
may_output(struct net *net, struct xfrm_state *x, unsigned len)
{
	if (x->km_state != XFRM_STATE_VALID)
		return LINUX_MIB_XFRMOUTSTATEINVALID;
	if (xfrm_state_check_expire(x, len) != 0)
		return LINUX_MIB_XFRMOUTSTATEEXPIRED;
	return xfrm_replay_overflow(net, x) ? LINUX_MIB_XFRMOUTSTATESEQERROR : 0;
}

/* Through the state with this number, and the others behind it. */
static void
xfrm_output_one(struct net *net, const struct ip_packet *packet, const struct dst4 *dst, unsigned n)
{
	struct ip_packet outer;
	int mib = may_output(net, dst->x[n], packet->len);

	if (mib != 0) {
		xfrm_inc_stats(net, (unsigned)mib);
		return;
	}
	esp_output(dst->x[n], packet, &outer);
	if (n + 1 < dst->states)
		xfrm_output_one(net, &outer, dst, n + 1);
	else
		ip_output(net, &outer, dst);
}

static void
xfrm_output(struct net *net, const struct ip_packet *packet, const struct dst4 *dst)
{
	CALL_ENTER(&net->kernel->calls, "xfrm_output");
	CALL(&net->kernel->calls, "xfrm_output_resume");
	xfrm_output_one(net, packet, dst, 0);
}

void
xfrm4_output(struct net *net, const struct ip_packet *packet, const struct dst4 *dst)
{
	CALL_ENTER(&net->kernel->calls, "xfrm4_output");
	xfrm_output(net, packet, dst);
}
