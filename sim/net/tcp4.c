/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tcp4.c - see tcp4.h. */
#include "net/tcp4.h"

#include <netinet/in.h>

#include "net/dev.h"
#include "net/ip4.h"
#include "net/xfrm-packet.h"

#define IP_HEADER   20
#define TCP_HEADER  20
#define TIMESTAMPS  12 /* of TCP's options, with padding */
#define SYN_OPTIONS 20 /* MSS, time stamps, window scale, selective acknowledgements */
#define PORT_FIRST  32768
#define RTO_PS      (200 * PS_PER_MS)
#define RTO_MAX_PS  (120 * PS_PER_S)
#define MSS_MIN     48u /* TCP_MIN_SND_MSS */

extern const struct net_module net_module_tcp4;

/* A connection's end; both are sockets. */
struct tcp_sock {
	struct net *net; /* null: it is gone */
	struct kernel *kernel;
	uint32_t saddr, daddr;
	uint16_t sport, dport;
	bool accepted; /* the end that did not ask */
	bool established, refused;
	struct dst4 dst;
	uint64_t genid; /* of 'dst' */
	unsigned advmss, peer_mss;
	unsigned seg_size; /* bytes of the largest segment that came */
	uint64_t snd_nxt, snd_una, rcv_nxt, rcv_wup;
	uint64_t segments;
	uint64_t rto;
	struct tcp_sock *next;
};

struct tcp_net {
	struct tcp_sock *socks;
	uint16_t listening[64];
	unsigned listeners;
};

static struct tcp_net *
tcp_net(const struct net *net)
{
	return net_module_state(net, &net_module_tcp4);
}

static bool
is_listening(const struct net *net, uint16_t port)
{
	const struct tcp_net *t = tcp_net(net);

	for (unsigned i = 0; i < t->listeners; i++)
		if (t->listening[i] == port)
			return true;
	return false;
}

static struct tcp_sock *
__inet_lookup_established(const struct net *net, const struct ip_packet *packet)
{
	struct tcp_sock *sk = tcp_net(net)->socks;

	while (sk && (sk->sport != packet->dport || sk->dport != packet->sport ||
		      sk->daddr != packet->saddr || sk->saddr != packet->daddr))
		sk = sk->next;
	return sk;
}

/* Routes */

static int
find_route(struct tcp_sock *sk)
{
	struct flowi4 fl4 = {.daddr = sk->daddr,
			     .saddr = sk->saddr,
			     .proto = IPPROTO_TCP,
			     .sport = sk->sport,
			     .dport = sk->dport};
	int err;

	sk->genid = xfrm_dst_genid(sk->net);
	err = ip_route_output_flow(sk->net, &fl4, &sk->dst);
	sk->saddr = fl4.saddr;
	if (err != 0)
		sk->genid = 0;
	return err;
}

/* sk_dst_check() */
static int
check_route(struct tcp_sock *sk)
{
	return sk->genid == xfrm_dst_genid(sk->net) ? 0 : find_route(sk);
}

/* Packets */

static int
__tcp_transmit_skb(struct tcp_sock *sk, const struct tcp_header *h)
{
	struct ip_packet packet = {.protocol = IPPROTO_TCP, .tcp = *h};
	int err = check_route(sk);

	CALL_ENTER(&sk->kernel->calls, "__tcp_transmit_skb");
	if (err != 0)
		return err;
	packet.saddr = sk->saddr;
	packet.daddr = sk->daddr;
	packet.sport = sk->sport;
	packet.dport = sk->dport;
	packet.len = IP_HEADER + TCP_HEADER + (h->syn ? SYN_OPTIONS : TIMESTAMPS) + h->payload;
	packet.tcp.mss = h->syn ? sk->advmss : 0;
	dst_output(sk->net, &packet, &sk->dst);
	return 0;
}

static void
tcp_send_ack(struct tcp_sock *sk)
{
	struct tcp_header h = {.ack = true, .ack_seq = sk->rcv_nxt, .seq = sk->snd_nxt};

	CALL_ENTER(&sk->kernel->calls, "tcp_send_ack");
	sk->rcv_wup = sk->rcv_nxt;
	__tcp_transmit_skb(sk, &h);
}

/* Sockets */

static unsigned
tcp_advertise_mss(const struct tcp_sock *sk)
{
	return sk->dst.rt.dev->mtu - IP_HEADER - TCP_HEADER;
}

