/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inet6.h - IPv6 on devices: addresses, multicast groups, settings.
 *
 * Models include/net/if_inet6.h, ipv6_devconf and what net/ipv6/{addrconf,
 * mcast,anycast}.c offer each other, under their kernel names. */
#pragma once

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/spin.h"
#include "engine/work.h"
#include "net/netdevice.h"

#define INFINITY_LIFE_TIME UINT32_MAX
#define IPV6_MIN_MTU       1280

enum inet6_ifaddr_state {
	INET6_IFADDR_STATE_PREDAD,
	INET6_IFADDR_STATE_DAD,
};

/* Scopes as in a multicast address; what rtnetlink calls host, link, site, global. */
enum ipv6_scope {
	IPV6_ADDR_SCOPE_NODELOCAL = 1,
	IPV6_ADDR_SCOPE_LINKLOCAL = 2,
	IPV6_ADDR_SCOPE_SITELOCAL = 5,
	IPV6_ADDR_SCOPE_GLOBAL = 14,
};

/* An element of the table inet6_addr: key = the address, sub = ifindex. */
struct inet6_ifaddr {
	struct key key;
	struct inet6_dev *idev;
	uint8_t prefixlen, proto; /* IFAPROT_KERNEL_LL ...: who made it; 0: a user */
	enum ipv6_scope scope;
	uint32_t flags;                    /* IFA_F_PERMANENT, IFA_F_TENTATIVE, IFA_F_NODAD ... */
	uint32_t valid_lft, preferred_lft; /* seconds from tstamp; INFINITY_LIFE_TIME */
	uint32_t seq;                      /* rises with each address of the namespace */
	uint64_t tstamp;                   /* picoseconds */
	enum inet6_ifaddr_state state;
	int dad_probes;
	struct dad_work *dad_work;      /* may outlive the address while it waits for RTNL */
	struct inet6_ifa_node *if_list; /* in idev->addr_list */
	struct refcount refcnt;         /* of the device, and of who holds it; locking.h */
};

/* An element of the table inet6_ifa_list, which a device has one of: key = the address. */
struct inet6_ifa_node {
	struct key key;
	struct inet6_ifaddr *ifa;
};

/* A joined group; idev->mc_list has the newest first. */
struct ifmcaddr6 {
	uint8_t addr[16];
	unsigned users;
	bool loaded; /* MAF_LOADED: on the device's list */
	struct ifmcaddr6 *next;
};

/* An anycast address of a router: its prefix. */
struct ifacaddr6 {
	uint8_t addr[16];
	unsigned users;
	struct ifacaddr6 *next;
};

/* /proc/sys/net/ipv6/conf/X; addrconf-sysctl.c says what each may be. */
struct ipv6_devconf {
	int forwarding, accept_dad, dad_transmits, keep_addr_on_down, disable_ipv6;
	int router_solicitations, addr_gen_mode, accept_ra;
	int use_tempaddr, optimistic_dad, use_optimistic, use_oif_addrs_only;
};

struct inet6_dev {
	struct net_device *dev;
	struct table addr_list; /* inet6_ifa_list: wider scope first; newest first within one */
	struct rwlock lock;     /* locking.h */
	struct ifmcaddr6 *mc_list;
	struct ifacaddr6 *ac_list;
	struct fib6_info *routes; /* that lead out by it; fib6.h */
	unsigned route_count;
	struct ipv6_devconf cnf;
	bool ready; /* IF_READY */
	bool dead;
};

static inline struct inet6_dev *
in6_dev_get(const struct net_device *dev)
{
	return dev->ip6_ptr;
}

/* The next address of the device's list, or null; a counted step. */
static inline struct inet6_ifaddr *
ipv6_next_ifaddr(const struct inet6_dev *idev, struct cursor *cursor)
{
	struct inet6_ifa_node *node = table_next((struct table *)&idev->addr_list, cursor);

	return node ? node->ifa : NULL;
}

