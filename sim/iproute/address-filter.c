/* SPDX-License-Identifier: GPL-2.0-or-later */
/* address-filter.c - the words after 'ip link show', 'ip address show' and 'ip
 * address flush', which iproute2 parses with one parser, and what they let through. */
#include <arpa/inet.h>
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "iproute/ip-address.h"

const struct address_flag address_flags[] = {
	{"temporary", IFA_F_SECONDARY},
	{"nodad", IFA_F_NODAD},
	{"optimistic", IFA_F_OPTIMISTIC},
	{"dadfailed", IFA_F_DADFAILED},
	{"home", IFA_F_HOMEADDRESS},
	{"deprecated", IFA_F_DEPRECATED},
	{"tentative", IFA_F_TENTATIVE},
	{"permanent", IFA_F_PERMANENT},
	{"mngtmpaddr", IFA_F_MANAGETEMPADDR},
	{"noprefixroute", IFA_F_NOPREFIXROUTE},
	{"autojoin", IFA_F_MCAUTOJOIN},
	{"stable-privacy", IFA_F_STABLE_PRIVACY},
	{NULL, 0},
};

bool
address_parse_any_prefix(struct args *a, int *family, uint8_t addr[16], unsigned *len)
{
	const char *text = args_take(a);
	const char *what = *family == AF_INET    ? "inet"
			   : *family == AF_INET6 ? "inet6"
						 : "any valid";
	const char *slash = strchr(text, '/');
	g_autofree char *host = slash ? g_strndup(text, (gsize)(slash - text)) : g_strdup(text);
	bool v6 = inet_pton(AF_INET6, host, addr) == 1;
	bool v4 = !v6 && inet_pton(AF_INET, host, addr) == 1;
	uint64_t number = v4 ? 32 : 128;

	if (slash && !args_number(slash + 1, 0, v4 ? 32 : 128, &number))
		v4 = v6 = false;
	if (!(v6 && *family != AF_INET) && !(v4 && *family != AF_INET6))
		return args_error(a, "Error: %s prefix is expected rather than \"%s\".", what,
				  text);
	*family = v4 ? AF_INET : AF_INET6;
	*len = (unsigned)number;
	return true;
}

bool
address_parse_prefix(struct args *a, int family, uint8_t addr[16], unsigned *len)
{
	return address_parse_any_prefix(a, &family, addr, len) &&
	       (family == AF_INET6 || args_not_simulated(a, "IPv4 addresses here"));
}

static bool
filter_name(struct args *a, void *data, const struct keyword *k)
{
	char **field = (char **)((char *)data + k->value);
	const char *text;

	if (!args_value(a, &text))
		return false;
	g_free(*field);
	*field = g_strdup(text);
	return true;
}

static bool
filter_bool(struct args *a, void *data, const struct keyword *k)
{
	*(bool *)((char *)data + k->value) = true;
	return true;
}

/* "tentative", "-tentative"; "dynamic" is the reverse of permanent. */
static bool
filter_flag(struct args *a, void *data, const struct keyword *k)
{
	struct address_filter *f = data;
	bool wanted = *k->name != '-' && strcmp(k->name, "dynamic") != 0 &&
		      strcmp(k->name, "primary") != 0;

	f->flags_mask |= (uint32_t)k->value;
	f->flags = wanted ? f->flags | (uint32_t)k->value : f->flags & ~(uint32_t)k->value;
	return true;
}

static bool
filter_scope(struct args *a, void *data, const struct keyword *k)
{
	struct address_filter *f = data;
	const char *text;

	if (!args_value(a, &text))
		return false;
	f->has_scope = strcmp(text, "all") != 0;
	return !f->has_scope || ip_scope(text, &f->scope) || args_wrong(a, "invalid \"scope\"");
}

static bool
filter_group(struct args *a, void *data, const struct keyword *k)
{
	struct address_filter *f = data;
	const char *text;
	uint64_t group = 0;

	if (!args_value(a, &text))
		return false;
	if (strcmp(text, "default") != 0 && !args_number(text, 0, INT32_MAX, &group))
		return args_wrong(a, "Invalid \"group\" value");
	f->has_group = true;
	f->group = (unsigned)group;
	return true;
}

