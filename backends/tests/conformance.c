/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conformance.c - what table.h promises, on every backend: random operations on
 * a table and on the linear model (model.h), compared after each one.
 *
 * Keys are few, so that they collide.  Four dumps are always open, two of them in
 * the structure's own order, and are advanced between the changes; each must keep
 * the promise of a cursor.  Where
 * readers may run beside the writer, one stands on an element, which must stay
 * as it was until the reader leaves, whether or not it was removed. */
#include <stdio.h>
#include <stdlib.h>

#include "backend.h"
#include "engine/engine.h"
#include "engine/rcu.h"
#include "model.h"
#include "require.h"
#include "table/table-impl.h"
#include "variants.h"

enum { STEPS = 4000, SEEDS = 20, DUMPS = 4, CANARY = 0x5eed };

struct thing {
	uint64_t id;
	struct key key;
	uint32_t canary;
};

/* What a dump has seen of each element, by id. */
enum { AT_START = 1, CHANGED = 2, RETURNED = 4 };

struct dump {
	struct cursor cursor;
	bool own; /* in the structure's order, which table_next_own() walks */
	bool started, interrupted;
	uint64_t generation, last_id;
	struct key last_key;
	unsigned last_rank;
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
	bool reading;                 /* there is a reader ... */
	const struct thing *standing; /* ... that stands on this */
	uint64_t standing_id;
};

char require_about[128];

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
	require(thing == item->elem);
	require(thing->id == item->id);
	require(thing->canary == CANARY);
	require(key_equal(&thing->key, &item->key));
}

static void
expect_lookup(struct world *w, bool hit)
{
	w->expected.lookups++;
	w->expected.hits += hit;
	w->expected.misses += !hit;
}

static void
note_change(struct world *w, uint64_t id)
{
	for (unsigned i = 0; i < DUMPS; i++)
		w->dumps[i].seen[id] |= CHANGED;
}

static bool
in_order(const struct world *w, const struct dump *d)
{
	return w->spec.order != TABLE_UNORDERED && !d->own;
}

/* For walks that have no order, it is gone and another has come. */
static void
note_rekey(struct world *w, uint64_t id)
{
	for (unsigned i = 0; i < DUMPS; i++) {
		struct dump *d = &w->dumps[i];

		if (!in_order(w, d))
			d->seen[id] = (d->seen[id] & ~RETURNED) | CHANGED;
	}
}

static void
begin_thing(struct world *w, struct thing *thing, const struct model_item *item)
{
	require(thing->id == 0);
	require(thing->canary == 0);
	thing->id = item->id;
	thing->canary = CANARY;
	check_thing(w, thing, item);
	require(w->spec.order == TABLE_UNORDERED ||
		table_arrival(&w->table, thing) == w->model.last_id);
	w->expected.inserts++;
}

/* By one who knows whether the key is there. */
static void
do_insert(struct world *w, const struct key *k)
{
	unsigned rank = below(w, 4) * (TABLE_RANKS - 1) / 3;
	struct thing *thing;

	if (model_find(&w->model, k))
		return;
	thing = table_insert(&w->table, k, rank);
	begin_thing(w, thing, model_insert(&w->model, k, thing, rank));
}

static void
do_add(struct world *w)
{
	struct key k = random_key(w);
	struct model_item *item = model_find(&w->model, &k);
	bool created = false;
	struct thing *thing;

	if (w->spec.order == TABLE_SORTED) {
		do_insert(w, &k);
		return;
	}
	thing = table_add(&w->table, &k, &created);
	require(created == !item);
	expect_lookup(w, item != NULL);
	if (item)
		check_thing(w, thing, item);
	else
		begin_thing(w, thing, model_add(&w->model, &k, thing));
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
		require(!thing);
}

static struct model_item *
random_item(struct world *w)
{
	return &w->model.items[below(w, w->model.count)];
}

static void
remove_item(struct world *w, struct model_item *item)
{
	note_change(w, item->id);
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
	require(table_rekey(&w->table, item->elem, &k) == (!twin || twin == item));
	if (twin == item)
		return;
	expect_lookup(w, twin != NULL);
	if (!twin) {
		model_rekey(&w->model, item, &k);
		note_rekey(w, item->id);
	}
	check_thing(w, item->elem, item);
}

static void
do_clear(struct world *w)
{
	for (unsigned i = 0; i < w->model.count; i++)
		note_change(w, w->model.items[i].id);
	w->expected.removes += w->model.count;
	table_clear(&w->table);
	model_clear(&w->model);
}

