/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-interface.h - what packets ask about xfrm interfaces.
 *
 * Models net/xfrm/xfrm_interface.c, since 6.1 xfrm_interface_core.c (Linux 5.10 and
 * 6.1); and, by choice of structure and algorithm, that of Linux up to 5.8. */
#pragma once

#include "net/netdevice.h"

/* How xfrmi_decode_session() gets from a device to its interface. */
enum xfrmi_decode {
	XFRMI_DECODE_WALK,   /* until 5.8: looks for the ifindex in all of them */
	XFRMI_DECODE_DIRECT, /* since 5.9: it is what the device is made of */
};

extern const char *const xfrmi_decode_words[]; /* by enum xfrmi_decode; null-terminated */

/* The kernel's struct xfrm_if: private to a device. */
struct xfrm_if {
	struct net_device *dev;
	struct net *net;          /* where it was made, and is looked up */
	uint32_t if_id;           /* never 0 */
	int link;                 /* ifindex of "dev"; 0: none */
	struct xfrmi_entry *node; /* in the table xfrm_if; null: it is in none */
};

/* As much as they know of a packet. */
struct xfrmi_packet {
	struct net *state_net;  /* of the state that decrypted it; null: none did */
	struct net_device *dev; /* that it comes from; may be null */
	int sdif;               /* ifindex below an L3 master that it came by; 0: none */
};

/* The interface of an if_id that is up, or null: of each packet once it is decrypted,
 * whatever its interface.  One that is down is passed by, and the search goes on. */
struct xfrm_if *xfrmi_lookup(struct net *, uint32_t if_id);

/* Through which interface a decrypted packet came, or null: asked by policy checks. */
struct xfrm_if *xfrmi_decode_session(struct kernel *, const struct xfrmi_packet *);

/* xfrm-interface-packet.c: link_kind.xmit. */
struct frame;
void xfrmi_xmit(struct net_device *, struct frame *);
