/* SPDX-License-Identifier: GPL-2.0-or-later */
/* addrconf-core.h - what an IPv6 address is by its bits alone.
 *
 * Models net/ipv6/addrconf_core.c and include/net/ipv6.h (Linux 5.10 and 6.1). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct calls;

/* A type: flags, and above them the scope. */
#define IPV6_ADDR_ANY         0x0000u
#define IPV6_ADDR_UNICAST     0x0001u
#define IPV6_ADDR_MULTICAST   0x0002u
#define IPV6_ADDR_LOOPBACK    0x0010u
#define IPV6_ADDR_LINKLOCAL   0x0020u
#define IPV6_ADDR_SITELOCAL   0x0040u
#define IPV6_ADDR_COMPATV4    0x0080u
#define IPV6_ADDR_MAPPED      0x1000u
#define IPV6_ADDR_SCOPE_SHIFT 16

/* The type; the loopback address has the scope of a link, as RFC 6724 wants it.  The
 * second one is called where the kernel calls it, and counted. */
unsigned ipv6_addr_type_of(const uint8_t addr[16]);
unsigned __ipv6_addr_type(struct calls *, const uint8_t addr[16]);

int ipv6_src_scope(unsigned type); /* -1 of no address */

unsigned ipv6_addr_diff(const uint8_t a[16], const uint8_t b[16]); /* equal leading bits */
bool ipv6_prefix_equal(const uint8_t a[16], const uint8_t b[16], unsigned len);
void ipv6_addr_prefix(uint8_t prefix[16], const uint8_t addr[16], unsigned len);
bool ipv6_addr_orchid(const uint8_t addr[16]); /* RFC 4843: 2001:10::/28 */
