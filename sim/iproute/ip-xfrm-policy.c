/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-xfrm-policy.c - 'ip xfrm policy add|update': from words to a request. */
#include <netinet/in.h>
#include <string.h>

#include "iproute/ip-xfrm.h"
#include "net/xfrm-policy-user.h"

#define TMPLS_MAX 16 /* as many as fit into iproute2's message */

struct modify {
	struct xfrm_pol pol;
	char *dev; /* of the selector; or null */
	bool update, has_dir, has_ptype, has_selector;
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
	struct ext_ack ack = {.message = ""};
	struct xfrm_pol pol = c->pol;

	if (c->dev) {
		pol.info.sel.ifindex = process_link(p, c->dev);
		if (!pol.info.sel.ifindex) {
			process_fail(p, 255,
				     "Error: argument \"%s\" is wrong: DEV value is invalid\n",
				     c->dev);
			return;
		}
	}
	process_talked(p, xfrm_add_policy(p->net, &pol, c->update, &ack), &ack);
}

static const struct command_type modify_type = {.run = modify_run, .free = modify_free};

bool
xfrm_take_dir(struct args *a, uint8_t *dir)
{
	uint32_t value;

	if (!xfrm_take_word(a, xfrm_dirs, "DIR value is invalid", &value))
		return false;
	*dir = (uint8_t)value;
	return true;
}

bool
xfrm_take_ptype(struct args *a, uint8_t *type)
{
	uint32_t value;

	if (!xfrm_take_word(a, xfrm_ptypes, "PTYPE value is invalid", &value))
		return false;
	*type = (uint8_t)value;
	return true;
}

/* Words */

static bool
word_dir(struct args *a, void *data, const struct keyword *k)
{
	struct modify *c = data;

	if (c->has_dir)
		return args_duplicate(a, "dir");
	c->has_dir = true;
	return xfrm_take_dir(a, &c->pol.info.dir);
}

static bool
word_ptype(struct args *a, void *data, const struct keyword *k)
{
	struct modify *c = data;

	if (c->has_ptype)
		return args_duplicate(a, "ptype");
	c->has_ptype = true;
	return xfrm_take_ptype(a, &c->pol.type);
}

static bool
word_mark(struct args *a, void *data, const struct keyword *k)
{
	return xfrm_take_mark(a, &((struct modify *)data)->pol.mark);
}

static bool
word_index(struct args *a, void *data, const struct keyword *k)
{
	return xfrm_take_u32(a, "INDEX value is invalid", &((struct modify *)data)->pol.info.index);
}

static bool
word_priority(struct args *a, void *data, const struct keyword *k)
{
	return xfrm_take_u32(a, "PRIORITY value is invalid",
			     &((struct modify *)data)->pol.info.priority);
}

static bool
word_if_id(struct args *a, void *data, const struct keyword *k)
{
	return xfrm_take_u32(a, "IF_ID value is invalid", &((struct modify *)data)->pol.if_id);
}

static bool
word_action(struct args *a, void *data, const struct keyword *k)
{
	uint32_t action;

	if (!xfrm_take_word(a, xfrm_actions, "ACTION value is invalid", &action))
		return false;
	((struct modify *)data)->pol.info.action = (uint8_t)action;
	return true;
}

/* What is no flag is the next word, of which there must be one. */
static bool
word_flag(struct args *a, void *data, const struct keyword *k)
{
	struct modify *c = data;
	const struct xfrm_word *w;
	bool any = false;

	if (!args_left(a))
		return args_error_next(a, "Command line is not complete. Try option \"help\"");
	do {
		for (w = xfrm_policy_flags; w->name && args_left(a); w++)
			if (strcmp(w->name, args_peek(a)) == 0)
				break;
		if (!args_left(a) || !w->name)
			break;
		c->pol.info.flags |= (uint8_t)w->value;
		a->at++;
		any = true;
	} while (true);
	if (any)
		return true;
	a->at++;
	return args_duplicate(a, "unknown");
}

static bool
word_limit(struct args *a, void *data, const struct keyword *k)
{
	return xfrm_take_limit(a, &((struct modify *)data)->pol.info.lft);
}

