/* SPDX-License-Identifier: GPL-2.0-or-later */
/* udp4.h - UDP over IPv4: sockets that are not connected.
 *
 * Models net/ipv4/udp.c (Linux 5.10 and 6.1).  What comes for a port that nobody has is
 * dropped, without an answer by ICMP. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct net;
struct udp_sock;

#define UDP4_BYTES_MAX 65507u /* of data; one packet, whatever the device's MTU */
#define UDP4_QUEUE_MAX 10000u /* datagrams that wait in a socket; those beyond are dropped */

struct udp4_datagram {
	uint32_t addr; /* of the other end */
	uint16_t port;
	unsigned bytes;
};

/* By a task of user space.  'port' 0: the first one that is free from 32768 on.  Null, and
 * *err: -EADDRINUSE. */
struct udp_sock *udp_bind(struct net *, uint16_t port, int *err);
void udp_close(struct udp_sock *); /* null is allowed */

/* sendto(): when it returns, the packet has arrived where it goes, or was dropped.  0;
 * -ENETUNREACH and what else a route refuses with, -EPERM. */
int udp_sendmsg(struct udp_sock *, const struct udp4_datagram *);

/* recvfrom(): waits as long; false: nothing has come. */
bool udp_recvmsg(struct udp_sock *, uint64_t timeout_ps, struct udp4_datagram *);
