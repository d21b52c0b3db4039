/* SPDX-License-Identifier: GPL-2.0-or-later */
/* br-getlink.c - a bridge or one of its ports as a netlink message of family
 * PF_BRIDGE, with its VLANs.
 *
 * Models br_getlink() of net/bridge/br_netlink.c (Linux 5.10 and 6.1).  What a port is
 * like, br-netlink.c says here as in other messages. */
#include <linux/rtnetlink.h>

#include "net/af-netlink.h"
#include "net/bridge.h"

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

	DEV_ENTER(dev, "br_fill_ifinfo");
	if (info)
		*info = (struct ifinfomsg){.ifi_family = AF_BRIDGE,
					   .ifi_type = dev->type,
					   .ifi_index = dev->ifindex,
					   .ifi_flags = dev_get_flags(dev)};
	put_device(&m, dev, br);
	if (p) {
		nest = nlmsg_nest(&m, IFLA_PROTINFO);
		br_port_fill_attrs(&m, p);
		nlmsg_nest_end(&m, nest);
	}
	if ((compressed || filter_mask & RTEXT_FILTER_BRVLAN) && g->num_vlans > 0) {
		nest = nlmsg_nest_noflag(&m, IFLA_AF_SPEC);
		put_vlans(&m, p, g, compressed);
		nlmsg_nest_end(&m, nest);
	}
	return nlmsg_end(&m);
}
