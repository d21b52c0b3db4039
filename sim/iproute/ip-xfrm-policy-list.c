/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-xfrm-policy-list.c - 'ip xfrm policy list|deleteall|get|delete|flush|count|set'. */
#include <linux/netlink.h>
#include <string.h>

#include "iproute/ip-xfrm.h"
#include "iproute/rtnl.h"
#include "net/xfrm-policy-user.h"

/* Which policies: what was not said lets all through. */
struct listing {
	struct xfrm_pol wanted;
	struct xfrm_show show;
	char *dev; /* of the selector; or null */
	bool deletes, has_dir, has_type, has_action, has_priority, has_index, has_selector;
};

struct list_run {
	const struct listing *command;
	struct process *process;
	GArray *doomed; /* struct xfrm_pol */
};

static bool
prefix_fits(const xfrm_address_t *prefix, const xfrm_address_t *addr, unsigned bits)
{
	const uint8_t *p = (const uint8_t *)prefix, *a = (const uint8_t *)addr;

	if (memcmp(p, a, bits / 8) != 0)
		return false;
	return bits % 8 == 0 || (p[bits / 8] ^ a[bits / 8]) >> (8 - bits % 8) == 0;
}

static bool
selector_fits(const struct xfrm_selector *w, const struct xfrm_selector *s)
{
	if (w->family && w->family != s->family)
		return false;
	if ((w->proto && w->proto != s->proto) || ((w->sport ^ s->sport) & w->sport_mask) ||
	    ((w->dport ^ s->dport) & w->dport_mask))
		return false;
	return prefix_fits(&w->saddr, &s->saddr, w->prefixlen_s) &&
	       prefix_fits(&w->daddr, &s->daddr, w->prefixlen_d);
}

static bool
is_wanted(const struct listing *c, const struct xfrm_pol *pol)
{
	const struct xfrm_userpolicy_info *w = &c->wanted.info, *i = &pol->info;

	if ((c->has_dir && w->dir != i->dir) || (c->has_type && c->wanted.type != pol->type) ||
	    (c->has_action && w->action != i->action) ||
	    (c->has_priority && w->priority != i->priority) ||
	    (c->has_index && w->index != i->index) || (w->flags && !(w->flags & i->flags)))
		return false;
	return selector_fits(&w->sel, &i->sel);
}

/* What tells it from others. */
static struct xfrm_pol
policy_of(const struct nlmsghdr *nlh)
{
	struct xfrm_pol pol = {.type = XFRM_POLICY_TYPE_MAIN};
	const struct nlattr *attr;

	memcpy(&pol.info, mnl_nlmsg_get_payload(nlh), sizeof pol.info);
	mnl_attr_for_each(attr, nlh, sizeof pol.info)
	{
		const void *payload = mnl_attr_get_payload(attr);

		if (mnl_attr_get_type(attr) == XFRMA_MARK)
			memcpy(&pol.mark, payload, sizeof pol.mark);
		else if (mnl_attr_get_type(attr) == XFRMA_IF_ID)
			memcpy(&pol.if_id, payload, sizeof pol.if_id);
		else if (mnl_attr_get_type(attr) == XFRMA_POLICY_TYPE)
			memcpy(&pol.type, payload, sizeof pol.type);
	}
	return pol;
}

static void
list_message(const struct nlmsghdr *nlh, void *data)
{
	struct list_run *r = data;
	struct xfrm_pol pol = policy_of(nlh);

	if (!is_wanted(r->command, &pol))
		return;
	if (r->command->deletes)
		g_array_append_val(r->doomed, pol);
	else
		show_xfrm_policy(&r->command->show, nlh, r->process->answer->output);
}

static void
list_run(struct process *p, const void *data)
{
	const struct listing *c = data;
	struct list_run r = {.command = c,
			     .process = p,
			     .doomed = g_array_new(FALSE, FALSE, sizeof(struct xfrm_pol))};
	uint64_t buffer[RTNL_REQUEST_SIZE / sizeof(uint64_t)];
	struct nlmsghdr *nlh =
		rtnl_dump_request(buffer, XFRM_MSG_GETPOLICY, AF_UNSPEC, sizeof(uint32_t));

	p->protocol = NETLINK_XFRM;
	process_dump(p, nlh, list_message, &r);
	for (unsigned n = 0; n < r.doomed->len; n++)
		xfrm_del_policy(p->net, &g_array_index(r.doomed, struct xfrm_pol, n));
	g_array_unref(r.doomed);
}

static void
listing_free(void *data)
{
	struct listing *c = data;

	g_free(c->dev);
	g_free(c);
}

static const struct command_type list_type = {.run = list_run, .free = listing_free};

static bool
word_type(struct args *a, void *data, const struct keyword *k)
{
	struct listing *c = data;

	c->has_type = true;
	return xfrm_take_ptype(a, &c->wanted.type);
}

static bool
word_dir(struct args *a, void *data, const struct keyword *k)
{
	struct listing *c = data;

	c->has_dir = true;
	return xfrm_take_dir(a, &c->wanted.info.dir);
}

