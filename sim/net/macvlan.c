/* SPDX-License-Identifier: GPL-2.0-or-later */
/* macvlan.c - devices with addresses of their own on one device below.
 *
 * Models drivers/net/macvlan.c (Linux 5.10 and 6.1), the modes private, vepa,
 * bridge and passthru. */
#include <linux/if_link.h>
#include <net/if_arp.h>
#include <string.h>

#include "net/af-netlink.h"
#include "net/dev-addr-lists.h"
#include "net/dev.h"
#include "net/rtnetlink.h"

/* Mode n of this list is the bit n of enum macvlan_mode. */
static const char *const mode_names[] = {"private", "vepa", "bridge", "passthru", NULL};

#define MACVLAN_BC_QUEUE_LEN 1000 /* broadcasts that may wait */

enum macvlan_option {
	MACVLAN_MODE,
};

struct macvlan_dev {
	struct net_device *dev, *lowerdev;
	enum macvlan_mode mode;
	bool hashed; /* up: its address is taken */
	struct macvlan_dev *next;
};

/* Of the device below. */
struct macvlan_port {
	struct macvlan_dev *vlans;   /* linked to it, the oldest first */
	unsigned count;              /* that exist, from init to uninit */
	bool passthru, addr_change;  /* the passthru macvlan is changing the address below */
	uint8_t perm_addr[ETH_ALEN]; /* what the device below has again at the end */
};

static struct net_device *
lower_of(const struct net_device *dev)
{
	const struct macvlan_dev *vlan = netdev_priv(dev);

	return vlan->lowerdev;
}

static struct macvlan_port *
port_of(const struct net_device *lower)
{
	return lower->priv_flags & IFF_MACVLAN_PORT ? lower->rx_handler_data : NULL;
}

static bool
is_passthru(const struct net_device *dev)
{
	return port_of(lower_of(dev))->passthru;
}

/* By the device below, or by a macvlan that is up. */
static bool
addr_busy(const struct net_device *lower, const uint8_t *addr)
{
	const struct macvlan_port *port = port_of(lower);

	if (!port->passthru && ether_addr_equal(lower->dev_addr, addr))
		return true;
	for (const struct macvlan_dev *vlan = port->vlans; vlan; vlan = vlan->next)
		if (vlan->hashed && ether_addr_equal(vlan->dev->dev_addr, addr))
			return true;
	return false;
}

/* Up and down */

static int
open_shared(struct net_device *dev)
{
	struct net_device *lower = lower_of(dev);
	int err = addr_busy(lower, dev->dev_addr) ? -EADDRINUSE : dev_uc_add(lower, dev->dev_addr);

	if (err == 0 && dev->flags & IFF_ALLMULTI)
		err = dev_set_allmulti(lower, 1);
	if (err == 0 && dev->flags & IFF_PROMISC)
		err = dev_set_promiscuity(lower, 1);
	return err;
}

static int
macvlan_open(struct net_device *dev)
{
	struct macvlan_dev *vlan = netdev_priv(dev);
	int err = is_passthru(dev) ? dev_set_promiscuity(vlan->lowerdev, 1) : open_shared(dev);

	if (err == 0)
		vlan->hashed = true;
	return err;
}

static void
stop_shared(struct net_device *dev)
{
	struct net_device *lower = lower_of(dev);

	if (dev->flags & IFF_ALLMULTI)
		dev_set_allmulti(lower, -1);
	if (dev->flags & IFF_PROMISC)
		dev_set_promiscuity(lower, -1);
	dev_uc_del(lower, dev->dev_addr);
}

static int
macvlan_stop(struct net_device *dev)
{
	struct macvlan_dev *vlan = netdev_priv(dev);

	dev_uc_unsync(vlan->lowerdev, dev);
	dev_mc_unsync(vlan->lowerdev, dev);
	if (is_passthru(dev))
		dev_set_promiscuity(vlan->lowerdev, -1);
	else
		stop_shared(dev);
	vlan->hashed = false;
	return 0;
}

static void
macvlan_set_mac_lists(struct net_device *dev)
{
	dev_uc_sync(lower_of(dev), dev);
	dev_mc_sync(lower_of(dev), dev);
}

