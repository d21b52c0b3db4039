/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vlan.c - VLAN devices: made, removed, and what happens to them when something
 * happens to the device below.
 *
 * Models net/8021q/vlan.c and vlan_netlink.c (Linux 5.10 and 6.1). */
#include "net/vlan.h"

#include <string.h>

#include "net/dev-addr-lists.h"
#include "net/rtnetlink.h"
#include "net/vlan-dev.h"

/* GARP and MRP: each joins the group of its bridges as soon as a device has a
 * VLAN, used or not. */

static const uint8_t mvrp_gvrp_addr[ETH_ALEN] = {0x01, 0x80, 0xc2, 0, 0, 0x21};

static void
init_applicants(struct net_device *real)
{
	const struct kernel_options *options = &real->kernel->options;

	for (int n = options->gvrp + options->mvrp; n > 0; n--)
		dev_mc_add(real, mvrp_gvrp_addr);
}

static void
uninit_applicants(struct net_device *real)
{
	const struct kernel_options *options = &real->kernel->options;

	for (int n = options->gvrp + options->mvrp; n > 0; n--)
		dev_mc_del(real, mvrp_gvrp_addr);
}

/* Making */

static int
attach(struct net_device *dev, struct net_device *real, struct ext_ack *ack)
{
	int err = register_netdevice(dev);

	if (err != 0)
		return err;
	err = netdev_upper_dev_link(real, dev, ack);
	if (err != 0)
		unregister_netdevice(dev);
	return err;
}

static int
register_vlan_dev(struct net_device *dev, struct ext_ack *ack)
{
	struct vlan_dev_priv *vlan = vlan_dev_priv(dev);
	struct net_device *real = vlan->real_dev;
	bool first;
	int err;

	DEV_ENTER(dev, "register_vlan_dev");
	err = vlan_vid_add(real, vlan->vid);
	if (err != 0)
		return err;
	first = real->vlan_info->nr_vlan_devs == 0;
	if (first)
		init_applicants(real);
	err = attach(dev, real, ack);
	if (err != 0) {
		if (first)
			uninit_applicants(real);
		vlan_vid_del(real, vlan->vid);
		return err;
	}
	netif_stacked_transfer_operstate(real, dev);
	linkwatch_fire_event(dev);
	vlan_group_set(real, vlan->vid, dev);
	return 0;
}

static int
vlan_check_real_dev(const struct net_device *real, uint16_t vid, struct ext_ack *ack)
{
	DEV_ENTER(real, "vlan_check_real_dev");
	if (real->priv_flags & IFF_NO_VLAN) {
		ext_ack_set(ack, "8021q: VLANs not supported on device");
		return -EOPNOTSUPP;
	}
	if (vlan_find_dev(real, vid)) {
		ext_ack_set(ack, "8021q: VLAN device already exists");
		return -EEXIST;
	}
	return 0;
}

enum vlan_option {
	VLAN_ID,
	VLAN_PROTOCOL,
	VLAN_REORDER_HDR,
	VLAN_LOOSE_BINDING,
};

static int
vlan_validate(const struct link_request *req, struct ext_ack *ack)
{
	if (req->has_address && !is_valid_ether_addr(req->address)) {
		ext_ack_set(ack, "8021q: Invalid link address");
		return -EADDRNOTAVAIL;
	}
	if (req->given == 0) {
		ext_ack_set(ack, "8021q: VLAN properties not specified");
		return -EINVAL;
	}
	if (link_option_given(req, VLAN_ID) && req->option[VLAN_ID] >= VLAN_N_VID - 1) {
		ext_ack_set(ack, "8021q: Invalid VLAN id");
		return -ERANGE;
	}
	return 0;
}

static void
set_flag(struct vlan_dev_priv *vlan, const struct link_request *req, enum vlan_option option,
	 unsigned flag)
{
	if (link_option_given(req, option))
		vlan->flags = (vlan->flags & ~flag) | (req->option[option] ? flag : 0);
}

