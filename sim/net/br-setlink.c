/* SPDX-License-Identifier: GPL-2.0-or-later */
/* br-setlink.c - VLANs, and settings of ports, that a user asks a bridge for.
 *
 * Models br_setlink() and br_dellink() of net/bridge/br_netlink.c (Linux 5.10 and
 * 6.1). */
#include <linux/if_link.h>

#include "net/bridge.h"

#define VLAN_VID_MASK 0xfff

/* Ports */

static unsigned
port_flags(const struct net_bridge_port *p, const struct bridge_request *req)
{
	static const struct {
		unsigned attr, flag;
	} all[] = {
		{IFLA_BRPORT_LEARNING, BR_LEARNING},
		{IFLA_BRPORT_UNICAST_FLOOD, BR_FLOOD},
		{IFLA_BRPORT_MCAST_FLOOD, BR_MCAST_FLOOD},
		{IFLA_BRPORT_BCAST_FLOOD, BR_BCAST_FLOOD},
		{IFLA_BRPORT_ISOLATED, BR_ISOLATED},
	};
	unsigned flags = p->flags;

	for (unsigned n = 0; n < G_N_ELEMENTS(all); n++) {
		uint64_t bit = UINT64_C(1) << all[n].attr;

		if (!(req->port_given & bit))
			continue;
		flags &= ~all[n].flag;
		if (req->port_on & bit)
			flags |= all[n].flag;
	}
	return flags;
}

static int
br_setport(struct net_bridge_port *p, const struct bridge_request *req)
{
	br_port_set_flags(p, port_flags(p, req));
	return req->has_state ? br_set_port_state(p, req->state) : 0;
}

/* VLANs */

static bool
valid_range(const struct bridge_request *req)
{
	return req->vid > 0 && req->vid_end < VLAN_VID_MASK && req->vid <= req->vid_end;
}

static int
add_vlans(struct net_bridge *br, struct net_bridge_port *p, const struct bridge_request *req,
	  struct ext_ack *ack)
{
	int err = 0;

	if (!valid_range(req)) {
		ext_ack_set(ack, "bridge: Vlan id is invalid");
		return -EINVAL;
	}
	if (req->vlan_flags & BRIDGE_VLAN_INFO_PVID && req->vid != req->vid_end)
		return -EINVAL;
	for (uint16_t vid = req->vid; err == 0 && vid <= req->vid_end; vid++)
		err = p ? nbp_vlan_add(p, vid, req->vlan_flags)
			: br_vlan_add(br, vid, req->vlan_flags);
	return err;
}

int
br_setlink(struct net_device *dev, const struct bridge_request *req, struct ext_ack *ack)
{
	struct net_bridge_port *p;
	struct net_bridge *br = br_and_port(dev, &p);
	int err = 0;

	if (!p && !req->has_vlan && !req->flags)
		return -EINVAL;
	if (p)
		err = br_setport(p, req);
	if (err == 0 && req->has_vlan)
		err = add_vlans(br, p, req, ack);
	return err;
}

/* One that is not there is gone, too. */
int
br_dellink(struct net_device *dev, const struct bridge_request *req)
{
	struct net_bridge_port *p;
	struct net_bridge *br = br_and_port(dev, &p);

	if (!req->has_vlan || !valid_range(req))
		return req->has_vlan ? -EINVAL : 0;
	for (uint16_t vid = req->vid; vid <= req->vid_end; vid++)
		if (p)
			nbp_vlan_delete(p, vid);
		else
			br_vlan_delete(br, vid);
	return 0;
}
