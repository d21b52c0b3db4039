/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-timer.c - states that have lived, or been used, long enough.
 *
 * Models xfrm_timer_handler() and xfrm_state_check_expire() of net/xfrm/xfrm_state.c
 * (Linux 5.10 and 6.1).  Each state's timer looks at its limits one second after it was
 * made and then when the next one is due; here those without such limits have none. */
#include "net/xfrm.h"

#define NEVER INT64_MAX

/* Seconds until a limit; not one, if it is 0. */
static int64_t
until(uint64_t limit, uint64_t since, uint64_t now)
{
	if (limit == 0)
		return NEVER;
	limit = MIN(limit, (uint64_t)INT64_MAX / 2);
	return (int64_t)(limit + since - now);
}

static void
rearm(struct xfrm_state *x, int64_t seconds)
{
	uint64_t delay = MIN((uint64_t)seconds, UINT64_MAX / PS_PER_S);

	work_mod_delayed(xfrm_timer_queue(x->net->kernel), &x->timer, delay * PS_PER_S);
}

static void
xfrm_timer_handler(void *data)
{
	struct xfrm_state *x = data;
	const struct xfrm_lifetime_cfg *lft = &x->sa.info.lft;
	const struct xfrm_lifetime_cur *cur = &x->sa.info.curlft;
	uint64_t now = xfrm_now(x->net), used = cur->use_time ? cur->use_time : now;
	int64_t hard = MIN(until(lft->hard_add_expires_seconds, cur->add_time, now),
			   until(lft->hard_use_expires_seconds, used, now));
	int64_t soft = MIN(until(lft->soft_add_expires_seconds, cur->add_time, now),
			   until(lft->soft_use_expires_seconds, used, now));

	CALL_ENTER(&x->net->kernel->calls, "xfrm_timer_handler");
	if (x->km_state == XFRM_STATE_EXPIRED || hard <= 0) {
		__xfrm_state_expire(x);
		return;
	}
	x->dying |= soft <= 0;
	if (!x->dying)
		hard = MIN(hard, soft);
	if (hard != NEVER)
		rearm(x, hard);
}

void
xfrm_timer_init(struct xfrm_state *x)
{
	work_init(&x->timer, "xfrm_timer_handler", xfrm_timer_handler, x);
}

void
xfrm_timer_start(struct xfrm_state *x)
{
	const struct xfrm_lifetime_cfg *lft = &x->sa.info.lft;

	if (lft->hard_add_expires_seconds || lft->hard_use_expires_seconds ||
	    lft->soft_add_expires_seconds || lft->soft_use_expires_seconds)
		rearm(x, 1);
}

int
xfrm_state_check_expire(struct xfrm_state *x, uint64_t bytes)
{
	const struct xfrm_lifetime_cfg *lft = &x->sa.info.lft;
	struct xfrm_lifetime_cur *cur = &x->sa.info.curlft;

	CALL_ENTER(&x->net->kernel->calls, "xfrm_state_check_expire");
	if (!cur->use_time)
		cur->use_time = xfrm_now(x->net);
	if (cur->bytes >= lft->hard_byte_limit || cur->packets >= lft->hard_packet_limit) {
		x->km_state = XFRM_STATE_EXPIRED;
		work_mod_delayed(xfrm_timer_queue(x->net->kernel), &x->timer, 0);
		return -EINVAL;
	}
	x->dying |= cur->bytes >= lft->soft_byte_limit || cur->packets >= lft->soft_packet_limit;
	cur->bytes += bytes;
	cur->packets += bytes > 0;
	return 0;
}
