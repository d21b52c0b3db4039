/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bond.c - several devices that act as one.
 *
 * Models drivers/net/bonding/bond_main.c (Linux 5.10 and 6.1), as far as
 * lookup structures see it: the modes balance-rr, active-backup, balance-xor,
 * broadcast and 802.3ad, without a partner that answers LACP. */
#include "net/bond.h"

#include <string.h>

#include "net/dev-addr-lists.h"
#include "net/rtnetlink.h"

const uint8_t lacpdu_mcast_addr[ETH_ALEN] = {0x01, 0x80, 0xc2, 0, 0, 2};

struct slave *
bond_get_slave(const struct bonding *bond, const struct net_device *dev)
{
	struct slave *slave;

	bond_for_each_slave(bond, slave)
	{
		if (slave->dev == dev)
			break;
	}
	return slave;
}

/* Addresses of the bond on its slaves */

void
bond_hw_addr_flush(struct bonding *bond, struct net_device *slave)
{
	dev_uc_unsync(slave, bond->dev);
	dev_mc_unsync(slave, bond->dev);
	if (bond->mode == BOND_MODE_8023AD)
		dev_mc_del(slave, lacpdu_mcast_addr);
}

void
bond_share_modes(struct bonding *bond, struct net_device *slave, unsigned flags, int inc)
{
	if (flags & IFF_PROMISC)
		dev_set_promiscuity(slave, inc);
	if (flags & IFF_ALLMULTI)
		dev_set_allmulti(slave, inc);
}

static void
bond_hw_addr_swap(struct bonding *bond, struct slave *new, struct slave *old)
{
	unsigned flags = bond->dev->flags;

	if (old) {
		bond_share_modes(bond, old->dev, flags, -1);
		if (flags & IFF_UP)
			bond_hw_addr_flush(bond, old->dev);
	}
	if (new) {
		bond_share_modes(bond, new->dev, flags, 1);
		if (flags & IFF_UP) {
			dev_uc_sync(new->dev, bond->dev);
			dev_mc_sync(new->dev, bond->dev);
		}
	}
}

static void
bond_set_rx_mode(struct net_device *dev)
{
	struct bonding *bond = netdev_priv(dev);
	struct slave *slave;

	DEV_ENTER_TRACED(dev, "bond_set_rx_mode");
	if (bond_uses_primary(bond)) {
		slave = bond->curr_active_slave;
		if (slave) {
			dev_uc_sync(slave->dev, dev);
			dev_mc_sync(slave->dev, dev);
		}
		return;
	}
	bond_for_each_slave(bond, slave)
	{
		dev_uc_sync_multiple(slave->dev, dev);
		dev_mc_sync_multiple(slave->dev, dev);
	}
}

static void
bond_change_rx_flags(struct net_device *dev, unsigned change)
{
	struct bonding *bond = netdev_priv(dev);
	struct slave *slave;

	bond_for_each_slave(bond, slave)
	{
		if (bond_uses_primary(bond) && slave != bond->curr_active_slave)
			continue;
		bond_share_modes(bond, slave->dev, change & IFF_PROMISC,
				 dev->flags & IFF_PROMISC ? 1 : -1);
		bond_share_modes(bond, slave->dev, change & IFF_ALLMULTI,
				 dev->flags & IFF_ALLMULTI ? 1 : -1);
	}
}

/* Links */

static unsigned
links_up(const struct bonding *bond)
{
	const struct slave *slave;
	unsigned count = 0;

	bond_for_each_slave(bond, slave) count += slave->link_up;
	return count;
}

void
bond_set_carrier(struct bonding *bond)
{
	unsigned needed = bond->mode == BOND_MODE_8023AD ? MAX(bond->min_links, 1) : 1;

	if (links_up(bond) >= needed)
		netif_carrier_on(bond->dev);
	else
		netif_carrier_off(bond->dev);
}

void
bond_change_active_slave(struct bonding *bond, struct slave *new)
{
	struct slave *old = bond->curr_active_slave;

	if (old == new)
		return;
	if (bond_uses_primary(bond))
		bond_hw_addr_swap(bond, new, old);
	bond->curr_active_slave = new;
}

static bool
has_link(const struct slave *slave)
{
	return slave && slave->link_up;
}

/* The primary if it can.  Then 5.10 prefers the active one, 6.1 the one with the
 * highest priority, of which all have the same: the oldest. */
