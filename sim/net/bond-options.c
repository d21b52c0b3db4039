/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bond-options.c - the options of a bond, set and shown.
 *
 * Models drivers/net/bonding/bond_netlink.c and bond_options.c (Linux 5.10 and
 * 6.1), for the options that a lookup structure can notice and a few more. */
#include <linux/if_link.h>
#include <string.h>

#include "net/af-netlink.h"
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

/* What the kernel's bonds have unless a user says otherwise, which is not modelled. */

#define RESEND_IGMP_DEFAULT    1
#define NUM_PEER_NOTIF_DEFAULT 1
#define LP_INTERVAL_DEFAULT    1
#define PACKETS_PER_SLAVE      1
#define MISSED_MAX_DEFAULT     2
#define AD_ACTOR_SYS_PRIO      65535
#define AD_PORT_PRIO           255

/* Attributes that stable kernels have, but not yet the headers of all machines. */
enum {
	BOND_COUPLED_CONTROL = 32,
	BOND_SLAVE_ACTOR_PORT_PRIO = 10,
	BOND_SLAVE_AD_CHURN_ACTOR_STATE = 11,
	BOND_SLAVE_AD_CHURN_PARTNER_STATE = 12,
};

/* What the monitor thinks of a link; there are two between. */
enum { BOND_LINK_UP = 0, BOND_LINK_DOWN = 2 };

static bool
is_6_1(const struct bonding *bond)
{
	return bond->dev->kernel->options.version >= KERNEL_6_1;
}

/* Nobody answers LACP here, so each slave is an aggregator of its own: the number of
 * the first one whose link is up, which is the active one; or 0. */
static uint16_t
active_aggregator(const struct bonding *bond)
{
	const struct slave *slave;
	uint16_t number = 0;

	bond_for_each_slave(bond, slave)
	{
		number++;
		if (slave->aggregated && slave->link_up)
			return number;
	}
	return 0;
}

static uint16_t
aggregator_of(const struct bonding *bond, const struct slave *slave)
{
	uint16_t number = 1;

	for (const struct slave *s = bond->slaves; s != slave; s = s->next)
		number++;
	return number;
}

static void
fill_aggregator(struct nlmsg *m, uint16_t number)
{
	static const uint8_t no_partner[ETH_ALEN];
	struct nlattr *nest = nlmsg_nest_noflag(m, IFLA_BOND_AD_INFO);

	nlmsg_put_u16(m, IFLA_BOND_AD_INFO_AGGREGATOR, number);
	nlmsg_put_u16(m, IFLA_BOND_AD_INFO_NUM_PORTS, 1);
	nlmsg_put_u16(m, IFLA_BOND_AD_INFO_ACTOR_KEY, 0);
	nlmsg_put_u16(m, IFLA_BOND_AD_INFO_PARTNER_KEY, 1);
	nlmsg_put(m, IFLA_BOND_AD_INFO_PARTNER_MAC, no_partner, ETH_ALEN);
	nlmsg_nest_end(m, nest);
}

static void
fill_8023ad(struct nlmsg *m, const struct bonding *bond)
{
	static const uint8_t own_address[ETH_ALEN];

	nlmsg_put_u16(m, IFLA_BOND_AD_ACTOR_SYS_PRIO, AD_ACTOR_SYS_PRIO);
	nlmsg_put_u16(m, IFLA_BOND_AD_USER_PORT_KEY, 0);
	nlmsg_put(m, IFLA_BOND_AD_ACTOR_SYSTEM, own_address, ETH_ALEN);
	if (active_aggregator(bond))
		fill_aggregator(m, active_aggregator(bond));
}

static void
fill_monitoring(struct nlmsg *m, const struct bonding *bond)
{
	nlmsg_put_u32(m, IFLA_BOND_MIIMON, bond->miimon);
	nlmsg_put_u32(m, IFLA_BOND_UPDELAY, 0);
	nlmsg_put_u32(m, IFLA_BOND_DOWNDELAY, 0);
	nlmsg_put_u32(m, IFLA_BOND_PEER_NOTIF_DELAY, 0);
	nlmsg_put_u8(m, IFLA_BOND_USE_CARRIER, 1);
	nlmsg_put_u32(m, IFLA_BOND_ARP_INTERVAL, 0);
	nlmsg_put_u32(m, IFLA_BOND_ARP_VALIDATE, 0);
	nlmsg_put_u32(m, IFLA_BOND_ARP_ALL_TARGETS, 0);
}

