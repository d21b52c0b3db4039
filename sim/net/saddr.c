/* SPDX-License-Identifier: GPL-2.0-or-later */
/* saddr.c - see saddr.h.
 *
 * Models ipv6_dev_get_saddr() and what it calls in net/ipv6/addrconf.c (Linux 5.10
 * and 6.1, with CONFIG_IPV6_MIP6 and CONFIG_IPV6_OPTIMISTIC_DAD).  Two slots have the
 * best candidate so far and the one that is looked at; each keeps what its rules
 * said, so that no rule is worked out twice for one candidate. */
#include "net/saddr.h"

#include <linux/if_addr.h>
#include <string.h>

#include "net/addrconf-core.h"
#include "net/addrlabel.h"
#include "net/dev.h"
#include "net/inet6.h"
#include "net/locking.h"

const char *const saddr_words[] = {"lock",   "list", "count", "custom-prefix",
				   "prefix", "walk", "rcu",   NULL};

enum saddr_rule {
	RULE_INIT,
	RULE_LOCAL,
	RULE_SCOPE,
	RULE_PREFERRED,
	RULE_HOA,
	RULE_OIF,
	RULE_LABEL,
	RULE_PRIVACY,
	RULE_ORCHID,
	RULE_PREFIX,
	RULE_NOT_OPTIMISTIC,
	RULE_MAX,
};

struct saddr_score {
	int rule; /* the last one that was worked out; -1: none */
	unsigned addr_type;
	struct inet6_ifaddr *ifa;
	unsigned scorebits; /* bit n: rule n said something else than 0 */
	int scopedist, matchlen;
};

struct saddr_dst {
	struct net *net;
	const uint8_t *addr;
	int ifindex; /* of the device that it leaves by; 0: unknown */
	int scope;
	uint32_t label;
	unsigned prefs;
};

struct saddr_search {
	struct saddr_dst dst;
	struct saddr_score *hi, *cur;
	bool references; /* are they taken? */
};

/* Who reads how */

static bool
reads_under_rcu(const struct inet6_dev *idev, enum saddr_step since)
{
	return idev->dev->kernel->options.saddr >= (unsigned)since &&
	       table_rcu_readers(&idev->addr_list);
}

static bool
begin_read(struct inet6_dev *idev, enum saddr_step since)
{
	bool locked = !reads_under_rcu(idev, since);

	if (locked)
		read_lock_bh(idev);
	return locked;
}

static void
end_read(struct inet6_dev *idev, bool locked)
{
	if (locked)
		read_unlock_bh(idev);
}

/* The rules */

static int
scope_of(struct saddr_score *s, const struct saddr_dst *dst)
{
	int scope = ipv6_src_scope(s->addr_type);

	s->scopedist = scope >= dst->scope ? -scope : scope - 128;
	return s->scopedist;
}

static bool
may_use_optimistic(const struct inet6_dev *idev)
{
	const struct ipv6_devconf *all = &inet6_net(idev->dev->net)->all;

	return (all->optimistic_dad || idev->cnf.optimistic_dad) &&
	       (all->use_optimistic || idev->cnf.use_optimistic);
}

/* Deprecation means nothing to addresses that stand for others. */
static int
is_preferred(const struct saddr_score *s)
{
	uint32_t avoid = IFA_F_DEPRECATED;

	if (!may_use_optimistic(s->ifa->idev))
		avoid |= IFA_F_OPTIMISTIC;
	return s->addr_type & (IPV6_ADDR_MAPPED | IPV6_ADDR_COMPATV4 | IPV6_ADDR_LOOPBACK) ||
	       !(s->ifa->flags & avoid);
}

static int
is_home(const struct saddr_score *s, const struct saddr_dst *dst)
{
	bool wanted = !(dst->prefs & SADDR_PREFER_COA);

	return !(s->ifa->flags & IFA_F_HOMEADDRESS) ^ wanted;
}

static int
has_label(const struct saddr_score *s, const struct saddr_dst *dst)
{
	const struct net_device *dev = s->ifa->idev->dev;

	return ipv6_addr_label(dst->net, s->ifa->key.addr, s->addr_type, dev->ifindex) ==
	       dst->label;
}

static int
is_private(const struct saddr_score *s, const struct saddr_dst *dst)
{
	bool wanted = dst->prefs & (SADDR_PREFER_PUBLIC | SADDR_PREFER_TMP)
			      ? dst->prefs & SADDR_PREFER_TMP
			      : s->ifa->idev->cnf.use_tempaddr >= 2;

	return !(s->ifa->flags & IFA_F_TEMPORARY) ^ wanted;
}

