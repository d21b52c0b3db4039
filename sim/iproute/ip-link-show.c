/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-link-show.c - 'ip link show' and 'ip address show', which are one command in
 * iproute2, too: a dump of links or a question for one, and a dump of addresses; then
 * what of it is printed. */
#include <linux/if.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "iproute/ip-link.h"
#include "iproute/rtnl.h"
#include "iproute/show.h"
#include "net/rtnl-ifinfo.h"

struct show_command {
	struct ip_options options;
	struct address_filter filter;
	bool addresses; /* 'ip address' */
	bool probes;    /* ip_link_probe() comes first */
};

static void
show_free(void *data)
{
	struct show_command *c = data;

	address_filter_clear(&c->filter);
	g_free(c);
}

static const char *
show_name(const struct show_command *c)
{
	return c->addresses ? "ip address show" : "ip link show";
}

/* The command while it runs. */
struct show_run {
	struct process *process;
	const struct show_command *command;
	int ifindex, master; /* of the filter's names; 0: none */
	struct show_links *known;
	GPtrArray *links;      /* messages, in the order of the dump */
	GHashTable *addresses; /* arrays of messages by ifindex; null: not asked for */
};

/* What is printed of a link: members in the order of show_link_json(). */

static const char *const link_members[] = {
	"ifindex",   "link",    "link_index", "ifname",       "flags", "mtu",
	"qdisc",     "master",  "operstate",  "linkmode",     "group", "txqlen",
	"link_type", "address", "broadcast",  "link_netnsid", NULL};
static const char *const detail_members[] = {
	"promiscuity", "allmulti", "min_mtu", "max_mtu", "linkinfo", "inet6_addr_gen_mode", NULL};
static const char *const family_members[] = {
	"ifindex", "link",      "link_index", "ifname", "flags",        "mtu", "qdisc",
	"master",  "operstate", "group",      "txqlen", "link_netnsid", NULL};
static const char *const brief_members[] = {"link",    "link_index", "ifname", "operstate",
					    "address", "flags",      NULL};
static const char *const brief_addr_members[] = {"link", "link_index", "ifname", "operstate", NULL};
static const char *const brief_address_members[] = {"local", "prefixlen", NULL};

