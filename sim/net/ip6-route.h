/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip6-route.h - IPv6 routes: what makes them, what looks them up.
 *
 * Models net/ipv6/route.c and the policy rules of fib6_rules.c (Linux 5.10 and 6.1,
 * with CONFIG_IPV6_MULTIPLE_TABLES and CONFIG_IPV6_ROUTER_PREF).  A route's cached
 * exceptions (PMTU, redirects) are left out: there is nobody who would cause them. */
#pragma once

#include "net/fib6.h"

/* A route that is asked for or described; unset fields are zero. */
struct fib6_config {
	uint32_t table, metric; /* 0: RT_TABLE_MAIN; IP6_RT_PRIO_USER */
	uint8_t type, protocol; /* RTN_UNICAST ...; RTPROT_BOOT ..., 0 of a deletion: any */
	uint8_t dst[16], dst_len;
	bool has_gateway, has_prefsrc;
	uint8_t gateway[16], prefsrc[16];
	int ifindex;            /* 0: by the gateway */
	struct net_device *dev; /* who has it need not look it up; null: by ifindex */
	uint64_t expires;       /* picoseconds; 0: never */
	uint16_t nlflags;       /* NLM_F_CREATE ... */
	bool ignore_dev_down;
};

/* What is looked up.  'saddr' zero: to be selected. */
struct flowi6 {
	uint8_t daddr[16], saddr[16];
	int oif; /* 0: any */
};

/* Where a flow leads; 'rt' null: nowhere, and 'error' says why. */
struct fib6_result {
	const struct fib6_info *rt;
	struct net_device *dev; /* that of the route, or a loopback for local ones */
	int error;
};

/* RTM_NEWROUTE, RTM_DELROUTE by a user; each takes RTNL.  0, -EINVAL, -ENODEV,
 * -ENETDOWN, -EACCES, -EHOSTUNREACH, -EEXIST, -ENOENT, -ESRCH. */
int inet6_rtm_newroute(struct net *, const struct fib6_config *, struct ext_ack *);
int inet6_rtm_delroute(struct net *, const struct fib6_config *, struct ext_ack *);

/* Under RTNL. */
int ip6_route_add(struct net *, const struct fib6_config *, struct ext_ack *);
void rt6_disable_ip(struct net_device *); /* it goes down, or away: so do its routes */

/* The routes that come with addresses and devices; addrconf.c calls them. */
struct inet6_ifaddr;
void addrconf_prefix_route(const struct inet6_ifaddr *);
void addrconf_modify_prefix_route(const struct inet6_ifaddr *); /* or adds it */
void addrconf_cleanup_prefix_route(const struct inet6_ifaddr *);
void addrconf_ins_host_route(const struct inet6_ifaddr *);
void addrconf_del_host_route(const struct inet6_ifaddr *);
void rt6_remove_prefsrc(const struct inet6_ifaddr *); /* routes that name it name none */
void addrconf_add_mroute(struct net_device *);
void addrconf_anycast_route(struct net_device *, const uint8_t addr[16], bool add);

/* In a read section.  ip6_route_output_flags(): the lookup of what this host sends. */
struct fib6_result ip6_route_output(struct net *, struct flowi6 *);

/* The source address of what takes this route: its own, or one that is selected. */
int ip6_route_get_saddr(struct net *, const struct fib6_result *, const uint8_t daddr[16],
			uint8_t saddr[16]);

/* RTM_GETROUTE of one destination; takes a read section.  0, or what the kernel says
 * to who asks. */
int inet6_rtm_getroute(struct net *, const struct flowi6 *, struct fib6_result *,
		       uint8_t saddr[16]);

/* RTM_GETROUTE of a table (0: of all), in the order of fib6_walk().  Of routes that share
 * their traffic 'each' gets the first.  -ENOENT, with a text: there is no such table. */
int inet6_dump_fib(struct net *, uint32_t table, void (*each)(const struct fib6_info *, void *data),
		   void *data, struct ext_ack *);

/* vrf.c: the table of a VRF or of a device in one; 0: neither. */
uint32_t l3mdev_fib_table(const struct net_device *);
