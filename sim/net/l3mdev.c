/* SPDX-License-Identifier: GPL-2.0-or-later */
/* l3mdev.c - which L3 domain (VRF) a device belongs to.
 *
 * Models net/l3mdev/l3mdev.c (Linux 5.10 and 6.1). */
#include "net/dev.h"
#include "net/saddr.h"

struct net_device *
l3mdev_master_dev_rcu(const struct net_device *dev)
{
	if (!dev)
		return NULL;
	if (netif_is_l3_master(dev))
		return (struct net_device *)dev;
	return netif_is_l3_slave(dev) ? netdev_master_upper_dev_get(dev) : NULL;
}

int
l3mdev_master_ifindex_rcu(const struct net_device *dev)
{
	const struct net_device *master;

	DEV_ENTER(dev, "l3mdev_master_ifindex_rcu");
	master = l3mdev_master_dev_rcu(dev);
	return master ? master->ifindex : 0;
}
