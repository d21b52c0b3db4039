/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip6-output.c - see ip6-output.h. */
#include "net/ip6-output.h"

#include <string.h>

#include "net/dev.h"
#include "net/inet6.h"
#include "net/ndisc.h"
#include "net/packet.h"

/* The route */

static const uint8_t *
rt6_nexthop(const struct fib6_result *dst, const uint8_t daddr[16])
{
	return dst->rt->has_gateway ? fib6_gateway(dst->rt) : daddr;
}

/* The neighbour is looked up for the sake of optimistic addresses
 * (CONFIG_IPV6_OPTIMISTIC_DAD), which there are none of. */
static int
ip6_dst_lookup_tail(struct net *net, struct flowi6 *fl6, struct fib6_result *dst)
{
	int err;

	CALL_ENTER(&net->kernel->calls, "ip6_dst_lookup_tail");
	*dst = ip6_route_output(net, fl6);
	if (!dst->rt)
		return dst->error;
	if (ipv6_addr_any(fl6->saddr)) {
		err = ip6_route_get_saddr(net, dst, fl6->daddr, fl6->saddr);
		if (err != 0)
			return err;
	}
	if (dst->error == 0)
		ndisc_lookup_noref(net, dst->dev, rt6_nexthop(dst, fl6->daddr));
	return dst->error;
}

static int
ip6_dst_lookup_flow(struct net *net, struct flowi6 *fl6, struct fib6_result *dst)
{
	CALL_ENTER(&net->kernel->calls, "ip6_dst_lookup_flow");
	return ip6_dst_lookup_tail(net, fl6, dst);
}

int
ip6_sk_dst_lookup_flow(struct net *net, struct flowi6 *fl6, struct fib6_result *dst)
{
	CALL_ENTER(&net->kernel->calls, "ip6_sk_dst_lookup_flow");
	return ip6_dst_lookup_flow(net, fl6, dst);
}

/* The packet */

/* The packet's memory is charged to the socket. */
static void
refcount_add_not_zero(struct net *net)
{
	CALL_ENTER(&net->kernel->calls, "refcount_add_not_zero");
}

static void
__ip6_append_data(struct net *net)
{
	CALL_ENTER(&net->kernel->calls, "__ip6_append_data");
	refcount_add_not_zero(net);
}

static void
dst_release(struct net *net)
{
	CALL_ENTER(&net->kernel->calls, "dst_release");
}

/* 5.10 takes a reference of its own to the route, and drops it with the cork. */
static void
__ip6_make_skb(struct net *net)
{
	CALL_ENTER(&net->kernel->calls, "__ip6_make_skb");
	if (net->kernel->options.version < KERNEL_6_1)
		dst_release(net);
}

void
ip6_make_skb(struct net *net, const struct ip6_packet *packet)
{
	CALL_ENTER(&net->kernel->calls, "ip6_make_skb");
	__ip6_append_data(net);
	__ip6_make_skb(net);
}

/* Sending */

/* Of the device's queue. */
static void
_raw_spin_lock(struct net_device *dev)
{
	DEV_ENTER(dev, "_raw_spin_lock");
}

static void
__dev_queue_xmit(struct net_device *dev, const uint8_t *ha)
{
	struct frame f = {.dev = dev};

	DEV_ENTER(dev, "__dev_queue_xmit");
	_raw_spin_lock(dev);
	memcpy(f.src, dev->dev_addr, ETH_ALEN);
	memcpy(f.dst, ha, ETH_ALEN);
	packet_xmit(dev, &f);
	dst_release(dev->net); /* with the packet */
}

/* Until a neighbour is resolved packets wait for it, here in vain. */
static void
ip6_finish_output2(struct net *net, const struct ip6_packet *packet)
{
	const uint8_t *nexthop = rt6_nexthop(&packet->dst, packet->fl6.daddr);
	struct net_device *dev = packet->dst.dev;
	struct neighbour *neigh;

	CALL_ENTER(&net->kernel->calls, "ip6_finish_output2");
	neigh = ndisc_lookup_noref(net, dev, nexthop);
	if (!neigh)
		neigh = __neigh_create(net, dev, nexthop);
	if (neigh_state(neigh) & NUD_VALID) {
		__dev_queue_xmit(dev, neigh->ha);
		return;
	}
	neigh_resolve(neigh);
	CALL(&net->kernel->calls, "dst_release");
}

static void
ip6_output(struct net *net, const struct ip6_packet *packet)
{
	CALL_ENTER(&net->kernel->calls, "ip6_output");
	ip6_finish_output2(net, packet);
}

static void
ip6_local_out(struct net *net, const struct ip6_packet *packet)
{
	CALL_ENTER(&net->kernel->calls, "ip6_local_out");
	ip6_output(net, packet);
}

void
ip6_send_skb(struct net *net, const struct ip6_packet *packet)
{
	CALL_ENTER(&net->kernel->calls, "ip6_send_skb");
	ip6_local_out(net, packet);
}
