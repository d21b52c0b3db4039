/* SPDX-License-Identifier: GPL-2.0-or-later */
/* br-input.c - frames that come in by a port of a bridge: learned from, forwarded, and
 * given to the bridge's own device.
 *
 * Models net/bridge/br_input.c and the ingress half of br_vlan.c (Linux 5.10 and 6.1).
 * Groups are not snooped, so multicast goes everywhere. */
#include "net/bridge.h"
#include "net/packet.h"

/* 01:80:c2:00:00:0X: of the link, not of the LAN. */
static bool
is_link_local(const uint8_t *addr)
{
	static const uint8_t base[ETH_ALEN] = {0x01, 0x80, 0xc2, 0x00, 0x00, 0x00};
	uint8_t masked[ETH_ALEN] = {addr[0], addr[1], addr[2], addr[3], addr[4], addr[5] & 0xf0};

	return ether_addr_equal(masked, base);
}

/* The VLAN of a frame that may come in; it has a tag from now on.  Without filtering
 * there are no VLANs, whatever tag it has. */
static bool
classify(const struct net_bridge *br, const struct net_bridge_port *p, struct frame *f,
	 uint16_t *vid)
{
	const struct net_bridge_vlan_group *g = p ? &p->vlans : &br->vlans;
	const struct net_bridge_vlan *v;

	*vid = 0;
	f->vlan_filtered = br->vlan_enabled;
	if (!br->vlan_enabled)
		return true;
	if (!f->tagged || f->vid == 0) {
		f->tagged = true;
		f->vid = *vid = g->pvid;
		return g->pvid != 0;
	}
	*vid = f->vid;
	v = br_vlan_find(g, f->vid);
	return v && br_vlan_should_use(p, v);
}

bool
br_allowed_ingress(const struct net_bridge *br, const struct net_bridge_port *p, struct frame *f,
		   uint16_t *vid)
{
	DEV_ENTER(br->dev, "br_allowed_ingress");
	return classify(br, p, f, vid);
}

void
br_pass_frame_up(struct net_bridge *br, const struct frame *f)
{
	struct frame up = *f;

	DEV_ENTER(br->dev, "br_pass_frame_up");
	if (!(br->dev->flags & IFF_PROMISC) && !br_allowed_egress(br, NULL, &up))
		return;
	if (br_handle_vlan(br, NULL, &up))
		netif_receive_skb(br->dev, &up);
}

/* To whom it is addressed: to one port, to the bridge itself, or to all. */
static void
pass_on(struct net_bridge *br, const struct frame *f, uint16_t vid)
{
	enum br_pkt_type type = br_pkt_type(f->dst);
	bool up = br->dev->flags & IFF_PROMISC || type != BR_PKT_UNICAST;
	struct net_bridge_fdb_entry *dst =
		type == BR_PKT_UNICAST ? br_fdb_find(br, f->dst, vid) : NULL;

	if (dst && dst->flags & BR_FDB_LOCAL) {
		br_pass_frame_up(br, f);
		return;
	}
	if (dst) {
		dst->used = engine_now(br->dev->kernel->engine);
		br_forward(br, dst->dst, f);
	} else {
		br_flood(br, f, type);
	}
	if (up)
		br_pass_frame_up(br, f);
}

static void
br_handle_frame_finish(struct net_bridge_port *p, struct frame *f)
{
	struct net_bridge *br = p->br;
	uint16_t vid;

	DEV_ENTER(br->dev, "br_handle_frame_finish");
	if (!br_allowed_ingress(br, p, f, &vid))
		return;
	if (p->flags & BR_LEARNING)
		br_fdb_update(br, p, f->src, vid);
	if (p->state == BR_STATE_LEARNING)
		return;
	f->src_isolated = p->flags & BR_ISOLATED;
	pass_on(br, f, vid);
}

/* Not forwarded, but learned from, and for the port itself. */
static void
br_handle_local(struct net_bridge_port *p, struct frame *f)
{
	uint16_t vid;

	if (p->flags & BR_LEARNING && br_state_learns(p->state) && classify(p->br, p, f, &vid))
		br_fdb_update(p->br, p, f->src, vid);
}

#define BRIDGE_GROUP 0x00 /* forwarded where no spanning tree protocol runs */
#define PAUSE        0x01

void
br_handle_frame(struct net_bridge_port *p, struct frame *f)
{
	uint8_t last = f->dst[ETH_ALEN - 1];

	DEV_ENTER(p->dev, "br_handle_frame");
	if (!is_valid_ether_addr(f->src))
		return;
	if (is_link_local(f->dst) && last != BRIDGE_GROUP) {
		if (last != PAUSE)
			br_handle_local(p, f);
	} else if (br_state_learns(p->state)) {
		br_handle_frame_finish(p, f);
	}
}
