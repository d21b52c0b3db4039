/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-interface-packet.c - packets that come and go through xfrm interfaces.
 *
 * Models xfrmi_input(), xfrmi_rcv_cb() and xfrmi_xmit() of net/xfrm/xfrm_interface.c
 * (Linux 5.10 and 6.1). */
#include <linux/xfrm.h>

#include "net/dev.h"
#include "net/packet.h"
#include "net/xfrm-interface.h"
#include "net/xfrm-packet.h"

/* A packet that has come out of one tunnel may bring another one, if a policy says so. */
int
xfrmi_input(struct net *net, struct ip_packet *packet)
{
	CALL_ENTER(&net->kernel->calls, "xfrmi_input");
	if (packet->sp_len > 0 && !xfrm4_policy_check(net, packet, XFRM_POLICY_IN))
		return 0;
	return xfrm_input(net, packet);
}

/* It forgets where it was. */
static void
xfrmi_scrub_packet(struct kernel *k)
{
	CALL(&k->calls, "xfrmi_scrub_packet");
}

int
xfrmi_rcv_cb(struct net *net, struct ip_packet *packet, int err)
{
	struct kernel *k = net->kernel;
	const struct xfrm_state *x;
	const struct xfrm_if *xi;

	CALL_ENTER(&k->calls, "xfrmi_rcv_cb");
	if (packet->sp_len == 0)
		return err ? 0 : 1;
	x = packet->sp[packet->sp_len - 1];
	xi = xfrmi_lookup(x->net, x->sa.if_id);
	if (!xi)
		return 1;
	packet->dev = xi->dev;
	if (err)
		return 0;
	if (xi->net != xi->dev->net && !xfrm4_policy_check(net, packet, XFRM_POLICY_IN)) {
		xfrm_inc_stats(xi->net, LINUX_MIB_XFRMINTMPLMISMATCH);
		return -EPERM;
	}
	xfrmi_scrub_packet(k);
	return 0;
}

/* Sending */

static struct flowi4
__xfrm_decode_session(struct kernel *k, const struct ip_packet *packet)
{
	CALL_ENTER(&k->calls, "__xfrm_decode_session");
	CALL(&k->calls, "decode_session4");
	return (struct flowi4){.daddr = packet->daddr,
			       .saddr = packet->saddr,
			       .proto = packet->protocol,
			       .sport = packet->sport,
			       .dport = packet->dport};
}

/* By the states of the interface's own, or not at all; and not by itself again. */
static void
xfrmi_xmit2(struct net_device *dev, const struct ip_packet *packet, struct flowi4 *fl4)
{
	const struct xfrm_if *xi = netdev_priv(dev);
	struct dst4 dst = {.states = 0};

	fl4->oif = xi->link;
	if (__ip_route_output_key(xi->net, &(struct flowi4){.daddr = fl4->daddr}, &dst.rt) != 0 ||
	    xfrm_lookup_with_ifid(xi->net, fl4, &dst, xi->if_id) != 0 || dst.states == 0 ||
	    dst.x[0]->sa.if_id != xi->if_id || dst.rt.dev == dev || packet->len > dst.mtu)
		return;
	xfrmi_scrub_packet(dev->kernel);
	dst_output(xi->net, packet, &dst);
}

void
xfrmi_xmit(struct net_device *dev, struct frame *f)
{
	struct flowi4 fl4;

	DEV_ENTER(dev, "xfrmi_xmit");
	if (!f->ip)
		return;
	fl4 = __xfrm_decode_session(dev->kernel, f->ip);
	xfrmi_xmit2(dev, f->ip, &fl4);
}
