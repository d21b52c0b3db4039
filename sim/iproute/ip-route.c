/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-route.c - 'ip route': the choice of the command; of IPv6 add, append, replace and the
 * like, and delete.  IPv4 is in ip-route4.c.  Of several nexthops each is a command of its own:
 * 'append'. */
#include "iproute/ip-route.h"

#include <linux/netlink.h>
#include <string.h>

struct route_command {
	struct fib6_config config;
	int family;
	bool delete, has_dst;
	char *dev, *vrf;
};

static void
route_free(void *data)
{
	struct route_command *c = data;

	g_free(c->dev);
	g_free(c->vrf);
	g_free(c);
}

static void
route_run(struct process *p, const void *data)
{
	const struct route_command *c = data;
	struct fib6_config config = c->config;
	struct ext_ack ack = {.message = ""};
	int result;

	if (c->vrf && !(config.table = route_vrf_table(p, c->vrf)))
		return;
	if (c->dev && !(config.ifindex = route_device(p, c->dev)))
		return;
	result = c->delete ? inet6_rtm_delroute(p->net, &config, &ack)
			   : inet6_rtm_newroute(p->net, &config, &ack);
	process_talked(p, result, &ack);
}

static const struct command_type route_type = {.run = route_run, .free = route_free};

/* Words */

static bool
word_via(struct args *a, void *data, const struct keyword *k)
{
	struct fib6_config *cfg = &((struct route_command *)data)->config;

	if (args_left(a) && strcmp(args_peek(a), "inet6") == 0)
		args_take(a);
	cfg->has_gateway = true;
	return route_take_address(a, cfg->gateway);
}

static bool
word_src(struct args *a, void *data, const struct keyword *k)
{
	struct fib6_config *cfg = &((struct route_command *)data)->config;

	cfg->has_prefsrc = true;
	return route_take_address(a, cfg->prefsrc);
}

static bool
word_dev(struct args *a, void *data, const struct keyword *k)
{
	return args_string(a, &((struct route_command *)data)->dev);
}

static bool
word_vrf(struct args *a, void *data, const struct keyword *k)
{
	return args_string(a, &((struct route_command *)data)->vrf);
}

static bool
word_metric(struct args *a, void *data, const struct keyword *k)
{
	struct fib6_config *cfg = &((struct route_command *)data)->config;
	const char *text;
	uint64_t metric;

	if (!args_value(a, &text))
		return false;
	if (!args_number(text, 0, UINT32_MAX, &metric))
		return args_wrong(a, "\"metric\" value is invalid");
	cfg->metric = (uint32_t)metric;
	return true;
}

static bool
word_table(struct args *a, void *data, const struct keyword *k)
{
	const char *text;

	if (!args_value(a, &text))
		return false;
	return route_table(text, &((struct route_command *)data)->config.table) ||
	       args_wrong(a, "\"table\" value is invalid");
}

static bool
word_protocol(struct args *a, void *data, const struct keyword *k)
{
	const char *text;

	if (!args_value(a, &text))
		return false;
	return route_protocol(text, &((struct route_command *)data)->config.protocol) ||
	       args_wrong(a, "\"protocol\" value is invalid");
}

/* All that a route can have beside what a lookup notices. */
static bool
word_pref(struct args *a, void *data, const struct keyword *k)
{
	const char *text;

	if (!args_value(a, &text))
		return false;
	return strcmp(text, "medium") == 0 ||
	       args_not_simulated(a, "another preference of a router than medium");
}

static bool
word_to(struct args *a, void *data, const struct keyword *k)
{
	struct route_command *c = data;
	const struct keyword *type = args_left(a) ? route_type_find(args_peek(a)) : NULL;

	if (type) {
		args_take(a);
		c->config.type = (uint8_t)type->value;
	}
	if (c->has_dst) {
		args_take(a);
		return args_garbage(a, "to");
	}
	c->has_dst = true;
	return route_take_prefix(a, c->family, c->config.dst, &c->config.dst_len);
}

