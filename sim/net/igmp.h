/* SPDX-License-Identifier: GPL-2.0-or-later */
/* igmp.h - IPv4 on devices: joined groups and addresses.
 *
 * Models include/linux/inetdevice.h, and what net/ipv4/igmp.c and devinet.c offer each
 * other (Linux 5.10 and 6.1).  Addresses of IPv4 are in the host's order everywhere in
 * this folder but in messages and in xfrm_address_t. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "net/netdevice.h"

/* A joined group. */
struct ip_mc_list {
	uint32_t addr; /* in host order */
	unsigned users;
	bool loaded; /* it is on the device's list */
	struct ip_mc_list *next;
};

/* An address of a device: ifa_list has primary ones by scope, secondary ones last. */
struct in_ifaddr {
	struct in_device *in_dev;
	uint32_t local;
	uint8_t prefixlen, scope; /* RT_SCOPE_UNIVERSE ... */
	uint32_t flags;           /* IFA_F_PERMANENT, IFA_F_SECONDARY */
	uint32_t seq;             /* of the device: rises with each one that comes */
	struct in_ifaddr *next;
};

struct in_device {
	struct net_device *dev;
	struct ip_mc_list *mc_list; /* the newest first */
	struct in_ifaddr *ifa_list;
	uint32_t ifa_seq;
};

static inline struct in_device *
in_dev_get(const struct net_device *dev)
{
	return dev->ip_ptr;
}

static inline uint32_t
inet_make_mask(unsigned prefixlen)
{
	return prefixlen ? UINT32_MAX << (32 - prefixlen) : 0;
}

static inline bool
inet_ifa_match(uint32_t addr, const struct in_ifaddr *ifa)
{
	return ((addr ^ ifa->local) & inet_make_mask(ifa->prefixlen)) == 0;
}

/* devinet.c, under RTNL.  A loopback device that comes up gets 127.0.0.1/8; one that goes
 * away loses all it has. */
void inet_add_loopback(struct in_device *);
void inet_free_ifaddrs(struct in_device *);

/* In a read section: a primary address of the device, or of another one, that may stand
 * in packets of this scope; rather one of dst's network, if dst is not 0.  0: none. */
uint32_t inet_select_addr(const struct net_device *, uint32_t dst, uint8_t scope);

/* The device that has the address, or null. */
struct net_device *inet_dev_of(const struct net *, uint32_t addr);

void ip_mc_inc_group(struct in_device *, uint32_t group);
void ip_mc_dec_group(struct in_device *, uint32_t group);