static int
vlan_changelink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	struct vlan_dev_priv *vlan = vlan_dev_priv(dev);

	DEV_ENTER(dev, "vlan_changelink");
	set_flag(vlan, req, VLAN_REORDER_HDR, VLAN_FLAG_REORDER_HDR);
	set_flag(vlan, req, VLAN_LOOSE_BINDING, VLAN_FLAG_LOOSE_BINDING);
	return 0;
}

static struct net_device *
find_real_dev(struct net_device *dev, const struct link_request *req, struct ext_ack *ack, int *err)
{
	struct net_device *real = NULL;

	*err = -EINVAL;
	if (!link_option_given(req, VLAN_ID)) {
		ext_ack_set(ack, "8021q: VLAN id not specified");
	} else if (req->link == 0) {
		ext_ack_set(ack, "8021q: link not specified");
	} else {
		*err = -ENODEV;
		real = dev_get_by_index(rtnl_link_net(dev, req), req->link);
		if (!real)
			ext_ack_set(ack, "8021q: link does not exist");
	}
	return real;
}

static int
vlan_newlink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	struct vlan_dev_priv *vlan = vlan_dev_priv(dev);
	int err;

	DEV_ENTER(dev, "vlan_newlink");
	vlan->real_dev = find_real_dev(dev, req, ack, &err);
	if (!vlan->real_dev)
		return err;
	vlan->vid = (uint16_t)req->option[VLAN_ID];
	vlan->flags = VLAN_FLAG_REORDER_HDR;
	err = vlan_check_real_dev(vlan->real_dev, vlan->vid, ack);
	if (err != 0)
		return err;
	if (!req->has_mtu)
		dev->mtu = vlan->real_dev->mtu;
	else if (dev->mtu > vlan->real_dev->mtu)
		return -EINVAL;
	vlan_changelink(dev, req, ack);
	return register_vlan_dev(dev, ack);
}

/* Removing */

static void
unregister_vlan_dev(struct net_device *dev, struct unregister_list *list)
{
	struct vlan_dev_priv *vlan = vlan_dev_priv(dev);
	struct net_device *real = vlan->real_dev;

	DEV_ENTER(dev, "unregister_vlan_dev");
	vlan_group_set(real, vlan->vid, NULL);
	netdev_upper_dev_unlink(real, dev);
	unregister_netdevice_queue(dev, list);
	if (real->vlan_info->nr_vlan_devs == 0)
		uninit_applicants(real);
	vlan_vid_del(real, vlan->vid);
}

/* What happens below */

/* A VLAN whose address is not the device's own needs a place in its list. */
static void
vlan_sync_address(struct net_device *real, struct net_device *dev)
{
	struct vlan_dev_priv *vlan = vlan_dev_priv(dev);
	bool was_own, is_own;

	if (ether_addr_equal(vlan->real_dev_addr, real->dev_addr))
		return;
	if (!vlan_dev_inherit_address(dev, real)) {
		was_own = ether_addr_equal(dev->dev_addr, vlan->real_dev_addr);
		is_own = ether_addr_equal(dev->dev_addr, real->dev_addr);
		if (!was_own && is_own)
			dev_uc_del(real, dev->dev_addr);
		if (was_own && !is_own)
			dev_uc_add(real, dev->dev_addr);
	}
	memcpy(vlan->real_dev_addr, real->dev_addr, ETH_ALEN);
}

static bool
follows(const struct net_device *dev)
{
	return !(vlan_dev_priv(dev)->flags & VLAN_FLAG_LOOSE_BINDING);
}

static void
real_dev_down(struct net_device *real)
{
	g_autoptr(GPtrArray) devs = g_ptr_array_new();
	struct net_device *dev;
	unsigned vid;

	for_each_vlan_dev(real, vid, dev)
	{
		if (dev->flags & IFF_UP && follows(dev))
			g_ptr_array_insert(devs, 0, dev);
	}
	dev_close_many((struct net_device *const *)devs->pdata, devs->len);
	for (unsigned n = 0; n < devs->len; n++)
		netif_stacked_transfer_operstate(real, devs->pdata[n]);
}