/* Does a sorted walk that returned an element of this rank and id last still come to it? */
static bool
is_after(const struct model_item *item, unsigned rank, uint64_t id)
{
	return item->rank > rank || (item->rank == rank && item->id < id);
}

/* The one that must come next; null at the end. */
static const struct model_item *
next_in_order(const struct world *w, const struct dump *d)
{
	bool newest_first = w->spec.order == TABLE_NEWEST_FIRST;
	const struct model_item *next = NULL;

	for (unsigned i = 0; i < w->model.count; i++) {
		const struct model_item *item = &w->model.items[i];

		if (w->spec.order == TABLE_SORTED) {
			if (!next && (!d->started || is_after(item, d->last_rank, d->last_id)))
				next = item;
			continue;
		}
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
	unsigned own_order = in_order(w, d) ? 0 : w->choice.backend->properties;
	bool by_key = own_order & BACKEND_KEY_ORDER, by_id = own_order & BACKEND_INSERT_ORDER;

	require(item);
	check_thing(w, thing, item);
	require(!(d->seen[item->id] & RETURNED));
	if (by_id && w->spec.order == TABLE_SORTED)
		require(!d->started || is_after(item, d->last_rank, d->last_id));
	else
		require(!by_id || item->id > d->last_id);
	require(!by_key || !d->started || key_compare(&d->last_key, &thing->key) < 0);
	d->seen[item->id] |= RETURNED;
	d->last_id = item->id;
	d->last_key = item->key;
	d->last_rank = item->rank;
	d->started = true;
	w->expected.walk_visits++;
}

static void
begin_dump(struct world *w, struct dump *d)
{
	*d = (struct dump){.cursor = CURSOR_START, .own = d - w->dumps < DUMPS / 2};
	for (unsigned i = 0; i < w->model.count; i++)
		d->seen[w->model.items[i].id] = AT_START;
}

static void
end_dump(struct world *w, struct dump *d)
{
	for (uint64_t id = 1; id <= w->model.last_id; id++) {
		if ((d->seen[id] & (AT_START | CHANGED)) == AT_START)
			require(d->seen[id] & RETURNED);
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
		struct thing *thing = d->own ? table_next_own(&w->table, &d->cursor)
					     : table_next(&w->table, &d->cursor);

		d->interrupted |= d->started && d->generation != w->model.generation;
		d->generation = w->model.generation;
		require(d->cursor.interrupted == d->interrupted);
		if (in_order(w, d))
			require(thing == (next ? next->elem : NULL));
		if (!thing) {
			end_dump(w, d);
			break;
		}
		check_returned(w, d, thing);
	}
}

static void
check_standing(struct world *w)
{
	require(w->standing->id == w->standing_id);
	require(w->standing->canary == CANARY);
}

static void
stop(void *engine)
{
	engine_stop(engine);
}

/* Some microseconds, in which readers move and grace periods may end. */
static void
do_pass_time(struct world *w)
{
	struct timer until;

	timer_init(&until, "end of the pause", stop, w->engine);
	timer_set(w->engine, &until, engine_now(w->engine) + (1 + below(w, 4)) * PS_PER_US);
	require(engine_run(w->engine, NULL));
}

/* By the links of an element, be it removed or not. */
static void
walk_on(struct world *w, const struct thing *thing)
{
	const struct order_link *link = table_order_link(&w->table, thing);
	uint64_t last_id = thing->id;

	while ((link = link->next)) {
		thing = (const struct thing *)((const char *)link - w->kind->order_offset);
		require(thing->canary == CANARY);
		require(w->spec.order == TABLE_SORTED || thing->id > last_id);
		last_id = thing->id;
	}
}

/* A task that stands on an element while others change the table. */
static void
reader(void *data)
{
	struct world *w = data;

	rcu_read_lock(w->rcu);
	if (w->model.count > 0) {
		w->standing = random_item(w)->elem;
		w->standing_id = w->standing->id;
		task_charge(w->engine, below(w, 20) * PS_PER_US);
		task_sync(w->engine);
		check_standing(w);
		if (w->choice.backend->properties & BACKEND_INSERT_ORDER)
			walk_on(w, w->standing);
	}
	w->standing = NULL;
	w->reading = false;
	rcu_read_unlock(w->rcu);
}

static void
do_read(struct world *w)
{
	if (!table_rcu_readers(&w->table) || w->reading)
		return;
	w->reading = true;
	task_detach(task_start(w->engine, "reader", reader, w));
}

static void
check_counts(struct world *w)
{
	const struct probes *p = table_kind_probes(w->kind);
	const struct backend *b = w->choice.backend;
	uint64_t beside = b->bytes ? b->bytes(&w->table) : 0;

	require(p->lookups == w->expected.lookups);
	require(p->hits == w->expected.hits);
	require(p->misses == w->expected.misses);
	require(p->inserts == w->expected.inserts);
	require(p->removes == w->expected.removes);
	require(p->walk_visits == w->expected.walk_visits);
	require(table_count(&w->table) == w->model.count);
	require(table_kind_elements(w->kind) == w->model.count);
	require(table_kind_bytes(w->kind) == w->model.count * w->kind->elem_bytes + beside);
	require(rcu_stats(w->rcu)->deferred ==
		(table_rcu_readers(&w->table) ? w->expected.removes : 0));
	if (w->standing)
		check_standing(w);
}

static void
one_step(struct world *w, bool growing)
{
	uint32_t dice = below(w, 1000);

	if (dice < 1)
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
	else if (dice < 960)
		do_read(w);
	else
		do_pass_time(w);
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
		.about = "what the test puts there, keyed by an address",
		.elem_size = sizeof(struct thing),
		.key_offset = offsetof(struct thing, key),
		.order = order,
		.hashing = w->len == 4     ? TABLE_HASH_LOW_BITS
			   : seed % 7 <= 3 ? TABLE_HASH_KEY
					   : TABLE_HASH_MIXED,
	};
	require(backend_parse(variant_at(variant), &w->choice, NULL));
	w->engine = engine_new(&config);
	w->rcu = rcu_new(w->engine, RCU_CHECK);
	w->kind = table_kind_new(&w->spec, &w->choice, w->rcu, seed);
	table_init(&w->table, w->kind);
}

