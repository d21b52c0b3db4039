/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge-vlan.c - 'bridge vlan add', 'del' and 'show'. */
#include <linux/if_bridge.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "iproute/bridge.h"
#include "iproute/rtnl.h"
#include "iproute/show.h"

#define VLAN_N_VID 4096

struct vlan_command {
	struct bridge_request request;
	bool del;
	char *dev;
};

static void
vlan_free(void *data)
{
	struct vlan_command *c = data;

	g_free(c->dev);
	g_free(c);
}

static void
vlan_run(struct process *p, const void *data)
{
	const struct vlan_command *c = data;
	struct bridge_request request = c->request;
	struct ext_ack ack = {.message = ""};
	int result;

	if (!process_link_map(p))
		return;
	request.ifindex = process_link_index(p, c->dev);
	if (request.ifindex == 0) {
		process_fail(p, EXIT_FAILED, "Cannot find bridge device \"%s\"\n", c->dev);
		return;
	}
	result = c->del ? rtnl_bridge_dellink(p->net, &request, &ack)
			: rtnl_bridge_setlink(p->net, &request, &ack);
	if (!process_talked(p, result, &ack))
		p->answer->status = EXIT_FAILED;
}

static const struct command_type vlan_type = {.run = vlan_run, .free = vlan_free};

/* The words of 'add' and 'del' */

static bool
word_dev(struct args *a, void *data, const struct keyword *k)
{
	return args_string(a, &((struct vlan_command *)data)->dev);
}

/* "N" or "N-M".  iproute2 takes what is no number for 0, and the last one that is
 * given. */
static bool
word_vid(struct args *a, void *data, const struct keyword *k)
{
	struct bridge_request *r = &((struct vlan_command *)data)->request;
	g_auto(GStrv) ends = NULL;
	const char *text;
	uint64_t first, last;

	if (!args_value(a, &text))
		return false;
	if (r->has_vlan)
		return args_duplicate(a, "vid");
	ends = g_strsplit(text, "-", 2);
	if (!args_number(ends[0], 0, UINT16_MAX, &first) ||
	    (ends[1] && !args_number(ends[1], 0, UINT16_MAX, &last)))
		return args_error(a,
				  "a VLAN is a number from 1 to 4094, or a range as in 10-20, "
				  "not \"%s\"",
				  text);
	if (first >= VLAN_N_VID)
		return args_error(a, "Invalid VLAN ID \"%" G_GUINT64_FORMAT "\"", first);
	if (ends[1] && (last >= VLAN_N_VID || first >= last))
		return args_error(a, "Invalid VLAN range \"%s\"", text);
	r->has_vlan = true;
	r->vid = (uint16_t)first;
	r->vid_end = (uint16_t)(ends[1] ? last : first);
	return true;
}

static bool
word_owner(struct args *a, void *data, const struct keyword *k)
{
	((struct vlan_command *)data)->request.flags |= (uint16_t)k->value;
	return true;
}

static bool
word_flag(struct args *a, void *data, const struct keyword *k)
{
	((struct vlan_command *)data)->request.vlan_flags |= (uint16_t)k->value;
	return true;
}