static void
real_dev_up(struct net_device *real)
{
	struct net_device *dev;
	unsigned vid;

	for_each_vlan_dev(real, vid, dev)
	{
		if (dev->flags & IFF_UP)
			continue;
		if (follows(dev))
			dev_change_flags(dev, dev_get_flags(dev) | IFF_UP, NULL);
		netif_stacked_transfer_operstate(real, dev);
	}
}

static void
real_dev_gone(struct net_device *real)
{
	struct unregister_list list = {NULL, NULL};
	struct net_device *dev;
	unsigned vid;

	if (real->reg_state != NETREG_UNREGISTERING)
		return;
	for_each_vlan_dev(real, vid, dev) unregister_vlan_dev(dev, &list);
	unregister_netdevice_many(&list);
}

static void
real_dev_changed(enum netdev_event event, struct net_device *real)
{
	struct net_device *dev;
	unsigned vid;

	for_each_vlan_dev(real, vid, dev)
	{
		if (event == NETDEV_CHANGE)
			netif_stacked_transfer_operstate(real, dev);
		else if (event == NETDEV_CHANGEADDR && dev->flags & IFF_UP)
			vlan_sync_address(real, dev);
		else if (event == NETDEV_CHANGEMTU && dev->mtu > real->mtu)
			dev_set_mtu(dev, real->mtu);
	}
}

/* Id 0, the priority tag, passes every filter while the device is up. */
static void
follow_priority_tag(enum netdev_event event, struct net_device *dev)
{
	if (!(dev->priv_flags & IFF_VLAN_FILTER))
		return;
	if (event == NETDEV_UP)
		vlan_vid_add(dev, 0);
	else if (event == NETDEV_DOWN)
		vlan_vid_del(dev, 0);
}

static int
vlan_device_event(struct kernel *k, enum netdev_event event, struct net_device *dev,
		  const void *info)
{
	follow_priority_tag(event, dev);
	switch (event) {
	case NETDEV_UP:
		real_dev_up(dev);
		break;
	case NETDEV_DOWN:
		real_dev_down(dev);
		break;
	case NETDEV_UNREGISTER:
		real_dev_gone(dev);
		break;
	default:
		real_dev_changed(event, dev);
		break;
	}
	return 0;
}

static const char *const protocols[] = {"802.1Q", NULL};

static const struct link_kind vlan_kind = {
	.name = "vlan",
	.about = "a device that sends and receives with one VLAN id of the device below",
	.priv_size = sizeof(struct vlan_dev_priv),
	.options =
		{
			[VLAN_ID] = {.name = "id", .help = "0 .. 4094", .max = 65535},
			[VLAN_PROTOCOL] = {.name = "protocol",
					   .help = "802.1Q",
					   .form = LINK_OPTION_WORD,
					   .words = protocols},
			[VLAN_REORDER_HDR] = {.name = "reorder_hdr",
					      .help = "take the tag off (default)",
					      .form = LINK_OPTION_ON_OFF},
			[VLAN_LOOSE_BINDING] = {.name = "loose_binding",
						.help = "up and down on its own",
						.form = LINK_OPTION_ON_OFF},
		},
	.setup = vlan_dev_setup,
	.validate = vlan_validate,
	.newlink = vlan_newlink,
	.changelink = vlan_changelink,
	.dellink = unregister_vlan_dev,
	.get_iflink = vlan_dev_get_iflink,
	.get_link_net = vlan_dev_get_link_net,
	.fill_info = vlan_dev_fill_info,
	.init = vlan_dev_init,
	.open = vlan_dev_open,
	.stop = vlan_dev_stop,
	.xmit = vlan_dev_hard_start_xmit,
	.set_rx_mode = vlan_dev_set_rx_mode,
	.change_rx_flags = vlan_dev_change_rx_flags,
	.set_mac_address = vlan_dev_set_mac_address,
	.change_mtu = vlan_dev_change_mtu,
};

const struct net_module net_module_vlan = {
	.name = "vlan",
	.kind = &vlan_kind,
	.event = vlan_device_event,
};
