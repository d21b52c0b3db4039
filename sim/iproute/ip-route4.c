/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-route4.c - 'ip route' of IPv4: add, replace, change, delete and show. */
#include <arpa/inet.h>
#include <linux/netlink.h>
#include <string.h>

#include "iproute/ip-address.h"
#include "iproute/ip-route.h"
#include "net/fib4.h"

#define HELP "Command line is not complete. Try option \"help\""

bool
ip_route_is_inet(const struct args *a, const struct ip *ip)
{
	if (ip->options.family != AF_UNSPEC)
		return ip->options.family == AF_INET;
	for (unsigned i = a->at; i < a->end; i++)
		if (strchr(words_at(a->words, i)->text, ':'))
			return false;
	return true;
}

/* "ADDRESS", "ADDRESS/LENGTH", or what stands for all of them. */
static bool
take_prefix(struct args *a, uint32_t *addr, uint8_t *len)
{
	static const char *const everything[] = {"default", "any", "all", NULL};
	int family = AF_INET;
	uint8_t bytes[16];
	unsigned bits = 0;

	if (!args_left(a))
		return args_error_next(a, HELP);
	*addr = *len = 0;
	if (g_strv_contains(everything, args_peek(a))) {
		a->at++;
		return true;
	}
	if (!address_parse_any_prefix(a, &family, bytes, &bits))
		return false;
	memcpy(addr, bytes, sizeof *addr);
	*addr = GUINT32_FROM_BE(*addr);
	*len = (uint8_t)bits;
	return true;
}

static bool
take_address(struct args *a, uint32_t *addr)
{
	const char *text;

	if (!args_value(a, &text))
		return false;
	if (inet_pton(AF_INET, text, addr) != 1)
		return args_error(a, "Error: inet address is expected rather than \"%s\".", text);
	*addr = GUINT32_FROM_BE(*addr);
	return true;
}

static bool
take_table(struct args *a, uint32_t *table)
{
	const char *text;

	if (!args_value(a, &text))
		return false;
	if (!route_table(text, table))
		return args_wrong(a, "\"table\" value is invalid");
	return *table == RT_TABLE_MAIN || *table == RT_TABLE_LOCAL ||
	       args_not_simulated(a, "IPv4 routes in other tables than main and local");
}

/* Add, replace, change, delete */

struct modify {
	struct fib_config config;
	bool delete, has_dst, has_scope;
	char *dev;
};

static void
modify_free(void *data)
{
	struct modify *c = data;

	g_free(c->dev);
	g_free(c);
}

static void
modify_run(struct process *p, const void *data)
{
	const struct modify *c = data;
	struct fib_config config = c->config;
	struct ext_ack ack = {.message = ""};
	int result;

	if (c->dev && !(config.ifindex = route_device(p, c->dev)))
		return;
	result = c->delete ? inet_rtm_delroute(p->net, &config, &ack)
			   : inet_rtm_newroute(p->net, &config, &ack);
	process_talked(p, result, &ack);
}

static const struct command_type modify_type = {.run = modify_run, .free = modify_free};

static bool
word_address(struct args *a, void *data, const struct keyword *k)
{
	return take_address(a, (uint32_t *)(void *)((char *)data + k->value));
}

static bool
word_dev(struct args *a, void *data, const struct keyword *k)
{
	return args_string(a, &((struct modify *)data)->dev);
}

static bool
word_metric(struct args *a, void *data, const struct keyword *k)
{
	const char *text;
	uint64_t metric;

	if (!args_value(a, &text))
		return false;
	if (!args_number(text, 0, UINT32_MAX, &metric))
		return args_wrong(a, "\"metric\" value is invalid");
	((struct modify *)data)->config.priority = (uint32_t)metric;
	return true;
}

static bool
word_table(struct args *a, void *data, const struct keyword *k)
{
	return take_table(a, &((struct modify *)data)->config.table);
}

static bool
word_protocol(struct args *a, void *data, const struct keyword *k)
{
	const char *text;

	if (!args_value(a, &text))
		return false;
	return route_protocol(text, &((struct modify *)data)->config.protocol) ||
	       args_wrong(a, "\"protocol\" value is invalid");
}