static const struct keyword words[] = {
	{"src", true, word_src, 0},
	{"as", true, NULL, 0},
	{"via", true, word_via, 0},
	{"from", true, NULL, 0},
	{"tos", true, NULL, 0},
	{"dsfield", false, NULL, 0},
	{"expires", true, NULL, 0},
	{"metric", false, word_metric, 0},
	{"priority", false, word_metric, 0},
	{"preference", true, word_metric, 0},
	{"scope", true, NULL, 0},
	{"mtu", true, NULL, 0},
	{"hoplimit", true, NULL, 0},
	{"advmss", true, NULL, 0},
	{"nexthop", true, NULL, 0},
	{"nhid", true, NULL, 0},
	{"protocol", false, word_protocol, 0},
	{"table", false, word_table, 0},
	{"vrf", true, word_vrf, 0},
	{"dev", true, word_dev, 0},
	{"oif", true, word_dev, 0},
	{"pref", true, word_pref, 0},
	{"encap", true, NULL, 0},
	{"onlink", true, NULL, 0},
	{"to", true, word_to, 0},
	{"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

static bool
parse_words(struct args *a, struct route_command *c)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(words, args_peek(a));
		bool ok = k && !route_type_find(args_peek(a)) ? keyword_run(k, a, "ip route", c)
							      : word_to(a, c, NULL);

		if (!ok)
			return false;
	}
	return c->has_dst || args_error_next(a, "a destination is missing: ip -6 route add "
						"PREFIX [via GATEWAY] [dev DEVICE]");
}

/* Who names no table means that of what the device itself receives, for such routes. */
static void
assume(struct route_command *c)
{
	struct fib6_config *cfg = &c->config;

	if (cfg->table == 0 && !c->vrf)
		cfg->table = cfg->type == RTN_LOCAL || cfg->type == RTN_ANYCAST ? RT_TABLE_LOCAL
										: RT_TABLE_MAIN;
	if (!c->delete &&cfg->protocol == 0)
		cfg->protocol = RTPROT_BOOT;
}

static bool
parse_verb(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;
	struct route_command *c;

	if (ip_route_is_inet(a, ip))
		return ip_route4_modify_parse(a, ip, k);
	c = g_new0(struct route_command, 1);
	c->family = ip->options.family;
	c->delete = k->value == 0;
	c->config.nlflags = (uint16_t)k->value;
	c->config.type = RTN_UNICAST;
	if (parse_words(a, c)) {
		assume(c);
		return command_becomes(ip->command, &route_type, c);
	}
	route_free(c);
	return false;
}

static const struct keyword commands[] = {
	{"list", false, ip_route_show_parse, 0},
	{"show", false, ip_route_show_parse, 0},
	{"lst", true, ip_route_show_parse, 0},
	{"get", false, ip_route_get_parse, 0},
	{"add", false, parse_verb, NLM_F_CREATE | NLM_F_EXCL},
	{"change", false, parse_verb, NLM_F_REPLACE},
	{"chg", true, parse_verb, NLM_F_REPLACE},
	{"replace", false, parse_verb, NLM_F_CREATE | NLM_F_REPLACE},
	{"prepend", false, parse_verb, NLM_F_CREATE},
	{"append", false, parse_verb, NLM_F_CREATE | NLM_F_APPEND},
	{"test", false, parse_verb, NLM_F_EXCL},
	{"delete", false, parse_verb, 0},
	{"flush", false, ip_route_flush_parse, 0},
	{"save", false, NULL, 0},
	{"restore", false, NULL, 0},
	{"showdump", false, NULL, 0},
	{"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

bool
ip_route_parse(struct args *a, void *ip, const struct keyword *k)
{
	return ip_command_parse(a, ip, "route", commands, ip_route_show_parse);
}
