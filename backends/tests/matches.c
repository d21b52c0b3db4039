/* SPDX-License-Identifier: GPL-2.0-or-later */
/* matches.c - tables whose elements are pushed, and many of which have one address:
 * what table_match() returns on every backend, beside an array; what it counts in
 * lists and in buckets, beside chains that are arrays; and buckets that a model makes
 * more of. */
#include <stdio.h>
#include <stdlib.h>

#include "backend.h"
#include "model.h"
#include "require.h"
#include "table/table-impl.h"
#include "variants.h"

enum { STEPS = 3000, ADDRS = 24, LIVE_MAX = 120, BUCKETS_MAX = 64 };

char require_about[128];

struct thing {
	uint64_t id;
	struct key key;
};

struct world {
	GRand *random;
	struct table_spec spec;
	struct backend_choice choice;
	struct table_kind *kind;
	struct table table;
	struct model model; /* as chains are from their ends: oldest first */
	uint32_t last_sub;
};

static uint32_t
below(struct world *w, uint32_t limit)
{
	return g_rand_int_range(w->random, 0, limit);
}

/* The address is a number: its bucket is its low bits. */
static struct key
random_key(struct world *w, uint32_t sub)
{
	struct key k = key_of_u32(below(w, ADDRS));

	k.sub = sub;
	return k;
}

static void
do_push(struct world *w)
{
	struct key k = random_key(w, --w->last_sub);
	bool created;
	struct thing *thing = table_add(&w->table, &k, &created);

	require(created);
	thing->id = model_add(&w->model, &k, thing)->id;
}

static void
do_remove(struct world *w)
{
	struct model_item *item;

	if (w->model.count == 0)
		return;
	item = &w->model.items[below(w, w->model.count)];
	table_remove(&w->table, item->elem);
	model_remove(&w->model, item);
}

/* How many nodes a walk reads before it ends or gets to 'until': those that are in the
 * list, or in the bucket, from the newest on and behind 'after'. */
static unsigned
read_by_walk(const struct world *w, const struct key *k, uint64_t after, uint64_t until,
	     uint32_t buckets)
{
	uint32_t mask = buckets - 1, number = key_word(k, 0) >> 32 & mask;
	unsigned nodes = 0;

	for (unsigned i = w->model.count; i-- > 0;) {
		const struct model_item *item = &w->model.items[i];

		if (after && item->id >= after)
			continue;
		if ((key_word(&item->key, 0) >> 32 & mask) == number)
			nodes++;
		if (item->id == until)
			break;
	}
	return nodes;
}

static uint32_t
chains(const struct world *w)
{
	const char *name = w->choice.backend->name;

	if (strcmp(name, "list") == 0 || strcmp(name, "rcu-list") == 0)
		return 1;
	return table_buckets(&w->table);
}

static struct thing *
next_expected(struct world *w, const struct key *k, uint64_t after)
{
	for (unsigned i = w->model.count; i-- > 0;) {
		struct model_item *item = &w->model.items[i];

		if ((!after || item->id < after) && key_compare_addr(&item->key, k) == 0)
			return item->elem;
	}
	return NULL;
}

/* The walk stops early, or goes to its end. */
static void
do_match(struct world *w)
{
	const struct probes *p = table_kind_probes(w->kind);
	struct key k = random_key(w, 0);
	unsigned steps = below(w, 8);
	struct thing *at = NULL;

	do {
		uint64_t visits = p->visits, lookups = p->lookups, after = at ? at->id : 0;
		struct thing *next = table_match(&w->table, &k, at);

		require(next == next_expected(w, &k, after));
		require(p->lookups - lookups == !at);
		require(p->compares >= p->visits || chains(w) == 0);
		if (chains(w))
			require(p->visits - visits ==
				read_by_walk(w, &k, after, next ? next->id : 0, chains(w)));
		at = next;
	} while (at && steps-- > 0);
}

static void
do_find(struct world *w)
{
	const struct probes *p = table_kind_probes(w->kind);
	struct model_item *item;
	uint64_t visits = p->visits;

	if (w->model.count == 0)
		return;
	item = &w->model.items[below(w, w->model.count)];
	require(table_find(&w->table, &item->key) == item->elem);
	if (chains(w))
		require(p->visits - visits == read_by_walk(w, &item->key, 0, item->id, chains(w)));
}

/* In any order. */
static void
push_again(struct world *w, uint32_t buckets)
{
	unsigned order[LIVE_MAX];
	void *elems[LIVE_MAX];

	for (unsigned i = 0; i < w->model.count; i++) {
		unsigned other = below(w, i + 1);

		order[i] = order[other];
		order[other] = i;
	}
	model_arrive(&w->model, order);
	for (unsigned i = 0; i < w->model.count; i++) {
		elems[i] = w->model.items[i].elem;
		((struct thing *)elems[i])->id = w->model.items[i].id;
	}
	table_rebuild(&w->table, buckets, elems);
}

