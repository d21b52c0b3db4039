/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-policy-insert-test.c - what the insertion of an IPsec policy reads, beside formulas,
 * and when tables grow. */
#include <stdlib.h>

#include "box.h"
#include "net/xfrm-policy-inexact.h"
#include "require.h"

char require_about[128];

static struct xfrm_pol
block_of(unsigned n)
{
	struct xfrm_pol pol = {.type = XFRM_POLICY_TYPE_MAIN};
	uint8_t addr[4] = {10, (uint8_t)(n >> 14), (uint8_t)(n >> 6), (uint8_t)(n << 2)};

	pol.info.dir = XFRM_POLICY_OUT;
	pol.info.sel.family = AF_INET;
	memcpy(&pol.info.sel.daddr, addr, sizeof addr);
	addr[0] = 11;
	memcpy(&pol.info.sel.saddr, addr, sizeof addr);
	pol.info.sel.prefixlen_d = pol.info.sel.prefixlen_s = 30;
	return pol;
}

static const struct probes *
probes_of(const struct box *b, const char *table)
{
	return table_kind_probes(kernel_table(b->kernel, table_spec_by_name(table)));
}

enum { MANY = 1000 };

/* n policies: the one after k others reads all k, and all k + 1 again to number them. */
static void
play_reads(struct box *b, void *data)
{
	const struct probes *all = probes_of(b, "xfrm_policy_inexact");
	enum xfrm_policy_insert mode = *(enum xfrm_policy_insert *)data;
	uint64_t pairs = (uint64_t)MANY * (MANY - 1) / 2;

	for (unsigned n = 0; n < MANY; n++) {
		struct xfrm_pol pol = block_of(n);

		require(xfrm_policy_insert(b->net, &pol, true) == 0);
	}
	require(all->visits == (mode == XFRM_POLICY_CANDIDATES ? 0 : pairs));
	require(all->walk_visits == (mode == XFRM_POLICY_RENUMBER ? pairs + MANY : 0));
	for (unsigned n = 0; n < MANY; n++) {
		struct xfrm_pol pol = block_of(n);

		require(xfrm_policy_insert(b->net, &pol, false) == 0);
	}
	require(all->visits == (mode == XFRM_POLICY_CANDIDATES ? 0 : 2 * pairs + MANY));
}

START_TEST(reads)
{
	enum xfrm_policy_insert mode = (unsigned)_i;
	struct kernel_options options = {.version = KERNEL_6_1, .xfrm_policy_insert = mode};

	box_play("list", &options, play_reads, &mode);
}
END_TEST

/* A list of priorities 0, 0, 5, 5, 9: up to which one is it read? */
START_TEST(reads_of_lists)
{
	static const uint32_t priority[] = {0, 0, 5, 5, 9};
	static const struct {
		uint32_t priority;
		int twin;
		unsigned reads;
	} known[] = {{3, -1, 5}, {0, 0, 1}, {0, 3, 4}, {5, 2, 3}, {5, 3, 4}, {5, 0, 5},
		     {3, 0, 3},  {9, 1, 5}, {9, 4, 5}, {1, 1, 3}, {7, 3, 5}};
	GSequence *list = g_sequence_new(g_free);

	for (unsigned n = 0; n < G_N_ELEMENTS(priority); n++) {
		struct xfrm_policy *p = g_new0(struct xfrm_policy, 1);

		p->pol.info.priority = priority[n];
		p->seq = n;
		g_sequence_insert_sorted(list, p, xfrm_policy_compare, NULL);
	}
	for (unsigned n = 0; n < G_N_ELEMENTS(known); n++) {
		GSequenceIter *twin =
			known[n].twin < 0 ? NULL : g_sequence_get_iter_at_pos(list, known[n].twin);

		ck_assert_uint_eq(xfrm_policy_insert_reads(list, known[n].priority, twin),
				  known[n].reads);
	}
	ck_assert_uint_eq(xfrm_policy_insert_reads(NULL, 1, NULL), 0);
	g_sequence_free(list);
}
END_TEST

/* The table of indexes has twice as many buckets when a direction's policies are more than
 * its buckets' mask, and so are all. */
static void
play_growth(struct box *b, void *data)
{
	uint32_t mask = 7;

	for (unsigned n = 1; n <= MANY; n++) {
		struct xfrm_pol pol = block_of(n);

		require(xfrm_policy_insert(b->net, &pol, true) == 0);
		kernel_flush(b->kernel);
		if (n > mask)
			mask = 2 * mask + 1;
		require(xfrm_spd_getinfo(b->net).hash_mask == mask);
	}
	require(mask == 1023);
}

START_TEST(growth)
{
	struct kernel_options options = {.version = KERNEL_6_1};

	box_play("hash:buckets=8", &options, play_growth, NULL);
	box_play("list", &options, play_growth, NULL);
}
END_TEST

int
main(void)
{
	SRunner *sr;
	TCase *tc = tcase_create("xfrm-policy-insert");
	Suite *suite = suite_create("xfrm-policy-insert");
	int failed;

	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, reads_of_lists);
	tcase_add_test(tc, growth);
	tcase_add_loop_test(tc, reads, 0, 3);
	suite_add_tcase(suite, tc);
	sr = srunner_create(suite);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
