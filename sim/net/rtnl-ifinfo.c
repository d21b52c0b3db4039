/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rtnl-ifinfo.c - links as netlink messages, and RTM_GETLINK: all links, or one.
 *
 * Models rtnl_fill_ifinfo(), rtnl_dump_ifinfo() and rtnl_getlink() of
 * net/core/rtnetlink.c (Linux 5.10 and 6.1).  A message has all attributes of the
 * kernel's, in its order, so that it is as long; what is not modelled, as statistics,
 * is zero.  No message of any kind comes near the size of the smallest buffer, so
 * that calcit(), which makes that larger, has nothing to do. */
#include "net/rtnl-ifinfo.h"

#include <linux/rtnetlink.h>
#include <string.h>

#include "net/dev.h"
#include "net/igmp.h"
#include "net/inet6.h"

static bool
is_6_1(const struct net_device *dev)
{
	return dev->kernel->options.version >= KERNEL_6_1;
}

/* Other namespaces.  The kernel numbers them as devices come to need it. */

struct net *
rtnl_other_net(const struct net_device *dev)
{
	struct net *net =
		dev->kind && dev->kind->get_link_net ? dev->kind->get_link_net(dev) : NULL;

	return net == dev->net ? NULL : net;
}

/* The namespaces that have a number, in its order, up to 'last' or the number of 'count'
 * of them. */
static GPtrArray *
numbered_nets(const struct net *net, const struct net *last, unsigned count)
{
	GPtrArray *nets = g_ptr_array_new();
	const struct net_device *dev;

	for_each_netdev(net, dev)
	{
		struct net *other = rtnl_other_net(dev);

		if (!other || g_ptr_array_find(nets, other, NULL))
			continue;
		g_ptr_array_add(nets, other);
		if (other == last || nets->len == count)
			break;
	}
	return nets;
}

int
peernet2id(const struct net *net, const struct net *other)
{
	g_autoptr(GPtrArray) nets = numbered_nets(net, other, UINT_MAX);

	g_assert(nets->len > 0 && g_ptr_array_index(nets, nets->len - 1) == other);
	return (int)nets->len - 1;
}

struct net *
get_net_ns_by_id(const struct net *net, int id)
{
	g_autoptr(GPtrArray) nets = numbered_nets(net, NULL, (unsigned)id + 1);

	return (unsigned)id < nets->len ? g_ptr_array_index(nets, (unsigned)id) : NULL;
}

/* The message */

void
rtnl_put_zeros(struct nlmsg *m, uint16_t type, size_t len)
{
	static const uint8_t zeros[512];

	g_assert(len <= sizeof zeros);
	nlmsg_put(m, type, zeros, len);
}

static void
fill_state(struct nlmsg *m, const struct net_device *dev)
{
	nlmsg_put_strz(m, IFLA_IFNAME, dev->name);
	nlmsg_put_u32(m, IFLA_TXQLEN, dev->txqlen);
	nlmsg_put_u8(m, IFLA_OPERSTATE, netif_running(dev) ? dev->operstate : OPER_DOWN);
	nlmsg_put_u8(m, IFLA_LINKMODE, IF_LINK_MODE_DEFAULT);
	nlmsg_put_u32(m, IFLA_MTU, dev->mtu);
	nlmsg_put_u32(m, IFLA_MIN_MTU, dev->min_mtu);
	nlmsg_put_u32(m, IFLA_MAX_MTU, dev->max_mtu);
	nlmsg_put_u32(m, IFLA_GROUP, dev->group);
	nlmsg_put_u32(m, IFLA_PROMISCUITY, dev->promiscuity);
	if (is_6_1(dev))
		nlmsg_put_u32(m, IFLA_ALLMULTI, dev->allmulti);
}

static void
fill_queues(struct nlmsg *m, const struct net_device *dev)
{
	rtnl_put_zeros(m, IFLA_NUM_TX_QUEUES, 4);
	rtnl_put_zeros(m, IFLA_GSO_MAX_SEGS, 4);
	rtnl_put_zeros(m, IFLA_GSO_MAX_SIZE, 4);
	if (is_6_1(dev)) {
		rtnl_put_zeros(m, IFLA_GRO_MAX_SIZE, 4);
		rtnl_put_zeros(m, IFLA_TSO_MAX_SIZE, 4);
		rtnl_put_zeros(m, IFLA_TSO_MAX_SEGS, 4);
	}
	rtnl_put_zeros(m, IFLA_NUM_RX_QUEUES, 4);
}

