/* SPDX-License-Identifier: GPL-2.0-or-later */
/* br-netlink.c - what a bridge and its ports say of themselves as netlink attributes.
 *
 * Models br_fill_info() and br_port_fill_attrs() of net/bridge/br_netlink.c (Linux
 * 5.10 and 6.1).  Spanning tree is off, so that each bridge is its own root; what
 * else is not modelled stands as the kernel has it when nobody touched it. */
#include <linux/if_bridge.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <string.h>

#include "net/af-netlink.h"
#include "net/bridge.h"

#define USER_HZ             100 /* what user space calls a tick is the 100th part of a second */

#define BR_PRIORITY         0x8000
#define BR_PORT_BITS        10
#define BR_MAX_PORTS        (1 << BR_PORT_BITS)
#define BR_PORT_PRIORITY    (0x8000 >> BR_PORT_BITS)
#define BR_PORT_COST        100 /* of a port whose speed is not known */
#define BR_HASH_ELASTICITY  16
#define BR_HASH_MAX         4096
#define BR_EHT_HOSTS_LIMIT  512
#define BR_MULTICAST_ROUTER 1 /* as it is heard of queries */

/* Priority and address, as spanning tree compares them. */
static void
put_bridge_id(struct nlmsg *m, uint16_t type, const struct net_bridge *br)
{
	uint8_t id[8] = {BR_PRIORITY >> 8, BR_PRIORITY & 0xff};

	memcpy(id + 2, br->id_addr, ETH_ALEN);
	nlmsg_put(m, type, id, sizeof id);
}

static void
put_zeros_u64(struct nlmsg *m, const uint16_t *types, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		nlmsg_put_u64(m, types[i], 0);
}

static void
fill_timers(struct nlmsg *m)
{
	static const uint16_t types[] = {IFLA_BR_HELLO_TIMER, IFLA_BR_TCN_TIMER,
					 IFLA_BR_TOPOLOGY_CHANGE_TIMER, IFLA_BR_GC_TIMER};

	put_zeros_u64(m, types, G_N_ELEMENTS(types));
}

static void
fill_spanning_tree(struct nlmsg *m, const struct net_bridge *br)
{
	uint64_t ageing = br->ageing_ps / (PS_PER_S / USER_HZ);

	nlmsg_put_u32(m, IFLA_BR_FORWARD_DELAY, 15 * USER_HZ);
	nlmsg_put_u32(m, IFLA_BR_HELLO_TIME, 2 * USER_HZ);
	nlmsg_put_u32(m, IFLA_BR_MAX_AGE, 20 * USER_HZ);
	nlmsg_put_u32(m, IFLA_BR_AGEING_TIME, (uint32_t)ageing);
	nlmsg_put_u32(m, IFLA_BR_STP_STATE, 0);
	nlmsg_put_u16(m, IFLA_BR_PRIORITY, BR_PRIORITY);
	nlmsg_put_u8(m, IFLA_BR_VLAN_FILTERING, br->vlan_enabled);
	nlmsg_put_u16(m, IFLA_BR_GROUP_FWD_MASK, 0);
	put_bridge_id(m, IFLA_BR_BRIDGE_ID, br);
	put_bridge_id(m, IFLA_BR_ROOT_ID, br);
	nlmsg_put_u16(m, IFLA_BR_ROOT_PORT, 0);
	nlmsg_put_u32(m, IFLA_BR_ROOT_PATH_COST, 0);
	nlmsg_put_u8(m, IFLA_BR_TOPOLOGY_CHANGE, 0);
	nlmsg_put_u8(m, IFLA_BR_TOPOLOGY_CHANGE_DETECTED, 0);
}

/* The switches that the kernel knows, all of them off. */
static void
fill_boolopt(struct nlmsg *m, const struct net_bridge *br)
{
	uint32_t known = 1 << BR_BOOLOPT_NO_LL_LEARN;
	struct br_boolopt_multi options;

	if (br->dev->kernel->options.version >= KERNEL_6_1)
		known |= 1 << BR_BOOLOPT_MCAST_VLAN_SNOOPING | 1 << BR_BOOLOPT_MST_ENABLE;
	options = (struct br_boolopt_multi){.optval = 0, .optmask = known};

	nlmsg_put(m, IFLA_BR_MULTI_BOOLOPT, &options, sizeof options);
}

