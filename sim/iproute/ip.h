/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip.h - ip(8): its options, and the objects that it acts on. */
#pragma once

#include <sys/socket.h>

#include "iproute/command-impl.h"

/* What stands before the object. */
struct ip_options {
	int family; /* AF_UNSPEC, AF_INET, AF_INET6, AF_PACKET */
	bool json, details, brief, oneline, statistics;
	bool more_statistics; /* -s -s */
	bool compress;        /* of bridge(8): ranges of VLANs on one line */
};

/* An object's commands: tables of keywords whose 'parse' gets a struct ip. */
struct ip {
	struct ip_options options;
	struct command *command;
	const char *input;
};

/* Runs the command that is next, or 'fallback' at the end of the line.  'name' is the
 * object as ip's error text spells it. */
bool ip_command_parse(struct args *, struct ip *, const char *name, const struct keyword *table,
		      bool (*fallback)(struct args *, void *ip, const struct keyword *));

bool ip_link_parse(struct args *, void *ip, const struct keyword *);
bool ip_address_parse(struct args *, void *ip, const struct keyword *);
bool ip_addrlabel_parse(struct args *, void *ip, const struct keyword *);
bool ip_maddress_parse(struct args *, void *ip, const struct keyword *);
bool ip_neigh_parse(struct args *, void *ip, const struct keyword *);
bool ip_route_parse(struct args *, void *ip, const struct keyword *);
bool ip_netns_parse(struct args *, void *ip, const struct keyword *);
bool ip_xfrm_parse(struct args *, void *ip, const struct keyword *);

/* ip-link-show.c: the words after 'ip link show' or 'ip address show'. */
enum ip_show {
	IP_SHOW_ADDRESSES = 1 << 0, /* 'ip address' */
	IP_SHOW_PROBES = 1 << 1,    /* ip_link_probe() comes first: not if it is just 'ip link' */
};
bool ip_show_devices_parse(struct args *, struct ip *, unsigned flags);

/* The value of -netns, which bridge(8) has, too. */
bool ip_netns_option(struct args *, struct command *);

/* Shared by the objects. */
bool ip_refuse_statistics(struct args *, const struct ip *, const char *what);
bool ip_scope(const char *text, uint8_t *scope); /* "global", "link", a number ... */
const char *ip_scope_name(uint8_t scope, char buffer[8]);
bool ip_is_name(const char *name); /* may a new device be called so? */