static int
prefix_of(struct saddr_score *s, const struct saddr_dst *dst)
{
	unsigned len = ipv6_addr_diff(s->ifa->key.addr, dst->addr);

	s->matchlen = (int)MIN(len, s->ifa->prefixlen);
	return s->matchlen;
}

static int
work_out(struct saddr_score *s, const struct saddr_dst *dst, enum saddr_rule rule)
{
	switch (rule) {
	case RULE_INIT:
		return s->ifa != NULL;
	case RULE_LOCAL:
		return memcmp(s->ifa->key.addr, dst->addr, 16) == 0;
	case RULE_SCOPE:
		return scope_of(s, dst);
	case RULE_PREFERRED:
		return is_preferred(s);
	case RULE_HOA:
		return is_home(s, dst);
	case RULE_OIF:
		return !dst->ifindex || dst->ifindex == s->ifa->idev->dev->ifindex;
	case RULE_LABEL:
		return has_label(s, dst);
	case RULE_PRIVACY:
		return is_private(s, dst);
	case RULE_ORCHID:
		return ipv6_addr_orchid(s->ifa->key.addr) == ipv6_addr_orchid(dst->addr);
	case RULE_PREFIX:
		return prefix_of(s, dst);
	case RULE_NOT_OPTIMISTIC:
		return !(s->ifa->flags & IFA_F_OPTIMISTIC);
	case RULE_MAX:
		break;
	}
	g_assert_not_reached();
}

static int
ipv6_get_saddr_eval(struct saddr_score *s, const struct saddr_dst *dst, enum saddr_rule rule)
{
	int said;

	CALL_ENTER(&dst->net->kernel->calls, "ipv6_get_saddr_eval");
	if ((int)rule <= s->rule)
		return rule == RULE_SCOPE    ? s->scopedist
		       : rule == RULE_PREFIX ? s->matchlen
					     : (int)(s->scorebits >> rule & 1);
	if (rule != RULE_INIT && rule != RULE_SCOPE)
		in6_ifa_read(s->ifa);
	said = work_out(s, dst, rule);
	if (said)
		s->scorebits |= 1u << rule;
	s->rule = (int)rule;
	return said;
}

/* Candidates */

/* It is the best so far; its slot goes to the next one. */
static void
wins(struct saddr_search *search)
{
	struct saddr_score *loser = search->hi;

	if (search->references) {
		if (loser->ifa)
			in6_ifa_put(loser->ifa);
		in6_ifa_hold(search->cur->ifa);
	}
	search->hi = search->cur;
	search->cur = loser;
}

/* False: no candidate of the device can be better. */
static bool
compare(struct saddr_search *search)
{
	for (int rule = 0; rule < RULE_MAX; rule++) {
		int hi = ipv6_get_saddr_eval(search->hi, &search->dst, rule);
		int cur = ipv6_get_saddr_eval(search->cur, &search->dst, rule);

		if (hi > cur)
			return rule != RULE_SCOPE || search->cur->scopedist <= 0;
		if (hi < cur) {
			wins(search);
			break;
		}
	}
	return true;
}

static bool
is_candidate(struct saddr_search *search, struct inet6_ifaddr *ifa)
{
	struct saddr_score *cur = search->cur;

	in6_ifa_read(ifa);
	if (ifa->flags & IFA_F_TENTATIVE && !(ifa->flags & IFA_F_OPTIMISTIC))
		return false;
	*cur = (struct saddr_score){.rule = -1, .ifa = ifa, .scopedist = cur->scopedist};
	cur->addr_type = __ipv6_addr_type(&search->dst.net->kernel->calls, ifa->key.addr);
	return cur->addr_type != IPV6_ADDR_ANY && !(cur->addr_type & IPV6_ADDR_MULTICAST);
}

static void
__ipv6_dev_get_saddr(struct saddr_search *search, struct inet6_dev *idev)
{
	struct inet6_ifaddr *ifa;
	struct cursor cursor;
	bool locked;

	DEV_ENTER(idev->dev, "__ipv6_dev_get_saddr");
	locked = begin_read(idev, SADDR_WALK);
	search->references = !reads_under_rcu(idev, SADDR_RCU);
	for_each_ifaddr(idev, &cursor, ifa)
	{
		DEV_CALL(idev->dev, "visit_ifa");
		if (is_candidate(search, ifa) && !compare(search))
			break;
	}
	end_read(idev, locked);
}

static void
from_device(struct saddr_search *search, const struct net_device *dev)
{
	if (in6_dev_get(dev))
		__ipv6_dev_get_saddr(search, in6_dev_get(dev));
}

