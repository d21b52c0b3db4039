/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fib4.c - see fib4.h. */
#include "net/fib4.h"

#include <netinet/in.h>

#include "net/dev.h"
#include "net/igmp.h"
#include "net/ndisc.h"

extern const struct net_module net_module_fib4;

struct netns_fib4 {
	GPtrArray *routes; /* struct fib_alias, sorted; null while there are none */
	uint64_t genid;
};

static struct netns_fib4 *
fib4(const struct net *net)
{
	return net_module_state(net, &net_module_fib4);
}

static unsigned
route_count(const struct net *net)
{
	return fib4(net)->routes ? fib4(net)->routes->len : 0;
}

static struct fib_alias *
route_at(const struct net *net, unsigned n)
{
	return fib4(net)->routes->pdata[n];
}

/* The table */

/* Main before local; then by prefix, of one place the longest first, and by priority. */
static int
compare(const struct fib_alias *a, const struct fib_alias *b)
{
	if (a->table != b->table)
		return a->table < b->table ? -1 : 1;
	if (a->dst != b->dst)
		return a->dst < b->dst ? -1 : 1;
	if (a->dst_len != b->dst_len)
		return a->dst_len > b->dst_len ? -1 : 1;
	return (a->priority > b->priority) - (a->priority < b->priority);
}

static void
insert(struct net *net, const struct fib_alias *fa)
{
	struct netns_fib4 *f = fib4(net);
	unsigned at = 0;

	if (!f->routes)
		f->routes = g_ptr_array_new_with_free_func(g_free);
	while (at < f->routes->len && compare(route_at(net, at), fa) < 0)
		at++;
	g_ptr_array_insert(f->routes, (int)at, g_memdup2(fa, sizeof *fa));
	f->genid++;
}

static void
remove_at(struct net *net, unsigned at)
{
	g_ptr_array_remove_index(fib4(net)->routes, at);
	fib4(net)->genid++;
}

uint64_t
fib_genid(const struct net *net)
{
	return fib4(net)->genid;
}

/* One of the same prefix and priority, or the place behind the last. */
static unsigned
find_equal(const struct net *net, const struct fib_alias *fa)
{
	unsigned at = 0;

	while (at < route_count(net) && compare(route_at(net, at), fa) != 0)
		at++;
	return at;
}

static bool
prefix_has(const struct fib_alias *fa, uint32_t addr)
{
	return ((addr ^ fa->dst) & inet_make_mask(fa->dst_len)) == 0;
}

/* The longest prefix of a table; of equal ones the first. */
static const struct fib_alias *
fib_table_lookup(const struct net *net, uint32_t table, uint32_t daddr, int oif)
{
	const struct fib_alias *best = NULL;

	for (unsigned i = 0; i < route_count(net); i++) {
		const struct fib_alias *fa = route_at(net, i);

		if (fa->table == table && prefix_has(fa, daddr) &&
		    (!oif || !fa->dev || fa->dev->ifindex == oif) &&
		    (!best || fa->dst_len > best->dst_len))
			best = fa;
	}
	return best;
}

static const struct fib_alias *
fib_lookup(const struct net *net, uint32_t daddr, int oif)
{
	const struct fib_alias *fa = fib_table_lookup(net, RT_TABLE_LOCAL, daddr, oif);

	return fa ? fa : fib_table_lookup(net, RT_TABLE_MAIN, daddr, oif);
}

/* What a user asks for */

static int
refuse(struct ext_ack *ack, int err, const char *why)
{
	ext_ack_set(ack, "%s", why);
	return err;
}

/* A gateway must be on a link of this host; 'fa' gets its device. */
static int
fib_check_nh_gw(struct net *net, struct fib_alias *fa, int ifindex, struct ext_ack *ack)
{
	const struct fib_alias *to = fib_lookup(net, fa->gateway, ifindex);

	if (!to)
		return refuse(ack, -ENETUNREACH, "Nexthop has invalid gateway");
	if (to->type != RTN_UNICAST || to->gateway)
		return refuse(ack, -EINVAL, "Nexthop has invalid gateway");
	fa->dev = to->dev;
	return 0;
}

static int
fib_check_nh(struct net *net, const struct fib_config *cfg, struct fib_alias *fa,
	     struct ext_ack *ack)
{
	if (cfg->type == RTN_BLACKHOLE || cfg->type == RTN_UNREACHABLE || cfg->type == RTN_PROHIBIT)
		return 0;
	if (cfg->gateway)
		return fib_check_nh_gw(net, fa, cfg->ifindex, ack);
	fa->dev = cfg->ifindex ? dev_get_by_index(net, cfg->ifindex) : NULL;
	if (!fa->dev)
		return -ENODEV;
	if (fa->dev->flags & IFF_UP || fa->scope == RT_SCOPE_HOST)
		return 0;
	return refuse(ack, -ENETDOWN, "Device for nexthop is not up");
}

