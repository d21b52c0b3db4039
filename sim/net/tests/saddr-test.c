/* SPDX-License-Identifier: GPL-2.0-or-later */
/* saddr-test.c - the choice of a source address, on every backend and at every step of
 * the series: cases that are told, boxes of real kernels, random ones beside a model,
 * and the calls that real kernels counted. */
#include <check.h>
#include <linux/if_addr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "net/inet6.h"
#include "net/saddr.h"
#include "saddr-case.h"
#include "variants.h"

static const struct kernel_options newest = {.version = KERNEL_6_1, .saddr = SADDR_RCU};

/* Cases */

static void
answer(struct box *b, const struct case_ask *ask, bool *none, uint8_t src[16])
{
	const struct net_device *dev = ask->ifindex ? dev_get_by_index(b->net, ask->ifindex) : NULL;

	*none = ipv6_dev_get_saddr(b->net, dev, ask->dst, ask->prefs, src) != 0;
}

/* Does the simulator say what the model says and, where it was told, what was told? */
static void
check_ask(struct box *b, const struct saddr_case *c, struct case_ask ask, bool told)
{
	uint8_t src[16] = {0xee}, model[16] = {0xee};
	g_autofree char *dst = saddr_text(ask.dst), *got = NULL, *wanted = NULL, *right = NULL;
	bool none, has_model;

	answer(b, &ask, &none, src);
	has_model = saddr_model(c, &ask, model);
	got = saddr_text(src);
	wanted = saddr_text(model);
	right = saddr_text(ask.src);
	ck_assert_msg(none == !has_model && memcmp(src, model, 16) == 0,
		      "%s: to %s from %s, not %s as the model", c->name, dst, got, wanted);
	if (!told)
		return;
	ck_assert_msg(none == ask.none && (none || memcmp(src, ask.src, 16) == 0),
		      "%s: to %s from %s, not %s", c->name, dst, none ? "none" : got,
		      ask.none ? "none" : right);
}

static void
play_told(struct box *b, void *data)
{
	const struct saddr_case *c = data;

	saddr_case_build(b, c);
	for (unsigned i = 0; i < c->asks->len; i++)
		check_ask(b, c, g_array_index(c->asks, struct case_ask, i), true);
}

static void
play_file(const char *path, unsigned variant)
{
	GPtrArray *cases = saddr_cases_read(path);

	ck_assert_uint_gt(cases->len, 40);
	for (unsigned i = 0; i < cases->len; i++)
		box_play(variant_at(variant), &newest, play_told, cases->pdata[i]);
	g_ptr_array_unref(cases);
}

START_TEST(told_cases)
{
	play_file(CASES, _i);
}
END_TEST

START_TEST(real_kernels)
{
	play_file(TRUTH "/saddr-answers.txt", _i);
}
END_TEST

/* Random boxes */

static const uint8_t heads[][4] = {{0x20, 0x01, 0x0d, 0xb8},
				   {0x20, 0x01, 0x0d, 0xb9},
				   {0xfd, 0, 0, 1},
				   {0xfe, 0x80},
				   {0xfe, 0xc0},
				   {0x20, 0x02, 1},
				   {0x20, 0x01},
				   {0x20, 0x01, 0, 0x11},
				   {0x3f, 0xfe},
				   {0x24, 0}};

static void
random_addr(GRand *random, uint8_t addr[16])
{
	memset(addr, 0, 16);
	memcpy(addr, heads[g_rand_int_range(random, 0, G_N_ELEMENTS(heads))], 4);
	addr[7] = (uint8_t)g_rand_int_range(random, 0, 3);
	addr[15] = (uint8_t)g_rand_int_range(random, 1, 6);
}

static void
random_dst(GRand *random, uint8_t addr[16])
{
	static const uint8_t groups[] = {1, 2, 5, 8, 14};
	unsigned kind = (unsigned)g_rand_int_range(random, 0, 12);

	random_addr(random, addr);
	if (kind == 0) {
		addr[0] = 0xff;
		addr[1] = groups[g_rand_int_range(random, 0, G_N_ELEMENTS(groups))];
	} else if (kind == 1) {
		memset(addr, 0, 16);
		addr[15] = 1;
	} else if (kind == 2) {
		memset(addr, 0, 10);
		addr[10] = addr[11] = g_rand_boolean(random) ? 0xff : 0;
		addr[12] = 192;
	}
}

