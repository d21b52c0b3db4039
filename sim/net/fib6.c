/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fib6.c - see fib6.h. */
#include "net/fib6.h"

#include <linux/netlink.h>
#include <string.h>

#include "net/dev.h"
#include "net/inet6.h"

#define GC_INTERVAL_PS (30 * PS_PER_S) /* net.ipv6.route.gc_interval */

/* Bits */

static bool
addr_bit_set(const uint8_t addr[16], unsigned bit)
{
	return addr[bit / 8] & 0x80 >> bit % 8;
}

/* Nodes */

static bool
is_root(const struct fib6_node *fn)
{
	return !fn->parent;
}

static struct fib6_node **
link_to(struct fib6_node *fn)
{
	return fn->parent->left == fn ? &fn->parent->left : &fn->parent->right;
}

static struct fib6_node *
node_new(const uint8_t addr[16], unsigned bit, struct fib6_node *parent)
{
	struct fib6_node *fn = g_new0(struct fib6_node, 1);

	ipv6_addr_prefix(fn->key, addr, bit);
	fn->bit = (uint8_t)bit;
	fn->parent = parent;
	return fn;
}

static void
hang(struct fib6_node *above, struct fib6_node *fn)
{
	fn->parent = above;
	*(addr_bit_set(fn->key, above->bit) ? &above->right : &above->left) = fn;
}

/* Between 'fn' and its parent: a node for a prefix that contains it, or a fork. */
static struct fib6_node *
insert_above(struct fib6_node *fn, const uint8_t addr[16], unsigned plen)
{
	unsigned bit = MIN(ipv6_addr_diff(addr, fn->key), MIN(plen, fn->bit));
	struct fib6_node **link = link_to(fn), *in = node_new(addr, bit, fn->parent);

	*link = in;
	hang(in, fn);
	if (bit == plen)
		return in;
	hang(in, node_new(addr, plen, in));
	return addr_bit_set(addr, bit) ? in->right : in->left;
}

/* The node of this prefix; makes it. */
static struct fib6_node *
fib6_add_1(struct fib6_node *root, const uint8_t addr[16], unsigned plen)
{
	struct fib6_node *fn = root, *above = NULL;

	do {
		if (plen < fn->bit || !ipv6_prefix_equal(fn->key, addr, fn->bit))
			return insert_above(fn, addr, plen);
		if (plen == fn->bit)
			return fn;
		above = fn;
		fn = addr_bit_set(addr, fn->bit) ? fn->right : fn->left;
	} while (fn);
	fn = node_new(addr, plen, above);
	hang(above, fn);
	return fn;
}

/* Nodes that neither have a route nor fork go. */
static void
fib6_repair_tree(struct fib6_node *fn)
{
	while (!is_root(fn) && !fn->leaf && !(fn->left && fn->right)) {
		struct fib6_node *child = fn->left ? fn->left : fn->right, *above = fn->parent;

		*link_to(fn) = child;
		if (child)
			child->parent = above;
		g_free(fn);
		fn = above;
	}
}

/* Routes of one prefix */

static bool
rt6_duplicate_nexthop(const struct fib6_info *a, const struct fib6_info *b)
{
	return a->dev == b->dev && a->has_gateway == b->has_gateway &&
	       (!a->has_gateway || memcmp(fib6_gateway(a), fib6_gateway(b), 16) == 0);
}

static void
link_to_dev(struct fib6_info *rt)
{
	struct inet6_dev *idev = in6_dev_get(rt->dev);

	rt->dev_next = idev->routes;
	if (rt->dev_next)
		rt->dev_next->dev_prev = rt;
	idev->routes = rt;
	idev->route_count++;
	netns_fib6(rt->dev->net)->prefsrcs += rt->has_prefsrc;
}

static void
unlink_from_dev(struct fib6_info *rt)
{
	struct inet6_dev *idev = in6_dev_get(rt->dev);

	*(rt->dev_prev ? &rt->dev_prev->dev_next : &idev->routes) = rt->dev_next;
	if (rt->dev_next)
		rt->dev_next->dev_prev = rt->dev_prev;
	idev->route_count--;
	netns_fib6(rt->dev->net)->prefsrcs -= rt->has_prefsrc;
}

