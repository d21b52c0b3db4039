/* SPDX-License-Identifier: GPL-2.0-or-later */
/* br-getlink.c - a bridge or one of its ports as a netlink message of family
 * PF_BRIDGE, with its VLANs.
 *
 * Models br_getlink() of net/bridge/br_netlink.c (Linux 5.10 and 6.1).  Attributes
 * whose values are not modelled are there, too, and zero: datagrams must be as full as
 * the kernel's. */
#include <linux/rtnetlink.h>

#include "net/af-netlink.h"
#include "net/bridge.h"

#define SINCE_5_10 0

/* VLANs, each on its own or in ranges. */

static void
put_vlan(struct nlmsg *m, uint16_t vid, unsigned flags)
{
	struct bridge_vlan_info info = {.flags = (uint16_t)flags, .vid = vid};

	nlmsg_put(m, IFLA_BRIDGE_VLAN_INFO, &info, sizeof info);
}

static unsigned
shown_flags(const struct net_bridge_vlan_group *g, const struct net_bridge_vlan *v)
{
	return (v->vid == g->pvid ? BRIDGE_VLAN_INFO_PVID : 0) |
	       (v->flags & BRIDGE_VLAN_INFO_UNTAGGED);
}

static void
put_range(struct nlmsg *m, uint16_t first, uint16_t last, unsigned flags)
{
	if (first == last) {
		put_vlan(m, first, flags);
		return;
	}
	put_vlan(m, first, flags | BRIDGE_VLAN_INFO_RANGE_BEGIN);
	put_vlan(m, last, flags | BRIDGE_VLAN_INFO_RANGE_END);
}

static bool
continues(const struct net_bridge_vlan_group *g, const struct net_bridge_vlan *before,
	  const struct net_bridge_vlan *v)
{
	return before && v->vid == before->vid + 1 && shown_flags(g, v) == shown_flags(g, before);
}

/* 'compressed': VLANs in a row with the same flags are one range. */
static void
put_vlans(struct nlmsg *m, const struct net_bridge_port *p, const struct net_bridge_vlan_group *g,
	  bool compressed)
{
	const struct net_bridge_vlan *first = NULL, *last = NULL;

	for (unsigned n = 0; n < g->count; n++) {
		const struct net_bridge_vlan *v = &g->vlans[n];

		if (!br_vlan_should_use(p, v))
			continue;
		if (!compressed || !continues(g, last, v)) {
			if (first)
				put_range(m, first->vid, last->vid, shown_flags(g, first));
			first = v;
		}
		last = v;
	}
	if (first)
		put_range(m, first->vid, last->vid, shown_flags(g, first));
}

/* What a port is like */

struct port_attr {
	uint16_t type;
	uint8_t size;
	unsigned since; /* KERNEL_6_1, or any */
};

static const struct port_attr port_attrs[] = {
	{IFLA_BRPORT_STATE, 1, SINCE_5_10},
	{IFLA_BRPORT_PRIORITY, 2, SINCE_5_10},
	{IFLA_BRPORT_COST, 4, SINCE_5_10},
	{IFLA_BRPORT_MODE, 1, SINCE_5_10},
	{IFLA_BRPORT_GUARD, 1, SINCE_5_10},
	{IFLA_BRPORT_PROTECT, 1, SINCE_5_10},
	{IFLA_BRPORT_FAST_LEAVE, 1, SINCE_5_10},
	{IFLA_BRPORT_MCAST_TO_UCAST, 1, SINCE_5_10},
	{IFLA_BRPORT_LEARNING, 1, SINCE_5_10},
	{IFLA_BRPORT_UNICAST_FLOOD, 1, SINCE_5_10},
	{IFLA_BRPORT_MCAST_FLOOD, 1, SINCE_5_10},
	{IFLA_BRPORT_BCAST_FLOOD, 1, SINCE_5_10},
	{IFLA_BRPORT_PROXYARP, 1, SINCE_5_10},
	{IFLA_BRPORT_PROXYARP_WIFI, 1, SINCE_5_10},
	{IFLA_BRPORT_ROOT_ID, 8, SINCE_5_10},
	{IFLA_BRPORT_BRIDGE_ID, 8, SINCE_5_10},
	{IFLA_BRPORT_DESIGNATED_PORT, 2, SINCE_5_10},
	{IFLA_BRPORT_DESIGNATED_COST, 2, SINCE_5_10},
	{IFLA_BRPORT_ID, 2, SINCE_5_10},
	{IFLA_BRPORT_NO, 2, SINCE_5_10},
	{IFLA_BRPORT_TOPOLOGY_CHANGE_ACK, 1, SINCE_5_10},
	{IFLA_BRPORT_CONFIG_PENDING, 1, SINCE_5_10},
	{IFLA_BRPORT_VLAN_TUNNEL, 1, SINCE_5_10},
	{IFLA_BRPORT_GROUP_FWD_MASK, 2, SINCE_5_10},
	{IFLA_BRPORT_NEIGH_SUPPRESS, 1, SINCE_5_10},
	{IFLA_BRPORT_MRP_RING_OPEN, 1, SINCE_5_10},
	{IFLA_BRPORT_MRP_IN_OPEN, 1, SINCE_5_10},
	{IFLA_BRPORT_ISOLATED, 1, SINCE_5_10},
	{IFLA_BRPORT_LOCKED, 1, KERNEL_6_1},
	{IFLA_BRPORT_MESSAGE_AGE_TIMER, 8, SINCE_5_10},
	{IFLA_BRPORT_FORWARD_DELAY_TIMER, 8, SINCE_5_10},
	{IFLA_BRPORT_HOLD_TIMER, 8, SINCE_5_10},
	{IFLA_BRPORT_MULTICAST_ROUTER, 1, SINCE_5_10},
	{IFLA_BRPORT_MCAST_EHT_HOSTS_LIMIT, 4, KERNEL_6_1},
	{IFLA_BRPORT_MCAST_EHT_HOSTS_CNT, 4, KERNEL_6_1},
};

