/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fake-inet.c - IPv4 of the fake kernel: what it is asked for is written down. */
#include "fake-kernel.h"
#include "net/fib4.h"
#include "net/tcp4.h"
#include "net/udp4.h"
#include "net/xfrm-packet.h"

static int
note_address(struct net *net, const char *what, const struct inet_addr_request *r)
{
	struct fake *f = (struct fake *)net->kernel;

	g_string_append_printf(f->log, "%s%s %08x/%u dev=%d scope=%u%s", f->log->len ? "; " : "",
			       what, r->local, r->prefixlen, r->ifindex, r->scope,
			       r->replace ? " replace" : "");
	return f->result;
}

int
inet_rtm_newaddr(struct net *net, const struct inet_addr_request *r, struct ext_ack *ack)
{
	return note_address(net, "newaddr4", r);
}

int
inet_rtm_deladdr(struct net *net, const struct inet_addr_request *r, struct ext_ack *ack)
{
	return note_address(net, "deladdr4", r);
}

static int
note_route(struct net *net, const char *what, const struct fib_config *cfg)
{
	struct fake *f = (struct fake *)net->kernel;

	g_string_append_printf(f->log,
			       "%s%s %08x/%u via %08x dev %d metric %u src %08x table %u proto %u "
			       "type %u scope %u flags %x",
			       f->log->len ? "; " : "", what, cfg->dst, cfg->dst_len, cfg->gateway,
			       cfg->ifindex, cfg->priority, cfg->prefsrc, cfg->table, cfg->protocol,
			       cfg->type, cfg->scope, (unsigned)cfg->nlflags);
	return f->result;
}

int
inet_rtm_newroute(struct net *net, const struct fib_config *cfg, struct ext_ack *ack)
{
	return note_route(net, "newroute4", cfg);
}

int
inet_rtm_delroute(struct net *net, const struct fib_config *cfg, struct ext_ack *ack)
{
	return note_route(net, "delroute4", cfg);
}

void
inet_dump_fib(const struct net *net, uint32_t table,
	      void (*each)(const struct fib_alias *, void *data), void *data)
{
}

/* One socket, which sends what it is told to and receives nothing. */
struct udp_sock {
	struct fake *fake;
};

struct udp_sock *
udp_bind(struct net *net, uint16_t port, int *err)
{
	struct udp_sock *sk = g_new0(struct udp_sock, 1);

	*err = 0;
	sk->fake = (struct fake *)net->kernel;
	return sk;
}

void
udp_close(struct udp_sock *sk)
{
	g_free(sk);
}

int
udp_sendmsg(struct udp_sock *sk, const struct udp4_datagram *d)
{
	g_string_append_printf(sk->fake->log, "%sudp4 %08x port %u bytes %u",
			       sk->fake->log->len ? "; " : "", d->addr, d->port, d->bytes);
	return sk->fake->result;
}

bool
udp_recvmsg(struct udp_sock *sk, uint64_t timeout_ps, struct udp4_datagram *d)
{
	return false;
}

void
xfrm_statistics_seq_show(struct net *net, GString *out)
{
}

/* Nobody listens. */

int
tcp_listen(struct net *net, uint16_t *port)
{
	return 0;
}

struct tcp_sock *
tcp_connect(struct net *net, uint32_t daddr, uint16_t port, int *err)
{
	*err = -ECONNREFUSED;
	return NULL;
}

void
tcp_close(struct tcp_sock *sk)
{
}

int
tcp_send_segment(struct tcp_sock *sk)
{
	return -ENOTCONN;
}

uint64_t
tcp_segments_sent(const struct tcp_sock *sk)
{
	return 0;
}

uint64_t
tcp_bytes_received(const struct tcp_sock *sk)
{
	return 0;
}
