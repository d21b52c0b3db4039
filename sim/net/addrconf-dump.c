/* SPDX-License-Identifier: GPL-2.0-or-later */
/* addrconf-dump.c - IPv6's part in messages about links, and RTM_GETADDR.
 *
 * Models inet6_fill_ifla6_attrs(), inet6_dump_ifinfo(), inet6_fill_ifaddr() and
 * inet6_dump_addr() of net/ipv6/addrconf.c, and rtnl_dump_all() of
 * net/core/rtnetlink.c for addresses (Linux 5.10 and 6.1). */
#include <linux/if_addr.h>
#include <linux/ipv6.h>
#include <linux/rtnetlink.h>

#include "net/dev.h"
#include "net/inet6.h"
#include "net/rtnl-ifinfo.h"

#define IF_READY        0x80000000u

#define DEVCONF_COUNT   59 /* of both kernels */
#define IPSTATS_COUNT   37
#define ICMP6_COUNT_510 6
#define ICMP6_COUNT_61  7

static bool
is_6_1(const struct net_device *dev)
{
	return dev->kernel->options.version >= KERNEL_6_1;
}

/* Links */

static void
fill_devconf(struct nlmsg *m, const struct inet6_dev *idev)
{
	const struct ipv6_devconf *cnf = &idev->cnf;
	int32_t values[DEVCONF_COUNT] = {
		[DEVCONF_FORWARDING] = cnf->forwarding,
		[DEVCONF_ACCEPT_RA] = cnf->accept_ra,
		[DEVCONF_DAD_TRANSMITS] = cnf->dad_transmits,
		[DEVCONF_RTR_SOLICITS] = cnf->router_solicitations,
		[DEVCONF_DISABLE_IPV6] = cnf->disable_ipv6,
		[DEVCONF_ACCEPT_DAD] = cnf->accept_dad,
		[DEVCONF_KEEP_ADDR_ON_DOWN] = cnf->keep_addr_on_down,
		[DEVCONF_ADDR_GEN_MODE] = cnf->addr_gen_mode,
		[DEVCONF_USE_TEMPADDR] = cnf->use_tempaddr,
		[DEVCONF_OPTIMISTIC_DAD] = cnf->optimistic_dad,
		[DEVCONF_USE_OPTIMISTIC] = cnf->use_optimistic,
		[DEVCONF_USE_OIF_ADDRS_ONLY] = cnf->use_oif_addrs_only,
	};

	nlmsg_put(m, IFLA_INET6_CONF, values, sizeof values);
}

void
inet6_fill_ifla6_attrs(struct nlmsg *m, const struct net_device *dev, uint32_t ext_mask)
{
	const struct inet6_dev *idev = in6_dev_get(dev);
	unsigned icmp6 = is_6_1(dev) ? ICMP6_COUNT_61 : ICMP6_COUNT_510;

	nlmsg_put_u32(m, IFLA_INET6_FLAGS, idev->ready ? IF_READY : 0);
	rtnl_put_zeros(m, IFLA_INET6_CACHEINFO, sizeof(struct ifla_cacheinfo));
	fill_devconf(m, idev);
	if (!(ext_mask & RTEXT_FILTER_SKIP_STATS)) {
		rtnl_put_zeros(m, IFLA_INET6_STATS, IPSTATS_COUNT * sizeof(uint64_t));
		rtnl_put_zeros(m, IFLA_INET6_ICMP6STATS, icmp6 * sizeof(uint64_t));
	}
	rtnl_put_zeros(m, IFLA_INET6_TOKEN, sizeof(struct in6_addr));
	nlmsg_put_u8(m, IFLA_INET6_ADDR_GEN_MODE, (uint8_t)idev->cnf.addr_gen_mode);
}