static void
do_resize(struct world *w)
{
	const struct probes *p = table_kind_probes(w->kind);
	uint32_t buckets = table_buckets(&w->table);
	uint64_t moves = p->moves, writes = p->writes, bytes = table_kind_bytes(w->kind);

	if (buckets >= BUCKETS_MAX)
		return;
	if (buckets && below(w, 2))
		push_again(w, 2 * buckets);
	else
		table_resize(&w->table, 2 * buckets);
	require(table_buckets(&w->table) == 2 * buckets);
	require(p->moves - moves == (buckets ? w->model.count : 0));
	require(p->writes - writes >= 3 * (p->moves - moves));
	require(p->writes - writes <= 4 * (p->moves - moves));
	require(table_kind_bytes(w->kind) - bytes == buckets * sizeof(void *));
}

static void
check_crowded(struct world *w)
{
	const struct model_item *newest = &w->model.items[w->model.count - 1];

	if (!table_buckets(&w->table) || w->model.count == 0)
		return;
	require(table_crowded(&w->table, newest->elem) ==
		(read_by_walk(w, &newest->key, 0, 0, table_buckets(&w->table)) > 1));
}

static void
one_step(struct world *w, bool growing)
{
	uint32_t dice = below(w, 1000);

	if (dice < (growing ? 400 : 250)) {
		if (w->model.count < LIVE_MAX && w->model.last_id < MODEL_MAX)
			do_push(w);
		check_crowded(w);
	} else if (dice < 600) {
		do_remove(w);
	} else if (dice < 605) {
		do_resize(w);
	} else if (dice < 800) {
		do_find(w);
	} else {
		do_match(w);
	}
}

static void
set_up(struct world *w, unsigned variant, enum table_order order, uint32_t seed)
{
	w->random = g_rand_new_with_seed(seed);
	w->last_sub = UINT32_MAX;
	w->spec = (struct table_spec){
		.name = "things",
		.elem_size = sizeof(struct thing),
		.key_offset = offsetof(struct thing, key),
		.order = order,
		.hashing = TABLE_HASH_LOW_BITS,
		.push = true,
	};
	require(backend_parse(variant_at(variant), &w->choice, NULL));
	w->kind = table_kind_new(&w->spec, &w->choice, NULL, seed);
	table_init(&w->table, w->kind);
}

START_TEST(matches)
{
	for (unsigned run = 0; run < 9; run++) {
		struct world *w = g_new0(struct world, 1);

		snprintf(require_about, sizeof require_about, "%s, run %u", variant_at(_i), run);
		set_up(w, _i, run % 3, run);
		for (unsigned step = 0; step < STEPS; step++) {
			one_step(w, step / 500 % 2 == 0);
			if (step % 16 == 0)
				table_check(&w->table);
		}
		table_fini(&w->table);
		require(table_kind_bytes(w->kind) == 0);
		table_kind_free(w->kind);
		g_rand_free(w->random);
		g_free(w);
	}
}
END_TEST

/* hash_32() of include/linux/hash.h, computed by other means: bucket 0 of 256, 128 and
 * 2 for some numbers. */
START_TEST(high_bits)
{
	static const struct {
		uint32_t number, of_256, of_128, of_2;
	} known[] = {{0, 0, 0, 0},           {1, 0x61, 0x30, 0},         {2, 0xc3, 0x61, 1},
		     {3, 0x25, 0x12, 0},     {401, 0x2b, 0x15, 0},       {4096, 0x88, 0x44, 1},
		     {65536, 0x86, 0x43, 1}, {0xffffffff, 0x9e, 0x4f, 1}};
	static const struct table_spec spec = {
		.name = "things",
		.elem_size = sizeof(struct thing),
		.key_offset = offsetof(struct thing, key),
		.hashing = TABLE_HASH_HIGH_BITS,
		.push = true,
	};
	static const char *const sizes[] = {"hash:buckets=256", "hash:buckets=128",
					    "hash:buckets=2"};

	for (unsigned size = 0; size < 3; size++) {
		for (unsigned i = 0; i < G_N_ELEMENTS(known); i++) {
			const uint32_t buckets[] = {known[i].of_256, known[i].of_128,
						    known[i].of_2};
			struct key k = key_of_u32(known[i].number);
			struct cursor c = CURSOR_START;
			struct backend_choice choice;
			struct table_kind *kind;
			struct table t;

			snprintf(require_about, sizeof require_about, "%s, %u", sizes[size],
				 known[i].number);
			require(backend_parse(sizes[size], &choice, NULL));
			kind = table_kind_new(&spec, &choice, NULL, 1);
			table_init(&t, kind);
			table_add(&t, &k, NULL);
			require(table_next_own(&t, &c) != NULL);
			require(c.chain == buckets[size]);
			table_fini(&t);
			table_kind_free(kind);
		}
	}
}
END_TEST

int
main(void)
{
	SRunner *sr;
	TCase *tc = tcase_create("matches");
	Suite *suite = suite_create("matches");
	int failed;

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, matches, 0, variant_count());
	tcase_add_test(tc, high_bits);
	suite_add_tcase(suite, tc);
	sr = srunner_create(suite);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