static void
fill_choice(struct nlmsg *m, const struct bonding *bond)
{
	if (bond->primary_slave)
		nlmsg_put_u32(m, IFLA_BOND_PRIMARY, (uint32_t)bond->primary_slave->dev->ifindex);
	nlmsg_put_u8(m, IFLA_BOND_PRIMARY_RESELECT, 0);
	nlmsg_put_u8(m, IFLA_BOND_FAIL_OVER_MAC, 0);
	nlmsg_put_u8(m, IFLA_BOND_XMIT_HASH_POLICY, (uint8_t)bond->xmit_policy);
	nlmsg_put_u32(m, IFLA_BOND_RESEND_IGMP, RESEND_IGMP_DEFAULT);
	nlmsg_put_u8(m, IFLA_BOND_NUM_PEER_NOTIF, NUM_PEER_NOTIF_DEFAULT);
	nlmsg_put_u8(m, IFLA_BOND_ALL_SLAVES_ACTIVE, 0);
	nlmsg_put_u32(m, IFLA_BOND_MIN_LINKS, bond->min_links);
	nlmsg_put_u32(m, IFLA_BOND_LP_INTERVAL, LP_INTERVAL_DEFAULT);
	nlmsg_put_u32(m, IFLA_BOND_PACKETS_PER_SLAVE, PACKETS_PER_SLAVE);
}

void
bond_fill_info(struct nlmsg *m, const struct net_device *dev)
{
	const struct bonding *bond = netdev_priv(dev);
	const struct slave *active = bond_uses_primary(bond) ? bond->curr_active_slave : NULL;

	nlmsg_put_u8(m, IFLA_BOND_MODE, (uint8_t)bond->mode);
	if (active)
		nlmsg_put_u32(m, IFLA_BOND_ACTIVE_SLAVE, (uint32_t)active->dev->ifindex);
	fill_monitoring(m, bond);
	fill_choice(m, bond);
	if (is_6_1(bond))
		nlmsg_put_u8(m, IFLA_BOND_AD_LACP_ACTIVE, 1);
	nlmsg_put_u8(m, IFLA_BOND_AD_LACP_RATE, (uint8_t)bond->lacp_rate);
	nlmsg_put_u8(m, IFLA_BOND_AD_SELECT, 0);
	nlmsg_put_u8(m, IFLA_BOND_TLB_DYNAMIC_LB, 1);
	if (is_6_1(bond)) {
		nlmsg_put_u8(m, IFLA_BOND_MISSED_MAX, MISSED_MAX_DEFAULT);
		nlmsg_put_u8(m, BOND_COUPLED_CONTROL, 1);
	}
	if (bond->mode == BOND_MODE_8023AD)
		fill_8023ad(m, bond);
}

/* A slave is in no aggregator until the bond is up for the first time.  What was said
 * and heard is not modelled. */
static void
fill_slave_8023ad(struct nlmsg *m, const struct bonding *bond, const struct slave *slave)
{
	if (slave->aggregated) {
		nlmsg_put_u16(m, IFLA_BOND_SLAVE_AD_AGGREGATOR_ID, aggregator_of(bond, slave));
		nlmsg_put_u8(m, IFLA_BOND_SLAVE_AD_ACTOR_OPER_PORT_STATE, 0);
		nlmsg_put_u16(m, IFLA_BOND_SLAVE_AD_PARTNER_OPER_PORT_STATE, 0);
	}
	if (slave->aggregated && is_6_1(bond)) {
		nlmsg_put_u8(m, BOND_SLAVE_AD_CHURN_ACTOR_STATE, 0);
		nlmsg_put_u8(m, BOND_SLAVE_AD_CHURN_PARTNER_STATE, 0);
	}
	if (is_6_1(bond))
		nlmsg_put_u16(m, BOND_SLAVE_ACTOR_PORT_PRIO, AD_PORT_PRIO);
}

void
bond_fill_slave_info(struct nlmsg *m, const struct net_device *dev, const struct net_device *port)
{
	const struct bonding *bond = netdev_priv(dev);
	const struct slave *slave = bond_get_slave(bond, port);
	bool waits = bond_uses_primary(bond) && slave != bond->curr_active_slave;

	nlmsg_put_u8(m, IFLA_BOND_SLAVE_STATE, waits);
	nlmsg_put_u8(m, IFLA_BOND_SLAVE_MII_STATUS, slave->link_up ? BOND_LINK_UP : BOND_LINK_DOWN);
	nlmsg_put_u32(m, IFLA_BOND_SLAVE_LINK_FAILURE_COUNT, 0);
	nlmsg_put(m, IFLA_BOND_SLAVE_PERM_HWADDR, slave->perm_hwaddr, ETH_ALEN);
	nlmsg_put_u16(m, IFLA_BOND_SLAVE_QUEUE_ID, 0);
	if (is_6_1(bond))
		nlmsg_put_u32(m, IFLA_BOND_SLAVE_PRIO, 0);
	if (bond->mode == BOND_MODE_8023AD)
		fill_slave_8023ad(m, bond, slave);
}