/* All that share traffic with 'rt' get to know how many they are. */
static void
count_siblings(struct fib6_info *leaf, const struct fib6_info *rt)
{
	unsigned n = 0;

	if (!rt6_qualify_for_ecmp(rt))
		return;
	for (struct fib6_info *at = leaf; at; at = at->next)
		n += at->metric == rt->metric && rt6_qualify_for_ecmp(at);
	for (struct fib6_info *at = leaf; at; at = at->next)
		if (at->metric == rt->metric && rt6_qualify_for_ecmp(at))
			at->nsiblings = n - 1;
}

/* Where a route goes into the list of its prefix, and what it takes the place of. */
struct place {
	struct fib6_info *prev, *next, *replaced;
};

static int
already_there(struct fib6_info *there, const struct fib6_info *rt)
{
	if (there->expires)
		there->expires = rt->expires;
	return -EEXIST;
}

/* Behind all others, where one of the same device is the only thing that could be in
 * the way: false if it is not as simple.  Thousands of devices have a route with the
 * prefix fe80::/64 each; the kernel reads all of them, and finds the same. */
static bool
find_last_place(struct fib6_node *fn, const struct fib6_info *rt, struct place *p, int *err)
{
	const struct inet6_dev *idev = in6_dev_get(rt->dev);

	if (!fn->last || fn->last->metric > rt->metric || idev->route_count >= fn->count)
		return false;
	*p = (struct place){.prev = fn->last};
	*err = 0;
	for (struct fib6_info *at = idev->routes; at && *err == 0; at = at->dev_next)
		if (at->node == fn && at->metric == rt->metric && rt6_duplicate_nexthop(at, rt))
			*err = already_there(at, rt);
	return true;
}

static int
find_place(struct fib6_node *fn, const struct fib6_info *rt, uint16_t nlflags, struct place *p)
{
	struct fib6_info *other = NULL;
	int err;

	if (!(nlflags & (NLM_F_EXCL | NLM_F_REPLACE)) && find_last_place(fn, rt, p, &err))
		return err;
	*p = (struct place){.next = fn->leaf};
	for (; p->next && p->next->metric <= rt->metric;
	     p->prev = p->next, p->next = p->next->next) {
		if (p->next->metric < rt->metric)
			continue;
		if (nlflags & NLM_F_EXCL)
			return -EEXIST;
		if (nlflags & NLM_F_REPLACE) {
			if (rt6_qualify_for_ecmp(p->next) == rt6_qualify_for_ecmp(rt)) {
				p->replaced = p->next;
				return 0;
			}
			other = other ? other : p->next;
		} else if (rt6_duplicate_nexthop(p->next, rt)) {
			return already_there(p->next, rt);
		}
	}
	p->replaced = other;
	return 0;
}

static void
link_route(struct fib6_node *fn, struct fib6_info *prev, struct fib6_info *rt)
{
	rt->node = fn;
	rt->prev = prev;
	rt->next = prev ? prev->next : fn->leaf;
	*(prev ? &prev->next : &fn->leaf) = rt;
	*(rt->next ? &rt->next->prev : &fn->last) = rt;
	fn->count++;
	link_to_dev(rt);
}

static void
unlink_route(struct fib6_info *rt)
{
	*(rt->prev ? &rt->prev->next : &rt->node->leaf) = rt->next;
	*(rt->next ? &rt->next->prev : &rt->node->last) = rt->prev;
	rt->node->count--;
	unlink_from_dev(rt);
}

/* The one replaced goes, and those that shared its traffic. */
static void
replace(struct fib6_info *old, struct fib6_info *rt)
{
	struct fib6_info *prev = old->prev, *next, *at = old;
	bool all = old->nsiblings > 0;

	for (; at; at = next) {
		next = at->next;
		if (at != old && !(all && at->metric == rt->metric && rt6_qualify_for_ecmp(at)))
			continue;
		unlink_route(at);
		g_free(at);
	}
	link_route(rt->node, prev, rt);
}