static struct slave *
bond_find_best_slave(const struct bonding *bond)
{
	struct slave *oldest;

	if (has_link(bond->primary_slave))
		return bond->primary_slave;
	if (bond->dev->kernel->options.version < KERNEL_6_1 && has_link(bond->curr_active_slave))
		return bond->curr_active_slave;
	bond_for_each_slave(bond, oldest)
	{
		if (oldest->link_up)
			break;
	}
	return oldest;
}

void
bond_select_active_slave(struct bonding *bond)
{
	struct slave *best = bond_find_best_slave(bond);

	if (best == bond->curr_active_slave)
		return;
	bond_change_active_slave(bond, best);
	bond_set_carrier(bond);
}

/* The device */

static void
bond_setup(struct net_device *dev)
{
	struct bonding *bond = netdev_priv(dev);

	bond->dev = dev;
	ether_setup(dev);
	dev->max_mtu = 65535;
	dev->flags |= IFF_MASTER;
	dev->priv_flags |=
		IFF_BONDING | IFF_UNICAST_FLT | IFF_NO_QUEUE | IFF_NETNS_LOCAL | IFF_VLAN_FILTER;
	bond_monitor_init(bond);
}

static int
bond_init(struct net_device *dev)
{
	if (is_zero_ether_addr(dev->dev_addr) && dev->addr_assign_type == NET_ADDR_PERM)
		eth_hw_addr_random(dev);
	return 0;
}

static void
bond_uninit(struct net_device *dev)
{
	struct bonding *bond = netdev_priv(dev);

	while (bond->slaves)
		bond_release_one(bond, bond->slaves, true, true);
	work_cancel(&bond->mii_work);
}

static int
bond_newlink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	int err = bond_changelink(dev, req, ack);

	if (err == 0)
		err = register_netdevice(dev);
	if (err == 0)
		netif_carrier_off(dev);
	return err;
}

static int
bond_open(struct net_device *dev)
{
	struct bonding *bond = netdev_priv(dev);
	struct slave *slave;

	DEV_ENTER(dev, "bond_open");
	if (bond->mode == BOND_MODE_8023AD)
		bond_for_each_slave(bond, slave) dev_mc_add(slave->dev, lacpdu_mcast_addr);
	bond_for_each_slave(bond, slave) slave->aggregated = true;
	if (bond->miimon > 0)
		work_mod_delayed(dev->kernel->events, &bond->mii_work, 0);
	return 0;
}

static int
bond_close(struct net_device *dev)
{
	struct bonding *bond = netdev_priv(dev);
	struct slave *slave;

	DEV_ENTER(dev, "bond_close");
	work_cancel(&bond->mii_work);
	bond_for_each_slave(bond, slave)
	{
		if (!bond_uses_primary(bond) || slave == bond->curr_active_slave)
			bond_hw_addr_flush(bond, slave->dev);
	}
	return 0;
}

/* All slaves first; those that took it take the old one back if one refuses. */
static int
bond_set_mac_address(struct net_device *dev, const uint8_t *addr)
{
	struct bonding *bond = netdev_priv(dev);
	struct slave *slave, *done;
	int err = 0;

	if (!is_valid_ether_addr(addr))
		return -EADDRNOTAVAIL;
	bond_for_each_slave(bond, slave)
	{
		err = dev_set_mac_address(slave->dev, addr, NULL);
		if (err != 0)
			break;
	}
	if (err == 0)
		dev_addr_mod(dev, addr);
	else
		for (done = bond->slaves; done != slave; done = done->next)
			dev_set_mac_address(done->dev, dev->dev_addr, NULL);
	return err;
}

static int
bond_change_mtu(struct net_device *dev, unsigned mtu, struct ext_ack *ack)
{
	struct bonding *bond = netdev_priv(dev);
	struct slave *slave, *done;
	int err = 0;

	bond_for_each_slave(bond, slave)
	{
		err = dev_set_mtu(slave->dev, mtu);
		if (err != 0)
			break;
	}
	if (err != 0)
		for (done = bond->slaves; done != slave; done = done->next)
			dev_set_mtu(done->dev, dev->mtu);
	return err;
}

