/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-state-test.c - IPsec's states beside an array: random states on few addresses,
 * SPIs, reqids, marks and if_ids, which come, change and go, and searches for them on
 * every backend; what a search reads in the kernel's own structure; hashes; limits.
 *
 * The array has how near each state is to the heads of its chains; 'buckets' tells which
 * states the kernel has in one chain.  That the hashes are
 * the kernel's is also what xfrm-truth.py shows. */
#include <stdio.h>
#include <stdlib.h>

#include "box.h"
#include "net/xfrm-hash.h"
#include "net/xfrm.h"
#include "require.h"
#include "variants.h"

enum { LIVE_MAX = 160 };

static unsigned steps = 450000; /* of two searches or more each */

char require_about[128];

/* Hashes: the numbers were computed by another program, from the macros of lookup3.c. */

START_TEST(jenkins)
{
	static const uint32_t words[] = {1, 2, 3, 4, 5, 6, 7};
	static const struct {
		unsigned length;
		uint32_t of_0, of_7;
	} known[] = {{0, 0xdeadbeef, 0xdeadbef6}, {1, 0x72a82a9b, 0xb302f24e},
		     {2, 0x8b4c7979, 0x79f0851f}, {3, 0xa46158f5, 0xfbd612ad},
		     {4, 0x66491246, 0xbcb62b19}, {7, 0x3e606a2c, 0xded71445}};

	for (unsigned i = 0; i < G_N_ELEMENTS(known); i++) {
		ck_assert_uint_eq(jhash2(words, known[i].length, 0), known[i].of_0);
		ck_assert_uint_eq(jhash2(words, known[i].length, 7), known[i].of_7);
	}
	ck_assert_uint_eq(jhash_3words(1, 2, 3, 7), jhash2(words, 3, 7));
	ck_assert_uint_eq(jhash_2words(1, 2, 7), jhash2(words, 2, 7));
}
END_TEST

START_TEST(hashes)
{
	static const struct {
		uint8_t daddr[16], saddr[16];
		uint16_t family;
		uint32_t reqid, spi, dst, src, byspi;
	} known[] = {
		{{192, 168, 0, 2},
		 {192, 168, 0, 1},
		 AF_INET,
		 1,
		 0x1001,
		 0x80518151,
		 0x80518150,
		 0xc188622b},
		{{10, 0, 0, 2}, {10, 0, 1, 7}, AF_INET, 7, 7, 0x1400150c, 0x1400150b, 0xd0340e0},
		{{255, 255, 255, 255},
		 {255, 0, 0, 1},
		 AF_INET,
		 0xffffffff,
		 0xdeadbeef,
		 0x1fffe03,
		 0xfe00fe03,
		 0x10454343},
		{{0x20, 1, 0xd, 0xb8, [15] = 2},
		 {0x20, 1, 0xd, 0xb8, [15] = 1},
		 AF_INET6,
		 7,
		 0x2001,
		 0x83fd86,
		 0x83fd81,
		 0xffb0923},
		{{0}, {0}, AF_INET6, 0, 0, 0xa, 0xa, 0xbad7b250},
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(known); i++) {
		const uint8_t *d = known[i].daddr, *s = known[i].saddr;
		uint16_t family = known[i].family;

		ck_assert_uint_eq(xfrm_dst_hash(d, s, known[i].reqid, family), known[i].dst);
		ck_assert_uint_eq(xfrm_src_hash(d, s, family), known[i].src);
		ck_assert_uint_eq(xfrm_spi_hash(d, known[i].spi, IPPROTO_ESP, family),
				  known[i].byspi);
	}
}
END_TEST

/* The array */

struct item {
	struct xfrm_sa sa;
	uint64_t added;                    /* seconds */
	uint32_t id;                       /* how many had come then */
	uint64_t place[XFRM_STATE_TABLES]; /* what is nearer to its chain's head has more */
};

struct test {
	struct box *box;
	struct rng rng;
	struct item item[LIVE_MAX];
	unsigned count;
	uint64_t last_place;
	uint32_t last_id, buckets;
	bool counts; /* the kernel's own structure runs */
};