static int
fib6_add_rt2node(struct fib6_node *fn, struct fib6_info *rt, uint16_t nlflags, struct ext_ack *ack)
{
	struct place place;
	bool first = !fn->leaf;
	int err = find_place(fn, rt, nlflags, &place);

	if (err != 0)
		return err;
	if (nlflags & NLM_F_REPLACE && !(nlflags & NLM_F_CREATE) && !place.replaced) {
		ext_ack_set(ack, "Can not replace route - no match found");
		return -ENOENT;
	}
	rt->node = fn;
	if (place.replaced)
		replace(place.replaced, rt);
	else
		link_route(fn, place.prev, rt);
	count_siblings(fn->leaf, rt);
	rt->table->nodes += first;
	return 0;
}

static void
fib6_start_gc(struct kernel *k, struct netns_fib6 *fib)
{
	if (!work_pending(&fib->gc_work))
		work_mod_delayed(k->events, &fib->gc_work, GC_INTERVAL_PS);
}

int
fib6_add(struct fib6_info *rt, const uint8_t dst[16], unsigned plen, uint16_t nlflags,
	 struct ext_ack *ack)
{
	struct kernel *k = rt->dev->kernel;
	struct fib6_node *fn;
	int err;

	CALL_ENTER(&k->calls, "fib6_add");
	fn = fib6_add_1(&rt->table->root, dst, plen);
	err = fib6_add_rt2node(fn, rt, nlflags, ack);
	if (err == 0 && rt->expires)
		fib6_start_gc(k, netns_fib6(rt->dev->net));
	if (err != 0) {
		fib6_repair_tree(fn);
		g_free(rt);
	}
	return err;
}

void
fib6_del(struct fib6_info *rt)
{
	struct fib6_node *fn = rt->node;
	struct kernel *k = rt->dev->kernel;

	CALL_ENTER(&k->calls, "fib6_del");
	unlink_route(rt);
	count_siblings(fn->leaf, rt);
	rt->table->nodes -= !fn->leaf;
	fib6_repair_tree(fn);
	rcu_defer(k->rcu, rt, sizeof *rt, NULL);
}

/* Looking up */

struct fib6_info *
fib6_locate(struct fib6_table *table, const uint8_t dst[16], unsigned plen)
{
	struct fib6_node *fn = &table->root;

	while (fn && fn->bit < plen && ipv6_prefix_equal(fn->key, dst, fn->bit))
		fn = addr_bit_set(dst, fn->bit) ? fn->right : fn->left;
	return fn && fn->bit == plen && ipv6_prefix_equal(fn->key, dst, plen) ? fn->leaf : NULL;
}

static bool
is_own_of(const struct fib6_info *rt, const struct net_device *dev)
{
	return rt->dev == dev && !rt->has_gateway && rt->protocol == RTPROT_KERNEL;
}

/* By whichever list is shorter: that of the prefix or that of the device. */
struct fib6_info *
fib6_find_on_dev(struct fib6_table *table, const struct net_device *dev, const uint8_t dst[16],
		 unsigned plen)
{
	const struct inet6_dev *idev = in6_dev_get(dev);
	struct fib6_info *leaf = fib6_locate(table, dst, plen), *rt;

	if (!leaf || !idev)
		return NULL;
	if (idev->route_count < leaf->node->count) {
		for (rt = idev->routes; rt; rt = rt->dev_next)
			if (rt->node == leaf->node && is_own_of(rt, dev))
				return rt;
		return NULL;
	}
	for (rt = leaf; rt && !is_own_of(rt, dev);)
		rt = rt->next;
	return rt;
}

struct fib6_node *
fib6_backtrack(struct fib6_node *fn)
{
	if (is_root(fn))
		return NULL;
	do {
		fn = fn->parent;
	} while (!is_root(fn) && !fn->leaf);
	return fn;
}

/* Down along the bits as far as there are nodes, then up to a prefix that fits. */
static struct fib6_node *
fib6_node_lookup_1(struct kernel *k, struct fib6_node *root, const uint8_t addr[16])
{
	struct fib6_node *fn = root, *next;

	CALL_ENTER(&k->calls, "fib6_node_lookup_1");
	CALL(&k->calls, "visit_fib6_node");
	while ((next = addr_bit_set(addr, fn->bit) ? fn->right : fn->left)) {
		CALL(&k->calls, "visit_fib6_node");
		fn = next;
		if (fn->bit == 128)
			break;
	}
	while (!is_root(fn) && !(fn->leaf && ipv6_prefix_equal(fn->key, addr, fn->bit))) {
		CALL(&k->calls, "visit_fib6_node");
		fn = fn->parent;
	}
	return fn;
}

