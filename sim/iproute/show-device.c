/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-device.c - a device as ip's JSON. */
#include <net/if_arp.h>
#include <string.h>

#include "iproute/show.h"

char *
show_lladdr(const uint8_t *addr, unsigned len)
{
	GString *text = g_string_new(NULL);

	for (unsigned i = 0; i < len; i++)
		g_string_append_printf(text, "%s%02x", i ? ":" : "", addr[i]);
	return g_string_free(text, FALSE);
}

static void
set_text(json_t *object, const char *key, char *take_text)
{
	json_object_set_new(object, key, json_string(take_text));
	g_free(take_text);
}

/* Flags in the order in which ip prints them. */
static const struct {
	const char *name;
	unsigned flag;
} flag_names[] = {
	{"LOOPBACK", IFF_LOOPBACK},
	{"BROADCAST", IFF_BROADCAST},
	{"POINTOPOINT", IFF_POINTOPOINT},
	{"MULTICAST", IFF_MULTICAST},
	{"NOARP", IFF_NOARP},
	{"ALLMULTI", IFF_ALLMULTI},
	{"PROMISC", IFF_PROMISC},
	{"MASTER", IFF_MASTER},
	{"SLAVE", IFF_SLAVE},
	{"DEBUG", IFF_DEBUG},
	{"DYNAMIC", IFF_DYNAMIC},
	{"AUTOMEDIA", IFF_AUTOMEDIA},
	{"PORTSEL", IFF_PORTSEL},
	{"NOTRAILERS", IFF_NOTRAILERS},
	{"UP", IFF_UP},
	{"LOWER_UP", IFF_LOWER_UP},
	{"DORMANT", IFF_DORMANT},
	{"ECHO", IFF_ECHO},
};

static json_t *
flags_of(unsigned flags, bool lower_is_down)
{
	json_t *names = json_array();

	if ((flags & IFF_UP) && !(flags & IFF_RUNNING))
		json_array_append_new(names, json_string("NO-CARRIER"));
	for (unsigned i = 0; i < G_N_ELEMENTS(flag_names); i++)
		if (flags & flag_names[i].flag)
			json_array_append_new(names, json_string(flag_names[i].name));
	if (lower_is_down)
		json_array_append_new(names, json_string("M-DOWN"));
	return names;
}

/* The device below, or a pair's other end, which was made beside this one: so
 * the search goes outwards from here, and all devices of a large namespace can
 * be shown in a time that grows with their number only. */
static const struct net_device *
device_below(const struct net_device *dev, int ifindex)
{
	const struct net_device *before = dev, *after = dev;

	for (const struct netdev_adjacent *a = dev->lower.first; a; a = a->next)
		if (a->dev->ifindex == ifindex && a->dev->net == dev->net)
			return a->dev;
	while (before || after) {
		if (before && before->ifindex == ifindex)
			return before;
		if (after && after->ifindex == ifindex)
			return after;
		before = before ? before->prev : NULL;
		after = after ? after->next : NULL;
	}
	return NULL;
}

/* The namespace of the device below, where that is another one; or null. */
static struct net *
other_net(const struct net_device *dev)
{
	struct net *net =
		dev->kind && dev->kind->get_link_net ? dev->kind->get_link_net(dev) : NULL;

	return net == dev->net ? NULL : net;
}

/* The kernel numbers the other namespaces as devices come to need them. */
static int
netnsid_of(const struct net *net, const struct net *other)
{
	g_autoptr(GPtrArray) seen = g_ptr_array_new();

	for (const struct net_device *dev = net->first; dev; dev = dev->next) {
		struct net *n = other_net(dev);

		if (n == other)
			break;
		if (n && !g_ptr_array_find(seen, n, NULL))
			g_ptr_array_add(seen, n);
	}
	return (int)seen->len;
}

static void
set_lower(json_t *object, const struct net_device *dev, bool *lower_is_down)
{
	int iflink = dev_get_iflink(dev);
	const struct net_device *lower = device_below(dev, iflink);
	bool elsewhere = other_net(dev) != NULL;

	if (iflink == dev->ifindex && !elsewhere)
		return;
	if (iflink == 0)
		json_object_set_new(object, "link", json_null());
	else if (elsewhere)
		json_object_set_new(object, "link_index", json_integer(iflink));
	else if (lower)
		json_object_set_new(object, "link", json_string(lower->name));
	else
		set_text(object, "link", g_strdup_printf("if%d", iflink));
	*lower_is_down = !elsewhere && lower && !(lower->flags & IFF_UP);
}

static const char *
operstate_of(const struct net_device *dev)
{
	static const char *const names[] = {
		[OPER_UNKNOWN] = "UNKNOWN", [OPER_NOTPRESENT] = "NOTPRESENT",
		[OPER_DOWN] = "DOWN",       [OPER_LOWERLAYERDOWN] = "LOWERLAYERDOWN",
		[OPER_TESTING] = "TESTING", [OPER_DORMANT] = "DORMANT",
		[OPER_UP] = "UP",
	};

	return names[netif_running(dev) ? dev->operstate : OPER_DOWN];
}

