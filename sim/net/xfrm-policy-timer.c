/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-policy-timer.c - policies that have lived, or been used, long enough.
 *
 * Models xfrm_policy_timer() of net/xfrm/xfrm_policy.c (Linux 5.10 and 6.1).  The limits of
 * bytes and packets are a key manager's business: no policy ends by them.  At a soft limit
 * the kernel tells key managers, of which there are none, twice a minute. */
#include "net/xfrm-policy-inexact.h"

#define NEVER UINT64_MAX

/* The second at which a limit is reached. */
static uint64_t
end_of(uint64_t limit, uint64_t since)
{
	return limit == 0 ? NEVER : since + MIN(limit, UINT64_MAX / 2);
}

static void
xfrm_policy_timer(void *data)
{
	struct xfrm_policy *p = data;
	const struct xfrm_lifetime_cfg *lft = &p->pol.info.lft;
	const struct xfrm_lifetime_cur *cur = &p->pol.info.curlft;
	uint64_t now = xfrm_now(p->net), used = cur->use_time ? cur->use_time : now;
	uint64_t end = MIN(end_of(lft->hard_add_expires_seconds, cur->add_time),
			   end_of(lft->hard_use_expires_seconds, used));

	CALL_ENTER(&p->net->kernel->calls, "xfrm_policy_timer");
	if (end <= now)
		xfrm_policy_delete(p);
	else if (end != NEVER)
		work_mod_delayed(xfrm_timer_queue(p->net->kernel), &p->timer,
				 MIN(end - now, UINT64_MAX / PS_PER_S) * PS_PER_S);
}

void
xfrm_policy_timer_init(struct xfrm_policy *p)
{
	work_init(&p->timer, "xfrm_policy_timer", xfrm_policy_timer, p);
}

void
xfrm_policy_timer_start(struct xfrm_policy *p)
{
	const struct xfrm_lifetime_cfg *lft = &p->pol.info.lft;

	if (lft->hard_add_expires_seconds || lft->hard_use_expires_seconds)
		work_mod_delayed(xfrm_timer_queue(p->net->kernel), &p->timer, PS_PER_S);
}
