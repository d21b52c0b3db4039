/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-address.h - 'ip address': what the files about it share. */
#pragma once

#include <glib.h>
#include <libmnl/libmnl.h>

#include "iproute/ip.h"

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
	int family; /* of flush: AF_UNSPEC, AF_INET or AF_INET6 */
};

/* 'what' is for messages.  Takes all words that are left. */
bool address_filter_parse(struct args *, struct address_filter *, const char *what);
void address_filter_clear(struct address_filter *);

/* Is an address of this family (AF_UNSPEC: any) let through?  It is a message's. */
bool address_filter_fits(const struct address_filter *, int family, const struct nlmsghdr *);

/* The attribute of a message about an address, or null. */
const struct nlattr *address_attr(const struct nlmsghdr *, uint16_t type);

/* All addresses, or those of one link, as the kernel tells of them: messages, copied.
 * Null: it refused. */
GPtrArray *address_dump(struct process *, int family, int ifindex);

/* "ADDRESS/LENGTH", which need not have a length.  Takes one word.  The first takes both
 * families unless *family says which, and sets it; addresses are as on the wire. */
bool address_parse_any_prefix(struct args *, int *family, uint8_t addr[16], unsigned *len);
bool address_parse_prefix(struct args *, int family, uint8_t addr[16], unsigned *len);

/* ip-address-flush.c */
bool ip_address_flush_parse(struct args *, void *ip, const struct keyword *);
