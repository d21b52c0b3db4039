/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-xfrm.c - 'ip xfrm state' and 'policy': their commands, and the words that they share. */
#include "iproute/ip-xfrm.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

const struct xfrm_word xfrm_protos[] = {
	{"esp", IPPROTO_ESP},        {"ah", IPPROTO_AH},       {"comp", IPPROTO_COMP},
	{"route2", IPPROTO_ROUTING}, {"hao", IPPROTO_DSTOPTS}, {NULL, 0},
};

const struct xfrm_word xfrm_modes[] = {
	{"transport", XFRM_MODE_TRANSPORT},
	{"tunnel", XFRM_MODE_TUNNEL},
	{"ro", XFRM_MODE_ROUTEOPTIMIZATION},
	{"in_trigger", XFRM_MODE_IN_TRIGGER},
	{"beet", XFRM_MODE_BEET},
	{NULL, 0},
};

const struct xfrm_word xfrm_state_flags[] = {
	{"noecn", XFRM_STATE_NOECN},
	{"decap-dscp", XFRM_STATE_DECAP_DSCP},
	{"nopmtudisc", XFRM_STATE_NOPMTUDISC},
	{"wildrecv", XFRM_STATE_WILDRECV},
	{"icmp", XFRM_STATE_ICMP},
	{"af-unspec", XFRM_STATE_AF_UNSPEC},
	{"align4", XFRM_STATE_ALIGN4},
	{"esn", XFRM_STATE_ESN},
	{NULL, 0},
};

const struct xfrm_word xfrm_extra_flags[] = {
	{"dont-encap-dscp", XFRM_SA_XFLAG_DONT_ENCAP_DSCP},
	{"oseq-may-wrap", XFRM_SA_XFLAG_OSEQ_MAY_WRAP},
	{NULL, 0},
};

const struct xfrm_word xfrm_encaps[] = {
	{"espinudp-nonike", 1}, {"espinudp", 2}, {"espintcp", 7}, {NULL, 0}};

const struct xfrm_word xfrm_dirs[] = {
	{"in", XFRM_POLICY_IN}, {"out", XFRM_POLICY_OUT}, {"fwd", XFRM_POLICY_FWD}, {NULL, 0}};

const struct xfrm_word xfrm_ptypes[] = {
	{"main", XFRM_POLICY_TYPE_MAIN}, {"sub", XFRM_POLICY_TYPE_SUB}, {NULL, 0}};

const struct xfrm_word xfrm_actions[] = {
	{"allow", XFRM_POLICY_ALLOW}, {"block", XFRM_POLICY_BLOCK}, {NULL, 0}};

const struct xfrm_word xfrm_policy_flags[] = {
	{"localok", XFRM_POLICY_LOCALOK}, {"icmp", XFRM_POLICY_ICMP}, {NULL, 0}};

const struct xfrm_word xfrm_levels[] = {{"required", 0}, {"use", 1}, {NULL, 0}};

const char *
xfrm_word_name(const struct xfrm_word *w, uint32_t value)
{
	while (w->name && w->value != value)
		w++;
	return w->name;
}

bool
xfrm_take_word(struct args *a, const struct xfrm_word *w, const char *what, uint32_t *value)
{
	const char *text;

	if (!args_value(a, &text))
		return false;
	while (w->name && strcmp(w->name, text) != 0)
		w++;
	if (!w->name)
		return args_wrong(a, what);
	*value = w->value;
	return true;
}

bool
xfrm_take_u64(struct args *a, const char *what, uint64_t *value)
{
	const char *text;

	if (!args_value(a, &text))
		return false;
	return args_number(text, 0, UINT64_MAX, value) || args_wrong(a, what);
}

bool
xfrm_take_u32(struct args *a, const char *what, uint32_t *value)
{
	uint64_t number;
	const char *text;

	if (!args_value(a, &text))
		return false;
	if (!args_number(text, 0, UINT32_MAX, &number))
		return args_wrong(a, what);
	*value = (uint32_t)number;
	return true;
}

static bool
next_is(const struct args *a, const char *word)
{
	return args_left(a) && strcmp(args_peek(a), word) == 0;
}

bool
xfrm_take_mark(struct args *a, struct xfrm_mark *mark)
{
	if (!xfrm_take_u32(a, "MARK value is invalid", &mark->v))
		return false;
	mark->m = UINT32_MAX;
	if (!next_is(a, "mask"))
		return true;
	a->at++;
	return xfrm_take_u32(a, "MASK value is invalid", &mark->m);
}

static bool
parse_prefix(const char *text, xfrm_address_t *addr, uint8_t *len, uint16_t *family)
{
	g_auto(GStrv) part = g_strsplit(text, "/", 2);
	uint16_t found = part[0] && strchr(part[0], ':') ? AF_INET6 : AF_INET;
	uint64_t bits = found == AF_INET6 ? 128 : 32;

	memset(addr, 0, sizeof *addr);
	if (!part[0] || inet_pton(found, part[0], addr) != 1)
		return false;
	if (part[1] && !args_number(part[1], 0, bits, &bits))
		return false;
	*len = (uint8_t)bits;
	*family = found;
	return true;
}