static const struct keyword words[] = {
	{"dev", true, word_dev, 0},
	{"vid", true, word_vid, 0},
	{"self", true, word_owner, BRIDGE_FLAGS_SELF},
	{"master", true, word_owner, BRIDGE_FLAGS_MASTER},
	{"pvid", true, word_flag, BRIDGE_VLAN_INFO_PVID},
	{"untagged", true, word_flag, BRIDGE_VLAN_INFO_UNTAGGED},
	{"tunnel_info", true, NULL, 0},
	{"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

/* iproute2 passes over words that it does not know; here they are errors. */
static bool
parse_words(struct args *a, struct vlan_command *c)
{
	const struct bridge_request *r = &c->request;

	while (args_left(a)) {
		const struct keyword *k = keyword_find(words, args_peek(a));

		if (!k)
			return args_error_next(a,
					       "\"%s\" is no word of bridge vlan: dev, vid, pvid, "
					       "untagged, self, master",
					       args_peek(a));
		if (!keyword_run(k, a, "bridge vlan", c))
			return false;
	}
	if (!c->dev || !r->has_vlan)
		return args_error_next(a, "Device and VLAN ID are required arguments.");
	if (r->vid != r->vid_end && r->vlan_flags & BRIDGE_VLAN_INFO_PVID)
		return args_error_next(a, "pvid cannot be configured for a vlan range");
	return true;
}

enum verb { VLAN_ADD, VLAN_DELETE };

static bool
parse_change(struct args *a, void *data, const struct keyword *k)
{
	struct ip *bridge = data;
	struct vlan_command *c = g_new0(struct vlan_command, 1);

	c->del = k->value == VLAN_DELETE;
	if (parse_words(a, c))
		return command_becomes(bridge->command, &vlan_type, c);
	vlan_free(c);
	return false;
}

/* 'show' */

struct vlan_show {
	char *dev;
	uint16_t vid; /* 0: all */
	struct ip_options options;
};

struct show_run {
	struct process *process;
	const struct vlan_show *command;
	int ifindex; /* 0: all devices */
	json_t *list;

	/* Of the message at hand. */
	const char *ifname;
	json_t *vlans;  /* null: not begun */
	bool begun;     /* the device's name is printed */
	uint16_t first; /* of the range */
};

static void
show_free(void *data)
{
	struct vlan_show *c = data;

	g_free(c->dev);
	g_free(c);
}

/* The name, for the first VLAN that is told of. */
static void
begin_device(struct show_run *r)
{
	json_t *device;

	if (r->list && !r->begun) {
		r->vlans = json_array();
		device = json_pack("{s:s, s:o}", "ifname", r->ifname, "vlans", r->vlans);
		json_array_append_new(r->list, device);
	} else if (!r->list) {
		process_print(r->process, "%-16s  ", r->begun ? "" : r->ifname);
	}
	r->begun = true;
}

static void
tell_json(struct show_run *r, const struct bridge_vlan_info *v)
{
	json_t *object = json_pack("{s:i}", "vlan", r->first), *flags = json_array();

	if (r->first != v->vid)
		json_object_set_new(object, "vlanEnd", json_integer(v->vid));
	if (v->flags & BRIDGE_VLAN_INFO_PVID)
		json_array_append_new(flags, json_string("PVID"));
	if (v->flags & BRIDGE_VLAN_INFO_UNTAGGED)
		json_array_append_new(flags, json_string("Egress Untagged"));
	if (v->flags)
		json_object_set(object, "flags", flags);
	json_decref(flags);
	json_array_append_new(r->vlans, object);
}

static void
tell_text(struct show_run *r, const struct bridge_vlan_info *v)
{
	process_print(r->process, "%u", r->first);
	if (r->first != v->vid)
		process_print(r->process, "-%u", v->vid);
	if (v->flags & BRIDGE_VLAN_INFO_PVID)
		process_print(r->process, " PVID");
	if (v->flags & BRIDGE_VLAN_INFO_UNTAGGED)
		process_print(r->process, " Egress Untagged");
	process_print(r->process, "\n");
}

static void
show_vlan(struct show_run *r, const struct bridge_vlan_info *v)
{
	uint16_t wanted = r->command->vid;

	if (!(v->flags & BRIDGE_VLAN_INFO_RANGE_END))
		r->first = v->vid;
	if (v->flags & BRIDGE_VLAN_INFO_RANGE_BEGIN)
		return;
	if (wanted && (wanted < r->first || wanted > v->vid))
		return;
	begin_device(r);
	if (r->list)
		tell_json(r, v);
	else
		tell_text(r, v);
}

static void
show_message(const struct nlmsghdr *nlh, void *data)
{
	const struct ifinfomsg *info = mnl_nlmsg_get_payload(nlh);
	struct show_run *r = data;
	const struct nlattr *attr, *vlan;

	if (r->ifindex && info->ifi_index != r->ifindex)
		return;
	r->ifname = process_link_name(r->process, info->ifi_index);
	r->begun = false;
	mnl_attr_for_each(attr, nlh, sizeof *info)
	{
		if (mnl_attr_get_type(attr) != IFLA_AF_SPEC)
			continue;
		mnl_attr_for_each_nested(vlan, attr)
		{
			if (mnl_attr_get_type(vlan) == IFLA_BRIDGE_VLAN_INFO)
				show_vlan(r, mnl_attr_get_payload(vlan));
		}
	}
}

static bool
dump(struct show_run *r)
{
	uint64_t buffer[RTNL_REQUEST_SIZE / sizeof(uint64_t)];
	struct nlmsghdr *nlh =
		rtnl_dump_request(buffer, RTM_GETLINK, AF_BRIDGE, sizeof(struct ifinfomsg));

	mnl_attr_put_u32(nlh, IFLA_EXT_MASK,
			 r->command->options.compress ? RTEXT_FILTER_BRVLAN_COMPRESSED
						      : RTEXT_FILTER_BRVLAN);
	if (process_dump(r->process, nlh, show_message, r))
		return true;
	process_fail(r->process, 1, "Dump terminated\n");
	return false;
}

static void
show_run(struct process *p, const void *data)
{
	const struct vlan_show *c = data;
	struct show_run r = {.process = p, .command = c};

	if (!process_link_map(p))
		return;
	r.ifindex = c->dev ? process_link_index(p, c->dev) : 0;
	if (c->dev && !r.ifindex) {
		process_fail(p, EXIT_FAILED, "Cannot find device \"%s\"\n", c->dev);
		return;
	}
	if (c->options.json)
		r.list = json_array();
	else
		process_print(p, "%-16s  %-9s\n", "port", "vlan-id");
	if (dump(&r) && r.list)
		show_json(r.list, p->answer->output);
	json_decref(r.list);
}

static const struct command_type show_type = {.run = show_run, .free = show_free};

static bool
show_word_dev(struct args *a, void *data, const struct keyword *k)
{
	struct vlan_show *c = data;

	if (c->dev) {
		a->at--;
		return args_duplicate(a, "dev");
	}
	return args_string(a, &c->dev);
}

static bool
show_word_vid(struct args *a, void *data, const struct keyword *k)
{
	struct vlan_show *c = data;
	const char *text;
	uint64_t vid;

	if (!args_value(a, &text))
		return false;
	if (c->vid)
		return args_duplicate(a, "vid");
	if (!args_number(text, 0, VLAN_N_VID - 1, &vid))
		return args_error(a, "a VLAN is a number from 1 to 4094, not \"%s\"", text);
	c->vid = (uint16_t)vid;
	return true;
}

static const struct keyword show_words[] = {
	{"dev", true, show_word_dev, 0},
	{"vid", true, show_word_vid, 0},
	{NULL, false, NULL, 0},
};

static bool
parse_show_words(struct args *a, struct vlan_show *c)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(show_words, args_peek(a));

		if (!k)
			return args_error_next(a,
					       "\"%s\" is no filter of bridge vlan show: dev, vid",
					       args_peek(a));
		if (!keyword_run(k, a, "bridge vlan show", c))
			return false;
	}
	return true;
}

