/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ndisc.h - neighbours: the link-layer address behind an address on a link.
 *
 * Models nd_tbl of net/ipv6/ndisc.c, arp_tbl of net/ipv4/arp.c, and net/core/neighbour.c
 * (Linux 5.10 and 6.1).  Nobody answers a solicitation here, and none is sent: who is not known
 * already is found to be absent after the three seconds that it takes the kernel. */
#pragma once

#include <linux/neighbour.h>

#include "net/netdevice.h"

#define NUD_VALID (NUD_PERMANENT | NUD_NOARP | NUD_REACHABLE | NUD_PROBE | NUD_STALE | NUD_DELAY)

/* An element of the tables nd_neigh and arp_neigh: key = the address, sub = ifindex. */
struct neighbour {
	struct key key;
	struct net_device *dev;
	uint16_t nud_state; /* as of 'updated': ask neigh_state() */
	bool router;
	uint8_t ha[ETH_ALEN];
	uint64_t updated; /* picoseconds */
};

uint16_t neigh_state(const struct neighbour *); /* NUD_REACHABLE ..., now */

/* In a read section: counted lookups; null if there is none.  The second makes one. */
struct neighbour *ndisc_lookup_noref(struct net *, const struct net_device *,
				     const uint8_t addr[16]);
struct neighbour *__neigh_create(struct net *, struct net_device *, const uint8_t addr[16]);

/* Somebody needs its address: it is asked for, unless that is so already. */
void neigh_resolve(struct neighbour *);

/* The same of IPv4: finds it, or makes one. */
struct neighbour *arp_neigh(struct net *, struct net_device *, uint32_t addr);

/* Under RTNL: forgets its neighbours, of IPv6 and of IPv4. */
void neigh_ifdown(struct net_device *);
void arp_ifdown(struct net_device *);

/* RTM_NEWNEIGH, RTM_DELNEIGH of families AF_INET6 and AF_INET. */
struct neigh_request {
	int ifindex;
	uint8_t dst[16];
	unsigned dst_len; /* 16 or 4 */
	bool has_lladdr;
	uint8_t lladdr[32];
	unsigned lladdr_len;
	uint16_t state; /* NUD_PERMANENT ... */
	bool router;
	bool create, exclusive, replace; /* NLM_F_CREATE ... */
};

/* Each takes RTNL.  0, -ENODEV, -ENOENT, -EEXIST, -EINVAL. */
int neigh_add(struct net *, const struct neigh_request *, struct ext_ack *);
int neigh_delete(struct net *, const struct neigh_request *, struct ext_ack *);

/* RTM_GETNEIGH: all of a family, in the order of the structure. */
void neigh_dump(struct net *, int family, void (*each)(const struct neighbour *, void *data),
		void *data);
