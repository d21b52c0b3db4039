/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-policy-user.h - what users ask of the database of policies.
 *
 * Models net/xfrm/xfrm_user.c (Linux 5.10 and 6.1).  Results are 0 or a negative errno;
 * only 6.1 says more of why it refuses. */
#pragma once

#include "net/af-netlink.h"
#include "net/request.h"
#include "net/xfrm-policy.h"

/* XFRM_MSG_NEWPOLICY, XFRM_MSG_UPDPOLICY.  'tmpls' may be more than there is room for:
 * that is refused. */
int xfrm_add_policy(struct net *, const struct xfrm_pol *, bool update, struct ext_ack *);

/* XFRM_MSG_GETPOLICY, XFRM_MSG_DELPOLICY: of an index, if it is not 0, or else of a selector;
 * and of a direction, a type, a mark and an if_id. */
int xfrm_get_policy(struct net *, const struct xfrm_pol *, struct skb *answer);
int xfrm_del_policy(struct net *, const struct xfrm_pol *);

int xfrm_flush_policy(struct net *, uint8_t type);

/* A message about a policy: struct xfrm_userpolicy_info and attributes.  0, -EMSGSIZE. */
int xfrm_fill_policy(struct skb *, const struct netlink_callback *, const struct xfrm_policy *);