static uint8_t
first_byte(const struct net_bridge_port *p, uint16_t type)
{
	switch (type) {
	case IFLA_BRPORT_STATE:
		return p->state;
	case IFLA_BRPORT_LEARNING:
		return (p->flags & BR_LEARNING) != 0;
	case IFLA_BRPORT_UNICAST_FLOOD:
		return (p->flags & BR_FLOOD) != 0;
	case IFLA_BRPORT_MCAST_FLOOD:
		return (p->flags & BR_MCAST_FLOOD) != 0;
	case IFLA_BRPORT_BCAST_FLOOD:
		return (p->flags & BR_BCAST_FLOOD) != 0;
	case IFLA_BRPORT_ISOLATED:
		return (p->flags & BR_ISOLATED) != 0;
	default:
		return 0;
	}
}

static void
put_port(struct nlmsg *m, const struct net_bridge_port *p)
{
	struct nlattr *nest = nlmsg_nest(m, IFLA_PROTINFO);

	for (unsigned n = 0; n < G_N_ELEMENTS(port_attrs); n++) {
		uint8_t value[8] = {first_byte(p, port_attrs[n].type)};

		if (p->dev->kernel->options.version >= port_attrs[n].since)
			nlmsg_put(m, port_attrs[n].type, value, port_attrs[n].size);
	}
	nlmsg_nest_end(m, nest);
}

/* The message */

static void
put_device(struct nlmsg *m, const struct net_device *dev, const struct net_bridge *br)
{
	nlmsg_put_strz(m, IFLA_IFNAME, dev->name);
	nlmsg_put_u32(m, IFLA_MASTER, (uint32_t)br->dev->ifindex);
	nlmsg_put_u32(m, IFLA_MTU, dev->mtu);
	nlmsg_put_u8(m, IFLA_OPERSTATE, (uint8_t)(netif_running(dev) ? dev->operstate : OPER_DOWN));
	if (dev->addr_len)
		nlmsg_put(m, IFLA_ADDRESS, dev->dev_addr, dev->addr_len);
	if (dev_get_iflink(dev) != dev->ifindex)
		nlmsg_put_u32(m, IFLA_LINK, (uint32_t)dev_get_iflink(dev));
}

int
br_getlink(struct skb *skb, struct netlink_callback *cb, struct net_device *dev,
	   uint32_t filter_mask)
{
	struct net_bridge_port *p;
	struct net_bridge *br = br_and_port(dev, &p);
	const struct net_bridge_vlan_group *g = br_vlan_group(br, p);
	struct nlmsg m = nlmsg_begin(skb, cb, RTM_NEWLINK, sizeof(struct ifinfomsg));
	struct ifinfomsg *info = m.header;
	uint32_t compressed = filter_mask & RTEXT_FILTER_BRVLAN_COMPRESSED;
	struct nlattr *nest;

	DEV_CALL(dev, "br_fill_ifinfo");
	if (info)
		*info = (struct ifinfomsg){.ifi_family = AF_BRIDGE,
					   .ifi_type = dev->type,
					   .ifi_index = dev->ifindex,
					   .ifi_flags = dev_get_flags(dev)};
	put_device(&m, dev, br);
	if (p)
		put_port(&m, p);
	if ((compressed || filter_mask & RTEXT_FILTER_BRVLAN) && g->num_vlans > 0) {
		nest = nlmsg_nest_noflag(&m, IFLA_AF_SPEC);
		put_vlans(&m, p, g, compressed);
		nlmsg_nest_end(&m, nest);
	}
	return nlmsg_end(&m);
}
