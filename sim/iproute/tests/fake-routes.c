/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fake-routes.c - the part of fake-kernel.c that is about routes, neighbours and what is
 * sent: there are none, and requests are written down. */
#include <arpa/inet.h>

#include "fake-kernel.h"
#include "net/ip6-route.h"
#include "net/ndisc.h"
#include "net/udp6.h"

static const char *
text_of(const uint8_t addr[16], char text[INET6_ADDRSTRLEN])
{
	return inet_ntop(AF_INET6, addr, text, INET6_ADDRSTRLEN);
}

static int
note_route(struct net *net, const char *what, const struct fib6_config *c)
{
	struct fake *f = (struct fake *)net->kernel;
	char dst[INET6_ADDRSTRLEN], gateway[INET6_ADDRSTRLEN], src[INET6_ADDRSTRLEN];

	g_string_append_printf(
		f->log,
		"%s%s %s/%u via %s dev %d metric %u src %s table %u proto %u type %u "
		"flags %x",
		f->log->len ? "; " : "", what, text_of(c->dst, dst), c->dst_len,
		text_of(c->gateway, gateway), c->ifindex, c->metric, text_of(c->prefsrc, src),
		c->table, c->protocol, c->type, (unsigned)c->nlflags);
	return f->result;
}

int
inet6_rtm_newroute(struct net *net, const struct fib6_config *cfg, struct ext_ack *ack)
{
	return note_route(net, "newroute", cfg);
}

int
inet6_rtm_delroute(struct net *net, const struct fib6_config *cfg, struct ext_ack *ack)
{
	return note_route(net, "delroute", cfg);
}

int
inet6_rtm_getroute(struct net *net, const struct flowi6 *fl6, struct fib6_result *res,
		   uint8_t saddr[16])
{
	return -ENETUNREACH;
}

int
inet6_dump_fib(struct net *net, uint32_t table, void (*each)(const struct fib6_info *, void *data),
	       void *data, struct ext_ack *ack)
{
	return 0;
}

uint32_t
l3mdev_fib_table(const struct net_device *dev)
{
	return 10;
}

static int
note_neigh(struct net *net, const char *what, const struct neigh_request *r)
{
	struct fake *f = (struct fake *)net->kernel;
	char dst[INET6_ADDRSTRLEN];

	g_string_append_printf(f->log, "%s%s %s dev %d lladdr %u state %x router %d flags %d%d%d",
			       f->log->len ? "; " : "", what, text_of(r->dst, dst), r->ifindex,
			       r->lladdr_len, (unsigned)r->state, r->router, r->create,
			       r->exclusive, r->replace);
	return f->result;
}

int
neigh_add(struct net *net, const struct neigh_request *req, struct ext_ack *ack)
{
	return note_neigh(net, "newneigh", req);
}

int
neigh_delete(struct net *net, const struct neigh_request *req, struct ext_ack *ack)
{
	return note_neigh(net, "delneigh", req);
}

void
neigh_dump(struct net *net, int family, void (*each)(const struct neighbour *, void *data),
	   void *data)
{
}

uint16_t
neigh_state(const struct neighbour *n)
{
	return n->nud_state;
}

int
udp6_send(struct net *net, const struct udp6_request *req)
{
	struct fake *f = (struct fake *)net->kernel;
	char daddr[INET6_ADDRSTRLEN];

	g_string_append_printf(f->log, "%sudp6 %s port %u bytes %u", f->log->len ? "; " : "",
			       text_of(req->daddr, daddr), req->port, req->bytes);
	return f->result;
}
