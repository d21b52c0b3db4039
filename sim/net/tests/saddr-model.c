/* SPDX-License-Identifier: GPL-2.0-or-later */
/* saddr-model.c - RFC 6724, section 5, rule by rule over pairs of candidates, with what
 * Linux adds: home addresses only if wanted, ORCHIDs to ORCHIDs, optimistic addresses
 * last, and the candidates of RFC 4007's zones and of L3 domains. */
#include <linux/if_addr.h>
#include <string.h>

#include "net/saddr.h"
#include "saddr-case.h"

struct pair {
	const struct saddr_case *c;
	const struct case_ask *ask;
	const struct case_addr *a, *b;
};

static bool
begins(const uint8_t *addr, unsigned len, const char *bits)
{
	for (unsigned i = 0; i < len; i++)
		if ((addr[i / 8] >> (7 - i % 8) & 1) != (((uint8_t)bits[i / 8]) >> (7 - i % 8) & 1))
			return false;
	return true;
}

static const char zeros[16], mapped[12] = "\0\0\0\0\0\0\0\0\0\0\xff\xff";
static const char one[16] = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1";

static int
scope(const uint8_t *addr)
{
	if (addr[0] == 0xff)
		return addr[1] & 15;
	if (begins(addr, 10, "\xfe\x80") || begins(addr, 128, one))
		return 2;
	return begins(addr, 10, "\xfe\xc0") ? 5 : 14;
}

static unsigned
common(const uint8_t *a, const uint8_t *b)
{
	unsigned len = 0;

	while (len < 128 && begins(a, len + 1, (const char *)b))
		len++;
	return len;
}

/* RFC 6724's table, with the prefixes that Linux added to it; the longest match. */
static const struct {
	const char *prefix;
	unsigned len, label;
} policy[] = {{one, 128, 0},
	      {mapped, 96, 4},
	      {zeros, 96, 3},
	      {"\x20\x01\0\0", 32, 6},
	      {"\x20\x01\0\x10", 28, 7},
	      {"\x20\x02", 16, 2},
	      {"\x3f\xfe", 16, 12},
	      {"\xfe\xc0", 10, 11},
	      {"\xfc", 7, 5},
	      {zeros, 0, 1}};

static unsigned
label(const struct saddr_case *c, const uint8_t *addr, int ifindex)
{
	unsigned best = 0, len = 0;

	for (unsigned i = 0; i < G_N_ELEMENTS(policy); i++)
		if (begins(addr, policy[i].len, policy[i].prefix) && policy[i].len >= len) {
			best = policy[i].label;
			len = policy[i].len;
		}
	for (unsigned i = 0; i < c->labels->len; i++) {
		const struct case_label *l = &g_array_index(c->labels, struct case_label, i);

		if ((!l->ifindex || l->ifindex == ifindex) && l->prefixlen >= len &&
		    begins(addr, l->prefixlen, (const char *)l->prefix)) {
			best = l->label;
			len = l->prefixlen;
		}
	}
	return best;
}

/* Each rule: above 0 for a, below for b, 0 if it does not know. */

static int
same_address(const struct pair *p)
{
	return (memcmp(p->a->addr, p->ask->dst, 16) == 0) -
	       (memcmp(p->b->addr, p->ask->dst, 16) == 0);
}

static int
appropriate_scope(const struct pair *p)
{
	int a = scope(p->a->addr), b = scope(p->b->addr), d = scope(p->ask->dst);

	if (a < b)
		return a < d ? -1 : 1;
	if (b < a)
		return b < d ? 1 : -1;
	return 0;
}

static const struct case_dev *
dev_of(const struct pair *p, const struct case_addr *a)
{
	return &p->c->devs[a->dev];
}

static bool
avoided(const struct pair *p, const struct case_addr *a)
{
	const struct case_dev *dev = dev_of(p, a);
	bool stands_for_other = begins(a->addr, 96, zeros) || begins(a->addr, 96, mapped);

	if (stands_for_other)
		return false;
	if (a->flags & IFA_F_OPTIMISTIC && !(dev->optimistic_dad && dev->use_optimistic))
		return true;
	return a->flags & IFA_F_DEPRECATED;
}

static int
not_deprecated(const struct pair *p)
{
	return avoided(p, p->b) - avoided(p, p->a);
}

static int
home(const struct pair *p)
{
	int diff = !!(p->a->flags & IFA_F_HOMEADDRESS) - !!(p->b->flags & IFA_F_HOMEADDRESS);

	return p->ask->prefs & SADDR_PREFER_COA ? -diff : diff;
}

static int
outgoing_interface(const struct pair *p)
{
	if (!p->ask->ifindex)
		return 0;
	return (dev_of(p, p->a)->ifindex == p->ask->ifindex) -
	       (dev_of(p, p->b)->ifindex == p->ask->ifindex);
}

