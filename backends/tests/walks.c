/* SPDX-License-Identifier: GPL-2.0-or-later */
/* walks.c - what table.h says of walks over a table that stands still, on every
 * backend: in the structure's own order, by chains, uncounted, and counted
 * without being made.  Walks over tables that change are conformance.c's. */
#include <stdio.h>
#include <stdlib.h>

#include "backend.h"
#include "model.h"
#include "require.h"
#include "table/table-impl.h"
#include "variants.h"

char require_about[128];

struct thing {
	uint64_t id;
	struct key key;
};

/* One walk to the end, written down. */
struct walk {
	const struct thing *things[MODEL_MAX];
	uint32_t chains[MODEL_MAX];
	unsigned len;
};

struct world {
	GRand *random;
	struct table_spec spec;
	struct table table;
	struct model model;
	struct walk walk;
};

static uint32_t
below(struct world *w, uint32_t limit)
{
	return g_rand_int_range(w->random, 0, limit);
}

static struct key
random_key(struct world *w, uint32_t keys)
{
	uint32_t number = below(w, keys);
	uint8_t addr[6] = {2, 0, 0, number >> 8, number};

	return key_make(addr, sizeof addr, below(w, 3));
}

/* Twice as many come as are wanted, and half of them go. */
static void
fill(struct world *w, unsigned count)
{
	for (unsigned i = 0; i < 2 * count; i++) {
		struct key k = random_key(w, 2 * count);
		bool created;
		struct thing *thing = table_add(&w->table, &k, &created);

		if (created)
			thing->id = model_add(&w->model, &k, thing)->id;
	}
	while (w->model.count > count) {
		struct model_item *item = &w->model.items[below(w, w->model.count)];
		struct key k = random_key(w, 2 * count);

		if (below(w, 2) && table_rekey(&w->table, item->elem, &k)) {
			model_rekey(&w->model, item, &k);
		} else {
			table_remove(&w->table, item->elem);
			model_remove(&w->model, item);
		}
	}
}

static uint64_t
walk_visits(const struct world *w)
{
	return table_kind_probes(w->table.kind)->walk_visits;
}

static void
walk_own(struct world *w)
{
	struct cursor c = CURSOR_START;
	uint64_t before = walk_visits(w);
	const struct thing *thing;

	w->walk.len = 0;
	while ((thing = table_next_own(&w->table, &c)) != NULL) {
		require(w->walk.len < w->model.count);
		w->walk.things[w->walk.len] = thing;
		w->walk.chains[w->walk.len++] = c.chain;
	}
	require(!table_next_own(&w->table, &c)); /* the end stays the end */
	require(!c.interrupted);
	require(w->walk.len == w->model.count);
	require(walk_visits(w) - before == w->model.count);
}

static void
each_is_there_once(struct world *w)
{
	g_autofree bool *seen = g_new0(bool, MODEL_MAX + 1);

	for (unsigned i = 0; i < w->walk.len; i++) {
		const struct thing *thing = w->walk.things[i];
		const struct model_item *item = model_find_id(&w->model, thing->id);

		require(item && item->elem == thing);
		require(!seen[thing->id]);
		seen[thing->id] = true;
	}
}

/* Each chain is one stretch of the walk, and as long as a search of it that finds
 * nothing: so many nodes does its longest successful search read. */
static void
chains_are_stretches(struct world *w)
{
	const struct probes *p = table_kind_probes(w->table.kind);
	bool hashed = w->table.kind->choice.backend->properties & BACKEND_BY_HASH;
	unsigned end;

	for (unsigned from = 0; from < w->walk.len; from = end) {
		uint64_t longest = 0;

		for (end = from; end < w->walk.len && w->walk.chains[end] == w->walk.chains[from];
		     end++) {
			struct key k = w->walk.things[end]->key;
			uint64_t visits = p->visits;

			require(table_find(&w->table, &k) == w->walk.things[end]);
			longest = MAX(longest, p->visits - visits);
		}
		for (unsigned i = end; i < w->walk.len; i++)
			require(w->walk.chains[i] != w->walk.chains[from]);
		require(!hashed || longest == end - from);
		require(hashed || w->walk.chains[from] == 0);
	}
}

static void
leaving_a_chain_skips_its_rest(struct world *w)
{
	struct cursor c = CURSOR_START;
	unsigned at = 0;

	while (at < w->walk.len) {
		uint64_t before = walk_visits(w);
		uint32_t chain = w->walk.chains[at];

		require(table_next_own(&w->table, &c) == w->walk.things[at]);
		at++;
		if (below(w, 2) == 0)
			continue;
		table_leave_chain(&w->table, &c);
		while (at < w->walk.len && w->walk.chains[at] == chain)
			at++;
		require(walk_visits(w) - before == 1);
	}
	require(!table_next_own(&w->table, &c));
}

