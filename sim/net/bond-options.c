/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bond-options.c - the options of a bond, set and shown.
 *
 * Models drivers/net/bonding/bond_netlink.c and bond_options.c (Linux 5.10 and
 * 6.1), for the options that a lookup structure can notice and a few more. */
#include <string.h>

#include "net/bond.h"
#include "net/rtnetlink.h"

const char *const bond_mode_names[] = {"balance-rr", "active-backup", "balance-xor",
				       "broadcast",  "802.3ad",       NULL};
const char *const bond_xmit_names[] = {"layer2",   "layer3+4", "layer2+3",
				       "encap2+3", "encap3+4", NULL};
const char *const bond_lacp_names[] = {"slow", "fast", NULL};

static int
set_mode(struct bonding *bond, uint64_t mode)
{
	if (bond->slaves)
		return -ENOTEMPTY;
	if (bond->dev->flags & IFF_UP)
		return -EBUSY;
	bond->mode = (enum bond_mode)mode;
	if (bond->mode == BOND_MODE_8023AD && bond->miimon == 0)
		bond->miimon = BOND_DEFAULT_MIIMON;
	return 0;
}

static int
set_active_slave(struct bonding *bond, uint64_t ifindex)
{
	struct net_device *dev = dev_get_by_index(bond->dev->net, (int)ifindex);
	struct slave *slave = dev ? bond_get_slave(bond, dev) : NULL;

	if (!dev)
		return -ENODEV;
	if (!bond_uses_primary(bond))
		return -EACCES;
	if (!slave)
		return -EINVAL;
	if (slave == bond->curr_active_slave)
		return 0;
	if (!bond->curr_active_slave || !slave->link_up || !netif_running(dev))
		return -EINVAL;
	bond_change_active_slave(bond, slave);
	return 0;
}

static int
set_primary(struct bonding *bond, uint64_t ifindex)
{
	struct net_device *dev = dev_get_by_index(bond->dev->net, (int)ifindex);
	bool had_one;

	if (!dev)
		return -ENODEV;
	if (!bond_uses_primary(bond))
		return -EACCES;
	had_one = bond->primary_slave != NULL;
	memcpy(bond->primary, dev->name, IFNAMSIZ);
	bond->primary_slave = bond_get_slave(bond, dev);
	if (had_one || bond->primary_slave)
		bond_select_active_slave(bond);
	return 0;
}

static int
set_miimon(struct bonding *bond, uint64_t miimon)
{
	bond->miimon = (unsigned)miimon;
	bond_monitor_kick(bond);
	return 0;
}

static int
set_xmit_policy(struct bonding *bond, uint64_t policy)
{
	bond->xmit_policy = (unsigned)policy;
	return 0;
}

static int
set_lacp_rate(struct bonding *bond, uint64_t rate)
{
	if (bond->mode != BOND_MODE_8023AD)
		return -EACCES;
	if (bond->dev->flags & IFF_UP)
		return -EBUSY;
	bond->lacp_rate = (unsigned)rate;
	return 0;
}

static int
set_min_links(struct bonding *bond, uint64_t links)
{
	bond->min_links = (unsigned)links;
	bond_set_carrier(bond);
	return 0;
}

/* 5.10 says it in the log only. */
static void
say_why(const struct bonding *bond, int err, struct ext_ack *ack)
{
	if (bond->dev->kernel->options.version < KERNEL_6_1)
		return;
	if (err == -EINVAL)
		ext_ack_set(ack, "invalid option value");
	else if (err == -EACCES)
		ext_ack_set(ack, "option not supported in mode");
	else if (err == -ENOTEMPTY)
		ext_ack_set(ack, "unable to set option because the bond device has slaves");
	else if (err == -EBUSY)
		ext_ack_set(ack, "unable to set option because the bond is up");
}

/* In the order in which the kernel takes them from one message. */
int
bond_changelink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	static int (*const set[BOND_OPTIONS])(struct bonding *, uint64_t) = {
		[BOND_MODE] = set_mode,
		[BOND_ACTIVE_SLAVE] = set_active_slave,
		[BOND_MIIMON] = set_miimon,
		[BOND_PRIMARY] = set_primary,
		[BOND_XMIT_HASH_POLICY] = set_xmit_policy,
		[BOND_LACP_RATE] = set_lacp_rate,
		[BOND_MIN_LINKS] = set_min_links,
	};
	struct bonding *bond = netdev_priv(dev);
	int err = 0;

	for (unsigned n = 0; n < BOND_OPTIONS && err == 0; n++)
		if (link_option_given(req, n))
			err = set[n](bond, req->option[n]);
	say_why(bond, err, ack);
	return err;
}

void
bond_fill_info(const struct net_device *dev, json_t *info)
{
	const struct bonding *bond = netdev_priv(dev);

	json_object_set_new(info, "mode", json_string(bond_mode_names[bond->mode]));
	if (bond_uses_primary(bond) && bond->curr_active_slave)
		json_object_set_new(info, "active_slave",
				    json_string(bond->curr_active_slave->dev->name));
	json_object_set_new(info, "miimon", json_integer(bond->miimon));
	if (bond->primary_slave)
		json_object_set_new(info, "primary", json_string(bond->primary_slave->dev->name));
	json_object_set_new(info, "xmit_hash_policy",
			    json_string(bond_xmit_names[bond->xmit_policy]));
	json_object_set_new(info, "min_links", json_integer(bond->min_links));
	json_object_set_new(info, "ad_lacp_rate", json_string(bond_lacp_names[bond->lacp_rate]));
}

void
bond_fill_slave_info(const struct net_device *dev, const struct net_device *port, json_t *info)
{
	const struct bonding *bond = netdev_priv(dev);
	const struct slave *slave = bond_get_slave(bond, port);
	bool active = !bond_uses_primary(bond) || slave == bond->curr_active_slave;
	char text[18];
	const uint8_t *a = slave->perm_hwaddr;

	g_snprintf(text, sizeof text, "%02x:%02x:%02x:%02x:%02x:%02x", a[0], a[1], a[2], a[3], a[4],
		   a[5]);
	json_object_set_new(info, "state", json_string(active ? "ACTIVE" : "BACKUP"));
	json_object_set_new(info, "mii_status", json_string(slave->link_up ? "UP" : "DOWN"));
	json_object_set_new(info, "perm_hwaddr", json_string(text));
}