static struct tcp_sock *
new_sock(struct net *net, uint32_t daddr, uint16_t sport, uint16_t dport)
{
	struct tcp_sock *sk = g_new0(struct tcp_sock, 1);

	sk->net = net;
	sk->kernel = net->kernel;
	sk->daddr = daddr;
	sk->sport = sport;
	sk->dport = dport;
	sk->rto = RTO_PS;
	sk->next = tcp_net(net)->socks;
	tcp_net(net)->socks = sk;
	return sk;
}

static void
leave_net(struct tcp_sock *sk)
{
	struct tcp_sock **at = &tcp_net(sk->net)->socks;

	while (*at != sk)
		at = &(*at)->next;
	*at = sk->next;
	sk->net = NULL;
}

static bool
port_is_used(const struct net *net, uint16_t port)
{
	const struct tcp_sock *sk = tcp_net(net)->socks;

	while (sk && sk->sport != port)
		sk = sk->next;
	return sk || is_listening(net, port);
}

static uint16_t
free_port(const struct net *net)
{
	uint16_t port = PORT_FIRST;

	while (port && port_is_used(net, port))
		port++;
	return port;
}

int
tcp_listen(struct net *net, uint16_t *port)
{
	struct tcp_net *t = tcp_net(net);

	if (*port == 0)
		*port = free_port(net);
	if (*port == 0 || is_listening(net, *port) || t->listeners == G_N_ELEMENTS(t->listening))
		return -EADDRINUSE;
	t->listening[t->listeners++] = *port;
	return 0;
}

void
tcp_unlisten(struct net *net, uint16_t port)
{
	struct tcp_net *t = tcp_net(net);

	for (unsigned i = 0; i < t->listeners; i++)
		if (t->listening[i] == port)
			t->listening[i--] = t->listening[--t->listeners];
}

struct tcp_sock *
tcp_connect(struct net *net, uint32_t daddr, uint16_t port, int *err)
{
	struct tcp_sock *sk = new_sock(net, daddr, free_port(net), port);

	CALL_ENTER(&net->kernel->calls, "tcp_v4_connect");
	rcu_read_lock(net->kernel->rcu);
	*err = find_route(sk);
	if (*err == 0) {
		sk->advmss = tcp_advertise_mss(sk);
		*err = __tcp_transmit_skb(sk, &(struct tcp_header){.syn = true});
	}
	rcu_read_unlock(net->kernel->rcu);
	if (*err == 0 && !sk->established)
		*err = sk->refused ? -ECONNREFUSED : -ETIMEDOUT;
	if (*err == 0)
		return sk;
	tcp_close(sk);
	return NULL;
}

void
tcp_close(struct tcp_sock *sk)
{
	if (!sk)
		return;
	if (sk->net && sk->established) {
		rcu_read_lock(sk->kernel->rcu);
		__tcp_transmit_skb(
			sk, &(struct tcp_header){.fin = true, .ack = true, .seq = sk->snd_nxt});
		rcu_read_unlock(sk->kernel->rcu);
	}
	if (sk->net)
		leave_net(sk);
	g_free(sk);
}

unsigned
tcp_current_mss(const struct tcp_sock *sk)
{
	unsigned mtu = sk->dst.mtu, headers = IP_HEADER + TCP_HEADER;
	unsigned mss = MIN(mtu > headers ? mtu - headers : 0, sk->peer_mss);

	return MAX(mss, MSS_MIN + TIMESTAMPS) - TIMESTAMPS;
}

uint64_t
tcp_segments_sent(const struct tcp_sock *sk)
{
	return sk->segments;
}

uint64_t
tcp_bytes_received(const struct tcp_sock *sk)
{
	return sk->snd_una;
}

/* Sending */

/* What was not acknowledged is sent again from there; each time it takes twice as long. */
static void
tcp_retransmit_timer(struct tcp_sock *sk)
{
	CALL_ENTER(&sk->kernel->calls, "tcp_retransmit_timer");
	task_sleep(sk->kernel->engine, sk->rto);
	sk->rto = MIN(2 * sk->rto, RTO_MAX_PS);
	sk->snd_nxt = sk->snd_una;
}

static int
tcp_write_xmit(struct tcp_sock *sk, unsigned mss)
{
	struct tcp_header h = {.ack = true, .seq = sk->snd_nxt, .payload = mss};

	CALL_ENTER(&sk->kernel->calls, "tcp_write_xmit");
	sk->snd_nxt += mss;
	sk->segments++;
	return __tcp_transmit_skb(sk, &h);
}

int
tcp_send_segment(struct tcp_sock *sk)
{
	unsigned mss = tcp_current_mss(sk);
	int err;

	if (sk->snd_nxt + mss - sk->snd_una > TCP_RCVBUF)
		tcp_retransmit_timer(sk);
	if (!sk->net)
		return -ENETUNREACH;
	rcu_read_lock(sk->kernel->rcu);
	err = tcp_write_xmit(sk, mss);
	rcu_read_unlock(sk->kernel->rcu);
	return err;
}

