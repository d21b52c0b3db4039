/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conformance.c - what table.h promises, on every backend: random operations on
 * a table and on the linear model (model.h), compared after each one.
 *
 * Keys are few, so that they collide.  Four dumps are always open and are
 * advanced between the changes; each must keep the promise of a cursor.  Where
 * readers may run beside the writer, one stands on an element, which must stay
 * as it was until the reader leaves, whether or not it was removed. */
#include <check.h>
#include <stdlib.h>

#include "backend.h"
#include "engine/engine.h"
#include "engine/rcu.h"
#include "model.h"
#include "table/table-impl.h"
#include "variants.h"

enum { STEPS = 1500, SEEDS = 6, DUMPS = 4, CANARY = 0x5eed };

struct thing {
	uint64_t id;
	struct key key;
	uint32_t canary;
};

/* What a dump has seen of each element, by id. */
enum { AT_START = 1, CHANGED = 2, RETURNED = 4 };

struct dump {
	struct cursor cursor;
	bool started, interrupted;
	uint64_t generation, last_id;
	struct key last_key;
	uint8_t seen[MODEL_MAX + 1];
};

struct world {
	GRand *random;
	struct table_spec spec;
	struct backend_choice choice;
	struct engine *engine;
	struct rcu *rcu;
	struct table_kind *kind;
	struct table table;
	uint32_t addrs, subs, len; /* how many addresses and subkeys there are */
	struct model model;
	struct probes expected; /* those that are the same for all backends */
	struct dump dumps[DUMPS];
	const struct thing *standing; /* what the reader reads */
	uint64_t standing_id;
};

static uint32_t
below(struct world *w, uint32_t limit)
{
	return g_rand_int_range(w->random, 0, limit);
}

/* Addresses differ in their first and last bytes, and begin with the same. */
static struct key
random_key(struct world *w)
{
	uint32_t number = below(w, w->addrs);
	uint8_t addr[KEY_ADDR_MAX] = {0x33, number % 3};

	addr[w->len - 2] = number >> 8;
	addr[w->len - 1] = number;
	return key_make(addr, w->len, below(w, w->subs));
}

static void
check_thing(struct world *w, const struct thing *thing, const struct model_item *item)
{
	ck_assert_ptr_eq(thing, item->elem);
	ck_assert_uint_eq(thing->id, item->id);
	ck_assert_int_eq(thing->canary, CANARY);
	ck_assert(key_equal(&thing->key, &item->key));
}

static void
expect_lookup(struct world *w, bool hit)
{
	w->expected.lookups++;
	w->expected.hits += hit;
	w->expected.misses += !hit;
}

static void
note_change(struct world *w, uint64_t id, uint8_t forget)
{
	for (unsigned i = 0; i < DUMPS; i++)
		w->dumps[i].seen[id] = (w->dumps[i].seen[id] & ~forget) | CHANGED;
}

static void
do_add(struct world *w)
{
	struct key k = random_key(w);
	struct model_item *item = model_find(&w->model, &k);
	bool created = false;
	struct thing *thing = table_add(&w->table, &k, &created);

	ck_assert(created == !item);
	expect_lookup(w, item != NULL);
	if (item) {
		check_thing(w, thing, item);
		return;
	}
	ck_assert_uint_eq(thing->id, 0);
	ck_assert_int_eq(thing->canary, 0);
	item = model_add(&w->model, &k, thing);
	thing->id = item->id;
	thing->canary = CANARY;
	check_thing(w, thing, item);
	w->expected.inserts++;
}

static void
do_find(struct world *w)
{
	struct key k = random_key(w);
	struct model_item *item;
	struct thing *thing;

	if (w->spec.order != TABLE_UNORDERED && below(w, 3) == 0)
		k.sub = KEY_ANY;
	item = model_find(&w->model, &k);
	thing = table_find(&w->table, &k);
	expect_lookup(w, item != NULL);
	if (item)
		check_thing(w, thing, item);
	else
		ck_assert_ptr_null(thing);
}

static struct model_item *
random_item(struct world *w)
{
	return &w->model.items[below(w, w->model.count)];
}

static void
remove_item(struct world *w, struct model_item *item)
{
	note_change(w, item->id, 0);
	table_remove(&w->table, item->elem);
	model_remove(&w->model, item);
	w->expected.removes++;
}

static void
do_remove(struct world *w)
{
	if (w->model.count > 0)
		remove_item(w, random_item(w));
}

/* As a flush does: each element as soon as the dump has returned it. */
static void
do_remove_returned(struct world *w)
{
	struct model_item *item = model_find_id(&w->model, w->dumps[below(w, DUMPS)].last_id);

	if (item)
		remove_item(w, item);
}

static void
do_rekey(struct world *w)
{
	struct key k = random_key(w);
	struct model_item *twin = model_find(&w->model, &k), *item;

	if (w->model.count == 0)
		return;
	item = random_item(w);
	ck_assert(table_rekey(&w->table, item->elem, &k) == (!twin || twin == item));
	if (twin == item)
		return;
	expect_lookup(w, twin != NULL);
	if (!twin) {
		model_rekey(&w->model, item, &k);
		if (w->spec.order == TABLE_UNORDERED)
			note_change(w, item->id, RETURNED);
	}
	check_thing(w, item->elem, item);
}

