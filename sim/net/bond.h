/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bond.h - what the files of the bonding module share. */
#pragma once

#include "net/dev.h"

enum bond_mode {
	BOND_MODE_ROUNDROBIN,
	BOND_MODE_ACTIVEBACKUP,
	BOND_MODE_XOR,
	BOND_MODE_BROADCAST,
	BOND_MODE_8023AD,
};

#define BOND_DEFAULT_MIIMON 100 /* milliseconds; for modes that cannot do without */

struct slave {
	struct net_device *dev;
	bool link_up;    /* BOND_LINK_UP, as the monitor last saw it */
	bool aggregated; /* the bond was up since: LACP has put it into an aggregator */
	uint8_t perm_hwaddr[ETH_ALEN];
	unsigned original_mtu;
	struct slave *next;
};

struct bonding {
	struct net_device *dev;
	struct slave *slaves; /* the oldest first */
	struct slave *curr_active_slave, *primary_slave;
	char primary[IFNAMSIZ]; /* to be primary as soon as it is a slave */
	enum bond_mode mode;
	unsigned miimon; /* milliseconds; 0: links count as up */
	unsigned min_links, xmit_policy, lacp_rate;
	struct work mii_work;
};

#define bond_for_each_slave(bond, slave)                                                           \
	for ((slave) = (bond)->slaves; (slave); (slave) = (slave)->next)

/* One slave carries all traffic, the others wait. */
static inline bool
bond_uses_primary(const struct bonding *bond)
{
	return bond->mode == BOND_MODE_ACTIVEBACKUP;
}

struct slave *bond_get_slave(const struct bonding *, const struct net_device *); /* or null */
int bond_enslave(struct net_device *, struct net_device *port, struct ext_ack *);
int bond_release(struct net_device *, struct net_device *port);

/* 'all': the bond goes away, so no other slave takes over.  'unregister': it or
 * the slave is being unregistered. */
void bond_release_one(struct bonding *, struct slave *, bool all, bool unregister);

extern const uint8_t lacpdu_mcast_addr[ETH_ALEN];

/* Takes the bond's addresses off a slave. */
void bond_hw_addr_flush(struct bonding *, struct net_device *slave);

/* What a user or an upper device asked of the bond is asked of a slave: those
 * of IFF_PROMISC and IFF_ALLMULTI that 'flags' has, once more or once less. */
void bond_share_modes(struct bonding *, struct net_device *slave, unsigned flags, int inc);

void bond_select_active_slave(struct bonding *);
void bond_change_active_slave(struct bonding *, struct slave *); /* null: none */
void bond_set_carrier(struct bonding *);

/* bond-monitor.c */
void bond_monitor_init(struct bonding *);
void bond_monitor_kick(struct bonding *); /* something may have changed */
bool bond_link_is_up(const struct bonding *, const struct net_device *slave);

/* bond-options.c: the options of 'type bond', in the order of the enum. */
enum bond_option {
	BOND_MODE,
	BOND_ACTIVE_SLAVE,
	BOND_MIIMON,
	BOND_PRIMARY,
	BOND_XMIT_HASH_POLICY,
	BOND_LACP_RATE,
	BOND_MIN_LINKS,
	BOND_OPTIONS,
};

extern const char *const bond_mode_names[], *const bond_xmit_names[], *const bond_lacp_names[];

int bond_changelink(struct net_device *, const struct link_request *, struct ext_ack *);
void bond_fill_info(struct nlmsg *, const struct net_device *);
void bond_fill_slave_info(struct nlmsg *, const struct net_device *,
			  const struct net_device *slave);
