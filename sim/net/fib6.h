/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fib6.h - IPv6 routing tables: one tree a table, a list of routes a prefix.
 *
 * Models net/ipv6/ip6_fib.c and fib6_rules.c (Linux 5.10 and 6.1).  The tree is a
 * structure of its own and no table of table.h: what is asked for is the longest
 * prefix of an address that has a route, and the seam's find() knows only whole keys.
 * It has the kernel's shape, inner nodes without routes included; lookups count the
 * nodes that they pass as calls of "visit_fib6_node".
 *
 * Everything that changes routes needs RTNL; lookups run in a read section. */
#pragma once

#include <linux/rtnetlink.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/work.h"
#include "net/addrconf-core.h"
#include "net/netdevice.h"

#define IP6_RT_PRIO_USER     1024 /* metrics: of a user who names none ... */
#define IP6_RT_PRIO_ADDRCONF 256  /* ... and of the kernel's own prefix routes */

struct fib6_info;

/* A prefix that has routes, or a fork. */
struct fib6_node {
	struct fib6_node *parent, *left, *right;
	struct fib6_info *leaf, *last; /* null: an inner node, or the empty root */
	unsigned count;                /* of its routes */
	uint8_t key[16];               /* the prefix: zero behind its first 'bit' bits */
	uint8_t bit;
};

/* A route. */
struct fib6_info {
	struct fib6_table *table;
	struct fib6_node *node;                /* has the prefix */
	struct fib6_info *prev, *next;         /* of the same prefix, by metric */
	struct net_device *dev;                /* where it leads; lo for those that only refuse */
	struct fib6_info *dev_prev, *dev_next; /* inet6_dev.routes, newest first */
	uint64_t expires;                      /* picoseconds; 0: never */
	uint32_t metric;
	unsigned nsiblings;     /* others of the same metric that share its traffic */
	uint8_t type, protocol; /* RTN_UNICAST ..., RTPROT_KERNEL ... */
	bool has_gateway, has_prefsrc;
	uint8_t more[][16]; /* few routes have a gateway, few a source address */
};

static inline const uint8_t *
fib6_dst(const struct fib6_info *rt)
{
	return rt->node->key;
}

static inline unsigned
fib6_plen(const struct fib6_info *rt)
{
	return rt->node->bit;
}

static inline const uint8_t *
fib6_gateway(const struct fib6_info *rt) /* with has_gateway */
{
	return rt->more[0];
}

static inline const uint8_t *
fib6_prefsrc(const struct fib6_info *rt) /* with has_prefsrc */
{
	return rt->more[rt->has_gateway];
}

struct fib6_table {
	uint32_t id;
	struct fib6_node root;
	struct fib6_table *next; /* of one hash chain, newest first */
	unsigned nodes;          /* that have a route */
};

#define FIB6_TABLE_HASHSZ 256

/* Of one namespace.  All zero is valid. */
struct netns_fib6 {
	struct net *net;
	struct fib6_table *tables[FIB6_TABLE_HASHSZ];
	struct fib6_table *local, *main;
	bool has_custom_rules; /* a VRF brings the rule l3mdev, which stays */
	unsigned prefsrcs;     /* routes with a source address of their own */
	struct work gc_work;   /* routes that expire */
};

struct netns_fib6 *netns_fib6(const struct net *);

void fib6_init(struct net *, struct netns_fib6 *);
void fib6_exit(struct netns_fib6 *); /* all its devices are gone */

struct fib6_table *fib6_get_table(const struct netns_fib6 *, uint32_t id); /* or null */
struct fib6_table *fib6_new_table(struct netns_fib6 *, uint32_t id);       /* finds or makes it */

/* How a route is added: NLM_F_CREATE, _EXCL, _REPLACE, _APPEND. */

/* Takes the route, whose 'table' and what describes it are set, to the prefix 'dst'; frees
 * it on failure: -EEXIST, -ENOENT, with a text for the user where the kernel has one. */
int fib6_add(struct fib6_info *, const uint8_t dst[16], unsigned plen, uint16_t nlflags,
	     struct ext_ack *);
void fib6_del(struct fib6_info *); /* and frees it */

/* The first route with exactly this prefix, or null. */
struct fib6_info *fib6_locate(struct fib6_table *, const uint8_t dst[16], unsigned plen);

/* The kernel's own route with this prefix by this device, or null. */
struct fib6_info *fib6_find_on_dev(struct fib6_table *, const struct net_device *,
				   const uint8_t dst[16], unsigned plen);

/* The node with a route whose prefix is the longest that fits, or the root. */
struct fib6_node *fib6_node_lookup(struct kernel *, struct fib6_table *, const uint8_t daddr[16]);

/* The next shorter prefix with a route, the root at last; null beyond it. */
struct fib6_node *fib6_backtrack(struct fib6_node *);

/* In the order of a dump: tables by their hash, prefixes behind those that they
 * contain, a route's own list as it is. */
void fib6_walk(const struct netns_fib6 *, void (*each)(struct fib6_info *, void *data), void *data);

bool fib6_check_expired(const struct fib6_info *);

/* Does it lead to this host itself?  Anycast ones of users do not. */
static inline bool
fib6_is_local(const struct fib6_info *rt)
{
	return rt->type == RTN_LOCAL || (rt->type == RTN_ANYCAST && rt->protocol == RTPROT_KERNEL);
}

/* May it share traffic with others of its prefix and metric? */
static inline bool
rt6_qualify_for_ecmp(const struct fib6_info *rt)
{
	return rt->has_gateway && rt->protocol != RTPROT_RA;
}
