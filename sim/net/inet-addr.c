/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inet-addr.c - IPv4 addresses of devices: who has which, and what a user changes.
 *
 * Models net/ipv4/devinet.c (Linux 5.10 and 6.1); its dump is in devinet.c, and what it
 * makes of devices that come and go in igmp.c.  All are permanent; a secondary one goes with its
 * primary one, as where promote_secondaries is 0. */
#include <linux/if_addr.h>
#include <netinet/in.h>

#include "net/dev.h"
#include "net/fib4.h"
#include "net/igmp.h"

/* Addresses come and go */

/* Where a primary address of this scope belongs, and whether another one has its network;
 * -EEXIST, -EINVAL: it can't come. */
static int
find_place(struct in_ifaddr *ifa, struct in_ifaddr ***at)
{
	struct in_ifaddr **end = &ifa->in_dev->ifa_list;

	*at = end;
	for (; *end; end = &(*end)->next) {
		const struct in_ifaddr *other = *end;

		if (!(other->flags & IFA_F_SECONDARY) && ifa->scope <= other->scope)
			*at = &(*end)->next;
		if (other->prefixlen != ifa->prefixlen || !inet_ifa_match(ifa->local, other))
			continue;
		if (other->local == ifa->local)
			return -EEXIST;
		if (other->scope != ifa->scope)
			return -EINVAL;
		ifa->flags |= IFA_F_SECONDARY;
	}
	if (ifa->flags & IFA_F_SECONDARY)
		*at = end;
	return 0;
}

static int
inet_insert_ifa(struct in_device *in_dev, const struct in_ifaddr *wanted)
{
	struct in_ifaddr new = *wanted, *ifa, **at = NULL;
	int err;

	new.in_dev = in_dev;
	new.flags = IFA_F_PERMANENT;
	err = find_place(&new, &at);
	if (err != 0)
		return err;
	new.seq = ++in_dev->ifa_seq;
	new.next = *at;
	ifa = g_memdup2(&new, sizeof new);
	*at = ifa;
	fib_add_ifaddr(ifa);
	return 0;
}

void
inet_add_loopback(struct in_device *in_dev)
{
	static const struct in_ifaddr loopback = {
		.local = INADDR_LOOPBACK, .prefixlen = 8, .scope = RT_SCOPE_HOST};

	inet_insert_ifa(in_dev, &loopback);
}

static void
remove_ifa(struct in_ifaddr **at)
{
	struct in_ifaddr *ifa = *at;

	*at = ifa->next;
	fib_del_ifaddr(ifa);
	g_free(ifa);
}

/* With a primary one those go that have its network. */
static void
inet_del_ifa(struct in_ifaddr **at)
{
	const struct in_ifaddr gone = **at;
	struct in_ifaddr **other = &gone.in_dev->ifa_list;

	remove_ifa(at);
	while (!(gone.flags & IFA_F_SECONDARY) && *other) {
		if ((*other)->flags & IFA_F_SECONDARY && (*other)->prefixlen == gone.prefixlen &&
		    inet_ifa_match(gone.local, *other))
			remove_ifa(other);
		else
			other = &(*other)->next;
	}
}

void
inet_free_ifaddrs(struct in_device *in_dev)
{
	while (in_dev->ifa_list)
		inet_del_ifa(&in_dev->ifa_list);
	fib_disable_ip(in_dev->dev, true);
}

/* What a user asks for */

static int
newaddr(struct net *net, const struct inet_addr_request *req, struct ext_ack *ack)
{
	struct net_device *dev = dev_get_by_index(net, req->ifindex);
	struct in_ifaddr ifa = {
		.local = req->local, .prefixlen = req->prefixlen, .scope = req->scope};
	int err;

	if (!dev)
		return -ENODEV;
	if (!in_dev_get(dev))
		return -ENOBUFS;
	err = inet_insert_ifa(in_dev_get(dev), &ifa);
	return err == -EEXIST && req->replace ? 0 : err;
}

static int
deladdr(struct net *net, const struct inet_addr_request *req)
{
	struct net_device *dev = dev_get_by_index(net, req->ifindex);

	if (!dev || !in_dev_get(dev))
		return -ENODEV;
	for (struct in_ifaddr **at = &in_dev_get(dev)->ifa_list; *at; at = &(*at)->next) {
		if ((*at)->local != req->local || (*at)->prefixlen != req->prefixlen)
			continue;
		inet_del_ifa(at);
		return 0;
	}
	return -EADDRNOTAVAIL;
}

int
inet_rtm_newaddr(struct net *net, const struct inet_addr_request *req, struct ext_ack *ack)
{
	int err;

	CALL_ENTER(&net->kernel->calls, "inet_rtm_newaddr");
	rtnl_lock(net->kernel);
	err = newaddr(net, req, ack);
	rtnl_unlock(net->kernel);
	return err;
}

int
inet_rtm_deladdr(struct net *net, const struct inet_addr_request *req, struct ext_ack *ack)
{
	int err;

	CALL_ENTER(&net->kernel->calls, "inet_rtm_deladdr");
	rtnl_lock(net->kernel);
	err = deladdr(net, req);
	rtnl_unlock(net->kernel);
	return err;
}

/* Who reads them */

static uint32_t
select_of(const struct net_device *dev, uint32_t dst, uint8_t scope)
{
	const struct in_device *in_dev = in_dev_get(dev);
	uint32_t addr = 0;

	for (const struct in_ifaddr *ifa = in_dev ? in_dev->ifa_list : NULL; ifa; ifa = ifa->next) {
		if (ifa->flags & IFA_F_SECONDARY || MIN(ifa->scope, RT_SCOPE_LINK) > scope)
			continue;
		if (!dst || inet_ifa_match(dst, ifa))
			return ifa->local;
		if (!addr)
			addr = ifa->local;
	}
	return addr;
}

/* Of other devices none that means just a link. */
uint32_t
inet_select_addr(const struct net_device *dev, uint32_t dst, uint8_t scope)
{
	uint32_t addr = select_of(dev, dst, scope);
	const struct net_device *other;

	for_each_netdev(dev->net, other)
	{
		const struct in_device *in_dev = in_dev_get(other);

		for (const struct in_ifaddr *ifa = in_dev ? in_dev->ifa_list : NULL; ifa && !addr;
		     ifa = ifa->next)
			if (!(ifa->flags & IFA_F_SECONDARY) && ifa->scope != RT_SCOPE_LINK &&
			    ifa->scope <= scope)
				addr = ifa->local;
	}
	return addr;
}

struct net_device *
inet_dev_of(const struct net *net, uint32_t addr)
{
	struct net_device *dev;

	for_each_netdev(net, dev)
	{
		const struct in_device *in_dev = in_dev_get(dev);

		for (const struct in_ifaddr *ifa = in_dev ? in_dev->ifa_list : NULL; ifa;
		     ifa = ifa->next)
			if (ifa->local == addr)
				return dev;
	}
	return NULL;
}
