/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-address-flush.c - 'ip address flush': ip asks for all addresses, sends a
 * deletion for each that fits, and asks again until none is left. */
#include <linux/rtnetlink.h>
#include <string.h>

#include "iproute/ip-address.h"
#include "iproute/rtnl.h"

#define FLUSH_ROUNDS 10 /* ip's -loops */

/* Addresses as the kernel tells of them */

static void
keep(const struct nlmsghdr *nlh, void *messages)
{
	g_ptr_array_add(messages, g_memdup2(nlh, nlh->nlmsg_len));
}

GPtrArray *
address_dump(struct process *p, int family, int ifindex)
{
	uint64_t buffer[RTNL_REQUEST_SIZE / sizeof(uint64_t)];
	struct nlmsghdr *nlh =
		rtnl_dump_request(buffer, RTM_GETADDR, (uint8_t)family, sizeof(struct ifaddrmsg));
	struct ifaddrmsg *ifm = mnl_nlmsg_get_payload(nlh);
	GPtrArray *messages = g_ptr_array_new_with_free_func(g_free);

	ifm->ifa_index = (uint32_t)ifindex;
	if (process_dump(p, nlh, keep, messages))
		return messages;
	g_ptr_array_unref(messages);
	return NULL;
}

/* The command */

static void
flush_free(void *data)
{
	address_filter_clear(data);
	g_free(data);
}

static void
delete_inet(struct process *p, const struct nlmsghdr *nlh)
{
	const struct ifaddrmsg *ifm = mnl_nlmsg_get_payload(nlh);
	struct inet_addr_request r = {
		.ifindex = (int)ifm->ifa_index,
		.prefixlen = ifm->ifa_prefixlen,
		.local = GUINT32_FROM_BE(mnl_attr_get_u32(address_attr(nlh, IFA_LOCAL))),
	};
	struct ext_ack ack = {""};

	inet_rtm_deladdr(p->net, &r, &ack);
}

/* An answer is not waited for: an address that went meanwhile is no error. */
static void
delete_address(struct process *p, const struct nlmsghdr *nlh)
{
	const struct ifaddrmsg *ifm = mnl_nlmsg_get_payload(nlh);
	struct addr_request r = {.ifindex = (int)ifm->ifa_index, .prefixlen = ifm->ifa_prefixlen};
	struct ext_ack ack = {""};

	if (ifm->ifa_family == AF_INET) {
		delete_inet(p, nlh);
		return;
	}
	memcpy(r.local, mnl_attr_get_payload(address_attr(nlh, IFA_ADDRESS)), sizeof r.local);
	inet6_rtm_deladdr(p->net, &r, &ack);
}

/* One dump and what it makes ip ask; false when there was nothing, or no more can be. */
static bool
flush_round(struct process *p, const struct address_filter *f, int ifindex)
{
	int family = f->has_prefix ? AF_INET6 : f->family;
	g_autoptr(GPtrArray) messages = address_dump(p, family, ifindex);
	unsigned kept = 0;

	for (unsigned i = 0; messages && i < messages->len; i++) {
		struct nlmsghdr *nlh = messages->pdata[i];

		if (!address_filter_fits(f, family, nlh))
			continue;
		messages->pdata[i] = messages->pdata[kept];
		messages->pdata[kept++] = nlh;
	}
	for (unsigned i = 0; i < kept; i++)
		delete_address(p, messages->pdata[i]);
	return kept > 0;
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
	if (ip->options.family == AF_PACKET)
		return args_not_simulated(a,
					  "a flush of other addresses than those of IPv4 and IPv6");
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
