/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fake-load.c - makes a namespace's devices from what ip said about real ones. */
#include <arpa/inet.h>
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <net/if_arp.h>
#include <string.h>

#include "fake-kinds.h"
#include "net/dev-addr-lists.h"
#include "net/igmp.h"
#include "net/inet6.h"
#include "net/saddr.h"

static const struct table_spec address_spec = {
	.name = "dev_addr",
	.about = "addresses of a device",
	.backend = "list",
	.elem_size = sizeof(struct netdev_hw_addr),
	.key_offset = offsetof(struct netdev_hw_addr, key),
	.order = TABLE_OLDEST_FIRST,
};

/* A number per name, as ip spells it. */
struct value {
	const char *name;
	uint32_t value;
};

static const struct value flag_values[] = {{"UP", IFF_UP},
					   {"BROADCAST", IFF_BROADCAST},
					   {"LOOPBACK", IFF_LOOPBACK},
					   {"NOARP", IFF_NOARP},
					   {"PROMISC", IFF_PROMISC},
					   {"ALLMULTI", IFF_ALLMULTI},
					   {"MASTER", IFF_MASTER},
					   {"SLAVE", IFF_SLAVE},
					   {"MULTICAST", IFF_MULTICAST},
					   {"LOWER_UP", 0x10000},
					   {NULL, 0}};
static const struct value state_values[] = {{"UNKNOWN", OPER_UNKNOWN},
					    {"DOWN", OPER_DOWN},
					    {"LOWERLAYERDOWN", OPER_LOWERLAYERDOWN},
					    {"UP", OPER_UP},
					    {NULL, 0}};
static const struct value scope_values[] = {{"host", IPV6_ADDR_SCOPE_NODELOCAL},
					    {"link", IPV6_ADDR_SCOPE_LINKLOCAL},
					    {"site", IPV6_ADDR_SCOPE_SITELOCAL},
					    {"global", IPV6_ADDR_SCOPE_GLOBAL},
					    {NULL, 0}};
static const struct value address_values[] = {{"nodad", IFA_F_NODAD},
					      {"noprefixroute", IFA_F_NOPREFIXROUTE},
					      {"tentative", IFA_F_TENTATIVE},
					      {NULL, 0}};

static uint32_t
value_of(const struct value *values, const char *name)
{
	while (values->name && strcmp(values->name, name) != 0)
		values++;
	return values->value;
}

static const char *
text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static int
number_of(const json_t *object, const char *key)
{
	return (int)json_integer_value(json_object_get(object, key));
}

static void
read_lladdr(const char *text, uint8_t *addr)
{
	unsigned b[6];

	g_assert(sscanf(text, "%x:%x:%x:%x:%x:%x", &b[0], &b[1], &b[2], &b[3], &b[4], &b[5]) == 6);
	for (unsigned i = 0; i < 6; i++)
		addr[i] = (uint8_t)b[i];
}

static json_t *
read_json(struct fake *f, const char *file)
{
	g_autofree char *path = g_build_filename(RECORDED, file, NULL);
	json_error_t error;
	json_t *json = json_load_file(path, 0, &error);

	if (!json)
		g_error("%s:%d: %s", path, error.line, error.text);
	json_array_append_new(f->recordings, json);
	return json;
}

static void
load_flags(struct net_device *dev, const json_t *flags)
{
	bool carrier = true;

	for (size_t i = 0; i < json_array_size(flags); i++) {
		const char *name = json_string_value(json_array_get(flags, i));

		carrier = carrier && strcmp(name, "NO-CARRIER") != 0;
		dev->flags |= value_of(flag_values, name);
	}
	dev->running = dev->flags & IFF_UP;
	if (dev->running && carrier)
		dev->flags |= IFF_RUNNING;
}

static void
load_info(struct net_device *dev, const json_t *object)
{
	const json_t *info = json_object_get(object, "linkinfo");
	const char *kind = text_of(info, "info_kind");

	dev->kind = link_kind_by_name(kind ? kind : "loopback");
}

