/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-links.c - what a process knows of links by their index: ip's ll_map. */
#include <linux/if.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "iproute/rtnl.h"
#include "iproute/show.h"
#include "net/rtnl-ifinfo.h"

struct heard_link {
	char name[IFNAMSIZ]; /* empty: the kernel has none of that index */
	unsigned flags;
};

struct show_links {
	struct net *net;
	GHashTable *known; /* struct heard_link by ifindex */
};

struct show_links *
show_links_new(struct net *net)
{
	struct show_links *links = g_new0(struct show_links, 1);

	links->net = net;
	links->known = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return links;
}

void
show_links_free(struct show_links *links)
{
	g_hash_table_unref(links->known);
	g_free(links);
}

const struct nlattr *
show_link_attr(const struct nlmsghdr *nlh, uint16_t type)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(struct ifinfomsg))
	{
		if (mnl_attr_get_type(attr) == type)
			return attr;
	}
	return NULL;
}

void
show_links_note(struct show_links *links, const struct nlmsghdr *nlh)
{
	const struct ifinfomsg *ifm = mnl_nlmsg_get_payload(nlh);
	struct heard_link *link = g_new0(struct heard_link, 1);

	g_strlcpy(link->name, mnl_attr_get_str(show_link_attr(nlh, IFLA_IFNAME)),
		  sizeof link->name);
	link->flags = ifm->ifi_flags;
	g_hash_table_insert(links->known, GINT_TO_POINTER(ifm->ifi_index), link);
}

/* ll_link_get(): one link, without its statistics. */
static void
ask(struct show_links *links, int ifindex)
{
	uint64_t buffer[RTNL_REQUEST_SIZE / sizeof(uint64_t)];
	struct nlmsghdr *request =
		rtnl_dump_request(buffer, RTM_GETLINK, AF_UNSPEC, sizeof(struct ifinfomsg));
	struct ifinfomsg *ifm = mnl_nlmsg_get_payload(request);
	uint64_t data[RTNL_ANSWER_SIZE / sizeof(uint64_t)];
	struct skb answer = {.data = (uint8_t *)data, .size = sizeof data};

	request->nlmsg_flags = NLM_F_REQUEST;
	ifm->ifi_index = ifindex;
	mnl_attr_put_u32(request, IFLA_EXT_MASK, RTEXT_FILTER_VF | RTEXT_FILTER_SKIP_STATS);
	if (rtnl_getlink_fill(links->net, request, &answer) == 0)
		show_links_note(links, (const struct nlmsghdr *)(const void *)data);
	else
		g_hash_table_insert(links->known, GINT_TO_POINTER(ifindex),
				    g_new0(struct heard_link, 1));
}

static const struct heard_link *
find(struct show_links *links, int ifindex)
{
	if (!g_hash_table_contains(links->known, GINT_TO_POINTER(ifindex)))
		ask(links, ifindex);
	return g_hash_table_lookup(links->known, GINT_TO_POINTER(ifindex));
}

char *
show_link_name(struct show_links *links, int ifindex)
{
	const struct heard_link *link = find(links, ifindex);

	return *link->name ? g_strdup(link->name) : g_strdup_printf("if%d", ifindex);
}

bool
show_link_is_down(struct show_links *links, int ifindex)
{
	const struct heard_link *link = find(links, ifindex);

	return *link->name && !(link->flags & IFF_UP);
}

void
show_links_txqlen(const struct show_links *links, const char *name, unsigned *len)
{
	dev_ioctl_txqlen(links->net, name, len);
}

const char *
show_links_netns(const struct show_links *links, int id)
{
	const struct net *net = get_net_ns_by_id(links->net, id);

	return net ? net->name : "";
}
