/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip4.h - packets of IPv4 on their way out and in.
 *
 * Models net/ipv4/ip_output.c, ip_input.c and xfrm4_{output,input}.c (Linux 5.10 and
 * 6.1).  A packet is what lookups notice of it; it has no contents, is never larger than
 * a device lets through, and is not forwarded.  It stands on the stack of who sends it,
 * and everything that it causes has happened when the call that sends it returns. */
#pragma once

#include "net/fib4.h"
#include "net/xfrm.h"

#define XFRM_DEPTH_MAX 6 /* transformations of a packet: XFRM_MAX_DEPTH */

struct frame;

/* Of TCP. */
struct tcp_header {
	uint64_t seq, ack_seq; /* from 0; the wire's are of 32 bits, and go round */
	unsigned payload;      /* bytes */
	unsigned mss;          /* of a SYN: what its sender takes */
	bool syn, ack, fin, rst;
};

struct ip_packet {
	uint32_t saddr, daddr;
	uint8_t protocol;      /* IPPROTO_UDP, _TCP, _ESP */
	unsigned len;          /* bytes, with the header of IP */
	uint16_t sport, dport; /* of UDP and TCP */
	struct tcp_header tcp;

	/* Of ESP: what it carries, and by which state. */
	const struct ip_packet *inner;
	uint32_t spi, esp_seq; /* spi as on the wire */

	/* While it is received. */
	struct net_device *dev; /* by which it came */
	unsigned gro_segs;      /* it stands for so many that were merged; 0: one */
	unsigned sp_len;        /* states that decrypted it: the kernel's sec_path */
	struct xfrm_state *sp[XFRM_DEPTH_MAX];
};

/* Where packets of a flow go, and through which states: the kernel's struct dst_entry and
 * bundles, by value. */
struct dst4 {
	struct rtable rt;                     /* of what leaves, when all is done to it */
	uint32_t nexthop;                     /* on that device's link */
	unsigned states;                      /* 0: it leaves as it is */
	struct xfrm_state *x[XFRM_DEPTH_MAX]; /* the innermost first */
	unsigned mtu;                         /* bytes of what may be sent by it */
	bool blackhole;                       /* whatever is sent is dropped */
};

static inline xfrm_address_t
xfrm_address_of(uint32_t addr)
{
	return (xfrm_address_t){.a4 = GUINT32_TO_BE(addr)};
}

/* In a read section.  A route for the flow, whose source and device it fills in, and the
 * states that its policy asks for: 0, -ENETUNREACH ..., -EPERM if a policy forbids it. */
int ip_route_output_flow(struct net *, struct flowi4 *, struct dst4 *);

/* In a read section: sends it. */
void dst_output(struct net *, const struct ip_packet *, const struct dst4 *);
void ip_output(struct net *, const struct ip_packet *, const struct dst4 *); /* as it is */

/* In a read section: it has come in by a device; in a frame, by itself, in a list. */
void ip_rcv_frame(struct net_device *, const struct frame *);
void ip_rcv(struct net *, struct ip_packet *);
void ip_list_rcv(struct net *, struct ip_packet *);

/* gro.c: what was taken out of a tunnel, on its way to ip_rcv(). */
void gro_cells_receive(struct net *, struct ip_packet *);

/* It dies: packets that wait there, and came through it, are lost. */
void gro_forget_state(struct kernel *, const struct xfrm_state *);

/* The same: net.core.dev_weight, which is the same for all namespaces. */
int net_core_sysctl_write(struct net *, const char *path, const char *value);
int net_core_sysctl_read(struct net *, const char *path, int *value);

/* udp4.c, tcp4.c: it is for this host. */
void udp_rcv(struct net *, struct ip_packet *);
void tcp_v4_rcv(struct net *, struct ip_packet *);
