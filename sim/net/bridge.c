/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge.c - a master that forwards between its ports: what joining, leaving and
 * its state do to address lists.
 *
 * Models net/bridge/br_if.c, br_device.c and br_stp.c (Linux 5.10 and 6.1)
 * without spanning tree and VLAN filtering; its database is in br-fdb.c. */
#include <net/if_arp.h>
#include <string.h>

#include "net/bridge.h"
#include "net/dev-addr-lists.h"
#include "net/igmp.h"
#include "net/inet6.h"
#include "net/rtnetlink.h"

#define ALL_SNOOPERS_IP4 0xe000006au /* 224.0.0.106 */

static const uint8_t in6addr_linklocal_allsnoopers[16] = {0xff, 0x02, [15] = 0x6a};

static struct net_bridge *
bridge_of(const struct net_device *port)
{
	return netdev_priv(netdev_master_upper_dev_get(port));
}

/* The states of ports.  A carrier takes one that forwards. */

static void
port_state_selection(struct net_bridge *br)
{
	bool any = false;

	for (const struct net_bridge_port *p = br->ports; p; p = p->next)
		any |= p->forwarding;
	if (any)
		netif_carrier_on(br->dev);
	else
		netif_carrier_off(br->dev);
}

static void
set_forwarding(struct net_bridge *br, struct net_bridge_port *p, bool forwarding)
{
	p->forwarding = forwarding;
	if (!forwarding)
		br_fdb_delete_by_port(br, p, false);
	port_state_selection(br);
}

static bool
can_forward(const struct net_bridge_port *p)
{
	return netif_running(p->dev) && netif_oper_up(p->dev);
}

static void
carrier_check(struct net_bridge *br, struct net_bridge_port *p)
{
	if (netif_running(br->dev) && p->forwarding != can_forward(p))
		set_forwarding(br, p, can_forward(p));
}

/* The bridge's own address: the lowest of its ports', if the user gave none. */

/* A side effect of it: ports are counted anew, and with none the carrier is off,
 * which a bridge that was never given an address has. */
static void
change_bridge_id(struct net_bridge *br, const uint8_t *addr)
{
	br_fdb_change_mac_address(br, addr);
	memcpy(br->id_addr, addr, ETH_ALEN);
	dev_addr_mod(br->dev, addr);
	port_state_selection(br);
}

static void
recalculate_bridge_id(struct net_bridge *br)
{
	static const uint8_t zero[ETH_ALEN];
	const uint8_t *addr = zero;

	if (br->dev->addr_assign_type == NET_ADDR_SET)
		return;
	for (const struct net_bridge_port *p = br->ports; p; p = p->next)
		if (addr == zero || memcmp(p->dev->dev_addr, addr, ETH_ALEN) < 0)
			addr = p->dev->dev_addr;
	if (ether_addr_equal(br->id_addr, addr))
		return;
	change_bridge_id(br, addr);
	call_netdevice_notifiers(NETDEV_CHANGEADDR, br->dev, NULL);
}

/* The smallest of its ports', if the user gave none. */
static void
mtu_auto_adjust(struct net_bridge *br)
{
	unsigned mtu = br->ports ? br->ports->dev->mtu : 1500;

	if (br->mtu_set_by_user)
		return;
	for (const struct net_bridge_port *p = br->ports; p; p = p->next)
		mtu = MIN(mtu, p->dev->mtu);
	dev_set_mtu(br->dev, mtu);
	br->mtu_set_by_user = false;
}

/* Without VLAN filtering every port must hear everything. */
static void
manage_promisc(struct net_bridge *br)
{
	for (struct net_bridge_port *p = br->ports; p; p = p->next) {
		if (p->promisc)
			continue;
		if (dev_set_promiscuity(p->dev, 1) != 0)
			continue;
		br_fdb_unsync_static(br, p);
		p->promisc = true;
	}
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

static void
start_port(struct net_bridge *br, struct net_bridge_port *p)
{
	p->next = br->ports;
	br->ports = p;
	manage_promisc(br);
	br_fdb_add_local(br, p, p->dev->dev_addr, 0);
	vlan_vid_add(p->dev, BR_DEFAULT_PVID);
	br_fdb_add_local(br, p, p->dev->dev_addr, BR_DEFAULT_PVID);
	recalculate_bridge_id(br);
	if (can_forward(p) && br->dev->flags & IFF_UP)
		set_forwarding(br, p, true);
	mtu_auto_adjust(br);
}

static int
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
del_port(struct net_bridge *br, struct net_bridge_port *p)
{
	dev_set_allmulti(p->dev, -1);
	if (p->promisc)
		dev_set_promiscuity(p->dev, -1);
	set_forwarding(br, p, false);
	unlist_port(br, p);
	vlan_vid_del(p->dev, BR_DEFAULT_PVID);
	br_fdb_delete_by_port(br, p, true);
	netdev_upper_dev_unlink(p->dev, br->dev);
	p->dev->priv_flags &= ~IFF_BRIDGE_PORT;
	netdev_rx_handler_unregister(p->dev);
	g_free(p);
}

static int
br_del_slave(struct net_device *dev, struct net_device *port)
{
	struct net_bridge *br = netdev_priv(dev);

	if (!netif_is_bridge_port(port))
		return -EINVAL;
	del_port(br, port->rx_handler_data);
	mtu_auto_adjust(br);
	recalculate_bridge_id(br);
	return 0;
}

/* The device */

static void
br_dev_setup(struct net_device *dev)
{
	struct net_bridge *br = netdev_priv(dev);

	br->dev = dev;
	br->default_pvid = BR_DEFAULT_PVID;
	br->ageing_ps = 300 * PS_PER_S;
	eth_hw_addr_random(dev);
	ether_setup(dev);
	dev->max_mtu = 65535;
	dev->priv_flags |= IFF_EBRIDGE | IFF_NO_QUEUE | IFF_NETNS_LOCAL;
}

static int
br_dev_init(struct net_device *dev)
{
	br_fdb_init(netdev_priv(dev));
	return 0;
}

static void
br_dev_uninit(struct net_device *dev)
{
	br_fdb_fini(netdev_priv(dev));
}

static int
br_dev_newlink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	int err = register_netdevice(dev);

	if (err != 0)
		return err;
	if (req->has_address)
		change_bridge_id(netdev_priv(dev), req->address);
	return 0;
}

