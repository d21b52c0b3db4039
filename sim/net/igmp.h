/* SPDX-License-Identifier: GPL-2.0-or-later */
/* igmp.h - IPv4 on devices, as far as their address lists see it: joined groups,
 * and the address of the loopback device. */
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

struct in_device {
	struct net_device *dev;
	struct ip_mc_list *mc_list; /* the newest first */
	bool loopback;              /* has 127.0.0.1/8 */
};

static inline struct in_device *
in_dev_get(const struct net_device *dev)
{
	return dev->ip_ptr;
}

void ip_mc_inc_group(struct in_device *, uint32_t group);
void ip_mc_dec_group(struct in_device *, uint32_t group);