/* The list may change meanwhile. */
#define for_each_ifaddr(idev, cursor, ifa)                                                         \
	for (*(cursor) = CURSOR_START; ((ifa) = ipv6_next_ifaddr((idev), (cursor))) != NULL;)

/* Addresses */

bool ipv6_addr_any(const uint8_t addr[16]);
bool ipv6_addr_loopback(const uint8_t addr[16]);
bool ipv6_addr_linklocal(const uint8_t addr[16]);
bool ipv6_addr_multicast(const uint8_t addr[16]);
enum ipv6_scope ipv6_addr_scope(const uint8_t addr[16]);

/* addrconf.c and its parts.  All need RTNL. */

/* Of one namespace. */
struct inet6_net {
	struct table addrs;
	uint32_t addr_seq;
	struct ipv6_devconf all, dflt;
	struct work verify_work; /* lifetimes */
};

struct inet6_net *inet6_net(const struct net *);

struct inet6_ifaddr_config {
	const uint8_t *addr;
	uint8_t prefixlen, proto;
	uint32_t flags, valid_lft, preferred_lft;
};

/* 0, -EADDRNOTAVAIL, -EACCES, -ENODEV, -EEXIST. */
int ipv6_add_addr(struct inet6_dev *, const struct inet6_ifaddr_config *, struct inet6_ifaddr **);
void ipv6_del_addr(struct inet6_ifaddr *);
void ipv6_link_dev_addr(struct inet6_dev *, struct inet6_ifaddr *); /* into its list */
void ipv6_unlink_addr(struct inet6_ifaddr *); /* out of idev's list and the table, and freed */
void ipv6_ifa_notify_new(struct inet6_ifaddr *);
void ipv6_ifa_notify_del(struct inet6_ifaddr *);
void addrconf_verify_rtnl(struct net *);
void addrconf_verify_init(struct net *);
void addrconf_verify_cancel(struct net *);
void addrconf_mod_work(const struct kernel *, struct work *, uint64_t delay);

struct inet6_dev *ipv6_find_idev(struct net_device *); /* makes one; null below IPV6_MIN_MTU */
struct inet6_dev *addrconf_add_dev(struct net_device *, int *err);
void addrconf_up(struct net_device *);   /* what the events NETDEV_UP ... */
void addrconf_down(struct net_device *); /* ... and NETDEV_DOWN do */

void addrconf_dad_init(struct inet6_ifaddr *);
void addrconf_dad_release(struct inet6_ifaddr *);
void addrconf_dad_start(struct inet6_ifaddr *);
void addrconf_del_dad_work(struct inet6_ifaddr *);
void addrconf_dad_run(struct inet6_dev *, bool restart);

int addrconf_sysctl_write(struct net *, const char *path, const char *value);
int addrconf_sysctl_read(struct net *, const char *path, int *value);

/* mcast.c */
int ipv6_dev_mc_inc(struct net_device *, const uint8_t group[16]);
int ipv6_dev_mc_dec(struct net_device *, const uint8_t group[16]);
void ipv6_mc_init_dev(struct inet6_dev *);
void ipv6_mc_up(struct inet6_dev *);
void ipv6_mc_down(struct inet6_dev *);
void ipv6_mc_destroy_dev(struct inet6_dev *);
void addrconf_join_solict(struct net_device *, const uint8_t addr[16]);
void addrconf_leave_solict(struct inet6_dev *, const uint8_t addr[16]);

extern const uint8_t in6addr_interfacelocal_allnodes[16], in6addr_linklocal_allnodes[16];
extern const uint8_t in6addr_linklocal_allrouters[16], in6addr_interfacelocal_allrouters[16];
extern const uint8_t in6addr_sitelocal_allrouters[16];

/* anycast.c */
void addrconf_join_anycast(struct inet6_ifaddr *);
void addrconf_leave_anycast(struct inet6_ifaddr *);
void ipv6_ac_destroy_dev(struct inet6_dev *);
