/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inet6.h - IPv6 on devices: addresses, multicast groups, settings.
 *
 * Models include/net/if_inet6.h and ipv6_devconf. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/work.h"
#include "net/netdevice.h"

#define INFINITY_LIFE_TIME UINT32_MAX

enum inet6_ifaddr_state {
	INET6_IFADDR_STATE_PREDAD,
	INET6_IFADDR_STATE_DAD,
	INET6_IFADDR_STATE_POSTDAD,
	INET6_IFADDR_STATE_ERRDAD,
	INET6_IFADDR_STATE_DEAD,
};

/* An element of the table inet6_addr: key = the address, sub = ifindex. */
struct inet6_ifaddr {
	struct key key;
	struct inet6_dev *idev;
	uint8_t prefixlen;
	uint16_t scope;         /* RT_SCOPE_UNIVERSE, RT_SCOPE_LINK ... */
	uint32_t flags;         /* IFA_F_PERMANENT, IFA_F_TENTATIVE, IFA_F_NODAD ... */
	uint32_t valid_lft, preferred_lft;
	enum inet6_ifaddr_state state;
	unsigned dad_probes;
	struct work dad_work;
	struct inet6_ifaddr *next; /* idev->addr_list */
};

/* A joined group; idev->mc_list has the newest first. */
struct ifmcaddr6 {
	uint8_t addr[16];
	unsigned users;
	bool loaded; /* MAF_LOADED: on the device's list */
	struct ifmcaddr6 *next;
};

struct ipv6_devconf {
	int forwarding, accept_dad, dad_transmits, keep_addr_on_down, disable_ipv6;
	int router_solicitations, addr_gen_mode, accept_ra;
};

struct inet6_dev {
	struct net_device *dev;
	struct inet6_ifaddr *addr_list; /* global scope first; newest first within a scope */
	struct ifmcaddr6 *mc_list;
	struct ipv6_devconf cnf;
	bool ready; /* IF_READY */
	bool dead;
};

static inline struct inet6_dev *
in6_dev_get(const struct net_device *dev)
{
	return dev->ip6_ptr;
}
