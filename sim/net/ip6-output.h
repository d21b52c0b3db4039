/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip6-output.h - IPv6 packets that this host sends. */
#pragma once

#include "net/ip6-route.h"

/* A packet, as far as its way depends on it. */
struct ip6_packet {
	struct fib6_result dst;
	struct flowi6 fl6;
	unsigned bytes;
};

/* In a read section.  Finds the route, and the source address where it is not given. */
int ip6_sk_dst_lookup_flow(struct net *, struct flowi6 *, struct fib6_result *);

/* Builds the packet, and sends it: two calls, as the socket makes them. */
void ip6_make_skb(struct net *, const struct ip6_packet *);
void ip6_send_skb(struct net *, const struct ip6_packet *);