static bool
is_local_address(const struct net *net, uint32_t addr)
{
	const struct fib_alias *fa = fib_table_lookup(net, RT_TABLE_LOCAL, addr, 0);

	return fa && fa->type == RTN_LOCAL;
}

static int
fib_create_info(struct net *net, const struct fib_config *cfg, struct fib_alias *fa,
		struct ext_ack *ack)
{
	int err;

	*fa = (struct fib_alias){.table = cfg->table,
				 .dst = cfg->dst,
				 .dst_len = cfg->dst_len,
				 .gateway = cfg->gateway,
				 .prefsrc = cfg->prefsrc,
				 .priority = cfg->priority,
				 .type = cfg->type,
				 .scope = cfg->scope,
				 .protocol = cfg->protocol};
	err = fib_check_nh(net, cfg, fa, ack);
	if (err != 0)
		return err;
	if (cfg->prefsrc && !(cfg->type == RTN_LOCAL && cfg->dst == cfg->prefsrc) &&
	    !is_local_address(net, cfg->prefsrc))
		return refuse(ack, -EINVAL, "Invalid prefsrc address");
	return 0;
}

static int
fib_table_insert(struct net *net, const struct fib_config *cfg, struct ext_ack *ack)
{
	struct fib_alias fa;
	unsigned at;
	int err;

	if (cfg->dst & ~inet_make_mask(cfg->dst_len))
		return refuse(ack, -EINVAL, "Invalid prefix for given prefix length");
	err = fib_create_info(net, cfg, &fa, ack);
	if (err != 0)
		return err;
	at = find_equal(net, &fa);
	if (at < route_count(net)) {
		if (!(cfg->nlflags & NLM_F_REPLACE))
			return -EEXIST;
		remove_at(net, at);
	} else if (!(cfg->nlflags & NLM_F_CREATE)) {
		return -ENOENT;
	}
	insert(net, &fa);
	return 0;
}

static bool
is_meant(const struct fib_alias *fa, const struct fib_config *cfg)
{
	return fa->table == cfg->table && fa->dst == cfg->dst && fa->dst_len == cfg->dst_len &&
	       (!cfg->type || fa->type == cfg->type) &&
	       (cfg->scope == RT_SCOPE_NOWHERE || fa->scope == cfg->scope) &&
	       (!cfg->protocol || fa->protocol == cfg->protocol) &&
	       (!cfg->priority || fa->priority == cfg->priority) &&
	       (!cfg->gateway || fa->gateway == cfg->gateway) &&
	       (!cfg->prefsrc || fa->prefsrc == cfg->prefsrc) &&
	       (!cfg->ifindex || (fa->dev && fa->dev->ifindex == cfg->ifindex));
}

static int
fib_table_delete(struct net *net, const struct fib_config *cfg)
{
	for (unsigned i = 0; i < route_count(net); i++) {
		if (!is_meant(route_at(net, i), cfg))
			continue;
		remove_at(net, i);
		return 0;
	}
	return -ESRCH;
}

int
inet_rtm_newroute(struct net *net, const struct fib_config *cfg, struct ext_ack *ack)
{
	int err;

	CALL_ENTER(&net->kernel->calls, "inet_rtm_newroute");
	rtnl_lock(net->kernel);
	err = fib_table_insert(net, cfg, ack);
	rtnl_unlock(net->kernel);
	return err;
}

int
inet_rtm_delroute(struct net *net, const struct fib_config *cfg, struct ext_ack *ack)
{
	int err;

	CALL_ENTER(&net->kernel->calls, "inet_rtm_delroute");
	rtnl_lock(net->kernel);
	err = fib_table_delete(net, cfg);
	rtnl_unlock(net->kernel);
	return err;
}

void
inet_dump_fib(const struct net *net, uint32_t table,
	      void (*each)(const struct fib_alias *, void *data), void *data)
{
	for (unsigned i = 0; i < route_count(net); i++)
		if (!table || route_at(net, i)->table == table)
			each(route_at(net, i), data);
}

/* What comes with addresses */

/* A route of the kernel's own: what the device itself receives, and its network. */
static void
fib_magic(const struct in_ifaddr *ifa, uint8_t type, uint32_t dst, uint8_t len, bool add)
{
	struct net *net = ifa->in_dev->dev->net;
	struct fib_config cfg = {
		.table = type == RTN_UNICAST ? RT_TABLE_MAIN : RT_TABLE_LOCAL,
		.type = type,
		.scope = type == RTN_LOCAL ? RT_SCOPE_HOST : RT_SCOPE_LINK,
		.protocol = RTPROT_KERNEL,
		.dst = dst,
		.dst_len = len,
		.prefsrc = ifa->local,
		.ifindex = ifa->in_dev->dev->ifindex,
		.nlflags = NLM_F_CREATE,
	};

	if (add)
		fib_table_insert(net, &cfg, NULL);
	else
		fib_table_delete(net, &cfg);
}