/* In a VRF the device and the VRF come first; what is equal to one of theirs does not
 * win.  The kernels of 2017 stopped there if they had found any.  Those of today stop if
 * its distance by scope is not negative.  Where it was worked out it is; that is where two
 * candidates were compared, so that they stop if there was but one. */
static void
from_domain(struct saddr_search *search, const struct net_device *dst_dev)
{
	const struct net_device *master = l3mdev_master_dev_rcu(dst_dev), *dev;

	if (master) {
		from_device(search, dst_dev);
		from_device(search, master);
		if (search->hi->ifa && search->hi->scopedist >= 0)
			return;
	}
	for_each_netdev(search->dst.net, dev)
	{
		if (l3mdev_master_ifindex_rcu(dev) == (master ? master->ifindex : 0))
			from_device(search, dev);
	}
}

static bool
only_from_oif(const struct saddr_dst *dst, unsigned type, const struct net_device *dst_dev)
{
	const struct inet6_dev *idev = dst_dev ? in6_dev_get(dst_dev) : NULL;

	if (!dst_dev)
		return false;
	return type & IPV6_ADDR_MULTICAST || dst->scope <= IPV6_ADDR_SCOPE_LINKLOCAL ||
	       (idev && idev->cnf.use_oif_addrs_only);
}

static void
find_best(struct saddr_search *search, const struct net_device *dst_dev)
{
	struct saddr_dst *dst = &search->dst;
	unsigned type = __ipv6_addr_type(&dst->net->kernel->calls, dst->addr);

	dst->ifindex = dst_dev ? dst_dev->ifindex : 0;
	dst->scope = ipv6_src_scope(type);
	dst->label = ipv6_addr_label(dst->net, dst->addr, type, dst->ifindex);
	rcu_read_lock(dst->net->kernel->rcu);
	if (only_from_oif(dst, type, dst_dev))
		from_device(search, dst_dev);
	else
		from_domain(search, dst_dev);
}

int
ipv6_dev_get_saddr(struct net *net, const struct net_device *dst_dev, const uint8_t daddr[16],
		   unsigned prefs, uint8_t saddr[16])
{
	struct saddr_score slots[2] = {{.rule = -1}, {.rule = -1}};
	struct saddr_search search = {.dst = {.net = net, .addr = daddr, .prefs = prefs},
				      .hi = &slots[0],
				      .cur = &slots[1]};
	struct inet6_ifaddr *best;

	CALL_ENTER(&net->kernel->calls, "ipv6_dev_get_saddr");
	find_best(&search, dst_dev);
	best = search.hi->ifa;
	if (best)
		memcpy(saddr, best->key.addr, 16);
	if (best && search.references)
		in6_ifa_put(best);
	rcu_read_unlock(net->kernel->rcu);
	return best ? 0 : -EADDRNOTAVAIL;
}

/* The other readers of the series */

unsigned
ipv6_count_addresses(struct inet6_dev *idev)
{
	struct inet6_ifaddr *ifa;
	struct cursor cursor;
	unsigned count = 0;
	bool locked;

	DEV_ENTER(idev->dev, "ipv6_count_addresses");
	rcu_read_lock(idev->dev->kernel->rcu);
	locked = begin_read(idev, SADDR_COUNT);
	for_each_ifaddr(idev, &cursor, ifa) count++;
	end_read(idev, locked);
	rcu_read_unlock(idev->dev->kernel->rcu);
	return count;
}

/* 'len' negative: that of each address. */
static bool
shares_prefix(struct inet6_dev *idev, const uint8_t addr[16], int len, enum saddr_step since)
{
	struct inet6_ifaddr *ifa;
	struct cursor cursor;
	bool found = false, locked;

	rcu_read_lock(idev->dev->kernel->rcu);
	locked = begin_read(idev, since);
	for_each_ifaddr(idev, &cursor, ifa)
	{
		found = ipv6_prefix_equal(addr, ifa->key.addr,
					  len < 0 ? ifa->prefixlen : (unsigned)len);
		if (found)
			break;
	}
	end_read(idev, locked);
	rcu_read_unlock(idev->dev->kernel->rcu);
	return found;
}

bool
ipv6_chk_custom_prefix(const uint8_t addr[16], unsigned len, const struct net_device *dev)
{
	DEV_ENTER(dev, "ipv6_chk_custom_prefix");
	return in6_dev_get(dev) &&
	       shares_prefix(in6_dev_get(dev), addr, (int)len, SADDR_CUSTOM_PREFIX);
}

bool
ipv6_chk_prefix(const uint8_t addr[16], const struct net_device *dev)
{
	DEV_ENTER(dev, "ipv6_chk_prefix");
	return in6_dev_get(dev) && shares_prefix(in6_dev_get(dev), addr, -1, SADDR_PREFIX);
}
