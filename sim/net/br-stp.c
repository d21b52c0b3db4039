/* SPDX-License-Identifier: GPL-2.0-or-later */
/* br-stp.c - states of a bridge's ports, and the address that it is called by.
 *
 * Models net/bridge/br_stp_if.c and what of br_stp.c happens without the spanning
 * tree protocol (Linux 5.10 and 6.1): a port that comes up forwards at once. */
#include <string.h>

#include "net/bridge.h"
#include "net/dev-addr-lists.h"

/* Ports that block would be designated ones, which forward.  A carrier takes one port
 * that does. */
static void
br_port_state_selection(struct net_bridge *br)
{
	bool any = false;

	for (struct net_bridge_port *p = br->ports; p; p = p->next) {
		if (p->state == BR_STATE_BLOCKING)
			p->state = BR_STATE_FORWARDING;
		any |= p->state == BR_STATE_FORWARDING;
	}
	if (any)
		netif_carrier_on(br->dev);
	else
		netif_carrier_off(br->dev);
}

void
br_stp_enable_port(struct net_bridge_port *p)
{
	p->state = BR_STATE_BLOCKING;
	br_port_state_selection(p->br);
}

void
br_stp_disable_port(struct net_bridge_port *p)
{
	p->state = BR_STATE_DISABLED;
	br_fdb_delete_by_port(p->br, p, 0, false);
	br_port_state_selection(p->br);
}

static bool
can_forward(const struct net_bridge_port *p)
{
	return netif_running(p->dev) && netif_oper_up(p->dev);
}

void
br_stp_enable_bridge(struct net_bridge *br)
{
	for (struct net_bridge_port *p = br->ports; p; p = p->next)
		if (can_forward(p))
			br_stp_enable_port(p);
}

void
br_stp_disable_bridge(struct net_bridge *br)
{
	for (struct net_bridge_port *p = br->ports; p; p = p->next)
		if (p->state != BR_STATE_DISABLED)
			br_stp_disable_port(p);
}

void
br_port_carrier_check(struct net_bridge_port *p)
{
	bool enabled = p->state != BR_STATE_DISABLED;

	if (!netif_running(p->br->dev) || enabled == can_forward(p))
		return;
	if (enabled)
		br_stp_disable_port(p);
	else
		br_stp_enable_port(p);
}

/* What a user may do who runs the protocol himself. */
int
br_set_port_state(struct net_bridge_port *p, uint8_t state)
{
	if (state > BR_STATE_BLOCKING)
		return -EINVAL;
	if (!netif_running(p->dev) || (!netif_oper_up(p->dev) && state != BR_STATE_DISABLED))
		return -ENETDOWN;
	p->state = state;
	br_port_state_selection(p->br);
	return 0;
}

/* The bridge's own address: the lowest of its ports', if the user gave none. */

/* A side effect of it: ports are counted anew, and with none the carrier is off,
 * which a bridge that was never given an address has. */
void
br_stp_change_bridge_id(struct net_bridge *br, const uint8_t *addr)
{
	br_fdb_change_mac_address(br, addr);
	memcpy(br->id_addr, addr, ETH_ALEN);
	dev_addr_mod(br->dev, addr);
	br_port_state_selection(br);
}

bool
br_stp_recalculate_bridge_id(struct net_bridge *br)
{
	static const uint8_t zero[ETH_ALEN];
	const uint8_t *addr = zero;

	if (br->dev->addr_assign_type == NET_ADDR_SET)
		return false;
	for (const struct net_bridge_port *p = br->ports; p; p = p->next)
		if (addr == zero || memcmp(p->dev->dev_addr, addr, ETH_ALEN) < 0)
			addr = p->dev->dev_addr;
	if (ether_addr_equal(br->id_addr, addr))
		return false;
	br_stp_change_bridge_id(br, addr);
	return true;
}
