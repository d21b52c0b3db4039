/* SPDX-License-Identifier: GPL-2.0-or-later */
/* addrlabel.c - see addrlabel.h.
 *
 * A namespace's entries stand in one list, longer prefixes first; a lookup tries one
 * after the other.  It is no table of table.h: what is looked for is no key. */
#include "net/addrlabel.h"

#include <linux/if_addrlabel.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "net/addrconf-core.h"
#include "net/af-netlink.h"
#include "net/dev.h"
#include "net/dump-audit.h"

#define SPECIAL_TYPES (IPV6_ADDR_MAPPED | IPV6_ADDR_COMPATV4 | IPV6_ADDR_LOOPBACK)

struct addrlabel_entry {
	uint8_t prefix[16];
	unsigned prefixlen, addrtype; /* 0: of any type */
	int ifindex;                  /* 0: of any device */
	uint32_t label;
	uint64_t seq; /* for the audit of dumps */
	struct addrlabel_entry *next;
};

struct addrlabel_net {
	struct addrlabel_entry *first;
	uint64_t generation, last_seq;
};

extern const struct net_module net_module_addrlabel;

static struct addrlabel_net *
addrlabel_net(const struct net *net)
{
	return net_module_state(net, &net_module_addrlabel);
}

/* Lookups */

static bool
__ip6addrlbl_match(struct net *net, const struct addrlabel_entry *e, const uint8_t addr[16],
		   unsigned type, int ifindex)
{
	CALL_ENTER(&net->kernel->calls, "__ip6addrlbl_match");
	if (e->ifindex && e->ifindex != ifindex)
		return false;
	if (e->addrtype && e->addrtype != type)
		return false;
	return ipv6_prefix_equal(addr, e->prefix, e->prefixlen);
}

static const struct addrlabel_entry *
__ipv6_addr_label(struct net *net, const uint8_t addr[16], unsigned type, int ifindex)
{
	const struct addrlabel_entry *e = addrlabel_net(net)->first;

	CALL_ENTER(&net->kernel->calls, "__ipv6_addr_label");
	while (e && !__ip6addrlbl_match(net, e, addr, type, ifindex))
		e = e->next;
	return e;
}

uint32_t
ipv6_addr_label(struct net *net, const uint8_t addr[16], unsigned type, int ifindex)
{
	const struct addrlabel_entry *e;
	uint32_t label;

	CALL_ENTER(&net->kernel->calls, "ipv6_addr_label");
	rcu_read_lock(net->kernel->rcu);
	e = __ipv6_addr_label(net, addr, type & SPECIAL_TYPES, ifindex);
	label = e ? e->label : IPV6_ADDR_LABEL_DEFAULT;
	rcu_read_unlock(net->kernel->rcu);
	return label;
}

/* Changes */

/* Is this a place for the new entry?  Before the first of the same length that is
 * for all devices, even where the same prefix stands behind it. */
static bool
goes_before(const struct addrlabel_entry *new, const struct addrlabel_entry *e)
{
	return e->prefixlen < new->prefixlen || (e->prefixlen == new->prefixlen && !e->ifindex);
}

static bool
is_same(const struct addrlabel_entry *a, const struct addrlabel_entry *b)
{
	return a->prefixlen == b->prefixlen && a->ifindex == b->ifindex &&
	       memcmp(a->prefix, b->prefix, 16) == 0;
}

static int
link_entry(struct addrlabel_net *labels, struct addrlabel_entry *new)
{
	struct addrlabel_entry **at = &labels->first;

	for (; *at; at = &(*at)->next) {
		if (is_same(*at, new))
			return -EEXIST;
		if (goes_before(new, *at))
			break;
	}
	new->next = *at;
	new->seq = ++labels->last_seq;
	*at = new;
	labels->generation++;
	return 0;
}

/* -EINVAL: part of the range of mapped addresses has no label of its own. */
static int
entry_type(const uint8_t prefix[16], unsigned len, unsigned *type)
{
	*type = ipv6_addr_type_of(prefix) & SPECIAL_TYPES;
	if (*type == IPV6_ADDR_MAPPED && len > 96)
		return -EINVAL;
	if (len != (*type == IPV6_ADDR_LOOPBACK ? 128 : 96))
		*type = 0;
	return 0;
}

static int
ip6addrlbl_add(struct net *net, const struct addrlabel_request *r)
{
	struct addrlabel_entry *e;
	unsigned type;
	int err;

	CALL_ENTER(&net->kernel->calls, "ip6addrlbl_add");
	err = entry_type(r->prefix, r->prefixlen, &type);
	if (err != 0)
		return err;
	e = g_new0(struct addrlabel_entry, 1);
	ipv6_addr_prefix(e->prefix, r->prefix, r->prefixlen);
	e->prefixlen = r->prefixlen;
	e->addrtype = type;
	e->ifindex = r->ifindex;
	e->label = r->label;
	err = link_entry(addrlabel_net(net), e);
	if (err != 0)
		g_free(e);
	return err;
}

static void
free_entry(struct net *net, struct addrlabel_entry *e)
{
	rcu_defer(net->kernel->rcu, e, sizeof *e, NULL);
}

