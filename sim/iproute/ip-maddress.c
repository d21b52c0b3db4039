/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-maddress.c - 'ip maddress': link-layer groups come and go by ioctl; 'show'
 * reads what /proc/net has, sorted by ifindex. */
#include <errno.h>
#include <string.h>

#include "iproute/ip.h"
#include "iproute/show.h"
#include "net/netdevice.h"

/* add, delete */

struct maddress_command {
	bool add, has_address;
	uint8_t address[ETH_ALEN];
	char *dev;
};

static void
maddress_free(void *data)
{
	struct maddress_command *c = data;

	g_free(c->dev);
	g_free(c);
}

static void
maddress_run(struct process *p, const void *data)
{
	const struct maddress_command *c = data;
	int result = dev_ioctl_multi(p->net, c->dev, c->address, c->add);

	if (result)
		process_fail(p, 1, "ioctl: %s\n", error_text(result));
}

static const struct command_type maddress_type = {.run = maddress_run, .free = maddress_free};

static bool
word_dev(struct args *a, void *data, const struct keyword *k)
{
	struct maddress_command *c = data;
	const char *text;

	if (!args_value(a, &text))
		return false;
	if (c->dev)
		return args_duplicate(a, "dev");
	if (!ip_is_name(text))
		return args_wrong(a, "\"dev\" not a valid ifname");
	c->dev = g_strdup(text);
	return true;
}

static bool
word_address(struct args *a, void *data, const struct keyword *k)
{
	struct maddress_command *c = data;
	const char *text;
	unsigned len;

	if (!args_value(a, &text))
		return false;
	if (c->has_address)
		return args_duplicate(a, "address");
	if (!args_lladdr(a, text, c->address, sizeof c->address, &len))
		return false;
	if (len != sizeof c->address)
		return args_error(a, "Error: Invalid address length %u - must be %zu bytes", len,
				  sizeof c->address);
	c->has_address = true;
	return true;
}

static const struct keyword words[] = {
	{"dev", true, word_dev, 0},
	{"address", false, word_address, 0},
	{"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

static bool
parse_words(struct args *a, struct maddress_command *c)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(words, args_peek(a));
		bool ok = k ? keyword_run(k, a, "ip maddress", c) : word_address(a, c, NULL);

		if (!ok)
			return false;
	}
	if (!c->dev)
		return args_error_next(a, "Not enough information: \"dev\" is required.");
	if (!c->has_address)
		return args_error_next(a,
				       "an address is missing: ip maddress add ADDRESS dev DEVICE");
	return true;
}

static bool
parse_verb(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;
	struct maddress_command *c = g_new0(struct maddress_command, 1);

	c->add = k->value;
	if (parse_words(a, c))
		return command_becomes(ip->command, &maddress_type, c);
	maddress_free(c);
	return false;
}

/* show */

struct maddress_show {
	struct ip_options options;
	char *dev;
};

static void
maddress_show_free(void *data)
{
	struct maddress_show *c = data;

	g_free(c->dev);
	g_free(c);
}

static int
by_ifindex(gconstpointer a, gconstpointer b)
{
	return (*(const struct net_device *const *)a)->ifindex -
	       (*(const struct net_device *const *)b)->ifindex;
}

/* Devices that have groups, each with its list. */
static json_t *
list_groups(const struct net *net, const char *dev_name, int family)
{
	GPtrArray *order = g_ptr_array_new();
	json_t *list = json_array();

	for (struct net_device *dev = net->first; dev; dev = dev->next)
		g_ptr_array_add(order, dev);
	g_ptr_array_sort(order, by_ifindex);
	for (unsigned i = 0; i < order->len; i++) {
		const struct net_device *dev = g_ptr_array_index(order, i);
		json_t *groups = dev_name && strcmp(dev->name, dev_name) != 0
					 ? json_array()
					 : show_groups(dev, family);

		if (json_array_size(groups) > 0)
			json_array_append_new(list,
					      json_pack("{s:i, s:s, s:O}", "ifindex", dev->ifindex,
							"ifname", dev->name, "maddr", groups));
		json_decref(groups);
	}
	g_ptr_array_unref(order);
	return list;
}

static void
append_group(const json_t *group, GString *out)
{
	const char *family = json_string_value(json_object_get(group, "family"));
	const char *link = json_string_value(json_object_get(group, "link"));
	const char *features = json_string_value(json_object_get(group, "features"));
	const json_t *users = json_object_get(group, "users");

	g_string_append_printf(out, "\t%-5s %s", link ? "link" : family,
			       link ? link : json_string_value(json_object_get(group, "address")));
	if (users)
		g_string_append_printf(out, " users %" JSON_INTEGER_FORMAT,
				       json_integer_value(users));
	if (features)
		g_string_append_printf(out, " %s", features);
	g_string_append_c(out, '\n');
}

static void
append_device(const json_t *device, bool oneline, GString *out)
{
	const json_t *groups = json_object_get(device, "maddr");

	for (size_t i = 0; i < json_array_size(groups); i++) {
		if (i == 0 || oneline)
			g_string_append_printf(
				out, "%" JSON_INTEGER_FORMAT ":\t%s%s",
				json_integer_value(json_object_get(device, "ifindex")),
				json_string_value(json_object_get(device, "ifname")),
				oneline ? "\\" : "\n");
		append_group(json_array_get(groups, i), out);
	}
}

static void
maddress_show_run(struct process *p, const void *data)
{
	const struct maddress_show *c = data;
	json_t *list = list_groups(p->net, c->dev, c->options.family);

	if (c->options.json)
		show_json(list, p->answer->output);
	else
		for (size_t i = 0; i < json_array_size(list); i++)
			append_device(json_array_get(list, i), c->options.oneline,
				      p->answer->output);
	json_decref(list);
}

static const struct command_type maddress_show_type = {.run = maddress_show_run,
						       .free = maddress_show_free};

static bool
parse_show_words(struct args *a, struct maddress_show *c)
{
	if (c->options.oneline && c->options.json)
		return args_not_simulated(a, "-oneline with -json of ip maddress show");
	while (args_left(a)) {
		const char *text = args_take(a);

		if (strcmp(text, "dev") == 0 && !args_value(a, &text))
			return false;
		if (args_abbreviates(text, "help"))
			return args_not_simulated(a, "\"help\" of ip maddress show");
		if (c->dev)
			return args_garbage(a, "dev");
		c->dev = g_strdup(text);
	}
	return true;
}

static bool
parse_show(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;
	struct maddress_show *c = g_new0(struct maddress_show, 1);

	c->options = ip->options;
	if (parse_show_words(a, c))
		return command_becomes(ip->command, &maddress_show_type, c);
	maddress_show_free(c);
	return false;
}

static const struct keyword commands[] = {
	{"add", false, parse_verb, true}, {"delete", false, parse_verb, false},
	{"list", false, parse_show, 0},   {"show", false, parse_show, 0},
	{"lst", false, parse_show, 0},    {"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

bool
ip_maddress_parse(struct args *a, void *ip, const struct keyword *k)
{
	return ip_command_parse(a, ip, "maddr", commands, parse_show);
}

json_t *
show_maddr(struct net *net)
{
	return list_groups(net, NULL, AF_UNSPEC);
}