static bool
is_loopback(uint32_t addr)
{
	return addr >> 24 == IN_LOOPBACKNET;
}

/* Of an address that is no host alone: its network, and both ends that all hear. */
static void
magic_prefix(const struct in_ifaddr *ifa, bool add)
{
	uint32_t mask = inet_make_mask(ifa->prefixlen), prefix = ifa->local & mask;
	struct kernel *k = ifa->in_dev->dev->kernel;

	if (ifa->prefixlen == 32 || prefix >> 24 == 0)
		return;
	fib_magic(ifa, is_loopback(prefix) ? RTN_LOCAL : RTN_UNICAST, prefix, ifa->prefixlen, add);
	if (ifa->prefixlen == 31)
		return;
	if (k->options.version < KERNEL_6_1)
		fib_magic(ifa, RTN_BROADCAST, prefix, 32, add);
	fib_magic(ifa, RTN_BROADCAST, prefix | ~mask, 32, add);
}

void
fib_add_ifaddr(const struct in_ifaddr *ifa)
{
	fib_magic(ifa, RTN_LOCAL, ifa->local, 32, true);
	if (ifa->in_dev->dev->flags & IFF_UP && !(ifa->flags & IFA_F_SECONDARY))
		magic_prefix(ifa, true);
}

static bool
has_address(const struct in_device *in_dev, uint32_t addr)
{
	for (const struct in_ifaddr *ifa = in_dev->ifa_list; ifa; ifa = ifa->next)
		if (ifa->local == addr)
			return true;
	return false;
}

/* Nothing may say that it comes from an address that is no more. */
static void
fib_sync_down_addr(struct net *net, uint32_t local)
{
	for (unsigned i = route_count(net); i-- > 0;)
		if (route_at(net, i)->prefsrc == local)
			remove_at(net, i);
}

void
fib_del_ifaddr(const struct in_ifaddr *ifa)
{
	struct net *net = ifa->in_dev->dev->net;

	if (!(ifa->flags & IFA_F_SECONDARY))
		magic_prefix(ifa, false);
	if (has_address(ifa->in_dev, ifa->local))
		return;
	fib_magic(ifa, RTN_LOCAL, ifa->local, 32, false);
	if (!inet_dev_of(net, ifa->local))
		fib_sync_down_addr(net, ifa->local);
}

void
fib_netdev_up(struct net_device *dev)
{
	for (const struct in_ifaddr *ifa = dev->ip_ptr->ifa_list; ifa; ifa = ifa->next)
		fib_add_ifaddr(ifa);
}

/* This host keeps its addresses while a device is down. */
void
fib_disable_ip(struct net_device *dev, bool force)
{
	for (unsigned i = route_count(dev->net); i-- > 0;) {
		const struct fib_alias *fa = route_at(dev->net, i);

		if (fa->dev == dev && (force || fa->scope != RT_SCOPE_HOST))
			remove_at(dev->net, i);
	}
	arp_ifdown(dev);
}

/* Lookups of packets */

static int
refusal(uint8_t type)
{
	return type == RTN_BLACKHOLE ? -EINVAL : type == RTN_PROHIBIT ? -EACCES : -EHOSTUNREACH;
}

static uint32_t
fib_result_prefsrc(const struct fib_alias *fa)
{
	return fa->prefsrc ? fa->prefsrc : inet_select_addr(fa->dev, fa->gateway, fa->scope);
}

int
__ip_route_output_key(struct net *net, struct flowi4 *fl4, struct rtable *rt)
{
	const struct fib_alias *fa = fib_lookup(net, fl4->daddr, fl4->oif);

	*rt = (struct rtable){.type = RTN_UNREACHABLE};
	if (!fa)
		return -ENETUNREACH;
	if (!fa->dev)
		return refusal(fa->type);
	if (!fl4->saddr)
		fl4->saddr =
			fa->type == RTN_LOCAL && !fa->prefsrc ? fl4->daddr : fib_result_prefsrc(fa);
	*rt = (struct rtable){.dev = fa->type == RTN_LOCAL ? net->loopback : fa->dev,
			      .type = fa->type,
			      .gateway = fa->gateway};
	return 0;
}

uint8_t
ip_route_input(struct net *net, uint32_t daddr)
{
	const struct fib_alias *fa = fib_lookup(net, daddr, 0);

	return fa ? fa->type : RTN_UNREACHABLE;
}

/* The module */

static void
net_exit(struct net *net, void *state)
{
	struct netns_fib4 *f = state;

	if (f->routes)
		g_ptr_array_unref(f->routes);
}

const struct net_module net_module_fib4 = {
	.name = "fib4",
	.net_size = sizeof(struct netns_fib4),
	.net_exit = net_exit,
};
