/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip.c - ip(8)'s own options and the choice of the object.
 *
 * The tables keep iproute2's order, because an abbreviation means the first
 * entry that it fits: "ip a" is address, "ip n" is neighbor. */
#include "iproute/ip.h"

#include <string.h>

/* Options. */

struct ip_parser {
	struct ip ip;
	const char *option; /* as written */
};

static bool
option_family(struct args *a, void *data, const struct keyword *k)
{
	((struct ip_parser *)data)->ip.options.family = k->value;
	return true;
}

static bool
option_family_name(struct args *a, void *data, const struct keyword *k)
{
	static const struct keyword families[] = {
		{"inet", true, option_family, AF_INET},
		{"inet6", true, option_family, AF_INET6},
		{"link", true, option_family, AF_PACKET},
		{"mpls", true, NULL, 0},
		{"bridge", true, NULL, 0},
		{NULL, false, NULL, 0},
	};
	const char *name;
	const struct keyword *family;

	if (!args_value(a, &name))
		return false;
	family = keyword_find(families, name);
	if (!family)
		return args_wrong(a, "invalid protocol family");
	a->at--;
	return keyword_run(family, a, "-family", data);
}

static bool
option_flag(struct args *a, void *data, const struct keyword *k)
{
	*(bool *)((char *)data + k->value) = true;
	return true;
}

static bool
option_statistics(struct args *a, void *data, const struct keyword *k)
{
	struct ip_options *o = data;

	o->more_statistics = o->statistics;
	return o->statistics = true;
}

static bool
option_ignored(struct args *a, void *data, const struct keyword *k)
{
	return true;
}

/* It has a number, and makes no difference here. */
static bool
option_number(struct args *a, void *data, const struct keyword *k)
{
	const char *text;
	uint64_t number;

	if (!args_value(a, &text))
		return false;
	if (args_number(text, 0, INT32_MAX, &number))
		return true;
	return args_error(a, "Invalid %s '%s'", k->name + 1, text);
}

bool
ip_netns_option(struct args *a, struct command *c)
{
	if (!args_string(a, &c->netns))
		return false;
	if (!*c->netns || strchr(c->netns, '/'))
		return args_not_simulated(a, "a namespace that has a path and no name");
	return true;
}

static bool
option_netns(struct args *a, void *data, const struct keyword *k)
{
	return ip_netns_option(a, ((struct ip_parser *)data)->ip.command);
}

#define FLAG(field) offsetof(struct ip_parser, ip.options.field)

static const struct keyword options[] = {
	{"-loops", false, option_number, 0},
	{"-family", false, option_family_name, 0},
	{"-4", true, option_family, AF_INET},
	{"-6", true, option_family, AF_INET6},
	{"-0", true, option_family, AF_PACKET},
	{"-M", true, NULL, 0},
	{"-B", true, NULL, 0},
	{"-human-readable", false, option_ignored, 0},
	{"-iec", false, option_ignored, 0},
	{"-statistics", false, option_statistics, 0},
	{"-stats", false, option_statistics, 0},
	{"-details", false, option_flag, FLAG(details)},
	{"-resolve", false, NULL, 0},
	{"-oneline", false, option_flag, FLAG(oneline)},
	{"-timestamp", false, option_ignored, 0},
	{"-tshort", false, option_ignored, 0},
	{"-Version", false, NULL, 0},
	{"-force", false, option_ignored, 0},
	{"-batch", false, NULL, 0},
	{"-brief", false, option_flag, FLAG(brief)},
	{"-json", false, option_flag, FLAG(json)},
	{"-pretty", false, NULL, 0},
	{"-rcvbuf", false, option_number, 0},
	{"-color=never", true, option_ignored, 0},
	{"-color=auto", true, option_ignored, 0},
	{"-color=always", true, NULL, 0},
	{"-color", false, option_ignored, 0},
	{"-help", false, NULL, 0},
	{"-netns", false, option_netns, 0},
	{"-Numeric", false, NULL, 0},
	{"-all", false, NULL, 0},
	{NULL, false, NULL, 0},
};

static bool
parse_option(struct args *a, struct ip_parser *parser)
{
	const char *word = args_peek(a);
	const struct keyword *k;

	if (word[1] == '-')
		word++;
	k = keyword_find(options, word);
	if (k)
		return keyword_run(k, a, "ip", parser);
	a->at++;
	return args_error(a, "Option \"%s\" is unknown, try \"ip -help\".", word);
}

/* Objects. */

