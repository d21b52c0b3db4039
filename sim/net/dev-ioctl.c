/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dev-ioctl.c - SIOCADDMULTI and SIOCDELMULTI: what 'ip maddress' uses.
 *
 * Models net/core/dev_ioctl.c (Linux 5.10 and 6.1). */
#include "net/dev-addr-lists.h"
#include "net/dev.h"

static int
change_multi(struct net_device *dev, const uint8_t *addr, bool add)
{
	if (!dev)
		return -ENODEV;
	if (!dev->kind->set_rx_mode)
		return -EINVAL;
	return add ? dev_mc_add_global(dev, addr) : dev_mc_del_global(dev, addr);
}

int
dev_ioctl_multi(struct net *net, const char *ifname, const uint8_t addr[ETH_ALEN], bool add)
{
	PROFILE_SCOPE(net->kernel->calls.profile, "dev_ioctl");
	int err;

	rtnl_lock(net->kernel);
	err = change_multi(dev_get_by_name(net, ifname), addr, add);
	rtnl_unlock(net->kernel);
	return err;
}

int
dev_ioctl_txqlen(struct net *net, const char *ifname, unsigned *len)
{
	const struct net_device *dev;

	rtnl_lock(net->kernel);
	dev = dev_get_by_name(net, ifname);
	if (dev)
		*len = dev->txqlen;
	rtnl_unlock(net->kernel);
	return dev ? 0 : -ENODEV;
}
