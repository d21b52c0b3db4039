/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-packet.h - packets of IPv4 through IPsec's states and policies.
 *
 * Models what of net/xfrm/xfrm_policy.c, xfrm_output.c, xfrm_input.c and
 * xfrm_interface.c handles packets, net/ipv4/xfrm4_*.c and esp4.c (Linux 5.10 and 6.1).
 * Nothing is encrypted, but lengths and numbers are those that it would have.
 * Everything here runs in a read section. */
#pragma once

#include <linux/snmp.h>

#include "net/ip4.h"
#include "net/xfrm-policy.h"

/* xfrm-proc.c: packets that were dropped, by LINUX_MIB_XFRMINERROR ... */
void xfrm_inc_stats(struct net *, unsigned mib);

/* /proc/net/xfrm_stat, as text. */
void xfrm_statistics_seq_show(struct net *, GString *out);

/* xfrm-output.c.  The states that the flow's policy asks for are put into 'dst', whose
 * route becomes that of what they make of packets: 0, -EPERM, -EREMOTE: a state is missing. */
int xfrm_lookup_with_ifid(struct net *, const struct flowi4 *, struct dst4 *, uint32_t if_id);

/* The same without an if_id; where a state is missing 'dst' swallows what it is given. */
int xfrm_lookup_route(struct net *, const struct flowi4 *, struct dst4 *);

/* Changes with whatever a route with its states hangs on; who keeps one compares. */
uint64_t xfrm_dst_genid(const struct net *);

void xfrm4_output(struct net *, const struct ip_packet *, const struct dst4 *);

/* esp4.c: bytes that a packet of 'len' has with ESP and the outer header; 'mtu': how long
 * one may be so that it becomes no longer than that. */
unsigned esp_len(const struct xfrm_state *, unsigned len);
unsigned xfrm_state_mtu(const struct xfrm_state *, unsigned mtu);
void esp_output(const struct xfrm_state *, const struct ip_packet *, struct ip_packet *outer);
void esp_input(struct net *, struct xfrm_state *);

/* xfrm-input.c */
void xfrm4_esp_rcv(struct net *, struct ip_packet *);
int xfrm_input(struct net *, struct ip_packet *);

/* xfrm-check.c: may a packet that has come in go on?  Its states must be those that its
 * policy asks for. */
bool xfrm4_policy_check(struct net *, const struct ip_packet *, uint8_t dir);

/* xfrm-interface-packet.c.  Whether the module is there, which comes with the first
 * interface; what it does with a packet that was decrypted, or was not: 0, it is taken,
 * 1, it belongs to nobody here, -EPERM. */
bool xfrmi_loaded(const struct kernel *);
int xfrmi_input(struct net *, struct ip_packet *);
int xfrmi_rcv_cb(struct net *, struct ip_packet *, int err);