static void
fill_vlans(struct nlmsg *m, const struct net_bridge *br)
{
	nlmsg_put_be16(m, IFLA_BR_VLAN_PROTOCOL, ETH_P_8021Q);
	nlmsg_put_u16(m, IFLA_BR_VLAN_DEFAULT_PVID, br->default_pvid);
	nlmsg_put_u8(m, IFLA_BR_VLAN_STATS_ENABLED, 0);
	nlmsg_put_u8(m, IFLA_BR_VLAN_STATS_PER_PORT, 0);
}

static void
fill_multicast(struct nlmsg *m)
{
	static const struct {
		uint16_t type;
		unsigned ticks;
	} intervals[] = {
		{IFLA_BR_MCAST_LAST_MEMBER_INTVL, 100},
		{IFLA_BR_MCAST_MEMBERSHIP_INTVL, 26000},
		{IFLA_BR_MCAST_QUERIER_INTVL, 25500},
		{IFLA_BR_MCAST_QUERY_INTVL, 12500},
		{IFLA_BR_MCAST_QUERY_RESPONSE_INTVL, 1000},
		{IFLA_BR_MCAST_STARTUP_QUERY_INTVL, 3124},
	};

	nlmsg_put_u8(m, IFLA_BR_MCAST_ROUTER, BR_MULTICAST_ROUTER);
	nlmsg_put_u8(m, IFLA_BR_MCAST_SNOOPING, 1);
	nlmsg_put_u8(m, IFLA_BR_MCAST_QUERY_USE_IFADDR, 0);
	nlmsg_put_u8(m, IFLA_BR_MCAST_QUERIER, 0);
	nlmsg_put_u8(m, IFLA_BR_MCAST_STATS_ENABLED, 0);
	nlmsg_put_u32(m, IFLA_BR_MCAST_HASH_ELASTICITY, BR_HASH_ELASTICITY);
	nlmsg_put_u32(m, IFLA_BR_MCAST_HASH_MAX, BR_HASH_MAX);
	nlmsg_put_u32(m, IFLA_BR_MCAST_LAST_MEMBER_CNT, 2);
	nlmsg_put_u32(m, IFLA_BR_MCAST_STARTUP_QUERY_CNT, 2);
	nlmsg_put_u8(m, IFLA_BR_MCAST_IGMP_VERSION, 2);
	nlmsg_put_u8(m, IFLA_BR_MCAST_MLD_VERSION, 1);
	for (unsigned i = 0; i < G_N_ELEMENTS(intervals); i++)
		nlmsg_put_u64(m, intervals[i].type, intervals[i].ticks);
}

void
br_fill_info(struct nlmsg *m, const struct net_device *dev)
{
	static const uint8_t group_addr[ETH_ALEN] = {0x01, 0x80, 0xc2};
	const struct net_bridge *br = netdev_priv(dev);

	fill_timers(m);
	fill_spanning_tree(m, br);
	nlmsg_put(m, IFLA_BR_GROUP_ADDR, group_addr, ETH_ALEN);
	fill_boolopt(m, br);
	fill_vlans(m, br);
	fill_multicast(m);
	nlmsg_put_u8(m, IFLA_BR_NF_CALL_IPTABLES, 0);
	nlmsg_put_u8(m, IFLA_BR_NF_CALL_IP6TABLES, 0);
	nlmsg_put_u8(m, IFLA_BR_NF_CALL_ARPTABLES, 0);
}

/* Ports */

/* Those without a flag are not modelled. */
static void
fill_flags(struct nlmsg *m, const struct net_bridge_port *p)
{
	static const struct {
		uint16_t type;
		unsigned flag;
	} flags[] = {
		{IFLA_BRPORT_MODE, 0},
		{IFLA_BRPORT_GUARD, 0},
		{IFLA_BRPORT_PROTECT, 0},
		{IFLA_BRPORT_FAST_LEAVE, 0},
		{IFLA_BRPORT_MCAST_TO_UCAST, 0},
		{IFLA_BRPORT_LEARNING, BR_LEARNING},
		{IFLA_BRPORT_UNICAST_FLOOD, BR_FLOOD},
		{IFLA_BRPORT_MCAST_FLOOD, BR_MCAST_FLOOD},
		{IFLA_BRPORT_BCAST_FLOOD, BR_BCAST_FLOOD},
		{IFLA_BRPORT_PROXYARP, 0},
		{IFLA_BRPORT_PROXYARP_WIFI, 0},
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(flags); i++)
		nlmsg_put_u8(m, flags[i].type, (p->flags & flags[i].flag) != 0);
}

