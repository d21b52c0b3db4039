/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-address.c - 'ip address': the choice of the command; add, change, replace
 * and delete.  The others are in ip-address-flush.c and ip-link-show.c. */
#include "iproute/ip-address.h"

#include <errno.h>
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <string.h>

enum address_verb {
	ADDRESS_ADD,
	ADDRESS_REPLACE, /* and change */
	ADDRESS_DELETE,
};

struct address_command {
	enum address_verb verb;
	int family;
	bool has_local, has_scope;
	uint8_t scope; /* of IPv4 */
	struct addr_request request;
	char *dev;
};

static void
address_free(void *data)
{
	struct address_command *c = data;

	g_free(c->dev);
	g_free(c);
}

static int
ask_inet6(struct process *p, const struct address_command *c, int ifindex, struct ext_ack *ack)
{
	struct addr_request request = c->request;

	request.ifindex = ifindex;
	return c->verb == ADDRESS_DELETE ? inet6_rtm_deladdr(p->net, &request, ack)
					 : inet6_rtm_newaddr(p->net, &request, ack);
}

static int
ask_inet(struct process *p, const struct address_command *c, int ifindex, struct ext_ack *ack)
{
	struct inet_addr_request request = {.ifindex = ifindex,
					    .prefixlen = c->request.prefixlen,
					    .scope = c->scope,
					    .replace = c->request.replace};

	memcpy(&request.local, c->request.local, sizeof request.local);
	request.local = GUINT32_FROM_BE(request.local);
	if (!c->has_scope && request.local >> 24 == IN_LOOPBACKNET)
		request.scope = RT_SCOPE_HOST;
	return c->verb == ADDRESS_DELETE ? inet_rtm_deladdr(p->net, &request, ack)
					 : inet_rtm_newaddr(p->net, &request, ack);
}

static void
address_run(struct process *p, const void *data)
{
	const struct address_command *c = data;
	int ifindex = process_link(p, c->dev);
	struct ext_ack ack = {""};

	if (!ifindex) {
		process_fail(p, 1, "Cannot find device \"%s\"\n", c->dev);
		return;
	}
	process_talked(p,
		       c->family == AF_INET ? ask_inet(p, c, ifindex, &ack)
					    : ask_inet6(p, c, ifindex, &ack),
		       &ack);
}

static const struct command_type address_type = {.run = address_run, .free = address_free};

/* Words. */

static bool
word_dev(struct args *a, void *data, const struct keyword *k)
{
	struct address_command *c = data;

	return args_string(a, &c->dev);
}

/* The kernel finds an IPv6 address's scope by itself; the word must be right. */
static bool
word_scope(struct args *a, void *data, const struct keyword *k)
{
	struct address_command *c = data;
	const char *text;

	if (!args_value(a, &text))
		return false;
	c->has_scope = true;
	return ip_scope(text, &c->scope) || args_wrong(a, "invalid scope value.");
}

static bool
word_flag(struct args *a, void *data, const struct keyword *k)
{
	((struct address_command *)data)->request.flags |= (uint32_t)k->value;
	return true;
}

static bool
word_lifetime(struct args *a, void *data, const struct keyword *k)
{
	struct addr_request *r = &((struct address_command *)data)->request;
	g_autofree char *what = g_strconcat(k->name, " value", NULL);
	uint64_t seconds = UINT32_MAX;
	const char *text;

	if (!args_value(a, &text))
		return false;
	if (strcmp(text, "forever") != 0 && !args_number(text, 0, UINT32_MAX, &seconds))
		return args_wrong(a, what);
	*(uint32_t *)((char *)r + k->value) = (uint32_t)seconds;
	if (r->valid_lft == 0)
		return args_error(a, "valid_lft is zero");
	return true;
}