static void
load_device(struct fake *f, const char *netns, const json_t *object)
{
	struct net_device *dev = fake_device(f, netns, text_of(object, "ifname"), NULL);
	const char *group = text_of(object, "group");

	dev->priv = g_new0(struct fake_priv, 1);
	dev->ifindex = number_of(object, "ifindex");
	dev->mtu = (unsigned)number_of(object, "mtu");
	dev->txqlen = (unsigned)number_of(object, "txqlen");
	dev->group = strcmp(group, "default") ? (unsigned)atoi(group) : 0;
	dev->promiscuity = (unsigned)number_of(object, "promiscuity");
	dev->allmulti = (unsigned)number_of(object, "allmulti");
	dev->min_mtu = (unsigned)number_of(object, "min_mtu");
	dev->max_mtu = (unsigned)number_of(object, "max_mtu");
	dev->qdisc_attached = strcmp(text_of(object, "qdisc"), "noop") != 0;
	dev->operstate = value_of(state_values, text_of(object, "operstate"));
	dev->type = strcmp(text_of(object, "link_type"), "ether") ? ARPHRD_LOOPBACK : ARPHRD_ETHER;
	read_lladdr(text_of(object, "address"), dev->dev_addr);
	read_lladdr(text_of(object, "broadcast"), dev->broadcast);
	load_flags(dev, json_object_get(object, "flags"));
	load_info(dev, object);
	dev->ip6_ptr = g_new0(struct inet6_dev, 1);
	table_init(&dev->ip6_ptr->addr_list, f->ifa_lists);
	dev->ip_ptr = g_new0(struct in_device, 1);
	table_init(&dev->mc, f->addresses);
	fake_list_device(dev);
}

static struct net_device *
find(struct fake *f, const char *netns, const char *name)
{
	struct net_device *dev = net_by_name(&f->kernel, netns)->first;

	while (dev && strcmp(dev->name, name) != 0)
		dev = dev->next;
	g_assert(dev);
	return dev;
}

/* What a device says of others, when all are there. */
static void
load_neighbours(struct fake *f, const char *netns, const json_t *object)
{
	struct net_device *dev = find(f, netns, text_of(object, "ifname"));
	struct fake_priv *priv = dev->priv;
	const char *other = strcmp(netns, "test") ? "test" : "two";

	if (text_of(object, "link"))
		priv->iflink = find(f, netns, text_of(object, "link"))->ifindex;
	if (json_object_get(object, "link_netnsid")) {
		priv->iflink = number_of(object, "link_index");
		priv->link_net = net_by_name(&f->kernel, other);
	}
	if (text_of(object, "master")) {
		dev->upper.first = g_new0(struct netdev_adjacent, 1);
		dev->upper.first->dev = find(f, netns, text_of(object, "master"));
	}
}

/* The list's order is that of the file. */
static void
load_inet(struct net_device *dev, const json_t *object)
{
	struct in_ifaddr *ifa = g_new0(struct in_ifaddr, 1), **at = &dev->ip_ptr->ifa_list;
	uint32_t be;

	g_assert(inet_pton(AF_INET, text_of(object, "local"), &be) == 1);
	ifa->in_dev = dev->ip_ptr;
	ifa->in_dev->dev = dev;
	ifa->local = GUINT32_FROM_BE(be);
	ifa->prefixlen = (uint8_t)number_of(object, "prefixlen");
	ifa->scope = strcmp(text_of(object, "scope"), "host") == 0 ? RT_SCOPE_HOST : 0;
	ifa->flags = IFA_F_PERMANENT;
	ifa->seq = ++dev->ip_ptr->ifa_seq;
	while (*at)
		at = &(*at)->next;
	*at = ifa;
}

static void
load_address(struct net_device *dev, const json_t *object)
{
	struct inet6_ifaddr *ifa;
	struct key key;

	if (strcmp(text_of(object, "family"), "inet") == 0) {
		load_inet(dev, object);
		return;
	}
	ifa = g_new0(struct inet6_ifaddr, 1);
	g_assert(inet_pton(AF_INET6, text_of(object, "local"), ifa->key.addr) == 1);
	/* Told in the list's order, which the rank keeps. */
	key = key_make(ifa->key.addr, 16, 0);
	ifa->if_list =
		table_insert(&dev->ip6_ptr->addr_list, &key, table_count(&dev->ip6_ptr->addr_list));
	ifa->if_list->ifa = ifa;
	ifa->idev = dev->ip6_ptr;
	ifa->idev->dev = dev;
	ifa->prefixlen = (uint8_t)number_of(object, "prefixlen");
	ifa->scope = value_of(scope_values, text_of(object, "scope"));
	ifa->valid_lft = (uint32_t)number_of(object, "valid_life_time");
	ifa->preferred_lft = (uint32_t)number_of(object, "preferred_life_time");
	ifa->flags = json_object_get(object, "dynamic") ? 0 : IFA_F_PERMANENT;
	for (const struct value *v = address_values; v->name; v++)
		if (json_object_get(object, v->name))
			ifa->flags |= v->value;
}

