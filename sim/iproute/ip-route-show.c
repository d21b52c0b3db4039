/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-route-show.c - 'ip -6 route show' and 'flush': ip asks for a table and picks out of
 * it; for each route that is to go it sends a deletion. */
#include <arpa/inet.h>
#include <string.h>

#include "iproute/ip-route.h"

/* How the prefix of a route is compared with the one that was asked for. */
enum prefix_match { MATCH_NONE, MATCH_EXACT, MATCH_ROOT, MATCH_ENCLOSING };

struct route_filter {
	bool flush, table_given, all_tables, has_protocol;
	uint32_t table;
	uint8_t protocol, type; /* type 0: any */
	char *dev, *vrf;
	enum prefix_match match;
	uint8_t prefix[16], prefix_len;
	int family;
};

static void
filter_free(void *data)
{
	struct route_filter *f = data;

	g_free(f->dev);
	g_free(f->vrf);
	g_free(f);
}

/* One run */
struct listing {
	struct process *process;
	const struct route_filter *filter;
	int ifindex;
	GArray *deletions; /* struct fib6_config; of flush */
};

static bool
prefix_fits(const struct route_filter *f, const struct fib6_info *rt)
{
	unsigned shorter = MIN(f->prefix_len, fib6_plen(rt));

	if (f->match == MATCH_NONE)
		return true;
	for (unsigned bit = 0; bit < shorter; bit++)
		if ((f->prefix[bit / 8] ^ fib6_dst(rt)[bit / 8]) & 0x80 >> bit % 8)
			return false;
	if (f->match == MATCH_ROOT)
		return fib6_plen(rt) >= f->prefix_len;
	return f->match == MATCH_ENCLOSING ? fib6_plen(rt) <= f->prefix_len
					   : fib6_plen(rt) == f->prefix_len;
}

/* A VRF's table has, unlike others, what its devices receive: that is left out. */
static bool
fits(const struct listing *l, const struct fib6_info *rt)
{
	const struct route_filter *f = l->filter;

	return (!f->has_protocol || rt->protocol == f->protocol) &&
	       (!f->type || rt->type == f->type) && !(f->vrf && rt->type == RTN_LOCAL) &&
	       (!l->ifindex || rt->dev->ifindex == l->ifindex) && prefix_fits(f, rt);
}

static void
append_destination(GString *out, const struct fib6_info *rt)
{
	const char *type = route_type_name(rt->type);
	char text[INET6_ADDRSTRLEN];

	if (type)
		g_string_append_printf(out, "%s ", type);
	if (fib6_plen(rt) == 0) {
		g_string_append(out, "default");
		return;
	}
	g_string_append(out, inet_ntop(AF_INET6, fib6_dst(rt), text, sizeof text));
	if (fib6_plen(rt) < 128)
		g_string_append_printf(out, "/%u", fib6_plen(rt));
}

static void
show_route(const struct fib6_info *rt, void *data)
{
	const struct listing *l = data;
	struct route_line line = {.net = l->process->net,
				  .hide_dev = l->ifindex != 0,
				  .hide_table = !l->filter->all_tables,
				  .hide_protocol = l->filter->has_protocol};

	if (!fits(l, rt))
		return;
	append_destination(l->process->answer->output, rt);
	route_append(l->process->answer->output, rt, &line);
}

static void
note_deletion(const struct fib6_info *rt, void *data)
{
	const struct listing *l = data;
	struct fib6_config cfg = {.table = rt->table->id,
				  .metric = rt->metric,
				  .type = rt->type,
				  .protocol = rt->protocol,
				  .dst_len = (uint8_t)fib6_plen(rt),
				  .has_gateway = rt->has_gateway && rt->nsiblings == 0,
				  .ifindex = rt->nsiblings == 0 ? rt->dev->ifindex : 0};

	if (!fits(l, rt))
		return;
	memcpy(cfg.dst, fib6_dst(rt), sizeof cfg.dst);
	if (cfg.has_gateway)
		memcpy(cfg.gateway, fib6_gateway(rt), sizeof cfg.gateway);
	g_array_append_val(l->deletions, cfg);
}

/* The message, and where the dump broke off. */
static bool
dump(struct listing *l, void (*each)(const struct fib6_info *, void *))
{
	const struct route_filter *f = l->filter;
	uint32_t table = f->all_tables ? 0 : f->table;
	struct ext_ack ack = {.message = ""};
	int result;

	if (f->vrf && !(table = route_vrf_table(l->process, f->vrf)))
		return false;
	result = inet6_dump_fib(l->process->net, table, each, l, &ack);
	if (process_talked(l->process, result, &ack))
		return true;
	g_string_append(l->process->answer->error, "Dump terminated\n");
	return false;
}

