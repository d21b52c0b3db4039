/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bond-slave.c - devices join a bond, and leave it.
 *
 * Models bond_enslave() and __bond_release_one() of drivers/net/bonding/
 * bond_main.c (Linux 5.10 and 6.1), in their order: it decides which address
 * list sees what. */
#include <string.h>

#include "net/bond.h"
#include "net/dev-addr-lists.h"

/* Joining */

static int
refuse(struct ext_ack *ack, int err, const char *why)
{
	ext_ack_set(ack, "%s", why);
	return err;
}

static int
check_enslave(const struct net_device *dev, const struct net_device *port, struct ext_ack *ack)
{
	if (port->flags & IFF_MASTER && !netif_is_lag_master(port))
		return refuse(ack, -EPERM, "Device type (master device) cannot be enslaved");
	if (port->has_rx_handler)
		return refuse(ack, -EBUSY, "Device is in use and cannot be enslaved");
	if (dev == port)
		return refuse(ack, -EPERM, "Cannot enslave bond to itself.");
	if (port->priv_flags & IFF_NO_VLAN && vlan_uses_dev(dev))
		return refuse(ack, -EPERM,
			      "Can not enslave VLAN challenged device to VLAN enabled bond");
	if (port->flags & IFF_UP)
		return refuse(ack, -EPERM, "Device can not be enslaved while up");
	if (port->type != dev->type)
		return refuse(ack, -EINVAL, "Device type is different from other slaves");
	return 0;
}

/* The first slave lends its address to a bond that has none of its own. */
static void
bond_set_dev_addr(struct net_device *dev, const struct net_device *port)
{
	DEV_ENTER(dev, "bond_set_dev_addr");
	dev_addr_mod(dev, port->dev_addr);
	dev->addr_assign_type = NET_ADDR_STOLEN;
	call_netdevice_notifiers(NETDEV_CHANGEADDR, dev, NULL);
}

/* Brings the device into the state of a slave; undoes what it did if it fails. */
static int
prepare_slave(struct bonding *bond, struct slave *slave, struct ext_ack *ack)
{
	struct net_device *port = slave->dev;
	int err = dev_set_mtu(port, bond->dev->mtu);

	if (err != 0)
		return err;
	err = dev_set_mac_address(port, bond->dev->dev_addr, ack);
	if (err != 0)
		goto restore_mtu;
	port->flags |= IFF_SLAVE;
	err = dev_open(port, ack);
	if (err != 0)
		goto restore_mac;
	port->priv_flags |= IFF_BONDING;
	err = vlan_vids_add_by_dev(port, bond->dev);
	if (err == 0)
		return 0;
	dev_close(port);
restore_mac:
	port->flags &= ~(unsigned)IFF_SLAVE;
	dev_set_mac_address(port, slave->perm_hwaddr, NULL);
restore_mtu:
	dev_set_mtu(port, slave->original_mtu);
	return err;
}

/* 'quietly': the device or the bond dies, so nobody shall act on its MTU. */
static void
leave_slave_state(struct slave *slave, bool quietly)
{
	struct net_device *port = slave->dev;

	dev_close(port);
	dev_set_mac_address(port, slave->perm_hwaddr, NULL);
	if (quietly)
		__dev_set_mtu(port, slave->original_mtu, NULL);
	else
		dev_set_mtu(port, slave->original_mtu);
	if (!netif_is_lag_master(port))
		port->priv_flags &= ~IFF_BONDING;
}

static void
append_slave(struct bonding *bond, struct slave *slave)
{
	struct slave **at = &bond->slaves;

	while (*at)
		at = &(*at)->next;
	*at = slave;
}

static void
remove_slave(struct bonding *bond, struct slave *slave)
{
	struct slave **at = &bond->slaves;

	while (*at != slave)
		at = &(*at)->next;
	*at = slave->next;
}

static int
link_slave(struct bonding *bond, struct slave *slave, struct ext_ack *ack)
{
	int err = netdev_rx_handler_register(slave->dev, slave);

	if (err != 0)
		return err;
	err = netdev_master_upper_dev_link(slave->dev, bond->dev, ack);
	if (err != 0)
		netdev_rx_handler_unregister(slave->dev);
	return err;
}

/* A new slave of a bond whose slaves all carry traffic. */
static void
share_addresses(struct bonding *bond, struct net_device *port)
{
	bond_share_modes(bond, port, bond->dev->flags, 1);
	if (!(bond->dev->flags & IFF_UP))
		return;
	dev_mc_sync_multiple(port, bond->dev);
	dev_uc_sync_multiple(port, bond->dev);
	if (bond->mode == BOND_MODE_8023AD)
		dev_mc_add(port, lacpdu_mcast_addr);
}