static int
inet6_fill_ifinfo(struct skb *skb, const struct netlink_callback *cb, const struct net_device *dev)
{
	struct nlmsg m = nlmsg_begin(skb, cb, RTM_NEWLINK, sizeof(struct ifinfomsg));
	struct ifinfomsg *ifm = m.header;
	struct nlattr *protinfo;

	DEV_ENTER(dev, "inet6_fill_ifinfo");
	if (m.overflow)
		return -EMSGSIZE;
	*ifm = (struct ifinfomsg){.ifi_family = AF_INET6,
				  .ifi_type = dev->type,
				  .ifi_index = dev->ifindex,
				  .ifi_flags = dev_get_flags(dev)};
	nlmsg_put_strz(&m, IFLA_IFNAME, dev->name);
	if (dev->addr_len)
		nlmsg_put(&m, IFLA_ADDRESS, dev->dev_addr, dev->addr_len);
	nlmsg_put_u32(&m, IFLA_MTU, dev->mtu);
	if (dev_get_iflink(dev) != dev->ifindex)
		nlmsg_put_u32(&m, IFLA_LINK, (uint32_t)dev_get_iflink(dev));
	nlmsg_put_u8(&m, IFLA_OPERSTATE, netif_running(dev) ? dev->operstate : OPER_DOWN);
	protinfo = nlmsg_nest_noflag(&m, IFLA_PROTINFO);
	inet6_fill_ifla6_attrs(&m, dev, 0);
	nlmsg_nest_end(&m, protinfo);
	return nlmsg_end(&m);
}

static int
dump_link(struct netlink_callback *cb, struct net_device *dev, void *skb)
{
	int err;

	if (!in6_dev_get(dev))
		return 0;
	err = inet6_fill_ifinfo(skb, cb, dev);
	if (err == 0)
		dump_shown(cb, 0, dev->index_seq);
	return err;
}

static int
inet6_dump_ifinfo(struct skb *skb, struct netlink_callback *cb)
{
	CALL_ENTER(&cb->net->kernel->calls, "inet6_dump_ifinfo");
	rtnl_dump_devices(cb, dump_link, skb);
	return (int)skb->len;
}

static void
each_link(const struct netlink_callback *cb, struct dump_set *set)
{
	const struct net_device *dev;

	dump_set_generation(set, AF_INET6, cb->net->dev_base_seq);
	for_each_netdev(cb->net, dev)
	{
		if (in6_dev_get(dev))
			dump_set_add(set, 0, dev->index_seq);
	}
}

/* Addresses */

static uint8_t
rt_scope(enum ipv6_scope scope)
{
	switch (scope) {
	case IPV6_ADDR_SCOPE_NODELOCAL:
		return RT_SCOPE_HOST;
	case IPV6_ADDR_SCOPE_LINKLOCAL:
		return RT_SCOPE_LINK;
	case IPV6_ADDR_SCOPE_SITELOCAL:
		return RT_SCOPE_SITE;
	case IPV6_ADDR_SCOPE_GLOBAL:
		break;
	}
	return RT_SCOPE_UNIVERSE;
}

/* One that is preferred forever is valid as long as was said. */
static uint32_t
lifetime_left(const struct inet6_ifaddr *ifa, uint32_t seconds)
{
	uint64_t now = engine_now(ifa->idev->dev->kernel->engine);
	uint64_t passed = (now - ifa->tstamp) / PS_PER_S;

	if (seconds == INFINITY_LIFE_TIME || ifa->preferred_lft == INFINITY_LIFE_TIME)
		return seconds;
	return seconds > passed ? seconds - (uint32_t)passed : 0;
}

static int
inet6_fill_ifaddr(struct skb *skb, const struct netlink_callback *cb,
		  const struct inet6_ifaddr *ifa)
{
	const struct net_device *dev = ifa->idev->dev;
	struct nlmsg m = nlmsg_begin(skb, cb, RTM_NEWADDR, sizeof(struct ifaddrmsg));
	struct ifa_cacheinfo cache = {
		.ifa_prefered = lifetime_left(ifa, ifa->preferred_lft),
		.ifa_valid = lifetime_left(ifa, ifa->valid_lft),
		.tstamp = (uint32_t)(ifa->tstamp / (PS_PER_S / 100)),
	};
	struct ifaddrmsg *ifm = m.header;

	DEV_ENTER(dev, "inet6_fill_ifaddr");
	if (m.overflow)
		return -EMSGSIZE;
	*ifm = (struct ifaddrmsg){.ifa_family = AF_INET6,
				  .ifa_prefixlen = ifa->prefixlen,
				  .ifa_flags = (uint8_t)ifa->flags,
				  .ifa_scope = rt_scope(ifa->scope),
				  .ifa_index = (uint32_t)dev->ifindex};
	if (rtnl_getaddr_ifindex(cb->nlh))
		m.nlh->nlmsg_flags |= NLM_F_DUMP_FILTERED;
	nlmsg_put(&m, IFA_ADDRESS, ifa->key.addr, sizeof(struct in6_addr));
	nlmsg_put(&m, IFA_CACHEINFO, &cache, sizeof cache);
	nlmsg_put_u32(&m, IFA_FLAGS, ifa->flags);
	if (ifa->proto && is_6_1(dev))
		nlmsg_put_u8(&m, IFA_PROTO, ifa->proto);
	return nlmsg_end(&m);
}

