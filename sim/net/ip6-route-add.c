/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip6-route-add.c - routes that come and go: by users, with addresses, with devices.
 *
 * Models ip6_route_info_create(), fib6_nh_init() and ip6_route_del() of
 * net/ipv6/route.c, and what of net/ipv6/addrconf.c makes routes. */
#include <linux/if_addr.h>
#include <linux/netlink.h>
#include <string.h>

#include "net/dev.h"
#include "net/inet6.h"
#include "net/ip6-route.h"
#include "net/saddr.h"

/* What a user's route has to be like */

static bool
is_reject(uint8_t type)
{
	return type == RTN_UNREACHABLE || type == RTN_BLACKHOLE || type == RTN_PROHIBIT;
}

static bool
has_addr(const struct net_device *dev, const uint8_t addr[16])
{
	struct key key = key_make(addr, 16, (uint32_t)dev->ifindex);
	const struct inet6_ifaddr *ifa = table_find(&inet6_net(dev->net)->addrs, &key);

	return ifa && !(ifa->flags & IFA_F_TENTATIVE);
}

/* Is it an address of the host, as seen from 'dev' (null: from outside of all VRFs)?
 * Another VRF's is a stranger's, and on a link only the device's own one counts. */
static bool
ipv6_chk_addr(struct net *net, const uint8_t addr[16], const struct net_device *dev)
{
	const struct net_device *master = dev ? l3mdev_master_dev_rcu(dev) : NULL, *at;
	bool wide = !dev || ipv6_addr_scope(addr) > IPV6_ADDR_SCOPE_LINKLOCAL;

	for_each_netdev(net, at)
	{
		if (in6_dev_get(at) && l3mdev_master_dev_rcu(at) == master && (wide || at == dev) &&
		    has_addr(at, addr))
			return true;
	}
	return false;
}

/* A gateway must be a neighbour.  Finds the device if none was named. */
static int
ip6_route_check_nh(struct net *net, const struct fib6_config *cfg, struct net_device **dev)
{
	struct flowi6 fl6 = {.oif = *dev ? (*dev)->ifindex : 0};
	struct fib6_result res;

	memcpy(fl6.daddr, cfg->gateway, 16);
	res = ip6_route_output(net, &fl6);
	if (res.error != 0 || res.rt->has_gateway || (*dev && res.dev != *dev))
		return -EHOSTUNREACH;
	*dev = res.dev;
	return 0;
}

static int
find_gw(struct net *net, const struct fib6_config *cfg, struct net_device **dev,
	struct ext_ack *ack)
{
	if (ipv6_addr_linklocal(cfg->gateway))
		return 0;
	if (!ipv6_addr_multicast(cfg->gateway) && !ipv6_addr_any(cfg->gateway))
		return ip6_route_check_nh(net, cfg, dev);
	ext_ack_set(ack, "Invalid gateway address");
	return -EINVAL;
}

static int
check_gw_is_remote(struct net *net, const struct fib6_config *cfg, const struct net_device *dev,
		   struct ext_ack *ack)
{
	if (!ipv6_chk_addr(net, cfg->gateway, dev))
		return 0;
	ext_ack_set(ack, "Gateway can not be a local address");
	return -EINVAL;
}

/* Whose address it is can be asked only once the device is known. */
static int
ip6_validate_gw(struct net *net, const struct fib6_config *cfg, struct net_device **dev,
		struct ext_ack *ack)
{
	bool named = *dev != NULL;
	int err = named ? check_gw_is_remote(net, cfg, *dev, ack) : 0;

	if (err == 0)
		err = find_gw(net, cfg, dev, ack);
	if (err != 0)
		return err;
	if (!*dev) {
		ext_ack_set(ack, "Egress device not specified");
		return -EINVAL;
	}
	return named ? 0 : check_gw_is_remote(net, cfg, *dev, ack);
}

static int
check_dev(const struct net_device *dev, const struct fib6_config *cfg, struct ext_ack *ack)
{
	if (!in6_dev_get(dev))
		return -ENODEV;
	if (in6_dev_get(dev)->cnf.disable_ipv6) {
		ext_ack_set(ack, "IPv6 is disabled on nexthop device");
		return -EACCES;
	}
	if (!(dev->flags & IFF_UP) && !cfg->ignore_dev_down) {
		ext_ack_set(ack, "Nexthop device is not up");
		return -ENETDOWN;
	}
	return 0;
}

