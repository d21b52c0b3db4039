/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge-fdb.c - 'bridge fdb add', 'append', 'replace' and 'del'. */
#include <arpa/inet.h>
#include <linux/neighbour.h>
#include <string.h>

#include "iproute/bridge.h"
#include "net/netdevice.h"

struct fdb_command {
	struct fdb_request request;
	bool has_address, add;
	char *dev, *via;
};

static void
fdb_free(void *data)
{
	struct fdb_command *c = data;

	g_free(c->dev);
	g_free(c->via);
	g_free(c);
}

static bool
resolve(struct process *p, const char *name, int *ifindex)
{
	*ifindex = process_link(p, name);
	if (*ifindex == 0)
		process_fail(p, EXIT_FAILED, "Cannot find device \"%s\"\n", name);
	return *ifindex != 0;
}

static void
fdb_run(struct process *p, const void *data)
{
	const struct fdb_command *c = data;
	struct fdb_request request = c->request;
	struct ext_ack ack = {.message = ""};
	int result;

	/* 'via' is looked up while the words are read, 'dev' after them. */
	if (c->via && !resolve(p, c->via, &request.via))
		return;
	if (!resolve(p, c->dev, &request.ifindex))
		return;
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

	if (c->request.vid)
		return args_garbage(a, "vlan");
	if (!args_value(a, &text))
		return false;
	if (!args_number(text, 1, 4095, &vid))
		return args_error(a, "a VLAN is a number from 1 to 4094, not \"%s\"", text);
	c->request.vid = (uint16_t)vid;
	return true;
}

static bool
word_dst(struct args *a, void *data, const struct keyword *k)
{
	struct fdb_request *r = &((struct fdb_command *)data)->request;
	const char *text;

	if (!args_value(a, &text))
		return false;
	if (r->dst_len)
		return args_garbage(a, "dst");
	if (inet_pton(AF_INET, text, r->dst) == 1)
		r->dst_len = 4;
	else if (inet_pton(AF_INET6, text, r->dst) == 1)
		r->dst_len = 16;
	else
		return args_error(a, "Error: any valid address is expected rather than \"%s\".",
				  text);
	return true;
}

static bool
word_port(struct args *a, void *data, const struct keyword *k)
{
	struct fdb_request *r = &((struct fdb_command *)data)->request;
	const char *text;
	uint64_t port;

	if (!args_value(a, &text))
		return false;
	if (!args_number(text, 0, UINT16_MAX, &port))
		return args_wrong(a, "invalid port (a number from 0 to 65535)");
	r->has_port = true;
	r->port = (uint16_t)port;
	return true;
}

#define VNI_MAX 0xffffff

static bool
take_vni(struct args *a, const char *wrong, bool *has, uint32_t *vni)
{
	const char *text;
	uint64_t value;

	if (!args_value(a, &text))
		return false;
	if (!args_number(text, 0, VNI_MAX, &value))
		return args_wrong(a, wrong);
	*has = true;
	*vni = (uint32_t)value;
	return true;
}

static bool
word_vni(struct args *a, void *data, const struct keyword *k)
{
	struct fdb_request *r = &((struct fdb_command *)data)->request;

	return take_vni(a, "invalid VNI (a number from 0 to 16777215)", &r->has_vni, &r->vni);
}

static bool
word_src_vni(struct args *a, void *data, const struct keyword *k)
{
	struct fdb_request *r = &((struct fdb_command *)data)->request;

	return take_vni(a, "invalid src VNI (a number from 0 to 16777215)", &r->has_src_vni,
			&r->src_vni);
}

static bool
word_via(struct args *a, void *data, const struct keyword *k)
{
	struct fdb_command *c = data;

	return args_string(a, &c->via);
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

/* It is ip(8) that calls an address a lladdr. */
static bool
is_mac(const struct args *a, const char *text, uint8_t addr[ETH_ALEN])
{
	struct args silent = {.words = a->words, .at = a->at, .end = a->end};
	unsigned len;

	return args_lladdr(&silent, text, addr, ETH_ALEN, &len) && len == ETH_ALEN;
}

static bool
word_address(struct args *a, void *data, const struct keyword *k)
{
	struct fdb_command *c = data;
	const char *text;

	if (!args_value(a, &text))
		return false;
	if (c->has_address)
		return args_garbage(a, "to");
	if (!is_mac(a, text, c->request.addr))
		return args_error(a, "Invalid mac address %s", text);
	c->has_address = true;
	return true;
}

static const struct keyword words[] = {
	{"dev", true, word_dev, 0},
	{"dst", true, word_dst, 0},
	{"nhid", true, NULL, 0},
	{"port", true, word_port, 0},
	{"vni", true, word_vni, 0},
	{"src_vni", true, word_src_vni, 0},
	{"via", true, word_via, 0},
	{"self", true, word_flag, NTF_SELF},
	{"master", false, word_flag, NTF_MASTER},
	{"router", false, word_flag, NTF_ROUTER},
	{"local", false, word_state, NUD_PERMANENT},
	{"permanent", false, word_state, NUD_PERMANENT},
	{"temp", false, word_state, NUD_REACHABLE},
	{"static", false, word_state, NUD_REACHABLE},
	{"dynamic", false, word_dynamic, 0},
	{"vlan", false, word_vlan, 0},
	{"use", false, NULL, 0},
	{"extern_learn", false, word_flag, NTF_EXT_LEARNED},
	{"sticky", false, word_flag, NTF_STICKY},
	{"to", true, word_address, 0},
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
		bool ok = k ? keyword_run(k, a, "bridge fdb", c) : word_address(a, c, NULL);

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

bool
bridge_fdb_parse(struct args *a, void *bridge, const struct keyword *k)
{
	static const struct keyword verbs[] = {
		{"add", false, parse_verb, FDB_ADD},
		{"append", false, parse_verb, FDB_APPEND},
		{"replace", false, parse_verb, FDB_REPLACE},
		{"delete", false, parse_verb, FDB_DELETE},
		{"get", false, NULL, 0},
		{"show", false, bridge_fdb_show_parse, 0},
		{"lst", false, bridge_fdb_show_parse, 0},
		{"list", false, bridge_fdb_show_parse, 0},
		{"flush", false, NULL, 0},
		{"help", false, NULL, 0},
		{NULL, false, NULL, 0},
	};

	const struct keyword *verb;

	if (!args_left(a))
		return bridge_fdb_show_parse(a, bridge, NULL);
	verb = keyword_find(verbs, args_peek(a));
	if (verb)
		return keyword_run(verb, a, "bridge fdb", bridge);
	a->at++;
	return args_error(a, "Command \"%s\" is unknown, try \"bridge fdb help\".",
			  words_at(a->words, a->at - 1)->text);
}