static void
do_clear(struct world *w)
{
	for (unsigned i = 0; i < w->model.count; i++)
		note_change(w, w->model.items[i].id, 0);
	w->expected.removes += w->model.count;
	table_clear(&w->table);
	model_clear(&w->model);
}

/* The one that must come next; null at the end. */
static const struct model_item *
next_in_order(const struct world *w, const struct dump *d)
{
	bool newest_first = w->spec.order == TABLE_NEWEST_FIRST;
	const struct model_item *next = NULL;

	for (unsigned i = 0; i < w->model.count; i++) {
		const struct model_item *item = &w->model.items[i];

		if (!newest_first && !next && item->id > d->last_id)
			next = item;
		if (newest_first && (!d->started || item->id < d->last_id))
			next = item;
	}
	return next;
}

static void
check_returned(struct world *w, struct dump *d, const struct thing *thing)
{
	const struct model_item *item = model_find_id(&w->model, thing->id);
	bool by_key = w->spec.order == TABLE_UNORDERED &&
	              w->choice.backend->properties & BACKEND_KEY_ORDER;

	ck_assert_ptr_nonnull(item);
	check_thing(w, thing, item);
	ck_assert(!(d->seen[item->id] & RETURNED));
	ck_assert(!by_key || !d->started || key_compare(&d->last_key, &thing->key) < 0);
	d->seen[item->id] |= RETURNED;
	d->last_id = item->id;
	d->last_key = item->key;
	d->started = true;
	w->expected.walk_visits++;
}

static void
begin_dump(struct world *w, struct dump *d)
{
	*d = (struct dump){.cursor = CURSOR_START};
	for (unsigned i = 0; i < w->model.count; i++)
		d->seen[w->model.items[i].id] = AT_START;
}

static void
end_dump(struct world *w, struct dump *d)
{
	for (uint64_t id = 1; id <= w->model.last_id; id++) {
		if ((d->seen[id] & (AT_START | CHANGED)) == AT_START)
			ck_assert(d->seen[id] & RETURNED);
	}
	begin_dump(w, d);
}

static void
do_dump(struct world *w)
{
	struct dump *d = &w->dumps[below(w, DUMPS)];

	if (!d->started)
		begin_dump(w, d);
	for (unsigned steps = 1 + below(w, 8); steps > 0; steps--) {
		const struct model_item *next = next_in_order(w, d);
		struct thing *thing = table_next(&w->table, &d->cursor);

		d->interrupted |= d->started && d->generation != w->model.generation;
		d->generation = w->model.generation;
		ck_assert(d->cursor.interrupted == d->interrupted);
		if (w->spec.order != TABLE_UNORDERED)
			ck_assert_ptr_eq(thing, next ? next->elem : NULL);
		if (!thing) {
			end_dump(w, d);
			break;
		}
		check_returned(w, d, thing);
	}
}

static void
do_grace_period(struct world *w)
{
	GError *error = NULL;

	ck_assert_msg(engine_run(w->engine, &error), "%s", error ? error->message : "");
}

/* A reader who stands on an element goes on by its links, removed or not. */
static void
walk_on(struct world *w)
{
	const struct order_link *link = table_order_link(&w->table, w->standing);
	uint64_t last_id = w->standing_id;

	while ((link = link->next)) {
		const struct thing *thing = table_elem(&w->table, link);

		ck_assert_int_eq(thing->canary, CANARY);
		ck_assert_uint_gt(thing->id, last_id);
		last_id = thing->id;
	}
}

static void
do_read(struct world *w)
{
	if (!table_rcu_readers(&w->table))
		return;
	if (w->standing) {
		if (w->choice.backend->properties & BACKEND_INSERT_ORDER)
			walk_on(w);
		rcu_read_unlock(w->rcu);
		w->standing = NULL;
	} else if (w->model.count > 0) {
		rcu_read_lock(w->rcu);
		w->standing = random_item(w)->elem;
		w->standing_id = w->standing->id;
	}
}

static void
check_counts(struct world *w)
{
	const struct probes *p = table_kind_probes(w->kind);
	const struct backend *b = w->choice.backend;
	uint64_t beside = b->bytes ? b->bytes(&w->table) : 0;

	ck_assert_uint_eq(p->lookups, w->expected.lookups);
	ck_assert_uint_eq(p->hits, w->expected.hits);
	ck_assert_uint_eq(p->misses, w->expected.misses);
	ck_assert_uint_eq(p->inserts, w->expected.inserts);
	ck_assert_uint_eq(p->removes, w->expected.removes);
	ck_assert_uint_eq(p->walk_visits, w->expected.walk_visits);
	ck_assert_uint_eq(table_count(&w->table), w->model.count);
	ck_assert_uint_eq(table_kind_elements(w->kind), w->model.count);
	ck_assert_uint_eq(table_kind_bytes(w->kind), w->model.count * w->kind->elem_bytes + beside);
	ck_assert_uint_eq(rcu_stats(w->rcu)->deferred,
	                  table_rcu_readers(&w->table) ? w->expected.removes : 0);
	if (w->standing) {
		ck_assert_uint_eq(w->standing->id, w->standing_id);
		ck_assert_int_eq(w->standing->canary, CANARY);
	}
}

