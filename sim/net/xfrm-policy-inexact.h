/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-policy-inexact.h - bins of inexact policies, and what the files about policies
 * share.
 *
 * Models net/xfrm/xfrm_policy.c (Linux 5.10 and 6.1). */
#pragma once

#include "net/xfrm-policy-tree.h"

/* Element of the table xfrm_policy_bin: what one type, direction, family and if_id has. */
struct xfrm_policy_bin {
	struct key key;
	uint16_t family;
	uint32_t nodes; /* in all of its trees */
	struct xfrm_pol_tree by_daddr, by_saddr;
	struct xfrm_pol_chain any;
};

/* The lists that a packet's addresses lead to, in the order in which they are read. */
enum {
	XFRM_POL_CAND_BOTH,
	XFRM_POL_CAND_SADDR,
	XFRM_POL_CAND_DADDR,
	XFRM_POL_CAND_ANY,
	XFRM_POL_CAND_MAX,
};

struct xfrm_pol_candidates {
	struct xfrm_pol_chain *chain[XFRM_POL_CAND_MAX]; /* null: there is none */
};

/* Of one namespace. */
struct xfrm_policy_net {
	struct table dst[XFRM_POLICY_DIRS]; /* exact ones */
	struct table all[XFRM_POLICY_DIRS]; /* inexact ones, if they are listed at all */
	struct table idx, bin;
	GSequence *order[XFRM_POLICY_DIRS]; /* inexact ones by priority and age */
	GHashTable *identities;             /* policies by what no two of them share */
	uint32_t count[XFRM_POLICY_DIRS], serial, idx_generator;
	uint32_t buckets[XFRM_POLICY_DIRS], idx_buckets; /* as the kernel has them */
	struct xfrm_policy_hthresh ipv4, ipv6;           /* asked for ... */
	struct xfrm_policy_hthresh used4, used6;         /* ... and in use */
	struct mutex lock;
	struct work resize_work, rebuild_work;
	bool working; /* one of them runs */
};

struct xfrm_policy_net *xfrm_policy_net(const struct net *);

/* Adds to the calls of a name that counts what was read. */
#define XFRM_COUNT_READ(net_, name_, n_)                                                           \
	do {                                                                                       \
		static unsigned number_;                                                           \
		if (G_UNLIKELY(number_ == 0))                                                      \
			number_ = call_number(name_);                                              \
		(net_)->kernel->calls.count[number_] += (n_);                                      \
	} while (0)

/* The bin of a policy's kind, or null. */
struct xfrm_policy_bin *xfrm_policy_inexact_lookup(struct net *, uint8_t type, uint16_t family,
						   uint8_t dir, uint32_t if_id);

/* The list that the policy belongs to; makes bin and nodes, if they are new. */
struct xfrm_pol_chain *xfrm_policy_inexact_alloc_chain(struct net *, const struct xfrm_pol *);

void xfrm_policy_find_inexact_candidates(struct net *, struct xfrm_policy_bin *,
					 const xfrm_address_t *saddr, const xfrm_address_t *daddr,
					 struct xfrm_pol_candidates *);

/* The policy's place in a list, among its priority by age; and out of it again, with
 * what is empty then. */
void xfrm_pol_chain_add(struct xfrm_pol_chain *, struct xfrm_policy *);
void xfrm_pol_chain_remove(struct xfrm_policy *);

/* A list that was made for a policy that does not come, if it is empty. */
void xfrm_pol_chain_prune(struct net *, const struct xfrm_pol *, struct xfrm_pol_chain *);

/* Like strcmp(): of two policies, whose turn is first? */
int xfrm_policy_compare(gconstpointer a, gconstpointer b, gpointer unused);

/* How many policies of a sorted list the kernel reads until it has found the place of one
 * of this priority, and its twin: null, there is none. */
unsigned xfrm_policy_insert_reads(GSequence *, uint32_t priority, GSequenceIter *twin);

void xfrm_policy_inexact_check(struct net *); /* asserts all rules; slow */

/* xfrm-policy-timer.c */
void xfrm_policy_timer_init(struct xfrm_policy *);
void xfrm_policy_timer_start(struct xfrm_policy *);

/* xfrm-policy-key.c: the key of a packet or a policy in the table of its direction; of an
 * index; and whether a policy's prefixes are long enough to be in that table. */
struct key xfrm_policy_dst_key(const struct xfrm_policy_net *, const xfrm_address_t *daddr,
			       const xfrm_address_t *saddr, uint16_t family, uint8_t dir);
struct key xfrm_policy_idx_key(uint32_t index);
bool xfrm_policy_is_exact(const struct xfrm_policy_net *, const struct xfrm_pol *);

/* The policy that has the same selector, type, direction, mark and if_id, or null. */
struct xfrm_policy *xfrm_policy_twin(const struct xfrm_policy_net *, const struct xfrm_policy *);