static void
fill_carrier(struct nlmsg *m, const struct net_device *dev)
{
	const struct net_device *master = netdev_master_upper_dev_get(dev);

	if (master)
		nlmsg_put_u32(m, IFLA_MASTER, (uint32_t)master->ifindex);
	nlmsg_put_u8(m, IFLA_CARRIER, netif_carrier_ok(dev));
	nlmsg_put_strz(m, IFLA_QDISC, dev->qdisc_attached ? "noqueue" : "noop");
	rtnl_put_zeros(m, IFLA_CARRIER_CHANGES, 4);
	rtnl_put_zeros(m, IFLA_CARRIER_UP_COUNT, 4);
	rtnl_put_zeros(m, IFLA_CARRIER_DOWN_COUNT, 4);
	rtnl_put_zeros(m, IFLA_PROTO_DOWN, 1);
}

/* Newer headers than the modelled kernel's know of longer statistics. */
static void
fill_hardware(struct nlmsg *m, const struct net_device *dev)
{
	size_t stats64 = (is_6_1(dev) ? 25 : 24) * sizeof(uint64_t);
	struct nlattr *xdp;

	rtnl_put_zeros(m, IFLA_MAP, 32);
	if (dev->addr_len) {
		nlmsg_put(m, IFLA_ADDRESS, dev->dev_addr, dev->addr_len);
		nlmsg_put(m, IFLA_BROADCAST, dev->broadcast, dev->addr_len);
	}
	rtnl_put_zeros(m, IFLA_STATS64, stats64);
	rtnl_put_zeros(m, IFLA_STATS, 24 * sizeof(uint32_t));
	xdp = nlmsg_nest_noflag(m, IFLA_XDP);
	nlmsg_put_u8(m, IFLA_XDP_ATTACHED, 0);
	nlmsg_nest_end(m, xdp);
}

static void
fill_own_kind(struct nlmsg *m, const struct net_device *dev)
{
	struct nlattr *data;

	nlmsg_put_strz(m, IFLA_INFO_KIND, dev->kind->name);
	if (!dev->kind->fill_info)
		return;
	data = nlmsg_nest_noflag(m, IFLA_INFO_DATA);
	dev->kind->fill_info(m, dev);
	nlmsg_nest_end(m, data);
}

static void
fill_masters_kind(struct nlmsg *m, const struct net_device *master, const struct net_device *dev)
{
	struct nlattr *data;

	nlmsg_put_strz(m, IFLA_INFO_SLAVE_KIND, master->kind->name);
	if (!master->kind->fill_slave_info)
		return;
	data = nlmsg_nest_noflag(m, IFLA_INFO_SLAVE_DATA);
	master->kind->fill_slave_info(m, master, dev);
	nlmsg_nest_end(m, data);
}

static void
rtnl_link_fill(struct nlmsg *m, const struct net_device *dev)
{
	const struct net_device *master = netdev_master_upper_dev_get(dev);
	bool has_kind = dev->kind && !dev->kind->builtin;
	struct nlattr *info;

	if (!has_kind && !master)
		return;
	info = nlmsg_nest_noflag(m, IFLA_LINKINFO);
	if (has_kind)
		fill_own_kind(m, dev);
	if (master)
		fill_masters_kind(m, master, dev);
	nlmsg_nest_end(m, info);
}

static void
fill_link(struct nlmsg *m, const struct net_device *dev)
{
	const struct net *other = rtnl_other_net(dev);
	int iflink = dev_get_iflink(dev);

	if (other)
		nlmsg_put_u32(m, IFLA_LINK_NETNSID, (uint32_t)peernet2id(dev->net, other));
	if (other || iflink != dev->ifindex)
		nlmsg_put_u32(m, IFLA_LINK, (uint32_t)iflink);
}