static bool
word_action(struct args *a, void *data, const struct keyword *k)
{
	struct listing *c = data;
	uint32_t action = 0;

	c->has_action = true;
	if (!xfrm_take_word(a, xfrm_actions, "ACTION value is invalid", &action))
		return false;
	c->wanted.info.action = (uint8_t)action;
	return true;
}

static bool
word_priority(struct args *a, void *data, const struct keyword *k)
{
	struct listing *c = data;

	c->has_priority = true;
	return xfrm_take_u32(a, "PRIORITY value is invalid", &c->wanted.info.priority);
}

static bool
word_index(struct args *a, void *data, const struct keyword *k)
{
	struct listing *c = data;

	c->has_index = true;
	return xfrm_take_u32(a, "INDEX value is invalid", &c->wanted.info.index);
}

static bool
word_flags(struct args *a, void *data, const struct keyword *k)
{
	uint32_t flags = 0;

	if (!xfrm_take_flags(a, xfrm_policy_flags, &flags))
		return false;
	((struct listing *)data)->wanted.info.flags = (uint8_t)flags;
	return true;
}

/* There are no policies of sockets here. */
static bool
word_nosock(struct args *a, void *data, const struct keyword *k)
{
	return true;
}

static const struct keyword list_words[] = {
	{"dir", true, word_dir, 0},       {"ctx", true, NULL, 0},
	{"index", true, word_index, 0},   {"ptype", true, word_type, 0},
	{"action", true, word_action, 0}, {"priority", true, word_priority, 0},
	{"flag", true, word_flags, 0},    {"nosock", true, word_nosock, 0},
	{NULL, false, NULL, 0},
};

static bool
take_selector(struct args *a, struct xfrm_selector *sel, char **dev, bool *had)
{
	if (*had) {
		a->at++;
		return args_wrong(a, "unknown");
	}
	*had = true;
	return xfrm_take_selector(a, sel, dev);
}

static bool
parse_listing(struct args *a, struct listing *c)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(list_words, args_peek(a));

		if (k ? !keyword_run(k, a, "ip xfrm policy", c)
		      : !take_selector(a, &c->wanted.info.sel, &c->dev, &c->has_selector))
			return false;
	}
	return !c->dev || args_error_next(a, "not simulated: \"dev\" of ip xfrm policy list");
}

bool
ip_xfrm_policy_list_parse(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;
	struct listing *c = g_new0(struct listing, 1);

	c->deletes = k && k->value;
	c->show.statistics = ip->options.statistics;
	c->show.oneline = ip->options.oneline;
	if (ip->options.family != AF_PACKET)
		c->wanted.info.sel.family = (uint16_t)ip->options.family;
	if (parse_listing(a, c))
		return command_becomes(ip->command, &list_type, c);
	listing_free(c);
	return false;
}

/* One of them */

struct one {
	struct xfrm_pol wanted;
	struct xfrm_show show;
	char *dev; /* of the selector; or null */
	bool deletes, has_dir, has_type, has_index, has_selector;
};

/* Larger than any message about a policy. */
#define POLICY_MESSAGE_MAX 1024

static void
one_run(struct process *p, const void *data)
{
	const struct one *c = data;
	uint64_t buffer[POLICY_MESSAGE_MAX / sizeof(uint64_t)] = {0};
	struct skb answer = {.data = (uint8_t *)buffer, .size = sizeof buffer};
	struct xfrm_pol wanted = c->wanted;
	int err;

	if (c->dev)
		wanted.info.sel.ifindex = process_link(p, c->dev);
	err = c->deletes ? xfrm_del_policy(p->net, &wanted)
			 : xfrm_get_policy(p->net, &wanted, &answer);
	if (process_talked(p, err, &(struct ext_ack){.message = ""}) && !c->deletes)
		show_xfrm_policy(&c->show, (const struct nlmsghdr *)(const void *)buffer,
				 p->answer->output);
}

static void
one_free(void *data)
{
	struct one *c = data;

	g_free(c->dev);
	g_free(c);
}

static const struct command_type one_type = {.run = one_run, .free = one_free};

static bool
one_word(struct args *a, struct one *c)
{
	const char *word = args_take(a);

	if (strcmp(word, "dir") == 0) {
		if (c->has_dir)
			return args_duplicate(a, "dir");
		c->has_dir = true;
		return xfrm_take_dir(a, &c->wanted.info.dir);
	}
	if (strcmp(word, "mark") == 0)
		return xfrm_take_mark(a, &c->wanted.mark);
	if (strcmp(word, "index") == 0) {
		c->has_index = true;
		return xfrm_take_u32(a, "INDEX value is invalid", &c->wanted.info.index);
	}
	if (strcmp(word, "ptype") == 0) {
		if (c->has_type)
			return args_duplicate(a, "ptype");
		c->has_type = true;
		return xfrm_take_ptype(a, &c->wanted.type);
	}
	if (strcmp(word, "if_id") == 0)
		return xfrm_take_u32(a, "IF_ID value is invalid", &c->wanted.if_id);
	if (strcmp(word, "ctx") == 0)
		return args_error(a, "not simulated: \"ctx\" of ip xfrm policy");
	a->at--;
	return take_selector(a, &c->wanted.info.sel, &c->dev, &c->has_selector);
}

