/* SPDX-License-Identifier: GPL-2.0-or-later */
/* link-options.c - the options of 'ip link add|set|delete' before "type", and
 * those of veth's peer, which are the same. */
#include <string.h>

#include "iproute/ip-link.h"
#include "net/netdevice.h"

/* iproute2's get_integer(): a C int in any base. */
static bool
parse_int(const char *text, int64_t *value)
{
	bool negative = *text == '-';
	uint64_t number;

	if (!args_number(text + negative, 0, (uint64_t)INT32_MAX + negative, &number))
		return false;
	*value = negative ? -(int64_t)number : (int64_t)number;
	return true;
}

static bool
take_int(struct args *a, const char *key, bool again, unsigned *value)
{
	g_autofree char *what = g_strdup_printf("Invalid \"%s\" value", key);
	const char *text;
	int64_t number;

	if (!args_value(a, &text))
		return false;
	if (again)
		return args_duplicate(a, key);
	if (!parse_int(text, &number))
		return args_wrong(a, what);
	*value = (unsigned)(int)number;
	return true;
}

static bool
option_up(struct args *a, void *data, const struct keyword *k)
{
	struct link_request *r = &((struct link_command *)data)->request;

	r->change |= IFF_UP;
	r->flags = k->value ? r->flags | IFF_UP : r->flags & ~(unsigned)IFF_UP;
	return true;
}

/* "promisc on": the flag that it stands for is k->value; NOARP is arp's reverse. */
static bool
option_flag(struct args *a, void *data, const struct keyword *k)
{
	struct link_request *r = &((struct link_command *)data)->request;
	unsigned flag = (unsigned)k->value;
	bool on;

	if (!args_on_off(a, k->name, &on))
		return false;
	if (flag == IFF_NOARP)
		on = !on;
	r->change |= flag;
	r->flags = on ? r->flags | flag : r->flags & ~flag;
	return true;
}

static bool
set_name(struct args *a, char **name, const char *key, const char *text, gsize max)
{
	g_autofree char *what = g_strdup_printf("\"%s\" not a valid ifname", key);
	bool fits = strlen(text) < max && *text && !strpbrk(text, "/ \t\n\v\f\r");

	if (!fits)
		return args_wrong(a, what);
	*name = g_strdup(text);
	return true;
}

static bool
option_name(struct args *a, void *data, const struct keyword *k)
{
	struct link_command *c = data;
	const char *text;

	if (!args_value(a, &text))
		return false;
	if (c->name)
		return args_duplicate(a, "name");
	c->name_at = a->at - 1;
	return set_name(a, &c->name, "name", text, IFNAMSIZ);
}

static bool
option_index(struct args *a, void *data, const struct keyword *k)
{
	struct link_command *c = data;
	const char *text;
	uint64_t index;

	if (!args_value(a, &text))
		return false;
	if (c->has_index)
		return args_duplicate(a, "index");
	if (!args_number(text, 1, INT32_MAX, &index))
		return args_wrong(a, "Invalid \"index\" value");
	c->has_index = true;
	c->request.ifindex = (int)index;
	return true;
}

static bool
option_link(struct args *a, void *data, const struct keyword *k)
{
	struct link_command *c = data;
	const char *text;

	if (!args_value(a, &text))
		return false;
	g_free(c->link);
	c->link = g_strdup(text);
	return true;
}

static bool
option_address(struct args *a, void *data, const struct keyword *k)
{
	struct link_command *c = data;
	const char *text;

	if (!args_value(a, &text))
		return false;
	c->request.has_address = true;
	return args_lladdr(a, text, c->request.address, sizeof c->request.address, &c->address_len);
}

static bool
option_mtu(struct args *a, void *data, const struct keyword *k)
{
	struct link_request *r = &((struct link_command *)data)->request;
	bool again = r->has_mtu;

	r->has_mtu = true;
	return take_int(a, "mtu", again, &r->mtu);
}

static bool
option_txqueuelen(struct args *a, void *data, const struct keyword *k)
{
	struct link_request *r = &((struct link_command *)data)->request;
	bool again = r->has_txqlen;

	r->has_txqlen = true;
	return take_int(a, "txqueuelen", again, &r->txqlen);
}

static bool
option_group(struct args *a, void *data, const struct keyword *k)
{
	struct link_request *r = &((struct link_command *)data)->request;
	const char *text;
	uint64_t group = 0;

	if (!args_value(a, &text))
		return false;
	if (r->has_group)
		return args_duplicate(a, "group");
	if (strcmp(text, "default") != 0 && !args_number(text, 0, INT32_MAX, &group))
		return args_wrong(a, "Invalid \"group\" value");
	r->has_group = true;
	r->group = (unsigned)group;
	return true;
}