static void
start_slave(struct bonding *bond, struct slave *slave)
{
	if (strcmp(bond->primary, slave->dev->name) == 0)
		bond->primary_slave = slave;
	if (!bond_uses_primary(bond)) {
		if (!bond->curr_active_slave && slave->link_up)
			bond->curr_active_slave = slave;
		share_addresses(bond, slave->dev);
	}
	bond_set_carrier(bond);
	if (bond_uses_primary(bond))
		bond_select_active_slave(bond);
	bond_monitor_kick(bond);
}

static struct slave *
alloc_slave(struct net_device *port)
{
	struct slave *slave = g_new0(struct slave, 1);

	slave->dev = port;
	slave->original_mtu = port->mtu;
	memcpy(slave->perm_hwaddr, port->dev_addr, ETH_ALEN);
	return slave;
}

/* A bond does not keep the address of a device that could not be its first slave. */
static void
return_address(struct bonding *bond, const struct net_device *port)
{
	if (!bond->slaves && ether_addr_equal(bond->dev->dev_addr, port->dev_addr))
		eth_hw_addr_random(bond->dev);
}

int
bond_enslave(struct net_device *dev, struct net_device *port, struct ext_ack *ack)
{
	struct bonding *bond = netdev_priv(dev);
	struct slave *slave;
	int err;

	DEV_ENTER(dev, "bond_enslave");
	err = check_enslave(dev, port, ack);
	if (err != 0)
		return err;
	call_netdevice_notifiers(NETDEV_JOIN, port, NULL);
	if (!bond->slaves && dev->addr_assign_type == NET_ADDR_RANDOM)
		bond_set_dev_addr(dev, port);
	slave = alloc_slave(port);
	err = prepare_slave(bond, slave, ack);
	if (err == 0) {
		slave->link_up = bond_link_is_up(bond, port);
		err = link_slave(bond, slave, ack);
		if (err != 0) {
			vlan_vids_del_by_dev(port, dev);
			port->flags &= ~(unsigned)IFF_SLAVE;
			leave_slave_state(slave, false);
		}
	}
	if (err != 0) {
		g_free(slave);
		return_address(bond, port);
		return err;
	}
	append_slave(bond, slave);
	slave->aggregated = netif_running(dev);
	start_slave(bond, slave);
	return 0;
}

/* Leaving */

static void
forget_address(struct bonding *bond)
{
	if (bond->slaves)
		return;
	eth_hw_addr_random(bond->dev);
	call_netdevice_notifiers(NETDEV_CHANGEADDR, bond->dev, NULL);
	call_netdevice_notifiers(NETDEV_RELEASE, bond->dev, NULL);
}

/* 'all': the bond goes away, so no other slave takes over. */
static void
replace_active(struct bonding *bond, struct slave *slave, bool all)
{
	bool was_active = bond->curr_active_slave == slave;

	if (bond->primary_slave == slave)
		bond->primary_slave = NULL;
	if (was_active)
		bond_change_active_slave(bond, NULL);
	if (all)
		bond->curr_active_slave = NULL;
	else if (was_active)
		bond_select_active_slave(bond);
	bond_set_carrier(bond);
}

void
bond_release_one(struct bonding *bond, struct slave *slave, bool all, bool unregister)
{
	struct net_device *port = slave->dev;
	unsigned old_flags = bond->dev->flags;

	netdev_rx_handler_unregister(port);
	netdev_upper_dev_unlink(port, bond->dev);
	port->flags &= ~(unsigned)IFF_SLAVE;
	remove_slave(bond, slave);
	replace_active(bond, slave, all);
	forget_address(bond);
	vlan_vids_del_by_dev(port, bond->dev);
	if (!bond_uses_primary(bond)) {
		bond_share_modes(bond, port, old_flags, -1);
		if (old_flags & IFF_UP)
			bond_hw_addr_flush(bond, port);
	}
	leave_slave_state(slave, unregister);
	g_free(slave);
}

int
bond_release(struct net_device *dev, struct net_device *port)
{
	struct bonding *bond = netdev_priv(dev);
	struct slave *slave = bond_get_slave(bond, port);

	if (!slave)
		return -EINVAL;
	bond_release_one(bond, slave, false, false);
	return 0;
}