static int
ip6addrlbl_del(struct net *net, const struct addrlabel_request *r)
{
	struct addrlabel_net *labels = addrlabel_net(net);
	struct addrlabel_entry wanted = {.prefixlen = r->prefixlen, .ifindex = r->ifindex};
	struct addrlabel_entry **at = &labels->first, *e;

	CALL_ENTER(&net->kernel->calls, "ip6addrlbl_del");
	ipv6_addr_prefix(wanted.prefix, r->prefix, r->prefixlen);
	while (*at && !is_same(*at, &wanted))
		at = &(*at)->next;
	e = *at;
	if (!e)
		return -ESRCH;
	*at = e->next;
	labels->generation++;
	free_entry(net, e);
	return 0;
}

int
rtnl_addrlabel(struct net *net, const struct addrlabel_request *r, bool add)
{
	int err;

	rtnl_lock(net->kernel);
	if (r->prefixlen > 128 || r->label == IPV6_ADDR_LABEL_DEFAULT)
		err = -EINVAL;
	else if (add && r->ifindex && !dev_get_by_index(net, r->ifindex))
		err = -EINVAL;
	else
		err = add ? ip6addrlbl_add(net, r) : ip6addrlbl_del(net, r);
	rtnl_unlock(net->kernel);
	return err;
}

/* Dumps */

static int
ip6addrlbl_fill(struct skb *skb, const struct netlink_callback *cb, const struct addrlabel_entry *e)
{
	struct nlmsg m = nlmsg_begin(skb, cb, RTM_NEWADDRLABEL, sizeof(struct ifaddrlblmsg));
	struct ifaddrlblmsg *ifal = m.header;

	if (m.overflow)
		return -EMSGSIZE;
	*ifal = (struct ifaddrlblmsg){
		.ifal_family = AF_INET6,
		.ifal_prefixlen = (uint8_t)e->prefixlen,
		.ifal_index = (uint32_t)e->ifindex,
		.ifal_seq = (uint32_t)addrlabel_net(cb->net)->generation,
	};
	nlmsg_put(&m, IFAL_ADDRESS, e->prefix, sizeof e->prefix);
	nlmsg_put_u32(&m, IFAL_LABEL, e->label);
	return nlmsg_end(&m);
}

/* The marker is how many entries were told of. */
static int
ip6addrlbl_dump(struct skb *skb, struct netlink_callback *cb)
{
	const struct addrlabel_entry *e = addrlabel_net(cb->net)->first;
	uint64_t n = 0;

	CALL_ENTER(&cb->net->kernel->calls, "ip6addrlbl_dump");
	for (; e; e = e->next, n++) {
		if (n < cb->args[0])
			continue;
		if (ip6addrlbl_fill(skb, cb, e) != 0)
			break;
		dump_shown(cb, 0, e->seq);
	}
	cb->args[0] = n;
	return (int)skb->len;
}

static void
each_entry(const struct netlink_callback *cb, struct dump_set *set)
{
	const struct addrlabel_net *labels = addrlabel_net(cb->net);

	dump_set_generation(set, AF_INET6, labels->generation);
	for (const struct addrlabel_entry *e = labels->first; e; e = e->next)
		dump_set_add(set, 0, e->seq);
}

static const struct rtnl_dump dumps[] = {
	{.what = "addrlabel",
	 .family = AF_INET6,
	 .type = RTM_GETADDRLABEL,
	 .dump = ip6addrlbl_dump,
	 .each = each_entry},
	{.what = NULL},
};

/* Namespaces */

/* RFC 6724's, and the kernel's for what was assigned since; in the order of the
 * kernel's list, which decides where those of one length stand. */
static const struct addrlabel_request initial[] = {
	{.prefixlen = 0, .label = 1},
	{.prefix = {0xfc}, .prefixlen = 7, .label = 5},
	{.prefix = {0xfe, 0xc0}, .prefixlen = 10, .label = 11},
	{.prefix = {0x20, 0x02}, .prefixlen = 16, .label = 2},
	{.prefix = {0x3f, 0xfe}, .prefixlen = 16, .label = 12},
	{.prefix = {0x20, 0x01}, .prefixlen = 32, .label = 6},
	{.prefix = {0x20, 0x01, 0x00, 0x10}, .prefixlen = 28, .label = 7},
	{.prefix = {[10] = 0xff, [11] = 0xff}, .prefixlen = 96, .label = 4},
	{.prefixlen = 96, .label = 3},
	{.prefix = {[15] = 1}, .prefixlen = 128, .label = 0},
};

static int
addrlabel_net_init(struct net *net, void *state)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(initial); i++) {
		int err = ip6addrlbl_add(net, &initial[i]);

		g_assert(err == 0);
	}
	return 0;
}

static void
addrlabel_net_exit(struct net *net, void *state)
{
	struct addrlabel_net *labels = state;
	struct addrlabel_entry *e;

	while ((e = labels->first)) {
		labels->first = e->next;
		free_entry(net, e);
	}
}

const struct net_module net_module_addrlabel = {
	.name = "addrlabel",
	.dumps = dumps,
	.net_size = sizeof(struct addrlabel_net),
	.net_init = addrlabel_net_init,
	.net_exit = addrlabel_net_exit,
};
