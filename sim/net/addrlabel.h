/* SPDX-License-Identifier: GPL-2.0-or-later */
/* addrlabel.h - the policy table of RFC 6724, section 2.1: labels of prefixes.
 *
 * Models net/ipv6/addrlabel.c (Linux 5.10 and 6.1). */
#pragma once

#include <stdint.h>

struct net;

#define IPV6_ADDR_LABEL_DEFAULT UINT32_MAX /* of what no entry fits */

/* The label of the first entry that fits.  'type' is addrconf-core.h's. */
uint32_t ipv6_addr_label(struct net *, const uint8_t addr[16], unsigned type, int ifindex);