static void
fill_link_af(struct nlmsg *m, const struct net_device *dev, uint32_t ext_mask)
{
	size_t devconf = (is_6_1(dev) ? 33 : 32) * sizeof(uint32_t);
	struct nlattr *spec = nlmsg_nest_noflag(m, IFLA_AF_SPEC), *af;

	if (in_dev_get(dev)) {
		af = nlmsg_nest_noflag(m, AF_INET);
		rtnl_put_zeros(m, IFLA_INET_CONF, devconf);
		nlmsg_nest_end(m, af);
	}
	if (in6_dev_get(dev)) {
		af = nlmsg_nest_noflag(m, AF_INET6);
		inet6_fill_ifla6_attrs(m, dev, ext_mask);
		nlmsg_nest_end(m, af);
	}
	nlmsg_nest_end(m, spec);
}

int
rtnl_fill_ifinfo(struct skb *skb, const struct net_device *dev, const struct ifinfo_request *r)
{
	struct nlmsg m = nlmsg_begin(skb, r->cb, RTM_NEWLINK, sizeof(struct ifinfomsg));
	struct ifinfomsg *ifm = m.header;

	DEV_ENTER(dev, "rtnl_fill_ifinfo");
	if (m.overflow)
		return -EMSGSIZE;
	m.nlh->nlmsg_flags |= r->flags;
	*ifm = (struct ifinfomsg){
		.ifi_type = dev->type, .ifi_index = dev->ifindex, .ifi_flags = dev_get_flags(dev)};
	fill_state(&m, dev);
	fill_queues(&m, dev);
	fill_carrier(&m, dev);
	fill_hardware(&m, dev);
	rtnl_link_fill(&m, dev);
	fill_link(&m, dev);
	fill_link_af(&m, dev, r->ext_mask);
	return nlmsg_end(&m);
}

/* What was asked */

struct link_filter {
	uint32_t ext_mask;
	int master;                   /* 0: any; -1: none */
	const struct link_kind *kind; /* null: any */
	const char *name;             /* of the one link that is asked for; null: none */
};

#define NO_MASTER (-1)

static const struct link_kind *
linkinfo_to_kind(const struct nlattr *info)
{
	const struct link_kind *kind = NULL;
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, info)
	{
		if (mnl_attr_get_type(attr) == IFLA_INFO_KIND &&
		    mnl_attr_get_payload_len(attr) < IFNAMSIZ) {
			g_autofree char *name = g_strndup(mnl_attr_get_payload(attr),
							  mnl_attr_get_payload_len(attr));

			kind = link_kind_by_name(name);
		}
	}
	return kind;
}

static void
parse_attribute(struct link_filter *filter, const struct nlattr *attr)
{
	bool is_u32 = mnl_attr_validate(attr, MNL_TYPE_U32) == 0;

	switch (mnl_attr_get_type(attr)) {
	case IFLA_EXT_MASK:
		filter->ext_mask = is_u32 ? mnl_attr_get_u32(attr) : 0;
		break;
	case IFLA_MASTER:
		filter->master = is_u32 ? (int)mnl_attr_get_u32(attr) : 0;
		break;
	case IFLA_LINKINFO:
		filter->kind = linkinfo_to_kind(attr);
		break;
	case IFLA_IFNAME:
		if (mnl_attr_validate(attr, MNL_TYPE_NUL_STRING) == 0)
			filter->name = mnl_attr_get_str(attr);
		break;
	default:
		break;
	}
}

static struct link_filter
parse_request(const struct nlmsghdr *nlh)
{
	struct link_filter filter = {.ext_mask = 0};
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(struct ifinfomsg)) parse_attribute(&filter, attr);
	return filter;
}

static bool
link_dump_filtered(const struct link_filter *filter, const struct net_device *dev)
{
	const struct net_device *master = netdev_master_upper_dev_get(dev);
	int ifindex = master ? master->ifindex : NO_MASTER;

	if (filter->master && ifindex != filter->master)
		return true;
	return filter->kind && dev->kind != filter->kind;
}

/* All links */

enum { MARKER_BUCKET, MARKER_DEVICE };

