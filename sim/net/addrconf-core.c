/* SPDX-License-Identifier: GPL-2.0-or-later */
/* addrconf-core.c - see addrconf-core.h. */
#include "net/addrconf-core.h"

#include <string.h>

#include "net/calls.h"
#include "net/inet6.h"
#include "net/saddr.h"

static const uint8_t loopback_addr[16] = {[15] = 1};

bool
ipv6_addr_any(const uint8_t addr[16])
{
	static const uint8_t any[16];

	return memcmp(addr, any, 16) == 0;
}

bool
ipv6_addr_loopback(const uint8_t addr[16])
{
	return memcmp(addr, loopback_addr, 16) == 0;
}

bool
ipv6_addr_linklocal(const uint8_t addr[16])
{
	return addr[0] == 0xfe && (addr[1] & 0xc0) == 0x80;
}

bool
ipv6_addr_multicast(const uint8_t addr[16])
{
	return addr[0] == 0xff;
}

enum ipv6_scope
ipv6_addr_scope(const uint8_t addr[16])
{
	if (ipv6_addr_multicast(addr))
		return addr[1] & 0x0f;
	if (ipv6_addr_loopback(addr))
		return IPV6_ADDR_SCOPE_NODELOCAL;
	if (ipv6_addr_linklocal(addr))
		return IPV6_ADDR_SCOPE_LINKLOCAL;
	if (addr[0] == 0xfe && (addr[1] & 0xc0) == 0xc0)
		return IPV6_ADDR_SCOPE_SITELOCAL;
	return IPV6_ADDR_SCOPE_GLOBAL;
}

static unsigned
typed(unsigned flags, unsigned scope)
{
	return flags | scope << IPV6_ADDR_SCOPE_SHIFT;
}

static unsigned
multicast_type(unsigned scope)
{
	switch (scope) {
	case IPV6_ADDR_SCOPE_NODELOCAL:
		return typed(IPV6_ADDR_MULTICAST | IPV6_ADDR_LOOPBACK, scope);
	case IPV6_ADDR_SCOPE_LINKLOCAL:
		return typed(IPV6_ADDR_MULTICAST | IPV6_ADDR_LINKLOCAL, scope);
	case IPV6_ADDR_SCOPE_SITELOCAL:
		return typed(IPV6_ADDR_MULTICAST | IPV6_ADDR_SITELOCAL, scope);
	default:
		return typed(IPV6_ADDR_MULTICAST, scope);
	}
}

/* Of one that begins with 64 zero bits. */
static unsigned
embedded_type(const uint8_t addr[16])
{
	static const uint8_t zero[4], mapped[4] = {0, 0, 0xff, 0xff};

	if (memcmp(addr + 8, mapped, 4) == 0)
		return typed(IPV6_ADDR_MAPPED, IPV6_ADDR_SCOPE_GLOBAL);
	if (memcmp(addr + 8, zero, 4) != 0)
		return typed(IPV6_ADDR_UNICAST, IPV6_ADDR_SCOPE_GLOBAL);
	if (ipv6_addr_any(addr))
		return IPV6_ADDR_ANY;
	if (ipv6_addr_loopback(addr))
		return typed(IPV6_ADDR_LOOPBACK | IPV6_ADDR_UNICAST, IPV6_ADDR_SCOPE_LINKLOCAL);
	return typed(IPV6_ADDR_COMPATV4 | IPV6_ADDR_UNICAST, IPV6_ADDR_SCOPE_GLOBAL);
}

unsigned
ipv6_addr_type_of(const uint8_t addr[16])
{
	static const uint8_t zero[8];

	if (ipv6_addr_multicast(addr))
		return multicast_type(addr[1] & 0x0f);
	if (ipv6_addr_linklocal(addr))
		return typed(IPV6_ADDR_LINKLOCAL | IPV6_ADDR_UNICAST, IPV6_ADDR_SCOPE_LINKLOCAL);
	if (ipv6_addr_scope(addr) == IPV6_ADDR_SCOPE_SITELOCAL)
		return typed(IPV6_ADDR_SITELOCAL | IPV6_ADDR_UNICAST, IPV6_ADDR_SCOPE_SITELOCAL);
	if (memcmp(addr, zero, sizeof zero) == 0)
		return embedded_type(addr);
	return typed(IPV6_ADDR_UNICAST, IPV6_ADDR_SCOPE_GLOBAL);
}

unsigned
__ipv6_addr_type(struct calls *calls, const uint8_t addr[16])
{
	CALL_ENTER(calls, "__ipv6_addr_type");
	return ipv6_addr_type_of(addr);
}

int
ipv6_src_scope(unsigned type)
{
	return type == IPV6_ADDR_ANY ? -1 : (int)(type >> IPV6_ADDR_SCOPE_SHIFT);
}

static uint64_t
word_of(const uint8_t addr[16], unsigned at)
{
	uint64_t word;

	memcpy(&word, addr + at, sizeof word);
	return GUINT64_FROM_BE(word);
}

unsigned
ipv6_addr_diff(const uint8_t a[16], const uint8_t b[16])
{
	uint64_t high = word_of(a, 0) ^ word_of(b, 0), low = word_of(a, 8) ^ word_of(b, 8);

	if (high)
		return (unsigned)__builtin_clzll(high);
	return low ? 64 + (unsigned)__builtin_clzll(low) : 128;
}

bool
ipv6_prefix_equal(const uint8_t a[16], const uint8_t b[16], unsigned len)
{
	return ipv6_addr_diff(a, b) >= len;
}

void
ipv6_addr_prefix(uint8_t prefix[16], const uint8_t addr[16], unsigned len)
{
	unsigned whole = len / 8, bits = len % 8;
	uint8_t out[16] = {0}; /* 'prefix' and 'addr' may be one */

	memcpy(out, addr, whole);
	if (bits > 0)
		out[whole] = (uint8_t)(addr[whole] & (0xff << (8 - bits)));
	memcpy(prefix, out, sizeof out);
}

bool
ipv6_addr_orchid(const uint8_t addr[16])
{
	static const uint8_t orchid[16] = {0x20, 0x01, 0x00, 0x10};

	return ipv6_prefix_equal(addr, orchid, 28);
}

/* The order is for walks; nothing in the kernel looks an address up in it. */
const struct table_spec inet6_ifa_list_spec = {
	.name = "inet6_ifa_list",
	.about = "IPv6 addresses of a device, by address; walked by scope",
	.backend = "rcu-list", /* with saddr=lock: list, see kernel_default_backend() */
	.elem_size = sizeof(struct inet6_ifa_node),
	.key_offset = offsetof(struct inet6_ifa_node, key),
	.order = TABLE_SORTED,
};