static bool
word_scope(struct args *a, void *data, const struct keyword *k)
{
	struct modify *c = data;
	const char *text;

	if (!args_value(a, &text))
		return false;
	c->has_scope = true;
	return ip_scope(text, &c->config.scope) || args_wrong(a, "\"scope\" value is invalid");
}

static bool
word_to(struct args *a, void *data, const struct keyword *k)
{
	struct modify *c = data;
	const struct keyword *type = args_left(a) ? route_type_find(args_peek(a)) : NULL;

	if (type) {
		a->at++;
		c->config.type = (uint8_t)type->value;
	}
	if (c->has_dst) {
		a->at++;
		return args_garbage(a, "to");
	}
	c->has_dst = true;
	return take_prefix(a, &c->config.dst, &c->config.dst_len);
}

#define FIELD(field) offsetof(struct modify, config.field)

static const struct keyword words[] = {
	{"src", true, word_address, FIELD(prefsrc)},
	{"via", true, word_address, FIELD(gateway)},
	{"metric", false, word_metric, 0},
	{"priority", false, word_metric, 0},
	{"scope", true, word_scope, 0},
	{"protocol", false, word_protocol, 0},
	{"table", false, word_table, 0},
	{"dev", true, word_dev, 0},
	{"oif", true, word_dev, 0},
	{"to", true, word_to, 0},
	{"from", true, NULL, 0},
	{"tos", true, NULL, 0},
	{"dsfield", false, NULL, 0},
	{"mtu", true, NULL, 0},
	{"advmss", true, NULL, 0},
	{"nexthop", true, NULL, 0},
	{"nhid", true, NULL, 0},
	{"vrf", true, NULL, 0},
	{"encap", true, NULL, 0},
	{"onlink", true, NULL, 0},
	{"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

static bool
parse_words(struct args *a, struct modify *c)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(words, args_peek(a));
		bool ok = k && !route_type_find(args_peek(a)) ? keyword_run(k, a, "ip route", c)
							      : word_to(a, c, NULL);

		if (!ok)
			return false;
	}
	return c->has_dst || args_error_next(a, "a destination is missing: ip route add PREFIX "
						"[via GATEWAY] [dev DEVICE]");
}

/* What ip says where the user does not. */
static void
assume(struct modify *c)
{
	struct fib_config *cfg = &c->config;

	if (cfg->table == 0)
		cfg->table = cfg->type == RTN_LOCAL ? RT_TABLE_LOCAL : RT_TABLE_MAIN;
	if (!c->delete &&cfg->protocol == 0)
		cfg->protocol = RTPROT_BOOT;
	if (c->has_scope)
		return;
	if (c->delete)
		cfg->scope = RT_SCOPE_NOWHERE;
	else if (cfg->type == RTN_LOCAL)
		cfg->scope = RT_SCOPE_HOST;
	else if (cfg->type == RTN_UNICAST && !cfg->gateway)
		cfg->scope = RT_SCOPE_LINK;
}

bool
ip_route4_modify_parse(struct args *a, struct ip *ip, const struct keyword *k)
{
	struct modify *c;

	if (k->value && !(k->value & (NLM_F_EXCL | NLM_F_REPLACE)))
		return args_not_simulated(a, "to append and prepend routes of IPv4");
	c = g_new0(struct modify, 1);
	c->delete = k->value == 0;
	c->config.nlflags = (uint16_t)k->value;
	c->config.type = c->delete ? RTN_UNSPEC : RTN_UNICAST;
	if (parse_words(a, c)) {
		assume(c);
		return command_becomes(ip->command, &modify_type, c);
	}
	modify_free(c);
	return false;
}

/* Show */

struct filter {
	uint32_t table; /* 0: all */
	bool has_prefix;
	uint32_t prefix;
	uint8_t prefix_len;
	char *dev;
};

struct listing {
	struct process *process;
	const struct filter *filter;
	int ifindex;
};

static void
filter_free(void *data)
{
	struct filter *f = data;

	g_free(f->dev);
	g_free(f);
}

static void
append_address(GString *out, const char *before, uint32_t addr)
{
	uint32_t be = GUINT32_TO_BE(addr);
	char text[INET_ADDRSTRLEN];

	g_string_append_printf(out, "%s%s", before, inet_ntop(AF_INET, &be, text, sizeof text));
}