static unsigned
below(struct test *t, unsigned bound)
{
	return (unsigned)rng_below(&t->rng, bound);
}

static xfrm_address_t
any_addr(struct test *t, uint16_t family, bool wild)
{
	xfrm_address_t a = {.a6 = {0}};
	uint8_t *bytes = (uint8_t *)&a;

	if (wild && below(t, 3) == 0)
		return a;
	bytes[0] = 10;
	bytes[family == AF_INET6 ? 15 : 3] = (uint8_t)(1 + below(t, 4));
	return a;
}

static struct xfrm_sa
any_sa(struct test *t)
{
	struct xfrm_sa sa = {.if_id = below(t, 3)};
	struct xfrm_usersa_info *i = &sa.info;

	i->family = below(t, 3) ? AF_INET : AF_INET6;
	i->id.daddr = any_addr(t, i->family, false);
	i->saddr = any_addr(t, i->family, true);
	i->id.proto = below(t, 4) ? IPPROTO_ESP : IPPROTO_AH;
	i->id.spi = GUINT32_TO_BE(below(t, 24));
	i->reqid = below(t, 3) ? 1 : UINT32_MAX;
	i->mode = below(t, 3) ? XFRM_MODE_TUNNEL : XFRM_MODE_TRANSPORT;
	i->lft.soft_byte_limit = i->lft.hard_byte_limit = UINT64_MAX;
	i->lft.soft_packet_limit = i->lft.hard_packet_limit = UINT64_MAX;
	if (below(t, 4) == 0)
		sa.mark = (struct xfrm_mark){.v = below(t, 3), .m = 3};
	return sa;
}

static bool
same_spi(const struct xfrm_usersa_info *a, const struct xfrm_usersa_info *b)
{
	return a->family == b->family && a->id.spi == b->id.spi && a->id.proto == b->id.proto &&
	       memcmp(&a->id.daddr, &b->id.daddr, sizeof a->id.daddr) == 0;
}

static struct item *
item_by_spi(struct test *t, const struct xfrm_usersa_info *i, uint32_t mark)
{
	struct item *first = NULL;

	for (unsigned n = 0; n < t->count; n++) {
		struct item *item = &t->item[n];

		if (i->id.spi && same_spi(&item->sa.info, i) &&
		    (mark & item->sa.mark.m) == item->sa.mark.v &&
		    (!first || first->place[XFRM_BYSPI] < item->place[XFRM_BYSPI]))
			first = item;
	}
	return first;
}

static void
push(struct test *t, struct item *item)
{
	for (unsigned table = 0; table < XFRM_STATE_TABLES; table++)
		item->place[table] = ++t->last_place;
}

static bool
is_item(const struct xfrm_state *x, const struct item *item)
{
	if (!x || !item)
		return !x && !item;
	return memcmp(&x->sa.info.id, &item->sa.info.id, sizeof x->sa.info.id) == 0 &&
	       memcmp(&x->sa.info.saddr, &item->sa.info.saddr, sizeof x->sa.info.saddr) == 0 &&
	       x->sa.info.reqid == item->sa.info.reqid && x->sa.if_id == item->sa.if_id &&
	       x->sa.mark.v == item->sa.mark.v && x->sa.mark.m == item->sa.mark.m;
}

/* Changes */

static void
do_add(struct test *t)
{
	struct xfrm_sa sa = any_sa(t);
	int expected = item_by_spi(t, &sa.info, sa.mark.v & sa.mark.m) ? -EEXIST : 0;

	if (t->count == LIVE_MAX)
		return;
	require(xfrm_state_add(t->box->net, &sa) == expected);
	if (expected == 0) {
		t->item[t->count] = (struct item){sa, xfrm_now(t->box->net), ++t->last_id, {0}};
		push(t, &t->item[t->count++]);
	}
}

static void
do_update(struct test *t)
{
	struct xfrm_sa sa = any_sa(t);
	struct item *item = item_by_spi(t, &sa.info, sa.mark.v & sa.mark.m);

	require(xfrm_state_update(t->box->net, &sa) == (item ? 0 : -ESRCH));
	if (item && sa.if_id)
		item->sa.if_id = sa.if_id;
}

