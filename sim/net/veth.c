/* SPDX-License-Identifier: GPL-2.0-or-later */
/* veth.c - a pair of devices: what one is given, the other receives.
 *
 * Models drivers/net/veth.c (Linux 5.10 and 6.1). */
#include "net/dev.h"
#include "net/packet.h"
#include "net/rtnetlink.h"

#define VETH_MIN_MTU 68
#define VETH_MAX_MTU 65535

struct veth_priv {
	struct net_device *peer; /* null once it is gone */
};

static struct net_device *
peer_of(const struct net_device *dev)
{
	const struct veth_priv *priv = netdev_priv(dev);

	return priv->peer;
}

static void
veth_setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->max_mtu = VETH_MAX_MTU;
	dev->priv_flags |= IFF_LIVE_ADDR_CHANGE | IFF_NO_QUEUE;
}

/* Its own bounds come before those of the device, and are refused without a word. */
static int
veth_validate(const struct link_request *req, struct ext_ack *ack)
{
	if (req->has_mtu && (req->mtu < VETH_MIN_MTU || req->mtu > VETH_MAX_MTU))
		return -EINVAL;
	return rtnl_validate_address(req, ack);
}

/* Both have a carrier while both are up. */
static int
veth_open(struct net_device *dev)
{
	struct net_device *peer = peer_of(dev);

	DEV_ENTER(dev, "veth_open");
	if (!peer)
		return -ENOTCONN;
	if (peer->flags & IFF_UP) {
		netif_carrier_on(dev);
		netif_carrier_on(peer);
	}
	return 0;
}

static int
veth_close(struct net_device *dev)
{
	netif_carrier_off(dev);
	if (peer_of(dev))
		netif_carrier_off(peer_of(dev));
	return 0;
}

static void
veth_xmit(struct net_device *dev, struct frame *f)
{
	DEV_ENTER(dev, "veth_xmit");
	if (peer_of(dev))
		netif_rx(peer_of(dev), f);
}

/* A pair has no hardware filter. */
static void
veth_set_multicast_list(struct net_device *dev)
{
	DEV_ENTER_TRACED(dev, "veth_set_multicast_list");
}

static int
veth_get_iflink(const struct net_device *dev)
{
	return peer_of(dev) ? peer_of(dev)->ifindex : 0;
}

static struct net *
veth_get_link_net(const struct net_device *dev)
{
	return peer_of(dev) ? peer_of(dev)->net : dev->net;
}

static int
register_end(struct net_device *dev, bool has_address)
{
	int err;

	if (!has_address)
		eth_hw_addr_random(dev);
	err = register_netdevice(dev);
	if (err == 0)
		netif_carrier_off(dev);
	return err;
}

/* The peer's own options, or what the kernel makes of none. */
static struct net_device *
create_peer(const struct net_device *dev, const struct link_request *peer, struct ext_ack *ack,
	    int *err)
{
	static const struct link_request none;
	struct net *net = dev->net;

	if (!peer)
		peer = &none;
	*err = veth_validate(peer, ack);
	if (*err != 0)
		return NULL;
	if (*peer->netns) {
		net = net_by_name(dev->kernel, peer->netns);
		if (!net) {
			*err = -EINVAL;
			return NULL;
		}
	}
	return rtnl_create_link(net, dev->kind, peer, ack, err);
}

/* The peer is there first, and has the lower ifindex. */
static int
veth_newlink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	const struct link_request *peer_req = req->peer;
	struct veth_priv *priv = netdev_priv(dev), *peer_priv;
	struct net_device *peer;
	int err = 0;

	peer = create_peer(dev, peer_req, ack, &err);
	if (!peer)
		return err;
	err = register_end(peer, peer_req && peer_req->has_address);
	if (err != 0) {
		if (peer->reg_state == NETREG_UNINITIALIZED)
			free_netdev(peer);
		return err;
	}
	err = rtnl_configure_link(peer, peer_req);
	if (err == 0)
		err = register_end(dev, req->has_address);
	if (err != 0) {
		unregister_netdevice(peer);
		return err;
	}
	peer_priv = netdev_priv(peer);
	priv->peer = peer;
	peer_priv->peer = dev;
	return 0;
}

static void
veth_dellink(struct net_device *dev, struct unregister_list *list)
{
	struct net_device *peer = peer_of(dev);
	struct veth_priv *priv = netdev_priv(dev), *peer_priv;

	priv->peer = NULL;
	unregister_netdevice_queue(dev, list);
	if (!peer)
		return;
	peer_priv = netdev_priv(peer);
	peer_priv->peer = NULL;
	unregister_netdevice_queue(peer, list);
}

static const struct link_kind veth_kind = {
	.name = "veth",
	.about = "a pair of devices: what one is given, the other receives",
	.priv_size = sizeof(struct veth_priv),
	.options = {{.name = "peer", .help = "the other end", .form = LINK_OPTION_PEER}},
	.setup = veth_setup,
	.validate = veth_validate,
	.newlink = veth_newlink,
	.dellink = veth_dellink,
	.get_iflink = veth_get_iflink,
	.get_link_net = veth_get_link_net,
	.open = veth_open,
	.stop = veth_close,
	.xmit = veth_xmit,
	.set_rx_mode = veth_set_multicast_list,
	.set_mac_address = eth_mac_addr,
};

const struct net_module net_module_veth = {
	.name = "veth",
	.kind = &veth_kind,
};
