/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-policy-test.c - IPsec's policies beside an array: random policies of few addresses,
 * prefixes in each other, ports, marks, types, directions and if_ids, which come, replace
 * each other and go, and packets that look for theirs, on every backend and for each way to
 * insert; thresholds; hashes.
 *
 * The array is searched from end to end for the policy of the lowest priority, and of those
 * for the one that was there first. */
#include <stdio.h>
#include <stdlib.h>

#include "box.h"
#include "net/xfrm-hash.h"
#include "net/xfrm-policy-inexact.h"
#include "require.h"
#include "variants.h"

enum { LIVE_MAX = 300, STEPS = 12000 };

char require_about[128];

/* Hashes: the numbers were computed by another program, from the macros of lookup3.c. */
START_TEST(hashes)
{
	static const struct {
		uint8_t daddr[16], saddr[16];
		uint16_t family;
		unsigned dbits, sbits;
		uint32_t hash;
	} known[] = {
		{{10, 0, 0, 2}, {10, 0, 0, 1}, AF_INET, 32, 32, 0xdcf66bc6},
		{{10, 1, 2, 3}, {192, 168, 200, 7}, AF_INET, 24, 17, 0xb1ffcfc6},
		{{255, 255, 255, 255}, {0, 0, 0, 1}, AF_INET, 0, 32, 0xbe218a10},
		{{10, 1, 2, 3}, {10, 9, 8, 7}, AF_INET, 0, 0, 0x58c1dc7e},
		{{32, 1, 13, 184, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2},
		 {32, 1, 13, 184, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
		 AF_INET6,
		 128,
		 128,
		 0x83fd8b},
		{{32, 1, 13, 184, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6},
		 {254, 128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 18, 52},
		 AF_INET6,
		 64,
		 61,
		 0xf5505390},
		{{32, 1, 13, 184, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255},
		 {32, 1, 13, 184, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
		 AF_INET6,
		 0,
		 97,
		 0xcad5a78b},
		{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		 {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
		 AF_INET6,
		 33,
		 128,
		 0x3a81de90},
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(known); i++)
		ck_assert_uint_eq(xfrm_policy_hash(known[i].daddr, known[i].saddr, known[i].family,
						   known[i].dbits, known[i].sbits),
				  known[i].hash);
	ck_assert_uint_eq(xfrm_policy_idx_hash(0x12345), 0x12345 ^ 0x123);
}
END_TEST

/* The array */

struct item {
	struct xfrm_pol pol;
	uint64_t age; /* where there are several of its priority, the lower one is taken */
	uint64_t came;
	bool exact;
};

struct test {
	struct box *box;
	struct rng rng;
	enum xfrm_policy_insert mode;
	struct item item[LIVE_MAX];
	unsigned count, found;
	uint64_t clock, digest;
	struct xfrm_policy_hthresh ipv4, ipv6;
};

static unsigned
below(struct test *t, unsigned bound)
{
	return (unsigned)rng_below(&t->rng, bound);
}

static xfrm_address_t
any_addr(struct test *t, uint16_t family)
{
	xfrm_address_t a = {.a6 = {0}};
	uint8_t *bytes = (uint8_t *)&a;
	unsigned length = family == AF_INET6 ? 16 : 4;

	bytes[0] = (uint8_t)(10 + below(t, 2));
	for (unsigned i = family == AF_INET6 ? 6 : 1; i < length; i++)
		bytes[i] = (uint8_t)(below(t, 2) ? 0 : below(t, 2) << 7 | below(t, 2));
	return a;
}

static uint8_t
any_prefixlen(struct test *t, uint16_t family)
{
	static const uint8_t v4[] = {0, 8, 15, 16, 17, 20, 24, 25, 30, 31, 32, 32, 32},
			     v6[] = {0, 32, 47, 48, 56, 64, 65, 96, 112, 127, 128, 128, 128};

	return (family == AF_INET6 ? v6 : v4)[below(t, G_N_ELEMENTS(v4))];
}

static struct xfrm_pol
any_pol(struct test *t)
{
	struct xfrm_pol pol = {.type = below(t, 4) ? XFRM_POLICY_TYPE_MAIN : XFRM_POLICY_TYPE_SUB,
			       .if_id = below(t, 4) ? 0 : 7};
	struct xfrm_selector *sel = &pol.info.sel;

	sel->family = below(t, 3) ? AF_INET : AF_INET6;
	sel->daddr = any_addr(t, sel->family);
	sel->saddr = any_addr(t, sel->family);
	sel->prefixlen_d = any_prefixlen(t, sel->family);
	sel->prefixlen_s = any_prefixlen(t, sel->family);
	if (below(t, 6) == 0)
		sel->proto = IPPROTO_UDP;
	if (below(t, 6) == 0) {
		sel->dport = GUINT16_TO_BE(80 + below(t, 2));
		sel->dport_mask = UINT16_MAX;
	}
	if (below(t, 8) == 0)
		sel->ifindex = 2;
	pol.info.dir = (uint8_t)below(t, below(t, 2) ? 3 : 1);
	pol.info.priority = below(t, 4) ? below(t, 3) : below(t, 2) * UINT32_MAX;
	pol.info.lft.hard_byte_limit = pol.info.lft.hard_packet_limit = UINT64_MAX;
	if (below(t, 4) == 0)
		pol.mark = (struct xfrm_mark){.v = below(t, 2), .m = 1 + 2 * below(t, 2)};
	return pol;
}

static bool
same_identity(const struct xfrm_pol *a, const struct xfrm_pol *b)
{
	return a->type == b->type && a->if_id == b->if_id && a->info.dir == b->info.dir &&
	       a->mark.v == b->mark.v && a->mark.m == b->mark.m &&
	       memcmp(&a->info.sel, &b->info.sel, sizeof a->info.sel) == 0;
}

static struct item *
item_of(struct test *t, const struct xfrm_pol *pol)
{
	for (unsigned n = 0; n < t->count; n++)
		if (same_identity(&t->item[n].pol, pol))
			return &t->item[n];
	return NULL;
}

static bool
is_exact(const struct test *t, const struct xfrm_pol *pol)
{
	const struct xfrm_selector *sel = &pol->info.sel;
	struct xfrm_policy_hthresh h = sel->family == AF_INET6 ? t->ipv6 : t->ipv4;
	bool out = pol->info.dir == XFRM_POLICY_OUT;

	return sel->prefixlen_d >= (out ? h.rbits : h.lbits) &&
	       sel->prefixlen_s >= (out ? h.lbits : h.rbits);
}

static bool
bits_equal(const xfrm_address_t *a, const xfrm_address_t *b, unsigned bits)
{
	for (unsigned bit = 0; bit < bits; bit++)
		if ((((const uint8_t *)a)[bit / 8] ^ ((const uint8_t *)b)[bit / 8]) >>
			    (7 - bit % 8) &
		    1)
			return false;
	return true;
}

static bool
selects(const struct xfrm_pol *pol, uint8_t type, const struct xfrm_flow *f, uint8_t dir,
	uint32_t if_id)
{
	const struct xfrm_selector *sel = &pol->info.sel;

	return pol->type == type && pol->info.dir == dir && pol->if_id == if_id &&
	       sel->family == f->family && (f->mark & pol->mark.m) == pol->mark.v &&
	       bits_equal(&f->daddr, &sel->daddr, sel->prefixlen_d) &&
	       bits_equal(&f->saddr, &sel->saddr, sel->prefixlen_s) &&
	       (!sel->proto || sel->proto == f->proto) &&
	       (!sel->dport_mask || sel->dport == f->dport) &&
	       (!sel->ifindex || sel->ifindex == f->oif);
}

/* The first one of the list of all inexact ones of a direction. */
static const struct item *
first_inexact(const struct test *t, uint8_t dir)
{
	const struct item *first = NULL;

	for (unsigned n = 0; n < t->count; n++) {
		const struct item *i = &t->item[n];

		if (i->exact || i->pol.info.dir != dir)
			continue;
		if (!first || i->pol.info.priority < first->pol.info.priority ||
		    (i->pol.info.priority == first->pol.info.priority && i->age < first->age))
			first = i;
	}
	return first;
}

/* Of one priority: numbers are of all, or exact ones come first, but for the one that has
 * their number. */
static bool
before(const struct test *t, const struct item *a, const struct item *b)
{
	if (a->pol.info.priority != b->pol.info.priority)
		return a->pol.info.priority < b->pol.info.priority;
	if (a->exact && b->exact)
		return a->age < b->age;
	if (t->mode != XFRM_POLICY_RENUMBER)
		return a->age < b->age;
	if (a->exact)
		return b != first_inexact(t, b->pol.info.dir);
	if (b->exact)
		return a == first_inexact(t, a->pol.info.dir);
	return a->age < b->age;
}

static const struct item *
best_item(const struct test *t, const struct xfrm_flow *f, uint8_t dir, uint32_t if_id)
{
	const struct item *best = NULL;

	for (uint8_t type = XFRM_POLICY_TYPE_SUB; !best; type = XFRM_POLICY_TYPE_MAIN) {
		for (unsigned n = 0; n < t->count; n++)
			if (selects(&t->item[n].pol, type, f, dir, if_id) &&
			    (!best || before(t, &t->item[n], best)))
				best = &t->item[n];
		if (type == XFRM_POLICY_TYPE_MAIN)
			break;
	}
	return best;
}

/* Changes */

/* One that replaces another of its priority is as old as that one.  Where numbers are just
 * counted on it is so in its own list only, and no array can tell: not done there. */
static void
do_insert(struct test *t)
{
	struct xfrm_pol pol = any_pol(t);
	bool excl = below(t, 2);
	struct item *old;
	uint64_t age = ++t->clock;

	if (t->count && below(t, 3) == 0) {
		uint32_t priority = pol.info.priority;

		pol = t->item[below(t, t->count)].pol;
		pol.info.priority = below(t, 2) ? priority : pol.info.priority;
	}
	old = item_of(t, &pol);
	if (!old && t->count == LIVE_MAX)
		return;
	if (old && !excl && t->mode != XFRM_POLICY_RENUMBER &&
	    old->pol.info.priority == pol.info.priority)
		return;
	require(xfrm_policy_insert(t->box->net, &pol, excl) == (old && excl ? -EEXIST : 0));
	if (old && excl)
		return;
	if (old && old->pol.info.priority == pol.info.priority)
		age = old->age;
	if (!old)
		old = &t->item[t->count++];
	*old = (struct item){pol, age, t->clock, is_exact(t, &pol)};
}

static void
forget(struct test *t, struct item *item)
{
	*item = t->item[--t->count];
}

static void
do_delete(struct test *t)
{
	struct xfrm_pol pol = any_pol(t);
	struct item *item;
	struct xfrm_policy *p;

	if (t->count && below(t, 4))
		pol = t->item[below(t, t->count)].pol;
	item = item_of(t, &pol);
	p = xfrm_policy_bysel(t->box->net, &pol);
	require((p == NULL) == (item == NULL));
	if (!p)
		return;
	require(same_identity(&p->pol, &pol));
	require(p->pol.info.priority == item->pol.info.priority);
	pol.info.index = p->pol.info.index;
	require(xfrm_policy_byid(t->box->net, &pol) == p);
	if (below(t, 2))
		xfrm_policy_inexact_prune_bin(t->box->net, &pol);
	require(xfrm_policy_delete(p) == 0);
	require(!xfrm_policy_byid(t->box->net, &pol));
	forget(t, item);
}

static void
do_flush(struct test *t)
{
	uint8_t type = below(t, 2) ? XFRM_POLICY_TYPE_MAIN : XFRM_POLICY_TYPE_SUB;
	unsigned gone = 0;

	for (unsigned n = t->count; n-- > 0;)
		if (t->item[n].pol.type == type) {
			forget(t, &t->item[n]);
			gone++;
		}
	require(xfrm_policy_flush(t->box->net, type) == (gone ? 0 : -ESRCH));
}

static int
by_arrival(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return (x->came > y->came) - (x->came < y->came);
}

/* All come again, in the order in which they came first. */
static void
do_thresholds(struct test *t)
{
	t->ipv4 = (struct xfrm_policy_hthresh){(uint8_t)below(t, 33), (uint8_t)(16 + below(t, 17))};
	t->ipv6 = (struct xfrm_policy_hthresh){(uint8_t)below(t, 129), 128};
	xfrm_policy_set_hthresh(t->box->net, &t->ipv4, below(t, 2) ? &t->ipv6 : NULL);
	t->ipv6.lbits = xfrm_spd_getinfo(t->box->net).lbits6;
	t->ipv6.rbits = xfrm_spd_getinfo(t->box->net).rbits6;
	kernel_flush(t->box->kernel);
	qsort(t->item, t->count, sizeof *t->item, by_arrival);
	for (unsigned n = 0; n < t->count; n++) {
		t->item[n].age = t->item[n].came = ++t->clock;
		t->item[n].exact = is_exact(t, &t->item[n].pol);
	}
}

/* Searches */

static void
do_lookup(struct test *t)
{
	uint8_t dir = (uint8_t)below(t, below(t, 2) ? 3 : 1);
	uint32_t if_id = below(t, 4) ? 0 : 7;
	struct xfrm_flow f = {.family = below(t, 3) ? AF_INET : AF_INET6,
			      .proto = below(t, 2) ? IPPROTO_UDP : IPPROTO_TCP,
			      .dport = GUINT16_TO_BE(80 + below(t, 2)),
			      .oif = (int)below(t, 3),
			      .mark = below(t, 4)};
	const struct xfrm_policy *p;
	const struct item *item;

	f.daddr = any_addr(t, f.family);
	f.saddr = any_addr(t, f.family);
	item = best_item(t, &f, dir, if_id);
	p = xfrm_policy_lookup(t->box->net, &f, dir, if_id);
	require((p == NULL) == (item == NULL));
	t->found += p != NULL;
	require(!p || (same_identity(&p->pol, &item->pol) &&
		       p->pol.info.priority == item->pol.info.priority));
	t->digest = (t->digest ^ (p ? p->pol.info.index : 0)) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Newest first: the order of arrival. */
static void
check_all(struct test *t)
{
	struct cursor cursor = CURSOR_START;
	struct xfrm_policy_counts c = xfrm_spd_getinfo(t->box->net);
	const struct xfrm_policy *p;
	uint64_t last = UINT64_MAX;
	unsigned n = 0;

	for (; (p = xfrm_policy_walk(t->box->net, &cursor)) != NULL; n++) {
		const struct item *item = item_of(t, &p->pol);

		require(item && item->came < last);
		require((p->dst != NULL) == item->exact && (p->chain == NULL) == item->exact);
		require((p->pol.info.index & 7) == p->pol.info.dir);
		last = item->came;
	}
	require(n == t->count && c.count[0] + c.count[1] + c.count[2] == t->count);
	xfrm_policy_inexact_check(t->box->net);
}

static void
one_change(struct test *t)
{
	unsigned dice = below(t, 1000);

	if (dice < 620)
		do_insert(t);
	else if (dice < 990)
		do_delete(t);
	else if (dice < 995)
		do_thresholds(t);
	else if (dice < 997)
		do_flush(t);
	if (dice % 8 == 0)
		kernel_flush(t->box->kernel);
}

static void
play(struct box *b, void *data)
{
	struct test *t = data;

	t->box = b;
	for (unsigned step = 0; step < STEPS; step++) {
		one_change(t);
		do_lookup(t);
		do_lookup(t);
		if (step % 64 == 0)
			check_all(t);
	}
	require(t->clock > STEPS / 2 && t->found > STEPS / 4 && t->found < STEPS);
}

static uint64_t
digest_of(const char *backend, enum xfrm_policy_insert mode)
{
	struct kernel_options options = {.version = KERNEL_6_1, .xfrm_policy_insert = mode};
	struct test *t = g_new0(struct test, 1);
	uint64_t digest;

	snprintf(require_about, sizeof require_about, "%s, %s", backend,
		 xfrm_policy_insert_words[mode]);
	t->rng.state = 5;
	t->mode = mode;
	t->ipv4 = (struct xfrm_policy_hthresh){32, 32};
	t->ipv6 = (struct xfrm_policy_hthresh){128, 128};
	box_play(backend, &options, play, t);
	digest = t->digest;
	g_free(t);
	return digest;
}

/* Half a million operations, over all backends. */
START_TEST(random_policies)
{
	enum xfrm_policy_insert mode = (unsigned)_i % 3;
	static uint64_t kernels_own;

	kernels_own = digest_of("list", mode);
	ck_assert_uint_eq(digest_of(variant_at((unsigned)_i), mode), kernels_own);
}
END_TEST

START_TEST(ways_to_insert)
{
	digest_of("hash:buckets=8", (unsigned)_i);
}
END_TEST

int
main(void)
{
	SRunner *sr;
	TCase *tc = tcase_create("xfrm-policy");
	Suite *suite = suite_create("xfrm-policy");
	int failed;

	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, hashes);
	tcase_add_loop_test(tc, ways_to_insert, 0, 3);
	tcase_add_loop_test(tc, random_policies, 0, (int)variant_count());
	suite_add_tcase(suite, tc);
	sr = srunner_create(suite);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