static void
do_delete(struct test *t)
{
	const struct xfrm_sa sa = any_sa(t);
	struct item *item = item_by_spi(t, &sa.info, sa.mark.v);
	struct xfrm_state *x = xfrm_state_lookup(t->box->net, sa.mark.v, &sa.info.id.daddr,
						 sa.info.id.spi, sa.info.id.proto, sa.info.family);

	require(is_item(x, item));
	if (!x)
		return;
	require(xfrm_state_delete(x) == 0);
	memmove(item, item + 1, (size_t)(&t->item[t->count] - (item + 1)) * sizeof *item);
	t->count--;
}

static void
do_flush(struct test *t)
{
	uint8_t proto = below(t, 2) ? IPPROTO_AH : 0;
	unsigned left = 0;

	for (unsigned n = 0; n < t->count; n++)
		if (proto && t->item[n].sa.info.id.proto != proto)
			t->item[left++] = t->item[n];
	require(xfrm_state_flush(t->box->net, proto) == (left < t->count ? 0 : -ESRCH));
	t->count = left;
}

/* Searches, and what they read */

static const struct probes *
probes_of(const struct box *b, const char *table)
{
	return table_kind_probes(kernel_table(b->kernel, table_spec_by_name(table)));
}

static uint32_t
hash_of_spi(const struct xfrm_usersa_info *i)
{
	return xfrm_spi_hash((const uint8_t *)&i->id.daddr, GUINT32_FROM_BE(i->id.spi), i->id.proto,
			     i->family);
}

static uint32_t
hash_of_dst(const struct xfrm_usersa_info *i)
{
	return xfrm_dst_hash((const uint8_t *)&i->id.daddr, (const uint8_t *)&i->saddr, i->reqid,
			     i->family);
}

/* Of the states in the same bucket, down to and with 'last', or all of them. */
static unsigned
chain_length(struct test *t, uint32_t hash, enum xfrm_state_table table, const struct item *last)
{
	uint32_t mask = xfrm_sad_getinfo(t->box->net).buckets - 1;
	unsigned nodes = 0;

	for (unsigned n = 0; n < t->count; n++) {
		const struct item *item = &t->item[n];
		const struct xfrm_usersa_info *i = &item->sa.info;
		bool byspi = table == XFRM_BYSPI;

		if ((byspi && !i->id.spi) || (last && item->place[table] < last->place[table]))
			continue;
		nodes += ((byspi ? hash_of_spi(i) : hash_of_dst(i)) & mask) == (hash & mask);
	}
	return nodes;
}

static void
do_lookup(struct test *t)
{
	struct xfrm_sa sa = any_sa(t);
	const struct xfrm_usersa_info *i = &sa.info;
	const struct item *item = item_by_spi(t, i, sa.mark.v);
	uint64_t visits = probes_of(t->box, "xfrm_state_spi")->visits;
	const struct xfrm_state *x = xfrm_state_lookup(t->box->net, sa.mark.v, &i->id.daddr,
						       i->id.spi, i->id.proto, i->family);

	require(is_item(x, item));
	if (t->counts)
		require(probes_of(t->box, "xfrm_state_spi")->visits - visits ==
			chain_length(t, hash_of_spi(i), XFRM_BYSPI, item));
}

static bool
serves(const struct item *item, const struct xfrm_find *f, const xfrm_address_t *saddr)
{
	const struct xfrm_usersa_info *i = &item->sa.info;

	return i->family == f->family && i->reqid == f->reqid && i->mode == f->mode &&
	       i->id.proto == f->proto && item->sa.if_id == f->if_id &&
	       (f->mark & item->sa.mark.m) == item->sa.mark.v &&
	       memcmp(&i->id.daddr, &f->daddr, sizeof f->daddr) == 0 &&
	       memcmp(&i->saddr, saddr, sizeof *saddr) == 0 && (!f->spi || f->spi == i->id.spi);
}

