/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge-fdb-show.c - 'bridge fdb show': a dump, filtered and told as iproute2 does.
 *
 * A bridge, and a port or another device, are filters of the kernel's, all others are
 * bridge(8)'s own. */
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include "iproute/bridge.h"
#include "iproute/rtnl.h"
#include "iproute/show.h"
#include "net/netdevice.h"

struct fdb_show {
	char *br, *port;
	bool dynamic;
	uint16_t vlan, state; /* 0: any */
	struct ip_options options;
};

static void
show_free(void *data)
{
	struct fdb_show *c = data;

	g_free(c->br);
	g_free(c->port);
	g_free(c);
}

/* The command while it runs */

struct show_run {
	struct fdb_listing listing;
	const struct fdb_show *command;
	int ifindex; /* of the port; 0: all */
};

static bool
is_of_vlan(const struct nlmsghdr *nlh, uint16_t vlan)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(struct ndmsg))
	{
		if (mnl_attr_get_type(attr) == NDA_VLAN)
			return mnl_attr_get_u16(attr) == vlan;
	}
	return false;
}

static bool
is_wanted(const struct show_run *r, const struct nlmsghdr *nlh)
{
	const struct fdb_show *c = r->command;
	const struct ndmsg *ndm = mnl_nlmsg_get_payload(nlh);

	if (r->ifindex && ndm->ndm_ifindex != r->ifindex)
		return false;
	if (c->state && !(ndm->ndm_state & c->state))
		return false;
	if (c->dynamic && ndm->ndm_state & NUD_PERMANENT)
		return false;
	return !c->vlan || is_of_vlan(nlh, c->vlan);
}

static void
show_message(const struct nlmsghdr *nlh, void *data)
{
	const struct show_run *r = data;

	if (is_wanted(r, nlh))
		show_fdb_entry(&r->listing, nlh);
}

/* The request names the bridge by an attribute, the port in its header. */
static bool
dump(struct show_run *r, int master, int port)
{
	uint64_t buffer[RTNL_REQUEST_SIZE / sizeof(uint64_t)];
	struct nlmsghdr *nlh =
		rtnl_dump_request(buffer, RTM_GETNEIGH, AF_BRIDGE, sizeof(struct ndmsg));
	struct ndmsg *ndm = mnl_nlmsg_get_payload(nlh);

	ndm->ndm_ifindex = port;
	if (master)
		mnl_attr_put_u32(nlh, NDA_MASTER, (uint32_t)master);
	if (process_dump(r->listing.process, nlh, show_message, r))
		return true;
	process_fail(r->listing.process, 1, "Dump terminated\n");
	return false;
}

/* Names are looked up in the map of links, which the kernel is asked for first. */
static bool
resolve(struct process *p, const char *name, const char *what, int *ifindex)
{
	*ifindex = name ? process_link_index(p, name) : 0;
	if (!name || *ifindex)
		return true;
	process_fail(p, EXIT_FAILED, "Cannot find %sdevice \"%s\"\n", what, name);
	return false;
}

static void
show_run(struct process *p, const void *data)
{
	const struct fdb_show *c = data;
	struct show_run r = {.listing = {.process = p, .statistics = c->options.statistics},
			     .command = c};
	int master;

	if (!process_link_map(p) || !resolve(p, c->br, "bridge ", &master) ||
	    !resolve(p, c->port, "", &r.ifindex))
		return;
	r.listing.of_one_device = r.ifindex != 0;
	r.listing.json = c->options.json ? json_array() : NULL;
	if (dump(&r, master, r.ifindex) && r.listing.json)
		show_json(r.listing.json, p->answer->output);
	json_decref(r.listing.json);
}

static const struct command_type show_type = {.run = show_run, .free = show_free};

/* The words */

static bool
word_br(struct args *a, void *data, const struct keyword *k)
{
	return args_string(a, &((struct fdb_show *)data)->br);
}

/* A port, or any other device. */
static bool
word_port(struct args *a, void *data, const struct keyword *k)
{
	return args_string(a, &((struct fdb_show *)data)->port);
}

static bool
word_vlan(struct args *a, void *data, const struct keyword *k)
{
	struct fdb_show *c = data;
	const char *text;
	uint64_t vid;

	if (!args_value(a, &text))
		return false;
	if (c->vlan)
		return args_duplicate(a, "vlan");
	if (!args_number(text, 0, 4095, &vid))
		return args_error(a, "a VLAN is a number from 0 to 4095, not \"%s\"", text);
	c->vlan = (uint16_t)vid;
	return true;
}

static bool
word_state(struct args *a, void *data, const struct keyword *k)
{
	static const struct keyword states[] = {
		{"permanent", false, NULL, NUD_PERMANENT}, {"static", false, NULL, NUD_NOARP},
		{"temp", false, NULL, NUD_NOARP},          {"stale", false, NULL, NUD_STALE},
		{"reachable", false, NULL, NUD_REACHABLE}, {"dynamic", false, NULL, NUD_REACHABLE},
		{"all", true, NULL, UINT16_MAX},           {NULL, false, NULL, 0},
	};
	struct fdb_show *c = data;
	const struct keyword *state;
	const char *text;
	uint64_t bits;

	if (!args_value(a, &text))
		return false;
	state = keyword_find(states, text);
	if (state)
		bits = (unsigned)state->value;
	else if (!args_number(text, 0, UINT16_MAX, &bits))
		return args_wrong(a, "invalid state (permanent, static, stale, reachable, all, "
				     "or a number from 0 to 65535)");
	c->state |= (uint16_t)bits;
	return true;
}

static bool
word_dynamic(struct args *a, void *data, const struct keyword *k)
{
	((struct fdb_show *)data)->dynamic = true;
	return true;
}

static const struct keyword words[] = {
	{"brport", true, word_port, 0}, {"br", true, word_br, 0},
	{"dev", true, word_port, 0},    {"vlan", true, word_vlan, 0},
	{"state", true, word_state, 0}, {"dynamic", true, word_dynamic, 0},
	{"help", false, NULL, 0},       {NULL, false, NULL, 0},
};

static bool
parse_words(struct args *a, struct fdb_show *c)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(words, args_peek(a));

		if (!k)
			return args_error_next(
				a,
				"\"%s\" is no filter of bridge fdb show: br, brport, dev, vlan, "
				"state, dynamic",
				args_peek(a));
		if (!keyword_run(k, a, "bridge fdb show", c))
			return false;
	}
	return true;
}

bool
bridge_fdb_show_parse(struct args *a, void *data, const struct keyword *k)
{
	struct ip *bridge = data;
	struct fdb_show *c = g_new0(struct fdb_show, 1);

	c->options = bridge->options;
	if (parse_words(a, c))
		return command_becomes(bridge->command, &show_type, c);
	show_free(c);
	return false;
}