static bool
option_netns(struct args *a, void *data, const struct keyword *k)
{
	struct link_command *c = data;
	const char *text;

	if (!args_value(a, &text))
		return false;
	if (*c->request.netns)
		return args_duplicate(a, "netns");
	if (!*text ||
	    g_strlcpy(c->request.netns, text, sizeof c->request.netns) >= sizeof c->request.netns)
		return args_wrong(a, "Invalid \"netns\" value");
	link_command_step(c, LINK_STEP_NETNS, text);
	return true;
}

static bool
option_master(struct args *a, void *data, const struct keyword *k)
{
	struct link_command *c = data;
	const char *text;

	if (!args_value(a, &text))
		return false;
	link_command_step(c, (enum link_step_kind)k->value, text);
	return true;
}

static bool
option_nomaster(struct args *a, void *data, const struct keyword *k)
{
	struct link_request *r = &((struct link_command *)data)->request;

	r->has_master = true;
	r->master = 0;
	return true;
}

/* In iproute2's order; see keyword_find(). */
static const struct keyword options[] = {
	{"up", true, option_up, 1},
	{"down", true, option_up, 0},
	{"name", true, option_name, 0},
	{"index", true, option_index, 0},
	{"link", false, option_link, 0},
	{"address", false, option_address, 0},
	{"broadcast", false, NULL, 0},
	{"brd", true, NULL, 0},
	{"txqueuelen", false, option_txqueuelen, 0},
	{"qlen", true, option_txqueuelen, 0},
	{"txqlen", false, option_txqueuelen, 0},
	{"mtu", true, option_mtu, 0},
	{"xdpgeneric", true, NULL, 0},
	{"xdpdrv", true, NULL, 0},
	{"xdpoffload", true, NULL, 0},
	{"xdp", true, NULL, 0},
	{"netns", true, option_netns, 0},
	{"multicast", true, option_flag, IFF_MULTICAST},
	{"allmulticast", true, option_flag, IFF_ALLMULTI},
	{"promisc", true, option_flag, IFF_PROMISC},
	{"trailers", true, NULL, 0},
	{"arp", true, option_flag, IFF_NOARP},
	{"carrier", true, NULL, 0},
	{"vf", true, NULL, 0},
	{"master", false, option_master, LINK_STEP_MASTER},
	{"vrf", true, option_master, LINK_STEP_VRF},
	{"nomaster", false, option_nomaster, 0},
	{"dynamic", false, NULL, 0},
	{"type", false, NULL, 0}, /* ends the options: see below */
	{"alias", false, NULL, 0},
	{"group", true, option_group, 0},
	{"mode", true, NULL, 0},
	{"state", true, NULL, 0},
	{"numtxqueues", false, NULL, 0},
	{"numrxqueues", false, NULL, 0},
	{"addrgenmode", false, NULL, 0},
	{"link-netns", true, NULL, 0},
	{"link-netnsid", false, NULL, 0},
	{"protodown", true, NULL, 0},
	{"protodown_reason", true, NULL, 0},
	{"gso_max_size", true, NULL, 0},
	{"gso_max_segs", true, NULL, 0},
	{"gro_max_size", true, NULL, 0},
	{"parentdev", true, NULL, 0},
	{"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

#define ALTIFNAMSIZ 128 /* ip takes alternative names here, too */

static bool
take_dev(struct args *a, struct link_command *c)
{
	const char *text = args_take(a);

	if (strcmp(text, "dev") == 0 && !args_value(a, &text))
		return false;
	if (c->dev)
		return args_garbage(a, "dev");
	c->name_at = a->at - 1;
	return set_name(a, &c->dev, "dev", text, ALTIFNAMSIZ);
}

/* "type" and its kind; the kind's options are kind-options.c's. */
static bool
take_type(struct args *a, struct link_command *c)
{
	const char *text;

	a->at++;
	if (!args_value(a, &text))
		return false;
	if (c->is_peer)
		return args_duplicate(a, "type");
	c->request.kind = link_kind_by_name(text);
	if (c->request.kind && !c->request.kind->builtin)
		return true;

	g_autoptr(GString) kinds = g_string_new(NULL);

	for (unsigned i = 0; i < net_module_count(); i++)
		if (net_module_at(i)->kind && !net_module_at(i)->kind->builtin)
			g_string_append_printf(kinds, "%s%s", kinds->len ? ", " : "",
					       net_module_at(i)->kind->name);
	return args_error(a, "not simulated: the link type \"%s\"; there are %s", text, kinds->str);
}

bool
link_options_parse(struct args *a, struct link_command *c)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(options, args_peek(a));
		bool ok;

		if (k && strcmp(k->name, "type") == 0)
			return take_type(a, c);
		ok = k ? keyword_run(k, a, "ip link", c) : take_dev(a, c);
		if (!ok)
			return false;
	}
	return true;
}
