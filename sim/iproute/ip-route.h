/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-route.h - 'ip route': what its files share. */
#pragma once

#include "iproute/ip.h"
#include "net/ip6-route.h"

/* iproute2's names for numbers; a number without one is printed as it is. */
bool route_protocol(const char *text, uint8_t *protocol);
const char *route_protocol_name(uint8_t protocol, char buffer[12]);
bool route_table(const char *text, uint32_t *table);
const char *route_table_name(uint32_t table, char buffer[12]);
const char *route_type_name(uint8_t type); /* null for unicast ones */
const struct keyword *route_type_find(const char *word);

/* "ADDRESS", "ADDRESS/LENGTH", or "default"; take one word. */
bool route_take_prefix(struct args *, int family, uint8_t addr[16], uint8_t *len);
bool route_take_address(struct args *, uint8_t addr[16]);

/* By a process: a device, or the table of a VRF; 0, and it has said so, if there is none. */
int route_device(struct process *, const char *name);
uint32_t route_vrf_table(struct process *, const char *name);

/* The words of a route behind its destination: " via GATEWAY dev DEVICE ... pref medium".
 * What the command asked for need not be said. */
struct route_line {
	struct net *net;
	bool hide_dev, hide_table, hide_protocol;
	const uint8_t *src;           /* of a lookup, in place of the route's own; may be null */
	const struct net_device *dev; /* the same */
};
void route_append(GString *out, const struct fib6_info *, const struct route_line *);

/* ip-route-show.c: the words after 'show' (the default) and 'flush'. */
bool ip_route_show_parse(struct args *, void *ip, const struct keyword *);
bool ip_route_flush_parse(struct args *, void *ip, const struct keyword *);

/* ip-route-get.c */
bool ip_route_get_parse(struct args *, void *ip, const struct keyword *);

/* ip-route4.c.  Is a command about routes of IPv4?  -4 says so, or that none of its words
 * is an address of IPv6. */
bool ip_route_is_inet(const struct args *, const struct ip *);
bool ip_route4_modify_parse(struct args *, struct ip *, const struct keyword *);
bool ip_route4_show_parse(struct args *, struct ip *);
