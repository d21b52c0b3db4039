/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dev-flags.c - devices up and down, their flags, modes, MTU and address.
 *
 * Models the other half of net/core/dev.c (Linux 5.10 and 6.1). */
#include "net/dev-addr-lists.h"
#include "net/dev.h"

/* Receive mode */

static void
dev_change_rx_flags(struct net_device *dev, unsigned flags)
{
	if (dev->kind->change_rx_flags)
		dev->kind->change_rx_flags(dev, flags);
}

/* 'notify' says whether anybody shall hear of the changed flags. */
static int
set_promiscuity(struct net_device *dev, int inc, bool notify)
{
	unsigned old_flags = dev->flags;

	DEV_ENTER(dev, "__dev_set_promiscuity");
	if (inc < 0 && dev->promiscuity == 0)
		return -EOVERFLOW;
	dev->promiscuity += (unsigned)inc;
	dev->flags |= IFF_PROMISC;
	if (dev->promiscuity == 0)
		dev->flags &= ~(unsigned)IFF_PROMISC;
	if (dev->flags != old_flags)
		dev_change_rx_flags(dev, IFF_PROMISC);
	if (notify)
		__dev_notify_flags(dev, old_flags);
	return 0;
}

int
dev_set_promiscuity(struct net_device *dev, int inc)
{
	unsigned old_flags = dev->flags;
	int err = set_promiscuity(dev, inc, true);

	if (dev->flags != old_flags)
		dev_set_rx_mode(dev);
	return err;
}

static int
set_allmulti(struct net_device *dev, int inc, bool notify)
{
	unsigned old_flags = dev->flags;

	DEV_ENTER(dev, "__dev_set_allmulti");
	if (inc < 0 && dev->allmulti == 0)
		return -EOVERFLOW;
	dev->allmulti += (unsigned)inc;
	dev->flags |= IFF_ALLMULTI;
	if (dev->allmulti == 0)
		dev->flags &= ~(unsigned)IFF_ALLMULTI;
	if (dev->flags != old_flags) {
		dev_change_rx_flags(dev, IFF_ALLMULTI);
		dev_set_rx_mode(dev);
		if (notify)
			__dev_notify_flags(dev, old_flags);
	}
	return 0;
}

int
dev_set_allmulti(struct net_device *dev, int inc)
{
	return set_allmulti(dev, inc, true);
}

/* A device that cannot filter by unicast address must see everything as soon as
 * it has a second one. */
static void
follow_unicast_list(struct net_device *dev)
{
	bool wanted = table_count(&dev->uc) != 0;

	if (dev->priv_flags & IFF_UNICAST_FLT || wanted == dev->uc_promisc)
		return;
	set_promiscuity(dev, wanted ? 1 : -1, false);
	dev->uc_promisc = wanted;
}

void
__dev_set_rx_mode(struct net_device *dev)
{
	DEV_ENTER_TRACED(dev, "__dev_set_rx_mode");
	if (!(dev->flags & IFF_UP))
		return;
	follow_unicast_list(dev);
	if (dev->kind->set_rx_mode)
		dev->kind->set_rx_mode(dev);
}

void
dev_set_rx_mode(struct net_device *dev)
{
	__dev_set_rx_mode(dev);
}

/* Up */

void
dev_activate(struct net_device *dev)
{
	DEV_ENTER(dev, "dev_activate");
	dev->qdisc_attached = true;
	if (netif_carrier_ok(dev))
		dev->qdisc_active = true;
}

void
dev_deactivate(struct net_device *dev)
{
	dev->qdisc_active = false;
}

static int
open_device(struct net_device *dev)
{
	int err;

	ASSERT_RTNL(dev->kernel);
	DEV_ENTER_TRACED(dev, "__dev_open");
	if (dev->kernel->options.version >= KERNEL_6_1)
		dev_addr_check(dev);
	err = call_netdevice_notifiers(NETDEV_PRE_UP, dev, NULL);
	if (err != 0)
		return err;
	dev->running = true;
	if (dev->kind->open)
		err = dev->kind->open(dev);
	if (err != 0) {
		dev->running = false;
		return err;
	}
	dev->flags |= IFF_UP;
	dev_set_rx_mode(dev);
	dev_activate(dev);
	return 0;
}

