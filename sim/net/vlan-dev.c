/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vlan-dev.c - what a VLAN device does with the device below it.
 *
 * Models net/8021q/vlan_dev.c (Linux 5.10 and 6.1). */
#include "net/vlan-dev.h"

#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <string.h>

#include "net/af-netlink.h"
#include "net/dev-addr-lists.h"
#include "net/packet.h"

static struct net_device *
real_of(const struct net_device *dev)
{
	return vlan_dev_priv(dev)->real_dev;
}

void
vlan_dev_setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->priv_flags |= IFF_802_1Q_VLAN | IFF_NO_QUEUE | IFF_UNICAST_FLT;
	dev->min_mtu = 0;
	dev->max_mtu = 65535;
	memset(dev->broadcast, 0, ETH_ALEN);
}

int
vlan_dev_init(struct net_device *dev)
{
	const struct net_device *real = real_of(dev);
	unsigned own = IFF_UP | IFF_PROMISC | IFF_ALLMULTI | IFF_MASTER | IFF_SLAVE;

	DEV_ENTER(dev, "vlan_dev_init");
	dev->flags = real->flags & ~own;
	dev->carrier = real->carrier;
	dev->dormant = real->dormant;
	if (is_zero_ether_addr(dev->dev_addr)) {
		eth_hw_addr_inherit(dev, real);
		dev->addr_assign_type = NET_ADDR_STOLEN;
	}
	if (is_zero_ether_addr(dev->broadcast))
		memcpy(dev->broadcast, real->broadcast, ETH_ALEN);
	return 0;
}

bool
vlan_dev_inherit_address(struct net_device *dev, const struct net_device *real)
{
	if (dev->addr_assign_type != NET_ADDR_STOLEN)
		return false;
	dev_addr_mod(dev, real->dev_addr);
	call_netdevice_notifiers(NETDEV_CHANGEADDR, dev, NULL);
	return true;
}

static bool
has_own_address(const struct net_device *dev)
{
	return !ether_addr_equal(dev->dev_addr, real_of(dev)->dev_addr);
}

int
vlan_dev_open(struct net_device *dev)
{
	struct vlan_dev_priv *vlan = vlan_dev_priv(dev);
	struct net_device *real = vlan->real_dev;
	int err = 0;

	DEV_ENTER_TRACED(dev, "vlan_dev_open");
	if (!(real->flags & IFF_UP) && !(vlan->flags & VLAN_FLAG_LOOSE_BINDING))
		return -ENETDOWN;
	if (has_own_address(dev) && !vlan_dev_inherit_address(dev, real))
		err = dev_uc_add(real, dev->dev_addr);
	if (err != 0) {
		netif_carrier_off(dev);
		return err;
	}
	memcpy(vlan->real_dev_addr, real->dev_addr, ETH_ALEN);
	if (netif_carrier_ok(real))
		netif_carrier_on(dev);
	return 0;
}

int
vlan_dev_stop(struct net_device *dev)
{
	struct net_device *real = real_of(dev);

	DEV_ENTER_TRACED(dev, "vlan_dev_stop");
	dev_mc_unsync(real, dev);
	dev_uc_unsync(real, dev);
	if (has_own_address(dev))
		dev_uc_del(real, dev->dev_addr);
	netif_carrier_off(dev);
	return 0;
}

/* A second tag around the first one is not simulated: such a frame is dropped. */
void
vlan_dev_hard_start_xmit(struct net_device *dev, struct frame *f)
{
	DEV_ENTER(dev, "vlan_dev_hard_start_xmit");
	if (f->tagged)
		return;
	f->tagged = true;
	f->vid = vlan_dev_priv(dev)->vid;
	dev_queue_xmit(real_of(dev), f);
}

void
vlan_dev_set_rx_mode(struct net_device *dev)
{
	DEV_ENTER_TRACED(dev, "vlan_dev_set_rx_mode");
	dev_mc_sync(real_of(dev), dev);
	dev_uc_sync(real_of(dev), dev);
}

/* Whether it is up or not, as the stable kernels have it since 2025. */
void
vlan_dev_change_rx_flags(struct net_device *dev, unsigned change)
{
	if (change & IFF_ALLMULTI)
		dev_set_allmulti(real_of(dev), dev->flags & IFF_ALLMULTI ? 1 : -1);
	if (change & IFF_PROMISC)
		dev_set_promiscuity(real_of(dev), dev->flags & IFF_PROMISC ? 1 : -1);
}

int
vlan_dev_set_mac_address(struct net_device *dev, const uint8_t *addr)
{
	struct net_device *real = real_of(dev);
	int err;

	if (!is_valid_ether_addr(addr))
		return -EADDRNOTAVAIL;
	if (dev->flags & IFF_UP) {
		err = ether_addr_equal(addr, real->dev_addr) ? 0 : dev_uc_add(real, addr);
		if (err != 0)
			return err;
		if (has_own_address(dev))
			dev_uc_del(real, dev->dev_addr);
	}
	dev_addr_mod(dev, addr);
	return 0;
}

int
vlan_dev_change_mtu(struct net_device *dev, unsigned mtu, struct ext_ack *ack)
{
	return mtu > real_of(dev)->mtu ? -ERANGE : 0;
}

int
vlan_dev_get_iflink(const struct net_device *dev)
{
	return real_of(dev)->ifindex;
}

struct net *
vlan_dev_get_link_net(const struct net_device *dev)
{
	return real_of(dev)->net;
}

void
vlan_dev_fill_info(struct nlmsg *m, const struct net_device *dev)
{
	const struct vlan_dev_priv *vlan = vlan_dev_priv(dev);
	struct ifla_vlan_flags flags = {.flags = vlan->flags, .mask = UINT32_MAX};

	nlmsg_put_be16(m, IFLA_VLAN_PROTOCOL, ETH_P_8021Q);
	nlmsg_put_u16(m, IFLA_VLAN_ID, vlan->vid);
	nlmsg_put(m, IFLA_VLAN_FLAGS, &flags, sizeof flags);
}