static bool
parse_show(struct args *a, void *data, const struct keyword *k)
{
	struct ip *bridge = data;
	struct vlan_show *c = g_new0(struct vlan_show, 1);

	c->options = bridge->options;
	if (ip_refuse_statistics(a, bridge, "bridge vlan show") && parse_show_words(a, c))
		return command_becomes(bridge->command, &show_type, c);
	show_free(c);
	return false;
}

bool
bridge_vlan_parse(struct args *a, void *bridge, const struct keyword *k)
{
	static const struct keyword verbs[] = {
		{"add", false, parse_change, VLAN_ADD},
		{"delete", false, parse_change, VLAN_DELETE},
		{"show", false, parse_show, 0},
		{"lst", false, parse_show, 0},
		{"list", false, parse_show, 0},
		{"tunnelshow", false, NULL, 0},
		{"set", false, NULL, 0},
		{"global", false, NULL, 0},
		{"help", false, NULL, 0},
		{NULL, false, NULL, 0},
	};
	const struct keyword *verb;

	if (!args_left(a))
		return parse_show(a, bridge, NULL);
	verb = keyword_find(verbs, args_peek(a));
	if (verb)
		return keyword_run(verb, a, "bridge vlan", bridge);
	a->at++;
	return args_error(a, "Command \"%s\" is unknown, try \"bridge vlan help\".",
			  words_at(a->words, a->at - 1)->text);
}
