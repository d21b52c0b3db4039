/* SPDX-License-Identifier: GPL-2.0-or-later */
/* devinet.c - RTM_GETADDR of AF_INET.
 *
 * Models inet_fill_ifaddr() and inet_dump_ifaddr() of net/ipv4/devinet.c (Linux 5.10
 * and 6.1). */
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>

#include "net/dev.h"
#include "net/igmp.h"
#include "net/rtnl-ifinfo.h"

#define INFINITY_LIFE_TIME UINT32_MAX

/* For the audit: no address of IPv6 has an owner that is odd. */
#define OWNER(dev) ((dev)->index_seq << 1 | 1)

static int
inet_fill_ifaddr(struct skb *skb, const struct netlink_callback *cb, const struct in_ifaddr *ifa)
{
	const struct net_device *dev = ifa->in_dev->dev;
	struct nlmsg m = nlmsg_begin(skb, cb, RTM_NEWADDR, sizeof(struct ifaddrmsg));
	struct ifa_cacheinfo cache = {.ifa_prefered = INFINITY_LIFE_TIME,
				      .ifa_valid = INFINITY_LIFE_TIME};
	struct ifaddrmsg *ifm = m.header;

	DEV_ENTER(dev, "inet_fill_ifaddr");
	if (m.overflow)
		return -EMSGSIZE;
	*ifm = (struct ifaddrmsg){.ifa_family = AF_INET,
				  .ifa_prefixlen = ifa->prefixlen,
				  .ifa_flags = (uint8_t)ifa->flags,
				  .ifa_scope = ifa->scope,
				  .ifa_index = (uint32_t)dev->ifindex};
	nlmsg_put_be32(&m, IFA_ADDRESS, ifa->local);
	nlmsg_put_be32(&m, IFA_LOCAL, ifa->local);
	nlmsg_put_strz(&m, IFA_LABEL, dev->name);
	nlmsg_put_u32(&m, IFA_FLAGS, ifa->flags);
	nlmsg_put(&m, IFA_CACHEINFO, &cache, sizeof cache);
	return nlmsg_end(&m);
}

static bool
is_wanted(const struct netlink_callback *cb, const struct net_device *dev)
{
	int ifindex = rtnl_getaddr_ifindex(cb->nlh);

	return (!ifindex || dev->ifindex == ifindex) && in_dev_get(dev);
}

/* The third marker: the address of the device that the walk ended at. */
enum { MARKER_ADDRESS = 2 };

static int
dump_device(struct netlink_callback *cb, struct net_device *dev, void *skb)
{
	const struct in_ifaddr *ifa = is_wanted(cb, dev) ? in_dev_get(dev)->ifa_list : NULL;

	for (uint64_t n = 0; ifa; ifa = ifa->next, n++) {
		if (n < cb->args[MARKER_ADDRESS])
			continue;
		if (inet_fill_ifaddr(skb, cb, ifa) != 0) {
			cb->args[MARKER_ADDRESS] = n;
			return -EMSGSIZE;
		}
		dump_shown(cb, OWNER(dev), ifa->seq);
	}
	cb->args[MARKER_ADDRESS] = 0;
	return 0;
}

int
inet_dump_ifaddr(struct skb *skb, struct netlink_callback *cb)
{
	CALL_ENTER(&cb->net->kernel->calls, "inet_dump_ifaddr");
	rtnl_dump_devices(cb, dump_device, skb);
	rtnl_check_consistent(cb, skb, cb->net->dev_base_seq);
	return (int)skb->len;
}

void
inet_each_ifaddr(const struct netlink_callback *cb, struct dump_set *set)
{
	const struct net_device *dev;

	dump_set_generation(set, AF_INET, cb->net->dev_base_seq);
	for_each_netdev(cb->net, dev)
	{
		const struct in_ifaddr *ifa = is_wanted(cb, dev) ? in_dev_get(dev)->ifa_list : NULL;

		for (; ifa; ifa = ifa->next)
			dump_set_add(set, OWNER(dev), ifa->seq);
	}
}

static const struct rtnl_dump dumps[] = {
	{.what = "address",
	 .family = AF_INET,
	 .type = RTM_GETADDR,
	 .dump = inet_dump_ifaddr,
	 .each = inet_each_ifaddr},
	{.what = NULL},
};

const struct net_module net_module_devinet = {
	.name = "devinet",
	.dumps = dumps,
};
