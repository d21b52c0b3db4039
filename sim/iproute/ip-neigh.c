/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-neigh.c - 'ip neighbour': who is known on a link. */
#include <arpa/inet.h>
#include <string.h>

#include "iproute/ip-route.h"
#include "net/ndisc.h"

struct neigh_command {
	struct neigh_request request;
	int family; /* AF_UNSPEC: whatever the address is */
	bool delete, has_dst, has_state;
	char *dev;
};

static void
neigh_free(void *data)
{
	struct neigh_command *c = data;

	g_free(c->dev);
	g_free(c);
}

static void
neigh_run(struct process *p, const void *data)
{
	const struct neigh_command *c = data;
	struct neigh_request request = c->request;
	struct ext_ack ack = {.message = ""};
	int result;

	if (!(request.ifindex = route_device(p, c->dev)))
		return;
	result = c->delete ? neigh_delete(p->net, &request, &ack)
			   : neigh_add(p->net, &request, &ack);
	process_talked(p, result, &ack);
}

static const struct command_type neigh_type = {.run = neigh_run, .free = neigh_free};

/* States */

static const struct {
	const char *word, *shown;
	uint16_t state;
} states[] = {
	{"permanent", "PERMANENT", NUD_PERMANENT},
	{"reachable", "REACHABLE", NUD_REACHABLE},
	{"noarp", "NOARP", NUD_NOARP},
	{"none", "NONE", NUD_NONE},
	{"stale", "STALE", NUD_STALE},
	{"incomplete", "INCOMPLETE", NUD_INCOMPLETE},
	{"delay", "DELAY", NUD_DELAY},
	{"probe", "PROBE", NUD_PROBE},
	{"failed", "FAILED", NUD_FAILED},
};

static bool
take_state(struct args *a, uint16_t *state)
{
	const char *text;

	if (!args_value(a, &text))
		return false;
	for (unsigned i = 0; i < G_N_ELEMENTS(states); i++) {
		if (strcmp(states[i].word, text) == 0) {
			*state = states[i].state;
			return true;
		}
	}
	return args_wrong(a, "nud state is bad");
}

/* add, change, replace, delete */

static bool
word_nud(struct args *a, void *data, const struct keyword *k)
{
	struct neigh_command *c = data;

	c->has_state = true;
	return take_state(a, &c->request.state);
}

static bool
word_lladdr(struct args *a, void *data, const struct keyword *k)
{
	struct neigh_request *r = &((struct neigh_command *)data)->request;
	const char *text;

	if (!args_value(a, &text))
		return false;
	r->has_lladdr = true;
	return args_lladdr(a, text, r->lladdr, sizeof r->lladdr, &r->lladdr_len);
}

static bool
word_router(struct args *a, void *data, const struct keyword *k)
{
	((struct neigh_command *)data)->request.router = true;
	return true;
}

static bool
word_dev(struct args *a, void *data, const struct keyword *k)
{
	return args_string(a, &((struct neigh_command *)data)->dev);
}

static bool
take_dst(struct args *a, struct neigh_command *c)
{
	const char *text;

	if (!args_value(a, &text))
		return false;
	if (c->family != AF_INET6 && inet_pton(AF_INET, text, c->request.dst) == 1) {
		c->request.dst_len = 4;
		return true;
	}
	c->request.dst_len = 16;
	return (c->family != AF_INET && inet_pton(AF_INET6, text, c->request.dst) == 1) ||
	       args_error(a, "Error: %s address is expected rather than \"%s\".",
			  c->family == AF_INET    ? "inet"
			  : c->family == AF_INET6 ? "inet6"
						  : "any valid",
			  text);
}

static bool
word_to(struct args *a, void *data, const struct keyword *k)
{
	struct neigh_command *c = data;

	if (c->has_dst) {
		args_take(a);
		return args_garbage(a, "to");
	}
	c->has_dst = true;
	return take_dst(a, c);
}