bool
xfrm_take_prefix(struct args *a, xfrm_address_t *addr, uint8_t *len, uint16_t *family)
{
	uint16_t wanted = *family;
	const char *text;

	if (!args_value(a, &text))
		return false;
	if (strcmp(text, "any") == 0 || strcmp(text, "all") == 0 || strcmp(text, "default") == 0) {
		memset(addr, 0, sizeof *addr);
		*len = 0;
		return true;
	}
	if (!parse_prefix(text, addr, len, family))
		return args_error(a, "Error: any valid prefix is expected rather than \"%s\".",
				  text);
	if (wanted != AF_UNSPEC && wanted != *family)
		return args_wrong(a, "the same address family is required between values after "
				     "\"src\" and \"dst\"");
	return true;
}

static bool
take_spi(struct args *a, struct xfrm_ids *ids)
{
	uint32_t spi;

	if (!xfrm_take_u32(a, "SPI value is invalid", &spi))
		return false;
	ids->spi = GUINT32_TO_BE(spi);
	ids->has_spi = true;
	return true;
}

static bool
take_proto(struct args *a, struct xfrm_ids *ids)
{
	uint32_t proto;

	if (!xfrm_take_word(a, xfrm_protos, "XFRM-PROTO value is invalid", &proto))
		return false;
	ids->proto = (uint8_t)proto;
	return true;
}

bool
xfrm_take_ids(struct args *a, struct xfrm_ids *ids, bool loose)
{
	for (; args_left(a);) {
		bool fine;

		if (next_is(a, "src")) {
			a->at++;
			ids->has_saddr = true;
			fine = xfrm_take_prefix(a, &ids->saddr, &ids->splen, &ids->family);
		} else if (next_is(a, "dst")) {
			a->at++;
			ids->has_daddr = true;
			fine = xfrm_take_prefix(a, &ids->daddr, &ids->dplen, &ids->family);
		} else if (next_is(a, "proto")) {
			a->at++;
			fine = take_proto(a, ids);
		} else if (next_is(a, "spi")) {
			a->at++;
			fine = take_spi(a, ids);
		} else {
			break;
		}
		if (!fine)
			return false;
	}
	return loose || ids->proto ||
	       args_error_next(a, "Error: argument \"XFRM-PROTO\" is required");
}

/* The commands */

static const struct keyword state_commands[] = {
	{"add", false, ip_xfrm_state_modify_parse, false},
	{"update", false, ip_xfrm_state_modify_parse, true},
	{"allocspi", false, NULL, 0},
	{"delete", false, ip_xfrm_state_get_parse, true},
	{"deleteall", false, ip_xfrm_state_list_parse, true},
	{"delall", false, ip_xfrm_state_list_parse, true},
	{"show", false, ip_xfrm_state_list_parse, false},
	{"lst", false, ip_xfrm_state_list_parse, false},
	{"list", false, ip_xfrm_state_list_parse, false},
	{"get", false, ip_xfrm_state_get_parse, false},
	{"flush", false, ip_xfrm_state_flush_parse, 0},
	{"count", false, ip_xfrm_state_count_parse, 0},
	{"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

static const struct keyword policy_commands[] = {
	{"add", false, ip_xfrm_policy_modify_parse, false},
	{"update", false, ip_xfrm_policy_modify_parse, true},
	{"delete", false, ip_xfrm_policy_get_parse, true},
	{"deleteall", false, ip_xfrm_policy_list_parse, true},
	{"delall", false, ip_xfrm_policy_list_parse, true},
	{"show", false, ip_xfrm_policy_list_parse, false},
	{"lst", false, ip_xfrm_policy_list_parse, false},
	{"list", false, ip_xfrm_policy_list_parse, false},
	{"get", false, ip_xfrm_policy_get_parse, false},
	{"flush", false, ip_xfrm_policy_flush_parse, 0},
	{"count", false, ip_xfrm_policy_count_parse, 0},
	{"set", false, ip_xfrm_policy_set_parse, 0},
	{"setdefault", false, NULL, 0},
	{"getdefault", false, NULL, 0},
	{"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

static bool
policy_parse(struct args *a, void *ip, const struct keyword *k)
{
	return ip_command_parse(a, ip, "xfrm policy", policy_commands, ip_xfrm_policy_list_parse);
}

static bool
state_parse(struct args *a, void *ip, const struct keyword *k)
{
	return ip_command_parse(a, ip, "xfrm state", state_commands, ip_xfrm_state_list_parse);
}

static const struct keyword xfrm_objects[] = {
	{"state", false, state_parse, 0}, {"policy", false, policy_parse, 0},
	{"monitor", false, NULL, 0},      {"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

bool
ip_xfrm_parse(struct args *a, void *ip, const struct keyword *k)
{
	const struct keyword *object;

	if (!args_left(a))
		return args_error_next(a, "ip xfrm: an object is missing: state or policy");
	object = keyword_find(xfrm_objects, args_peek(a));
	if (object)
		return keyword_run(object, a, "ip xfrm", ip);
	a->at++;
	return args_error(a, "ip xfrm: unknown object \"%s\": state and policy are simulated",
			  words_at(a->words, a->at - 1)->text);
}
