/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge.c - bridge(8): 'bridge fdb add', 'append', 'replace' and 'del'. */
#include <linux/neighbour.h>
#include <string.h>

#include "iproute/ip.h"
#include "net/netdevice.h"

#define EXIT_FAILED 255 /* bridge(8) returns -1 */

struct fdb_command {
	struct fdb_request request;
	bool has_address, add;
	char *dev;
};

static void
fdb_free(void *data)
{
	struct fdb_command *c = data;

	g_free(c->dev);
	g_free(c);
}

static void
fdb_run(struct process *p, const void *data)
{
	const struct fdb_command *c = data;
	struct fdb_request request = c->request;
	struct ext_ack ack = {.message = ""};
	int result;

	request.ifindex = process_link(p, c->dev);
	if (request.ifindex == 0) {
		process_fail(p, EXIT_FAILED, "Cannot find device \"%s\"\n", c->dev);
		return;
	}
	result = c->add ? rtnl_fdb_add(p->net, &request, &ack)
			: rtnl_fdb_del(p->net, &request, &ack);
	if (!process_talked(p, result, &ack))
		p->answer->status = EXIT_FAILED;
}

static const struct command_type fdb_type = {.run = fdb_run, .free = fdb_free};

/* The words after the verb */

static bool
word_dev(struct args *a, void *data, const struct keyword *k)
{
	struct fdb_command *c = data;

	return args_string(a, &c->dev);
}

static bool
word_vlan(struct args *a, void *data, const struct keyword *k)
{
	struct fdb_command *c = data;
	const char *text;
	uint64_t vid;

	if (!args_value(a, &text))
		return false;
	if (c->request.vid)
		return args_duplicate(a, "vlan");
	if (!args_number(text, 0, 4095, &vid))
		return args_error(a, "a VLAN is a number from 0 to 4095, not \"%s\"", text);
	c->request.vid = (uint16_t)vid;
	return true;
}

static bool
word_flag(struct args *a, void *data, const struct keyword *k)
{
	struct fdb_command *c = data;

	c->request.flags |= (uint16_t)k->value;
	return true;
}

static bool
word_state(struct args *a, void *data, const struct keyword *k)
{
	struct fdb_command *c = data;

	c->request.state |= (uint16_t)k->value;
	return true;
}

static bool
word_dynamic(struct args *a, void *data, const struct keyword *k)
{
	struct fdb_command *c = data;

	c->request.state |= NUD_REACHABLE;
	c->request.state &= (uint16_t)~NUD_NOARP;
	return true;
}

static bool
word_address(struct args *a, struct fdb_command *c)
{
	const char *text = args_take(a);
	unsigned len;

	if (c->has_address)
		return args_garbage(a, "to");
	if (!args_lladdr(a, text, c->request.addr, ETH_ALEN, &len))
		return false;
	if (len != ETH_ALEN)
		return args_error(a, "Invalid mac address %s", text);
	c->has_address = true;
	return true;
}

static const struct keyword words[] = {
	{"dev", true, word_dev, 0},
	{"dst", true, NULL, 0},
	{"nhid", true, NULL, 0},
	{"port", true, NULL, 0},
	{"vni", true, NULL, 0},
	{"via", true, NULL, 0},
	{"self", true, word_flag, NTF_SELF},
	{"master", false, word_flag, NTF_MASTER},
	{"router", false, NULL, 0},
	{"local", false, word_state, NUD_PERMANENT},
	{"permanent", false, word_state, NUD_PERMANENT},
	{"temp", false, word_state, NUD_REACHABLE},
	{"static", false, word_state, NUD_REACHABLE},
	{"dynamic", false, word_dynamic, 0},
	{"vlan", false, word_vlan, 0},
	{"use", false, NULL, 0},
	{"extern_learn", false, NULL, 0},
	{"sticky", false, word_flag, NTF_STICKY},
	{"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

/* What bridge(8) assumes when nothing was said. */
static void
assume(struct fdb_request *r)
{
	if (!(r->flags & (NTF_SELF | NTF_MASTER)))
		r->flags |= NTF_SELF;
	if (!(r->state & (NUD_PERMANENT | NUD_REACHABLE)))
		r->state |= NUD_PERMANENT;
}

static bool
parse_words(struct args *a, struct fdb_command *c)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(words, args_peek(a));
		bool ok = k ? keyword_run(k, a, "bridge fdb", c) : word_address(a, c);

		if (!ok)
			return false;
	}
	if (!c->dev || !c->has_address)
		return args_error_next(a, "Device and address are required arguments.");
	assume(&c->request);
	return true;
}