static const struct keyword words[] = {
	{"lladdr", true, word_lladdr, 0}, {"nud", true, word_nud, 0},
	{"proxy", false, NULL, 0},        {"router", true, word_router, 0},
	{"extern_learn", false, NULL, 0}, {"dev", true, word_dev, 0},
	{"protocol", false, NULL, 0},     {"to", true, word_to, 0},
	{"help", false, NULL, 0},         {NULL, false, NULL, 0},
};

static bool
parse_words(struct args *a, struct ip *ip, struct neigh_command *c)
{
	c->family = ip->options.family;
	while (args_left(a)) {
		const struct keyword *k = keyword_find(words, args_peek(a));
		bool ok = k ? keyword_run(k, a, "ip neigh", c) : word_to(a, c, NULL);

		if (!ok)
			return false;
	}
	return (c->dev && c->has_dst) ||
	       args_error_next(a, "Device and destination are required arguments.");
}

enum verb { NEIGH_ADD, NEIGH_CHANGE, NEIGH_REPLACE, NEIGH_DELETE };

static bool
parse_verb(struct args *a, void *data, const struct keyword *k)
{
	struct neigh_command *c = g_new0(struct neigh_command, 1);
	struct ip *ip = data;

	c->delete = k->value == NEIGH_DELETE;
	c->request.create = k->value == NEIGH_ADD || k->value == NEIGH_REPLACE;
	c->request.exclusive = k->value == NEIGH_ADD;
	c->request.replace = k->value == NEIGH_REPLACE || k->value == NEIGH_CHANGE;
	c->request.state = NUD_PERMANENT;
	if (parse_words(a, ip, c))
		return command_becomes(ip->command, &neigh_type, c);
	neigh_free(c);
	return false;
}

/* show, flush */

struct neigh_filter {
	bool flush, all_states, has_state;
	int family; /* AF_UNSPEC: both */
	uint16_t state;
	char *dev;
};

static void
filter_free(void *data)
{
	struct neigh_filter *f = data;

	g_free(f->dev);
	g_free(f);
}

struct listing {
	struct process *process;
	const struct neigh_filter *filter;
	int ifindex;
	GArray *deletions; /* struct neigh_request; of flush */
};

/* What needs no address, and what has none, is not shown unless it is asked for; and a
 * flush leaves what somebody has put there. */
static bool
fits(const struct listing *l, const struct neighbour *n)
{
	const struct neigh_filter *f = l->filter;
	uint16_t state = neigh_state(n), hidden = f->flush ? NUD_PERMANENT | NUD_NOARP : NUD_NOARP;

	if (l->ifindex && n->dev->ifindex != l->ifindex)
		return false;
	if (f->all_states)
		return true;
	return f->has_state ? (state & f->state) != 0 || state == f->state
			    : state != NUD_NONE && !(state & hidden);
}

static void
show_neigh(const struct neighbour *n, void *data)
{
	const struct listing *l = data;
	uint16_t state = neigh_state(n);
	char addr[INET6_ADDRSTRLEN];

	if (!fits(l, n))
		return;
	process_print(
		l->process, "%s ",
		inet_ntop(n->key.len == 4 ? AF_INET : AF_INET6, n->key.addr, addr, sizeof addr));
	if (!l->ifindex)
		process_print(l->process, "dev %s ", n->dev->name);
	if (state & NUD_VALID)
		process_print(l->process, "lladdr %02x:%02x:%02x:%02x:%02x:%02x ", n->ha[0],
			      n->ha[1], n->ha[2], n->ha[3], n->ha[4], n->ha[5]);
	if (n->router)
		process_print(l->process, "router ");
	for (unsigned i = 0; i < G_N_ELEMENTS(states); i++)
		if (states[i].state == state && state != NUD_NONE)
			process_print(l->process, "%s ", states[i].shown);
	process_print(l->process, "\n");
}

static void
note_deletion(const struct neighbour *n, void *data)
{
	const struct listing *l = data;
	struct neigh_request r = {.ifindex = n->dev->ifindex, .dst_len = n->key.len};

	if (!fits(l, n))
		return;
	memcpy(r.dst, n->key.addr, r.dst_len);
	g_array_append_val(l->deletions, r);
}

