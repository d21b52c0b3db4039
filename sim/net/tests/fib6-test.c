/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fib6-test.c - the tree of IPv6 routes: random routes come and go, with gateways that
 * share their traffic and routes that expire, devices go down, and every destination is
 * looked up.
 *
 * The reference is a list of routes in order of arrival, which is searched from one end
 * to the other for the longest prefix, and of that for the least metric. */
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>

#include "box.h"
#include "net/inet6.h"
#include "net/ip6-route.h"

#define DEVICES 3
#define STEPS   3000
#define SEEDS   8
#define TABLE   77 /* that no rule leads to, so that only the test's routes are in it */

struct route {
	uint8_t dst[16];
	unsigned plen, metric;
	int dev; /* 1 .. DEVICES; 0: unreachable, on the loopback device */
	bool gateway;
	uint64_t seq;
};

struct test {
	struct box *box;
	struct rng rng;
	GArray *routes; /* struct route, in order of arrival */
	uint64_t seq;
	int ifindex[DEVICES + 1];
	unsigned lookups_with_route, replaced, refused;
};

static unsigned
below(struct test *t, unsigned bound)
{
	return (unsigned)rng_below(&t->rng, bound);
}

/* The model */

static bool
has_prefix(const uint8_t addr[16], const uint8_t prefix[16], unsigned plen)
{
	for (unsigned bit = 0; bit < plen; bit++)
		if ((addr[bit / 8] ^ prefix[bit / 8]) >> (7 - bit % 8) & 1)
			return false;
	return true;
}

static struct route *
route_at(const struct test *t, unsigned n)
{
	return &g_array_index(t->routes, struct route, n);
}

static bool
same_prefix(const struct route *a, const struct route *b)
{
	return a->plen == b->plen && has_prefix(a->dst, b->dst, a->plen);
}

/* The n-th of those of its prefix, by metric and then by age; null: no such. */
static struct route *
nth_of_prefix(const struct test *t, const struct route *like, unsigned n)
{
	struct route *best = NULL, *last = NULL;

	do {
		best = NULL;
		for (unsigned i = 0; i < t->routes->len; i++) {
			struct route *r = route_at(t, i);
			bool later = !last || r->metric > last->metric ||
				     (r->metric == last->metric && r->seq > last->seq);

			if (same_prefix(r, like) && later &&
			    (!best || r->metric < best->metric ||
			     (r->metric == best->metric && r->seq < best->seq)))
				best = r;
		}
		last = best;
	} while (best && n-- > 0);
	return best;
}

static const struct route *
model_lookup(const struct test *t, const uint8_t addr[16])
{
	const struct route *best = NULL;

	for (unsigned i = 0; i < t->routes->len; i++) {
		const struct route *r = route_at(t, i);

		if (!has_prefix(addr, r->dst, r->plen) || (best && r->plen < best->plen))
			continue;
		if (!best || r->plen > best->plen || r->metric < best->metric ||
		    (r->metric == best->metric && r->seq < best->seq))
			best = r;
	}
	return best;
}

static void
model_remove(struct test *t, const struct route *r)
{
	g_array_remove_index(t->routes, (guint)(r - route_at(t, 0)));
}

/* All that share traffic with a route that names no gateway go with it. */
static int
model_delete(struct test *t, const struct route *like, bool by_dev)
{
	struct route *r, found;

	for (unsigned n = 0; (r = nth_of_prefix(t, like, n)); n++)
		if ((!by_dev || r->dev == like->dev) &&
		    (!like->metric || r->metric == like->metric))
			break;
	if (!r)
		return -ESRCH;
	found = *r;
	model_remove(t, r);
	for (unsigned i = t->routes->len; found.gateway && i-- > 0;) {
		r = route_at(t, i);
		if (r->gateway && r->metric == found.metric && same_prefix(r, &found))
			model_remove(t, r);
	}
	return 0;
}

static int
model_replace(struct test *t, struct route *new, bool create)
{
	struct route *r, *first = NULL, *like = NULL;
	uint64_t seq;

	for (unsigned n = 0; (r = nth_of_prefix(t, new, n)); n++) {
		if (r->metric != new->metric)
			continue;
		first = first ? first : r;
		if (!like && r->gateway == new->gateway)
			like = r;
	}
	like = like ? like : first;
	if (!like && !create)
		return -ENOENT;
	t->replaced += like != NULL;
	new->seq = seq = like ? like->seq : ++t->seq;
	first = like;
	if (first && first->gateway) {
		for (unsigned i = t->routes->len; i-- > 0;) {
			r = route_at(t, i);
			if (r->gateway && r->metric == new->metric &&same_prefix(r, new) &&
			    r->seq >= seq)
				model_remove(t, r);
		}
	} else if (first) {
		model_remove(t, first);
	}
	g_array_append_val(t->routes, *new);
	return 0;
}

