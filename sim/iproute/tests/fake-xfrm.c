/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fake-xfrm.c - a kernel without IPsec, as far as 'ip xfrm' can tell: it takes
 * everything and has nothing. */
#include <errno.h>

#include "net/xfrm-policy-user.h"
#include "net/xfrm-user.h"

int
xfrm_add_sa(struct net *net, const struct xfrm_sa *sa, bool update, struct ext_ack *ack)
{
	return update ? -ESRCH : 0;
}

int
xfrm_del_sa(struct net *net, const struct xfrm_sa_request *r)
{
	return -ESRCH;
}

int
xfrm_get_sa(struct net *net, const struct xfrm_sa_request *r, struct skb *answer)
{
	return -ESRCH;
}

int
xfrm_flush_sa(struct net *net, uint8_t proto)
{
	return 0;
}

struct xfrm_state_counts
xfrm_sad_getinfo(const struct net *net)
{
	return (struct xfrm_state_counts){.count = 0};
}

int
xfrm_add_policy(struct net *net, const struct xfrm_pol *pol, bool update, struct ext_ack *ack)
{
	return 0;
}

int
xfrm_get_policy(struct net *net, const struct xfrm_pol *wanted, struct skb *answer)
{
	return -ENOENT;
}

int
xfrm_del_policy(struct net *net, const struct xfrm_pol *wanted)
{
	return -ENOENT;
}

int
xfrm_flush_policy(struct net *net, uint8_t type)
{
	return 0;
}

struct xfrm_policy_counts
xfrm_spd_getinfo(const struct net *net)
{
	return (struct xfrm_policy_counts){.hash_mask = 7};
}

void
xfrm_policy_set_hthresh(struct net *net, const struct xfrm_policy_hthresh *ipv4,
			const struct xfrm_policy_hthresh *ipv6)
{
}
