/* SPDX-License-Identifier: GPL-2.0-or-later */
/* igmp.c - IPv4 groups: that of all hosts, which every device joins while it is
 * up, and those that modules join.
 *
 * Models net/ipv4/igmp.c and what net/ipv4/devinet.c makes of device events
 * (Linux 5.10 and 6.1). */
#include "net/igmp.h"

#include <net/if_arp.h>
#include <string.h>

#include "net/dev-addr-lists.h"
#include "net/dev.h"
#include "net/fib4.h"

#define INET_MIN_MTU          68
#define INADDR_ALLHOSTS_GROUP 0xe0000001u

/* Only Ethernet maps groups to addresses; false for the loopback device. */
static bool
arp_mc_map(const struct net_device *dev, uint32_t group, uint8_t addr[ETH_ALEN])
{
	const uint8_t mapped[ETH_ALEN] = {
		0x01, 0x00, 0x5e, group >> 16 & 0x7f, group >> 8 & 0xff, group & 0xff};

	memcpy(addr, mapped, ETH_ALEN);
	return dev->type == ARPHRD_ETHER;
}

static void
igmp_group_added(struct in_device *in_dev, struct ip_mc_list *im)
{
	uint8_t addr[ETH_ALEN];

	DEV_ENTER(in_dev->dev, "igmp_group_added");
	if (im->loaded)
		return;
	im->loaded = true;
	if (arp_mc_map(in_dev->dev, im->addr, addr))
		dev_mc_add(in_dev->dev, addr);
}

static void
igmp_group_dropped(struct in_device *in_dev, struct ip_mc_list *im)
{
	uint8_t addr[ETH_ALEN];

	if (!im->loaded)
		return;
	im->loaded = false;
	if (arp_mc_map(in_dev->dev, im->addr, addr))
		dev_mc_del(in_dev->dev, addr);
}

static struct ip_mc_list **
find_group(struct in_device *in_dev, uint32_t group)
{
	struct ip_mc_list **at = &in_dev->mc_list;

	while (*at && (*at)->addr != group)
		at = &(*at)->next;
	return at;
}

void
ip_mc_inc_group(struct in_device *in_dev, uint32_t group)
{
	struct ip_mc_list *im = *find_group(in_dev, group);

	DEV_ENTER(in_dev->dev, "____ip_mc_inc_group");
	if (im) {
		im->users++;
		return;
	}
	im = g_new0(struct ip_mc_list, 1);
	im->addr = group;
	im->users = 1;
	im->next = in_dev->mc_list;
	in_dev->mc_list = im;
	igmp_group_added(in_dev, im);
}

void
ip_mc_dec_group(struct in_device *in_dev, uint32_t group)
{
	struct ip_mc_list **at = find_group(in_dev, group), *im = *at;

	DEV_ENTER(in_dev->dev, "__ip_mc_dec_group");
	if (!im || --im->users > 0)
		return;
	*at = im->next;
	igmp_group_dropped(in_dev, im);
	g_free(im);
}

static void
ip_mc_up(struct in_device *in_dev)
{
	DEV_ENTER_TRACED(in_dev->dev, "ip_mc_up");
	ip_mc_inc_group(in_dev, INADDR_ALLHOSTS_GROUP);
	for (struct ip_mc_list *im = in_dev->mc_list; im; im = im->next)
		igmp_group_added(in_dev, im);
}

static void
ip_mc_down(struct in_device *in_dev)
{
	DEV_ENTER_TRACED(in_dev->dev, "ip_mc_down");
	for (struct ip_mc_list *im = in_dev->mc_list; im; im = im->next)
		igmp_group_dropped(in_dev, im);
	ip_mc_dec_group(in_dev, INADDR_ALLHOSTS_GROUP);
}

static void
inetdev_init(struct net_device *dev)
{
	struct in_device *in_dev = g_new0(struct in_device, 1);

	DEV_ENTER(dev, "inetdev_init");
	in_dev->dev = dev;
	dev->ip_ptr = in_dev;
	if (dev->flags & IFF_UP)
		ip_mc_up(in_dev);
}

static void
inetdev_destroy(struct net_device *dev)
{
	struct in_device *in_dev = dev->ip_ptr;
	struct ip_mc_list *im;

	inet_free_ifaddrs(in_dev);
	ip_mc_down(in_dev);
	while ((im = in_dev->mc_list)) {
		in_dev->mc_list = im->next;
		g_free(im);
	}
	g_free(in_dev);
	dev->ip_ptr = NULL;
}

static void
inetdev_up(struct net_device *dev)
{
	if (dev->mtu < INET_MIN_MTU)
		return;
	if (dev->flags & IFF_LOOPBACK && !dev->ip_ptr->ifa_list)
		inet_add_loopback(dev->ip_ptr);
	fib_netdev_up(dev);
	ip_mc_up(dev->ip_ptr);
}

/* Of a device that has no IPv4 state (yet). */
static void
inetdev_appear(enum netdev_event event, struct net_device *dev)
{
	if (event == NETDEV_REGISTER || (event == NETDEV_CHANGEMTU && dev->mtu >= INET_MIN_MTU))
		inetdev_init(dev);
}

static int
inetdev_event(struct kernel *k, enum netdev_event event, struct net_device *dev, const void *info)
{
	if (!dev->ip_ptr) {
		inetdev_appear(event, dev);
		return 0;
	}
	switch (event) {
	case NETDEV_UP:
		inetdev_up(dev);
		break;
	case NETDEV_DOWN:
		fib_disable_ip(dev, false);
		ip_mc_down(dev->ip_ptr);
		break;
	case NETDEV_CHANGEMTU:
		if (dev->mtu < INET_MIN_MTU)
			inetdev_destroy(dev);
		break;
	case NETDEV_UNREGISTER:
		inetdev_destroy(dev);
		break;
	default:
		break;
	}
	return 0;
}

const struct net_module net_module_igmp = {
	.name = "igmp",
	.event = inetdev_event,
};
