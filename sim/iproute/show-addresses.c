/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-addresses.c - a device's IPv6 addresses and multicast groups as ip's JSON. */
#include <arpa/inet.h>
#include <linux/if_addr.h>
#include <string.h>

#include "iproute/show.h"
#include "net/dev-addr-lists.h"
#include "net/igmp.h"

char *
show_inet6(const uint8_t addr[16])
{
	char text[INET6_ADDRSTRLEN];

	return g_strdup(inet_ntop(AF_INET6, addr, text, sizeof text));
}

static void
set_flags(json_t *object, uint32_t flags)
{
	for (const struct address_flag *f = address_flags; f->name; f++) {
		if (f->flag == IFA_F_PERMANENT) {
			if (!(flags & IFA_F_PERMANENT))
				json_object_set_new(object, "dynamic", json_true());
		} else if (flags & f->flag) {
			json_object_set_new(object, f->name, json_true());
		}
	}
}

/* What is left of a lifetime, as inet6_fill_ifaddr() counts it. */
static uint32_t
lifetime_left(const struct inet6_ifaddr *ifa, uint32_t seconds)
{
	uint64_t now = engine_now(ifa->idev->dev->kernel->engine);
	uint64_t passed = (now - ifa->tstamp) / PS_PER_S;

	if (seconds == INFINITY_LIFE_TIME || ifa->preferred_lft == INFINITY_LIFE_TIME)
		return seconds;
	return seconds > passed ? seconds - (uint32_t)passed : 0;
}

static json_t *
address_of(const struct inet6_ifaddr *ifa)
{
	char scope[8];
	g_autofree char *local = show_inet6(ifa->key.addr);
	json_t *object =
		json_pack("{s:s, s:s, s:i, s:s}", "family", "inet6", "local", local, "prefixlen",
			  (int)ifa->prefixlen, "scope", ip_scope_name(address_scope(ifa), scope));

	set_flags(object, ifa->flags);
	json_object_set_new(object, "valid_life_time",
			    json_integer(lifetime_left(ifa, ifa->valid_lft)));
	json_object_set_new(object, "preferred_life_time",
			    json_integer(lifetime_left(ifa, ifa->preferred_lft)));
	return object;
}

static json_t *
loopback_address(const struct net_device *dev)
{
	return json_pack("{s:s, s:s, s:i, s:s, s:s, s:I, s:I}", "family", "inet", "local",
			 "127.0.0.1", "prefixlen", 8, "scope", "host", "label", dev->name,
			 "valid_life_time", (json_int_t)INFINITY_LIFE_TIME, "preferred_life_time",
			 (json_int_t)INFINITY_LIFE_TIME);
}

json_t *
show_addresses(const struct net_device *dev, int family, const struct address_filter *f)
{
	const struct inet6_dev *idev = family == AF_INET ? NULL : in6_dev_get(dev);
	json_t *list = json_array();

	if (family != AF_INET6 && address_filter_fits4(f, dev))
		json_array_append_new(list, loopback_address(dev));

	/* ip opens the object of an address before it filters it. */
	for (struct inet6_ifaddr *ifa = idev ? idev->addr_first : NULL; ifa; ifa = ifa->next)
		json_array_append_new(list, address_filter_fits6(f, ifa) ? address_of(ifa)
									 : json_object());
	return list;
}

static json_t *
set_users(json_t *object, int users)
{
	if (users != 1)
		json_object_set_new(object, "users", json_integer(users));
	return object;
}

/* What /proc/net/dev_mcast says. */
static void
add_link_groups(json_t *list, const struct net_device *dev)
{
	struct table *mc = (struct table *)&dev->mc; /* a walk moves no element */
	struct netdev_hw_addr *ha;
	struct cursor cursor;

	table_for_each (mc, &cursor, ha) {
		g_autofree char *addr = show_lladdr(ha->key.addr, dev->addr_len);
		json_t *object = set_users(json_pack("{s:s}", "link", addr), ha->refcount);

		if (ha->global_use)
			json_object_set_new(object, "features", json_string("static"));
		json_array_append_new(list, object);
	}
}

static void
add_inet_groups(json_t *list, const struct net_device *dev)
{
	const struct in_device *in_dev = in_dev_get(dev);

	for (const struct ip_mc_list *mc = in_dev ? in_dev->mc_list : NULL; mc; mc = mc->next) {
		uint32_t be = GUINT32_TO_BE(mc->addr);
		char addr[INET_ADDRSTRLEN];

		inet_ntop(AF_INET, &be, addr, sizeof addr);
		json_array_append_new(
			list, set_users(json_pack("{s:s, s:s}", "family", "inet", "address", addr),
					(int)mc->users));
	}
}

static void
add_inet6_groups(json_t *list, const struct net_device *dev)
{
	const struct inet6_dev *idev = in6_dev_get(dev);

	for (const struct ifmcaddr6 *mc = idev ? idev->mc_list : NULL; mc; mc = mc->next) {
		g_autofree char *addr = show_inet6(mc->addr);

		json_array_append_new(
			list, set_users(json_pack("{s:s, s:s}", "family", "inet6", "address", addr),
					(int)mc->users));
	}
}

json_t *
show_groups(const struct net_device *dev, int family)
{
	json_t *list = json_array();

	if (family == AF_UNSPEC || family == AF_PACKET)
		add_link_groups(list, dev);
	if (family == AF_UNSPEC || family == AF_INET)
		add_inet_groups(list, dev);
	if (family == AF_UNSPEC || family == AF_INET6)
		add_inet6_groups(list, dev);
	return list;
}