static void
one_step(struct world *w, bool growing)
{
	uint32_t dice = below(w, 1000);

	if (dice < 2)
		do_clear(w);
	else if (dice < (growing ? 450 : 150))
		do_add(w);
	else if (dice < 600)
		do_remove(w);
	else if (dice < 620)
		do_remove_returned(w);
	else if (dice < 700)
		do_rekey(w);
	else if (dice < 800)
		do_find(w);
	else if (dice < 950)
		do_dump(w);
	else if (dice < 980)
		do_read(w);
	else
		do_grace_period(w);
}

static void
set_up(struct world *w, unsigned variant, enum table_order order, uint32_t seed)
{
	static const uint32_t lens[] = {4, 6, 8, 16, 20, 32}, addrs[] = {4, 20, 60, 300};
	struct engine_config config = {.cpus = 1, .grace_ps = PS_PER_US};

	w->random = g_rand_new_with_seed(seed);
	w->len = lens[seed % G_N_ELEMENTS(lens)];
	w->addrs = addrs[seed % G_N_ELEMENTS(addrs)];
	w->subs = 1 + seed % 5;
	w->spec = (struct table_spec){
		.name = "things",
		.elem_size = sizeof(struct thing),
		.key_offset = offsetof(struct thing, key),
		.order = order,
		.hashing = w->len == 4 ? TABLE_HASH_LOW_BITS : TABLE_HASH_MIXED,
	};
	ck_assert(backend_parse(variant_at(variant), &w->choice, NULL));
	w->engine = engine_new(&config);
	w->rcu = rcu_new(w->engine, RCU_CHECK);
	w->kind = table_kind_new(&w->spec, &w->choice, w->rcu, seed);
	table_init(&w->table, w->kind);
}

static void
tear_down(struct world *w)
{
	if (w->standing)
		rcu_read_unlock(w->rcu);
	table_fini(&w->table);
	ck_assert_uint_eq(table_kind_elements(w->kind), 0);
	ck_assert_uint_eq(table_kind_bytes(w->kind), 0);
	table_kind_free(w->kind);
	rcu_free(w->rcu);
	engine_free(w->engine);
	g_rand_free(w->random);
	g_free(w);
}

static void
random_operations(unsigned variant, enum table_order order)
{
	for (uint32_t seed = 0; seed < SEEDS; seed++) {
		struct world *w = g_new0(struct world, 1);

		g_test_message("%s, order %d, seed %u", variant_at(variant), order, seed);
		set_up(w, variant, order, seed);
		for (unsigned step = 0; step < STEPS; step++) {
			one_step(w, step / 400 % 2 == 0);
			check_counts(w);
			if (step % 16 == 0)
				table_check(&w->table);
		}
		tear_down(w);
	}
}

START_TEST(unordered)
{
	random_operations(_i, TABLE_UNORDERED);
}
END_TEST

START_TEST(oldest_first)
{
	random_operations(_i, TABLE_OLDEST_FIRST);
}
END_TEST

START_TEST(newest_first)
{
	random_operations(_i, TABLE_NEWEST_FIRST);
}
END_TEST

/* A hundred thousand empty lists, or lists of a few, must not cost megabytes:
 * all-zero state is an empty table, and nothing is allocated for it. */
START_TEST(copies_of_an_empty_table)
{
	struct table_spec spec = {
		.name = "things",
		.elem_size = sizeof(struct thing),
		.key_offset = offsetof(struct thing, key),
		.order = TABLE_OLDEST_FIRST,
	};
	struct backend_choice choice;
	struct table_kind *kind;
	struct table table, zero;

	ck_assert(backend_parse(variant_at(_i), &choice, NULL));
	kind = table_kind_new(&spec, &choice, NULL, 1);
	table_init(&table, kind);
	zero = (struct table){.kind = kind};
	ck_assert(memcmp(&table, &zero, sizeof table) == 0);
	for (uint32_t round = 0; round < 3; round++) {
		for (uint32_t i = 0; i < 100; i++)
			table_add(&table, &(struct key){.addr = {i}, .len = 1}, NULL);
		table_clear(&table);
		table_check(&table);
		ck_assert(memcmp(table.state, zero.state, choice.backend->state_size) == 0 ||
		          table.state[2] != 0);
	}
	table_fini(&table);
	table_kind_free(kind);
}
END_TEST

int
main(void)
{
	SRunner *sr;
	TCase *tc = tcase_create("conformance");
	Suite *suite = suite_create("conformance");
	int failed;

	tcase_set_timeout(tc, 0);
	tcase_add_loop_test(tc, unordered, 0, variant_count());
	tcase_add_loop_test(tc, oldest_first, 0, variant_count());
	tcase_add_loop_test(tc, newest_first, 0, variant_count());
	tcase_add_loop_test(tc, copies_of_an_empty_table, 0, variant_count());
	suite_add_tcase(suite, tc);
	sr = srunner_create(suite);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