static bool
dump_bucket(struct netlink_callback *cb, uint64_t skip, rtnl_fill_device fill, void *data)
{
	uint64_t n = 0;

	for (struct net_device *dev = cb->net->index_head[cb->args[MARKER_BUCKET]]; dev;
	     dev = dev->index_next) {
		if (n >= skip && fill(cb, dev, data) != 0) {
			cb->args[MARKER_DEVICE] = n;
			return false;
		}
		n++;
	}
	return true;
}

void
rtnl_dump_devices(struct netlink_callback *cb, rtnl_fill_device fill, void *data)
{
	while (cb->args[MARKER_BUCKET] < NETDEV_HASHENTRIES) {
		if (!dump_bucket(cb, cb->args[MARKER_DEVICE], fill, data))
			return;
		cb->args[MARKER_BUCKET]++;
		cb->args[MARKER_DEVICE] = 0;
	}
}

/* A mark in an empty datagram would be lost, as it is in the kernel. */
void
rtnl_check_consistent(struct netlink_callback *cb, struct skb *skb, uint64_t generation)
{
	cb->seq = (uint32_t)generation;
	if (skb->len > 0)
		nl_dump_check_consistent(cb, (struct nlmsghdr *)(void *)skb->data);
	else
		cb->prev_seq = cb->seq;
}

/* One run of a dump. */
struct link_dump {
	struct skb *skb;
	struct link_filter filter;
	struct ifinfo_request request;
};

static int
dump_link(struct netlink_callback *cb, struct net_device *dev, void *data)
{
	struct link_dump *d = data;
	int err;

	if (link_dump_filtered(&d->filter, dev))
		return 0;
	err = rtnl_fill_ifinfo(d->skb, dev, &d->request);
	if (err == 0)
		dump_shown(cb, 0, dev->index_seq);
	return err;
}

int
rtnl_dump_ifinfo(struct skb *skb, struct netlink_callback *cb)
{
	struct link_dump d = {.skb = skb, .filter = parse_request(cb->nlh)};
	bool filtered = d.filter.master || d.filter.kind;

	CALL_ENTER(&cb->net->kernel->calls, "rtnl_dump_ifinfo");
	d.request = (struct ifinfo_request){.cb = cb,
					    .ext_mask = d.filter.ext_mask,
					    .flags = filtered ? NLM_F_DUMP_FILTERED : 0};
	rtnl_dump_devices(cb, dump_link, &d);
	rtnl_check_consistent(cb, skb, cb->net->dev_base_seq);
	return (int)skb->len;
}

static void
each_link(const struct netlink_callback *cb, struct dump_set *set)
{
	struct link_filter filter = parse_request(cb->nlh);
	const struct net_device *dev;

	dump_set_generation(set, 0, cb->net->dev_base_seq);
	for_each_netdev(cb->net, dev)
	{
		if (!link_dump_filtered(&filter, dev))
			dump_set_add(set, 0, dev->index_seq);
	}
}

/* One link */

int
rtnl_getlink_fill(struct net *net, const struct nlmsghdr *request, struct skb *answer)
{
	struct link_filter filter = parse_request(request);
	const struct ifinfomsg *ifm = mnl_nlmsg_get_payload(request);
	struct net_device *dev;
	int err = -ENODEV;

	CALL_ENTER(&net->kernel->calls, "rtnl_getlink");
	rtnl_lock(net->kernel);
	dev = ifm->ifi_index > 0 ? dev_get_by_index(net, ifm->ifi_index)
				 : dev_get_by_name(net, filter.name ? filter.name : "");
	if (dev)
		err = rtnl_fill_ifinfo(answer, dev,
				       &(struct ifinfo_request){.ext_mask = filter.ext_mask});
	rtnl_unlock(net->kernel);
	return err;
}

static const struct rtnl_dump dumps[] = {
	{.what = "link",
	 .family = AF_UNSPEC,
	 .type = RTM_GETLINK,
	 .dump = rtnl_dump_ifinfo,
	 .each = each_link},
	{.what = NULL},
};

const struct net_module net_module_rtnl_ifinfo = {
	.name = "rtnl-ifinfo",
	.dumps = dumps,
};