static json_t *
brief_addresses(json_t *addresses)
{
	json_t *list = json_array(), *address;
	size_t i;

	json_array_foreach(addresses, i, address)
	{
		json_t *object = json_object();

		show_copy_members(object, address, brief_address_members);
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

/* With -4 and -6 ip leaves out the line of the link layer. */
static const char *const *
members_of(const struct show_command *c)
{
	bool family = c->addresses && family_of(c) != AF_UNSPEC && !c->options.details;

	if (c->options.brief)
		return c->addresses ? brief_addr_members : brief_members;
	return family ? family_members : link_members;
}

static const GPtrArray *
addresses_of(const struct show_run *r, const struct nlmsghdr *link)
{
	const struct ifinfomsg *ifm = mnl_nlmsg_get_payload(link);

	return g_hash_table_lookup(r->addresses, GINT_TO_POINTER(ifm->ifi_index));
}

/* ip opens the object of an address before it filters it. */
static json_t *
list_addresses(const struct show_run *r, const GPtrArray *messages)
{
	int family = family_of(r->command);
	json_t *list = json_array();

	for (unsigned i = 0; messages && i < messages->len; i++) {
		const struct nlmsghdr *nlh = messages->pdata[i];
		bool fits = address_filter_fits(&r->command->filter, family, nlh);

		json_array_append_new(list, fits ? show_address_json(nlh) : json_object());
	}
	return r->command->options.brief ? brief_addresses(list) : list;
}

static json_t *
device_json(const struct show_run *r, const struct nlmsghdr *link)
{
	const struct show_command *c = r->command;
	const char *const *members = members_of(c);
	json_t *all = show_link_json(r->known, link), *object = json_object();

	show_copy_members(object, all, members);
	if (c->options.details && members == link_members)
		show_copy_members(object, all, detail_members);
	if (!c->options.json && !c->options.brief)
		show_copy_members(object, all, (const char *const[]){"link_netns", NULL});
	if (c->addresses) {
		json_object_del(object, "linkmode");
		json_object_del(object, "inet6_addr_gen_mode");
		json_object_set_new(object, "addr_info", list_addresses(r, addresses_of(r, link)));
	}
	json_decref(all);
	return object;
}

/* Which links.  What the kernel filters is absent; what ip filters itself leaves an
 * empty object in its JSON.  A message may tell too little to be filtered. */

static bool
is_of_kind(const struct nlmsghdr *link, const char *wanted)
{
	bool of_slave = g_str_has_suffix(wanted, "_slave");
	g_autofree char *kind = show_link_kind(link, of_slave);
	size_t len = strlen(wanted) - (of_slave ? strlen("_slave") : 0);

	return strlen(kind) == len && strncmp(kind, wanted, len) == 0;
}

static bool
has_number(const struct nlmsghdr *link, uint16_t type, uint32_t number, bool or_none)
{
	const struct nlattr *attr = show_link_attr(link, type);

	return attr ? mnl_attr_get_u32(attr) == number : or_none;
}

static bool
ip_lets_through(const struct show_run *r, const struct nlmsghdr *link)
{
	const struct ifinfomsg *ifm = mnl_nlmsg_get_payload(link);
	const struct address_filter *f = &r->command->filter;

	return (!f->up || ifm->ifi_flags & IFF_UP) &&
	       (!f->has_group || has_number(link, IFLA_GROUP, f->group, true)) &&
	       (!r->master || has_number(link, IFLA_MASTER, (uint32_t)r->master, false)) &&
	       (!f->kind || is_of_kind(link, f->kind));
}

/* 'ip address show' drops links all of whose addresses were filtered out, and with -4
 * or -6 those that have none. */
static bool
has_addresses(const struct show_run *r, const struct nlmsghdr *link)
{
	int family = family_of(r->command);
	const GPtrArray *messages;

	if (!r->addresses)
		return true;
	messages = addresses_of(r, link);
	for (unsigned i = 0; messages && i < messages->len; i++)
		if (address_filter_fits(&r->command->filter, family, messages->pdata[i]))
			return true;
	return !messages && family == AF_UNSPEC;
}

/* Questions */

/* Families that know of less than all links are asked without filters. */
static uint8_t
link_family(const struct show_command *c)
{
	return (uint8_t)(c->addresses ? c->options.family : AF_PACKET);
}

static void
put_filters(struct nlmsghdr *nlh, const struct show_run *r)
{
	const struct address_filter *f = &r->command->filter;
	struct nlattr *info;

	mnl_attr_put_u32(nlh, IFLA_EXT_MASK, RTEXT_FILTER_VF);
	if (r->master || f->nomaster) {
		mnl_attr_put_u32(nlh, IFLA_MASTER, f->nomaster ? UINT32_MAX : (uint32_t)r->master);
	} else if (f->kind && !g_str_has_suffix(f->kind, "_slave")) {
		info = mnl_attr_nest_start(nlh, IFLA_LINKINFO);
		info->nla_type &= (uint16_t)~NLA_F_NESTED;
		mnl_attr_put(nlh, IFLA_INFO_KIND, strlen(f->kind), f->kind);
		mnl_attr_nest_end(nlh, info);
	}
}

static void
keep_link(const struct nlmsghdr *nlh, void *data)
{
	struct show_run *r = data;

	show_links_note(r->known, nlh);
	g_ptr_array_add(r->links, g_memdup2(nlh, nlh->nlmsg_len));
}

static bool
dump_links(struct show_run *r)
{
	uint64_t buffer[RTNL_REQUEST_SIZE / sizeof(uint64_t)];
	uint8_t family = link_family(r->command);
	struct nlmsghdr *nlh =
		rtnl_dump_request(buffer, RTM_GETLINK, family, sizeof(struct ifinfomsg));

	if (family == AF_UNSPEC || family == AF_PACKET)
		put_filters(nlh, r);
	return process_dump(r->process, nlh, keep_link, r);
}

/* iplink_get(): the kernel is asked by name, though the index is known. */
static bool
get_link(struct show_run *r)
{
	uint64_t buffer[RTNL_REQUEST_SIZE / sizeof(uint64_t)];
	struct nlmsghdr *nlh = rtnl_dump_request(buffer, RTM_GETLINK, link_family(r->command),
						 sizeof(struct ifinfomsg));
	uint64_t data[RTNL_ANSWER_SIZE / sizeof(uint64_t)];
	struct skb answer = {.data = (uint8_t *)data, .size = sizeof data};
	int err;

	nlh->nlmsg_flags = NLM_F_REQUEST;
	mnl_attr_put_strz(nlh, IFLA_IFNAME, r->command->filter.dev);
	mnl_attr_put_u32(nlh, IFLA_EXT_MASK, RTEXT_FILTER_VF);
	err = rtnl_getlink_fill(r->process->net, nlh, &answer);
	if (err == 0)
		keep_link((const struct nlmsghdr *)(const void *)data, r);
	process_asked(r->process);
	return process_talked(r->process, err, &(struct ext_ack){.message = ""});
}

static void
free_messages(void *messages)
{
	g_ptr_array_unref(messages);
}

/* By link; each address's message is moved there. */
static bool
dump_addresses(struct show_run *r)
{
	GPtrArray *messages = address_dump(r->process, family_of(r->command), r->ifindex);

	if (!messages)
		return false;
	r->addresses = g_hash_table_new_full(NULL, NULL, NULL, free_messages);
	for (unsigned i = 0; i < messages->len; i++) {
		const struct ifaddrmsg *ifm = mnl_nlmsg_get_payload(messages->pdata[i]);
		void *ifindex = GINT_TO_POINTER(ifm->ifa_index);
		GPtrArray *list = g_hash_table_lookup(r->addresses, ifindex);

		if (!list) {
			list = g_ptr_array_new_with_free_func(g_free);
			g_hash_table_insert(r->addresses, ifindex, list);
		}
		g_ptr_array_add(list, g_steal_pointer(&messages->pdata[i]));
	}
	g_ptr_array_unref(messages);
	return true;
}

/* Resolves the filter's names; false when one is not there. */
static bool
resolve(struct show_run *r)
{
	const struct address_filter *f = &r->command->filter;
	const char *name = f->master ? f->master : f->vrf;
	struct process *p = r->process;

	if (name) {
		r->master = f->master ? process_link(p, name) : process_vrf(p, name);
		if (!r->master) {
			process_fail(p, 255, "Error: argument \"%s\" is wrong: %s\n\n", name,
				     f->master ? "Device does not exist" : "Not a valid VRF name");
			return false;
		}
	}
	if (f->dev) {
		r->ifindex = process_link(p, f->dev);
		if (!r->ifindex) {
			process_fail(p, 1, "Device \"%s\" does not exist.\n", f->dev);
			return false;
		}
	}
	return true;
}

static bool
ask(struct show_run *r)
{
	return resolve(r) && (r->ifindex ? get_link(r) : dump_links(r)) &&
	       (!r->command->addresses || dump_addresses(r));
}

/* Printing */

static void
print_text(const json_t *device, const struct show_command *c, GString *out)
{
	if (c->addresses)
		show_addr_text(device, &c->options, out);
	else
		show_link_text(device, &c->options, out);
}

static void
print_links(const struct show_run *r)
{
	const struct show_command *c = r->command;
	GString *out = r->process->answer->output;
	json_t *list = json_array();

	for (unsigned i = 0; i < r->links->len; i++) {
		const struct nlmsghdr *link = r->links->pdata[i];
		json_t *device;

		if (!has_addresses(r, link))
			continue;
		device = ip_lets_through(r, link) ? device_json(r, link) : json_object();
		if (!c->options.json && json_object_size(device) > 0)
			print_text(device, c, out);
		if (c->options.json)
			json_array_append(list, device);
		json_decref(device);
	}
	if (c->options.json)
		show_json(list, out);
	json_decref(list);
}

static void
show_run(struct process *p, const void *data)
{
	struct show_run r = {.process = p, .command = data};

	if (r.command->probes)
		ip_link_probe(p);
	r.known = show_links_new(p->net);
	r.links = g_ptr_array_new_with_free_func(g_free);
	if (ask(&r))
		print_links(&r);
	g_clear_pointer(&r.addresses, g_hash_table_unref);
	g_ptr_array_unref(r.links);
	show_links_free(r.known);
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
	return ip_refuse_statistics(a, ip, show_name(c));
}

bool
ip_show_devices_parse(struct args *a, struct ip *ip, unsigned flags)
{
	struct show_command *c = g_new0(struct show_command, 1);

	c->options = ip->options;
	c->addresses = flags & IP_SHOW_ADDRESSES;
	c->probes = flags & IP_SHOW_PROBES;
	if (address_filter_parse(a, &c->filter, show_name(c)) && check_options(a, c, ip))
		return command_becomes(ip->command, &show_type, c);
	show_free(c);
	return false;
}
