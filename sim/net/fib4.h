/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fib4.h - IPv4 routes of a namespace, in the tables local and main.
 *
 * Models net/ipv4/fib_trie.c, fib_semantics.c, fib_frontend.c and the lookup of
 * net/ipv4/route.c (Linux 5.10 and 6.1), as far as packets need them.  The kernel's
 * compressed trie is a structure of its own; here routes stand in an array, in the
 * trie's order, and reading it is not counted.  One nexthop a route; rules, other tables
 * and VRFs are not modelled. */
#pragma once

#include <linux/rtnetlink.h>
#include <stdbool.h>
#include <stdint.h>

#include "net/netdevice.h"

/* A route that is asked for; unset fields are zero. */
struct fib_config {
	uint32_t table;                 /* RT_TABLE_MAIN or RT_TABLE_LOCAL */
	uint8_t type, scope, protocol;  /* RTN_UNICAST ...; of a deletion: 0, NOWHERE and 0: any */
	uint32_t dst, gateway, prefsrc; /* 0: none */
	uint8_t dst_len;
	uint32_t priority;
	int ifindex;      /* 0: by the gateway */
	uint16_t nlflags; /* NLM_F_CREATE, _EXCL, _REPLACE */
};

/* A route: the kernel's fib_alias and fib_info in one. */
struct fib_alias {
	uint32_t table;
	uint32_t dst, gateway, prefsrc;
	uint32_t priority;
	struct net_device *dev; /* null: it only refuses */
	uint8_t dst_len, type, scope, protocol;
};

/* What is looked up.  'saddr' 0: to be selected. */
struct flowi4 {
	uint32_t daddr, saddr;
	int oif; /* 0: any */
	uint8_t proto;
	uint16_t sport, dport;
};

/* Where packets of a flow go: the kernel's struct rtable, by value. */
struct rtable {
	struct net_device *dev; /* null: nowhere */
	uint8_t type;           /* RTN_LOCAL: to this host itself */
	uint32_t gateway;       /* 0: it is on the link */
};

/* RTM_NEWROUTE, RTM_DELROUTE; each takes RTNL.  0, -EINVAL, -ENODEV, -ENETDOWN,
 * -ENETUNREACH, -EEXIST, -ENOENT, -ESRCH. */
int inet_rtm_newroute(struct net *, const struct fib_config *, struct ext_ack *);
int inet_rtm_delroute(struct net *, const struct fib_config *, struct ext_ack *);

/* Rises with each change of routes. */
uint64_t fib_genid(const struct net *);

/* RTM_GETROUTE: all of a table, 0: of both, as the trie has them. */
void inet_dump_fib(const struct net *, uint32_t table,
		   void (*each)(const struct fib_alias *, void *data), void *data);

/* Under RTNL: routes that come and go with addresses and devices. */
struct in_ifaddr;
void fib_add_ifaddr(const struct in_ifaddr *);
void fib_del_ifaddr(const struct in_ifaddr *); /* it is in its list no more */
void fib_netdev_up(struct net_device *);
void fib_disable_ip(struct net_device *, bool force); /* force: it goes away */

/* In a read section.  Fills in the source address: 0, -ENETUNREACH, or what a route that
 * refuses says; where no source was given, or it is this host's. */
int __ip_route_output_key(struct net *, struct flowi4 *, struct rtable *);

/* Where a packet that has come in is to go: RTN_LOCAL, _BROADCAST, _UNICAST (to be
 * forwarded), or RTN_UNREACHABLE. */
uint8_t ip_route_input(struct net *, uint32_t daddr);
