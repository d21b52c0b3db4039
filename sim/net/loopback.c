/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loopback.c - the device that every namespace has from its first moment.
 *
 * Models drivers/net/loopback.c (Linux 5.10 and 6.1). */
#include <net/if_arp.h>

#include "net/dev.h"
#include "net/packet.h"

static void
loopback_setup(struct net_device *dev)
{
	dev->mtu = 65536;
	dev->txqlen = 1000;
	dev->type = ARPHRD_LOOPBACK;
	dev->flags = IFF_LOOPBACK;
	dev->priv_flags = IFF_LIVE_ADDR_CHANGE | IFF_NO_QUEUE | IFF_NO_VLAN | IFF_NETNS_LOCAL;
}

/* What is sent comes back. */
static void
loopback_xmit(struct net_device *dev, struct frame *f)
{
	netif_rx(dev, f);
}

static const struct link_kind loopback_kind = {
	.name = "loopback",
	.about = "the loopback device; made by the kernel",
	.builtin = true,
	.setup = loopback_setup,
	.xmit = loopback_xmit,
	.set_mac_address = eth_mac_addr,
};

static int
loopback_net_init(struct net *net, void *state)
{
	struct net_device *dev = alloc_netdev(net, "lo", &loopback_kind);
	int err;

	rtnl_lock(net->kernel);
	err = register_netdevice(dev);
	rtnl_unlock(net->kernel);
	net->loopback = dev;
	return err;
}

const struct net_module net_module_loopback = {
	.name = "loopback",
	.kind = &loopback_kind,
	.net_init = loopback_net_init,
};
