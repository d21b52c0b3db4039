/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip6-route.c - routes looked up; ip6-route-add.c makes them.  See ip6-route.h. */
#include "net/ip6-route.h"

#include <string.h>

#include "net/dev.h"
#include "net/inet6.h"
#include "net/ndisc.h"
#include "net/saddr.h"

extern const struct net_module net_module_ip6_route;

struct netns_fib6 *
netns_fib6(const struct net *net)
{
	return net_module_state(net, &net_module_ip6_route);
}

static struct calls *
calls_of(const struct net *net)
{
	return &net->kernel->calls;
}

/* What a lookup insists on. */
struct lookup {
	struct net *net;
	const struct flowi6 *fl6;
	int oif; /* 0, too, where that is a VRF: its table is choice enough */
	bool iface, reachable;
	struct fib6_info *match;
};

/* Choosing among the routes of a prefix */

enum { RT6_NUD_FAIL_HARD = -3, RT6_NUD_FAIL_PROBE = -2, RT6_NUD_SUCCEED = 1 };

/* A neighbour that nobody has asked for yet may well be there. */
static int
rt6_check_neigh(struct net *net, const struct fib6_info *rt)
{
	const struct neighbour *neigh = ndisc_lookup_noref(net, rt->dev, fib6_gateway(rt));

	return neigh && neigh_state(neigh) & NUD_FAILED ? RT6_NUD_FAIL_PROBE : RT6_NUD_SUCCEED;
}

#define PREF_MEDIUM 4 /* a router's preference counts more than its device */

static int
rt6_score_route(const struct lookup *l, const struct fib6_info *rt)
{
	int score = !l->oif || rt->dev->ifindex == l->oif ? 2 : 0, neigh;

	CALL_ENTER(calls_of(l->net), "rt6_score_route");
	if (!score && l->iface)
		return RT6_NUD_FAIL_HARD;
	if (!l->reachable || !rt->has_gateway)
		return score | PREF_MEDIUM;
	neigh = rt6_check_neigh(l->net, rt);
	return neigh < 0 ? neigh : (score | PREF_MEDIUM);
}

static bool
find_match(const struct lookup *l, const struct fib6_info *rt, int *best)
{
	int score;

	CALL_ENTER(calls_of(l->net), "find_match");
	score = rt6_score_route(l, rt);
	if (score == RT6_NUD_FAIL_HARD || score <= *best)
		return false;
	*best = score;
	return true;
}

/* Up to the first route of another metric, which is left in 'cont'; all, if null. */
static void
__find_rr_leaf(struct lookup *l, struct fib6_info *from, const struct fib6_info *until,
	       struct fib6_info **cont, int *best)
{
	CALL_ENTER(calls_of(l->net), "__find_rr_leaf");
	for (struct fib6_info *rt = from; rt && rt != until; rt = rt->next) {
		if (cont && rt->metric != from->metric) {
			*cont = rt;
			return;
		}
		if (!fib6_check_expired(rt) && find_match(l, rt, best))
			l->match = rt;
	}
}

/* The kernel begins where the last round robin ended.  With preferences of routers no
 * lookup asks for another round, so that this is always the first route: the second
 * walk, of what is before it, is empty.  It is made all the same. */
static void
find_rr_leaf(struct lookup *l, struct fib6_info *leaf)
{
	struct fib6_info *cont = NULL;
	int best = -1;

	__find_rr_leaf(l, leaf, NULL, &cont, &best);
	__find_rr_leaf(l, leaf, leaf, &cont, &best);
	if (!l->match && cont)
		__find_rr_leaf(l, cont, NULL, NULL, &best);
}

static bool
try_nodes(struct lookup *l, struct fib6_node *fn)
{
	for (; fn && !l->match; fn = fib6_backtrack(fn))
		if (fn->leaf)
			find_rr_leaf(l, fn->leaf);
	return l->match != NULL;
}

/* Rather a router that does not answer than none. */
static void
fib6_table_lookup(struct lookup *l, struct fib6_table *table)
{
	struct fib6_node *fn;

	CALL_ENTER(calls_of(l->net), "fib6_table_lookup");
	fn = fib6_node_lookup(l->net->kernel, table, l->fl6->daddr);
	if (try_nodes(l, fn) || !l->reachable)
		return;
	l->reachable = false;
	try_nodes(l, fn);
	l->reachable = true;
}

