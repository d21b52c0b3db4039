/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sorted.c - what it costs to put an element into its place in a sorted table, on every
 * backend: the walk to the first that comes behind it, and four pointers.  What the order
 * is good for is conformance.c's. */
#include <stdio.h>
#include <stdlib.h>

#include "backend.h"
#include "require.h"
#include "table/table-impl.h"
#include "variants.h"

char require_about[128];

#define THINGS 200
#define RANKS  7

struct thing {
	unsigned rank;
	struct key key;
};

static const struct table_spec spec = {
	.name = "things",
	.about = "what the test puts there, by rank",
	.elem_size = sizeof(struct thing),
	.key_offset = offsetof(struct thing, key),
	.order = TABLE_SORTED,
	.hashing = TABLE_HASH_LOW_BITS,
};

/* A backend without an order of its own has links beside it, which are probed apart. */
static uint64_t
reads(const struct table *t)
{
	const struct probes *p = table_kind_probes(t->kind);

	return t->kind->threaded ? p->scans : p->visits;
}

static uint64_t
writes(const struct table *t)
{
	const struct probes *p = table_kind_probes(t->kind);

	return t->kind->threaded ? p->order_writes : p->writes;
}

/* Behind all of lower ranks, before those of its own; 'ranks' is sorted. */
static unsigned
place_among(const unsigned *ranks, unsigned count, unsigned rank)
{
	unsigned place = 0;

	while (place < count && ranks[place] < rank)
		place++;
	return place;
}

static void
insert(struct table *t, unsigned *ranks, unsigned count, unsigned rank)
{
	unsigned place = place_among(ranks, count, rank);
	uint64_t reads_before = reads(t), writes_before = writes(t);
	struct key key = key_of_u32(count);
	struct thing *thing = table_insert(t, &key, rank);

	thing->rank = rank;
	require(reads(t) - reads_before == MIN(place + 1, count));
	require(writes(t) - writes_before == 4);
	for (unsigned n = count; n > place; n--)
		ranks[n] = ranks[n - 1];
	ranks[place] = rank;
}

static void
check_order(struct table *t, const unsigned *ranks, unsigned count)
{
	struct cursor cursor = CURSOR_START;
	const struct thing *thing;
	unsigned n = 0;

	while ((thing = table_next(t, &cursor)) != NULL)
		require(n < count && thing->rank == ranks[n++]);
	require(n == count);
}

START_TEST(places_are_walked_to)
{
	unsigned ranks[THINGS];
	struct backend_choice choice;
	struct table_kind *kind;
	struct table t;
	GRand *random = g_rand_new_with_seed(1);

	snprintf(require_about, sizeof require_about, "%s", variant_at(_i));
	require(backend_parse(variant_at(_i), &choice, NULL));
	kind = table_kind_new(&spec, &choice, NULL, 1);
	table_init(&t, kind);
	for (unsigned count = 0; count < THINGS; count++)
		insert(&t, ranks, count, (unsigned)g_rand_int_range(random, 0, RANKS));
	check_order(&t, ranks, THINGS);
	table_fini(&t);
	table_kind_free(kind);
	g_rand_free(random);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("sorted");
	TCase *tc = tcase_create("sorted");
	SRunner *sr;
	int failed;

	tcase_add_loop_test(tc, places_are_walked_to, 0, (int)variant_count());
	suite_add_tcase(suite, tc);
	sr = srunner_create(suite);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