/* Two of one list that are not in its order would be turned round: wider scopes first. */
static void
add_random_addrs(GRand *random, struct saddr_case *c, unsigned dev)
{
	static const uint32_t flags[] = {
		IFA_F_DEPRECATED, IFA_F_TENTATIVE,   IFA_F_OPTIMISTIC | IFA_F_TENTATIVE,
		IFA_F_OPTIMISTIC, IFA_F_HOMEADDRESS, IFA_F_TEMPORARY};
	GArray *own[16] = {NULL};

	for (int n = g_rand_int_range(random, 0, 6); n > 0; n--) {
		struct case_addr a = {.dev = dev, .prefixlen = 128};
		unsigned scope;

		random_addr(random, a.addr);
		a.addr[14] = (uint8_t)n;
		a.prefixlen = 32u * (unsigned)g_rand_int_range(random, 1, 5);
		for (unsigned i = 0; i < G_N_ELEMENTS(flags); i++)
			if (g_rand_int_range(random, 0, 5) == 0)
				a.flags |= flags[i];
		scope = (unsigned)ipv6_addr_scope(a.addr);
		if (!own[scope])
			own[scope] = g_array_new(FALSE, FALSE, sizeof a);
		g_array_append_val(own[scope], a);
	}
	for (unsigned scope = 16; scope-- > 0;)
		if (own[scope]) {
			g_array_append_vals(c->addrs, own[scope]->data, own[scope]->len);
			g_array_unref(own[scope]);
		}
}

static void
add_random_devs(GRand *random, struct saddr_case *c)
{
	static const char *const names[] = {"lo", "v", "d1", "d2", "d3"};

	for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
		struct case_dev *dev = &c->devs[c->dev_count++];

		g_strlcpy(dev->name, names[i], sizeof dev->name);
		dev->ifindex = (int)i + 1;
		dev->in_vrf = i >= 2 && g_rand_int_range(random, 0, 3) == 0;
		dev->use_tempaddr = g_rand_int_range(random, -1, 3);
		dev->optimistic_dad = g_rand_boolean(random);
		dev->use_optimistic = g_rand_boolean(random);
		dev->use_oif_addrs_only = g_rand_int_range(random, 0, 5) == 0;
		add_random_addrs(random, c, i);
	}
}

static void
add_random_asks(GRand *random, struct saddr_case *c)
{
	for (unsigned i = 0; i < 40; i++) {
		struct case_ask ask = {.ifindex = g_rand_int_range(random, 0, 6),
				       .prefs = (unsigned)g_rand_int_range(random, 0, 8)};

		random_dst(random, ask.dst);
		g_array_append_val(c->asks, ask);
	}
}

static void
play_random(struct box *b, void *data)
{
	const struct saddr_case *c = data;

	saddr_case_build(b, c);
	for (unsigned i = 0; i < c->asks->len; i++)
		check_ask(b, c, g_array_index(c->asks, struct case_ask, i), false);
}

START_TEST(random_boxes)
{
	for (unsigned seed = 0; seed < 100; seed++) {
		struct kernel_options options = newest;
		GRand *random = g_rand_new_with_seed(seed);
		struct saddr_case *c = g_new0(struct saddr_case, 1);

		c->name = g_strdup_printf("seed %u", seed);
		c->addrs = g_array_new(FALSE, FALSE, sizeof(struct case_addr));
		c->labels = g_array_new(FALSE, FALSE, sizeof(struct case_label));
		c->asks = g_array_new(FALSE, FALSE, sizeof(struct case_ask));
		add_random_devs(random, c);
		add_random_asks(random, c);
		options.saddr = seed % (SADDR_RCU + 1);
		box_play(variant_at(_i), &options, play_random, c);
		saddr_case_free(c);
		g_rand_free(random);
	}
}
END_TEST

/* Counts */

static uint64_t
calls(struct box *b, const char *name)
{
	return b->kernel->calls.count[call_number(g_intern_string(name))];
}

struct counted {
	char version[8], name[64];
	unsigned addrs, devs;
	uint64_t count;
	enum saddr_step step;
};

/* Addresses as the recorded box had them: the link-local one came first. */
static void
add_recorded(struct box *b, unsigned dev, unsigned addrs)
{
	g_autofree char *name = g_strdup_printf("d%u", dev);
	uint8_t addr[16] = {0xfe, 0x80, [15] = (uint8_t)dev};
	struct inet6_ifaddr_config cfg = {.addr = addr, .prefixlen = 64, .flags = IFA_F_PERMANENT};
	struct inet6_ifaddr *ifa;
	int ifindex;

	ck_assert_int_eq(box_add_link(b, "dummy", name, NULL), 0);
	ifindex = box_ifindex(b, name);
	rtnl_lock(b->kernel);
	for (unsigned i = 0; i <= addrs; i++) {
		struct net_device *d = dev_get_by_index(b->net, ifindex);

		ck_assert_int_eq(ipv6_add_addr(in6_dev_get(d), &cfg, &ifa), 0);
		ifa->flags &= ~(uint32_t)IFA_F_TENTATIVE;
		memcpy(addr, (const uint8_t[16]){0x20, 1, 0x0d, 0xb8, 0, (uint8_t)dev}, 16);
		addr[15] = (uint8_t)(i + 1);
	}
	rtnl_unlock(b->kernel);
}

static void
send_from(struct box *b, uint8_t src[16])
{
	const uint8_t dst[16] = {0x44, 0x44, [12] = 0x05, [13] = 0x55, [14] = 0x07, [15] = 0x86};

	ck_assert_int_eq(ipv6_dev_get_saddr(b->net, dev_get_by_index(b->net, box_ifindex(b, "d1")),
					    dst, 0, src),
			 0);
}

