/* SPDX-License-Identifier: GPL-2.0-or-later */
/* br-if.c - ports of a bridge: they come, go, and hear everything or not.
 *
 * Models net/bridge/br_if.c (Linux 5.10 and 6.1). */
#include <net/if_arp.h>

#include "net/bridge.h"

#define BR_PORT_FLAGS (BR_LEARNING | BR_FLOOD | BR_MCAST_FLOOD | BR_BCAST_FLOOD) /* at first */

/* The smallest of its ports', if the user gave none. */
void
br_mtu_auto_adjust(struct net_bridge *br)
{
	unsigned mtu = br->ports ? br->ports->dev->mtu : 1500;

	if (br->mtu_set_by_user)
		return;
	for (const struct net_bridge_port *p = br->ports; p; p = p->next)
		mtu = MIN(mtu, p->dev->mtu);
	dev_set_mtu(br->dev, mtu);
	br->mtu_set_by_user = false;
}

/* Promiscuity */

static void
port_set_promisc(struct net_bridge_port *p)
{
	if (p->promisc || dev_set_promiscuity(p->dev, 1) != 0)
		return;
	br_fdb_unsync_static(p->br, p);
	p->promisc = true;
}

static void
port_clear_promisc(struct net_bridge_port *p)
{
	if (!p->promisc)
		return;
	br_fdb_sync_static(p->br, p);
	dev_set_promiscuity(p->dev, -1);
	p->promisc = false;
}

static bool
is_auto_port(const struct net_bridge_port *p)
{
	return p->flags & BR_AUTO_MASK;
}

/* Where static entries say what is behind all other ports, a port need only hear what
 * is for these. */
static bool
needs_no_promisc(const struct net_bridge *br, const struct net_bridge_port *p)
{
	return p->dev->priv_flags & IFF_UNICAST_FLT &&
	       (br->auto_cnt == 0 || (br->auto_cnt == 1 && is_auto_port(p)));
}

void
br_manage_promisc(struct net_bridge *br)
{
	bool all = br->dev->flags & IFF_PROMISC || !br->vlan_enabled;

	DEV_ENTER(br->dev, "br_manage_promisc");
	for (struct net_bridge_port *p = br->ports; p; p = p->next)
		if (!all && needs_no_promisc(br, p))
			port_clear_promisc(p);
		else
			port_set_promisc(p);
}

static void
update_port_count(struct net_bridge *br)
{
	unsigned count = 0;

	for (const struct net_bridge_port *p = br->ports; p; p = p->next)
		count += is_auto_port(p);
	if (br->auto_cnt == count)
		return;
	br->auto_cnt = count;
	br_manage_promisc(br);
}

void
br_port_set_flags(struct net_bridge_port *p, unsigned flags)
{
	unsigned changed = p->flags ^ flags;

	p->flags = flags;
	if (changed & BR_AUTO_MASK)
		update_port_count(p->br);
}

/* Ports come and go */

static int
check_port(const struct net_device *port, struct ext_ack *ack)
{
	if (port->flags & IFF_LOOPBACK || port->type != ARPHRD_ETHER ||
	    !is_valid_ether_addr(port->dev_addr))
		return -EINVAL;
	if (netif_is_bridge_master(port)) {
		ext_ack_set(ack, "Can not enslave a bridge to a bridge");
		return -ELOOP;
	}
	if (netdev_master_upper_dev_get(port))
		return -EBUSY;
	if (port->priv_flags & IFF_DONT_BRIDGE) {
		ext_ack_set(ack, "Device does not allow enslaving to a bridge");
		return -EOPNOTSUPP;
	}
	return 0;
}

static int
link_port(struct net_bridge *br, struct net_bridge_port *p, struct ext_ack *ack)
{
	int err = netdev_rx_handler_register(p->dev, p);

	if (err != 0)
		return err;
	p->dev->priv_flags |= IFF_BRIDGE_PORT;
	err = netdev_master_upper_dev_link(p->dev, br->dev, ack);
	if (err != 0) {
		p->dev->priv_flags &= ~IFF_BRIDGE_PORT;
		netdev_rx_handler_unregister(p->dev);
	}
	return err;
}

/* A new port is not promiscuous yet, so nothing else makes its list. */
static void
start_port(struct net_bridge *br, struct net_bridge_port *p)
{
	p->next = br->ports;
	br->ports = p;
	update_port_count(br);
	if (!p->promisc && p->dev->priv_flags & IFF_UNICAST_FLT)
		br_fdb_sync_static(br, p);
	br_fdb_add_local(br, p, p->dev->dev_addr, 0);
	nbp_vlan_init(p);
	if (br_stp_recalculate_bridge_id(br))
		call_netdevice_notifiers(NETDEV_CHANGEADDR, br->dev, NULL);
	if (netif_running(p->dev) && netif_oper_up(p->dev) && br->dev->flags & IFF_UP)
		br_stp_enable_port(p);
	br_mtu_auto_adjust(br);
}

int
br_add_slave(struct net_device *dev, struct net_device *port, struct ext_ack *ack)
{
	struct net_bridge *br = netdev_priv(dev);
	struct net_bridge_port *p;
	int err = check_port(port, ack);

	if (err != 0)
		return err;
	p = g_new0(struct net_bridge_port, 1);
	p->dev = port;
	p->br = br;
	p->port_no = br_find_portno(br);
	p->flags = BR_PORT_FLAGS;
	call_netdevice_notifiers(NETDEV_JOIN, port, NULL);
	err = dev_set_allmulti(port, 1);
	if (err == 0) {
		err = link_port(br, p, ack);
		if (err != 0)
			dev_set_allmulti(port, -1);
	}
	if (err != 0)
		g_free(p);
	else
		start_port(br, p);
	return err;
}

static void
unlist_port(struct net_bridge *br, struct net_bridge_port *p)
{
	struct net_bridge_port **at = &br->ports;

	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
}

static void
delete_promisc(struct net_bridge_port *p)
{
	dev_set_allmulti(p->dev, -1);
	if (p->promisc)
		dev_set_promiscuity(p->dev, -1);
	else
		br_fdb_unsync_static(p->br, p);
}

static void
del_port(struct net_bridge *br, struct net_bridge_port *p)
{
	delete_promisc(p);
	br_stp_disable_port(p);
	unlist_port(br, p);
	nbp_vlan_flush(p);
	br_fdb_delete_by_port(br, p, 0, true);
	update_port_count(br);
	netdev_upper_dev_unlink(p->dev, br->dev);
	p->dev->priv_flags &= ~IFF_BRIDGE_PORT;
	netdev_rx_handler_unregister(p->dev);
	g_free(p);
}

int
br_del_slave(struct net_device *dev, struct net_device *port)
{
	struct net_bridge *br = netdev_priv(dev);

	if (!netif_is_bridge_port(port))
		return -EINVAL;
	del_port(br, port->rx_handler_data);
	br_mtu_auto_adjust(br);
	if (br_stp_recalculate_bridge_id(br))
		call_netdevice_notifiers(NETDEV_CHANGEADDR, br->dev, NULL);
	return 0;
}

void
br_del_ports(struct net_bridge *br)
{
	while (br->ports)
		del_port(br, br->ports);
}