static void
append_destination(GString *out, const struct fib_alias *fa)
{
	const char *type = fa->type == RTN_BROADCAST ? "broadcast" : route_type_name(fa->type);

	if (type)
		g_string_append_printf(out, "%s ", type);
	if (fa->dst_len == 0) {
		g_string_append(out, "default");
		return;
	}
	append_address(out, "", fa->dst);
	if (fa->dst_len < 32)
		g_string_append_printf(out, "/%u", fa->dst_len);
}

static bool
fits(const struct listing *l, const struct fib_alias *fa)
{
	const struct filter *f = l->filter;

	return (!l->ifindex || (fa->dev && fa->dev->ifindex == l->ifindex)) &&
	       (!f->has_prefix || (fa->dst == f->prefix && fa->dst_len == f->prefix_len));
}

static void
show_route(const struct fib_alias *fa, void *data)
{
	const struct listing *l = data;
	GString *out = l->process->answer->output;
	char buffer[12];

	if (!fits(l, fa))
		return;
	append_destination(out, fa);
	if (fa->gateway)
		append_address(out, " via ", fa->gateway);
	if (fa->dev && !l->ifindex)
		g_string_append_printf(out, " dev %s", fa->dev->name);
	if (!l->filter->table && fa->table != RT_TABLE_MAIN)
		g_string_append_printf(out, " table %s", route_table_name(fa->table, buffer));
	if (fa->protocol != RTPROT_BOOT)
		g_string_append_printf(out, " proto %s", route_protocol_name(fa->protocol, buffer));
	if (fa->scope != RT_SCOPE_UNIVERSE)
		g_string_append_printf(out, " scope %s", ip_scope_name(fa->scope, buffer));
	if (fa->prefsrc)
		append_address(out, " src ", fa->prefsrc);
	if (fa->priority)
		g_string_append_printf(out, " metric %u", fa->priority);
	g_string_append(out, fa->dev && fa->type != RTN_LOCAL && !netif_carrier_ok(fa->dev)
				     ? " linkdown \n"
				     : " \n");
}

static void
show_run(struct process *p, const void *data)
{
	const struct filter *f = data;
	struct listing l = {.process = p, .filter = f};

	if (f->dev && !(l.ifindex = route_device(p, f->dev)))
		return;
	inet_dump_fib(p->net, f->table, show_route, &l);
}

static const struct command_type show_type = {.run = show_run, .free = filter_free};

static bool
show_dev(struct args *a, void *data, const struct keyword *k)
{
	return args_string(a, &((struct filter *)data)->dev);
}

static bool
show_table(struct args *a, void *data, const struct keyword *k)
{
	struct filter *f = data;

	if (args_left(a) && strcmp(args_peek(a), "all") == 0) {
		a->at++;
		f->table = 0;
		return true;
	}
	return take_table(a, &f->table);
}

static bool
show_prefix(struct args *a, void *data, const struct keyword *k)
{
	struct filter *f = data;

	f->has_prefix = true;
	return take_prefix(a, &f->prefix, &f->prefix_len);
}

static const struct keyword filters[] = {
	{"table", false, show_table, 0}, {"dev", true, show_dev, 0},
	{"oif", true, show_dev, 0},      {"to", true, show_prefix, 0},
	{"exact", true, show_prefix, 0}, {"root", true, NULL, 0},
	{"match", true, NULL, 0},        {"vrf", true, NULL, 0},
	{"type", false, NULL, 0},        {"scope", true, NULL, 0},
	{"protocol", false, NULL, 0},    {"via", true, NULL, 0},
	{"src", true, NULL, 0},          {"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

static bool
parse_filter(struct args *a, struct filter *f)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(filters, args_peek(a));

		if (k ? !keyword_run(k, a, "ip route show", f) : !show_prefix(a, f, NULL))
			return false;
	}
	return true;
}

bool
ip_route4_show_parse(struct args *a, struct ip *ip)
{
	struct filter *f;

	if (ip->options.json)
		return args_not_simulated(a, "-json of 'ip route'");
	f = g_new0(struct filter, 1);
	f->table = RT_TABLE_MAIN;
	if (parse_filter(a, f))
		return command_becomes(ip->command, &show_type, f);
	filter_free(f);
	return false;
}