static void
peeking_counts_nothing(struct world *w)
{
	struct probes before = *table_kind_probes(w->table.kind);
	struct cursor looks = CURSOR_START, walks = CURSOR_START;
	const struct thing *thing;

	do {
		thing = table_peek(&w->table, &looks);
		require(memcmp(&before, table_kind_probes(w->table.kind), sizeof before) == 0);
		require(table_next(&w->table, &walks) == thing);
		before.walk_visits += thing != NULL;
	} while (thing);
	table_count_walk(&w->table, 12345);
	before.walk_visits += 12345;
	require(memcmp(&before, table_kind_probes(w->table.kind), sizeof before) == 0);
}

/* The model numbers them as they come, too. */
static void
arrivals_are_numbered(struct world *w)
{
	require(table_arrivals(&w->table) == w->model.last_id);
	for (unsigned i = 0; w->spec.order != TABLE_UNORDERED && i < w->model.count; i++)
		require(table_arrival(&w->table, w->model.items[i].elem) == w->model.items[i].id);
}

static void
walk_table(unsigned variant, enum table_order order, enum table_hashing hashing, unsigned count)
{
	struct world *w = g_new0(struct world, 1);
	struct backend_choice choice;
	struct table_kind *kind;

	snprintf(require_about, sizeof require_about, "%s, order %d, hashing %d, %u",
		 variant_at(variant), order, hashing, count);
	w->random = g_rand_new_with_seed(count);
	w->spec = (struct table_spec){
		.name = "things",
		.elem_size = sizeof(struct thing),
		.key_offset = offsetof(struct thing, key),
		.order = order,
		.hashing = hashing,
	};
	require(backend_parse(variant_at(variant), &choice, NULL));
	kind = table_kind_new(&w->spec, &choice, NULL, count);
	table_init(&w->table, kind);
	fill(w, count);
	walk_own(w);
	each_is_there_once(w);
	chains_are_stretches(w);
	leaving_a_chain_skips_its_rest(w);
	peeking_counts_nothing(w);
	arrivals_are_numbered(w);
	table_fini(&w->table);
	table_kind_free(kind);
	g_rand_free(w->random);
	g_free(w);
}

START_TEST(walks)
{
	static const unsigned counts[] = {0, 1, 2, 5, 16, 17, 60, 400};

	for (int order = TABLE_UNORDERED; order <= TABLE_NEWEST_FIRST; order++) {
		for (unsigned i = 0; i < G_N_ELEMENTS(counts); i++) {
			walk_table(_i, order, TABLE_HASH_MIXED, counts[i]);
			walk_table(_i, order, TABLE_HASH_KEY, counts[i]);
		}
	}
}
END_TEST

/* That the subkey takes part: else a thousand of one address are one chain. */
START_TEST(subkeys_spread)
{
	static const struct table_spec spec = {
		.name = "things",
		.elem_size = sizeof(struct thing),
		.key_offset = offsetof(struct thing, key),
		.order = TABLE_OLDEST_FIRST,
		.hashing = TABLE_HASH_KEY,
	};
	const struct probes *p;
	struct backend_choice choice;
	struct table_kind *kind;
	uint64_t visits;
	struct table t;
	struct key k;

	require(backend_parse("hash:buckets=256", &choice, NULL));
	kind = table_kind_new(&spec, &choice, NULL, 1);
	p = table_kind_probes(kind);
	table_init(&t, kind);
	for (uint32_t sub = 0; sub < 1024; sub++) {
		k = key_make("\2\0\0\0\0\1", 6, sub);
		table_add(&t, &k, NULL);
	}
	/* 1024 * 1023 / 2 pairs, one in 256 of which meets in a chain. */
	require(p->visits > 2046 * 3 / 4 && p->visits < 2046 * 5 / 4);
	visits = p->visits;
	k.sub = KEY_ANY;
	require(((struct thing *)table_find(&t, &k))->key.sub == 0);
	require(p->visits == visits && p->scans == 1);
	table_fini(&t);
	table_kind_free(kind);
}
END_TEST

int
main(void)
{
	SRunner *sr;
	TCase *tc = tcase_create("walks");
	Suite *suite = suite_create("walks");
	int failed;

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, walks, 0, variant_count());
	tcase_add_test(tc, subkeys_spread);
	suite_add_tcase(suite, tc);
	sr = srunner_create(suite);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
