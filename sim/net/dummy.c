/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dummy.c - a device that swallows what it is given.
 *
 * Models drivers/net/dummy.c (Linux 5.10 and 6.1). */
#include "net/dev.h"
#include "net/packet.h"
#include "net/rtnetlink.h"

static void
dummy_setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->flags |= IFF_NOARP;
	dev->flags &= ~(unsigned)IFF_MULTICAST;
	dev->priv_flags |= IFF_LIVE_ADDR_CHANGE | IFF_NO_QUEUE;
	dev->min_mtu = dev->max_mtu = 0;
	eth_hw_addr_random(dev);
}

/* It has no list to keep: whatever comes is swallowed anyway. */
static void
set_multicast_list(struct net_device *dev)
{
}

static void
dummy_xmit(struct net_device *dev, struct frame *f)
{
	DEV_ENTER(dev, "dummy_xmit");
}

static const struct link_kind dummy_kind = {
	.name = "dummy",
	.about = "a device that swallows what it is given",
	.setup = dummy_setup,
	.validate = rtnl_validate_address,
	.xmit = dummy_xmit,
	.set_rx_mode = set_multicast_list,
	.set_mac_address = eth_mac_addr,
};

const struct net_module net_module_dummy = {
	.name = "dummy",
	.kind = &dummy_kind,
};
