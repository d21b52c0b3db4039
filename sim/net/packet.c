/* SPDX-License-Identifier: GPL-2.0-or-later */
/* packet.c - see packet.h. */
#include "net/packet.h"

#include <string.h>

#include "net/bridge.h"
#include "net/ip4.h"
#include "net/vlan.h"

/* Frames that have come over a wire wait for their turn; those beyond a limit are
 * dropped.  Nothing stops a frame that goes round in a loop of bridges: in the
 * kernel it does so until somebody cuts a wire, here a number of times. */
#define NETDEV_MAX_BACKLOG 1000
#define MAX_WIRES          32

struct softnet {
	struct frame *input; /* NETDEV_MAX_BACKLOG; null until one comes */
	unsigned first, count;
};

/* Sending */

/* Until a device has had a carrier, and after it lost it, the noop qdisc drops all. */
void
dev_queue_xmit(struct net_device *dev, const struct frame *f)
{
	struct frame sent = *f;

	sent.dev = dev;
	if (dev->flags & IFF_UP && dev->qdisc_active && dev->kind->xmit)
		dev->kind->xmit(dev, &sent);
}

/* Receiving */

void
netif_rx(struct net_device *dev, const struct frame *f)
{
	struct softnet *s = f->softnet;
	struct frame *at;

	if (!(dev->flags & IFF_UP) || s->count == NETDEV_MAX_BACKLOG || f->wires == MAX_WIRES)
		return;
	if (!s->input)
		s->input = g_new0(struct frame, NETDEV_MAX_BACKLOG);
	at = &s->input[(s->first + s->count++) % NETDEV_MAX_BACKLOG];
	*at = *f;
	at->dev = dev;
	at->wires++;
	at->vlan_filtered = at->src_isolated = false;
}

/* A VLAN device takes what has its tag before a bridge sees it. */
static struct net_device *
vlan_do_receive(struct net_device *dev, struct frame *f)
{
	struct net_device *vlan = f->tagged ? vlan_find_dev(dev, f->vid) : NULL;

	if (!vlan)
		return dev;
	f->tagged = false;
	return vlan;
}

void
netif_receive_skb(struct net_device *dev, const struct frame *f)
{
	struct frame received = *f;

	received.dev = vlan_do_receive(dev, &received);
	if (!(received.dev->flags & IFF_UP))
		return;
	if (netif_is_bridge_port(received.dev))
		br_handle_frame(received.dev->rx_handler_data, &received);
	else if (received.ip)
		ip_rcv_frame(received.dev, &received);
}

static void
process_backlog(struct softnet *s)
{
	while (s->count > 0) {
		struct frame f = s->input[s->first];

		s->first = (s->first + 1) % NETDEV_MAX_BACKLOG;
		s->count--;
		netif_receive_skb(f.dev, &f);
	}
}

void
packet_xmit(struct net_device *dev, struct frame *f)
{
	struct softnet s = {.first = 0};

	f->softnet = &s;
	dev_queue_xmit(dev, f);
	process_backlog(&s);
	g_free(s.input);
}

/* The user's side */

int
packet_device(struct net *net, const char *ifname, int *ifindex, uint8_t addr[ETH_ALEN])
{
	const struct net_device *dev = dev_get_by_name(net, ifname);

	if (!dev)
		return -ENODEV;
	*ifindex = dev->ifindex;
	memcpy(addr, dev->dev_addr, ETH_ALEN);
	return 0;
}

int
packet_snd(struct net *net, const struct packet_request *req)
{
	CALL_ENTER(&net->kernel->calls, "packet_snd");

	struct net_device *dev = dev_get_by_index(net, req->ifindex);
	struct frame f = {.tagged = req->tagged, .vid = req->vid};

	if (!dev)
		return -ENXIO;
	if (!(dev->flags & IFF_UP))
		return -ENETDOWN;
	memcpy(f.src, req->src, ETH_ALEN);
	memcpy(f.dst, req->dst, ETH_ALEN);
	rcu_read_lock(net->kernel->rcu);
	packet_xmit(dev, &f);
	rcu_read_unlock(net->kernel->rcu);
	return 0;
}