static bool
filter_to(struct args *a, void *data, const struct keyword *k)
{
	struct address_filter *f = data;
	const char *text;

	if (!args_value(a, &text))
		return false;
	a->at--;
	f->has_prefix = true;
	return address_parse_prefix(a, AF_UNSPEC, f->prefix, &f->prefix_len);
}

#define FIELD(name) offsetof(struct address_filter, name)

static const struct keyword words[] = {
	{"to", true, filter_to, 0},
	{"scope", true, filter_scope, 0},
	{"up", true, filter_bool, FIELD(up)},
	{"dynamic", true, filter_flag, IFA_F_PERMANENT},
	{"permanent", true, filter_flag, IFA_F_PERMANENT},
	{"secondary", true, filter_flag, IFA_F_SECONDARY},
	{"temporary", true, filter_flag, IFA_F_SECONDARY},
	{"primary", true, filter_flag, IFA_F_SECONDARY},
	{"tentative", true, filter_flag, IFA_F_TENTATIVE},
	{"-tentative", true, filter_flag, IFA_F_TENTATIVE},
	{"deprecated", true, filter_flag, IFA_F_DEPRECATED},
	{"-deprecated", true, filter_flag, IFA_F_DEPRECATED},
	{"dadfailed", true, filter_flag, IFA_F_DADFAILED},
	{"-dadfailed", true, filter_flag, IFA_F_DADFAILED},
	{"nodad", true, filter_flag, IFA_F_NODAD},
	{"optimistic", true, filter_flag, IFA_F_OPTIMISTIC},
	{"home", true, filter_flag, IFA_F_HOMEADDRESS},
	{"mngtmpaddr", true, filter_flag, IFA_F_MANAGETEMPADDR},
	{"noprefixroute", true, filter_flag, IFA_F_NOPREFIXROUTE},
	{"autojoin", true, filter_flag, IFA_F_MCAUTOJOIN},
	{"stable-privacy", true, filter_flag, IFA_F_STABLE_PRIVACY},
	{"label", true, NULL, 0},
	{"group", true, filter_group, 0},
	{"master", true, filter_name, FIELD(master)},
	{"vrf", true, filter_name, FIELD(vrf)},
	{"nomaster", true, filter_bool, FIELD(nomaster)},
	{"type", true, filter_name, FIELD(kind)},
	{"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

static bool
take_dev(struct args *a, struct address_filter *f)
{
	const char *text = args_take(a);

	if (strcmp(text, "dev") == 0 && !args_value(a, &text))
		return false;
	if (f->dev)
		return args_garbage(a, "dev");
	f->dev = g_strdup(text);
	return true;
}

bool
address_filter_parse(struct args *a, struct address_filter *f, const char *what)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(words, args_peek(a));
		bool ok = k ? keyword_run(k, a, what, f) : take_dev(a, f);

		if (!ok)
			return false;
	}
	return true;
}

void
address_filter_clear(struct address_filter *f)
{
	g_free(f->dev);
	g_free(f->master);
	g_free(f->vrf);
	g_free(f->kind);
}

static bool
prefix_holds(const struct address_filter *f, const uint8_t *addr)
{
	unsigned bytes = f->prefix_len / 8, bits = f->prefix_len % 8;

	return memcmp(addr, f->prefix, bytes) == 0 &&
	       (bits == 0 || (addr[bytes] ^ f->prefix[bytes]) >> (8 - bits) == 0);
}

const struct nlattr *
address_attr(const struct nlmsghdr *nlh, uint16_t type)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(struct ifaddrmsg))
	{
		if (mnl_attr_get_type(attr) == type)
			return attr;
	}
	return NULL;
}

bool
address_filter_fits(const struct address_filter *f, int family, const struct nlmsghdr *nlh)
{
	const struct ifaddrmsg *ifm = mnl_nlmsg_get_payload(nlh);
	uint32_t flags = mnl_attr_get_u32(address_attr(nlh, IFA_FLAGS));

	if (family != AF_UNSPEC && ifm->ifa_family != family)
		return false;
	if (f->has_scope && ifm->ifa_scope != f->scope)
		return false;
	if ((flags ^ f->flags) & f->flags_mask)
		return false;
	return !f->has_prefix ||
	       (ifm->ifa_family == AF_INET6 &&
		prefix_holds(f, mnl_attr_get_payload(address_attr(nlh, IFA_ADDRESS))));
}
