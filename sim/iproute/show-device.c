/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-device.c - a link as ip's JSON: what a message says of it. */
#include <linux/if.h>
#include <linux/rtnetlink.h>
#include <net/if_arp.h>
#include <string.h>

#include "iproute/show.h"
#include "net/rtnl-ifinfo.h"

/* A message about a link, taken apart. */
struct link {
	const struct ifinfomsg *ifm;
	const struct nlattr *tb[IFLA_MAX + 1];
	struct show_links *links;
};

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

static struct link
link_of(const struct nlmsghdr *nlh, struct show_links *links)
{
	struct link l = {.ifm = mnl_nlmsg_get_payload(nlh), .links = links};
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof *l.ifm)
	{
		if (mnl_attr_get_type(attr) <= IFLA_MAX)
			l.tb[mnl_attr_get_type(attr)] = attr;
	}
	return l;
}

static const struct nlattr *
nested_attr(const struct nlattr *nest, uint16_t type)
{
	const struct nlattr *attr;

	if (!nest)
		return NULL;
	mnl_attr_for_each_nested(attr, nest)
	{
		if (mnl_attr_get_type(attr) == type)
			return attr;
	}
	return NULL;
}

char *
show_link_kind(const struct nlmsghdr *nlh, bool masters)
{
	const struct nlattr *info = show_link_attr(nlh, IFLA_LINKINFO);
	const struct nlattr *kind =
		nested_attr(info, masters ? IFLA_INFO_SLAVE_KIND : IFLA_INFO_KIND);

	return g_strdup(kind ? mnl_attr_get_str(kind) : "");
}

/* Members */

static void
set_number(json_t *object, const char *key, const struct nlattr *attr)
{
	if (attr)
		json_object_set_new(object, key, json_integer(mnl_attr_get_u32(attr)));
}

static void
set_lladdr(json_t *object, const char *key, const struct nlattr *attr)
{
	if (attr)
		set_text(object, key,
			 show_lladdr(mnl_attr_get_payload(attr), mnl_attr_get_payload_len(attr)));
}

/* In another namespace it has no name here. */
static void
set_lower(json_t *object, const struct link *l, bool *lower_is_down)
{
	int iflink = l->tb[IFLA_LINK] ? (int)mnl_attr_get_u32(l->tb[IFLA_LINK]) : 0;

	if (!l->tb[IFLA_LINK])
		return;
	if (iflink == 0) {
		json_object_set_new(object, "link", json_null());
	} else if (l->tb[IFLA_LINK_NETNSID]) {
		json_object_set_new(object, "link_index", json_integer(iflink));
	} else {
		set_text(object, "link", show_link_name(l->links, iflink));
		*lower_is_down = show_link_is_down(l->links, iflink);
	}
}

static void
set_name(json_t *object, const struct link *l)
{
	bool lower_is_down = false;

	json_object_set_new(object, "ifindex", json_integer(l->ifm->ifi_index));
	set_lower(object, l, &lower_is_down);
	json_object_set_new(object, "ifname", json_string(mnl_attr_get_str(l->tb[IFLA_IFNAME])));
	json_object_set_new(object, "flags", flags_of(l->ifm->ifi_flags, lower_is_down));
}

static void
set_operstate(json_t *object, const struct nlattr *attr)
{
	static const char *const names[] = {
		"UNKNOWN", "NOTPRESENT", "DOWN", "LOWERLAYERDOWN", "TESTING", "DORMANT", "UP",
	};

	if (attr && mnl_attr_get_u8(attr) < G_N_ELEMENTS(names))
		json_object_set_new(object, "operstate", json_string(names[mnl_attr_get_u8(attr)]));
}

static void
set_linkmode(json_t *object, const struct nlattr *attr)
{
	if (attr)
		json_object_set_new(object, "linkmode",
				    json_string(mnl_attr_get_u8(attr) ? "DORMANT" : "DEFAULT"));
}

static void
set_group(json_t *object, const struct nlattr *attr)
{
	uint32_t group = attr ? mnl_attr_get_u32(attr) : 0;

	if (attr)
		set_text(object, "group",
			 group ? g_strdup_printf("%u", group) : g_strdup("default"));
}

/* Not all dumps tell of it; then ip asks by ioctl. */
static void
set_txqlen(json_t *object, const struct link *l)
{
	const char *name = mnl_attr_get_str(l->tb[IFLA_IFNAME]);
	unsigned len = 0;

	if (l->tb[IFLA_TXQLEN])
		len = mnl_attr_get_u32(l->tb[IFLA_TXQLEN]);
	else
		show_links_txqlen(l->links, name, &len);
	if (len)
		json_object_set_new(object, "txqlen", json_integer(len));
}