static void
tear_down(struct world *w)
{
	while (w->reading)
		do_pass_time(w);
	table_fini(&w->table);
	require(table_kind_elements(w->kind) == 0);
	require(table_kind_bytes(w->kind) == 0);
	table_kind_free(w->kind);
	rcu_free(w->rcu);
	engine_free(w->engine);
	g_rand_free(w->random);
	g_free(w);
}

static void
random_operations(unsigned variant, enum table_order order)
{
	printf("# %s\n", variant_at(variant));
	for (uint32_t seed = 0; seed < SEEDS; seed++) {
		struct world *w = g_new0(struct world, 1);

		snprintf(require_about, sizeof require_about, "%s, order %d, seed %u",
			 variant_at(variant), order, seed);
		set_up(w, variant, order, seed);
		for (unsigned step = 0; step < STEPS; step++) {
			one_step(w, step / 1000 % 2 == 0);
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

START_TEST(sorted)
{
	random_operations(_i, TABLE_SORTED);
}
END_TEST

/* A hundred thousand devices have lists that are mostly empty.  What one that
 * was long still held would be lost here, and found by a leak checker. */
START_TEST(empty_tables_own_nothing)
{
	struct world *w = g_new0(struct world, 1);
	struct table zero;

	snprintf(require_about, sizeof require_about, "%s, empty", variant_at(_i));
	set_up(w, _i, TABLE_OLDEST_FIRST, 3);
	zero = (struct table){.kind = w->kind};
	require(memcmp(&w->table, &zero, sizeof zero) == 0);
	for (unsigned round = 0; round < 4; round++) {
		for (unsigned i = 0; i < 100; i++)
			do_add(w);
		if (round % 2)
			do_clear(w);
		while (w->model.count > 0)
			do_remove(w);
		table_check(&w->table);
		require(memcmp(w->table.state, zero.state, sizeof zero.state) == 0);
	}
	w->kind->tables--;
	w->kind->backend_bytes = 0;
	table_init(&w->table, w->kind);
	tear_down(w);
}
END_TEST

int
main(void)
{
	SRunner *sr;
	TCase *tc = tcase_create("conformance");
	Suite *suite = suite_create("conformance");
	int failed;

	tcase_set_timeout(tc, 60); /* a broken tree may go in circles */
	tcase_add_loop_test(tc, unordered, 0, variant_count());
	tcase_add_loop_test(tc, oldest_first, 0, variant_count());
	tcase_add_loop_test(tc, newest_first, 0, variant_count());
	tcase_add_loop_test(tc, sorted, 0, variant_count());
	tcase_add_loop_test(tc, empty_tables_own_nothing, 0, variant_count());
	suite_add_tcase(suite, tc);
	sr = srunner_create(suite);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