static void
filter_run(struct process *p, const void *data)
{
	const struct route_filter *f = data;
	struct listing l = {.process = p, .filter = f};

	if (f->dev && !(l.ifindex = route_device(p, f->dev)))
		return;
	if (!f->flush) {
		dump(&l, show_route);
		return;
	}
	l.deletions = g_array_new(FALSE, FALSE, sizeof(struct fib6_config));
	if (dump(&l, note_deletion))
		for (unsigned i = 0; i < l.deletions->len; i++)
			inet6_rtm_delroute(
				p->net, &g_array_index(l.deletions, struct fib6_config, i), NULL);
	g_array_unref(l.deletions);
}

static const struct command_type filter_type = {.run = filter_run, .free = filter_free};

/* Words */

static bool
word_table(struct args *a, void *data, const struct keyword *k)
{
	struct route_filter *f = data;
	const char *text;

	if (!args_value(a, &text))
		return false;
	f->table_given = true;
	f->all_tables = strcmp(text, "all") == 0 || strcmp(text, "unspec") == 0;
	if (strcmp(text, "cache") == 0)
		return args_not_simulated(a, "the cache of routes");
	return f->all_tables || route_table(text, &f->table) ||
	       args_wrong(a, "table id value is invalid");
}

static bool
word_name(struct args *a, void *data, const struct keyword *k)
{
	return args_string(a, (char **)((char *)data + k->value));
}

static bool
word_protocol(struct args *a, void *data, const struct keyword *k)
{
	struct route_filter *f = data;
	const char *text;

	if (!args_value(a, &text))
		return false;
	f->has_protocol = strcmp(text, "all") != 0;
	return !f->has_protocol || route_protocol(text, &f->protocol) ||
	       args_wrong(a, "invalid \"protocol\"");
}

static bool
word_type(struct args *a, void *data, const struct keyword *k)
{
	const struct keyword *type;
	const char *text;

	if (!args_value(a, &text))
		return false;
	type = route_type_find(text);
	if (!type)
		return args_wrong(a, "node type value is invalid");
	((struct route_filter *)data)->type = (uint8_t)type->value;
	return true;
}

static bool
word_prefix(struct args *a, void *data, const struct keyword *k)
{
	struct route_filter *f = data;

	f->match = (enum prefix_match)(k ? k->value : MATCH_EXACT);
	return route_take_prefix(a, f->family, f->prefix, &f->prefix_len);
}

#define NAME(field) offsetof(struct route_filter, field)

static const struct keyword words[] = {
	{"table", false, word_table, 0},
	{"vrf", true, word_name, NAME(vrf)},
	{"cached", false, NULL, 0},
	{"cloned", true, NULL, 0},
	{"tos", true, NULL, 0},
	{"metric", false, NULL, 0},
	{"protocol", false, word_protocol, 0},
	{"scope", true, NULL, 0},
	{"type", false, word_type, 0},
	{"dev", true, word_name, NAME(dev)},
	{"oif", true, word_name, NAME(dev)},
	{"iif", true, NULL, 0},
	{"via", true, NULL, 0},
	{"src", true, NULL, 0},
	{"from", true, NULL, 0},
	{"to", true, word_prefix, MATCH_EXACT},
	{"root", true, word_prefix, MATCH_ROOT},
	{"match", true, word_prefix, MATCH_ENCLOSING},
	{"exact", true, word_prefix, MATCH_EXACT},
	{"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

static bool
parse_words(struct args *a, struct ip *ip, struct route_filter *f)
{
	if (ip->options.family != AF_INET6)
		return args_not_simulated(a,
					  "a flush of routes of IPv4; IPv6 is 'ip -6 route flush'");
	if (ip->options.json)
		return args_not_simulated(a, "-json of 'ip route'");
	while (args_left(a)) {
		const struct keyword *k = keyword_find(words, args_peek(a));
		bool ok = k ? keyword_run(k, a, "ip route show", f) : word_prefix(a, f, NULL);

		if (!ok)
			return false;
	}
	return true;
}

static bool
parse_filter(struct args *a, struct ip *ip, bool flush)
{
	struct route_filter *f;

	if (!flush && ip_route_is_inet(a, ip))
		return ip_route4_show_parse(a, ip);
	f = g_new0(struct route_filter, 1);
	f->flush = flush;
	f->family = ip->options.family;
	f->table = RT_TABLE_MAIN;
	if (parse_words(a, ip, f))
		return command_becomes(ip->command, &filter_type, f);
	filter_free(f);
	return false;
}

bool
ip_route_show_parse(struct args *a, void *ip, const struct keyword *k)
{
	return parse_filter(a, ip, false);
}

bool
ip_route_flush_parse(struct args *a, void *ip, const struct keyword *k)
{
	if (!args_left(a))
		return args_error_next(a, "\"ip route flush\" requires arguments.");
	return parse_filter(a, ip, true);
}