/* Of routes that share their traffic each flow has one.  The kernel's hash is salted
 * at random; this one is of the addresses. */
static struct fib6_info *
fib6_select_path(const struct lookup *l, struct fib6_info *match)
{
	struct key daddr = key_make(l->fl6->daddr, 16, 0), saddr = key_make(l->fl6->saddr, 16, 0);
	struct fib6_info *rt = match->node->leaf;
	uint32_t n;

	CALL_ENTER(calls_of(l->net), "fib6_select_path");
	if (match->nsiblings == 0 || (l->oif && match->dev->ifindex == l->oif))
		return match;
	n = key_hash_addr(&daddr, key_hash_addr(&saddr, 0)) % (match->nsiblings + 1);
	for (;; rt = rt->next)
		if (rt->metric == match->metric && rt6_qualify_for_ecmp(rt) && n-- == 0)
			return rt;
}

/* One table's answer; false: look on. */
static bool
ip6_pol_route(struct lookup *l, struct fib6_table *table)
{
	CALL_ENTER(calls_of(l->net), "ip6_pol_route");
	l->match = NULL;
	fib6_table_lookup(l, table);
	if (!l->match)
		return false;
	l->match = fib6_select_path(l, l->match);
	CALL(calls_of(l->net), "rt6_find_cached_rt");
	return true;
}

static bool
ip6_pol_route_output(struct lookup *l, struct fib6_table *table)
{
	CALL_ENTER(calls_of(l->net), "ip6_pol_route_output");
	return table && ip6_pol_route(l, table);
}

/* Rules */

/* The rule of VRFs, for what leaves by one. */
static struct fib6_table *
l3mdev_fib_rule(const struct lookup *l)
{
	struct net_device *dev = l->fl6->oif ? dev_get_by_index(l->net, l->fl6->oif) : NULL;
	uint32_t id = dev ? l3mdev_fib_table(dev) : 0;

	CALL(calls_of(l->net), "l3mdev_fib_rule_match");
	return id ? fib6_get_table(netns_fib6(l->net), id) : NULL;
}

/* local, l3mdev if there ever was a VRF, main. */
static bool
fib6_rule_lookup(struct lookup *l)
{
	const struct netns_fib6 *fib = netns_fib6(l->net);
	struct fib6_table *vrf = NULL;

	CALL_ENTER(calls_of(l->net), "fib6_rule_lookup");
	if (fib->has_custom_rules)
		CALL(calls_of(l->net), "fib_rules_lookup");
	if (ip6_pol_route_output(l, fib->local))
		return true;
	if (fib->has_custom_rules)
		vrf = l3mdev_fib_rule(l);
	if (vrf && ip6_pol_route_output(l, vrf))
		return true;
	return ip6_pol_route_output(l, fib->main);
}

/* A packet to a local address goes through the loopback, or the VRF's own device. */
static struct net_device *
rt_dev(struct net *net, const struct fib6_info *rt, bool strict)
{
	struct net_device *dev = rt->dev;

	if (strict || !fib6_is_local(rt))
		return dev;
	if (netif_is_l3_slave(dev))
		return netdev_master_upper_dev_get(dev);
	return netif_is_l3_master(dev) ? dev : net->loopback;
}

static int
error_of(const struct fib6_info *rt)
{
	switch (rt->type) {
	case RTN_BLACKHOLE:
		return -EINVAL;
	case RTN_PROHIBIT:
		return -EACCES;
	case RTN_UNREACHABLE:
		return -EHOSTUNREACH;
	default:
		return 0;
	}
}

/* Only the link says which of its neighbours is meant. */
static bool
rt6_need_strict(struct net *net, const uint8_t daddr[16])
{
	CALL(calls_of(net), "__ipv6_addr_type");
	return ipv6_addr_multicast(daddr) || ipv6_addr_linklocal(daddr) ||
	       ipv6_addr_loopback(daddr);
}

