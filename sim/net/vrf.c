/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vrf.c - virtual routing and forwarding: a master whose slaves share a routing
 * table of their own.
 *
 * Models drivers/net/vrf.c (Linux 5.10 and 6.1); of its rules and routes those
 * of IPv6 are there (fib6.h).  A device that joins or leaves is cycled: down, and up again. */
#include <linux/if_link.h>

#include "net/af-netlink.h"
#include "net/dev.h"
#include "net/ip6-route.h"
#include "net/rtnetlink.h"

#define VRF_MAX_MTU (65535 + 40) /* of an IPv6 packet with its header */

struct vrf_priv {
	uint32_t tb_id;
};

enum vrf_option {
	VRF_TABLE,
};

uint32_t
l3mdev_fib_table(const struct net_device *dev)
{
	const struct net_device *master = dev;

	if (netif_is_l3_slave(dev))
		master = netdev_master_upper_dev_get(dev);
	if (!master || !netif_is_l3_master(master))
		return 0;
	return ((const struct vrf_priv *)netdev_priv(master))->tb_id;
}

/* A device in a VRF forgets what it knew of the old routing table. */
static void
cycle_netdev(struct net_device *dev, struct ext_ack *ack)
{
	unsigned flags = dev->flags;

	DEV_ENTER_TRACED(dev, "cycle_netdev");
	if (!netif_running(dev))
		return;
	if (dev_change_flags(dev, flags & ~(unsigned)IFF_UP, ack) == 0)
		dev_change_flags(dev, flags, ack);
}

static int
do_vrf_add_slave(struct net_device *dev, struct net_device *slave, struct ext_ack *ack)
{
	int err;

	if (slave == dev->net->loopback) {
		ext_ack_set(ack, "Can not enslave loopback device to a VRF");
		return -EOPNOTSUPP;
	}
	slave->priv_flags |= IFF_L3MDEV_SLAVE;
	err = netdev_master_upper_dev_link(slave, dev, ack);
	if (err != 0) {
		slave->priv_flags &= ~IFF_L3MDEV_SLAVE;
		return err;
	}
	cycle_netdev(slave, NULL);
	return 0;
}

static int
vrf_add_slave(struct net_device *dev, struct net_device *slave, struct ext_ack *ack)
{
	DEV_ENTER_TRACED(slave, "vrf_add_slave");
	if (netif_is_l3_master(slave)) {
		ext_ack_set(ack, "Can not enslave an L3 master device to a VRF");
		return -EINVAL;
	}
	if (netif_is_l3_slave(slave))
		return -EINVAL;
	return do_vrf_add_slave(dev, slave, ack);
}

static int
vrf_del_slave(struct net_device *dev, struct net_device *slave)
{
	netdev_upper_dev_unlink(slave, dev);
	slave->priv_flags &= ~IFF_L3MDEV_SLAVE;
	cycle_netdev(slave, NULL);
	return 0;
}

static int
vrf_dev_init(struct net_device *dev)
{
	DEV_ENTER(dev, "vrf_dev_init");
	dev->flags = IFF_MASTER | IFF_NOARP;
	dev->operstate = OPER_UP;
	return 0;
}

static void
vrf_setup(struct net_device *dev)
{
	DEV_ENTER(dev, "vrf_setup");
	ether_setup(dev);
	eth_hw_addr_random(dev);
	dev->priv_flags |= IFF_L3MDEV_MASTER | IFF_NO_QUEUE | IFF_NO_RX_HANDLER |
			   IFF_LIVE_ADDR_CHANGE | IFF_NETNS_LOCAL | IFF_NO_VLAN;
	dev->min_mtu = 1280;
	dev->max_mtu = VRF_MAX_MTU;
	dev->mtu = dev->max_mtu;
}

static int
vrf_newlink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	struct vrf_priv *vrf = netdev_priv(dev);
	int err;

	DEV_ENTER(dev, "vrf_newlink");
	if (!link_option_given(req, VRF_TABLE)) {
		ext_ack_set(ack, "VRF table id is missing");
		return -EINVAL;
	}
	vrf->tb_id = (uint32_t)req->option[VRF_TABLE];
	if (vrf->tb_id == 0) {
		ext_ack_set(ack, "Invalid VRF table id");
		return -EINVAL;
	}
	err = register_netdevice(dev);
	if (err == 0)
		netns_fib6(dev->net)->has_custom_rules = true;
	return err;
}

static void
vrf_dellink(struct net_device *dev, struct unregister_list *list)
{
	DEV_ENTER(dev, "vrf_dellink");
	while (dev->lower.first)
		vrf_del_slave(dev, dev->lower.first->dev);
	unregister_netdevice_queue(dev, list);
}

static int
vrf_validate(const struct link_request *req, struct ext_ack *ack)
{
	if (req->has_address && !is_valid_ether_addr(req->address)) {
		ext_ack_set(ack, "Invalid hardware address");
		return -EADDRNOTAVAIL;
	}
	return 0;
}

static void
vrf_fillinfo(struct nlmsg *m, const struct net_device *dev)
{
	const struct vrf_priv *vrf = netdev_priv(dev);

	nlmsg_put_u32(m, IFLA_VRF_TABLE, vrf->tb_id);
}

static void
vrf_fill_slave_info(struct nlmsg *m, const struct net_device *dev, const struct net_device *slave)
{
	const struct vrf_priv *vrf = netdev_priv(dev);

	nlmsg_put_u32(m, IFLA_VRF_PORT_TABLE, vrf->tb_id);
}

static int
vrf_device_event(struct kernel *k, enum netdev_event event, struct net_device *dev,
		 const void *info)
{
	if (event == NETDEV_UNREGISTER && netif_is_l3_slave(dev))
		vrf_del_slave(netdev_master_upper_dev_get(dev), dev);
	return 0;
}

static const struct link_kind vrf_kind = {
	.name = "vrf",
	.about = "a master whose slaves share a routing table of their own",
	.priv_size = sizeof(struct vrf_priv),
	.options = {[VRF_TABLE] = {.name = "table", .help = "routing table", .max = UINT32_MAX}},
	.setup = vrf_setup,
	.validate = vrf_validate,
	.newlink = vrf_newlink,
	.dellink = vrf_dellink,
	.fill_info = vrf_fillinfo,
	.fill_slave_info = vrf_fill_slave_info,
	.init = vrf_dev_init,
	.set_mac_address = eth_mac_addr,
	.add_slave = vrf_add_slave,
	.del_slave = vrf_del_slave,
};

const struct net_module net_module_vrf = {
	.name = "vrf",
	.kind = &vrf_kind,
	.event = vrf_device_event,
};
