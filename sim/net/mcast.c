/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mcast.c - IPv6 multicast groups, as far as devices' address lists see them.
 *
 * Models net/ipv6/mcast.c (Linux 5.10 and 6.1).  What it sends (MLD) has no
 * effect on any lookup structure and is left out. */
#include <net/if_arp.h>
#include <string.h>

#include "net/dev-addr-lists.h"
#include "net/dev.h"
#include "net/inet6.h"

const uint8_t in6addr_interfacelocal_allnodes[16] = {0xff, 0x01, [15] = 1};
const uint8_t in6addr_linklocal_allnodes[16] = {0xff, 0x02, [15] = 1};
const uint8_t in6addr_interfacelocal_allrouters[16] = {0xff, 0x01, [15] = 2};
const uint8_t in6addr_linklocal_allrouters[16] = {0xff, 0x02, [15] = 2};
const uint8_t in6addr_sitelocal_allrouters[16] = {0xff, 0x05, [15] = 2};

/* Only Ethernet maps groups to addresses; false for the loopback device. */
static bool
ndisc_mc_map(const struct net_device *dev, const uint8_t group[16], uint8_t addr[ETH_ALEN])
{
	if (dev->type != ARPHRD_ETHER)
		return false;
	addr[0] = addr[1] = 0x33;
	memcpy(addr + 2, group + 12, 4);
	return true;
}

static bool
leaves_the_node(const struct ifmcaddr6 *mc)
{
	return (mc->addr[1] & 0x0f) >= IPV6_ADDR_SCOPE_LINKLOCAL;
}

static void
igmp6_group_added(struct inet6_dev *idev, struct ifmcaddr6 *mc)
{
	uint8_t addr[ETH_ALEN];

	DEV_ENTER_TRACED(idev->dev, "igmp6_group_added");
	if (!leaves_the_node(mc) || mc->loaded)
		return;
	mc->loaded = true;
	if (ndisc_mc_map(idev->dev, mc->addr, addr))
		dev_mc_add(idev->dev, addr);
}

static void
igmp6_group_dropped(struct inet6_dev *idev, struct ifmcaddr6 *mc)
{
	uint8_t addr[ETH_ALEN];

	DEV_ENTER_TRACED(idev->dev, "igmp6_group_dropped");
	if (!leaves_the_node(mc) || !mc->loaded)
		return;
	mc->loaded = false;
	if (ndisc_mc_map(idev->dev, mc->addr, addr))
		dev_mc_del(idev->dev, addr);
}

static struct ifmcaddr6 **
find_group(struct inet6_dev *idev, const uint8_t group[16])
{
	struct ifmcaddr6 **at = &idev->mc_list;

	while (*at && memcmp((*at)->addr, group, 16) != 0)
		at = &(*at)->next;
	return at;
}

static void
trace_inc(const struct net_device *dev, const uint8_t *g)
{
	call_trace(
		&dev->kernel->calls, "ipv6_dev_mc_inc",
		"'dev': '%s', 'group': '%02x%02x%02x%02x%02x%02x%02x%02x%02x%02x%02x%02x%02x%02x%"
		"02x%02x'",
		dev->name, g[0], g[1], g[2], g[3], g[4], g[5], g[6], g[7], g[8], g[9], g[10], g[11],
		g[12], g[13], g[14], g[15]);
}

int
ipv6_dev_mc_inc(struct net_device *dev, const uint8_t group[16])
{
	struct inet6_dev *idev = in6_dev_get(dev);
	struct ifmcaddr6 *mc;

	DEV_ENTER(dev, "ipv6_dev_mc_inc");
	DEV_ENTER(dev, "__ipv6_dev_mc_inc");
	if (G_UNLIKELY(dev->kernel->calls.trace))
		trace_inc(dev, group);
	if (!idev)
		return -EINVAL;
	if (idev->dead)
		return -ENODEV;
	mc = *find_group(idev, group);
	if (mc) {
		mc->users++;
		return 0;
	}
	mc = g_new0(struct ifmcaddr6, 1);
	memcpy(mc->addr, group, 16);
	mc->users = 1;
	mc->next = idev->mc_list;
	idev->mc_list = mc;
	igmp6_group_added(idev, mc);
	return 0;
}

static int
mc_dec(struct inet6_dev *idev, const uint8_t group[16])
{
	struct ifmcaddr6 **at = find_group(idev, group), *mc = *at;

	DEV_ENTER(idev->dev, "__ipv6_dev_mc_dec");
	if (!mc)
		return -ENOENT;
	if (--mc->users > 0)
		return 0;
	*at = mc->next;
	igmp6_group_dropped(idev, mc);
	g_free(mc);
	return 0;
}

int
ipv6_dev_mc_dec(struct net_device *dev, const uint8_t group[16])
{
	struct inet6_dev *idev = in6_dev_get(dev);

	return idev ? mc_dec(idev, group) : -ENODEV;
}

/* Solicited-node groups: of the last three bytes of an address. */

static void
addrconf_addr_solict_mult(const uint8_t addr[16], uint8_t group[16])
{
	static const uint8_t prefix[13] = {0xff, 0x02, [11] = 1, [12] = 0xff};

	memcpy(group, prefix, sizeof prefix);
	memcpy(group + 13, addr + 13, 3);
}

void
addrconf_join_solict(struct net_device *dev, const uint8_t addr[16])
{
	uint8_t group[16];

	if (dev->flags & (IFF_LOOPBACK | IFF_NOARP))
		return;
	addrconf_addr_solict_mult(addr, group);
	ipv6_dev_mc_inc(dev, group);
}

void
addrconf_leave_solict(struct inet6_dev *idev, const uint8_t addr[16])
{
	uint8_t group[16];

	if (idev->dev->flags & (IFF_LOOPBACK | IFF_NOARP))
		return;
	addrconf_addr_solict_mult(addr, group);
	mc_dec(idev, group);
}

/* The life of a device */

/* The groups that every node joins, and every router. */
void
ipv6_mc_init_dev(struct inet6_dev *idev)
{
	struct net_device *dev = idev->dev;

	DEV_ENTER(dev, "ipv6_mc_init_dev");
	ipv6_dev_mc_inc(dev, in6addr_interfacelocal_allnodes);
	ipv6_dev_mc_inc(dev, in6addr_linklocal_allnodes);
	if (idev->cnf.forwarding && dev->flags & IFF_MULTICAST)
		ipv6_dev_mc_inc(dev, in6addr_linklocal_allrouters);
}

void
ipv6_mc_up(struct inet6_dev *idev)
{
	DEV_ENTER_TRACED(idev->dev, "ipv6_mc_up");
	for (struct ifmcaddr6 *mc = idev->mc_list; mc; mc = mc->next)
		igmp6_group_added(idev, mc);
}

void
ipv6_mc_down(struct inet6_dev *idev)
{
	DEV_ENTER_TRACED(idev->dev, "ipv6_mc_down");
	for (struct ifmcaddr6 *mc = idev->mc_list; mc; mc = mc->next)
		igmp6_group_dropped(idev, mc);
}

void
ipv6_mc_destroy_dev(struct inet6_dev *idev)
{
	struct ifmcaddr6 *mc;

	DEV_ENTER(idev->dev, "ipv6_mc_destroy_dev");
	ipv6_mc_down(idev);
	mc_dec(idev, in6addr_linklocal_allnodes);
	if (idev->cnf.forwarding)
		mc_dec(idev, in6addr_linklocal_allrouters);
	while ((mc = idev->mc_list)) {
		idev->mc_list = mc->next;
		g_free(mc);
	}
}
