/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-input.c - packets of ESP that have come in, until they are what they were.
 *
 * Models net/xfrm/xfrm_input.c, xfrm_replay.c and net/ipv4/xfrm4_{input,protocol}.c
 * (Linux 5.10 and 6.1). */
#include <netinet/in.h>
#include <string.h>

#include "net/dev.h"
#include "net/xfrm-packet.h"

/* Replay: numbers that were seen, in a window behind the highest one. */

static unsigned
window_of(const struct xfrm_state *x)
{
	return x->sa.esn_window ? MIN(x->sa.esn_window, 32) : x->sa.info.replay_window;
}

/* Windows of more than 32 are kept as one of 32. */
static bool
xfrm_replay_check(struct net *net, struct xfrm_state *x, uint32_t seq)
{
	const struct xfrm_replay_state *r = &x->sa.replay;
	uint32_t diff = r->seq - seq;

	CALL_ENTER(&net->kernel->calls, "xfrm_replay_check");
	if (window_of(x) == 0 || seq > r->seq)
		return window_of(x) == 0 || seq != 0;
	if (seq != 0 && diff < MIN(window_of(x), 32) && !(r->bitmap & 1u << diff))
		return true;
	x->sa.info.stats.replay++;
	return false;
}

static void
xfrm_replay_advance(struct net *net, struct xfrm_state *x, uint32_t seq)
{
	struct xfrm_replay_state *r = &x->sa.replay;

	CALL_ENTER(&net->kernel->calls, "xfrm_replay_advance");
	if (window_of(x) == 0)
		return;
	if (seq > r->seq) {
		r->bitmap = seq - r->seq < 32 ? r->bitmap << (seq - r->seq) | 1 : 1;
		r->seq = seq;
	} else {
		r->bitmap |= 1u << (r->seq - seq);
	}
}

/* Who takes it: interfaces first, then the protocol itself. */

static int
esp4_rcv_cb(struct net *net)
{
	CALL_ENTER(&net->kernel->calls, "esp4_rcv_cb");
	return 0;
}

static int
xfrm4_rcv_cb(struct net *net, struct ip_packet *packet, int err)
{
	int taken = 1;

	CALL_ENTER(&net->kernel->calls, "xfrm4_rcv_cb");
	if (xfrmi_loaded(net->kernel))
		taken = xfrmi_rcv_cb(net, packet, err);
	return taken <= 0 ? taken : esp4_rcv_cb(net);
}

static int
xfrm_rcv_cb(struct net *net, struct ip_packet *packet, int err)
{
	CALL_ENTER(&net->kernel->calls, "xfrm_rcv_cb");
	return xfrm4_rcv_cb(net, packet, err);
}

/* One state */

static struct xfrm_state *
find_state(struct net *net, const struct ip_packet *packet)
{
	xfrm_address_t daddr = xfrm_address_of(packet->daddr);

	return xfrm_state_lookup(net, 0, &daddr, packet->spi, IPPROTO_ESP, AF_INET);
}

/* 0, or why it is dropped. */
static unsigned
may_input(struct net *net, struct xfrm_state *x, const struct ip_packet *packet)
{
	if (x->km_state != XFRM_STATE_VALID)
		return x->km_state == XFRM_STATE_ACQ ? LINUX_MIB_XFRMACQUIREERROR
						     : LINUX_MIB_XFRMINSTATEINVALID;
	if (x->sa.has_encap)
		return LINUX_MIB_XFRMINSTATEMISMATCH; /* it has come without */
	if (!xfrm_replay_check(net, x, packet->esp_seq))
		return LINUX_MIB_XFRMINSTATESEQERROR;
	if (xfrm_state_check_expire(x, packet->inner->len) != 0)
		return LINUX_MIB_XFRMINSTATEEXPIRED;
	return 0;
}

static void
secpath_set(struct net *net)
{
	CALL(&net->kernel->calls, "secpath_set");
}

static void
xfrm_parse_spi(struct net *net)
{
	CALL(&net->kernel->calls, "xfrm_parse_spi");
}

/* 5.10 calls the same function for what it checks again. */
static unsigned
decrypt(struct net *net, struct ip_packet *packet, struct xfrm_state *x)
{
	uint32_t seq = packet->esp_seq;
	unsigned mib;

	packet->sp[packet->sp_len++] = x;
	mib = may_input(net, x, packet);
	if (mib != 0)
		return mib;
	esp_input(net, x);
	if (net->kernel->options.version < KERNEL_6_1)
		CALL(&net->kernel->calls, "xfrm_replay_check");
	xfrm_replay_advance(net, x, seq);
	return 0;
}

/* The packet becomes what it carried; where it has been stays. */
static void
unwrap(struct ip_packet *packet)
{
	struct ip_packet inner = *packet->inner;

	inner.dev = packet->dev;
	inner.sp_len = packet->sp_len;
	memcpy(inner.sp, packet->sp, sizeof inner.sp);
	*packet = inner;
}

static unsigned
input_states(struct net *net, struct ip_packet *packet, bool *tunnel)
{
	do {
		struct xfrm_state *x;
		unsigned mib;

		if (packet->sp_len == XFRM_DEPTH_MAX)
			return LINUX_MIB_XFRMINBUFFERERROR;
		x = find_state(net, packet);
		if (!x)
			return LINUX_MIB_XFRMINNOSTATES;
		mib = decrypt(net, packet, x);
		if (mib != 0)
			return mib;
		*tunnel = x->sa.info.mode == XFRM_MODE_TUNNEL;
		unwrap(packet);
	} while (!*tunnel && packet->protocol == IPPROTO_ESP);
	return 0;
}

int
xfrm_input(struct net *net, struct ip_packet *packet)
{
	bool tunnel = false;
	unsigned mib;

	CALL_ENTER(&net->kernel->calls, "xfrm_input");
	secpath_set(net);
	xfrm_parse_spi(net);
	mib = input_states(net, packet, &tunnel);
	if (mib != 0) {
		xfrm_inc_stats(net, mib);
		if (mib == LINUX_MIB_XFRMINNOSTATES)
			packet->sp_len = 0;
		xfrm_rcv_cb(net, packet, -1);
		return 0;
	}
	if (xfrm_rcv_cb(net, packet, 0) != 0)
		return 0;
	if (tunnel)
		gro_cells_receive(net, packet);
	else
		ip_rcv(net, packet); /* xfrm4_transport_finish() */
	return 0;
}

void
xfrm4_esp_rcv(struct net *net, struct ip_packet *packet)
{
	CALL_ENTER(&net->kernel->calls, "xfrm4_esp_rcv");
	if (xfrmi_loaded(net->kernel))
		xfrmi_input(net, packet);
	else
		xfrm_input(net, packet);
}