static int
fib6_nh_init(struct net *net, const struct fib6_config *cfg, struct net_device **dev,
	     struct ext_ack *ack)
{
	int err;

	*dev = cfg->dev;
	if (!*dev && cfg->ifindex)
		*dev = dev_get_by_index(net, cfg->ifindex);
	if ((cfg->dev || cfg->ifindex) && (!*dev || !in6_dev_get(*dev)))
		return -ENODEV;
	if (is_reject(cfg->type)) {
		*dev = net->loopback;
		return in6_dev_get(*dev) ? 0 : -ENODEV;
	}
	if (cfg->has_gateway) {
		err = ip6_validate_gw(net, cfg, dev, ack);
		if (err != 0)
			return err;
	}
	return *dev ? check_dev(*dev, cfg, ack) : -ENODEV;
}

static int
check_prefsrc(struct net *net, const struct fib6_config *cfg, const struct net_device *dev,
	      struct ext_ack *ack)
{
	if (!cfg->has_prefsrc || ipv6_chk_addr(net, cfg->prefsrc, dev))
		return 0;
	ext_ack_set(ack, "Invalid source address");
	return -EINVAL;
}

static struct fib6_info *
route_new(struct fib6_table *table, const struct fib6_config *cfg, struct net_device *dev)
{
	bool gateway = cfg->has_gateway && !is_reject(cfg->type);
	size_t more = 16 * ((size_t)gateway + cfg->has_prefsrc);
	struct fib6_info *rt = g_malloc0(sizeof *rt + more);

	rt->table = table;
	rt->dev = dev;
	rt->type = cfg->type;
	rt->protocol = cfg->protocol ? cfg->protocol : RTPROT_BOOT;
	rt->metric = cfg->metric;
	rt->expires = cfg->expires;
	rt->has_gateway = gateway;
	rt->has_prefsrc = cfg->has_prefsrc;
	if (gateway)
		memcpy(rt->more[0], cfg->gateway, 16);
	if (cfg->has_prefsrc)
		memcpy(rt->more[gateway], cfg->prefsrc, 16);
	return rt;
}

int
ip6_route_add(struct net *net, const struct fib6_config *cfg, struct ext_ack *ack)
{
	uint32_t id = cfg->table ? cfg->table : RT_TABLE_MAIN;
	struct netns_fib6 *fib = netns_fib6(net);
	struct fib6_table *table;
	struct net_device *dev;
	uint8_t dst[16];
	int err;

	CALL_ENTER(&net->kernel->calls, "ip6_route_add");
	if (cfg->dst_len > 128) {
		ext_ack_set(ack, "Invalid prefix length");
		return -EINVAL;
	}
	table = cfg->nlflags & NLM_F_CREATE ? fib6_new_table(fib, id) : fib6_get_table(fib, id);
	if (!table)
		table = fib6_new_table(fib, id);
	ipv6_addr_prefix(dst, cfg->dst, cfg->dst_len);
	err = fib6_nh_init(net, cfg, &dev, ack);
	if (err == 0)
		err = check_prefsrc(net, cfg, dev, ack);
	if (err == 0)
		err = fib6_add(route_new(table, cfg, dev), dst, cfg->dst_len, cfg->nlflags, ack);
	return err;
}

/* Deleting */

static bool
is_asked_for(const struct fib6_info *rt, const struct fib6_config *cfg)
{
	return (!cfg->ifindex || rt->dev->ifindex == cfg->ifindex) &&
	       (!cfg->has_gateway ||
		(rt->has_gateway && memcmp(fib6_gateway(rt), cfg->gateway, 16) == 0)) &&
	       (!cfg->metric || rt->metric == cfg->metric) &&
	       (!cfg->protocol || rt->protocol == cfg->protocol);
}

/* Who names no gateway means all of the routes that share the traffic. */
static void
delete_route(struct fib6_info *rt, bool siblings)
{
	struct fib6_info *next;
	uint32_t metric = rt->metric;

	if (!siblings || rt->nsiblings == 0) {
		fib6_del(rt);
		return;
	}
	for (rt = rt->node->leaf; rt; rt = next) {
		next = rt->next;
		if (rt->metric == metric && rt6_qualify_for_ecmp(rt))
			fib6_del(rt);
	}
}