struct fib6_node *
fib6_node_lookup(struct kernel *k, struct fib6_table *table, const uint8_t daddr[16])
{
	CALL_ENTER(&k->calls, "fib6_node_lookup");
	return fib6_node_lookup_1(k, &table->root, daddr);
}

/* Walks */

/* The node that a walk comes to first below this one. */
static struct fib6_node *
lowest(struct fib6_node *fn)
{
	while (fn->left || fn->right)
		fn = fn->left ? fn->left : fn->right;
	return fn;
}

static struct fib6_node *
following(const struct fib6_node *fn)
{
	struct fib6_node *above = fn->parent;

	return above && above->left == fn && above->right ? lowest(above->right) : above;
}

/* 'each' may delete the route that it gets, and no other. */
static void
walk_table(struct fib6_table *table, void (*each)(struct fib6_info *, void *data), void *data)
{
	struct fib6_info *rt, *next;
	struct fib6_node *fn, *fn_next;

	for (fn = lowest(&table->root); fn; fn = fn_next) {
		fn_next = following(fn);
		for (rt = fn->leaf; rt; rt = next) {
			/* An inner node above may go together with the last route. */
			next = rt->next;
			while (!next && fn_next && !fn_next->leaf && !is_root(fn_next))
				fn_next = following(fn_next);
			each(rt, data);
		}
	}
}

void
fib6_walk(const struct netns_fib6 *fib, void (*each)(struct fib6_info *, void *data), void *data)
{
	for (unsigned h = 0; h < FIB6_TABLE_HASHSZ; h++)
		for (struct fib6_table *t = fib->tables[h]; t; t = t->next)
			walk_table(t, each, data);
}

/* Expiry */

bool
fib6_check_expired(const struct fib6_info *rt)
{
	return rt->expires && engine_now(rt->dev->kernel->engine) > rt->expires;
}

static void
fib6_age(struct fib6_info *rt, void *more)
{
	if (!rt->expires)
		return;
	if (fib6_check_expired(rt))
		fib6_del(rt);
	else
		*(bool *)more = true;
}

static void
fib6_run_gc(void *data)
{
	struct netns_fib6 *fib = data;
	struct kernel *k = fib->net->kernel;
	bool more = false;

	CALL_ENTER(&k->calls, "fib6_run_gc");
	fib6_walk(fib, fib6_age, &more);
	if (more)
		fib6_start_gc(k, fib);
}

/* Tables */

struct fib6_table *
fib6_get_table(const struct netns_fib6 *fib, uint32_t id)
{
	struct fib6_table *t = fib->tables[id % FIB6_TABLE_HASHSZ];

	while (t && t->id != id)
		t = t->next;
	return t;
}

struct fib6_table *
fib6_new_table(struct netns_fib6 *fib, uint32_t id)
{
	struct fib6_table *t = fib6_get_table(fib, id),
			  **chain = &fib->tables[id % FIB6_TABLE_HASHSZ];

	if (t)
		return t;
	t = g_new0(struct fib6_table, 1);
	t->id = id;
	t->next = *chain;
	*chain = t;
	return t;
}

void
fib6_init(struct net *net, struct netns_fib6 *fib)
{
	fib->net = net;
	fib->local = fib6_new_table(fib, RT_TABLE_LOCAL);
	fib->main = fib6_new_table(fib, RT_TABLE_MAIN);
	work_init(&fib->gc_work, "fib6_run_gc", fib6_run_gc, fib);
}

void
fib6_exit(struct netns_fib6 *fib)
{
	struct fib6_table *t;

	work_cancel(&fib->gc_work);
	for (unsigned h = 0; h < FIB6_TABLE_HASHSZ; h++)
		while ((t = fib->tables[h])) {
			g_assert(t->nodes == 0 && !t->root.left && !t->root.right);
			fib->tables[h] = t->next;
			g_free(t);
		}
}
