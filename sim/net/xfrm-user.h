/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-user.h - what users ask of IPsec's databases, and what messages say of them.
 *
 * Models net/xfrm/xfrm_user.c (Linux 5.10 and 6.1).  Results are 0 or a negative errno;
 * only 6.1 says more of why it refuses. */
#pragma once

#include "net/af-netlink.h"
#include "net/request.h"
#include "net/xfrm.h"

/* How a dump finds its place again after each datagram. */
enum xfrm_dump {
	XFRM_DUMP_RESTART, /* until 2.6.25: counts from the first bucket */
	XFRM_DUMP_CURSOR,  /* since then: a marker in the list of all */
};

extern const char *const xfrm_dump_words[]; /* by enum xfrm_dump; null-terminated */

/* XFRM_MSG_GETSA, XFRM_MSG_DELSA: which one. */
struct xfrm_sa_request {
	xfrm_address_t daddr, saddr;
	bool has_saddr;
	uint32_t spi; /* as on the wire */
	uint8_t proto;
	uint16_t family;
	struct xfrm_mark mark;
};

/* XFRM_MSG_NEWSA, XFRM_MSG_UPDSA.  Algorithms need just their names, keys and lengths. */
int xfrm_add_sa(struct net *, const struct xfrm_sa *, bool update, struct ext_ack *);

int xfrm_del_sa(struct net *, const struct xfrm_sa_request *);
int xfrm_get_sa(struct net *, const struct xfrm_sa_request *, struct skb *answer);
int xfrm_flush_sa(struct net *, uint8_t proto);

/* A message about a state: struct xfrm_usersa_info and attributes.  0, -EMSGSIZE. */
int xfrm_fill_state(struct skb *, const struct netlink_callback *, const struct xfrm_state *);

/* xfrm-algo.c: the algorithm gets the kernel's name for it, and a length where none was
 * given.  False, and *err and *why: it is unknown, or has no such lengths. */
bool xfrm_alg_attach(struct xfrm_alg *, enum xfrm_alg_kind, int *err, const char **why);
