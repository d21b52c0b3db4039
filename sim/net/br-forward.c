/* SPDX-License-Identifier: GPL-2.0-or-later */
/* br-forward.c - frames that leave a bridge by its ports, and those that its own device
 * is given to send.
 *
 * Models net/bridge/br_forward.c, br_dev_xmit() and the egress half of br_vlan.c
 * (Linux 5.10 and 6.1). */
#include "net/bridge.h"
#include "net/packet.h"

enum br_pkt_type
br_pkt_type(const uint8_t *dst)
{
	static const uint8_t broadcast[ETH_ALEN] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

	if (ether_addr_equal(dst, broadcast))
		return BR_PKT_BROADCAST;
	return dst[0] & 1 ? BR_PKT_MULTICAST : BR_PKT_UNICAST;
}

static const struct net_bridge_vlan *
vlan_of(struct net_bridge *br, struct net_bridge_port *p, const struct frame *f)
{
	const struct net_bridge_vlan *v = br_vlan_find(br_vlan_group(br, p), f->vid);

	return v && br_vlan_should_use(p, v) ? v : NULL;
}

/* What was not filtered on its way in is not on its way out. */
bool
br_allowed_egress(struct net_bridge *br, struct net_bridge_port *p, const struct frame *f)
{
	DEV_ENTER(br->dev, "br_allowed_egress");
	return !f->vlan_filtered || vlan_of(br, p, f);
}

/* Takes the tag off where the VLAN is untagged.  False: it has no business there. */
bool
br_handle_vlan(struct net_bridge *br, struct net_bridge_port *p, struct frame *f)
{
	const struct net_bridge_vlan *v;

	DEV_ENTER(br->dev, "br_handle_vlan");
	if (!f->vlan_filtered)
		return true;
	v = vlan_of(br, p, f);
	if (!v)
		return !p && br->dev->flags & IFF_PROMISC;
	if (v->flags & BRIDGE_VLAN_INFO_UNTAGGED)
		f->tagged = false;
	return true;
}

static bool
should_deliver(struct net_bridge_port *p, const struct frame *f)
{
	return f->dev != p->dev && p->state == BR_STATE_FORWARDING &&
	       br_allowed_egress(p->br, p, f) && !(f->src_isolated && p->flags & BR_ISOLATED);
}

static void
deliver(struct net_bridge_port *to, const struct frame *f)
{
	struct frame copy = *f;

	DEV_ENTER(to->dev, "__br_forward");
	if (br_handle_vlan(to->br, to, &copy))
		dev_queue_xmit(to->dev, &copy);
}

/* 'to' null: the bridge itself, which sends nothing to itself. */
void
br_forward(struct net_bridge *br, struct net_bridge_port *to, const struct frame *f)
{
	DEV_ENTER(br->dev, "br_forward");
	if (to && should_deliver(to, f))
		deliver(to, f);
}

/* The bridge's own device floods groups to every port. */
static bool
floods(const struct net_bridge_port *p, const struct frame *f, enum br_pkt_type type)
{
	static const unsigned flags[] = {
		[BR_PKT_UNICAST] = BR_FLOOD,
		[BR_PKT_MULTICAST] = BR_MCAST_FLOOD,
		[BR_PKT_BROADCAST] = BR_BCAST_FLOOD,
	};

	return p->flags & flags[type] || (type != BR_PKT_UNICAST && f->dev == p->br->dev);
}

void
br_flood(struct net_bridge *br, const struct frame *f, enum br_pkt_type type)
{
	DEV_ENTER(br->dev, "br_flood");
	for (struct net_bridge_port *p = br->ports; p; p = p->next) {
		if (!floods(p, f, type))
			continue;
		DEV_CALL(br->dev, "maybe_deliver");
		if (should_deliver(p, f))
			deliver(p, f);
	}
}

void
br_dev_xmit(struct net_device *dev, struct frame *f)
{
	struct net_bridge *br = netdev_priv(dev);
	enum br_pkt_type type = br_pkt_type(f->dst);
	struct net_bridge_fdb_entry *dst = NULL;
	uint16_t vid;

	DEV_ENTER(dev, "br_dev_xmit");
	f->src_isolated = false;
	if (!br_allowed_ingress(br, NULL, f, &vid))
		return;
	if (type == BR_PKT_UNICAST)
		dst = br_fdb_find(br, f->dst, vid);
	if (dst)
		br_forward(br, dst->dst, f);
	else
		br_flood(br, f, type);
}
