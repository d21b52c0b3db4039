/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip4-input.c - packets of IPv4 that have come in: those for this host go on. */
#include <netinet/in.h>
#include <string.h>

#include "net/dev.h"
#include "net/igmp.h"
#include "net/ip4.h"
#include "net/packet.h"
#include "net/xfrm-packet.h"

static void
ip_local_deliver(struct net *net, struct ip_packet *packet)
{
	CALL_ENTER(&net->kernel->calls, "ip_local_deliver");
	if (packet->protocol == IPPROTO_ESP)
		xfrm4_esp_rcv(net, packet);
	else if (packet->protocol == IPPROTO_UDP)
		udp_rcv(net, packet);
	else if (packet->protocol == IPPROTO_TCP)
		tcp_v4_rcv(net, packet);
}

/* What is for others is dropped: ip_forward is 0. */
static void
ip_rcv_finish(struct net *net, struct ip_packet *packet)
{
	if (ip_route_input(net, packet->daddr) == RTN_LOCAL)
		ip_local_deliver(net, packet);
}

void
ip_rcv(struct net *net, struct ip_packet *packet)
{
	CALL_ENTER(&net->kernel->calls, "ip_rcv");
	ip_rcv_finish(net, packet);
}

void
ip_list_rcv(struct net *net, struct ip_packet *packet)
{
	CALL_ENTER(&net->kernel->calls, "ip_list_rcv");
	ip_rcv_finish(net, packet);
}

static bool
is_for(const struct net_device *dev, const struct frame *f)
{
	static const uint8_t nobody[ETH_ALEN];

	return f->dst[0] & 1 || memcmp(f->dst, dev->dev_addr, ETH_ALEN) == 0 ||
	       memcmp(f->dst, nobody, ETH_ALEN) == 0;
}

void
ip_rcv_frame(struct net_device *dev, const struct frame *f)
{
	struct ip_packet packet = *f->ip;

	packet.dev = dev;
	packet.sp_len = packet.gro_segs = 0;
	if (is_for(dev, f) && in_dev_get(dev))
		ip_rcv(dev->net, &packet);
}
