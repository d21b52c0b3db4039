/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bond-monitor.c - which slaves of a bond have a link.
 *
 * Models the MII monitor of drivers/net/bonding/bond_main.c (Linux 5.10 and
 * 6.1).  The kernel looks every 'miimon' milliseconds; nothing but a device
 * event can change what it sees, so here it looks once, that long after one. */
#include "net/bond.h"

bool
bond_link_is_up(const struct bonding *bond, const struct net_device *slave)
{
	return bond->miimon == 0 || (netif_running(slave) && netif_carrier_ok(slave));
}

/* Says whether the active slave has to be chosen anew: it lost its link, or one
 * got a link that goes before it. */
static bool
inspect(struct bonding *bond)
{
	const struct slave *active = bond->curr_active_slave;
	bool failover = false;
	struct slave *slave;

	bond_for_each_slave(bond, slave)
	{
		bool up = bond_link_is_up(bond, slave->dev);

		if (up == slave->link_up)
			continue;
		slave->link_up = up;
		failover |= up ? !active || slave == bond->primary_slave : slave == active;
	}
	return failover;
}

/* Like the kernel, it never waits for RTNL, so that a bond can go away under
 * RTNL without waiting for its monitor. */
static void
bond_mii_monitor(void *data)
{
	struct bonding *bond = data;
	struct kernel *k = bond->dev->kernel;

	if (k->rtnl.holder) {
		work_mod_delayed(k->events, &bond->mii_work, PS_PER_MS);
		return;
	}
	rtnl_lock(k);
	if (bond->dev->flags & IFF_UP) {
		if (inspect(bond))
			bond_select_active_slave(bond);
		bond_set_carrier(bond);
	}
	rtnl_unlock(k);
}

void
bond_monitor_init(struct bonding *bond)
{
	work_init(&bond->mii_work, "bond_mii_monitor", bond_mii_monitor, bond);
}

void
bond_monitor_kick(struct bonding *bond)
{
	if (bond->miimon > 0 && bond->dev->flags & IFF_UP && !work_pending(&bond->mii_work))
		work_mod_delayed(bond->dev->kernel->events, &bond->mii_work,
				 bond->miimon * PS_PER_MS);
}
