/* SPDX-License-Identifier: GPL-2.0-or-later */
/* devinet.c - RTM_GETADDR of AF_INET.
 *
 * Models inet_fill_ifaddr() and inet_dump_ifaddr() of net/ipv4/devinet.c (Linux 5.10
 * and 6.1).  Of IPv4 there is one address: 127.0.0.1/8 of a loopback device that was
 * up. */
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
inet_fill_ifaddr(struct skb *skb, const struct netlink_callback *cb, const struct net_device *dev)
{
	struct nlmsg m = nlmsg_begin(skb, cb, RTM_NEWADDR, sizeof(struct ifaddrmsg));
	struct ifa_cacheinfo cache = {.ifa_prefered = INFINITY_LIFE_TIME,
				      .ifa_valid = INFINITY_LIFE_TIME};
	struct ifaddrmsg *ifm = m.header;

	DEV_ENTER(dev, "inet_fill_ifaddr");
	if (m.overflow)
		return -EMSGSIZE;
	*ifm = (struct ifaddrmsg){.ifa_family = AF_INET,
				  .ifa_prefixlen = 8,
				  .ifa_flags = IFA_F_PERMANENT,
				  .ifa_scope = RT_SCOPE_HOST,
				  .ifa_index = (uint32_t)dev->ifindex};
	nlmsg_put_be32(&m, IFA_ADDRESS, INADDR_LOOPBACK);
	nlmsg_put_be32(&m, IFA_LOCAL, INADDR_LOOPBACK);
	nlmsg_put_strz(&m, IFA_LABEL, dev->name);
	nlmsg_put_u32(&m, IFA_FLAGS, IFA_F_PERMANENT);
	nlmsg_put(&m, IFA_CACHEINFO, &cache, sizeof cache);
	return nlmsg_end(&m);
}

static bool
is_wanted(const struct netlink_callback *cb, const struct net_device *dev)
{
	const struct in_device *in_dev = in_dev_get(dev);
	int ifindex = rtnl_getaddr_ifindex(cb->nlh);

	return (!ifindex || dev->ifindex == ifindex) && in_dev && in_dev->loopback;
}

static int
dump_device(struct netlink_callback *cb, struct net_device *dev, void *skb)
{
	int err = is_wanted(cb, dev) ? inet_fill_ifaddr(skb, cb, dev) : 0;

	if (err == 0 && is_wanted(cb, dev))
		dump_shown(cb, OWNER(dev), 0);
	return err;
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
		if (is_wanted(cb, dev))
			dump_set_add(set, OWNER(dev), 0);
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