static int
matching_label(const struct pair *p)
{
	unsigned d = label(p->c, p->ask->dst, p->ask->ifindex);

	return (label(p->c, p->a->addr, dev_of(p, p->a)->ifindex) == d) -
	       (label(p->c, p->b->addr, dev_of(p, p->b)->ifindex) == d);
}

static bool
as_private_as_wanted(const struct pair *p, const struct case_addr *a)
{
	bool temporary = a->flags & IFA_F_TEMPORARY;

	if (p->ask->prefs & SADDR_PREFER_TMP)
		return temporary;
	if (p->ask->prefs & SADDR_PREFER_PUBLIC)
		return !temporary;
	return temporary == (dev_of(p, a)->use_tempaddr >= 2);
}

static int
privacy(const struct pair *p)
{
	return as_private_as_wanted(p, p->a) - as_private_as_wanted(p, p->b);
}

static int
orchid(const struct pair *p)
{
	bool d = begins(p->ask->dst, 28, "\x20\x01\0\x10");

	return (begins(p->a->addr, 28, "\x20\x01\0\x10") == d) -
	       (begins(p->b->addr, 28, "\x20\x01\0\x10") == d);
}

static int
longest_prefix(const struct pair *p)
{
	return (int)MIN(common(p->a->addr, p->ask->dst), p->a->prefixlen) -
	       (int)MIN(common(p->b->addr, p->ask->dst), p->b->prefixlen);
}

static int
not_optimistic(const struct pair *p)
{
	return !(p->a->flags & IFA_F_OPTIMISTIC) - !(p->b->flags & IFA_F_OPTIMISTIC);
}

static bool
is_better(const struct pair *p)
{
	static int (*const rules[])(const struct pair *) = {
		same_address,       appropriate_scope, not_deprecated, home,
		outgoing_interface, matching_label,    privacy,        orchid,
		longest_prefix,     not_optimistic};

	for (unsigned i = 0; i < G_N_ELEMENTS(rules); i++)
		if (rules[i](p) != 0)
			return rules[i](p) > 0;
	return false;
}

/* Candidates */

static const struct case_dev *
out_device(const struct saddr_case *c, int ifindex)
{
	for (unsigned i = 0; i < c->dev_count; i++)
		if (c->devs[i].ifindex == ifindex)
			return &c->devs[i];
	return NULL;
}

static bool
in_domain(const struct case_dev *dev)
{
	return dev && (dev->in_vrf || strcmp(dev->name, "v") == 0);
}

static bool
is_candidate(const struct case_addr *a, const bool *let_in)
{
	return let_in[a->dev] &&
	       (a->flags & (IFA_F_TENTATIVE | IFA_F_OPTIMISTIC)) != IFA_F_TENTATIVE;
}

/* The best among the devices that are let in; 'best' so far may be null. */
static const struct case_addr *
best_of(const struct saddr_case *c, const struct case_ask *ask, const bool *let_in,
	const struct case_addr *best)
{
	for (unsigned i = 0; i < c->addrs->len; i++) {
		const struct case_addr *a = &g_array_index(c->addrs, struct case_addr, i);
		struct pair p = {c, ask, a, best};

		if (is_candidate(a, let_in) && (!best || is_better(&p)))
			best = a;
	}
	return best;
}

/* How many addresses the devices that are let in can offer. */
static unsigned
candidates(const struct saddr_case *c, const bool *let_in)
{
	unsigned count = 0;

	for (unsigned i = 0; i < c->addrs->len; i++)
		count += is_candidate(&g_array_index(c->addrs, struct case_addr, i), let_in);
	return count;
}

/* Kernels look no further than the device and its VRF if these have a single address. */
static const struct case_addr *
by_domain(const struct saddr_case *c, const struct case_ask *ask, const struct case_dev *out)
{
	bool own[CASE_DEVS] = {false}, vrf[CASE_DEVS] = {false}, all[CASE_DEVS] = {false};
	const struct case_addr *best = NULL;

	for (unsigned i = 0; i < c->dev_count; i++) {
		own[i] = &c->devs[i] == out;
		vrf[i] = strcmp(c->devs[i].name, "v") == 0;
		all[i] = in_domain(&c->devs[i]) == in_domain(out);
	}
	if (in_domain(out))
		best = best_of(c, ask, vrf, best_of(c, ask, own, NULL));
	if (in_domain(out) && candidates(c, own) + candidates(c, vrf) == 1)
		return best;
	return best_of(c, ask, all, best);
}

bool
saddr_model(const struct saddr_case *c, const struct case_ask *ask, uint8_t src[16])
{
	const struct case_dev *out = out_device(c, ask->ifindex);
	bool own[CASE_DEVS] = {false};
	const struct case_addr *best;

	if (out)
		own[out - c->devs] = true;
	if (out && (ask->dst[0] == 0xff || scope(ask->dst) <= 2 || out->use_oif_addrs_only))
		best = best_of(c, ask, own, NULL);
	else
		best = by_domain(c, ask, out);
	if (best)
		memcpy(src, best->addr, 16);
	return best != NULL;
}
