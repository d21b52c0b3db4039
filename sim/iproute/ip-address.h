/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-address.h - 'ip address': what the files about it share. */
#pragma once

#include "iproute/ip.h"
#include "net/inet6.h"

/* Flags that ip has words for, in the order in which it prints them. */
struct address_flag {
	const char *name;
	uint32_t flag;
};

extern const struct address_flag address_flags[]; /* ends at a null name */

/* Which addresses of which devices 'show' and 'flush' are about. */
struct address_filter {
	char *dev, *master, *vrf, *kind; /* or null */
	bool up, nomaster, has_group, has_scope, has_prefix;
	unsigned group;
	uint8_t scope;
	uint32_t flags, flags_mask;
	uint8_t prefix[16];
	unsigned prefix_len;
	int family; /* of flush: AF_UNSPEC or AF_INET6 */
};

/* 'what' is for messages.  Takes all words that are left. */
bool address_filter_parse(struct args *, struct address_filter *, const char *what);
void address_filter_clear(struct address_filter *);

/* Of IPv4 there is one address, 127.0.0.1/8 of a loopback device that was up. */
bool address_filter_fits6(const struct address_filter *, const struct inet6_ifaddr *);
bool address_filter_fits4(const struct address_filter *, const struct net_device *);

uint8_t address_scope(const struct inet6_ifaddr *); /* as rtnetlink numbers scopes */

/* "ADDRESS/LENGTH", which need not have a length.  Takes one word. */
bool address_parse_prefix(struct args *, int family, uint8_t addr[16], unsigned *len);

/* ip-address-flush.c */
bool ip_address_flush_parse(struct args *, void *ip, const struct keyword *);
