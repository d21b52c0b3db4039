/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vxlan.c - tunnels of Ethernet frames over UDP: the device.
 *
 * Models the device's part of drivers/net/vxlan/vxlan_core.c (Linux 5.10 and 6.1).
 * The database is in vxlan-fdb.c, what can be configured in vxlan-config.c and
 * vxlan-netlink.c.  There is no network below: frames end here, and none come. */
#include "net/vxlan.h"

#include "net/packet.h"
#include "net/rtnetlink.h"

#define FDB_AGE_INTERVAL_PS (10 * PS_PER_S) /* until entries are looked at first */
#define ETH_MIN_MTU         68
#define ETH_MAX_MTU         65535

extern const struct net_module net_module_vxlan;

struct vxlan_net {
	struct vxlan_dev *first;
};

struct vxlan_state {
	struct workqueue *age_queue; /* the kernel has timers */
};

static struct vxlan_net *
vxlan_net_of(const struct net *net)
{
	return net_module_state(net, &net_module_vxlan);
}

struct vxlan_dev *
vxlan_first(const struct net *net)
{
	return vxlan_net_of(net)->first;
}

struct workqueue *
vxlan_age_queue(const struct kernel *k)
{
	const struct vxlan_state *state = kernel_module_state(k, &net_module_vxlan);

	return state->age_queue;
}

/* No two devices may hear the same frames. */
static int
vxlan_vni_in_use(const struct net_device *dev, const struct vxlan_config *cfg, struct ext_ack *ack)
{
	for (const struct vxlan_dev *o = vxlan_first(dev->net); o; o = o->next) {
		if (o->dev == dev || o->cfg.vni != cfg->vni || !vxlan_same_socket(&o->cfg, cfg))
			continue;
		if (cfg->ipv6_linklocal && o->cfg.remote_ifindex != cfg->remote_ifindex)
			continue;
		ext_ack_set(ack, "A VXLAN device with the specified VNI already exists");
		return -EEXIST;
	}
	return 0;
}

static int
configure(const struct net_device *dev, struct vxlan_config *cfg, struct net_device **lower,
	  struct ext_ack *ack)
{
	int err = vxlan_config_validate(dev->net, cfg, lower, ack);

	return err == 0 ? vxlan_vni_in_use(dev, cfg, ack) : err;
}

/* 'lower' is null if it is the same as before. */
static void
vxlan_config_apply(struct vxlan_dev *vxlan, const struct vxlan_config *cfg,
		   const struct net_device *lower, bool change)
{
	struct vxlan_rdst *dst = &vxlan->default_dst;
	struct net_device *dev = vxlan->dev;
	unsigned max_mtu = ETH_MAX_MTU;

	if (!change && cfg->mtu)
		dev->mtu = cfg->mtu;
	dst->remote_ip = cfg->remote;
	dst->remote_vni = cfg->vni;
	dst->remote_port = cfg->dst_port;
	if (lower) {
		dst->remote_ifindex = cfg->remote_ifindex;
		max_mtu = MAX(lower->mtu, vxlan_headroom(cfg) + ETH_MIN_MTU) - vxlan_headroom(cfg);
		if (!change && !cfg->mtu)
			dev->mtu = max_mtu;
	}
	dev->mtu = MIN(dev->mtu, max_mtu);
	vxlan->cfg = *cfg;
}

/* Life */

void
vxlan_setup(struct net_device *dev)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);

	eth_hw_addr_random(dev);
	ether_setup(dev);
	dev->max_mtu = ETH_MAX_MTU;
	dev->priv_flags |= IFF_LIVE_ADDR_CHANGE | IFF_NO_QUEUE;
	vxlan->dev = dev;
}

static void
list_device(struct vxlan_dev *vxlan)
{
	struct vxlan_net *vn = vxlan_net_of(vxlan->dev->net);

	vxlan->next = vn->first;
	vn->first = vxlan;
}

static void
unlist_device(struct vxlan_dev *vxlan)
{
	struct vxlan_dev **at = &vxlan_net_of(vxlan->dev->net)->first;

	while (*at && *at != vxlan)
		at = &(*at)->next;
	if (*at)
		*at = vxlan->next;
}

static int
link_lower(struct vxlan_dev *vxlan, struct net_device *lower, struct ext_ack *ack)
{
	int err = lower ? netdev_upper_dev_link(lower, vxlan->dev, ack) : 0;

	if (err == 0)
		vxlan->lowerdev = lower;
	return err;
}

int
vxlan_newlink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);
	struct vxlan_config cfg;
	struct net_device *lower;
	int err = vxlan_nl2conf(req, NULL, &cfg, ack);

	if (err == 0)
		err = configure(dev, &cfg, &lower, ack);
	if (err != 0)
		return err;
	vxlan_config_apply(vxlan, &cfg, lower, false);
	err = register_netdevice(dev);
	if (err != 0)
		return err;
	err = link_lower(vxlan, lower, ack);
	if (err == 0)
		err = vxlan_fdb_add_default(vxlan);
	if (err != 0) {
		unregister_netdevice(dev);
		return err;
	}
	list_device(vxlan);
	return 0;
}