static void
macvlan_change_rx_flags(struct net_device *dev, unsigned change)
{
	if (!(dev->flags & IFF_UP))
		return;
	if (change & IFF_ALLMULTI)
		dev_set_allmulti(lower_of(dev), dev->flags & IFF_ALLMULTI ? 1 : -1);
	if (!is_passthru(dev) && change & IFF_PROMISC)
		dev_set_promiscuity(lower_of(dev), dev->flags & IFF_PROMISC ? 1 : -1);
}

/* What the device below listens to, of a macvlan that is up. */
static int
change_filter(struct net_device *dev, const uint8_t *addr)
{
	struct net_device *lower = lower_of(dev);
	int err = 0;

	if (addr_busy(lower, addr))
		return -EADDRINUSE;
	if (is_passthru(dev))
		return 0;
	err = dev_uc_add(lower, addr);
	if (err == 0)
		dev_uc_del(lower, dev->dev_addr);
	return err;
}

static int
sync_address(struct net_device *dev, const uint8_t *addr)
{
	struct macvlan_port *port = port_of(lower_of(dev));
	int err = dev->flags & IFF_UP ? change_filter(dev, addr) : 0;

	if (err != 0)
		return err;
	dev_addr_mod(dev, addr);
	if (port->passthru && !port->addr_change)
		memcpy(port->perm_addr, addr, ETH_ALEN);
	port->addr_change = false;
	return 0;
}

static int
macvlan_set_mac_address(struct net_device *dev, const uint8_t *addr)
{
	if (!is_valid_ether_addr(addr))
		return -EADDRNOTAVAIL;
	if (ether_addr_equal(addr, dev->dev_addr))
		return 0;
	if (is_passthru(dev)) {
		port_of(lower_of(dev))->addr_change = true;
		return dev_set_mac_address(lower_of(dev), addr, NULL);
	}
	return addr_busy(lower_of(dev), addr) ? -EADDRINUSE : sync_address(dev, addr);
}

/* Its own address is the only unicast one that it can have, but for passthru. */
static int
macvlan_fdb_add(struct net_device *dev, const struct fdb_request *req, struct ext_ack *ack)
{
	if (req->replace)
		return -EOPNOTSUPP;
	if (req->addr[0] & 1)
		return dev_mc_add_excl(dev, req->addr);
	return is_passthru(dev) ? dev_uc_add_excl(dev, req->addr) : -EOPNOTSUPP;
}

static int
macvlan_fdb_del(struct net_device *dev, const struct fdb_request *req, struct ext_ack *ack)
{
	if (req->addr[0] & 1)
		return dev_mc_del(dev, req->addr);
	return is_passthru(dev) ? dev_uc_del(dev, req->addr) : -EOPNOTSUPP;
}

static int
macvlan_change_mtu(struct net_device *dev, unsigned mtu, struct ext_ack *ack)
{
	return mtu > lower_of(dev)->mtu ? -EINVAL : 0;
}

/* The port */

static int
port_create(struct net_device *lower)
{
	struct macvlan_port *port;
	int err;

	if (lower->type != ARPHRD_ETHER || lower->flags & IFF_LOOPBACK)
		return -EINVAL;
	if (lower->has_rx_handler)
		return -EBUSY;
	port = g_new0(struct macvlan_port, 1);
	memcpy(port->perm_addr, lower->dev_addr, ETH_ALEN);
	err = netdev_rx_handler_register(lower, port);
	if (err != 0)
		g_free(port);
	else
		lower->priv_flags |= IFF_MACVLAN_PORT;
	return err;
}

static void
port_destroy(struct net_device *lower)
{
	struct macvlan_port *port = port_of(lower);

	lower->priv_flags &= ~IFF_MACVLAN_PORT;
	netdev_rx_handler_unregister(lower);
	if (port->passthru && !ether_addr_equal(lower->dev_addr, port->perm_addr))
		dev_set_mac_address(lower, port->perm_addr, NULL);
	g_free(port);
}

static void
port_insert(struct macvlan_port *port, struct macvlan_dev *vlan)
{
	struct macvlan_dev **at = &port->vlans;

	while (*at)
		at = &(*at)->next;
	*at = vlan;
}