static int
ip6_route_del(struct net *net, const struct fib6_config *cfg, struct ext_ack *ack)
{
	struct fib6_table *table =
		fib6_get_table(netns_fib6(net), cfg->table ? cfg->table : RT_TABLE_MAIN);
	struct fib6_info *rt;
	uint8_t dst[16];

	CALL_ENTER(&net->kernel->calls, "ip6_route_del");
	if (!table) {
		ext_ack_set(ack, "FIB table does not exist");
		return -ESRCH;
	}
	ipv6_addr_prefix(dst, cfg->dst, cfg->dst_len);
	for (rt = fib6_locate(table, dst, cfg->dst_len); rt; rt = rt->next) {
		if (!is_asked_for(rt, cfg))
			continue;
		delete_route(rt, !cfg->has_gateway);
		return 0;
	}
	return -ESRCH;
}

int
inet6_rtm_newroute(struct net *net, const struct fib6_config *cfg, struct ext_ack *ack)
{
	struct fib6_config user = *cfg;
	int err;

	if (user.metric == 0)
		user.metric = IP6_RT_PRIO_USER;
	rtnl_lock(net->kernel);
	err = ip6_route_add(net, &user, ack);
	rtnl_unlock(net->kernel);
	return err;
}

int
inet6_rtm_delroute(struct net *net, const struct fib6_config *cfg, struct ext_ack *ack)
{
	int err;

	rtnl_lock(net->kernel);
	err = ip6_route_del(net, cfg, ack);
	rtnl_unlock(net->kernel);
	return err;
}

/* Devices */

/* The kernel walks all tables for them; what it passes is counted. */
void
rt6_disable_ip(struct net_device *dev)
{
	const struct netns_fib6 *fib = netns_fib6(dev->net);
	struct inet6_dev *idev = in6_dev_get(dev);
	uint64_t nodes = 0;

	for (unsigned h = 0; h < FIB6_TABLE_HASHSZ; h++)
		for (const struct fib6_table *t = fib->tables[h]; t; t = t->next)
			nodes += t->nodes + !t->root.leaf;
	dev->kernel->calls.count[call_number("fib6_clean_node")] += nodes;
	while (idev && idev->routes)
		fib6_del(idev->routes);
}

/* Addresses */

static uint32_t
table_of(const struct net_device *dev, uint32_t otherwise)
{
	uint32_t id = l3mdev_fib_table(dev);

	return id ? id : otherwise;
}

static struct fib6_config
kernel_route(struct net_device *dev, uint8_t type, uint32_t table)
{
	return (struct fib6_config){.table = table_of(dev, table),
				    .type = type,
				    .protocol = RTPROT_KERNEL,
				    .dev = dev,
				    .nlflags = NLM_F_CREATE};
}

static struct fib6_info *
find_route(struct net_device *dev, uint32_t id, const uint8_t addr[16], unsigned plen)
{
	struct fib6_table *table = fib6_get_table(netns_fib6(dev->net), table_of(dev, id));
	uint8_t dst[16];

	ipv6_addr_prefix(dst, addr, plen);
	return table ? fib6_find_on_dev(table, dev, dst, plen) : NULL;
}

static uint64_t
expiry_of(const struct inet6_ifaddr *ifa)
{
	if (ifa->valid_lft == INFINITY_LIFE_TIME)
		return 0;
	return engine_now(ifa->idev->dev->kernel->engine) + ifa->valid_lft * PS_PER_S;
}

void
addrconf_prefix_route(const struct inet6_ifaddr *ifa)
{
	struct net_device *dev = ifa->idev->dev;
	struct fib6_config cfg = kernel_route(dev, RTN_UNICAST, RT_TABLE_MAIN);

	cfg.metric = IP6_RT_PRIO_ADDRCONF;
	cfg.expires = expiry_of(ifa);
	cfg.dst_len = ifa->prefixlen;
	memcpy(cfg.dst, ifa->key.addr, 16);
	DEV_ENTER(dev, "addrconf_prefix_route");
	ip6_route_add(dev->net, &cfg, NULL);
}