int
dev_open(struct net_device *dev, struct ext_ack *ack)
{
	int err;

	if (dev->flags & IFF_UP)
		return 0;
	err = open_device(dev);
	if (err == 0)
		call_netdevice_notifiers(NETDEV_UP, dev, NULL);
	return err;
}

/* Down.  All devices of a batch take each step together. */

static void
stop_device(struct net_device *dev)
{
	if (dev->kind->stop)
		dev->kind->stop(dev);
	dev->flags &= ~(unsigned)IFF_UP;
}

static void
close_devices(struct net_device *const *devs, unsigned count, struct kernel *k)
{
	ASSERT_RTNL(k);
	CALL_ENTER(&k->calls, "__dev_close_many");
	for (unsigned n = 0; n < count; n++) {
		call_netdevice_notifiers(NETDEV_GOING_DOWN, devs[n], NULL);
		devs[n]->running = false;
	}
	for (unsigned n = 0; n < count; n++)
		dev_deactivate(devs[n]);
	for (unsigned n = 0; n < count; n++)
		stop_device(devs[n]);
}

void
dev_close_many(struct net_device *const *devs, unsigned count)
{
	g_autoptr(GPtrArray) up = g_ptr_array_new();

	if (count == 0)
		return;
	for (unsigned n = 0; n < count; n++)
		if (devs[n]->flags & IFF_UP)
			g_ptr_array_add(up, devs[n]);
	close_devices((struct net_device *const *)up->pdata, up->len, devs[0]->kernel);
	for (unsigned n = 0; n < up->len; n++)
		call_netdevice_notifiers(NETDEV_DOWN, up->pdata[n], NULL);
}

void
dev_close(struct net_device *dev)
{
	if (dev->flags & IFF_UP)
		dev_close_many(&dev, 1);
}

/* Flags */

unsigned
dev_get_flags(const struct net_device *dev)
{
	unsigned computed = IFF_PROMISC | IFF_ALLMULTI | IFF_RUNNING | IFF_LOWER_UP | IFF_DORMANT;
	unsigned flags = (dev->flags & ~computed) | (dev->gflags & (IFF_PROMISC | IFF_ALLMULTI));

	if (netif_running(dev)) {
		if (netif_oper_up(dev))
			flags |= IFF_RUNNING;
		if (netif_carrier_ok(dev))
			flags |= IFF_LOWER_UP;
		if (dev->dormant)
			flags |= IFF_DORMANT;
	}
	return flags;
}

int
dev_get_iflink(const struct net_device *dev)
{
	return dev->kind->get_iflink ? dev->kind->get_iflink(dev) : dev->ifindex;
}

unsigned
rtnl_dev_get_flags(const struct net_device *dev)
{
	unsigned user = IFF_PROMISC | IFF_ALLMULTI;

	return (dev->flags & ~user) | (dev->gflags & user);
}

static int
up_or_down(struct net_device *dev, struct ext_ack *ack)
{
	if (!(dev->flags & IFF_UP))
		return open_device(dev);
	close_devices(&dev, 1, dev->kernel);
	return 0;
}

/* What the user wants is one of the reasons that a mode is counted by. */
static void
set_user_modes(struct net_device *dev, unsigned flags)
{
	unsigned old_flags = dev->flags;

	if ((flags ^ dev->gflags) & IFF_PROMISC) {
		dev->gflags ^= IFF_PROMISC;
		if (set_promiscuity(dev, flags & IFF_PROMISC ? 1 : -1, false) == 0 &&
		    dev->flags != old_flags)
			dev_set_rx_mode(dev);
	}
	if ((flags ^ dev->gflags) & IFF_ALLMULTI) {
		dev->gflags ^= IFF_ALLMULTI;
		set_allmulti(dev, flags & IFF_ALLMULTI ? 1 : -1, false);
	}
}

