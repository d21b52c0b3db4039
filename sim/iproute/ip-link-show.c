/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-link-show.c - 'ip link show' and 'ip address show', which are one command
 * in iproute2, too; and the final state of a namespace in their shape. */
#include <string.h>

#include "iproute/ip-link.h"
#include "iproute/show.h"
#include "net/netdevice.h"

struct show_command {
	struct ip_options options;
	struct address_filter filter;
	bool addresses; /* 'ip address' */
};

static void
show_free(void *data)
{
	struct show_command *c = data;

	address_filter_clear(&c->filter);
	g_free(c);
}

/* What is printed of a device: members in the order of show_device(). */

static const char *const link_members[] = {
	"ifindex",   "link",    "link_index", "ifname",       "flags", "mtu",
	"qdisc",     "master",  "operstate",  "linkmode",     "group", "txqlen",
	"link_type", "address", "broadcast",  "link_netnsid", NULL};
static const char *const detail_members[] = {
	"promiscuity", "allmulti", "min_mtu", "max_mtu", "linkinfo", "inet6_addr_gen_mode", NULL};
static const char *const family_members[] = {"ifindex",   "link",  "link_index", "ifname",
					     "flags",     "mtu",   "qdisc",      "master",
					     "operstate", "group", "txqlen",     NULL};
static const char *const inet6_dump_members[] = {
	"ifindex", "link", "link_index", "ifname", "flags", "mtu", "operstate", "txqlen", NULL};
static const char *const brief_members[] = {"link",    "link_index", "ifname", "operstate",
					    "address", "flags",      NULL};
static const char *const brief_addr_members[] = {"link", "link_index", "ifname", "operstate", NULL};
static const char *const brief_address_members[] = {"local", "prefixlen", NULL};
static const char *const count_members[] = {"promiscuity", "allmulti", NULL};

static void
copy_members(json_t *to, const json_t *from, const char *const *members)
{
	for (; *members; members++) {
		json_t *value = json_object_get(from, *members);

		if (value)
			json_object_set(to, *members, value);
	}
}

static json_t *
brief_addresses(json_t *addresses)
{
	json_t *list = json_array(), *address;
	size_t i;

	json_array_foreach(addresses, i, address)
	{
		json_t *object = json_object();

		copy_members(object, address, brief_address_members);
		json_array_append_new(list, object);
	}
	json_decref(addresses);
	return list;
}

/* What addresses are asked for; those with a prefix are IPv6 ones. */
static int
family_of(const struct show_command *c)
{
	return c->filter.has_prefix ? AF_INET6 : c->options.family;
}

/* With -4 and -6 ip leaves out the line of the link layer; all devices with -6
 * are another dump, which knows less of them. */
static const char *const *
members_of(const struct show_command *c)
{
	bool family = c->addresses && family_of(c) != AF_UNSPEC && !c->options.details;

	if (c->options.brief)
		return c->addresses ? brief_addr_members : brief_members;
	if (family && c->options.family == AF_INET6 && !c->filter.dev)
		return inet6_dump_members;
	return family ? family_members : link_members;
}

static json_t *
device_json(const struct show_command *c, const struct net_device *dev)
{
	const char *const *members = members_of(c);
	json_t *all = show_device(dev), *object = json_object();

	copy_members(object, all, members);
	if (c->options.details && members == link_members)
		copy_members(object, all, detail_members);
	if (!c->options.json && members == link_members)
		copy_members(object, all, (const char *const[]){"link_netns", NULL});
	if (c->addresses) {
		json_t *addresses = show_addresses(dev, c->options.family, &c->filter);

		json_object_del(object, "linkmode");
		json_object_del(object, "inet6_addr_gen_mode");
		json_object_set_new(object, "addr_info",
				    c->options.brief ? brief_addresses(addresses) : addresses);
	}
	json_decref(all);
	return object;
}

/* Which devices: what the kernel filters is absent; what ip filters itself
 * leaves an empty object in its JSON. */

static bool
kernel_lets_through(const struct show_command *c, const struct net_device *dev, int ifindex,
		    int master)
{
	const struct net_device *upper = netdev_master_upper_dev_get(dev);
	const char *kind = c->filter.kind;

	if (ifindex && dev->ifindex != ifindex)
		return false;
	if (master && (!upper || upper->ifindex != master))
		return false;
	return !kind || !link_kind_by_name(kind) ||
	       (dev->kind && strcmp(dev->kind->name, kind) == 0);
}

static bool
ip_lets_through(const struct show_command *c, const struct net_device *dev)
{
	const struct address_filter *f = &c->filter;

	return (!f->up || (dev_get_flags(dev) & IFF_UP)) &&
	       (!f->has_group || dev->group == f->group) &&
	       (!f->nomaster || !netdev_master_upper_dev_get(dev)) &&
	       (!f->kind || link_kind_by_name(f->kind));
}

/* 'ip address show' drops devices all of whose addresses were filtered out, and
 * with -4 or -6 those that have none. */
