/* SPDX-License-Identifier: GPL-2.0-or-later */
/* packet.h - Ethernet frames on their way, and who sends them.
 *
 * Models packet_snd() of net/packet/af_packet.c, __dev_queue_xmit() and
 * __netif_receive_skb_core() of net/core/dev.c (Linux 5.10 and 6.1).  A frame is
 * where it comes from, where it goes, its VLAN tag, and maybe a packet of IPv4.  Dummies
 * swallow what they are given, veths pass it on, bridges forward it, and VLAN devices
 * put on their tag and take it off, vxlan devices look up where it goes, xfrm interfaces
 * which states are for what it carries.  All other devices drop it, and so do all
 * protocols above them but IPv4. */
#pragma once

#include "net/netdevice.h"

/* Passed by pointer, and copied where the kernel clones. */
struct frame {
	struct net_device *dev; /* where it came in, or where it was sent */
	uint8_t src[ETH_ALEN], dst[ETH_ALEN];
	bool tagged;
	uint16_t vid; /* with 'tagged' */

	/* The bridge's, while it has it. */
	bool vlan_filtered, src_isolated;

	const struct ip_packet *ip; /* what it carries; null: nothing that matters (ip4.h) */
	unsigned wires;             /* that it went through */
	struct softnet *softnet;
};

/* What a user gives to a packet socket. */
struct packet_request {
	int ifindex;
	uint8_t src[ETH_ALEN], dst[ETH_ALEN];
	bool tagged;
	uint16_t vid;
};

/* By a task of user space.  SIOCGIFINDEX, SIOCGIFHWADDR: 0, -ENODEV. */
int packet_device(struct net *, const char *ifname, int *ifindex, uint8_t addr[ETH_ALEN]);

/* Sends a frame; when it returns, the frame and all copies of it have arrived.  0,
 * -ENXIO if there is no such device, -ENETDOWN. */
int packet_snd(struct net *, const struct packet_request *);

/* In a read section: sends a frame that this host made, and lets it and its copies
 * arrive.  Sets the frame's 'softnet'. */
void packet_xmit(struct net_device *, struct frame *);

/* Of devices, for link_kind.xmit and what stands above them. */
void dev_queue_xmit(struct net_device *, const struct frame *);
void netif_rx(struct net_device *, const struct frame *);          /* it came over a wire */
void netif_receive_skb(struct net_device *, const struct frame *); /* at once */