/* What cannot fail any more, or only halfway: the group. */
static int
commit_change(struct vxlan_dev *vxlan, const struct vxlan_config *cfg, struct net_device *lower)
{
	const struct vxlan_rdst *old = &vxlan->default_dst;
	bool regroup =
		vxlan->dev->flags & IFF_UP && (!vxlan_addr_equal(&cfg->remote, &old->remote_ip) ||
					       cfg->remote_ifindex != old->remote_ifindex);

	if (regroup)
		vxlan_multicast_leave(vxlan);
	if (cfg->age_interval != vxlan->cfg.age_interval)
		vxlan_age_start(vxlan, 0);
	if (lower && vxlan->lowerdev)
		netdev_upper_dev_unlink(vxlan->lowerdev, vxlan->dev);
	if (lower)
		vxlan->lowerdev = lower;
	vxlan_config_apply(vxlan, cfg, lower, true);
	return regroup ? vxlan_multicast_join(vxlan) : 0;
}

int
vxlan_changelink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);
	struct vxlan_config cfg;
	struct net_device *lower;
	int err = vxlan_nl2conf(req, &vxlan->cfg, &cfg, ack);

	DEV_ENTER(dev, "vxlan_changelink");
	if (err == 0)
		err = configure(dev, &cfg, &lower, ack);
	if (err != 0)
		return err;
	if (lower == vxlan->lowerdev)
		lower = NULL;
	if (lower)
		err = netdev_upper_dev_link(lower, dev, ack);
	if (err != 0)
		return err;
	err = vxlan_fdb_change_default(vxlan, &cfg, ack);
	if (err == 0)
		return commit_change(vxlan, &cfg, lower);
	if (lower)
		netdev_upper_dev_unlink(lower, dev);
	return err;
}

void
vxlan_dellink(struct net_device *dev, struct unregister_list *list)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);

	vxlan_flush(vxlan, true);
	unlist_device(vxlan);
	unregister_netdevice_queue(dev, list);
	if (vxlan->lowerdev)
		netdev_upper_dev_unlink(vxlan->lowerdev, dev);
}

/* A tunnel does not outlive the device that it leaves by. */
static int
vxlan_netdevice_event(struct kernel *k, enum netdev_event event, struct net_device *dev,
		      const void *info)
{
	struct unregister_list list = {.first = NULL};
	struct vxlan_dev *next;

	if (event != NETDEV_UNREGISTER)
		return 0;
	for (struct vxlan_dev *vxlan = vxlan_first(dev->net); vxlan; vxlan = next) {
		next = vxlan->next;
		if (vxlan->lowerdev == dev)
			vxlan_dellink(vxlan->dev, &list);
	}
	unregister_netdevice_many(&list);
	return 0;
}

int
vxlan_open(struct net_device *dev)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);
	int err = vxlan_multicast_join(vxlan);

	DEV_ENTER(dev, "vxlan_open");
	if (err != 0)
		return err;
	vxlan_age_start(vxlan, FDB_AGE_INTERVAL_PS);
	return 0;
}

int
vxlan_stop(struct net_device *dev)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);

	DEV_ENTER(dev, "vxlan_stop");
	vxlan_multicast_leave(vxlan);
	work_cancel(&vxlan->age_work);
	vxlan_flush(vxlan, false);
	return 0;
}

/* One packet for each remote, which goes nowhere.  Where a device serves many VNIs,
 * frames say to which they belong; those that a user sends say nothing. */
void
vxlan_xmit(struct net_device *dev, struct frame *frame)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);
	const struct vxlan_fdb *f;

	DEV_ENTER(dev, "vxlan_xmit");
	if (vxlan->cfg.external)
		return;
	f = vxlan_xmit_lookup(vxlan, frame->dst);
	if (!f && vxlan->cfg.l2miss && !(frame->dst[0] & 1)) {
		DEV_CALL(dev, "vxlan_fdb_miss");
		vxlan_fdb_notify(vxlan);
	}
	for (const struct vxlan_rdst *rd = f ? f->remotes : NULL; rd; rd = rd->next)
		DEV_CALL(dev, "vxlan_xmit_one");
}

int
vxlan_change_mtu(struct net_device *dev, unsigned mtu, struct ext_ack *ack)
{
	const struct vxlan_dev *vxlan = netdev_priv(dev);
	const struct net_device *lower = vxlan->lowerdev;

	return lower && mtu + vxlan_headroom(&vxlan->cfg) > lower->mtu ? -EINVAL : 0;
}

static int
vxlan_kernel_init(struct kernel *k, void *data)
{
	struct vxlan_state *state = data;

	state->age_queue = kernel_workqueue(k, "vxlan_cleanup");
	return 0;
}

const struct net_module net_module_vxlan = {
	.name = "vxlan",
	.kind = &vxlan_kind,
	.tables = {&vxlan_fdb_spec},
	.kernel_size = sizeof(struct vxlan_state),
	.net_size = sizeof(struct vxlan_net),
	.kernel_init = vxlan_kernel_init,
	.event = vxlan_netdevice_event,
};
