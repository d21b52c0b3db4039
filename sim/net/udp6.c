/* SPDX-License-Identifier: GPL-2.0-or-later */
/* udp6.c - see udp6.h. */
#include "net/udp6.h"

#include <string.h>

#include "net/dev.h"
#include "net/ip6-output.h"

static void
udp_v6_send_skb(struct net *net, const struct ip6_packet *packet)
{
	CALL_ENTER(&net->kernel->calls, "udp_v6_send_skb");
	ip6_send_skb(net, packet);
}

static int
udpv6_sendmsg(struct net *net, const struct udp6_request *req)
{
	struct ip6_packet packet = {.bytes = req->bytes};
	int err;

	CALL_ENTER(&net->kernel->calls, "udpv6_sendmsg");
	memcpy(packet.fl6.daddr, req->daddr, 16);
	err = ip6_sk_dst_lookup_flow(net, &packet.fl6, &packet.dst);
	if (err != 0)
		return err;
	ip6_make_skb(net, &packet);
	udp_v6_send_skb(net, &packet);

	/* The packet has the socket's reference since 6.0. */
	if (net->kernel->options.version < KERNEL_6_1)
		CALL(&net->kernel->calls, "dst_release");
	return 0;
}

int
udp6_send(struct net *net, const struct udp6_request *req)
{
	int err;

	CALL_ENTER(&net->kernel->calls, "sock_sendmsg");
	rcu_read_lock(net->kernel->rcu);
	err = udpv6_sendmsg(net, req);
	rcu_read_unlock(net->kernel->rcu);
	return err;
}
