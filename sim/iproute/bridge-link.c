/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge-link.c - 'bridge link set': settings of a bridge's port. */
#include <linux/if_bridge.h>
#include <linux/if_link.h>

#include "iproute/bridge.h"
#include "iproute/rtnl.h"

struct link_command {
	struct bridge_request request;
	char *dev;
};

static void
link_free(void *data)
{
	struct link_command *c = data;

	g_free(c->dev);
	g_free(c);
}

static void
link_run(struct process *p, const void *data)
{
	const struct link_command *c = data;
	struct bridge_request request = c->request;
	struct ext_ack ack = {.message = ""};

	if (!process_link_map(p))
		return;
	request.ifindex = process_link_index(p, c->dev);
	if (request.ifindex == 0)
		process_fail(p, EXIT_FAILED, "Cannot find bridge device \"%s\"\n", c->dev);
	else if (!process_talked(p, rtnl_bridge_setlink(p->net, &request, &ack), &ack))
		p->answer->status = EXIT_FAILED;
}

static const struct command_type link_type = {.run = link_run, .free = link_free};

/* The words of 'set' */

static bool
word_dev(struct args *a, void *data, const struct keyword *k)
{
	return args_string(a, &((struct link_command *)data)->dev);
}

/* iproute2's parse_on_off(). */
static bool
word_on_off(struct args *a, void *data, const struct keyword *k)
{
	struct bridge_request *r = &((struct link_command *)data)->request;
	uint64_t bit = UINT64_C(1) << k->value;
	const char *text;

	if (!args_value(a, &text))
		return false;
	r->port_given |= bit;
	if (g_str_equal(text, "on"))
		r->port_on |= bit;
	else if (g_str_equal(text, "off"))
		r->port_on &= ~bit;
	else
		return args_error(a,
				  "Error: argument of \"%s\" must be one of \"off\", \"on\", "
				  "not \"%s\"",
				  k->name, text);
	return true;
}

/* A number, which the kernel judges, or a name. */
static bool
word_state(struct args *a, void *data, const struct keyword *k)
{
	static const char *const names[] = {"disabled", "listening", "learning", "forwarding",
					    "blocking"};
	struct bridge_request *r = &((struct link_command *)data)->request;
	const char *text;
	uint64_t state = 0;

	if (!args_value(a, &text))
		return false;
	if (!args_number(text, 0, UINT8_MAX, &state)) {
		while (state < G_N_ELEMENTS(names) && !g_str_equal(names[state], text))
			state++;
		if (state == G_N_ELEMENTS(names))
			return args_error(a, "Error: invalid STP port state");
	}
	r->has_state = true;
	r->state = (uint8_t)state;
	return true;
}

static bool
word_owner(struct args *a, void *data, const struct keyword *k)
{
	((struct link_command *)data)->request.flags |= (uint16_t)k->value;
	return true;
}

/* In iproute2's order; see keyword_find(). */
static const struct keyword words[] = {
	{"dev", true, word_dev, 0},
	{"guard", true, NULL, 0},
	{"hairpin", true, NULL, 0},
	{"fastleave", true, NULL, 0},
	{"root_block", true, NULL, 0},
	{"learning", true, word_on_off, IFLA_BRPORT_LEARNING},
	{"learning_sync", true, NULL, 0},
	{"flood", true, word_on_off, IFLA_BRPORT_UNICAST_FLOOD},
	{"mcast_router", true, NULL, 0},
	{"mcast_flood", true, word_on_off, IFLA_BRPORT_MCAST_FLOOD},
	{"bcast_flood", true, word_on_off, IFLA_BRPORT_BCAST_FLOOD},
	{"mcast_to_unicast", true, NULL, 0},
	{"cost", true, NULL, 0},
	{"priority", true, NULL, 0},
	{"state", true, word_state, 0},
	{"hwmode", true, NULL, 0},
	{"self", true, word_owner, BRIDGE_FLAGS_SELF},
	{"master", true, word_owner, BRIDGE_FLAGS_MASTER},
	{"neigh_suppress", true, NULL, 0},
	{"vlan_tunnel", true, NULL, 0},
	{"isolated", true, word_on_off, IFLA_BRPORT_ISOLATED},
	{"locked", true, NULL, 0},
	{"backup_port", true, NULL, 0},
	{"nobackup_port", true, NULL, 0},
	{"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

static bool
parse_words(struct args *a, struct link_command *c)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(words, args_peek(a));

		if (!k)
			return args_error_next(
				a,
				"\"%s\" is no setting of bridge link: dev, learning, "
				"flood, mcast_flood, bcast_flood, isolated, state, "
				"self, master",
				args_peek(a));
		if (!keyword_run(k, a, "bridge link", c))
			return false;
	}
	return c->dev || args_error_next(a, "Device is a required argument.");
}

static bool
parse_set(struct args *a, void *data, const struct keyword *k)
{
	struct ip *bridge = data;
	struct link_command *c = g_new0(struct link_command, 1);

	if (parse_words(a, c))
		return command_becomes(bridge->command, &link_type, c);
	link_free(c);
	return false;
}

bool
bridge_link_parse(struct args *a, void *bridge, const struct keyword *k)
{
	static const struct keyword verbs[] = {
		{"set", false, parse_set, 0}, {"change", false, parse_set, 0},
		{"show", false, NULL, 0},     {"lst", false, NULL, 0},
		{"list", false, NULL, 0},     {"help", false, NULL, 0},
		{NULL, false, NULL, 0},
	};
	const struct keyword *verb;

	if (!args_left(a))
		return args_error_next(a, "not simulated: \"show\" of bridge link");
	verb = keyword_find(verbs, args_peek(a));
	if (verb)
		return keyword_run(verb, a, "bridge link", bridge);
	a->at++;
	return args_error(a, "Command \"%s\" is unknown, try \"bridge link help\".",
			  words_at(a->words, a->at - 1)->text);
}