static void
port_remove(struct macvlan_port *port, struct macvlan_dev *vlan)
{
	struct macvlan_dev **at = &port->vlans;

	while (*at != vlan)
		at = &(*at)->next;
	*at = vlan->next;
}

/* The device */

static void
macvlan_setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->max_mtu = 65535;
	dev->priv_flags |= IFF_UNICAST_FLT | IFF_NO_QUEUE | IFF_MACVLAN;
}

static int
macvlan_init(struct net_device *dev)
{
	const struct net_device *lower = lower_of(dev);

	dev->carrier = lower->carrier;
	dev->dormant = lower->dormant;
	port_of(lower)->count++;
	return 0;
}

static void
macvlan_uninit(struct net_device *dev)
{
	struct macvlan_port *port = port_of(lower_of(dev));

	port->count--;
	if (port->count == 0)
		port_destroy(lower_of(dev));
}

/* A macvlan on a macvlan stands beside it. */
static struct net_device *
find_lower(struct net_device *dev, const struct link_request *req)
{
	struct net_device *lower =
		req->link ? dev_get_by_index(rtnl_link_net(dev, req), req->link) : NULL;

	return lower && lower->priv_flags & IFF_MACVLAN ? lower_of(lower) : lower;
}

static int
choose_mtu(struct net_device *dev, const struct net_device *lower, bool given)
{
	if (!given)
		dev->mtu = lower->mtu;
	return dev->mtu > lower->mtu ? -EINVAL : 0;
}

static enum macvlan_mode
requested_mode(const struct link_request *req)
{
	return (enum macvlan_mode)(1u << req->option[MACVLAN_MODE]);
}

/* Nothing but one passthru, or any number of the others. */
static int
check_mode(const struct macvlan_port *port, enum macvlan_mode mode)
{
	if (port->passthru)
		return -EINVAL;
	return mode == MACVLAN_MODE_PASSTHRU && port->count > 0 ? -EINVAL : 0;
}

static int
attach(struct macvlan_dev *vlan, struct macvlan_port *port, struct ext_ack *ack)
{
	struct net_device *dev = vlan->dev;
	int err;

	if (vlan->mode == MACVLAN_MODE_PASSTHRU) {
		port->passthru = true;
		dev_addr_mod(dev, vlan->lowerdev->dev_addr);
	}
	err = register_netdevice(dev);
	if (err != 0)
		return err;
	err = netdev_upper_dev_link(vlan->lowerdev, dev, ack);
	if (err != 0) {
		unregister_netdevice(dev);
		return err;
	}
	port_insert(port, vlan);
	netif_stacked_transfer_operstate(vlan->lowerdev, dev);
	linkwatch_fire_event(dev);
	return 0;
}

static int
macvlan_newlink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	struct net_device *lower = find_lower(dev, req);
	struct macvlan_dev *vlan = netdev_priv(dev);
	bool created = false;
	int err;

	if (!lower)
		return req->link ? -ENODEV : -EINVAL;
	err = choose_mtu(dev, lower, req->has_mtu);
	if (err != 0)
		return err;
	if (!req->has_address)
		eth_hw_addr_random(dev);
	if (!port_of(lower)) {
		err = port_create(lower);
		if (err != 0)
			return err;
		created = true;
	}
	vlan->dev = dev;
	vlan->lowerdev = lower;
	vlan->mode = link_option_given(req, MACVLAN_MODE) ? requested_mode(req) : MACVLAN_MODE_VEPA;
	err = check_mode(port_of(lower), vlan->mode);
	if (err == 0)
		err = attach(vlan, port_of(lower), ack);
	if (err != 0 && created && port_of(lower))
		port_destroy(lower);
	return err;
}

static void
macvlan_dellink(struct net_device *dev, struct unregister_list *list)
{
	struct net_device *lower = lower_of(dev);

	port_remove(port_of(lower), netdev_priv(dev));
	unregister_netdevice_queue(dev, list);
	netdev_upper_dev_unlink(lower, dev);
}