static bool
word_local(struct args *a, void *data, const struct keyword *k)
{
	struct address_command *c = data;
	const char *text;
	unsigned len;

	if (!args_value(a, &text))
		return false;
	if (c->has_local)
		return args_garbage(a, "local");
	a->at--;
	if (!address_parse_any_prefix(a, &c->family, c->request.local, &len))
		return false;
	c->has_local = true;
	c->request.prefixlen = (uint8_t)len;
	return true;
}

#define LIFETIME(field) offsetof(struct addr_request, field)

static const struct keyword words[] = {
	{"peer", true, NULL, 0},
	{"remote", true, NULL, 0},
	{"broadcast", false, NULL, 0},
	{"brd", true, NULL, 0},
	{"anycast", true, NULL, 0},
	{"scope", true, word_scope, 0},
	{"dev", true, word_dev, 0},
	{"label", true, NULL, 0},
	{"metric", false, NULL, 0},
	{"priority", false, NULL, 0},
	{"preference", false, NULL, 0},
	{"valid_lft", false, word_lifetime, LIFETIME(valid_lft)},
	{"preferred_lft", false, word_lifetime, LIFETIME(preferred_lft)},
	{"nodad", true, word_flag, IFA_F_NODAD},
	{"optimistic", true, word_flag, IFA_F_OPTIMISTIC},
	{"home", true, word_flag, IFA_F_HOMEADDRESS},
	{"mngtmpaddr", true, word_flag, IFA_F_MANAGETEMPADDR},
	{"noprefixroute", true, word_flag, IFA_F_NOPREFIXROUTE},
	{"autojoin", true, NULL, 0},
	{"proto", true, NULL, 0},
	{"local", true, word_local, 0},
	{"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

static bool
parse_words(struct args *a, struct address_command *c)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(words, args_peek(a));
		bool ok = k ? keyword_run(k, a, "ip address", c) : word_local(a, c, NULL);

		if (!ok)
			return false;
	}
	if (!c->dev)
		return args_error_next(a, "Not enough information: \"dev\" argument is required.");
	if (!c->has_local)
		return args_error_next(a,
				       "an address is missing: ip address add ADDRESS/LENGTH dev "
				       "DEVICE");
	if (c->family == AF_INET && (c->request.flags || c->request.valid_lft != UINT32_MAX ||
				     c->request.preferred_lft != UINT32_MAX))
		return args_error_next(a, "not simulated: flags and lifetimes of IPv4 addresses");
	if (c->request.preferred_lft > c->request.valid_lft)
		return args_error_next(a, "preferred_lft is greater than valid_lft");
	return true;
}

static bool
parse_verb(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;
	struct address_command *c = g_new0(struct address_command, 1);

	c->verb = (enum address_verb)k->value;
	c->family = ip->options.family;
	c->request.valid_lft = c->request.preferred_lft = UINT32_MAX;
	c->request.replace = c->verb == ADDRESS_REPLACE;
	if (parse_words(a, c))
		return command_becomes(ip->command, &address_type, c);
	address_free(c);
	return false;
}

static bool
parse_show(struct args *a, void *ip, const struct keyword *k)
{
	return ip_show_devices_parse(a, ip, IP_SHOW_ADDRESSES);
}

static const struct keyword commands[] = {
	{"add", false, parse_verb, ADDRESS_ADD},
	{"change", false, parse_verb, ADDRESS_REPLACE},
	{"chg", true, parse_verb, ADDRESS_REPLACE},
	{"replace", false, parse_verb, ADDRESS_REPLACE},
	{"delete", false, parse_verb, ADDRESS_DELETE},
	{"show", false, parse_show, 0},
	{"lst", false, parse_show, 0},
	{"list", false, parse_show, 0},
	{"flush", false, ip_address_flush_parse, 0},
	{"save", false, NULL, 0},
	{"showdump", false, NULL, 0},
	{"restore", false, NULL, 0},
	{"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

bool
ip_address_parse(struct args *a, void *ip, const struct keyword *k)
{
	return ip_command_parse(a, ip, "address", commands, parse_show);
}