int
__dev_change_flags(struct net_device *dev, unsigned flags, struct ext_ack *ack)
{
	unsigned settable = IFF_DEBUG | IFF_NOTRAILERS | IFF_NOARP | IFF_DYNAMIC | IFF_MULTICAST |
			    IFF_PORTSEL | IFF_AUTOMEDIA;
	unsigned kept = IFF_UP | IFF_VOLATILE_FLAGS | IFF_PROMISC | IFF_ALLMULTI;
	unsigned old_flags = dev->flags;
	int err = 0;

	DEV_ENTER(dev, "__dev_change_flags");
	dev->flags = (flags & settable) | (dev->flags & kept);
	if ((old_flags ^ flags) & IFF_MULTICAST)
		dev_change_rx_flags(dev, IFF_MULTICAST);
	dev_set_rx_mode(dev);
	if ((old_flags ^ flags) & IFF_UP)
		err = up_or_down(dev, ack);
	set_user_modes(dev, flags);
	return err;
}

void
__dev_notify_flags(struct net_device *dev, unsigned old_flags)
{
	unsigned changes = dev->flags ^ old_flags;
	unsigned silent = IFF_UP | IFF_PROMISC | IFF_ALLMULTI | IFF_VOLATILE_FLAGS;
	struct netdev_change change = {.flags_changed = changes};

	DEV_ENTER(dev, "__dev_notify_flags");
	if (changes & IFF_UP)
		call_netdevice_notifiers(dev->flags & IFF_UP ? NETDEV_UP : NETDEV_DOWN, dev, NULL);
	if (dev->flags & IFF_UP && changes & ~silent)
		call_netdevice_notifiers(NETDEV_CHANGE, dev, &change);
}

int
dev_change_flags(struct net_device *dev, unsigned flags, struct ext_ack *ack)
{
	unsigned old_flags = dev->flags;
	int err;

	DEV_ENTER_TRACED(dev, "dev_change_flags");
	err = __dev_change_flags(dev, flags, ack);
	if (err == 0)
		__dev_notify_flags(dev, old_flags);
	return err;
}

void
netdev_state_change(struct net_device *dev)
{
	DEV_ENTER(dev, "netdev_state_change");
	if (dev->flags & IFF_UP)
		call_netdevice_notifiers(NETDEV_CHANGE, dev, NULL);
}

/* MTU and address */

/* Nobody is told. */
int
__dev_set_mtu(struct net_device *dev, unsigned mtu, struct ext_ack *ack)
{
	int err = dev->kind->change_mtu ? dev->kind->change_mtu(dev, mtu, ack) : 0;

	if (err == 0)
		dev->mtu = mtu;
	return err;
}

int
dev_validate_mtu(const struct net_device *dev, unsigned mtu, struct ext_ack *ack)
{
	if (mtu < dev->min_mtu) {
		ext_ack_set(ack, "mtu less than device minimum");
		return -EINVAL;
	}
	if (dev->max_mtu > 0 && mtu > dev->max_mtu) {
		ext_ack_set(ack, "mtu greater than device maximum");
		return -EINVAL;
	}
	return 0;
}

int
dev_set_mtu_ext(struct net_device *dev, unsigned mtu, struct ext_ack *ack)
{
	int err;

	if (mtu == dev->mtu)
		return 0;
	err = dev_validate_mtu(dev, mtu, ack);
	if (err == 0)
		err = __dev_set_mtu(dev, mtu, ack);
	if (err == 0)
		call_netdevice_notifiers(NETDEV_CHANGEMTU, dev, NULL);
	return err;
}

int
dev_set_mtu(struct net_device *dev, unsigned mtu)
{
	return dev_set_mtu_ext(dev, mtu, NULL);
}

int
dev_set_mac_address(struct net_device *dev, const uint8_t *addr, struct ext_ack *ack)
{
	int err;

	DEV_ENTER(dev, "dev_set_mac_address");
	if (!dev->kind->set_mac_address)
		return -EOPNOTSUPP;
	err = dev->kind->set_mac_address(dev, addr);
	if (err != 0)
		return err;
	dev->addr_assign_type = NET_ADDR_SET;
	call_netdevice_notifiers(NETDEV_CHANGEADDR, dev, NULL);
	return 0;
}

int
netdev_rx_handler_register(struct net_device *dev, void *data)
{
	if (dev->has_rx_handler)
		return -EBUSY;
	if (dev->priv_flags & IFF_NO_RX_HANDLER)
		return -EINVAL;
	dev->has_rx_handler = true;
	dev->rx_handler_data = data;
	return 0;
}

void
netdev_rx_handler_unregister(struct net_device *dev)
{
	dev->has_rx_handler = false;
	dev->rx_handler_data = NULL;
}
