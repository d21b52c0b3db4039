/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rtnl-ifinfo.h - links as netlink messages: all of them, or one; and what the dumps
 * of addresses share with them. */
#pragma once

#include "net/af-netlink.h"

/* What a request says beside which links it is about. */
struct ifinfo_request {
	const struct netlink_callback *cb; /* null: an answer about one link */
	uint32_t ext_mask;                 /* IFLA_EXT_MASK: RTEXT_FILTER_SKIP_STATS ... */
	uint16_t flags;                    /* nlmsg_flags beside what the answer has anyway */
};

/* Builds RTM_NEWLINK: 0, or -EMSGSIZE and the skb is unchanged. */
int rtnl_fill_ifinfo(struct skb *, const struct net_device *, const struct ifinfo_request *);

/* RTM_GETLINK of all links, and RTM_GETADDR of all addresses. */
int rtnl_dump_ifinfo(struct skb *, struct netlink_callback *);
int rtnl_dump_all(struct skb *, struct netlink_callback *);

/* RTM_GETLINK of the link that 'request' names, by index or by name: -ENODEV. */
int rtnl_getlink_fill(struct net *, const struct nlmsghdr *request, struct skb *answer);

/* The other namespace that a device's link is in, or null; its number here, by which
 * messages name it, and back. */
struct net *rtnl_other_net(const struct net_device *);
int peernet2id(const struct net *, const struct net *other);
struct net *get_net_ns_by_id(const struct net *, int id); /* or null */

/* What the parts of a message and the dumps of other families share. */

/* An attribute that is not modelled. */
void rtnl_put_zeros(struct nlmsg *, uint16_t type, size_t len);

/* Calls 'fill' for devices as dumps do: by bucket of the index, in each the newest
 * first.  When it is not 0 the walk ends, and the next run goes on with that device;
 * its place is in the first two of cb->args. */
typedef int (*rtnl_fill_device)(struct netlink_callback *, struct net_device *, void *data);
void rtnl_dump_devices(struct netlink_callback *, rtnl_fill_device, void *data);

/* At the end of a run: marks its first message if what is dumped has changed. */
void rtnl_check_consistent(struct netlink_callback *, struct skb *, uint64_t generation);

/* addrconf-dump.c: IFLA_INET6_FLAGS ... of a device that has IPv6. */
void inet6_fill_ifla6_attrs(struct nlmsg *, const struct net_device *, uint32_t ext_mask);

/* devinet.c: RTM_GETADDR of AF_INET. */
int inet_dump_ifaddr(struct skb *, struct netlink_callback *);
void inet_each_ifaddr(const struct netlink_callback *, struct dump_set *);

/* The device that RTM_GETADDR is about; 0: all. */
int rtnl_getaddr_ifindex(const struct nlmsghdr *);
