/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-addresses.c - addresses as ip's JSON, from messages; and the multicast groups of a
 * device, which ip reads from /proc. */
#include <arpa/inet.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "iproute/show.h"
#include "net/dev-addr-lists.h"
#include "net/igmp.h"
#include "net/inet6.h"

char *
show_inet6(const uint8_t addr[16])
{
	char text[INET6_ADDRSTRLEN];

	return g_strdup(inet_ntop(AF_INET6, addr, text, sizeof text));
}

/* The flag of a temporary address of IPv6 is that of a secondary one of IPv4. */
static void
set_flags(json_t *object, bool v6, uint32_t flags)
{
	if (!v6 && flags & IFA_F_SECONDARY) {
		json_object_set_new(object, "secondary", json_true());
		flags &= ~(uint32_t)IFA_F_SECONDARY;
	}
	for (const struct address_flag *f = address_flags; f->name; f++) {
		if (f->flag == IFA_F_PERMANENT) {
			if (!(flags & IFA_F_PERMANENT))
				json_object_set_new(object, "dynamic", json_true());
		} else if (flags & f->flag) {
			json_object_set_new(object, f->name, json_true());
		}
	}
}

/* One of IPv4 has an address of its own and one of the other end, and a label. */
static void
set_local(json_t *object, int family, const struct nlattr *attr)
{
	char text[INET6_ADDRSTRLEN];

	json_object_set_new(
		object, "local",
		json_string(inet_ntop(family, mnl_attr_get_payload(attr), text, sizeof text)));
}

static void
set_lifetimes(json_t *object, const struct nlattr *attr)
{
	const struct ifa_cacheinfo *cache = mnl_attr_get_payload(attr);

	json_object_set_new(object, "valid_life_time", json_integer(cache->ifa_valid));
	json_object_set_new(object, "preferred_life_time", json_integer(cache->ifa_prefered));
}

json_t *
show_address_json(const struct nlmsghdr *nlh)
{
	const struct ifaddrmsg *ifm = mnl_nlmsg_get_payload(nlh);
	const struct nlattr *tb[IFA_MAX + 1] = {NULL};
	bool v6 = ifm->ifa_family == AF_INET6;
	json_t *object = json_pack("{s:s}", "family", v6 ? "inet6" : "inet");
	const struct nlattr *attr;
	char scope[8];

	mnl_attr_for_each(attr, nlh, sizeof *ifm)
	{
		if (mnl_attr_get_type(attr) <= IFA_MAX)
			tb[mnl_attr_get_type(attr)] = attr;
	}
	set_local(object, ifm->ifa_family, tb[IFA_LOCAL] ? tb[IFA_LOCAL] : tb[IFA_ADDRESS]);
	json_object_set_new(object, "prefixlen", json_integer(ifm->ifa_prefixlen));
	json_object_set_new(object, "scope", json_string(ip_scope_name(ifm->ifa_scope, scope)));
	set_flags(object, v6, mnl_attr_get_u32(tb[IFA_FLAGS]));
	if (tb[IFA_LABEL])
		json_object_set_new(object, "label", json_string(mnl_attr_get_str(tb[IFA_LABEL])));
	set_lifetimes(object, tb[IFA_CACHEINFO]);
	return object;
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