static bool
has_addresses(const struct show_command *c, const struct net_device *dev)
{
	static const struct address_filter all = {.dev = NULL};
	int family = family_of(c);
	json_t *any, *fitting, *address;
	bool has = false;
	size_t i;

	if (!c->addresses)
		return true;
	any = show_addresses(dev, AF_UNSPEC, &all);
	fitting = show_addresses(dev, family, &c->filter);
	json_array_foreach(fitting, i, address) has |= json_object_size(address) > 0;
	if (json_array_size(any) == 0)
		has = family == AF_UNSPEC;
	json_decref(fitting);
	json_decref(any);
	return has;
}

static json_t *
list_devices(struct process *p, const struct show_command *c, int ifindex, int master)
{
	json_t *list = json_array();
	GPtrArray *order;

	rtnl_lock(p->kernel);
	order = show_dump_order(p->net);
	for (unsigned i = 0; i < order->len; i++) {
		const struct net_device *dev = g_ptr_array_index(order, i);

		if (!kernel_lets_through(c, dev, ifindex, master) || !has_addresses(c, dev))
			continue;
		json_array_append_new(list, ip_lets_through(c, dev) ? device_json(c, dev)
								    : json_object());
	}
	rtnl_unlock(p->kernel);
	g_ptr_array_unref(order);
	return list;
}

static void
print_devices(const json_t *list, const struct show_command *c, GString *out)
{
	size_t i;
	json_t *device;

	if (c->options.json) {
		show_json(list, out);
		return;
	}
	json_array_foreach((json_t *)list, i, device)
	{
		if (json_object_size(device) == 0)
			continue;
		if (c->addresses)
			show_addr_text(device, &c->options, out);
		else
			show_link_text(device, &c->options, out);
	}
}

/* Resolves the filter's names; false when one is not there. */
static bool
resolve(struct process *p, const struct address_filter *f, int *ifindex, int *master)
{
	const char *name = f->master ? f->master : f->vrf;

	*ifindex = *master = 0;
	if (name) {
		*master = f->master ? process_link(p, name) : process_vrf(p, name);
		if (!*master) {
			process_fail(p, 255, "Error: argument \"%s\" is wrong: %s\n\n", name,
				     f->master ? "Device does not exist" : "Not a valid VRF name");
			return false;
		}
	}
	if (f->dev) {
		*ifindex = process_link(p, f->dev);
		if (!*ifindex) {
			process_fail(p, 1, "Device \"%s\" does not exist.\n", f->dev);
			return false;
		}
	}
	return true;
}

static void
show_run(struct process *p, const void *data)
{
	const struct show_command *c = data;
	int ifindex, master;
	json_t *list;

	if (!resolve(p, &c->filter, &ifindex, &master))
		return;
	list = list_devices(p, c, ifindex, master);
	print_devices(list, c, p->answer->output);
	json_decref(list);
}

static const struct command_type show_type = {.run = show_run, .free = show_free};

static bool
check_options(struct args *a, const struct show_command *c, struct ip *ip)
{
	const struct ip_options *o = &c->options;

	if (c->addresses && o->family == AF_PACKET)
		return args_not_simulated(a, "-0 of ip address show");
	if (c->addresses && o->oneline && o->json)
		return args_not_simulated(a, "-oneline with -json of ip address show");
	if (c->addresses && o->family == AF_INET6 && o->details && !c->filter.dev)
		return args_not_simulated(a, "-6 with -details of all devices");
	return ip_refuse_statistics(a, ip, c->addresses ? "ip address show" : "ip link show");
}

bool
ip_show_devices_parse(struct args *a, struct ip *ip, const char *what)
{
	struct show_command *c = g_new0(struct show_command, 1);
	g_autofree char *name = g_strconcat("ip ", what, " show", NULL);

	c->options = ip->options;
	c->addresses = strcmp(what, "address") == 0;
	if (address_filter_parse(a, &c->filter, name) && check_options(a, c, ip))
		return command_becomes(ip->command, &show_type, c);
	show_free(c);
	return false;
}

/* The state of a namespace, when all is done. */

static json_t *
state_of(struct net *net, const struct show_command *c, const char *const *more)
{
	GPtrArray *order = show_dump_order(net);
	json_t *list = json_array();

	for (unsigned i = 0; i < order->len; i++) {
		const struct net_device *dev = g_ptr_array_index(order, i);
		json_t *all = show_device(dev), *device = device_json(c, dev);

		copy_members(device, all, more);
		json_array_append_new(list, device);
		json_decref(all);
	}
	g_ptr_array_unref(order);
	return list;
}

json_t *
show_link(struct net *net)
{
	const struct show_command c = {.options = {.json = true}};

	return state_of(net, &c, count_members);
}

json_t *
show_addr(struct net *net)
{
	const struct show_command c = {.options = {.json = true}, .addresses = true};

	return state_of(net, &c, (const char *const[]){NULL});
}
