/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tcp4.h - TCP over IPv4: one direction of data, as a stream benchmark has it.
 *
 * Models what of net/ipv4/tcp.c, tcp_output.c, tcp_input.c and tcp_ipv4.c decides how many
 * packets there are (Linux 5.10 and 6.1): the handshake, segments of full size with time
 * stamps, one acknowledgement for each two of them or for each that was merged, a window,
 * and sending again what was lost.  The congestion window is never in the way: nothing is
 * lost where there is no queue.  Packets that IPsec makes are not segmented later (GSO),
 * because a route with states has no such device; others are sent like them.
 *
 * Who is connected keeps the route that was found for it until something changes that
 * routes hang on. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct net;
struct tcp_sock;

#define TCP_RCVBUF 131072 /* bytes: the default of tcp_rmem; also the window here */

/* By a task of user space.  Both may be called from any namespace's task. */

/* Who connects to the port is accepted, and what it sends is read at once.  0: any port;
 * *port receives it.  -EADDRINUSE. */
int tcp_listen(struct net *, uint16_t *port);
void tcp_unlisten(struct net *, uint16_t port);

/* Null, and *err: -ECONNREFUSED, -ETIMEDOUT (at once), -EPERM, or what a route refuses with. */
struct tcp_sock *tcp_connect(struct net *, uint32_t daddr, uint16_t port, int *err);

unsigned tcp_current_mss(const struct tcp_sock *); /* bytes of data in a packet */

/* One segment of full size: when it returns, it and what it caused have arrived.  A full
 * window is waited for, until it is time to send again.  0, or what a route refuses with. */
int tcp_send_segment(struct tcp_sock *);

uint64_t tcp_segments_sent(const struct tcp_sock *);
uint64_t tcp_bytes_received(const struct tcp_sock *); /* by the other end */

void tcp_close(struct tcp_sock *); /* null is allowed */
