/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ndisc.c - see ndisc.h. */
#include "net/ndisc.h"

#include <string.h>

#include "net/dev.h"
#include "net/inet6.h"

#define REACHABLE_PS  (30 * PS_PER_S) /* without a random factor of 0.5 to 1.5 */
#define RESOLUTION_PS (3 * PS_PER_S)  /* three solicitations */

static const struct table_spec nd_neigh_spec = {
	.name = "nd_neigh",
	.about = "IPv6 neighbours of a namespace, by address and ifindex",
	.backend = "rhashtable:buckets=8,shrink=off", /* the kernel's doubles, and never shrinks */
	.elem_size = sizeof(struct neighbour),
	.key_offset = offsetof(struct neighbour, key),
	.hashing = TABLE_HASH_KEY,
};

static const struct table_spec arp_neigh_spec = {
	.name = "arp_neigh",
	.about = "IPv4 neighbours of a namespace, by address and ifindex",
	.backend = "rhashtable:buckets=8,shrink=off",
	.elem_size = sizeof(struct neighbour),
	.key_offset = offsetof(struct neighbour, key),
	.hashing = TABLE_HASH_KEY,
};

/* Of one namespace; the kernel has one table for all of them. */
struct nd_net {
	struct table neigh, arp;
};

extern const struct net_module net_module_ndisc;

#define INET_LEN  4 /* bytes of an address */
#define INET6_LEN 16

static struct table *
table_of(const struct net *net, unsigned addr_len)
{
	struct nd_net *nd = net_module_state(net, &net_module_ndisc);

	return addr_len == INET_LEN ? &nd->arp : &nd->neigh;
}

uint16_t
neigh_state(const struct neighbour *n)
{
	uint64_t age = engine_now(n->dev->kernel->engine) - n->updated;

	if (n->nud_state == NUD_REACHABLE && age >= REACHABLE_PS)
		return NUD_STALE;
	if (n->nud_state == NUD_INCOMPLETE && age >= RESOLUTION_PS)
		return NUD_FAILED;
	return n->nud_state;
}

static void
set_state(struct neighbour *n, uint16_t state)
{
	n->nud_state = state;
	n->updated = engine_now(n->dev->kernel->engine);
}

static struct neighbour *
lookup(struct net *net, const struct net_device *dev, const uint8_t *addr, unsigned len)
{
	struct key key = key_make(addr, len, (uint32_t)dev->ifindex);

	return table_find(table_of(net, len), &key);
}

struct neighbour *
ndisc_lookup_noref(struct net *net, const struct net_device *dev, const uint8_t addr[16])
{
	return lookup(net, dev, addr, INET6_LEN);
}

/* On some links there is nobody to ask. */
static bool
needs_no_address(const struct net_device *dev)
{
	return dev->flags & (IFF_NOARP | IFF_LOOPBACK);
}

/* Groups have addresses of their own. */
static void
ndisc_constructor(struct neighbour *n, const uint8_t *addr)
{
	if (ipv6_addr_multicast(addr)) {
		n->nud_state = NUD_NOARP;
		n->ha[0] = n->ha[1] = 0x33;
		memcpy(n->ha + 2, addr + 12, 4);
	} else if (needs_no_address(n->dev)) {
		n->nud_state = NUD_NOARP;
		memcpy(n->ha, n->dev->dev_addr, ETH_ALEN);
	}
}

static void
arp_constructor(struct neighbour *n, const uint8_t *addr)
{
	const uint8_t group[ETH_ALEN] = {0x01, 0x00, 0x5e, addr[1] & 0x7f, addr[2], addr[3]};

	if ((addr[0] & 0xf0) == 0xe0) {
		n->nud_state = NUD_NOARP;
		memcpy(n->ha, group, ETH_ALEN);
	} else if (needs_no_address(n->dev)) {
		n->nud_state = NUD_NOARP;
		memcpy(n->ha, n->dev->dev_addr, ETH_ALEN);
	}
}

static struct neighbour *
create(struct net *net, struct net_device *dev, const uint8_t *addr, unsigned len)
{
	struct key key = key_make(addr, len, (uint32_t)dev->ifindex);
	struct neighbour *n;
	bool created;

	DEV_ENTER(dev, "__neigh_create");
	n = table_add(table_of(net, len), &key, &created);
	if (!created)
		return n;
	n->dev = dev;
	set_state(n, NUD_NONE);
	if (len == INET_LEN)
		arp_constructor(n, addr);
	else
		ndisc_constructor(n, addr);
	return n;
}

struct neighbour *
__neigh_create(struct net *net, struct net_device *dev, const uint8_t addr[16])
{
	return create(net, dev, addr, INET6_LEN);
}