static void
set_link_type(json_t *object, const struct net_device *dev)
{
	if (dev->type == ARPHRD_ETHER)
		json_object_set_new(object, "link_type", json_string("ether"));
	else if (dev->type == ARPHRD_LOOPBACK)
		json_object_set_new(object, "link_type", json_string("loopback"));
	else
		set_text(object, "link_type", g_strdup_printf("[%u]", dev->type));
	set_text(object, "address", show_lladdr(dev->dev_addr, dev->addr_len));
	set_text(object, "broadcast", show_lladdr(dev->broadcast, dev->addr_len));
}

/* The members of "linkinfo": what the device is, and what its master says of it. */
static void
set_info(json_t *object, const struct net_device *dev)
{
	const struct net_device *master = netdev_master_upper_dev_get(dev);
	json_t *info = json_object(), *data = json_object(), *slave = json_object();

	if (dev->kind && !dev->kind->builtin)
		json_object_set_new(info, "info_kind", json_string(dev->kind->name));
	if (dev->kind && dev->kind->fill_info)
		dev->kind->fill_info(dev, data);
	if (json_object_size(data) > 0)
		json_object_set(info, "info_data", data);
	if (master && master->kind) {
		json_object_set_new(info, "info_slave_kind", json_string(master->kind->name));
		if (master->kind->fill_slave_info)
			master->kind->fill_slave_info(master, dev, slave);
		if (json_object_size(slave) > 0)
			json_object_set(info, "info_slave_data", slave);
	}
	if (json_object_size(info) > 0)
		json_object_set(object, "linkinfo", info);
	json_decref(slave);
	json_decref(data);
	json_decref(info);
}

static void
set_details(json_t *object, const struct net_device *dev)
{
	static const char *const modes[] = {"eui64", "none", "stable_secret", "random"};
	const struct inet6_dev *idev = in6_dev_get(dev);

	json_object_set_new(object, "promiscuity", json_integer(dev->promiscuity));
	json_object_set_new(object, "allmulti", json_integer(dev->allmulti));
	json_object_set_new(object, "min_mtu", json_integer(dev->min_mtu));
	json_object_set_new(object, "max_mtu", json_integer(dev->max_mtu));
	set_info(object, dev);
	if (idev && (unsigned)idev->cnf.addr_gen_mode < G_N_ELEMENTS(modes))
		json_object_set_new(object, "inet6_addr_gen_mode",
				    json_string(modes[idev->cnf.addr_gen_mode]));
}

static void
set_name(json_t *object, const struct net_device *dev)
{
	bool lower_is_down = false;

	json_object_set_new(object, "ifindex", json_integer(dev->ifindex));
	set_lower(object, dev, &lower_is_down);
	json_object_set_new(object, "ifname", json_string(dev->name));
	json_object_set_new(object, "flags", flags_of(dev_get_flags(dev), lower_is_down));
}

json_t *
show_device(const struct net_device *dev)
{
	const struct net_device *master = netdev_master_upper_dev_get(dev);
	const struct net *other = other_net(dev);
	json_t *object = json_object();

	set_name(object, dev);
	json_object_set_new(object, "mtu", json_integer(dev->mtu));
	json_object_set_new(object, "qdisc", json_string(dev->qdisc_attached ? "noqueue" : "noop"));
	if (master)
		json_object_set_new(object, "master", json_string(master->name));
	json_object_set_new(object, "operstate", json_string(operstate_of(dev)));
	json_object_set_new(object, "linkmode", json_string("DEFAULT"));
	set_text(object, "group",
		 dev->group ? g_strdup_printf("%u", dev->group) : g_strdup("default"));
	if (dev->txqlen)
		json_object_set_new(object, "txqlen", json_integer(dev->txqlen));
	set_link_type(object, dev);
	if (other)
		json_object_set_new(object, "link_netnsid",
				    json_integer(netnsid_of(dev->net, other)));
	if (other && *other->name) /* text only */
		json_object_set_new(object, "link_netns", json_string(other->name));
	set_details(object, dev);
	return object;
}

#define NETDEV_HASHENTRIES 256

GPtrArray *
show_dump_order(const struct net *net)
{
	GPtrArray *order = g_ptr_array_new(), *bucket[NETDEV_HASHENTRIES] = {NULL};

	for (const struct net_device *dev = net->last; dev; dev = dev->prev) {
		GPtrArray **b = &bucket[dev->ifindex & (NETDEV_HASHENTRIES - 1)];

		if (!*b)
			*b = g_ptr_array_new();
		g_ptr_array_add(*b, (gpointer)dev);
	}
	for (unsigned i = 0; i < NETDEV_HASHENTRIES; i++)
		if (bucket[i])
			g_ptr_array_extend_and_steal(order, bucket[i]);
	return order;
}