static void
fill_designated(struct nlmsg *m, const struct net_bridge_port *p)
{
	uint16_t id = (uint16_t)(BR_PORT_PRIORITY << BR_PORT_BITS | p->port_no);

	put_bridge_id(m, IFLA_BRPORT_ROOT_ID, p->br);
	put_bridge_id(m, IFLA_BRPORT_BRIDGE_ID, p->br);
	nlmsg_put_u16(m, IFLA_BRPORT_DESIGNATED_PORT, id);
	nlmsg_put_u16(m, IFLA_BRPORT_DESIGNATED_COST, 0);
	nlmsg_put_u16(m, IFLA_BRPORT_ID, id);
	nlmsg_put_u16(m, IFLA_BRPORT_NO, p->port_no);
	nlmsg_put_u8(m, IFLA_BRPORT_TOPOLOGY_CHANGE_ACK, 0);
	nlmsg_put_u8(m, IFLA_BRPORT_CONFIG_PENDING, 0);
}

static void
fill_features(struct nlmsg *m, const struct net_bridge_port *p, bool is_6_1)
{
	nlmsg_put_u8(m, IFLA_BRPORT_VLAN_TUNNEL, 0);
	nlmsg_put_u16(m, IFLA_BRPORT_GROUP_FWD_MASK, 0);
	nlmsg_put_u8(m, IFLA_BRPORT_NEIGH_SUPPRESS, 0);
	nlmsg_put_u8(m, IFLA_BRPORT_MRP_RING_OPEN, 0);
	nlmsg_put_u8(m, IFLA_BRPORT_MRP_IN_OPEN, 0);
	nlmsg_put_u8(m, IFLA_BRPORT_ISOLATED, (p->flags & BR_ISOLATED) != 0);
	if (is_6_1)
		nlmsg_put_u8(m, IFLA_BRPORT_LOCKED, 0);
}

void
br_port_fill_attrs(struct nlmsg *m, const struct net_bridge_port *p)
{
	static const uint16_t timers[] = {IFLA_BRPORT_MESSAGE_AGE_TIMER,
					  IFLA_BRPORT_FORWARD_DELAY_TIMER, IFLA_BRPORT_HOLD_TIMER};
	bool is_6_1 = p->dev->kernel->options.version >= KERNEL_6_1;

	nlmsg_put_u8(m, IFLA_BRPORT_STATE, p->state);
	nlmsg_put_u16(m, IFLA_BRPORT_PRIORITY, BR_PORT_PRIORITY);
	nlmsg_put_u32(m, IFLA_BRPORT_COST, BR_PORT_COST);
	fill_flags(m, p);
	fill_designated(m, p);
	fill_features(m, p, is_6_1);
	put_zeros_u64(m, timers, G_N_ELEMENTS(timers));
	nlmsg_put_u8(m, IFLA_BRPORT_MULTICAST_ROUTER, BR_MULTICAST_ROUTER);
	if (is_6_1) {
		nlmsg_put_u32(m, IFLA_BRPORT_MCAST_EHT_HOSTS_LIMIT, BR_EHT_HOSTS_LIMIT);
		nlmsg_put_u32(m, IFLA_BRPORT_MCAST_EHT_HOSTS_CNT, 0);
	}
}

void
br_port_fill_slave_info(struct nlmsg *m, const struct net_device *dev,
			const struct net_device *slave)
{
	br_port_fill_attrs(m, slave->rx_handler_data);
}

/* The lowest that is free, from 1; 0 if none is, in which case the kernel would have
 * refused the port. */
uint16_t
br_find_portno(const struct net_bridge *br)
{
	bool used[BR_MAX_PORTS] = {true};
	uint16_t number = 0;

	for (const struct net_bridge_port *p = br->ports; p; p = p->next)
		used[p->port_no] = true;
	while (number < BR_MAX_PORTS && used[number])
		number++;
	return number < BR_MAX_PORTS ? number : 0;
}