/* The newest by the second; of equal ones the first in the chain. */
static const struct item *
best_item(struct test *t, const struct xfrm_find *f, const xfrm_address_t *saddr)
{
	const struct item *best = NULL;

	for (unsigned n = 0; n < t->count; n++) {
		const struct item *item = &t->item[n];

		if (serves(item, f, saddr) && (!best || best->added < item->added ||
					       (best->added == item->added &&
						best->place[XFRM_BYDST] < item->place[XFRM_BYDST])))
			best = item;
	}
	return best;
}

/* Both buckets to their ends; the second one only if the first has nothing. */
static void
do_find(struct test *t)
{
	static const xfrm_address_t any;
	struct xfrm_sa sa = any_sa(t);
	struct xfrm_usersa_info i = sa.info;
	struct xfrm_find f = {.daddr = i.id.daddr,
			      .saddr = i.saddr,
			      .family = i.family,
			      .mark = sa.mark.v,
			      .if_id = sa.if_id,
			      .reqid = i.reqid,
			      .spi = below(t, 2) ? i.id.spi : 0,
			      .mode = i.mode,
			      .proto = i.id.proto};
	uint64_t visits = probes_of(t->box, "xfrm_state_dst")->visits;
	unsigned expected = chain_length(t, hash_of_dst(&i), XFRM_BYDST, NULL);
	const struct item *item = best_item(t, &f, &f.saddr);
	const struct xfrm_state *x;
	int err;

	if (!item) {
		i.saddr = any;
		item = best_item(t, &f, &any);
		expected += chain_length(t, hash_of_dst(&i), XFRM_BYDST, NULL);
	}
	x = xfrm_state_find(t->box->net, &f, &err);
	require(is_item(x, item));
	require((x == NULL) == (err != 0));
	if (t->counts)
		require(probes_of(t->box, "xfrm_state_dst")->visits - visits == expected);
}

static void
do_byaddr(struct test *t)
{
	struct xfrm_sa sa = any_sa(t);
	const struct xfrm_usersa_info *i = &sa.info;
	const struct xfrm_state *x = xfrm_state_lookup_byaddr(t->box->net, sa.mark.v, &i->id.daddr,
							      &i->saddr, i->id.proto, i->family);
	const struct item *item = NULL;

	for (unsigned n = 0; n < t->count; n++) {
		const struct xfrm_usersa_info *o = &t->item[n].sa.info;

		if (o->family == i->family && o->id.proto == i->id.proto &&
		    memcmp(&o->id.daddr, &i->id.daddr, sizeof o->id.daddr) == 0 &&
		    memcmp(&o->saddr, &i->saddr, sizeof o->saddr) == 0 &&
		    (sa.mark.v & t->item[n].sa.mark.m) == t->item[n].sa.mark.v &&
		    (!item || item->place[XFRM_BYSRC] < t->item[n].place[XFRM_BYSRC]))
			item = &t->item[n];
	}
	require(is_item(x, item));
}

/* The list of all has the newest first, whatever the chains have. */
static void
check_walk(struct test *t)
{
	uint32_t last = UINT32_MAX, count = 0;
	struct cursor cursor = CURSOR_START;
	const struct xfrm_state *x;

	while ((x = xfrm_state_walk(t->box->net, &cursor)) != NULL) {
		unsigned n = 0;

		while (n < t->count && t->item[n].id != x->id)
			n++;
		require(n < t->count && is_item(x, &t->item[n]) && x->id < last);
		last = x->id;
		count++;
	}
	require(count == t->count && xfrm_sad_getinfo(t->box->net).count == count);
}

static struct test *sorted_for;

/* As the kernel moves them: from the last bucket to the first, in each from the head. */
static int
by_old_bucket(const void *a, const void *b)
{
	const struct item *one = a, *other = b;
	uint32_t mask = sorted_for->buckets - 1;
	uint32_t bucket = hash_of_dst(&one->sa.info) & mask;
	uint32_t other_bucket = hash_of_dst(&other->sa.info) & mask;

	if (bucket != other_bucket)
		return bucket > other_bucket ? -1 : 1;
	return one->place[XFRM_BYDST] > other->place[XFRM_BYDST] ? -1 : 1;
}

