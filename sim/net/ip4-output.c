/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip4-output.c - packets of IPv4 on their way out: routes, neighbours, devices. */
#include <string.h>

#include "net/dev.h"
#include "net/ip4.h"
#include "net/ndisc.h"
#include "net/packet.h"
#include "net/xfrm-packet.h"

int
ip_route_output_flow(struct net *net, struct flowi4 *fl4, struct dst4 *dst)
{
	int err;

	CALL_ENTER(&net->kernel->calls, "ip_route_output_flow");
	*dst = (struct dst4){.states = 0};
	err = __ip_route_output_key(net, fl4, &dst->rt);
	if (err != 0)
		return err;
	dst->nexthop = dst->rt.gateway ? dst->rt.gateway : fl4->daddr;
	dst->mtu = dst->rt.dev->mtu;
	if (net->kernel->options.version >= KERNEL_6_1)
		CALL(&net->kernel->calls, "dev_get_by_index_rcu"); /* for the sake of VRFs */
	fl4->oif = dst->rt.dev->ifindex;
	return xfrm_lookup_route(net, fl4, dst);
}

static void
__dev_queue_xmit(struct net_device *dev, const struct ip_packet *packet, const uint8_t *ha)
{
	struct frame f = {.dev = dev, .ip = packet};

	DEV_ENTER(dev, "__dev_queue_xmit");
	memcpy(f.src, dev->dev_addr, ETH_ALEN);
	memcpy(f.dst, ha, ETH_ALEN);
	packet_xmit(dev, &f);
}

/* Until a neighbour is resolved packets wait for it, here in vain. */
static void
ip_finish_output2(struct net *net, const struct ip_packet *packet, const struct dst4 *dst)
{
	struct neighbour *n = arp_neigh(net, dst->rt.dev, dst->nexthop);

	CALL_ENTER(&net->kernel->calls, "ip_finish_output2");
	if (neigh_state(n) & NUD_VALID)
		__dev_queue_xmit(dst->rt.dev, packet, n->ha);
	else
		neigh_resolve(n);
}

void
ip_output(struct net *net, const struct ip_packet *packet, const struct dst4 *dst)
{
	CALL_ENTER(&net->kernel->calls, "ip_output");
	ip_finish_output2(net, packet, dst);
}

void
dst_output(struct net *net, const struct ip_packet *packet, const struct dst4 *dst)
{
	if (dst->blackhole)
		return;
	if (dst->states > 0)
		xfrm4_output(net, packet, dst);
	else
		ip_output(net, packet, dst);
}