/* The kernel's tables one after the other: first that of IPv4. */
static void
dump_families(const struct listing *l, void (*each)(const struct neighbour *, void *data))
{
	static const int families[] = {AF_INET, AF_INET6};

	for (unsigned i = 0; i < G_N_ELEMENTS(families); i++)
		if (l->filter->family == AF_UNSPEC || l->filter->family == families[i])
			neigh_dump(l->process->net, families[i], each, (void *)l);
}

static void
filter_run(struct process *p, const void *data)
{
	const struct neigh_filter *f = data;
	struct listing l = {.process = p, .filter = f};

	if (f->dev && !(l.ifindex = route_device(p, f->dev)))
		return;
	if (!f->flush) {
		p->answer->unordered = true;
		dump_families(&l, show_neigh);
		return;
	}
	l.deletions = g_array_new(FALSE, FALSE, sizeof(struct neigh_request));
	dump_families(&l, note_deletion);
	for (unsigned i = 0; i < l.deletions->len; i++)
		neigh_delete(p->net, &g_array_index(l.deletions, struct neigh_request, i), NULL);
	g_array_unref(l.deletions);
}

static const struct command_type filter_type = {.run = filter_run, .free = filter_free};

static bool
filter_dev(struct args *a, void *data, const struct keyword *k)
{
	return args_string(a, &((struct neigh_filter *)data)->dev);
}

static bool
filter_nud(struct args *a, void *data, const struct keyword *k)
{
	struct neigh_filter *f = data;
	uint16_t state = 0;

	if (args_left(a) && strcmp(args_peek(a), "all") == 0) {
		args_take(a);
		f->all_states = true;
		return true;
	}
	if (!take_state(a, &state))
		return false;
	f->has_state = true;
	f->state |= state;
	return true;
}

static const struct keyword filters[] = {
	{"dev", true, filter_dev, 0}, {"master", true, NULL, 0}, {"vrf", true, NULL, 0},
	{"nomaster", true, NULL, 0},  {"unused", true, NULL, 0}, {"nud", true, filter_nud, 0},
	{"proxy", true, NULL, 0},     {"to", true, NULL, 0},     {"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

static bool
parse_filter(struct args *a, struct ip *ip, struct neigh_filter *f)
{
	f->family = ip->options.family;
	if (ip->options.json || ip->options.statistics)
		return args_not_simulated(a, "-json and -statistics of 'ip neigh'");
	while (args_left(a)) {
		const struct keyword *k = keyword_find(filters, args_peek(a));

		if (!k) {
			args_take(a);
			return args_not_simulated(a, "neighbours by their address");
		}
		if (!keyword_run(k, a, "ip neigh show", f))
			return false;
	}
	return true;
}

static bool
parse_show(struct args *a, void *data, const struct keyword *k)
{
	struct neigh_filter *f = g_new0(struct neigh_filter, 1);
	struct ip *ip = data;

	f->flush = k && k->value;
	if (parse_filter(a, ip, f))
		return command_becomes(ip->command, &filter_type, f);
	filter_free(f);
	return false;
}

static bool
parse_flush(struct args *a, void *data, const struct keyword *k)
{
	if (!args_left(a))
		return args_error_next(a, "Flush requires arguments.");
	return parse_show(a, data, k);
}

static const struct keyword commands[] = {
	{"add", false, parse_verb, NEIGH_ADD},
	{"change", false, parse_verb, NEIGH_CHANGE},
	{"chg", true, parse_verb, NEIGH_CHANGE},
	{"replace", false, parse_verb, NEIGH_REPLACE},
	{"delete", false, parse_verb, NEIGH_DELETE},
	{"get", false, NULL, 0},
	{"show", false, parse_show, false},
	{"lst", true, parse_show, false},
	{"list", false, parse_show, false},
	{"flush", false, parse_flush, true},
	{"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

bool
ip_neigh_parse(struct args *a, void *ip, const struct keyword *k)
{
	return ip_command_parse(a, ip, "neigh", commands, parse_show);
}