static int
model_add(struct test *t, struct route *new, uint16_t nlflags)
{
	if (nlflags & NLM_F_REPLACE)
		return model_replace(t, new, nlflags & NLM_F_CREATE);
	for (unsigned i = 0; i < t->routes->len; i++) {
		const struct route *r = route_at(t, i);

		if (!same_prefix(r, new) || r->metric != new->metric)
			continue;
		if (nlflags & NLM_F_EXCL || (r->dev == new->dev && r->gateway == new->gateway))
			return -EEXIST;
	}
	new->seq = ++t->seq;
	g_array_append_val(t->routes, *new);
	return 0;
}

/* Steps */

/* Addresses of few shapes, so that prefixes lie in each other. */
static void
random_address(struct test *t, uint8_t addr[16])
{
	memset(addr, 0, 16);
	addr[0] = 0x20;
	for (unsigned n = below(t, 5); n > 0; n--) {
		unsigned bit = below(t, 3) ? 16 * below(t, 8) + below(t, 2) : below(t, 128);

		addr[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
	}
}

static struct route
random_route(struct test *t)
{
	struct route r = {.metric = 1 + below(t, 3), .dev = (int)below(t, DEVICES + 1)};

	random_address(t, r.dst);
	r.plen = below(t, 2) ? 16 * below(t, 9) : below(t, 129);
	r.gateway = r.dev && below(t, 3) == 0;
	if (t->routes->len > 0 && below(t, 2)) {
		const struct route *old = route_at(t, below(t, t->routes->len));

		memcpy(r.dst, old->dst, 16);
		r.plen = old->plen;
	}
	return r;
}

static struct fib6_config
config_of(const struct test *t, const struct route *r)
{
	struct fib6_config cfg = {.table = TABLE,
				  .metric = r->metric,
				  .type = r->dev ? RTN_UNICAST : RTN_UNREACHABLE,
				  .dst_len = (uint8_t)r->plen,
				  .has_gateway = r->gateway,
				  .gateway = {0xfe, 0x80, [15] = 1},
				  .ifindex = t->ifindex[r->dev]};

	memcpy(cfg.dst, r->dst, 16);
	return cfg;
}

static void
add(struct test *t)
{
	static const uint16_t how[] = {NLM_F_CREATE | NLM_F_EXCL, NLM_F_CREATE | NLM_F_APPEND,
				       NLM_F_CREATE | NLM_F_REPLACE, NLM_F_REPLACE};
	struct route r = random_route(t);
	struct fib6_config cfg = config_of(t, &r);
	int err;

	cfg.nlflags = how[below(t, G_N_ELEMENTS(how))];
	err = model_add(t, &r, cfg.nlflags);
	t->refused += err != 0;
	g_assert_cmpint(inet6_rtm_newroute(t->box->net, &cfg, NULL), ==, err);
}

static void delete (struct test *t)
{
	struct route r = random_route(t);
	bool by_dev = below(t, 2);
	struct fib6_config cfg;

	r.metric = below(t, 2) ? r.metric : 0;
	cfg = config_of(t, &r);
	cfg.has_gateway = false;
	cfg.ifindex = by_dev ? cfg.ifindex : 0;
	g_assert_cmpint(inet6_rtm_delroute(t->box->net, &cfg, NULL), ==,
			model_delete(t, &r, by_dev));
}

static void
down_and_up(struct test *t)
{
	int dev = 1 + (int)below(t, DEVICES);
	char name[8];

	g_snprintf(name, sizeof name, "d%d", dev);
	box_set_up(t->box, name, false);
	box_set_up(t->box, name, true);
	for (unsigned i = t->routes->len; i-- > 0;)
		if (route_at(t, i)->dev == dev)
			model_remove(t, route_at(t, i));
}

/* Checks */

/* A node without a route forks, keys end where their bits do, and each is below one
 * whose prefix it has. */
static unsigned
check_node(const struct fib6_node *fn)
{
	unsigned routes = 0, metric = 0;

	for (const struct fib6_info *rt = fn->leaf; rt; rt = rt->next, routes++) {
		g_assert_true(rt->node == fn && rt->metric >= metric);
		metric = rt->metric;
	}
	g_assert_cmpuint(routes, ==, fn->count);
	g_assert_true(!fn->parent || fn->leaf || (fn->left && fn->right));
	for (unsigned side = 0; side < 2; side++) {
		const struct fib6_node *child = side ? fn->right : fn->left;

		if (!child)
			continue;
		g_assert_true(child->parent == fn && child->bit > fn->bit);
		g_assert_true(has_prefix(child->key, fn->key, fn->bit));
		g_assert_cmpuint(child->key[fn->bit / 8] >> (7 - fn->bit % 8) & 1, ==, side);
		routes += check_node(child);
	}
	return routes;
}

static struct fib6_table *
table_of(const struct test *t)
{
	return fib6_new_table(netns_fib6(t->box->net), TABLE);
}

static bool
is_route(const struct test *t, const struct fib6_info *rt, const struct route *r)
{
	return rt->metric == r->metric && fib6_plen(rt) == r->plen &&
	       has_prefix(fib6_dst(rt), r->dst, r->plen) &&
	       (r->dev ? rt->dev->ifindex == t->ifindex[r->dev] : rt->type == RTN_UNREACHABLE) &&
	       rt->has_gateway == r->gateway;
}

static void
check_lookup(struct test *t)
{
	const struct route *r;
	struct fib6_node *fn;
	uint8_t addr[16];

	random_address(t, addr);
	r = model_lookup(t, addr);
	rcu_read_lock(t->box->kernel->rcu);
	fn = fib6_node_lookup(t->box->kernel, table_of(t), addr);
	rcu_read_unlock(t->box->kernel->rcu);
	g_assert_true(r ? fn->leaf && is_route(t, fn->leaf, r) : !fn->leaf && !fn->parent);
	t->lookups_with_route += r != NULL;
	if (r)
		g_assert_true(fib6_locate(table_of(t), r->dst, r->plen) == fn->leaf);
}

/* A dump has prefixes behind those that they contain, and in the order of their bits. */
static void
check_order(const struct fib6_info *rt, void *data)
{
	const struct fib6_info **last = data;

	if (*last && (*last)->node != rt->node) {
		unsigned common = ipv6_addr_diff(fib6_dst(*last), fib6_dst(rt));
		bool inside = common >= fib6_plen(rt) && fib6_plen(*last) > fib6_plen(rt);

		g_assert_true(inside || (common < MIN(fib6_plen(*last), fib6_plen(rt)) &&
					 memcmp(fib6_dst(*last), fib6_dst(rt), 16) < 0));
	}
	*last = rt;
}

static void
check(struct test *t)
{
	const struct fib6_info *last = NULL;

	for (unsigned n = 0; n < 5; n++)
		check_lookup(t);
	g_assert_cmpuint(check_node(&table_of(t)->root), ==, t->routes->len);
	inet6_dump_fib(t->box->net, TABLE, check_order, &last, NULL);
}

static void
make_devices(struct test *t)
{
	char name[8];

	t->ifindex[0] = t->box->net->loopback->ifindex;
	for (int d = 1; d <= DEVICES; d++) {
		g_snprintf(name, sizeof name, "d%d", d);
		box_add_link(t->box, "dummy", name, NULL);
		box_set_up(t->box, name, true);
		t->ifindex[d] = box_ifindex(t->box, name);
	}
}

static void
play(struct box *b, void *seed)
{
	struct test t = {.box = b, .rng = {.state = *(uint64_t *)seed}};

	t.routes = g_array_new(FALSE, FALSE, sizeof(struct route));
	make_devices(&t);
	for (unsigned step = 0; step < STEPS; step++) {
		if (below(&t, 100) == 0)
			down_and_up(&t);
		else if (below(&t, 5) < 3)
			add(&t);
		else
			delete (&t);
		check(&t);
	}
	g_assert_cmpuint(t.lookups_with_route, >, STEPS / 2);
	g_assert_cmpuint(t.replaced, >, STEPS / 100);
	g_assert_cmpuint(t.refused, >, STEPS / 100);
	g_array_unref(t.routes);
}

static void
random_routes(void)
{
	const struct kernel_options options = {.version = KERNEL_6_1};

	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		box_play("list", &options, play, &seed);
}

/* Routes that expire: looked past at once, gone with the collector. */

static bool
found(struct box *b, const char *what)
{
	struct flowi6 flow = {.daddr = {0x20, 0x01, [15] = 5}};
	struct fib6_result res;
	uint8_t saddr[16];
	int err = inet6_rtm_getroute(b->net, &flow, &res, saddr);

	g_assert_true(err == 0 || err == -ENETUNREACH);
	return err == 0 && strcmp(res.dev->name, what) == 0;
}

static void
expire(struct box *b, void *data)
{
	struct fib6_config cfg = {.type = RTN_UNICAST,
				  .dst = {0x20, 0x01},
				  .dst_len = 64,
				  .nlflags = NLM_F_CREATE | NLM_F_EXCL};
	struct fib6_table *main = fib6_get_table(netns_fib6(b->net), RT_TABLE_MAIN);

	for (unsigned n = 1; n <= 2; n++) {
		char name[8];

		g_snprintf(name, sizeof name, "d%u", n);
		box_add_link(b, "dummy", name, NULL);
		box_set_up(b, name, true);
		cfg.ifindex = box_ifindex(b, name);
		cfg.metric = n;
		cfg.expires = n == 1 ? engine_now(b->engine) + 10 * PS_PER_S : 0;
		g_assert_cmpint(inet6_rtm_newroute(b->net, &cfg, NULL), ==, 0);
	}
	g_assert_true(found(b, "d1"));
	task_sleep(b->engine, 11 * PS_PER_S);
	g_assert_true(found(b, "d2"));
	g_assert_cmpuint(fib6_locate(main, cfg.dst, 64)->node->count, ==, 2);
	task_sleep(b->engine, 20 * PS_PER_S);
	g_assert_cmpuint(fib6_locate(main, cfg.dst, 64)->node->count, ==, 1);
	g_assert_true(found(b, "d2"));
}

static void
expiring_routes(void)
{
	box_play("list", &(struct kernel_options){.version = KERNEL_6_1}, expire, NULL);
}

int
main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/fib6/random-routes", random_routes);
	g_test_add_func("/fib6/expiring-routes", expiring_routes);
	return g_test_run();
}