/* Nothing else runs meanwhile. */
static void
let_grow(struct test *t)
{
	kernel_flush(t->box->kernel);
	sorted_for = t;
	for (; t->buckets < xfrm_sad_getinfo(t->box->net).buckets; t->buckets *= 2) {
		qsort(t->item, t->count, sizeof t->item[0], by_old_bucket);
		for (unsigned n = 0; n < t->count; n++)
			push(t, &t->item[n]);
	}
}

static void
one_change(struct test *t)
{
	unsigned dice = below(t, 100);

	if (dice < 60)
		do_add(t);
	else if (dice < 70)
		do_update(t);
	else if (dice < 99)
		do_delete(t);
	else if (below(t, 8) == 0)
		do_flush(t);
	if (dice % 8 == 0)
		let_grow(t);
}

static void
play(struct box *b, void *data)
{
	struct test *t = data;

	t->box = b;
	t->buckets = xfrm_sad_getinfo(b->net).buckets;
	for (unsigned step = 0; step < steps; step++) {
		if (step % 8 == 0)
			one_change(t);
		do_lookup(t);
		do_find(t);
		if (step % 4 == 0)
			do_byaddr(t);
		if (step % 512 == 0)
			check_walk(t);
	}
}

#define KERNELS_OWN "hash:buckets=8"

/* A million operations each; the last backend is the kernel's own. */
START_TEST(random_states)
{
	const char *backend = _i < (int)variant_count() ? variant_at(_i) : KERNELS_OWN;
	struct kernel_options options = {.version = KERNEL_6_1};
	struct test *t = g_new0(struct test, 1);

	snprintf(require_about, sizeof require_about, "%s", backend);
	t->rng.state = 4;
	t->counts = strcmp(backend, KERNELS_OWN) == 0;
	box_play(backend, &options, play, t);
	require(!t->counts || t->buckets >= 128);
	g_free(t);
}
END_TEST

/* Limits by packets and bytes */

static struct xfrm_state *
add_limited(struct box *b, uint64_t hard_packets, uint64_t soft_bytes)
{
	struct xfrm_sa sa = {.info = {.family = AF_INET, .id = {.spi = 1, .proto = IPPROTO_ESP}}};
	struct xfrm_lifetime_cfg *lft = &sa.info.lft;

	lft->soft_packet_limit = lft->hard_byte_limit = UINT64_MAX;
	lft->hard_packet_limit = hard_packets;
	lft->soft_byte_limit = soft_bytes;
	require(xfrm_state_add(b->net, &sa) == 0);
	return xfrm_state_lookup(b->net, 0, &sa.info.id.daddr, 1, IPPROTO_ESP, AF_INET);
}

/* The packet after the last one is refused; the state goes at once, which is a little later. */
static void
play_limits(struct box *b, void *data)
{
	struct xfrm_state *x = add_limited(b, 3, 150);

	for (unsigned packet = 0; packet < 3; packet++) {
		require(!x->dying || packet == 3);
		require(xfrm_state_check_expire(x, 100) == 0);
	}
	require(x->sa.info.curlft.packets == 3 && x->sa.info.curlft.bytes == 300);
	require(x->dying);
	require(xfrm_state_check_expire(x, 100) == -EINVAL);
	require(xfrm_sad_getinfo(b->net).count == 1);
	task_sleep(b->engine, PS_PER_MS);
	require(xfrm_sad_getinfo(b->net).count == 0);
}

START_TEST(limits)
{
	struct kernel_options options = {.version = KERNEL_6_1};

	box_play("hash:buckets=8", &options, play_limits, NULL);
}
END_TEST

/* xfrm-state-test [STEPS] */
int
main(int argc, char **argv)
{
	SRunner *sr;
	TCase *tc = tcase_create("xfrm-state");
	Suite *suite = suite_create("xfrm-state");
	int failed;

	if (argc > 1)
		steps = (unsigned)g_ascii_strtoull(argv[1], NULL, 10);
	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, jenkins);
	tcase_add_test(tc, hashes);
	tcase_add_test(tc, limits);
	tcase_add_loop_test(tc, random_states, 0, (int)variant_count() + 1);
	suite_add_tcase(suite, tc);
	sr = srunner_create(suite);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
