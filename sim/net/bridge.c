/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge.c - a master that forwards between its ports: the device, and what it hears
 * of others.
 *
 * Models net/bridge/br.c and br_device.c (Linux 5.10 and 6.1) without the spanning
 * tree protocol and without snooping of multicast groups.  Ports are in br-if.c and
 * br-stp.c, VLANs in br-vlan.c, the forwarding database in br-fdb.c, and the way of
 * frames in br-input.c and br-forward.c. */
#include "net/bridge.h"
#include "net/igmp.h"
#include "net/inet6.h"
#include "net/rtnetlink.h"

#define ALL_SNOOPERS_IP4 0xe000006au /* 224.0.0.106 */
#define VLAN_VID_MASK    0xfff

extern const struct net_module net_module_bridge;

enum bridge_option {
	BRIDGE_AGEING_TIME,
	BRIDGE_VLAN_FILTERING,
	BRIDGE_VLAN_DEFAULT_PVID,
};

struct bridge_state {
	struct workqueue *gc_queue; /* system_long_wq */
};

static const uint8_t in6addr_linklocal_allsnoopers[16] = {0xff, 0x02, [15] = 0x6a};

struct workqueue *
br_gc_queue(const struct kernel *k)
{
	const struct bridge_state *state = kernel_module_state(k, &net_module_bridge);

	return state->gc_queue;
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
	br_vlan_fini(netdev_priv(dev));
}

static int
br_validate(const struct link_request *req, struct ext_ack *ack)
{
	if (link_option_given(req, BRIDGE_VLAN_DEFAULT_PVID) &&
	    req->option[BRIDGE_VLAN_DEFAULT_PVID] >= VLAN_VID_MASK)
		return -EINVAL;
	return rtnl_validate_address(req, ack);
}

static int
br_changelink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	struct net_bridge *br = netdev_priv(dev);

	if (link_option_given(req, BRIDGE_AGEING_TIME))
		br_set_ageing_time(br, (uint32_t)req->option[BRIDGE_AGEING_TIME]);
	if (link_option_given(req, BRIDGE_VLAN_FILTERING))
		br_vlan_filter_toggle(br, req->option[BRIDGE_VLAN_FILTERING] != 0);
	if (link_option_given(req, BRIDGE_VLAN_DEFAULT_PVID))
		return br_vlan_set_default_pvid(br,
						(uint16_t)req->option[BRIDGE_VLAN_DEFAULT_PVID]);
	return 0;
}

static void
br_dev_delete(struct net_device *dev, struct unregister_list *list)
{
	struct net_bridge *br = netdev_priv(dev);

	br_del_ports(br);
	br_fdb_delete_by_port(br, NULL, 0, true);
	unregister_netdevice_queue(dev, list);
}

static int
br_dev_newlink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	struct unregister_list list = {NULL, NULL};
	int err = register_netdevice(dev);

	if (err != 0)
		return err;
	if (req->has_address)
		br_stp_change_bridge_id(netdev_priv(dev), req->address);
	err = br_changelink(dev, req, ack);
	if (err != 0) {
		br_dev_delete(dev, &list);
		unregister_netdevice_many(&list);
	}
	return err;
}

/* The groups of those that watch who joins which group. */
static int
br_dev_open(struct net_device *dev)
{
	br_stp_enable_bridge(netdev_priv(dev));
	if (in_dev_get(dev))
		ip_mc_inc_group(in_dev_get(dev), ALL_SNOOPERS_IP4);
	ipv6_dev_mc_inc(dev, in6addr_linklocal_allsnoopers);
	return 0;
}

static int
br_dev_stop(struct net_device *dev)
{
	br_stp_disable_bridge(netdev_priv(dev));
	if (in_dev_get(dev))
		ip_mc_dec_group(in_dev_get(dev), ALL_SNOOPERS_IP4);
	ipv6_dev_mc_dec(dev, in6addr_linklocal_allsnoopers);
	return 0;
}

static void
br_dev_change_rx_flags(struct net_device *dev, unsigned change)
{
	if (change & IFF_PROMISC)
		br_manage_promisc(netdev_priv(dev));
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
		br_stp_change_bridge_id(br, addr);
	return 0;
}

static int
br_change_mtu(struct net_device *dev, unsigned mtu, struct ext_ack *ack)
{
	struct net_bridge *br = netdev_priv(dev);

	br->mtu_set_by_user = true;
	return 0;
}

