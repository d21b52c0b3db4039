/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gro.c - what comes out of a tunnel, on its way up; segments of a stream become one.
 *
 * Models net/core/gro_cells.c, dev_gro_receive() and tcp_gro_receive() (Linux 5.10 and
 * 6.1).  A device that has GRO gets packets from a NAPI of its own, as lists; another one
 * from the backlog of the CPU.  A poll takes net.core.dev_weight packets, and its end is
 * the end of merging: the model's streams always have so many waiting.  Segments of one
 * stream that follow each other are merged up to 64 KiB. */
#include <netinet/in.h>
#include <string.h>

#include "net/dev.h"
#include "net/ip4.h"
#include "net/request.h"

#define GRO_MAX_SIZE 65536
#define NAPI_WEIGHT  64
#define WEIGHT_MAX   65535

extern const struct net_module net_module_gro;

/* A packet that waits for more of its stream. */
struct gro_held {
	struct ip_packet packet;
	struct gro_held *next;
};

struct gro_kernel {
	unsigned dev_weight;
	unsigned polled; /* packets of the poll that goes on */
	struct gro_held *held;
};

static struct gro_kernel *
gro_of(const struct kernel *k)
{
	return kernel_module_state(k, &net_module_gro);
}

/* veth has had GRO switched off since 5.13, unless somebody asks for it. */
static bool
netif_elide_gro(const struct net_device *dev)
{
	return dev->kernel->options.version >= KERNEL_6_1 && dev->kind &&
	       strcmp(dev->kind->name, "veth") == 0;
}

/* Merging */

static bool
is_data(const struct ip_packet *p)
{
	return p->protocol == IPPROTO_TCP && p->tcp.payload > 0 && !p->tcp.syn && !p->tcp.fin;
}

static bool
same_flow(const struct ip_packet *a, const struct ip_packet *b)
{
	return a->dev == b->dev && a->saddr == b->saddr && a->daddr == b->daddr &&
	       a->sport == b->sport && a->dport == b->dport;
}

static struct gro_held **
find_held(struct gro_kernel *g, const struct ip_packet *p)
{
	struct gro_held **at = &g->held;

	while (*at && !same_flow(&(*at)->packet, p))
		at = &(*at)->next;
	return at;
}

static void
napi_gro_complete(struct gro_held **at)
{
	struct gro_held *h = *at;
	struct ip_packet packet = h->packet;

	*at = h->next;
	g_free(h);
	ip_list_rcv(packet.dev->net, &packet);
}

/* The next one that fits behind it, and went the same way. */
static bool
skb_gro_receive(struct ip_packet *held, const struct ip_packet *p)
{
	if (held->tcp.seq + held->tcp.payload != p->tcp.seq || held->sp_len != p->sp_len ||
	    memcmp(held->sp, p->sp, held->sp_len * sizeof(struct xfrm_state *)) != 0 ||
	    held->len + p->tcp.payload >= GRO_MAX_SIZE)
		return false;
	held->len += p->tcp.payload;
	held->tcp.payload += p->tcp.payload;
	held->tcp.ack_seq = p->tcp.ack_seq;
	held->gro_segs++;
	return true;
}

static void
hold(struct gro_kernel *g, const struct ip_packet *p)
{
	struct gro_held *h = g_new(struct gro_held, 1);

	h->packet = *p;
	h->packet.gro_segs = 1;
	h->next = g->held;
	g->held = h;
}

/* The poll is over. */
static void
napi_gro_flush(struct gro_kernel *g)
{
	g->polled = 0;
	while (g->held)
		napi_gro_complete(&g->held);
}

static void
napi_gro_receive(struct net *net, struct ip_packet *packet)
{
	struct gro_kernel *g = gro_of(net->kernel);
	struct gro_held **at = find_held(g, packet);

	CALL_ENTER(&net->kernel->calls, "napi_gro_receive");
	if (!is_data(packet)) {
		if (*at)
			napi_gro_complete(at);
		ip_list_rcv(packet->dev->net, packet);
		return;
	}
	if (!*at || !skb_gro_receive(&(*at)->packet, packet)) {
		if (*at)
			napi_gro_complete(at);
		hold(g, packet);
	}
	if (++g->polled >= g->dev_weight)
		napi_gro_flush(g);
}

void
gro_cells_receive(struct net *net, struct ip_packet *packet)
{
	struct net_device *dev = packet->dev;

	CALL_ENTER(&net->kernel->calls, "gro_cells_receive");
	if (!(dev->flags & IFF_UP))
		return;
	if (netif_elide_gro(dev))
		ip_rcv(dev->net, packet);
	else
		napi_gro_receive(net, packet);
}

/* Who waits in vain */

static bool
came_through(const struct ip_packet *p, const struct xfrm_state *x)
{
	for (unsigned i = 0; i < p->sp_len; i++)
		if (p->sp[i] == x)
			return true;
	return false;
}

/* Drops what came by the device, or through the state. */
static void
drop_held(struct kernel *k, const struct net_device *dev, const struct xfrm_state *x)
{
	struct gro_held **at = &gro_of(k)->held;

	while (*at) {
		struct gro_held *h = *at;

		if (h->packet.dev != dev && !came_through(&h->packet, x)) {
			at = &h->next;
			continue;
		}
		*at = h->next;
		g_free(h);
	}
}

void
gro_forget_state(struct kernel *k, const struct xfrm_state *x)
{
	drop_held(k, NULL, x);
}

/* net.core.dev_weight */

int
net_core_sysctl_write(struct net *net, const char *path, const char *value)
{
	char *end;
	guint64 weight = g_ascii_strtoull(value, &end, 10);

	if (strcmp(path, "dev_weight") != 0 || net != net->kernel->init_net)
		return -ENOENT;
	if (end == value || *end || weight < 1 || weight > WEIGHT_MAX)
		return -EINVAL;
	gro_of(net->kernel)->dev_weight = (unsigned)weight;
	return 0;
}

int
net_core_sysctl_read(struct net *net, const char *path, int *value)
{
	if (strcmp(path, "dev_weight") != 0 || net != net->kernel->init_net)
		return -ENOENT;
	*value = (int)gro_of(net->kernel)->dev_weight;
	return 0;
}

/* The module */

static int
kernel_init(struct kernel *k, void *state)
{
	((struct gro_kernel *)state)->dev_weight = NAPI_WEIGHT;
	return 0;
}

/* What waits on a device that goes down is lost. */
static int
gro_event(struct kernel *k, enum netdev_event event, struct net_device *dev, const void *info)
{
	if (event == NETDEV_DOWN || event == NETDEV_UNREGISTER)
		drop_held(k, dev, NULL);
	return 0;
}

const struct net_module net_module_gro = {
	.name = "gro",
	.kernel_size = sizeof(struct gro_kernel),
	.kernel_init = kernel_init,
	.event = gro_event,
};