static void
br_dev_delete(struct net_device *dev, struct unregister_list *list)
{
	struct net_bridge *br = netdev_priv(dev);

	while (br->ports)
		del_port(br, br->ports);
	br_fdb_delete_by_port(br, NULL, true);
	unregister_netdevice_queue(dev, list);
}

/* The groups of those that watch who joins which group. */
static int
br_dev_open(struct net_device *dev)
{
	struct net_bridge *br = netdev_priv(dev);

	for (struct net_bridge_port *p = br->ports; p; p = p->next)
		if (can_forward(p))
			set_forwarding(br, p, true);
	if (in_dev_get(dev))
		ip_mc_inc_group(in_dev_get(dev), ALL_SNOOPERS_IP4);
	ipv6_dev_mc_inc(dev, in6addr_linklocal_allsnoopers);
	return 0;
}

static int
br_dev_stop(struct net_device *dev)
{
	struct net_bridge *br = netdev_priv(dev);

	for (struct net_bridge_port *p = br->ports; p; p = p->next)
		if (p->forwarding)
			set_forwarding(br, p, false);
	if (in_dev_get(dev))
		ip_mc_dec_group(in_dev_get(dev), ALL_SNOOPERS_IP4);
	ipv6_dev_mc_dec(dev, in6addr_linklocal_allsnoopers);
	return 0;
}

static void
br_dev_set_multicast_list(struct net_device *dev)
{
}

static int
br_set_mac_address(struct net_device *dev, const uint8_t *addr)
{
	struct net_bridge *br = netdev_priv(dev);

	if (!is_valid_ether_addr(addr))
		return -EADDRNOTAVAIL;
	if (dev->reg_state != NETREG_REGISTERED)
		return -EBUSY;
	if (!ether_addr_equal(dev->dev_addr, addr))
		change_bridge_id(br, addr);
	return 0;
}

static int
br_change_mtu(struct net_device *dev, unsigned mtu, struct ext_ack *ack)
{
	struct net_bridge *br = netdev_priv(dev);

	br->mtu_set_by_user = true;
	return 0;
}

/* 5.10 adds it for the default VLAN only. */
static void
add_own_address(struct net_bridge *br)
{
	if (br->dev->kernel->options.version >= KERNEL_6_1)
		br_fdb_add_local(br, NULL, br->dev->dev_addr, 0);
	br_fdb_add_local(br, NULL, br->dev->dev_addr, BR_DEFAULT_PVID);
}

static void
port_address_changed(struct net_bridge *br, struct net_bridge_port *p)
{
	br_fdb_changeaddr(p, p->dev->dev_addr);
	recalculate_bridge_id(br);
}

static int
br_device_event(struct kernel *k, enum netdev_event event, struct net_device *dev, const void *info)
{
	struct net_bridge_port *p = dev->rx_handler_data;
	struct net_bridge *br;

	if (event == NETDEV_REGISTER && netif_is_bridge_master(dev))
		add_own_address(netdev_priv(dev));
	if (!netif_is_bridge_port(dev) || !netdev_master_upper_dev_get(dev))
		return 0;
	br = bridge_of(dev);
	if (event == NETDEV_CHANGEMTU)
		mtu_auto_adjust(br);
	else if (event == NETDEV_CHANGEADDR)
		port_address_changed(br, p);
	else if (event == NETDEV_CHANGE)
		carrier_check(br, p);
	else if (event == NETDEV_DOWN && br->dev->flags & IFF_UP)
		set_forwarding(br, p, false);
	else if (event == NETDEV_UP && netif_running(br->dev) && netif_oper_up(dev))
		set_forwarding(br, p, true);
	else if (event == NETDEV_UNREGISTER)
		br_del_slave(br->dev, dev);
	return 0;
}

static const struct link_kind bridge_kind = {
	.name = "bridge",
	.about = "a master that forwards between its ports",
	.priv_size = sizeof(struct net_bridge),
	.setup = br_dev_setup,
	.validate = rtnl_validate_address,
	.newlink = br_dev_newlink,
	.dellink = br_dev_delete,
	.init = br_dev_init,
	.uninit = br_dev_uninit,
	.open = br_dev_open,
	.stop = br_dev_stop,
	.set_rx_mode = br_dev_set_multicast_list,
	.set_mac_address = br_set_mac_address,
	.change_mtu = br_change_mtu,
	.add_slave = br_add_slave,
	.del_slave = br_del_slave,
	.fdb_add = br_fdb_add,
	.fdb_del = br_fdb_del,
	.fdb_dump = br_fdb_dump,
	.fdb_each = br_fdb_each,
};

const struct net_module net_module_bridge = {
	.name = "bridge",
	.kind = &bridge_kind,
	.tables = {&br_fdb_spec},
	.event = br_device_event,
};