/* With 128 bits in a VRF's table the route that is found is the local one, which the kernel
 * takes for a prefix route of another metric, and deletes. */
void
addrconf_modify_prefix_route(const struct inet6_ifaddr *ifa)
{
	struct fib6_info *rt =
		find_route(ifa->idev->dev, RT_TABLE_MAIN, ifa->key.addr, ifa->prefixlen);

	if (rt && rt->metric == IP6_RT_PRIO_ADDRCONF) {
		rt->expires = expiry_of(ifa);
		return;
	}
	if (rt)
		fib6_del(rt);
	addrconf_prefix_route(ifa);
}

/* Another address of the device may have the same prefix: a permanent one, or one
 * that cares for its route itself, keeps it as it is; any other says how long. */
void
addrconf_cleanup_prefix_route(const struct inet6_ifaddr *ifa)
{
	struct net_device *dev = ifa->idev->dev;
	const struct inet6_ifaddr *other;
	struct fib6_info *rt;
	struct cursor cursor;
	uint64_t expires = 0;

	for_each_ifaddr(ifa->idev, &cursor, other)
	{
		if (other == ifa || other->prefixlen != ifa->prefixlen ||
		    !ipv6_prefix_equal(other->key.addr, ifa->key.addr, ifa->prefixlen))
			continue;
		if (other->flags & (IFA_F_PERMANENT | IFA_F_NOPREFIXROUTE))
			return;
		expires = MAX(expires, expiry_of(other));
	}
	rt = find_route(dev, RT_TABLE_MAIN, ifa->key.addr, ifa->prefixlen);
	if (rt && expires == 0)
		fib6_del(rt);
	else if (rt && !rt->expires)
		rt->expires = expires;
}

void
rt6_remove_prefsrc(const struct inet6_ifaddr *ifa)
{
	struct netns_fib6 *fib = netns_fib6(ifa->idev->dev->net);

	if (fib->prefsrcs == 0)
		return;
	for (struct fib6_info *rt = ifa->idev->routes; rt; rt = rt->dev_next) {
		if (!rt->has_prefsrc || memcmp(fib6_prefsrc(rt), ifa->key.addr, 16) != 0)
			continue;
		rt->has_prefsrc = false;
		fib->prefsrcs--;
	}
}

/* In a VRF's table the prefix route of an address may have the same 128 bits. */
static struct fib6_info *
find_host_route(struct net_device *dev, const uint8_t addr[16], uint8_t type)
{
	struct fib6_info *rt = find_route(dev, RT_TABLE_LOCAL, addr, 128);

	return rt && rt->type == type ? rt : NULL;
}

/* One that is there already stays. */
static void
host_route(struct net_device *dev, const uint8_t addr[16], uint8_t type)
{
	struct fib6_config cfg = kernel_route(dev, type, RT_TABLE_LOCAL);

	cfg.dst_len = 128;
	cfg.ignore_dev_down = true;
	memcpy(cfg.dst, addr, 16);
	if (!find_host_route(dev, addr, type))
		ip6_route_add(dev->net, &cfg, NULL);
}

static void
del_host_route(struct net_device *dev, const uint8_t addr[16], uint8_t type)
{
	struct fib6_info *rt = find_host_route(dev, addr, type);

	if (rt)
		fib6_del(rt);
}

void
addrconf_ins_host_route(const struct inet6_ifaddr *ifa)
{
	host_route(ifa->idev->dev, ifa->key.addr, RTN_LOCAL);
}

void
addrconf_del_host_route(const struct inet6_ifaddr *ifa)
{
	del_host_route(ifa->idev->dev, ifa->key.addr, RTN_LOCAL);
}

void
addrconf_anycast_route(struct net_device *dev, const uint8_t addr[16], bool add)
{
	if (add)
		host_route(dev, addr, RTN_ANYCAST);
	else
		del_host_route(dev, addr, RTN_ANYCAST);
}

void
addrconf_add_mroute(struct net_device *dev)
{
	struct fib6_config cfg = kernel_route(dev, RTN_MULTICAST, RT_TABLE_LOCAL);

	cfg.metric = IP6_RT_PRIO_ADDRCONF;
	cfg.dst[0] = 0xff;
	cfg.dst_len = 8;
	ip6_route_add(dev->net, &cfg, NULL);
}