static int
macvlan_changelink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	struct macvlan_dev *vlan = netdev_priv(dev);
	bool passthru = vlan->mode == MACVLAN_MODE_PASSTHRU;

	if (!link_option_given(req, MACVLAN_MODE))
		return 0;
	if (passthru != (requested_mode(req) == MACVLAN_MODE_PASSTHRU))
		return -EINVAL;
	vlan->mode = requested_mode(req);
	return 0;
}

static int
macvlan_get_iflink(const struct net_device *dev)
{
	return lower_of(dev)->ifindex;
}

static struct net *
macvlan_get_link_net(const struct net_device *dev)
{
	return lower_of(dev)->net;
}

static void
macvlan_fill_info(struct nlmsg *m, const struct net_device *dev)
{
	const struct macvlan_dev *vlan = netdev_priv(dev);

	nlmsg_put_u32(m, IFLA_MACVLAN_MODE, vlan->mode);
	nlmsg_put_u16(m, IFLA_MACVLAN_FLAGS, 0);
	nlmsg_put_u32(m, IFLA_MACVLAN_MACADDR_COUNT, 0);
	if (dev->kernel->options.version < KERNEL_6_1)
		return;
	nlmsg_put_u32(m, IFLA_MACVLAN_BC_QUEUE_LEN, MACVLAN_BC_QUEUE_LEN);
	nlmsg_put_u32(m, IFLA_MACVLAN_BC_QUEUE_LEN_USED, MACVLAN_BC_QUEUE_LEN);
}

/* What happens below */

static void
lower_gone(struct net_device *lower)
{
	struct unregister_list list = {NULL, NULL};
	struct macvlan_port *port = port_of(lower);

	if (lower->reg_state != NETREG_UNREGISTERING)
		return;
	while (port->vlans)
		macvlan_dellink(port->vlans->dev, &list);
	unregister_netdevice_many(&list);
}

static int
macvlan_device_event(struct kernel *k, enum netdev_event event, struct net_device *dev,
		     const void *info)
{
	struct macvlan_port *port = port_of(dev);
	struct macvlan_dev *vlan;

	if (!port)
		return 0;
	if (event == NETDEV_UNREGISTER) {
		lower_gone(dev);
		return 0;
	}
	if (event == NETDEV_CHANGEADDR)
		return port->passthru && port->vlans ? sync_address(port->vlans->dev, dev->dev_addr)
						     : 0;
	for (vlan = port->vlans; vlan; vlan = vlan->next) {
		if (event == NETDEV_UP || event == NETDEV_DOWN || event == NETDEV_CHANGE)
			netif_stacked_transfer_operstate(dev, vlan->dev);
		else if (event == NETDEV_CHANGEMTU && vlan->dev->mtu > dev->mtu)
			dev_set_mtu(vlan->dev, dev->mtu);
	}
	return 0;
}

static const struct link_kind macvlan_kind = {
	.name = "macvlan",
	.about = "a device with an address of its own on the device below",
	.priv_size = sizeof(struct macvlan_dev),
	.options = {[MACVLAN_MODE] = {.name = "mode",
				      .help = "who may talk to whom",
				      .form = LINK_OPTION_WORD,
				      .words = mode_names}},
	.setup = macvlan_setup,
	.validate = rtnl_validate_address,
	.newlink = macvlan_newlink,
	.changelink = macvlan_changelink,
	.dellink = macvlan_dellink,
	.get_iflink = macvlan_get_iflink,
	.get_link_net = macvlan_get_link_net,
	.fill_info = macvlan_fill_info,
	.init = macvlan_init,
	.uninit = macvlan_uninit,
	.open = macvlan_open,
	.stop = macvlan_stop,
	.set_rx_mode = macvlan_set_mac_lists,
	.change_rx_flags = macvlan_change_rx_flags,
	.set_mac_address = macvlan_set_mac_address,
	.change_mtu = macvlan_change_mtu,
	.fdb_add = macvlan_fdb_add,
	.fdb_del = macvlan_fdb_del,
};

const struct net_module net_module_macvlan = {
	.name = "macvlan",
	.kind = &macvlan_kind,
	.event = macvlan_device_event,
};
