/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rtnl.c - reads dumps as iproute2 does, and keeps the map of links. */
#include "iproute/rtnl.h"

#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>

#include "net/af-netlink.h"

#define RECVMSG_LEN_NOW  32768u /* at least */
#define RECVMSG_LEN_2016 16384u

struct reader {
	struct process *process;
	void (*each)(const struct nlmsghdr *, void *data);
	void *data;
	bool interrupted;
	int error;
};

struct nlmsghdr *
rtnl_dump_request(void *buffer, uint16_t type, uint8_t family, size_t size)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buffer);

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	*(uint8_t *)mnl_nlmsg_put_extra_header(nlh, size) = family;
	return nlh;
}

static struct netlink_sock *
rtnl_socket(struct process *p)
{
	if (!p->rtnl)
		p->rtnl = netlink_socket(p->net, p->protocol);
	return p->rtnl;
}

void
process_listened(struct process *p)
{
	netlink_offered(rtnl_socket(p), RECVMSG_LEN_2016);
}

void
process_asked(struct process *p)
{
	bool now = p->kernel->options.skb == NETLINK_SKB_AUTO;

	netlink_offered(rtnl_socket(p), now ? RECVMSG_LEN_NOW : RECVMSG_LEN_2016);
}

/* Since 5.0 it asks for the size before it reads. */
static unsigned
receive(struct process *p, const void **data)
{
	unsigned len = RECVMSG_LEN_2016;

	if (p->kernel->options.skb == NETLINK_SKB_AUTO)
		len = MAX(netlink_recvmsg(p->rtnl, 0, MSG_PEEK | MSG_TRUNC, data), RECVMSG_LEN_NOW);
	len = netlink_recvmsg(p->rtnl, len, 0, data);
	if (p->answer->recvmsg)
		g_array_append_val(p->answer->recvmsg, len);
	return len;
}

/* False at the end of the dump. */
static bool
read_message(struct reader *r, const struct nlmsghdr *nlh)
{
	r->interrupted |= (nlh->nlmsg_flags & NLM_F_DUMP_INTR) != 0;
	if (nlh->nlmsg_type == NLMSG_DONE) {
		r->error = *(const int *)mnl_nlmsg_get_payload(nlh);
		return false;
	}
	r->each(nlh, r->data);
	return true;
}

static bool
read_datagram(struct reader *r)
{
	const void *data;
	int left = (int)receive(r->process, &data);

	for (const struct nlmsghdr *nlh = data; mnl_nlmsg_ok(nlh, left);
	     nlh = mnl_nlmsg_next(nlh, &left))
		if (!read_message(r, nlh))
			return false;
	return true;
}

bool
process_dump(struct process *p, const struct nlmsghdr *request,
	     void (*each)(const struct nlmsghdr *, void *data), void *data)
{
	struct reader r = {.process = p, .each = each, .data = data};

	r.error = netlink_sendmsg(rtnl_socket(p), request);
	while (r.error == 0 && read_datagram(&r))
		;
	p->answer->unordered |= netlink_unordered(p->rtnl);
	if (r.interrupted)
		g_string_append(p->answer->error,
				"Dump was interrupted and may be inconsistent.\n");
	return process_talked(p, r.error, &(struct ext_ack){.message = ""});
}

/* Links */

static void
note_link(const struct nlmsghdr *nlh, void *data)
{
	const struct ifinfomsg *info = mnl_nlmsg_get_payload(nlh);
	struct process *p = data;
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof *info)
	{
		if (mnl_attr_get_type(attr) == IFLA_IFNAME)
			g_hash_table_insert(p->links, GINT_TO_POINTER(info->ifi_index),
					    g_strdup(mnl_attr_get_str(attr)));
	}
}

bool
process_link_map(struct process *p)
{
	uint64_t buffer[RTNL_REQUEST_SIZE / sizeof(uint64_t)];
	struct nlmsghdr *nlh;

	if (p->links)
		return true;
	p->links = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	nlh = rtnl_dump_request(buffer, RTM_GETLINK, AF_UNSPEC, sizeof(struct ifinfomsg));
	mnl_attr_put_u32(nlh, IFLA_EXT_MASK, RTEXT_FILTER_VF);
	return process_dump(p, nlh, note_link, p);
}

const char *
process_link_name(struct process *p, int ifindex)
{
	const char *name;

	g_assert(p->links);
	name = g_hash_table_lookup(p->links, GINT_TO_POINTER(ifindex));
	if (name)
		return name;
	g_hash_table_insert(p->links, GINT_TO_POINTER(ifindex), g_strdup_printf("if%d", ifindex));
	return g_hash_table_lookup(p->links, GINT_TO_POINTER(ifindex));
}

/* The map is small, or the dump that follows is long: no second one is worth it. */
int
process_link_index(struct process *p, const char *name)
{
	GHashTableIter iter;
	void *ifindex, *known;

	g_hash_table_iter_init(&iter, p->links);
	while (g_hash_table_iter_next(&iter, &ifindex, &known))
		if (strcmp(known, name) == 0)
			return GPOINTER_TO_INT(ifindex);
	return 0;
}

void
process_rtnl_close(struct process *p)
{
	g_clear_pointer(&p->rtnl, netlink_close);
	g_clear_pointer(&p->links, g_hash_table_unref);
}
