/* SPDX-License-Identifier: GPL-2.0-or-later */
/* anycast.c - the subnet-router anycast addresses of a router.
 *
 * Models net/ipv6/anycast.c: each stands for a prefix, and joins the
 * solicited-node group of it. */
#include <string.h>

#include "net/addrconf-core.h"
#include "net/inet6.h"
#include "net/ip6-route.h"

static struct ifacaddr6 **
find_anycast(struct inet6_dev *idev, const uint8_t addr[16])
{
	struct ifacaddr6 **at = &idev->ac_list;

	while (*at && memcmp((*at)->addr, addr, 16) != 0)
		at = &(*at)->next;
	return at;
}

/* The address of the prefix; false for those that have no router. */
static bool
prefix_of(const struct inet6_ifaddr *ifa, uint8_t addr[16])
{
	if (ifa->prefixlen >= 127)
		return false;
	ipv6_addr_prefix(addr, ifa->key.addr, ifa->prefixlen);
	return !ipv6_addr_any(addr);
}

void
addrconf_join_anycast(struct inet6_ifaddr *ifa)
{
	struct inet6_dev *idev = ifa->idev;
	struct ifacaddr6 *ac;
	uint8_t addr[16];

	if (idev->dead || !prefix_of(ifa, addr))
		return;
	ac = *find_anycast(idev, addr);
	if (ac) {
		ac->users++;
		return;
	}
	ac = g_new0(struct ifacaddr6, 1);
	memcpy(ac->addr, addr, 16);
	ac->users = 1;
	ac->next = idev->ac_list;
	idev->ac_list = ac;
	addrconf_anycast_route(idev->dev, addr, true);
	addrconf_join_solict(idev->dev, addr);
}

void
addrconf_leave_anycast(struct inet6_ifaddr *ifa)
{
	struct inet6_dev *idev = ifa->idev;
	struct ifacaddr6 **at, *ac;
	uint8_t addr[16];

	if (!prefix_of(ifa, addr))
		return;
	at = find_anycast(idev, addr);
	ac = *at;
	if (!ac || --ac->users > 0)
		return;
	*at = ac->next;
	addrconf_leave_solict(idev, addr);
	addrconf_anycast_route(idev->dev, addr, false);
	g_free(ac);
}

void
ipv6_ac_destroy_dev(struct inet6_dev *idev)
{
	struct ifacaddr6 *ac;

	while ((ac = idev->ac_list)) {
		idev->ac_list = ac->next;
		addrconf_leave_solict(idev, ac->addr);
		g_free(ac);
	}
}