static struct fib6_result
result_of(struct lookup *l, bool strict)
{
	struct fib6_result res = {.error = -ENETUNREACH};

	if (!fib6_rule_lookup(l))
		return res;
	res.error = error_of(l->match);
	res.rt = l->match;
	res.dev = rt_dev(l->net, l->match, strict);
	return res;
}

static struct fib6_result
ip6_route_output_flags_noref(struct net *net, struct flowi6 *fl6)
{
	struct net_device *dev = fl6->oif ? dev_get_by_index(net, fl6->oif) : NULL;
	struct lookup l = {.net = net,
			   .fl6 = fl6,
			   .oif = dev && netif_is_l3_master(dev) ? 0 : fl6->oif,
			   .reachable = !inet6_net(net)->all.forwarding};
	bool strict;

	CALL_ENTER(calls_of(net), "ip6_route_output_flags_noref");
	CALL(calls_of(net), "__ipv6_addr_type"); /* of a VRF, where it is link-local */
	strict = rt6_need_strict(net, fl6->daddr);
	l.iface = strict || (l.oif && ipv6_addr_any(fl6->saddr));
	return result_of(&l, strict);
}

struct fib6_result
ip6_route_output(struct net *net, struct flowi6 *fl6)
{
	CALL(calls_of(net), "ip6_route_output_flags");
	return ip6_route_output_flags_noref(net, fl6);
}

int
ip6_route_get_saddr(struct net *net, const struct fib6_result *res, const uint8_t daddr[16],
		    uint8_t saddr[16])
{
	if (!res->rt->has_prefsrc)
		return ipv6_dev_get_saddr(net, res->rt->dev, daddr, 0, saddr);
	memcpy(saddr, fib6_prefsrc(res->rt), 16);
	return 0;
}

int
inet6_rtm_getroute(struct net *net, const struct flowi6 *asked, struct fib6_result *res,
		   uint8_t saddr[16])
{
	struct flowi6 fl6 = *asked;

	CALL_ENTER(calls_of(net), "inet6_rtm_getroute");
	rcu_read_lock(net->kernel->rcu);
	*res = ip6_route_output(net, &fl6);
	if (res->error == 0 && ip6_route_get_saddr(net, res, fl6.daddr, saddr) != 0)
		memset(saddr, 0, 16);
	rcu_read_unlock(net->kernel->rcu);
	return res->error;
}

/* A dump */

struct dump {
	struct net *net;
	uint32_t table;
	void (*each)(const struct fib6_info *, void *data);
	void *data;
};

static bool
is_first_sibling(const struct fib6_info *rt)
{
	const struct fib6_info *at = rt->prev;

	if (rt->nsiblings == 0)
		return true;
	while (at && !(at->metric == rt->metric && rt6_qualify_for_ecmp(at)))
		at = at->prev;
	return !at;
}

static void
rt6_dump_route(struct fib6_info *rt, void *data)
{
	const struct dump *d = data;

	if (d->table && rt->table->id != d->table)
		return;
	CALL_ENTER(calls_of(d->net), "rt6_dump_route");
	if (is_first_sibling(rt))
		d->each(rt, d->data);
}

int
inet6_dump_fib(struct net *net, uint32_t table, void (*each)(const struct fib6_info *, void *data),
	       void *data, struct ext_ack *ack)
{
	struct dump d = {.net = net, .table = table, .each = each, .data = data};

	CALL_ENTER(calls_of(net), "inet6_dump_fib");
	if (table && !fib6_get_table(netns_fib6(net), table)) {
		ext_ack_set(ack, "ipv6: FIB table does not exist");
		return -ENOENT;
	}
	fib6_walk(netns_fib6(net), rt6_dump_route, &d);
	return 0;
}

/* The module */

static int
net_init(struct net *net, void *state)
{
	fib6_init(net, state);
	return 0;
}

static void
net_exit(struct net *net, void *state)
{
	fib6_exit(state);
}

const struct net_module net_module_ip6_route = {
	.name = "ip6-route",
	.net_size = sizeof(struct netns_fib6),
	.net_init = net_init,
	.net_exit = net_exit,
};
