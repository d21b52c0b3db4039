/* SPDX-License-Identifier: GPL-2.0-or-later */
/* udp4.c - see udp4.h. */
#include "net/udp4.h"

#include <netinet/in.h>

#include "net/dev.h"
#include "net/ip4.h"
#include "net/xfrm-packet.h"

#define IP_HEADER  20
#define UDP_HEADER 8
#define PORT_FIRST 32768 /* ip_local_port_range */

extern const struct net_module net_module_udp4;

struct udp_sock {
	struct kernel *kernel;
	struct net *net; /* null: it is gone */
	uint16_t port;
	unsigned users;  /* its owner, and who delivers to it: an owner may close it meanwhile */
	GQueue received; /* struct udp4_datagram */
	struct wait_queue readers;
	struct timer timeout;
	struct udp_sock *next;
};

struct udp_net {
	struct udp_sock *socks;
};

static struct udp_sock **
socks_of(const struct net *net)
{
	return &((struct udp_net *)net_module_state(net, &net_module_udp4))->socks;
}

static struct udp_sock *
__udp4_lib_lookup(const struct net *net, uint16_t port)
{
	struct udp_sock *sk = *socks_of(net);

	while (sk && sk->port != port)
		sk = sk->next;
	return sk;
}

/* Sockets */

static void
wake_readers(void *data)
{
	struct udp_sock *sk = data;

	wake_all(sk->kernel->engine, &sk->readers);
}

static uint16_t
free_port(const struct net *net)
{
	uint16_t port = PORT_FIRST;

	while (port && __udp4_lib_lookup(net, port))
		port++;
	return port;
}

struct udp_sock *
udp_bind(struct net *net, uint16_t port, int *err)
{
	struct udp_sock *sk;

	port = port ? port : free_port(net);
	*err = !port || __udp4_lib_lookup(net, port) ? -EADDRINUSE : 0;
	if (*err != 0)
		return NULL;
	sk = g_new0(struct udp_sock, 1);
	sk->kernel = net->kernel;
	sk->net = net;
	sk->port = port;
	sk->users = 1;
	sk->readers.name = "a datagram";
	g_queue_init(&sk->received);
	timer_init(&sk->timeout, "recvfrom", wake_readers, sk);
	sk->next = *socks_of(net);
	*socks_of(net) = sk;
	return sk;
}

static void
leave_net(struct udp_sock *sk)
{
	struct udp_sock **at = socks_of(sk->net);

	while (*at != sk)
		at = &(*at)->next;
	*at = sk->next;
	sk->net = NULL;
}

static void
sock_put(struct udp_sock *sk)
{
	if (--sk->users > 0)
		return;
	g_queue_clear_full(&sk->received, g_free);
	g_free(sk);
}

void
udp_close(struct udp_sock *sk)
{
	if (!sk)
		return;
	if (sk->net)
		leave_net(sk);
	timer_cancel(sk->kernel->engine, &sk->timeout);
	sock_put(sk);
}

/* Sending */

static int
send_datagram(struct udp_sock *sk, const struct udp4_datagram *d)
{
	struct flowi4 fl4 = {
		.daddr = d->addr, .proto = IPPROTO_UDP, .sport = sk->port, .dport = d->port};
	struct ip_packet packet = {.daddr = d->addr,
				   .protocol = IPPROTO_UDP,
				   .len = IP_HEADER + UDP_HEADER + d->bytes,
				   .sport = sk->port,
				   .dport = d->port};
	struct dst4 dst;
	int err = ip_route_output_flow(sk->net, &fl4, &dst);

	if (err != 0)
		return err;
	packet.saddr = fl4.saddr;
	dst_output(sk->net, &packet, &dst);
	return 0;
}

int
udp_sendmsg(struct udp_sock *sk, const struct udp4_datagram *d)
{
	int err;

	CALL_ENTER(&sk->kernel->calls, "udp_sendmsg");
	rcu_read_lock(sk->kernel->rcu);
	err = sk->net ? send_datagram(sk, d) : -ENETUNREACH;
	rcu_read_unlock(sk->kernel->rcu);
	return err;
}

/* Receiving */

static void
udp_unicast_rcv_skb(struct udp_sock *sk, const struct ip_packet *packet)
{
	struct udp4_datagram d = {.addr = packet->saddr,
				  .port = packet->sport,
				  .bytes = packet->len - IP_HEADER - UDP_HEADER};

	CALL_ENTER(&sk->kernel->calls, "udp_unicast_rcv_skb");
	if (!xfrm4_policy_check(packet->dev->net, packet, XFRM_POLICY_IN) ||
	    sk->received.length >= UDP4_QUEUE_MAX)
		return;
	g_queue_push_tail(&sk->received, g_memdup2(&d, sizeof d));
	wake_one(sk->kernel->engine, &sk->readers);
}

void
udp_rcv(struct net *net, struct ip_packet *packet)
{
	struct udp_sock *sk;

	CALL_ENTER(&net->kernel->calls, "udp_rcv");
	sk = __udp4_lib_lookup(net, packet->dport);
	if (!sk) {
		xfrm4_policy_check(net, packet, XFRM_POLICY_IN);
		return;
	}
	sk->users++;
	udp_unicast_rcv_skb(sk, packet);
	sock_put(sk);
}

bool
udp_recvmsg(struct udp_sock *sk, uint64_t timeout_ps, struct udp4_datagram *d)
{
	struct engine *e = sk->kernel->engine;
	g_autofree struct udp4_datagram *got = NULL;

	if (sk->received.length == 0 && sk->net) {
		timer_set(e, &sk->timeout, engine_now(e) + timeout_ps);
		wait_on(e, &sk->readers);
		timer_cancel(e, &sk->timeout);
	}
	got = g_queue_pop_head(&sk->received);
	if (got)
		*d = *got;
	return got != NULL;
}

/* A real namespace lives as long as a process is in it; here who waits is told. */
static void
net_exit(struct net *net, void *state)
{
	while (*socks_of(net)) {
		struct udp_sock *sk = *socks_of(net);

		leave_net(sk);
		wake_readers(sk);
	}
}

const struct net_module net_module_udp4 = {
	.name = "udp4",
	.net_size = sizeof(struct udp_net),
	.net_exit = net_exit,
};
