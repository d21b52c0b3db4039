/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm.h - IPsec's security associations: what a namespace has of them, and who asks.
 *
 * Models include/net/xfrm.h and net/xfrm/xfrm_state.c (Linux 5.10 and 6.1); names and
 * return codes are the kernel's.  Addresses, SPIs and ports are as on the wire, all
 * else is in the host's order.  No packet is encrypted: what is here is looked up. */
#pragma once

#include <linux/xfrm.h>
#include <netinet/in.h>

#include "net/netdevice.h"

#define XFRM_KEY_MAX    64         /* bytes */
#define XFRM_HASH_MIN   8          /* buckets */
#define XFRM_HASH_MAX   (1u << 20) /* ... which tables do not outgrow */
#define XFRM_BOOT_TIME  1577836800 /* when simulated time begins: 2020-01-01, in seconds */
#define XFRM_ESN_WINDOW 4096       /* the largest one */

enum xfrm_alg_kind { XFRM_ALG_AEAD, XFRM_ALG_AUTH, XFRM_ALG_CRYPT, XFRM_ALG_COMP, XFRM_ALG_KINDS };

/* An algorithm.  A state has memory for as much of the key as there is. */
struct xfrm_alg {
	const char *name;            /* lives as long as the program */
	unsigned key_bits, icv_bits; /* icv_bits: of auth and aead */
	uint8_t key[XFRM_KEY_MAX];
};

static inline size_t
xfrm_alg_key_bytes(const struct xfrm_alg *alg)
{
	return (alg->key_bits + 7) / 8;
}

/* What messages say of a state, and what it is: struct xfrm_usersa_info and attributes.
 * Algorithms are by kind, null: none; who takes a struct copies them. */
struct xfrm_sa {
	struct xfrm_usersa_info info;
	struct xfrm_mark mark, smark;
	uint32_t if_id, tfcpad, extra_flags;
	const struct xfrm_alg *alg[XFRM_ALG_KINDS];
	bool has_encap;
	struct xfrm_encap_tmpl encap;
	struct xfrm_replay_state replay;
	uint32_t esn_window; /* XFRMA_REPLAY_ESN_VAL's replay_window; 0: not given */
};

enum xfrm_state_table { XFRM_BYDST, XFRM_BYSRC, XFRM_BYSPI, XFRM_STATE_TABLES };

/* Elements of the tables xfrm_state_dst, _src and _spi: a state is in all of them, but not
 * in the last one while it has no SPI.  Keys begin with the kernel's hash, by which they
 * are in buckets; behind it is as much of what identifies them as there is room for, so
 * that equal keys are nearly always equal states.  Who searches compares the rest. */
struct xfrm_state_node {
	struct key key;
	struct xfrm_state *x;
};

struct xfrm_state {
	struct net *net;
	struct xfrm_sa sa;
	struct xfrm_state_node *node[XFRM_STATE_TABLES];
	uint32_t id; /* rises with each one that comes */
	uint32_t genid;
	uint8_t km_state; /* XFRM_STATE_VALID ... */
	bool dying;       /* a soft limit is reached */
	struct work timer;
};

enum {
	XFRM_STATE_VOID,
	XFRM_STATE_ACQ,
	XFRM_STATE_VALID,
	XFRM_STATE_ERROR,
	XFRM_STATE_EXPIRED,
	XFRM_STATE_DEAD,
};

struct xfrm_state_counts {
	uint32_t count, buckets, buckets_max;
};

/* What a packet is looked for by on its way out. */
struct xfrm_find {
	xfrm_address_t daddr, saddr;
	uint16_t family;
	uint32_t mark, if_id, reqid, spi;
	uint8_t mode, proto;
};

/* xfrm-state.c */

uint64_t xfrm_now(const struct net *); /* real time: seconds */

/* Of each received packet: the state of an SPI, or null. */
struct xfrm_state *xfrm_state_lookup(struct net *, uint32_t mark, const xfrm_address_t *daddr,
				     uint32_t spi, uint8_t proto, uint16_t family);
struct xfrm_state *xfrm_state_lookup_byaddr(struct net *, uint32_t mark,
					    const xfrm_address_t *daddr,
					    const xfrm_address_t *saddr, uint8_t proto,
					    uint16_t family);

/* Take what is asked for, copied: 0, -EEXIST; 0, -ESRCH, -EINVAL. */
int xfrm_state_add(struct net *, const struct xfrm_sa *);
int xfrm_state_update(struct net *, const struct xfrm_sa *);

int xfrm_state_delete(struct xfrm_state *);        /* -ESRCH: it is dead */
int xfrm_state_flush(struct net *, uint8_t proto); /* -ESRCH: there was none */
struct xfrm_state_counts xfrm_sad_getinfo(const struct net *);

/* All of them, the newest first, as the kernel's list has them: null at the end. */
struct xfrm_state *xfrm_state_walk(struct net *, struct cursor *);

/* The same, from bucket to bucket. */
struct xfrm_state *xfrm_state_walk_buckets(struct net *, struct cursor *);

/* A packet of so many bytes uses the state: 0, or -EINVAL, and it expires. */
int xfrm_state_check_expire(struct xfrm_state *, uint64_t bytes);

/* xfrm-state-find.c: for packets on their way out, the best state that there is.  Null,
 * and *err: -ESRCH, since nobody listens who could make one, -EAGAIN while the tables
 * change their size. */
struct xfrm_state *xfrm_state_find(struct net *, const struct xfrm_find *, int *err);

/* xfrm-timer.c */

void xfrm_timer_init(struct xfrm_state *);
void xfrm_timer_start(struct xfrm_state *); /* it looks at the limits in a second */

/* What xfrm-state.c shares with these. */

struct xfrm_net {
	struct table state[XFRM_STATE_TABLES];
	uint32_t state_serial;          /* of the newest one */
	uint32_t state_buckets;         /* that the tables have, if they have any */
	uint32_t state_hash_generation; /* a seqcount: odd while they change their size */
	struct mutex state_lock;
	struct work state_hash_work;
	bool resizing; /* it runs */
};

struct xfrm_net *xfrm_net(const struct net *);
struct workqueue *xfrm_timer_queue(const struct kernel *);
void __xfrm_state_expire(struct xfrm_state *);
struct key xfrm_dst_key(const xfrm_address_t *daddr, const xfrm_address_t *saddr, uint32_t reqid,
			uint16_t family);

static inline bool
xfrm_addr_equal(const xfrm_address_t *a, const xfrm_address_t *b, uint16_t family)
{
	return memcmp(a, b, family == AF_INET6 ? 16 : 4) == 0;
}

/* Does a state or a policy take packets of this mark? */
static inline bool
xfrm_mark_matches(const struct xfrm_mark *m, uint32_t mark)
{
	return (mark & m->m) == m->v;
}

/* Of which there are SPIs: IPSEC_PROTO_ANY. */
static inline bool
xfrm_proto_has_spi(uint8_t proto)
{
	return proto == IPPROTO_ESP || proto == IPPROTO_AH || proto == IPPROTO_COMP;
}