/* The third marker: the address of the device that the walk ended at. */
enum { MARKER_ADDRESS = 2 };

static int
in6_dump_addrs(struct netlink_callback *cb, struct net_device *dev, void *skb)
{
	const struct inet6_dev *idev = in6_dev_get(dev);
	int ifindex = rtnl_getaddr_ifindex(cb->nlh);
	const struct inet6_ifaddr *ifa;
	struct cursor cursor;
	uint64_t n = 0;

	if (!idev || (ifindex && dev->ifindex != ifindex))
		return 0;
	for_each_ifaddr(idev, &cursor, ifa)
	{
		if (n >= cb->args[MARKER_ADDRESS]) {
			if (inet6_fill_ifaddr(skb, cb, ifa) != 0) {
				cb->args[MARKER_ADDRESS] = n;
				return -EMSGSIZE;
			}
			dump_shown(cb, 0, ifa->seq);
		}
		n++;
	}
	cb->args[MARKER_ADDRESS] = 0;
	return 0;
}

static uint64_t
generation(const struct net *net)
{
	return inet6_net(net)->addrs.generation ^ net->dev_base_seq;
}

static int
inet6_dump_ifaddr(struct skb *skb, struct netlink_callback *cb)
{
	CALL_ENTER(&cb->net->kernel->calls, "inet6_dump_ifaddr");
	rtnl_dump_devices(cb, in6_dump_addrs, skb);
	rtnl_check_consistent(cb, skb, generation(cb->net));
	return (int)skb->len;
}

static void
add_addresses(struct inet6_dev *idev, struct dump_set *set)
{
	struct cursor cursor = CURSOR_START;
	const struct inet6_ifa_node *node;

	while ((node = table_peek(&idev->addr_list, &cursor)))
		dump_set_add(set, 0, node->ifa->seq);
}

static void
inet6_each_ifaddr(const struct netlink_callback *cb, struct dump_set *set)
{
	int ifindex = rtnl_getaddr_ifindex(cb->nlh);
	const struct net_device *dev;

	dump_set_generation(set, AF_INET6, generation(cb->net));
	for_each_netdev(cb->net, dev)
	{
		if (!in6_dev_get(dev) || (ifindex && dev->ifindex != ifindex))
			continue;
		add_addresses(in6_dev_get(dev), set);
	}
}

/* Addresses of all families: one family's end is the end of a datagram. */

enum { MARKER_FAMILY = 5 };

int
rtnl_dump_all(struct skb *skb, struct netlink_callback *cb)
{
	CALL_ENTER(&cb->net->kernel->calls, "rtnl_dump_all");
	if (cb->args[MARKER_FAMILY] == AF_UNSPEC) {
		if (inet_dump_ifaddr(skb, cb) > 0)
			return (int)skb->len;
		for (unsigned i = 0; i < MARKER_FAMILY; i++)
			cb->args[i] = 0;
		cb->args[MARKER_FAMILY] = AF_INET6;
		cb->prev_seq = cb->seq = 0;
	}
	return inet6_dump_ifaddr(skb, cb);
}

static void
each_of_all(const struct netlink_callback *cb, struct dump_set *set)
{
	inet_each_ifaddr(cb, set);
	inet6_each_ifaddr(cb, set);
}

int
rtnl_getaddr_ifindex(const struct nlmsghdr *nlh)
{
	const struct ifaddrmsg *ifm = mnl_nlmsg_get_payload(nlh);

	return (int)ifm->ifa_index;
}

static const struct rtnl_dump dumps[] = {
	{.what = "link",
	 .family = AF_INET6,
	 .type = RTM_GETLINK,
	 .dump = inet6_dump_ifinfo,
	 .each = each_link},
	{.what = "address",
	 .family = AF_INET6,
	 .type = RTM_GETADDR,
	 .dump = inet6_dump_ifaddr,
	 .each = inet6_each_ifaddr},
	{.what = "address",
	 .family = AF_UNSPEC,
	 .type = RTM_GETADDR,
	 .dump = rtnl_dump_all,
	 .each = each_of_all},
	{.what = NULL},
};

const struct net_module net_module_addrconf_dump = {
	.name = "addrconf-dump",
	.dumps = dumps,
};
