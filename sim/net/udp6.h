/* SPDX-License-Identifier: GPL-2.0-or-later */
/* udp6.h - UDP over IPv6: one packet of an unconnected socket on its way out.
 *
 * Models udpv6_sendmsg() of net/ipv6/udp.c and, in ip6-output.c, what of
 * net/ipv6/ip6_output.c lies below it (Linux 5.10 and 6.1). */
#pragma once

#include <stdint.h>

struct net;

#define UDP6_BYTES_MAX 65507u /* of data; one packet, whatever the device's MTU */

struct udp6_request {
	uint8_t daddr[16];
	uint16_t port;
	unsigned bytes;
};

/* By a task of user space: sendto().  When it returns, the packet has left, or was
 * dropped.  0; -ENETUNREACH and what else a route refuses with; -EADDRNOTAVAIL. */
int udp6_send(struct net *, const struct udp6_request *);