/* What it hears of others */

/* 5.10 has its own address for the default VLAN only. */
static void
bridge_registered(struct net_bridge *br)
{
	if (br->dev->kernel->options.version >= KERNEL_6_1)
		br_fdb_change_mac_address(br, br->dev->dev_addr);
	br_vlan_init(br);
}

static void
bridge_unregistered(struct net_bridge *br)
{
	br_vlan_delete(br, br->default_pvid);
}

static void
port_address_changed(struct net_bridge_port *p)
{
	br_fdb_changeaddr(p, p->dev->dev_addr);
	if (br_stp_recalculate_bridge_id(p->br))
		call_netdevice_notifiers(NETDEV_CHANGEADDR, p->br->dev, NULL);
}

static void
port_event(enum netdev_event event, struct net_bridge_port *p)
{
	struct net_bridge *br = p->br;

	if (event == NETDEV_CHANGEMTU)
		br_mtu_auto_adjust(br);
	else if (event == NETDEV_CHANGEADDR)
		port_address_changed(p);
	else if (event == NETDEV_CHANGE)
		br_port_carrier_check(p);
	else if (event == NETDEV_DOWN && br->dev->flags & IFF_UP)
		br_stp_disable_port(p);
	else if (event == NETDEV_UP && netif_running(br->dev) && netif_oper_up(p->dev))
		br_stp_enable_port(p);
	else if (event == NETDEV_UNREGISTER)
		br_del_slave(br->dev, p->dev);
}

static int
br_device_event(struct kernel *k, enum netdev_event event, struct net_device *dev, const void *info)
{
	if (event == NETDEV_REGISTER && netif_is_bridge_master(dev))
		bridge_registered(netdev_priv(dev));
	if (event == NETDEV_UNREGISTER && netif_is_bridge_master(dev))
		bridge_unregistered(netdev_priv(dev));
	if (netif_is_bridge_port(dev) && netdev_master_upper_dev_get(dev))
		port_event(event, dev->rx_handler_data);
	return 0;
}

static int
br_kernel_init(struct kernel *k, void *data)
{
	struct bridge_state *state = data;

	state->gc_queue = kernel_workqueue(k, "events_long");
	return 0;
}

static const struct link_kind bridge_kind = {
	.name = "bridge",
	.about = "a master that forwards between its ports",
	.priv_size = sizeof(struct net_bridge),
	.options =
		{
			[BRIDGE_AGEING_TIME] = {.name = "ageing_time",
						.help = "1/100 s until learned entries go",
						.max = UINT32_MAX},
			[BRIDGE_VLAN_FILTERING] = {.name = "vlan_filtering",
						   .help = "0, 1",
						   .max = UINT8_MAX},
			[BRIDGE_VLAN_DEFAULT_PVID] = {.name = "vlan_default_pvid",
						      .help = "0 .. 4094; 0: none",
						      .max = UINT16_MAX},
		},
	.setup = br_dev_setup,
	.validate = br_validate,
	.newlink = br_dev_newlink,
	.changelink = br_changelink,
	.dellink = br_dev_delete,
	.fill_info = br_fill_info,
	.fill_slave_info = br_port_fill_slave_info,
	.init = br_dev_init,
	.uninit = br_dev_uninit,
	.open = br_dev_open,
	.stop = br_dev_stop,
	.xmit = br_dev_xmit,
	.set_rx_mode = br_dev_set_multicast_list,
	.change_rx_flags = br_dev_change_rx_flags,
	.set_mac_address = br_set_mac_address,
	.change_mtu = br_change_mtu,
	.add_slave = br_add_slave,
	.del_slave = br_del_slave,
	.bridge_setlink = br_setlink,
	.bridge_dellink = br_dellink,
	.bridge_getlink = br_getlink,
	.fdb_add = br_fdb_add,
	.fdb_del = br_fdb_del,
	.fdb_dump = br_fdb_dump,
	.fdb_each = br_fdb_each,
};

const struct net_module net_module_bridge = {
	.name = "bridge",
	.kind = &bridge_kind,
	.tables = {&br_fdb_spec},
	.kernel_size = sizeof(struct bridge_state),
	.kernel_init = br_kernel_init,
	.event = br_device_event,
};
