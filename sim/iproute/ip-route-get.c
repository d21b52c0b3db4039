/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-route-get.c - 'ip -6 route get': where a packet would go, and what from. */
#include <arpa/inet.h>

#include "iproute/ip-route.h"

struct route_get {
	struct flowi6 flow;
	int family;
	bool has_dst, has_src;
	char *dev;
};

static void
get_free(void *data)
{
	struct route_get *g = data;

	g_free(g->dev);
	g_free(g);
}

static void
print_route(struct process *p, const struct route_get *g, const struct fib6_result *res,
	    const uint8_t saddr[16])
{
	struct route_line line = {.net = p->net, .src = saddr, .dev = res->dev};
	const char *type = route_type_name(res->rt->type);
	char dst[INET6_ADDRSTRLEN], src[INET6_ADDRSTRLEN];

	process_print(p, "%s%s%s from %s", type ? type : "", type ? " " : "",
		      inet_ntop(AF_INET6, g->flow.daddr, dst, sizeof dst),
		      inet_ntop(AF_INET6, g->flow.saddr, src, sizeof src));
	route_append(p->answer->output, res->rt, &line);
}

static void
get_run(struct process *p, const void *data)
{
	const struct route_get *g = data;
	struct flowi6 flow = g->flow;
	struct fib6_result res;
	uint8_t saddr[16];
	int result;

	if (g->dev && !(flow.oif = route_device(p, g->dev)))
		return;
	result = inet6_rtm_getroute(p->net, &flow, &res, saddr);
	if (process_talked(p, result, &(struct ext_ack){.message = ""}))
		print_route(p, g, &res, saddr);
}

static const struct command_type get_type = {.run = get_run, .free = get_free};

static bool
word_to(struct args *a, void *data, const struct keyword *k)
{
	struct route_get *g = data;
	uint8_t len;

	g->has_dst = true;
	return route_take_prefix(a, g->family, g->flow.daddr, &len);
}

static bool
word_from(struct args *a, void *data, const struct keyword *k)
{
	struct route_get *g = data;

	g->has_src = true;
	return route_take_address(a, g->flow.saddr);
}

/* A VRF, too: its own device says which table. */
static bool
word_dev(struct args *a, void *data, const struct keyword *k)
{
	return args_string(a, &((struct route_get *)data)->dev);
}

static const struct keyword words[] = {
	{"tos", true, NULL, 0},       {"iif", true, NULL, 0},     {"mark", true, NULL, 0},
	{"oif", true, word_dev, 0},   {"dev", true, word_dev, 0}, {"notify", true, NULL, 0},
	{"connected", true, NULL, 0}, {"vrf", true, word_dev, 0}, {"uid", true, NULL, 0},
	{"fibmatch", true, NULL, 0},  {"as", true, NULL, 0},      {"sport", true, NULL, 0},
	{"dport", true, NULL, 0},     {"ipproto", true, NULL, 0}, {"from", true, word_from, 0},
	{"to", true, word_to, 0},     {"help", false, NULL, 0},   {NULL, false, NULL, 0},
};

static bool
parse_words(struct args *a, struct ip *ip, struct route_get *g)
{
	if (ip->options.json)
		return args_not_simulated(a, "-json of 'ip route'");
	while (args_left(a)) {
		const struct keyword *k = keyword_find(words, args_peek(a));
		bool ok = k ? keyword_run(k, a, "ip route get", g) : word_to(a, g, NULL);

		if (!ok)
			return false;
	}
	return g->has_dst || args_error_next(a, "need at least a destination address");
}

bool
ip_route_get_parse(struct args *a, void *data, const struct keyword *k)
{
	struct route_get *g = g_new0(struct route_get, 1);
	struct ip *ip = data;

	g->family = ip->options.family;
	if (parse_words(a, ip, g))
		return command_becomes(ip->command, &get_type, g);
	get_free(g);
	return false;
}
