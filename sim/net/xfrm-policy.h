/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-policy.h - IPsec's policies: which packets are to be protected, and how.
 *
 * Models net/xfrm/xfrm_policy.c (Linux 5.10 and 6.1); names and return codes are the
 * kernel's.  Addresses, SPIs and ports are as on the wire, all else is in the host's order.
 *
 * A policy whose prefixes are as long as the thresholds is exact, and found in a hash
 * table of its direction by the addresses of a packet.  The others are inexact: a bin of
 * their type, direction, family and if_id has them in lists of the same prefixes, and trees
 * lead to those lists that a packet's addresses fall into: the candidates. */
#pragma once

#include "net/xfrm.h"

#define XFRM_MAX_DEPTH   6 /* templates of a policy */
#define XFRM_POLICY_DIRS 3 /* XFRM_POLICY_IN, _OUT, _FWD */

/* How a new inexact policy gets its place among those of the same priority. */
enum xfrm_policy_insert {
	XFRM_POLICY_RENUMBER,   /* 4.21 to 6.11: a list of all is searched, then numbered again */
	XFRM_POLICY_NUMBER,     /* the list is searched; the number is the newest one's plus 1 */
	XFRM_POLICY_CANDIDATES, /* since 6.12: there is no such list */
};

extern const char *const xfrm_policy_insert_words[]; /* by enum; null-terminated */

/* What messages say of a policy, and what it is: struct xfrm_userpolicy_info and attributes. */
struct xfrm_pol {
	struct xfrm_userpolicy_info info;
	struct xfrm_mark mark;
	uint32_t if_id;
	uint8_t type; /* XFRM_POLICY_TYPE_MAIN, _SUB */
	unsigned tmpls;
	struct xfrm_user_tmpl tmpl[XFRM_MAX_DEPTH];
};

/* Elements of the tables xfrm_policy, xfrm_policy_idx and xfrm_policy_inexact. */
struct xfrm_policy_node {
	struct key key;
	struct xfrm_policy *p;
};

struct xfrm_policy {
	struct net *net;
	struct xfrm_pol pol;
	uint32_t id;                  /* rises with each one that comes */
	uint64_t seq;                 /* its place in lists, among those of its priority */
	uint64_t pos;                 /* the same, where candidates of two lists are compared */
	bool dead;                    /* it is in no table any more */
	struct xfrm_policy_node *dst; /* exact: in the table of its addresses */
	struct xfrm_policy_node *idx; /* by index */
	struct xfrm_policy_node *all; /* inexact: in the list of all; null: there is none */
	struct xfrm_pol_chain *chain; /* inexact: the list of those with its prefixes */
	GSequenceIter *at, *all_at;   /* its places in that list, and among all */
	struct work timer;
};

/* A packet as policies see it. */
struct xfrm_flow {
	uint16_t family; /* AF_INET, AF_INET6 */
	xfrm_address_t daddr, saddr;
	uint16_t sport, dport; /* as on the wire; 0 where the protocol has none */
	uint8_t proto;
	int oif; /* ifindex; 0: not known yet */
	uint32_t mark;
};

/* xfrm-policy-find.c: for each packet. */

/* The policy that a packet has to follow, or null: the one of lowest priority that
 * selects it, and has its if_id; of several the oldest.  First of type SUB, then of type
 * MAIN: CONFIG_XFRM_SUB_POLICY is set.  'dir' is XFRM_POLICY_IN ...  The answer lives as
 * long as an RCU read section of the caller. */
struct xfrm_policy *xfrm_policy_lookup(struct net *, const struct xfrm_flow *, uint8_t dir,
				       uint32_t if_id);
struct xfrm_policy *xfrm_policy_lookup_bytype(struct net *, uint8_t type, const struct xfrm_flow *,
					      uint8_t dir, uint32_t if_id);

/* Does the policy's selector take the packet? */
bool xfrm_selector_match(const struct xfrm_selector *, const struct xfrm_flow *);

/* A packet follows it, now: what 'ip -s' shows as "use". */
void xfrm_policy_use(struct xfrm_policy *);

/* How many there are of a direction: without any, packets are not checked. */
uint32_t xfrm_policy_count(const struct net *, uint8_t dir);

/* xfrm-policy.c */

/* Takes a policy, copied.  'excl': -EEXIST if one of the same selector, type, mark and
 * if_id is there; else that one is replaced. */
int xfrm_policy_insert(struct net *, const struct xfrm_pol *, bool excl);

int xfrm_policy_delete(struct xfrm_policy *);      /* -ENOENT: it is dead */
int xfrm_policy_flush(struct net *, uint8_t type); /* -ESRCH: there was none */

/* The policy with just this selector, type, mark and if_id; or this index: null. */
struct xfrm_policy *xfrm_policy_bysel(struct net *, const struct xfrm_pol *);
struct xfrm_policy *xfrm_policy_byid(struct net *, const struct xfrm_pol *);

/* What becomes of a bin whose policy was just found by its selector, and deleted: the
 * kernel looks through all of its nodes for empty ones. */
void xfrm_policy_inexact_prune_bin(struct net *, const struct xfrm_pol *);

struct xfrm_policy_counts {
	uint32_t count[XFRM_POLICY_DIRS];
	uint32_t hash_mask, buckets_max; /* of the table of indexes */
	uint8_t lbits4, rbits4, lbits6, rbits6;
};
struct xfrm_policy_counts xfrm_spd_getinfo(const struct net *);

/* Thresholds: prefixes at least this long make a policy exact.  Policies move by and by. */
struct xfrm_policy_hthresh {
	uint8_t lbits, rbits; /* of the local and the remote prefix */
};
void xfrm_policy_set_hthresh(struct net *, const struct xfrm_policy_hthresh *ipv4,
			     const struct xfrm_policy_hthresh *ipv6); /* null: as it is */

/* All of them, the newest first, as the kernel's list has them: null at the end. */
struct xfrm_policy *xfrm_policy_walk(struct net *, struct cursor *);

/* The same, from bucket to bucket of the indexes. */
struct xfrm_policy *xfrm_policy_walk_buckets(struct net *, struct cursor *);
