/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-route-names.c - names of protocols, tables and types of routes; prefixes. */
#include <arpa/inet.h>
#include <string.h>

#include "iproute/ip-address.h"
#include "iproute/ip-route.h"

struct named {
	const char *name;
	uint32_t number;
};

static const struct named protocols[] = {
	{"unspec", RTPROT_UNSPEC},
	{"redirect", RTPROT_REDIRECT},
	{"kernel", RTPROT_KERNEL},
	{"boot", RTPROT_BOOT},
	{"static", RTPROT_STATIC},
	{"gated", RTPROT_GATED},
	{"ra", RTPROT_RA},
	{"mrt", RTPROT_MRT},
	{"zebra", RTPROT_ZEBRA},
	{"bird", RTPROT_BIRD},
	{"dnrouted", RTPROT_DNROUTED},
	{"xorp", RTPROT_XORP},
	{"ntk", RTPROT_NTK},
	{"dhcp", RTPROT_DHCP},
	{"keepalived", RTPROT_KEEPALIVED},
	{"babel", RTPROT_BABEL},
	{"bgp", RTPROT_BGP},
	{"isis", RTPROT_ISIS},
	{"ospf", RTPROT_OSPF},
	{"rip", RTPROT_RIP},
	{"eigrp", RTPROT_EIGRP},
	{NULL, 0},
};

static const struct named tables[] = {
	{"unspec", RT_TABLE_UNSPEC},
	{"default", RT_TABLE_DEFAULT},
	{"main", RT_TABLE_MAIN},
	{"local", RT_TABLE_LOCAL},
	{NULL, 0},
};

static const struct keyword types[] = {
	{"unicast", true, NULL, RTN_UNICAST},     {"local", true, NULL, RTN_LOCAL},
	{"anycast", true, NULL, RTN_ANYCAST},     {"multicast", true, NULL, RTN_MULTICAST},
	{"blackhole", true, NULL, RTN_BLACKHOLE}, {"unreachable", true, NULL, RTN_UNREACHABLE},
	{"prohibit", true, NULL, RTN_PROHIBIT},   {NULL, false, NULL, 0},
};

static bool
number_of(const struct named *names, const char *text, uint64_t max, uint64_t *number)
{
	for (; names->name; names++) {
		if (strcmp(names->name, text) == 0) {
			*number = names->number;
			return true;
		}
	}
	return args_number(text, 0, max, number);
}

static const char *
name_of(const struct named *names, uint32_t number, char buffer[12])
{
	for (; names->name; names++)
		if (names->number == number)
			return names->name;
	g_snprintf(buffer, 12, "%u", number);
	return buffer;
}

bool
route_protocol(const char *text, uint8_t *protocol)
{
	uint64_t number;

	if (!number_of(protocols, text, UINT8_MAX, &number))
		return false;
	*protocol = (uint8_t)number;
	return true;
}

const char *
route_protocol_name(uint8_t protocol, char buffer[12])
{
	return name_of(protocols, protocol, buffer);
}

bool
route_table(const char *text, uint32_t *table)
{
	uint64_t number;

	if (!number_of(tables, text, UINT32_MAX, &number))
		return false;
	*table = (uint32_t)number;
	return true;
}

const char *
route_table_name(uint32_t table, char buffer[12])
{
	return name_of(tables, table, buffer);
}

const struct keyword *
route_type_find(const char *word)
{
	return keyword_find(types, word);
}

const char *
route_type_name(uint8_t type)
{
	for (const struct keyword *t = types; t->name; t++)
		if (t->value == type && type != RTN_UNICAST)
			return t->name;
	return NULL;
}

bool
route_take_prefix(struct args *a, int family, uint8_t addr[16], uint8_t *len)
{
	static const char *const everything[] = {"default", "any", "all", NULL};
	unsigned bits = 0;

	if (!args_left(a))
		return args_error_next(a, "Command line is not complete. Try option \"help\"");
	if (family != AF_INET && g_strv_contains(everything, args_peek(a))) {
		args_take(a);
		memset(addr, 0, 16);
		*len = 0;
		return family == AF_INET6 ||
		       args_not_simulated(a, "routes of IPv4; IPv6 is 'ip -6 route'");
	}
	if (!address_parse_prefix(a, family, addr, &bits))
		return false;
	*len = (uint8_t)bits;
	return true;
}