enum verb { FDB_ADD, FDB_APPEND, FDB_REPLACE, FDB_DELETE };

static bool
parse_verb(struct args *a, void *data, const struct keyword *k)
{
	struct ip *bridge = data;
	struct fdb_command *c = g_new0(struct fdb_command, 1);

	c->add = k->value != FDB_DELETE;
	c->request.state = NUD_NOARP;
	c->request.create = c->add;
	c->request.exclusive = k->value == FDB_ADD;
	c->request.append = k->value == FDB_APPEND;
	c->request.replace = k->value == FDB_REPLACE;
	if (parse_words(a, c))
		return command_becomes(bridge->command, &fdb_type, c);
	fdb_free(c);
	return false;
}

static bool
fdb_parse(struct args *a, void *bridge, const struct keyword *k)
{
	static const struct keyword verbs[] = {
		{"add", false, parse_verb, FDB_ADD},
		{"append", false, parse_verb, FDB_APPEND},
		{"replace", false, parse_verb, FDB_REPLACE},
		{"delete", false, parse_verb, FDB_DELETE},
		{"get", false, NULL, 0},
		{"show", false, NULL, 0},
		{"lst", false, NULL, 0},
		{"list", false, NULL, 0},
		{"flush", false, NULL, 0},
		{"help", false, NULL, 0},
		{NULL, false, NULL, 0},
	};

	const struct keyword *verb;

	if (!args_left(a))
		return args_error_next(a, "not simulated: \"show\" of bridge fdb");
	verb = keyword_find(verbs, args_peek(a));
	if (verb)
		return keyword_run(verb, a, "bridge fdb", bridge);
	a->at++;
	return args_error(a, "Command \"%s\" is unknown, try \"bridge fdb help\".",
			  words_at(a->words, a->at - 1)->text);
}

/* The program: its options are ip's, as far as it has them. */

static bool
option_netns(struct args *a, void *data, const struct keyword *k)
{
	return ip_netns_option(a, ((struct ip *)data)->command);
}

static const struct keyword options[] = {
	{"-netns", false, option_netns, 0},
	{NULL, false, NULL, 0},
};

static const struct keyword objects[] = {
	{"link", false, NULL, 0}, {"fdb", false, fdb_parse, 0}, {"mdb", false, NULL, 0},
	{"vlan", false, NULL, 0}, {"vni", false, NULL, 0},      {"monitor", false, NULL, 0},
	{"help", false, NULL, 0}, {NULL, false, NULL, 0},
};

bool
bridge_parse(struct args *a, struct command *c, const char *input)
{
	struct ip bridge = {.command = c, .input = input};
	const struct keyword *k;

	while (args_left(a) && *args_peek(a) == '-') {
		k = keyword_find(options, args_peek(a));
		if (!k) {
			a->at++;
			return args_not_simulated(a, "this option of bridge");
		}
		if (!keyword_run(k, a, "bridge", &bridge))
			return false;
	}
	if (!args_left(a))
		return args_error_next(a, "bridge: an object is missing: fdb");
	k = keyword_find(objects, args_peek(a));
	if (k)
		return keyword_run(k, a, "bridge", &bridge);
	a->at++;
	return args_error(a, "Object \"%s\" is unknown, try \"bridge help\".",
			  words_at(a->words, a->at - 1)->text);
}