/* Receiving */

static void
tcp_ack(struct tcp_sock *sk, const struct tcp_header *h)
{
	if (h->ack_seq <= sk->snd_una)
		return;
	sk->snd_una = h->ack_seq;
	sk->rto = RTO_PS;
}

/* More than one segment at once, or the second one, is acknowledged. */
static void
tcp_data_queue(struct tcp_sock *sk, const struct ip_packet *packet)
{
	const struct tcp_header *h = &packet->tcp;

	if (h->seq == sk->rcv_nxt)
		sk->rcv_nxt += h->payload;
	if (h->seq > sk->rcv_nxt || sk->rcv_nxt - sk->rcv_wup > sk->seg_size ||
	    h->seq + h->payload < sk->rcv_nxt)
		tcp_send_ack(sk);
}

static void
tcp_rcv_established(struct tcp_sock *sk, const struct ip_packet *packet)
{
	const struct tcp_header *h = &packet->tcp;

	CALL_ENTER(&sk->kernel->calls, "tcp_rcv_established");
	sk->seg_size =
		MAX(sk->seg_size, packet->gro_segs ? h->payload / packet->gro_segs : h->payload);
	tcp_ack(sk, h);
	if (h->payload > 0)
		tcp_data_queue(sk, packet);
}

/* The other end's SYN: a socket, and the answer. */
static void
tcp_conn_request(struct net *net, const struct ip_packet *packet)
{
	struct tcp_sock *sk = new_sock(net, packet->saddr, packet->dport, packet->sport);

	CALL_ENTER(&net->kernel->calls, "tcp_conn_request");
	sk->saddr = packet->daddr;
	sk->peer_mss = packet->tcp.mss;
	sk->accepted = true;
	if (find_route(sk) != 0) {
		leave_net(sk);
		g_free(sk);
		return;
	}
	sk->advmss = MIN(tcp_advertise_mss(sk), 65495u);
	__tcp_transmit_skb(sk, &(struct tcp_header){.syn = true, .ack = true});
}

static void
tcp_rcv_synsent(struct tcp_sock *sk, const struct ip_packet *packet)
{
	if (packet->tcp.rst) {
		sk->refused = true;
		return;
	}
	sk->peer_mss = packet->tcp.mss;
	sk->established = true;
	tcp_send_ack(sk);
}

static void
tcp_v4_send_reset(struct net *net, const struct ip_packet *packet)
{
	struct tcp_sock *sk;

	CALL_ENTER(&net->kernel->calls, "tcp_v4_send_reset");
	sk = new_sock(net, packet->saddr, packet->dport, packet->sport);
	sk->saddr = packet->daddr;
	__tcp_transmit_skb(sk, &(struct tcp_header){.rst = true, .ack = true});
	leave_net(sk);
	g_free(sk);
}

static void
tcp_v4_do_rcv(struct tcp_sock *sk, const struct ip_packet *packet)
{
	if (packet->tcp.fin && sk->accepted) {
		leave_net(sk);
		g_free(sk);
	} else if (sk->established) {
		tcp_rcv_established(sk, packet);
	} else if (sk->accepted) {
		sk->established = packet->tcp.ack && !packet->tcp.syn;
	} else {
		tcp_rcv_synsent(sk, packet);
	}
}

void
tcp_v4_rcv(struct net *net, struct ip_packet *packet)
{
	struct tcp_sock *sk;

	CALL_ENTER(&net->kernel->calls, "tcp_v4_rcv");
	sk = __inet_lookup_established(net, packet);
	if (!xfrm4_policy_check(net, packet, XFRM_POLICY_IN))
		return;
	if (sk)
		tcp_v4_do_rcv(sk, packet);
	else if (packet->tcp.syn && !packet->tcp.ack && is_listening(net, packet->dport))
		tcp_conn_request(net, packet);
	else if (!packet->tcp.rst && !packet->tcp.fin)
		tcp_v4_send_reset(net, packet);
}

/* Ends that were accepted belong to nobody else. */
static void
net_exit(struct net *net, void *state)
{
	while (tcp_net(net)->socks) {
		struct tcp_sock *sk = tcp_net(net)->socks;

		leave_net(sk);
		if (sk->accepted)
			g_free(sk);
	}
}

const struct net_module net_module_tcp4 = {
	.name = "tcp4",
	.net_size = sizeof(struct tcp_net),
	.net_exit = net_exit,
};