static void
load_group(struct net_device *dev, const json_t *object)
{
	const json_t *users = json_object_get(object, "users");
	int count = users ? (int)json_integer_value(users) : 1;
	uint8_t addr[ETH_ALEN];

	if (text_of(object, "link")) {
		struct netdev_hw_addr *ha;
		struct key key;

		read_lladdr(text_of(object, "link"), addr);
		key = key_make(addr, ETH_ALEN, NETDEV_HW_ADDR_T_MULTICAST);
		ha = table_add(&dev->mc, &key, NULL);
		ha->refcount = count;
		ha->global_use = text_of(object, "features") != NULL;
	} else if (strcmp(text_of(object, "family"), "inet") == 0) {
		dev->ip_ptr->mc_list = g_new0(struct ip_mc_list, 1);
		dev->ip_ptr->mc_list->addr = 0xe0000001;
		dev->ip_ptr->mc_list->users = (unsigned)count;
	} else {
		struct ifmcaddr6 **last = &dev->ip6_ptr->mc_list;

		while (*last)
			last = &(*last)->next;
		*last = g_new0(struct ifmcaddr6, 1);
		(*last)->users = (unsigned)count;
		g_assert(inet_pton(AF_INET6, text_of(object, "address"), (*last)->addr) == 1);
	}
}

static int
by_ifindex(gconstpointer a, gconstpointer b)
{
	return number_of(*(json_t *const *)a, "ifindex") -
	       number_of(*(json_t *const *)b, "ifindex");
}

static void
load_links(struct fake *f, const char *netns, const json_t *links)
{
	g_autoptr(GPtrArray) oldest_first = g_ptr_array_new();
	size_t i;
	json_t *object;

	/* The recording is in the order of a dump; its namespace grew by ifindex, as
	 * far as that matters: within a bucket. */
	json_array_foreach((json_t *)links, i, object) g_ptr_array_add(oldest_first, object);
	g_ptr_array_sort(oldest_first, by_ifindex);
	for (i = 0; i < oldest_first->len; i++)
		load_device(f, netns, g_ptr_array_index(oldest_first, i));
	json_array_foreach((json_t *)links, i, object) load_neighbours(f, netns, object);
}

static void
load_lists(struct fake *f, const char *netns, const json_t *devices, const char *key,
	   void (*load)(struct net_device *, const json_t *))
{
	size_t i, j;
	json_t *device, *object;

	json_array_foreach((json_t *)devices, i, device)
		json_array_foreach(json_object_get(device, key), j, object)
			load(find(f, netns, text_of(device, "ifname")), object);
}

/* What kinds say, as the kernel's attributes. */
static void
load_attributes(struct fake *f, const char *netns, const json_t *devices)
{
	const char *name;
	json_t *object;

	json_object_foreach((json_t *)devices, name, object)
	{
		struct fake_priv *priv = find(f, netns, name)->priv;

		priv->info = text_of(object, "info_data");
		priv->slave_info = text_of(object, "info_slave_data");
	}
}

void
fake_load(struct fake *f, const char *netns, const char *link_file, const char *addr_file,
	  const char *maddr_file, const char *info_file)
{
	if (!f->addresses)
		f->addresses = table_kind_new(&address_spec, NULL, NULL, 0);
	if (!f->ifa_lists)
		f->ifa_lists = table_kind_new(&inet6_ifa_list_spec, NULL, NULL, 0);
	load_links(f, netns, read_json(f, link_file));
	if (addr_file)
		load_lists(f, netns, read_json(f, addr_file), "addr_info", load_address);
	if (maddr_file)
		load_lists(f, netns, read_json(f, maddr_file), "maddr", load_group);
	if (info_file)
		load_attributes(f, netns, read_json(f, info_file));
}