static const struct keyword objects[] = {
	{"address", false, ip_address_parse, 0},
	{"addrlabel", false, ip_addrlabel_parse, 0},
	{"maddress", false, ip_maddress_parse, 0},
	{"route", false, ip_route_parse, 0},
	{"rule", false, NULL, 0},
	{"neighbor", false, ip_neigh_parse, 0},
	{"neighbour", false, ip_neigh_parse, 0},
	{"ntable", false, NULL, 0},
	{"ntbl", false, NULL, 0},
	{"link", false, ip_link_parse, 0},
	{"l2tp", false, NULL, 0},
	{"fou", false, NULL, 0},
	{"ila", false, NULL, 0},
	{"macsec", false, NULL, 0},
	{"tunnel", false, NULL, 0},
	{"tunl", false, NULL, 0},
	{"tuntap", false, NULL, 0},
	{"tap", false, NULL, 0},
	{"token", false, NULL, 0},
	{"tcpmetrics", false, NULL, 0},
	{"tcp_metrics", false, NULL, 0},
	{"monitor", false, NULL, 0},
	{"xfrm", false, ip_xfrm_parse, 0},
	{"mroute", false, NULL, 0},
	{"mrule", false, NULL, 0},
	{"netns", false, ip_netns_parse, 0},
	{"netconf", false, NULL, 0},
	{"vrf", false, NULL, 0},
	{"sr", false, NULL, 0},
	{"nexthop", false, NULL, 0},
	{"mptcp", false, NULL, 0},
	{"ioam", false, NULL, 0},
	{"stats", false, NULL, 0},
	{"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

bool
ip_parse(struct args *a, struct command *c, const char *input)
{
	struct ip_parser parser = {.ip = {.command = c, .input = input}};
	const struct keyword *object;

	while (args_left(a) && *args_peek(a) == '-') {
		if (strcmp(args_peek(a), "--") == 0) {
			a->at++;
			break;
		}
		if (!parse_option(a, &parser))
			return false;
	}
	if (!args_left(a))
		return args_error_next(a, "ip: an object is missing: link, address, addrlabel, "
					  "route, neighbour, maddress, netns or xfrm");
	object = keyword_find(objects, args_peek(a));
	if (object)
		return keyword_run(object, a, "ip", &parser.ip);
	a->at++;
	return args_error(a, "Object \"%s\" is unknown, try \"ip help\".",
			  words_at(a->words, a->at - 1)->text);
}

bool
ip_command_parse(struct args *a, struct ip *ip, const char *name, const struct keyword *table,
		 bool (*fallback)(struct args *, void *ip, const struct keyword *))
{
	const struct keyword *k;
	g_autofree char *what = g_strconcat("ip ", name, NULL);

	if (!args_left(a))
		return fallback(a, ip, NULL);
	k = keyword_find(table, args_peek(a));
	if (k)
		return keyword_run(k, a, what, ip);
	a->at++;
	return args_error(a, "Command \"%s\" is unknown, try \"ip %s help\".",
			  words_at(a->words, a->at - 1)->text, name);
}

bool
ip_refuse_statistics(struct args *a, const struct ip *ip, const char *what)
{
	if (!ip->options.statistics)
		return true;
	return args_error(a, "not simulated: -statistics of %s", what);
}

/* Names that iproute2 has for numbers. */

static const struct {
	const char *name;
	uint8_t scope;
} scopes[] = {{"global", 0}, {"universe", 0}, {"nowhere", 255},
	      {"host", 254}, {"link", 253},   {"site", 200}};

bool
ip_scope(const char *text, uint8_t *scope)
{
	uint64_t number;

	for (unsigned i = 0; i < G_N_ELEMENTS(scopes); i++)
		if (strcmp(scopes[i].name, text) == 0) {
			*scope = scopes[i].scope;
			return true;
		}
	if (!args_number(text, 0, 255, &number))
		return false;
	*scope = (uint8_t)number;
	return true;
}

const char *
ip_scope_name(uint8_t scope, char buffer[8])
{
	for (unsigned i = 0; i < G_N_ELEMENTS(scopes); i++)
		if (scopes[i].scope == scope)
			return scopes[i].name;
	g_snprintf(buffer, 8, "%u", scope);
	return buffer;
}

bool
ip_is_name(const char *name)
{
	if (!*name || strlen(name) >= IFNAMSIZ)
		return false;
	for (; *name; name++)
		if (*name == '/' || g_ascii_isspace(*name))
			return false;
	return true;
}
