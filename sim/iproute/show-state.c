/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-state.c - the final state of a namespace in the shape of 'ip -j link show' and
 * 'ip -j addr show': the same messages, but no process asks for them. */
#include <linux/rtnetlink.h>

#include "iproute/rtnl.h"
#include "iproute/show.h"
#include "net/netdevice.h"
#include "net/rtnl-ifinfo.h"

#define BUFFER_SIZE 32768

typedef int dump_function(struct skb *, struct netlink_callback *);

static void
each_message(struct net *net, uint16_t type, size_t header_size, dump_function *dump,
	     void (*each)(const struct nlmsghdr *, void *data), void *data)
{
	uint64_t buffer[RTNL_REQUEST_SIZE / sizeof(uint64_t)];
	struct netlink_callback cb = {
		.net = net, .nlh = rtnl_dump_request(buffer, type, AF_UNSPEC, header_size)};
	struct skb skb = {.data = g_malloc(BUFFER_SIZE), .size = BUFFER_SIZE};

	while (dump(&skb, &cb) > 0) {
		int left = (int)skb.len;

		for (const struct nlmsghdr *nlh = (const void *)skb.data; mnl_nlmsg_ok(nlh, left);
		     nlh = mnl_nlmsg_next(nlh, &left))
			each(nlh, data);
		skb.len = 0;
	}
	g_free(skb.data);
}

struct state {
	struct net *net;
	struct show_links *known;
	json_t *list;
	GHashTable *by_index; /* its members, borrowed */
};

static void
note(const struct nlmsghdr *nlh, void *data)
{
	show_links_note(((struct state *)data)->known, nlh);
}

static const struct net_device *
device_of(const struct net *net, int ifindex)
{
	const struct net_device *dev = net->index_head[ifindex % NETDEV_HASHENTRIES];

	while (dev->ifindex != ifindex)
		dev = dev->index_next;
	return dev;
}

static void
add_link(const struct nlmsghdr *nlh, void *data)
{
	static const char *const members[] = {
		"ifindex",   "link",    "link_index", "ifname",       "flags", "mtu",
		"qdisc",     "master",  "operstate",  "linkmode",     "group", "txqlen",
		"link_type", "address", "broadcast",  "link_netnsid", NULL};
	const struct ifinfomsg *ifm = mnl_nlmsg_get_payload(nlh);
	struct state *s = data;
	json_t *all = show_link_json(s->known, nlh), *object = json_object();

	show_copy_members(object, all, members);
	json_array_append_new(s->list, object);
	g_hash_table_insert(s->by_index, GINT_TO_POINTER(ifm->ifi_index), object);
	json_decref(all);
}

static struct state
links_of(struct net *net)
{
	struct state s = {.net = net, .known = show_links_new(net), .list = json_array()};

	s.by_index = g_hash_table_new(NULL, NULL);
	each_message(net, RTM_GETLINK, sizeof(struct ifinfomsg), rtnl_dump_ifinfo, note, &s);
	each_message(net, RTM_GETLINK, sizeof(struct ifinfomsg), rtnl_dump_ifinfo, add_link, &s);
	return s;
}

static json_t *
state_end(struct state *s)
{
	g_hash_table_unref(s->by_index);
	show_links_free(s->known);
	return s->list;
}

/* Not all kernels tell how many want all multicast. */
static void
add_counts(struct state *s)
{
	json_t *link;
	size_t i;

	json_array_foreach(s->list, i, link)
	{
		json_int_t ifindex = json_integer_value(json_object_get(link, "ifindex"));
		const struct net_device *dev = device_of(s->net, (int)ifindex);

		json_object_set_new(link, "promiscuity", json_integer(dev->promiscuity));
		json_object_set_new(link, "allmulti", json_integer(dev->allmulti));
	}
}

static void
add_address(const struct nlmsghdr *nlh, void *data)
{
	const struct ifaddrmsg *ifm = mnl_nlmsg_get_payload(nlh);
	struct state *s = data;
	json_t *link = g_hash_table_lookup(s->by_index, GINT_TO_POINTER(ifm->ifa_index));

	json_array_append_new(json_object_get(link, "addr_info"), show_address_json(nlh));
}

json_t *
show_link(struct net *net)
{
	struct state s = links_of(net);

	add_counts(&s);
	return state_end(&s);
}

json_t *
show_addr(struct net *net)
{
	struct state s = links_of(net);
	json_t *link;
	size_t i;

	json_array_foreach(s.list, i, link)
	{
		json_object_del(link, "linkmode");
		json_object_set_new(link, "addr_info", json_array());
	}
	each_message(net, RTM_GETADDR, sizeof(struct ifaddrmsg), rtnl_dump_all, add_address, &s);
	return state_end(&s);
}