static int
bond_vlan_rx_add_vid(struct net_device *dev, uint16_t vid)
{
	struct bonding *bond = netdev_priv(dev);
	struct slave *slave, *done;
	int err = 0;

	DEV_ENTER(dev, "bond_vlan_rx_add_vid");
	bond_for_each_slave(bond, slave)
	{
		err = vlan_vid_add(slave->dev, vid);
		if (err != 0)
			break;
	}
	if (err != 0)
		for (done = bond->slaves; done != slave; done = done->next)
			vlan_vid_del(done->dev, vid);
	return err;
}

static int
bond_vlan_rx_kill_vid(struct net_device *dev, uint16_t vid)
{
	struct bonding *bond = netdev_priv(dev);
	struct slave *slave;

	DEV_ENTER(dev, "bond_vlan_rx_kill_vid");
	bond_for_each_slave(bond, slave) vlan_vid_del(slave->dev, vid);
	return 0;
}

/* The primary is known by its name. */
static void
slave_renamed(struct bonding *bond, struct slave *slave)
{
	if (!bond_uses_primary(bond) || !*bond->primary)
		return;
	if (slave == bond->primary_slave)
		bond->primary_slave = NULL;
	else if (strcmp(slave->dev->name, bond->primary) == 0)
		bond->primary_slave = slave;
	else
		return;
	bond_select_active_slave(bond);
}

static int
bond_netdev_event(struct kernel *k, enum netdev_event event, struct net_device *dev,
		  const void *info)
{
	struct net_device *master;
	struct bonding *bond;

	if (!(dev->flags & IFF_SLAVE) || !(dev->priv_flags & IFF_BONDING))
		return 0;
	master = netdev_master_upper_dev_get(dev);
	if (!master || !netif_is_lag_master(master))
		return 0;
	bond = netdev_priv(master);
	if (event == NETDEV_UNREGISTER)
		bond_release_one(bond, bond_get_slave(bond, dev), false, true);
	else if (event == NETDEV_CHANGENAME)
		slave_renamed(bond, bond_get_slave(bond, dev));
	else if (event == NETDEV_UP || event == NETDEV_DOWN || event == NETDEV_CHANGE)
		bond_monitor_kick(bond);
	return 0;
}

static const struct link_kind bond_kind = {
	.name = "bond",
	.about = "several devices that act as one",
	.priv_size = sizeof(struct bonding),
	.options =
		{
			[BOND_MODE] = {.name = "mode",
				       .help = "how traffic is spread",
				       .form = LINK_OPTION_WORD,
				       .words = bond_mode_names},
			[BOND_ACTIVE_SLAVE] = {.name = "active_slave",
					       .help = "the slave that carries traffic",
					       .form = LINK_OPTION_DEVICE},
			[BOND_MIIMON] = {.name = "miimon",
					 .help = "milliseconds between looks at the links",
					 .max = INT32_MAX},
			[BOND_PRIMARY] = {.name = "primary",
					  .help = "the slave to prefer",
					  .form = LINK_OPTION_DEVICE},
			[BOND_XMIT_HASH_POLICY] = {.name = "xmit_hash_policy",
						   .help = "what chooses a slave",
						   .form = LINK_OPTION_WORD,
						   .words = bond_xmit_names},
			[BOND_LACP_RATE] = {.name = "lacp_rate",
					    .help = "how often the partner reports",
					    .form = LINK_OPTION_WORD,
					    .words = bond_lacp_names},
			[BOND_MIN_LINKS] = {.name = "min_links",
					    .help = "links that a carrier needs (802.3ad)",
					    .max = INT32_MAX},
		},
	.setup = bond_setup,
	.validate = rtnl_validate_address,
	.newlink = bond_newlink,
	.changelink = bond_changelink,
	.fill_info = bond_fill_info,
	.fill_slave_info = bond_fill_slave_info,
	.init = bond_init,
	.uninit = bond_uninit,
	.open = bond_open,
	.stop = bond_close,
	.set_rx_mode = bond_set_rx_mode,
	.change_rx_flags = bond_change_rx_flags,
	.set_mac_address = bond_set_mac_address,
	.change_mtu = bond_change_mtu,
	.add_slave = bond_enslave,
	.del_slave = bond_release,
	.vlan_rx_add_vid = bond_vlan_rx_add_vid,
	.vlan_rx_kill_vid = bond_vlan_rx_kill_vid,
};

const struct net_module net_module_bond = {
	.name = "bond",
	.kind = &bond_kind,
	.event = bond_netdev_event,
};