/* Of __ipv6_addr_type() the route lookup and the socket make two calls more. */
static void
play_counted(struct box *b, void *data)
{
	const struct counted *c = data;
	uint64_t elsewhere = strcmp(c->name, "__ipv6_addr_type") == 0 ? 2 : 0, before;
	uint8_t src[16];

	for (unsigned dev = 1; dev <= c->devs; dev++)
		add_recorded(b, dev, c->addrs);
	before = calls(b, c->name);
	send_from(b, src);
	ck_assert_msg(calls(b, c->name) - before == c->count - elsewhere, "%s %u %u: %s %lu",
		      c->version, c->addrs, c->devs, c->name,
		      (unsigned long)(calls(b, c->name) - before));
	ck_assert_uint_eq(src[15], c->addrs);
}

START_TEST(recorded_counts)
{
	FILE *file = fopen(TRUTH "/saddr-counts.txt", "r");
	unsigned rows = 0;
	char line[128];

	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof line, file)) {
		struct kernel_options options = newest;
		struct counted c = {.count = 0};
		unsigned long count;

		if (*line == '#')
			continue;
		ck_assert_int_eq(sscanf(line, "%7s %u %u %63s %lu", c.version, &c.addrs, &c.devs,
					c.name, &count),
				 5);
		c.count = count;
		options.version = strcmp(c.version, "5.10") == 0 ? KERNEL_5_10 : KERNEL_6_1;
		box_play(variant_at(_i), &options, play_counted, &c);
		rows++;
	}
	fclose(file);
	ck_assert_uint_eq(rows, 160);
}
END_TEST

/* The series, step by step: lock pairs are one for each device, references one for each
 * address that became the best. */

struct step_counts {
	uint64_t locks, unlocks, holds, puts;
};

static struct step_counts
count_steps(struct box *b)
{
	return (struct step_counts){calls(b, "_raw_read_lock_bh"), calls(b, "_raw_read_unlock_bh"),
				    calls(b, "refcount_inc_not_zero"),
				    calls(b, "refcount_sub_and_test")};
}

static void
check_steps(struct box *b, struct step_counts *before, uint64_t locks, uint64_t references)
{
	struct step_counts now = count_steps(b);

	ck_assert_uint_eq(now.locks - before->locks, locks);
	ck_assert_uint_eq(now.unlocks - before->unlocks, locks);
	ck_assert_uint_eq(now.holds - before->holds, references);
	ck_assert_uint_eq(now.puts - before->puts, references);
	*before = now;
}

/* lo, d1, d2 and d3: ::1 is the best at first, then the address of d1. */
static void
play_steps(struct box *b, void *data)
{
	const uint8_t near[16] = {0x20, 1, 0x0d, 0xb8, 0, 1, [15] = 9};
	bool rcu = *(const bool *)data;
	unsigned step = b->kernel->options.saddr;
	struct step_counts before;
	const struct net_device *d1;
	uint8_t src[16];

	for (unsigned dev = 1; dev <= 3; dev++)
		add_recorded(b, dev, 2);
	d1 = dev_get_by_index(b->net, box_ifindex(b, "d1"));
	before = count_steps(b);
	send_from(b, src);
	check_steps(b, &before, rcu && step >= SADDR_WALK ? 0 : 4,
		    rcu && step >= SADDR_RCU ? 0 : 2);
	ck_assert_uint_eq(ipv6_count_addresses(in6_dev_get(d1)), 3);
	check_steps(b, &before, !(rcu && step >= SADDR_COUNT), 0);
	ck_assert(ipv6_chk_custom_prefix(near, 64, d1));
	ck_assert(!ipv6_chk_custom_prefix(near, 127, d1));
	check_steps(b, &before, rcu && step >= SADDR_CUSTOM_PREFIX ? 0 : 2, 0);
	ck_assert(ipv6_chk_prefix(near, d1));
	check_steps(b, &before, !(rcu && step >= SADDR_PREFIX), 0);
}

START_TEST(steps_of_the_series)
{
	const char *variant = variant_at(_i);
	struct backend_choice choice;
	bool rcu;

	ck_assert(backend_parse(variant, &choice, NULL));
	rcu = choice.backend->properties & BACKEND_RCU_READERS;

	for (unsigned step = SADDR_LOCK; step <= SADDR_RCU; step++) {
		struct kernel_options options = {.version = KERNEL_6_1, .saddr = step};

		box_play(variant, &options, play_steps, &rcu);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("saddr");
	TCase *tc = tcase_create("saddr");
	int count = (int)variant_count(), failed;
	SRunner *sr;

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, told_cases, 0, count);
	tcase_add_loop_test(tc, real_kernels, 0, count);
	tcase_add_loop_test(tc, random_boxes, 0, count);
	tcase_add_loop_test(tc, recorded_counts, 0, count);
	tcase_add_loop_test(tc, steps_of_the_series, 0, count);
	suite_add_tcase(suite, tc);
	sr = srunner_create(suite);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