/* Templates: TMPL of ip-xfrm(8) */

static bool
tmpl_id(struct args *a, struct xfrm_user_tmpl *t)
{
	struct xfrm_ids ids = {.family = AF_UNSPEC};

	if (!xfrm_take_ids(a, &ids, false))
		return false;
	t->id.daddr = ids.daddr;
	t->id.spi = ids.spi;
	t->id.proto = ids.proto;
	t->saddr = ids.saddr;
	t->family = ids.family;
	return true;
}

static bool
tmpl_word(struct args *a, struct xfrm_user_tmpl *t, bool *has_id, bool *known)
{
	const char *word = args_take(a);
	uint32_t value = 0;

	*known = true;
	if (strcmp(word, "mode") == 0) {
		if (!xfrm_take_word(a, xfrm_modes, "MODE value is invalid", &value))
			return false;
		t->mode = (uint8_t)value;
		return true;
	}
	if (strcmp(word, "reqid") == 0)
		return xfrm_take_u32(a, "REQID value is invalid", &t->reqid);
	if (strcmp(word, "level") == 0) {
		if (!xfrm_take_word(a, xfrm_levels, "LEVEL value is invalid", &value))
			return false;
		t->optional = (uint8_t)value;
		return true;
	}
	a->at--;
	*known = !*has_id;
	if (*has_id)
		return true;
	*has_id = true;
	return tmpl_id(a, t);
}

static bool
word_tmpl(struct args *a, void *data, const struct keyword *k)
{
	struct modify *c = data;
	struct xfrm_user_tmpl t = {
		.aalgos = UINT32_MAX, .ealgos = UINT32_MAX, .calgos = UINT32_MAX};
	bool has_id = false, known = true;

	if (c->pol.tmpls == TMPLS_MAX)
		return args_error(a, "a policy has at most %d templates here", TMPLS_MAX);
	if (!args_left(a))
		return args_error_next(a, "Command line is not complete. Try option \"help\"");
	while (args_left(a) && known)
		if (!tmpl_word(a, &t, &has_id, &known))
			return false;
	if (c->pol.tmpls < XFRM_MAX_DEPTH)
		c->pol.tmpl[c->pol.tmpls] = t;
	c->pol.tmpls++;
	return true;
}

static const struct keyword words[] = {
	{"dir", true, word_dir, 0},           {"ctx", true, NULL, 0},
	{"mark", true, word_mark, 0},         {"index", true, word_index, 0},
	{"ptype", true, word_ptype, 0},       {"action", true, word_action, 0},
	{"priority", true, word_priority, 0}, {"flag", true, word_flag, 0},
	{"limit", true, word_limit, 0},       {"tmpl", true, word_tmpl, 0},
	{"if_id", true, word_if_id, 0},       {NULL, false, NULL, 0},
};

static bool
take_selector(struct args *a, struct modify *c)
{
	if (c->has_selector) {
		a->at++;
		return args_duplicate(a, "unknown");
	}
	c->has_selector = true;
	return xfrm_take_selector(a, &c->pol.info.sel, &c->dev);
}

static bool
parse_modify(struct args *a, struct modify *c)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(words, args_peek(a));

		if (k ? !keyword_run(k, a, "ip xfrm policy", c) : !take_selector(a, c))
			return false;
	}
	if (!c->has_dir)
		return args_error_next(a, "Not enough information: DIR is required.");
	if (c->pol.info.sel.family == AF_UNSPEC)
		c->pol.info.sel.family = AF_INET;
	return true;
}

bool
ip_xfrm_policy_modify_parse(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;
	struct modify *c = g_new0(struct modify, 1);
	struct xfrm_lifetime_cfg *lft = &c->pol.info.lft;

	c->update = k->value;
	lft->soft_byte_limit = lft->hard_byte_limit = UINT64_MAX;
	lft->soft_packet_limit = lft->hard_packet_limit = UINT64_MAX;
	if (parse_modify(a, c))
		return command_becomes(ip->command, &modify_type, c);
	modify_free(c);
	return false;
}