struct neighbour *
arp_neigh(struct net *net, struct net_device *dev, uint32_t addr)
{
	uint32_t be = GUINT32_TO_BE(addr);
	struct neighbour *n = lookup(net, dev, (const uint8_t *)&be, INET_LEN);

	return n ? n : create(net, dev, (const uint8_t *)&be, INET_LEN);
}

/* One that failed is tried again. */
void
neigh_resolve(struct neighbour *n)
{
	if (!(neigh_state(n) & (NUD_VALID | NUD_INCOMPLETE)))
		set_state(n, NUD_INCOMPLETE);
}

static void
flush_dev(struct table *table, const struct net_device *dev)
{
	struct neighbour *n;
	struct cursor cursor;

	table_for_each (table, &cursor, n) {
		if (n->dev == dev)
			table_remove(table, n);
	}
}

void
neigh_ifdown(struct net_device *dev)
{
	DEV_ENTER(dev, "neigh_ifdown");
	flush_dev(table_of(dev->net, INET6_LEN), dev);
}

void
arp_ifdown(struct net_device *dev)
{
	flush_dev(table_of(dev->net, INET_LEN), dev);
}

/* What a user asks for */

static int
neigh_update(struct neighbour *n, const struct neigh_request *req, bool may_override,
	     struct ext_ack *ack)
{
	bool valid = neigh_state(n) & NUD_VALID;

	if (req->state & NUD_VALID && !req->has_lladdr && !valid) {
		ext_ack_set(ack, "No link layer address given");
		return -EINVAL;
	}
	if (req->has_lladdr && (may_override || !valid))
		memcpy(n->ha, req->lladdr, ETH_ALEN);
	set_state(n, req->state);
	n->router = req->router;
	return 0;
}

static int
add(struct net *net, const struct neigh_request *req, struct ext_ack *ack)
{
	struct net_device *dev = dev_get_by_index(net, req->ifindex);
	struct neighbour *n;

	if (!dev)
		return -ENODEV;
	if (req->has_lladdr && req->lladdr_len < dev->addr_len) {
		ext_ack_set(ack, "Invalid link address");
		return -EINVAL;
	}
	n = lookup(net, dev, req->dst, req->dst_len);
	if (n && req->exclusive)
		return -EEXIST;
	if (n)
		return neigh_update(n, req, req->replace, ack);
	if (!req->create)
		return -ENOENT;
	return neigh_update(create(net, dev, req->dst, req->dst_len), req, true, ack);
}

int
neigh_add(struct net *net, const struct neigh_request *req, struct ext_ack *ack)
{
	int err;

	CALL_ENTER(&net->kernel->calls, "neigh_add");
	rtnl_lock(net->kernel);
	err = add(net, req, ack);
	rtnl_unlock(net->kernel);
	return err;
}

static int delete (struct net *net, const struct neigh_request *req)
{
	struct net_device *dev = dev_get_by_index(net, req->ifindex);
	struct neighbour *n;

	if (!dev)
		return -ENODEV;
	n = lookup(net, dev, req->dst, req->dst_len);
	if (!n)
		return -ENOENT;
	table_remove(table_of(net, req->dst_len), n);
	return 0;
}

int
neigh_delete(struct net *net, const struct neigh_request *req, struct ext_ack *ack)
{
	int err;

	CALL_ENTER(&net->kernel->calls, "neigh_delete");
	rtnl_lock(net->kernel);
	err = delete (net, req);
	rtnl_unlock(net->kernel);
	return err;
}

void
neigh_dump(struct net *net, int family, void (*each)(const struct neighbour *, void *data),
	   void *data)
{
	struct table *table = table_of(net, family == AF_INET ? INET_LEN : INET6_LEN);
	struct cursor cursor = CURSOR_START;
	struct neighbour *n;

	CALL(&net->kernel->calls, "neigh_dump_info");
	while ((n = table_next_own(table, &cursor)))
		each(n, data);
}

/* The module */

static int
net_init(struct net *net, void *state)
{
	struct nd_net *nd = state;

	table_init(&nd->neigh, kernel_table(net->kernel, &nd_neigh_spec));
	table_init(&nd->arp, kernel_table(net->kernel, &arp_neigh_spec));
	return 0;
}

static void
net_exit(struct net *net, void *state)
{
	struct nd_net *nd = state;

	table_fini(&nd->neigh);
	table_fini(&nd->arp);
}

const struct net_module net_module_ndisc = {
	.name = "ndisc",
	.tables = {&nd_neigh_spec, &arp_neigh_spec},
	.net_size = sizeof(struct nd_net),
	.net_init = net_init,
	.net_exit = net_exit,
};