static void
set_link_type(json_t *object, const struct link *l)
{
	if (l->ifm->ifi_type == ARPHRD_ETHER)
		json_object_set_new(object, "link_type", json_string("ether"));
	else if (l->ifm->ifi_type == ARPHRD_LOOPBACK)
		json_object_set_new(object, "link_type", json_string("loopback"));
	else if (l->ifm->ifi_type == ARPHRD_NONE)
		json_object_set_new(object, "link_type", json_string("none"));
	else
		set_text(object, "link_type", g_strdup_printf("[%u]", l->ifm->ifi_type));
	set_lladdr(object, "address", l->tb[IFLA_ADDRESS]);
	set_lladdr(object, "broadcast", l->tb[IFLA_BROADCAST]);
}

static void
set_link_netns(json_t *object, const struct link *l)
{
	const struct nlattr *id = l->tb[IFLA_LINK_NETNSID];
	const char *name;

	set_number(object, "link_netnsid", id);
	name = id ? show_links_netns(l->links, (int)mnl_attr_get_u32(id)) : "";
	if (*name) /* text only */
		json_object_set_new(object, "link_netns", json_string(name));
}

/* "linkinfo": what the link is, and what its master says of it. */

static void
set_info_of(json_t *info, const struct link *l, bool of_slave)
{
	const struct nlattr *nest = l->tb[IFLA_LINKINFO];
	const struct nlattr *kind =
		nested_attr(nest, of_slave ? IFLA_INFO_SLAVE_KIND : IFLA_INFO_KIND);
	const struct nlattr *data =
		nested_attr(nest, of_slave ? IFLA_INFO_SLAVE_DATA : IFLA_INFO_DATA);
	json_t *members;

	if (!kind)
		return;
	json_object_set_new(info, of_slave ? "info_slave_kind" : "info_kind",
			    json_string(mnl_attr_get_str(kind)));
	members = show_info(mnl_attr_get_str(kind), of_slave, data, l->links);
	if (json_object_size(members) > 0)
		json_object_set(info, of_slave ? "info_slave_data" : "info_data", members);
	json_decref(members);
}

static void
set_info(json_t *object, const struct link *l)
{
	json_t *info;

	if (!l->tb[IFLA_LINKINFO])
		return;
	info = json_object();
	set_info_of(info, l, false);
	set_info_of(info, l, true);
	json_object_set_new(object, "linkinfo", info);
}

static void
set_addr_gen_mode(json_t *object, const struct link *l)
{
	static const char *const modes[] = {"eui64", "none", "stable_secret", "random"};
	const struct nlattr *inet6 = nested_attr(l->tb[IFLA_AF_SPEC], AF_INET6);
	const struct nlattr *mode = nested_attr(inet6, IFLA_INET6_ADDR_GEN_MODE);

	if (mode && mnl_attr_get_u8(mode) < G_N_ELEMENTS(modes))
		json_object_set_new(object, "inet6_addr_gen_mode",
				    json_string(modes[mnl_attr_get_u8(mode)]));
}

static void
set_details(json_t *object, const struct link *l)
{
	set_number(object, "promiscuity", l->tb[IFLA_PROMISCUITY]);
	set_number(object, "allmulti", l->tb[IFLA_ALLMULTI]);
	set_number(object, "min_mtu", l->tb[IFLA_MIN_MTU]);
	set_number(object, "max_mtu", l->tb[IFLA_MAX_MTU]);
	set_info(object, l);
	set_addr_gen_mode(object, l);
}

json_t *
show_link_json(struct show_links *links, const struct nlmsghdr *nlh)
{
	struct link l = link_of(nlh, links);
	json_t *object = json_object();

	set_name(object, &l);
	set_number(object, "mtu", l.tb[IFLA_MTU]);
	if (l.tb[IFLA_QDISC])
		json_object_set_new(object, "qdisc",
				    json_string(mnl_attr_get_str(l.tb[IFLA_QDISC])));
	if (l.tb[IFLA_MASTER])
		set_text(object, "master",
			 show_link_name(links, (int)mnl_attr_get_u32(l.tb[IFLA_MASTER])));
	set_operstate(object, l.tb[IFLA_OPERSTATE]);
	set_linkmode(object, l.tb[IFLA_LINKMODE]);
	set_group(object, l.tb[IFLA_GROUP]);
	set_txqlen(object, &l);
	set_link_type(object, &l);
	set_link_netns(object, &l);
	set_details(object, &l);
	return object;
}