static bool
parse_one(struct args *a, struct one *c)
{
	while (args_left(a))
		if (!one_word(a, c))
			return false;
	if (!c->has_dir)
		return args_error_next(a, "Not enough information: DIR is required.");
	if (!c->has_selector && !c->has_index)
		return args_error_next(
			a, "Not enough information: either SELECTOR or INDEX is required.");
	if (c->has_selector && c->has_index)
		return args_error_next(
			a, "Error: either \"SELECTOR\" is duplicate, or \"INDEX\" is a garbage.");
	if (c->wanted.info.sel.family == AF_UNSPEC)
		c->wanted.info.sel.family = AF_INET;
	return true;
}

bool
ip_xfrm_policy_get_parse(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;
	struct one *c = g_new0(struct one, 1);

	c->deletes = k->value;
	c->show.statistics = ip->options.statistics;
	c->show.oneline = ip->options.oneline;
	if (parse_one(a, c))
		return command_becomes(ip->command, &one_type, c);
	one_free(c);
	return false;
}

/* All of them at once */

static void
flush_run(struct process *p, const void *data)
{
	process_talked(p, xfrm_flush_policy(p->net, *(const uint8_t *)data),
		       &(struct ext_ack){.message = ""});
}

static const struct command_type flush_type = {.run = flush_run, .free = g_free};

bool
ip_xfrm_policy_flush_parse(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;
	uint8_t type = XFRM_POLICY_TYPE_MAIN;
	bool had = false;

	while (args_left(a)) {
		if (strcmp(args_take(a), "ptype") != 0)
			return args_wrong(a, "unknown");
		if (had)
			return args_duplicate(a, "ptype");
		had = true;
		if (!xfrm_take_ptype(a, &type))
			return false;
	}
	return command_becomes(ip->command, &flush_type, g_memdup2(&type, sizeof type));
}

static void
count_run(struct process *p, const void *data)
{
	const struct ip_options *o = data;
	struct xfrm_policy_counts c = xfrm_spd_getinfo(p->net);

	process_print(p, "\t SPD IN  %u OUT %u FWD %u", c.count[XFRM_POLICY_IN],
		      c.count[XFRM_POLICY_OUT], c.count[XFRM_POLICY_FWD]);
	if (o->statistics)
		process_print(p, " (Sock: IN 0 OUT 0 FWD 0)");
	process_print(p, "\n");
	if (!o->more_statistics)
		return;
	process_print(p, "\t SPD buckets: count %u Max %u\n", c.hash_mask, c.buckets_max);
	process_print(p, "\t SPD IPv4 thresholds: local %u remote %u\n", c.lbits4, c.rbits4);
	process_print(p, "\t SPD IPv6 thresholds: local %u remote %u\n", c.lbits6, c.rbits6);
}

static const struct command_type count_type = {.run = count_run, .free = g_free};

bool
ip_xfrm_policy_count_parse(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;

	a->at = a->end; /* ip looks at nothing that follows */
	return command_becomes(ip->command, &count_type,
			       g_memdup2(&ip->options, sizeof ip->options));
}

/* Thresholds */

struct set {
	bool has4, has6;
	struct xfrm_policy_hthresh ipv4, ipv6;
};

static void
set_run(struct process *p, const void *data)
{
	const struct set *c = data;

	xfrm_policy_set_hthresh(p->net, c->has4 ? &c->ipv4 : NULL, c->has6 ? &c->ipv6 : NULL);
}

static const struct command_type set_type = {.run = set_run, .free = g_free};

static bool
take_bits(struct args *a, const char *name, const char *which, unsigned max, uint8_t *bits)
{
	g_autofree char *what = g_strdup_printf("%s %s value is invalid", name, which);
	const char *text;
	uint64_t number;

	if (!args_value(a, &text))
		return false;
	if (!args_number(text, 0, max, &number))
		return args_wrong(a, what);
	*bits = (uint8_t)number;
	return true;
}

static bool
take_hthresh(struct args *a, const char *name, unsigned max, struct xfrm_policy_hthresh *t,
	     bool *had)
{
	if (*had)
		return args_duplicate(a, name);
	*had = true;
	return take_bits(a, name, "LBITS", max, &t->lbits) &&
	       take_bits(a, name, "RBITS", max, &t->rbits);
}

bool
ip_xfrm_policy_set_parse(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;
	struct set c = {.has4 = false};

	while (args_left(a)) {
		const char *word = args_take(a);
		bool fine;

		if (strcmp(word, "hthresh4") == 0)
			fine = take_hthresh(a, word, 32, &c.ipv4, &c.has4);
		else if (strcmp(word, "hthresh6") == 0)
			fine = take_hthresh(a, word, 128, &c.ipv6, &c.has6);
		else
			fine = args_wrong(a, "unknown");
		if (!fine)
			return false;
	}
	return command_becomes(ip->command, &set_type, g_memdup2(&c, sizeof c));
}
