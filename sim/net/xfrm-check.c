/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-check.c - may a packet that has come in go on?
 *
 * Models __xfrm_policy_check() of net/xfrm/xfrm_policy.c (Linux 5.10 and 6.1). */
#include <linux/xfrm.h>
#include <netinet/in.h>

#include "net/dev.h"
#include "net/xfrm-interface.h"
#include "net/xfrm-packet.h"

static bool
is_transport(const struct xfrm_state *x)
{
	return x->sa.info.mode == XFRM_MODE_TRANSPORT;
}

/* Is one of the states from this number on no transport mode's? */
static bool
secpath_has_nontransport(const struct ip_packet *packet, unsigned from)
{
	for (; from < packet->sp_len; from++)
		if (!is_transport(packet->sp[from]))
			return true;
	return false;
}

/* Which algorithms a template allows is not kept here: iproute2 asks for all. */
static bool
xfrm_state_ok(const struct xfrm_user_tmpl *t, const struct xfrm_state *x, uint32_t if_id)
{
	const struct xfrm_usersa_info *i = &x->sa.info;

	return i->id.proto == t->id.proto && (i->id.spi == t->id.spi || !t->id.spi) &&
	       (i->reqid == t->reqid || !t->reqid) && i->mode == t->mode &&
	       (is_transport(x) || (xfrm_addr_equal(&i->id.daddr, &t->id.daddr, AF_INET) &&
				    xfrm_addr_equal(&i->saddr, &t->saddr, AF_INET))) &&
	       (if_id == 0 || if_id == x->sa.if_id);
}

/* The number behind the state that fits the template; negative: none does. */
static int
xfrm_policy_ok(const struct xfrm_user_tmpl *t, const struct ip_packet *packet, int start,
	       uint32_t if_id)
{
	unsigned at = (unsigned)start;

	if (t->optional && t->mode == XFRM_MODE_TRANSPORT)
		return start;
	if (!t->optional)
		start = -1;
	for (; at < packet->sp_len; at++) {
		if (xfrm_state_ok(t, packet->sp[at], if_id))
			return (int)at + 1;
		if (!is_transport(packet->sp[at]))
			break;
	}
	return start;
}

/* Templates are in the order of sending. */
static bool
templates_fit(const struct xfrm_pol *pol, const struct ip_packet *packet, uint32_t if_id)
{
	int at = 0;

	for (unsigned i = pol->tmpls; i-- > 0;) {
		at = xfrm_policy_ok(&pol->tmpl[i], packet, at, if_id);
		if (at < 0)
			return false;
	}
	return !secpath_has_nontransport(packet, (unsigned)at);
}

static bool
selectors_match(const struct ip_packet *packet, const struct xfrm_flow *flow)
{
	for (unsigned i = packet->sp_len; i-- > 0;)
		if (!xfrm_selector_match(&packet->sp[i]->sa.info.sel, flow))
			return false;
	return true;
}

/* The interface that the packet came through, if the module is there. */
static const struct xfrm_if *
decode_session(struct net *net, const struct ip_packet *packet)
{
	struct xfrmi_packet p = {.state_net = packet->sp_len ? packet->sp[0]->net : NULL,
				 .dev = packet->dev};

	return xfrmi_loaded(net->kernel) ? xfrmi_decode_session(net->kernel, &p) : NULL;
}

/* 0, or why it may not. */
static unsigned
follow(struct xfrm_policy *p, const struct ip_packet *packet, uint32_t if_id)
{
	if (!p)
		return secpath_has_nontransport(packet, 0) ? LINUX_MIB_XFRMINNOPOLS : 0;
	xfrm_policy_use(p);
	if (p->pol.info.action != XFRM_POLICY_ALLOW)
		return LINUX_MIB_XFRMINPOLBLOCK;
	return templates_fit(&p->pol, packet, if_id) ? 0 : LINUX_MIB_XFRMINTMPLMISMATCH;
}

static struct xfrm_flow
decode_session4(struct net *net, const struct ip_packet *packet)
{
	CALL(&net->kernel->calls, "decode_session4");
	return (struct xfrm_flow){.family = AF_INET,
				  .daddr = xfrm_address_of(packet->daddr),
				  .saddr = xfrm_address_of(packet->saddr),
				  .sport = GUINT16_TO_BE(packet->sport),
				  .dport = GUINT16_TO_BE(packet->dport),
				  .proto = packet->protocol};
}

static bool
__xfrm_policy_check(struct net *net, const struct ip_packet *packet, uint8_t dir)
{
	const struct xfrm_if *xi;
	struct xfrm_flow flow;
	uint32_t if_id;
	unsigned mib;

	CALL_ENTER(&net->kernel->calls, "__xfrm_policy_check");
	xi = decode_session(net, packet);
	if_id = xi ? xi->if_id : 0;
	net = xi ? xi->net : net;
	flow = decode_session4(net, packet);
	mib = selectors_match(packet, &flow)
		      ? follow(xfrm_policy_lookup(net, &flow, dir, if_id), packet, if_id)
		      : LINUX_MIB_XFRMINSTATEMISMATCH;
	if (mib != 0)
		xfrm_inc_stats(net, mib);
	return mib == 0;
}

/* Most packets of most hosts need no look at policies. */
bool
xfrm4_policy_check(struct net *net, const struct ip_packet *packet, uint8_t dir)
{
	if (xfrm_policy_count(net, dir) == 0 && packet->sp_len == 0)
		return true;
	return __xfrm_policy_check(net, packet, dir);
}
