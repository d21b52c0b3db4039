/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-address-flush.c - 'ip address flush': ip asks for all addresses, sends a
 * deletion for each that fits, and asks again until none is left. */
#include <string.h>

#include "iproute/ip-address.h"

#define FLUSH_ROUNDS 10 /* ip's -loops */

static void
flush_free(void *data)
{
	address_filter_clear(data);
	g_free(data);
}

static void
collect(const struct net_device *dev, const struct address_filter *f, GArray *requests)
{
	struct inet6_dev *idev = in6_dev_get(dev);

	for (struct inet6_ifaddr *ifa = idev ? idev->addr_first : NULL; ifa; ifa = ifa->next) {
		struct addr_request r = {.ifindex = dev->ifindex, .prefixlen = ifa->prefixlen};

		if (!address_filter_fits6(f, ifa))
			continue;
		memcpy(r.local, ifa->key.addr, sizeof r.local);
		g_array_append_val(requests, r);
	}
}

/* One dump under RTNL and what it makes ip ask; false when there was nothing. */
static bool
flush_round(struct process *p, const struct address_filter *f, int ifindex)
{
	g_autoptr(GArray) requests = g_array_new(FALSE, FALSE, sizeof(struct addr_request));

	rtnl_lock(p->kernel);
	for (struct net_device *dev = p->net->first; dev; dev = dev->next)
		if (!ifindex || dev->ifindex == ifindex)
			collect(dev, f, requests);
	rtnl_unlock(p->kernel);

	for (unsigned i = 0; i < requests->len; i++) {
		struct ext_ack ack = {""};

		/* An answer is not waited for: an address that went meanwhile is no error. */
		inet6_rtm_deladdr(p->net, &g_array_index(requests, struct addr_request, i), &ack);
	}
	return requests->len > 0;
}

/* Of IPv4 there is but one address, and it can't be deleted here. */
static bool
spares_loopback(struct process *p, const struct address_filter *f, int ifindex)
{
	for (const struct net_device *dev = p->net->first; dev; dev = dev->next)
		if ((!ifindex || dev->ifindex == ifindex) && f->family == AF_UNSPEC &&
		    address_filter_fits4(f, dev)) {
			process_fail(p, 255,
				     "not simulated: a flush of 127.0.0.1/8 of %s; 'ip -6 address "
				     "flush' spares it\n",
				     dev->name);
			return false;
		}
	return true;
}

static void
flush_run(struct process *p, const void *data)
{
	const struct address_filter *f = data;
	int ifindex = f->dev ? process_link(p, f->dev) : 0;

	if (f->dev && !ifindex) {
		process_fail(p, 1, "Device \"%s\" does not exist.\n", f->dev);
		return;
	}
	if (!spares_loopback(p, f, ifindex))
		return;
	for (unsigned round = 0; round < FLUSH_ROUNDS; round++)
		if (!flush_round(p, f, ifindex))
			return;
	process_fail(p, 1, "*** Flush remains incomplete after %d rounds. ***\n", FLUSH_ROUNDS);
}

static const struct command_type flush_type = {.run = flush_run, .free = flush_free};

static bool
parse_flush(struct args *a, struct ip *ip, struct address_filter *f)
{
	if (!ip_refuse_statistics(a, ip, "ip address flush"))
		return false;
	if (!args_left(a))
		return args_error_next(a, "Flush requires arguments.");
	if (ip->options.family != AF_UNSPEC && ip->options.family != AF_INET6)
		return args_not_simulated(a, "a flush of other addresses than IPv6 ones");
	f->family = ip->options.family;
	if (!address_filter_parse(a, f, "ip address flush"))
		return false;
	if (f->kind || f->master || f->vrf || f->has_group)
		return args_not_simulated(a, "a flush by type, master, vrf or group");
	return true;
}

bool
ip_address_flush_parse(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;
	struct address_filter *f = g_new0(struct address_filter, 1);

	if (parse_flush(a, ip, f))
		return command_becomes(ip->command, &flush_type, f);
	flush_free(f);
	return false;
}