bool
route_take_address(struct args *a, uint8_t addr[16])
{
	const char *text;

	if (!args_value(a, &text))
		return false;
	return inet_pton(AF_INET6, text, addr) == 1 ||
	       args_error(a, "Error: inet6 address is expected rather than \"%s\".", text);
}

int
route_device(struct process *p, const char *name)
{
	int ifindex = process_link(p, name);

	if (!ifindex)
		process_fail(p, 1, "Cannot find device \"%s\"\n", name);
	return ifindex;
}

uint32_t
route_vrf_table(struct process *p, const char *name)
{
	int ifindex = process_vrf(p, name);

	for (const struct net_device *dev = p->net->first; dev && ifindex; dev = dev->next)
		if (dev->ifindex == ifindex)
			return l3mdev_fib_table(dev);
	process_fail(p, 255, "argument \"%s\" is wrong: Invalid VRF\n\n", name);
	return 0;
}

/* One line */

static void
append_nexthop(GString *out, const struct fib6_info *rt, const struct route_line *line)
{
	const struct net_device *dev = line->dev ? line->dev : rt->dev;
	char gateway[INET6_ADDRSTRLEN];

	if (rt->has_gateway)
		g_string_append_printf(
			out, " via %s",
			inet_ntop(AF_INET6, fib6_gateway(rt), gateway, sizeof gateway));
	if (!line->hide_dev)
		g_string_append_printf(out, " dev %s", dev->name);
}

static void
append_src(GString *out, const struct fib6_info *rt, const struct route_line *line)
{
	const uint8_t *src = line->src ? line->src : rt->has_prefsrc ? fib6_prefsrc(rt) : NULL;
	char text[INET6_ADDRSTRLEN];

	if (src)
		g_string_append_printf(out, " src %s", inet_ntop(AF_INET6, src, text, sizeof text));
}

/* The kernel counts in ticks, and some have passed. */
static void
append_expiry(GString *out, const struct fib6_info *rt)
{
	uint64_t now = engine_now(rt->dev->kernel->engine);

	if (rt->expires > now)
		g_string_append_printf(out, " expires %" G_GUINT64_FORMAT "sec",
				       (rt->expires - now - 1) / PS_PER_S);
}

/* Routes of a device without a carrier, but not what the device itself receives. */
static bool
is_linkdown(const struct fib6_info *rt)
{
	return !netif_carrier_ok(rt->dev) && !fib6_is_local(rt);
}

static void
append_siblings(GString *out, const struct fib6_info *rt)
{
	char gateway[INET6_ADDRSTRLEN];

	for (; rt; rt = rt->next) {
		if (!rt6_qualify_for_ecmp(rt) || rt->nsiblings == 0)
			continue;
		g_string_append_printf(
			out, "\n\tnexthop via %s dev %s weight 1 %s",
			inet_ntop(AF_INET6, fib6_gateway(rt), gateway, sizeof gateway),
			rt->dev->name, is_linkdown(rt) ? "linkdown " : "");
		if (rt->next && rt->next->metric != rt->metric)
			return;
	}
}

void
route_append(GString *out, const struct fib6_info *rt, const struct route_line *line)
{
	bool many = rt->nsiblings > 0 && !line->src;
	char buffer[12];

	if (!many)
		append_nexthop(out, rt, line);
	if (rt->table->id != RT_TABLE_MAIN && !line->hide_table)
		g_string_append_printf(out, " table %s", route_table_name(rt->table->id, buffer));
	if (rt->protocol != RTPROT_BOOT && !line->hide_protocol)
		g_string_append_printf(out, " proto %s", route_protocol_name(rt->protocol, buffer));
	append_src(out, rt, line);
	g_string_append_printf(out, " metric %u", rt->metric);
	if (!many && !line->src && is_linkdown(rt))
		g_string_append(out, " linkdown");
	append_expiry(out, rt);
	g_string_append(out, " pref medium");
	if (many)
		append_siblings(out, rt);
	g_string_append_c(out, '\n');
}
