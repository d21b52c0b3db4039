/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counts.c - that the probes say what the modelled structures do, by other means
 * than those that count: formulas for lists and chains, another red-black tree
 * (textbook-tree.h) for rbtree, elements without chains (grower.h) for rhashtable,
 * and a walk step by step for the counted one. */
#include <stdio.h>
#include <stdlib.h>

#include "backend.h"
#include "grower.h"
#include "model.h"
#include "require.h"
#include "table/table-impl.h"
#include "textbook-tree.h"

char require_about[128];

struct thing {
	uint64_t id;
	struct key key;
};

static const struct table_spec spec = {
	.name = "things",
	.about = "what the test puts there, keyed by a number",
	.elem_size = sizeof(struct thing),
	.key_offset = offsetof(struct thing, key),
	.order = TABLE_OLDEST_FIRST,
	.hashing = TABLE_HASH_LOW_BITS,
};

static const struct table_spec unordered = {
	.name = "things",
	.about = "what the test puts there, keyed by a number",
	.elem_size = sizeof(struct thing),
	.key_offset = offsetof(struct thing, key),
	.order = TABLE_UNORDERED,
	.hashing = TABLE_HASH_LOW_BITS,
};

static void
open_table(struct table *t, const struct table_spec *of, const char *choice_text)
{
	struct backend_choice choice;

	snprintf(require_about, sizeof require_about, "%s", choice_text);
	require(backend_parse(choice_text, &choice, NULL));
	table_init(t, table_kind_new(of, &choice, NULL, 1));
}

static void
close_table(struct table *t)
{
	struct table_kind *kind = t->kind;

	table_fini(t);
	table_kind_free(kind);
}

static void
add(struct table *t, uint32_t number)
{
	struct key k = key_of_u32(number);

	table_add(t, &k, NULL);
}

static void
take(struct table *t, uint32_t number)
{
	struct key k = key_of_u32(number);

	table_remove(t, table_find(t, &k));
}

static uint64_t
visits_to_find(struct table *t, uint32_t number, bool expected)
{
	uint64_t before = table_kind_probes(t->kind)->visits;
	struct key k = key_of_u32(number);

	require(!table_find(t, &k) == !expected);
	return table_kind_probes(t->kind)->visits - before;
}

/* The tree */

static void
check_depths(struct table *t, const struct textbook_tree *tree, uint32_t keys)
{
	for (uint32_t number = 0; number < keys; number++) {
		bool found;
		unsigned depth = textbook_depth(tree, number, &found);

		require(visits_to_find(t, number, found) == depth);
	}
	require(table_kind_probes(t->kind)->compares == table_kind_probes(t->kind)->visits);
}

/* A removal or insertion writes a few pointers, a rotation three edges of which
 * one may be to a leaf. */
static void
check_writes(const struct probes *before, const struct probes *after, uint64_t least, uint64_t most)
{
	uint64_t rotations = after->rotations - before->rotations;
	uint64_t writes = after->writes - before->writes;

	require(writes >= least + 5 * rotations && writes <= most + 6 * rotations);
}

static void
change_both(struct table *t, struct textbook_tree *tree, uint32_t number)
{
	struct probes before = *table_kind_probes(t->kind);
	bool found;

	textbook_depth(tree, number, &found);
	if (found) {
		take(t, number);
		textbook_remove(tree, number);
		check_writes(&before, table_kind_probes(t->kind), 1, 8);
	} else {
		add(t, number);
		textbook_insert(tree, number);
		check_writes(&before, table_kind_probes(t->kind), 4, 4);
	}
	require(table_kind_probes(t->kind)->rotations == tree->rotations);
}

static void
random_tree(uint32_t keys, unsigned steps, unsigned between_checks)
{
	struct textbook_tree *tree = g_new0(struct textbook_tree, 1);
	GRand *random = g_rand_new_with_seed(keys);
	struct table t;

	open_table(&t, &unordered, "rbtree");
	for (unsigned step = 0; step < steps; step++) {
		change_both(&t, tree, g_rand_int_range(random, 0, keys));
		if (step % between_checks == 0)
			check_depths(&t, tree, keys);
	}
	close_table(&t);
	g_rand_free(random);
	g_free(tree);
}

START_TEST(tree_is_the_textbooks)
{
	random_tree(6, 2000, 1);
	random_tree(30, 4000, 1);
	random_tree(200, 8000, 16);
	random_tree(1500, 12000, 500);
}
END_TEST

/* Ascending and descending keys rotate at the edges, where leaves are near. */
START_TEST(tree_of_sorted_keys)
{
	struct textbook_tree *tree = g_new0(struct textbook_tree, 1);
	struct table t;

	open_table(&t, &unordered, "rbtree");
	for (uint32_t number = 0; number < 300; number++)
		change_both(&t, tree, number);
	check_depths(&t, tree, 300);
	for (uint32_t number = 299; number >= 100; number--)
		change_both(&t, tree, number);
	check_depths(&t, tree, 300);
	for (uint32_t number = 0; number < 100; number++)
		change_both(&t, tree, number);
	require(table_count(&t) == 0);
	close_table(&t);
	g_free(tree);
}
END_TEST

/* Of an address with subkeys a search reads the way to them, them, and the
 * nodes at which the subtree that holds them is cut off. */
START_TEST(tree_reads_all_subkeys_of_an_address)
{
	struct table t;
	uint64_t visits, depth;
	uint8_t addr[6] = {0};

	open_table(&t, &spec, "rbtree");
	for (unsigned i = 0; i < 640; i++) {
		struct key k;

		addr[5] = i / 10 * 2;
		k = key_make(addr, 6, 100 - i % 10);
		table_add(&t, &k, NULL);
	}
	for (unsigned i = 0; i < 64; i++) {
		struct thing *oldest;
		struct key k;

		addr[5] = i * 2;
		k = key_make(addr, 6, KEY_ANY);
		visits = table_kind_probes(t.kind)->visits;
		oldest = table_find(&t, &k);
		visits = table_kind_probes(t.kind)->visits - visits;
		require(oldest && oldest->key.sub == 100);
		depth = 2 * 10; /* twice the logarithm of 640, rounded up: no way is longer */
		require(visits >= 10 && visits <= 10 + 2 * depth);
	}
	close_table(&t);
}
END_TEST

/* Lists */

static const char *const lists[] = {"list", "list:walk=literal", "rcu-list",
				    "rcu-list:walk=literal"};

START_TEST(list_visits_are_positions)
{
	enum { N = 200 };
	struct table t;
	const struct probes *p;

	open_table(&t, &spec, lists[_i]);
	p = table_kind_probes(t.kind);
	for (uint32_t n = 0; n < N; n++)
		add(&t, n);
	require(p->visits == N * (N - 1) / 2); /* each addition read all there were */
	require(p->writes == 4 * N && p->order_writes == 0);
	for (uint32_t n = 0; n < N; n++)
		require(visits_to_find(&t, n, true) == n + 1);
	for (uint32_t n = N; n-- > 0;)
		require(visits_to_find(&t, n, true) == n + 1);
	require(visits_to_find(&t, N, false) == N);
	for (uint32_t n = 0; n < N; n += 2)
		take(&t, n);
	require(p->writes == 4 * N + 2 * (N / 2));
	for (uint32_t n = 1; n < N; n += 2)
		require(visits_to_find(&t, n, true) == (n + 1) / 2);
	require(p->compares == p->visits && p->hashes == 0 && p->rotations == 0 && p->scans == 0);
	close_table(&t);
}
END_TEST

/* Two tables, one of which walks: the same operations, the same probes. */

static void
same_operation(struct table *tables, GRand *random, uint32_t keys)
{
	uint32_t number = g_rand_int_range(random, 0, keys);
	uint32_t other = g_rand_int_range(random, 0, keys),
		 dice = g_rand_int_range(random, 0, 1000);

	for (int i = 0; i < 2; i++) {
		struct key k = key_of_u32(number), to = key_of_u32(other);
		struct thing *thing;
		struct cursor c;

		if (dice < 500) {
			table_add(&tables[i], &k, NULL);
		} else if (dice < 800) {
			thing = table_find(&tables[i], &k);
			if (thing && dice < 650)
				table_remove(&tables[i], thing);
			else if (thing && dice < 700)
				table_rekey(&tables[i], thing, &to);
		} else if (dice < 880) {
			k.sub = KEY_ANY;
			table_find(&tables[i], &k);
		} else if (dice < 998) {
			/* In order, as the kernel's sync functions search; from afar. */
			unsigned stop = dice % 64;

			table_for_each (&tables[i], &c, thing) {
				k = thing->key;
				require(table_find(&tables[i], &k) == thing);
				if (stop-- == 0)
					break;
			}
		} else if (dice == 999) {
			table_clear(&tables[i]);
		}
	}
}

static void
counted_as_walked(const char *name, uint32_t keys)
{
	char separator = strchr(name, ':') ? ',' : ':';
	g_autofree char *counted = g_strdup_printf("%s%cwalk=counted", name, separator);
	g_autofree char *literal = g_strdup_printf("%s%cwalk=literal", name, separator);
	GRand *random = g_rand_new_with_seed(keys);
	struct table tables[2];

	open_table(&tables[0], &spec, literal);
	open_table(&tables[1], &spec, counted);
	for (unsigned step = 0; step < 6000; step++) {
		same_operation(tables, random, keys);
		require(memcmp(table_kind_probes(tables[0].kind), table_kind_probes(tables[1].kind),
			       sizeof(struct probes)) == 0);
		if (step % 64 == 0)
			table_check(&tables[1]);
	}
	close_table(&tables[0]);
	close_table(&tables[1]);
	g_rand_free(random);
}

static void
counted_at_sizes(const char *name)
{
	counted_as_walked(name, 20);
	counted_as_walked(name, 60);
	counted_as_walked(name, 700);
}

START_TEST(counted_walk_is_the_literal_one)
{
	const struct backend *b = backend_at(_i);

	for (unsigned i = 0; i < BACKEND_MAX_PARAMS && b->params[i].name; i++)
		if (strcmp(b->params[i].name, "walk") == 0)
			counted_at_sizes(b->name);
}
END_TEST

START_TEST(counted_walk_of_long_chains)
{
	counted_at_sizes("hash:buckets=1");
	counted_at_sizes("hash:buckets=8");
	counted_at_sizes("hash:buckets=32");
}
END_TEST

/* Hashes */

static uint64_t
chain_until(const struct model *m, uint32_t number, uint32_t buckets)
{
	struct key k = key_of_u32(number);
	uint64_t visits = 0;

	for (unsigned i = m->count; i-- > 0;) {
		const struct key *other = &m->items[i].key;
		uint32_t low = (uint32_t)other->addr[2] << 8 | other->addr[3];

		visits += low % buckets == number % buckets;
		if (memcmp(other->addr, k.addr, 4) == 0)
			break;
	}
	return visits;
}

static void
hash_visits_with(uint32_t buckets, uint32_t elements)
{
	g_autofree char *choice = g_strdup_printf("hash:buckets=%u", buckets);
	struct model *m = g_new0(struct model, 1);
	const struct probes *p;
	struct table t;

	open_table(&t, &spec, choice);
	p = table_kind_probes(t.kind);
	for (uint32_t n = 0; n < elements; n++) {
		uint32_t number = n * 7;
		struct key k = key_of_u32(number);
		struct probes before = *p;
		uint64_t chain = chain_until(m, number, buckets);

		model_add(m, &k, table_add(&t, &k, NULL));
		require(p->visits - before.visits == chain);
		require(p->writes - before.writes == (chain > 0 ? 4 : 3));
		require(p->hashes - before.hashes == 1 &&
			p->order_writes - before.order_writes == 4);
		if (n % 3 == 0)
			model_remove(m, model_find(m, &k)), take(&t, number);
		require(table_kind_bytes(t.kind) ==
			buckets * 8 + table_count(&t) * (sizeof(struct thing) + 16 + 16));
	}
	for (uint32_t number = 0; number < 8 * elements; number++) {
		struct key k = key_of_u32(number);

		require(visits_to_find(&t, number, model_find(m, &k)) ==
			chain_until(m, number, buckets));
	}
	close_table(&t);
	g_free(m);
}

START_TEST(hash_visits_are_places_in_chains)
{
	static const uint32_t elements[] = {3, 16, 17, 18, 400};

	/* Its array of buckets is made later than that of a smaller one. */
	hash_visits_with(1 << 16, 150);
	for (unsigned i = 0; i < G_N_ELEMENTS(elements); i++) {
		hash_visits_with(1, elements[i]);
		hash_visits_with(8, elements[i]);
		hash_visits_with(256, elements[i]);
	}
}
END_TEST

/* One chain, in which the element that gets another key is passed over */

static const struct {
	const char *choice;
	bool newest_first;
	bool searches_to_remove; /* and so reads up to the element itself, too */
} chains[] = {
	{"list", false, false},
	{"list:walk=literal", false, false},
	{"hash:buckets=1", true, false},
	{"hash:buckets=1,walk=literal", true, false},
	{"rhashtable:buckets=4,max=4", true, true},
};

static uint64_t
visits_to_rekey(struct table *t, uint32_t number, uint32_t to, bool expected)
{
	struct key from = key_of_u32(number), k = key_of_u32(to);
	void *elem = table_find(t, &from);
	uint64_t before = table_kind_probes(t->kind)->visits;

	require(table_rekey(t, elem, &k) == expected);
	return table_kind_probes(t->kind)->visits - before;
}

START_TEST(rekey_reads_the_others)
{
	enum { N = 40 };
	bool newest_first = chains[_i].newest_first;
	struct table t;
	uint64_t visits;

	open_table(&t, &spec, chains[_i].choice);
	for (uint32_t n = 0; n < N; n++)
		add(&t, 4 * n); /* all of them in the first of four buckets */
	for (uint32_t n = 0; n < N; n++) {
		for (uint32_t twin = 0; twin < N; twin++) {
			uint32_t place = newest_first ? N - twin : twin + 1;
			bool passed = newest_first ? n > twin : n < twin;

			if (twin != n)
				require(visits_to_rekey(&t, 4 * n, 4 * twin, false) ==
					place - passed);
		}
	}
	visits = visits_to_rekey(&t, 4 * 10, 4 * N, true);
	require(visits == N - 1 + (chains[_i].searches_to_remove ? N - 10 : 0));
	require(visits_to_find(&t, 4 * N, true) == (newest_first ? 1 : 11));
	close_table(&t);
}
END_TEST

/* The table that changes its size */

static void
check_places(struct table *t, const struct grower *g, uint32_t keys)
{
	for (uint32_t number = 0; number < keys; number++) {
		bool found;
		uint32_t visits = grower_visits(g, number, &found);

		require(visits_to_find(t, number, found) == visits);
	}
}

/* A removal reads up to the element twice: the test's search, and its own. */
static void
change_grower(struct table *t, struct grower *g, uint32_t number)
{
	const struct probes *p = table_kind_probes(t->kind);
	struct probes before = *p;
	uint64_t moves = g->moves;
	bool found;
	uint32_t visits = grower_visits(g, number, &found);

	if (found) {
		take(t, number);
		grower_remove(g, number);
	} else {
		add(t, number);
		grower_insert(g, number);
	}
	moves = g->moves - moves;
	require(p->moves - before.moves == moves);
	require(p->visits - before.visits == (found ? 2 : 1) * visits);
	require(p->compares - before.compares == visits);
	require(p->hashes - before.hashes == (found ? 2 : 1) + moves);
	require(p->writes - before.writes == (found ? 1 : 2) + 3 * moves);
	require(table_kind_bytes(t->kind) == g->size * 8 + g->count * (sizeof(struct thing) + 8));
}

/* Up and down again, now with more that come, now with more that go. */
static void
random_grower(const char *choice, struct grower sizes, uint32_t keys)
{
	struct grower *g = g_memdup2(&sizes, sizeof sizes);
	GRand *random = g_rand_new_with_seed(keys);
	struct table t;

	g->size = g->first;
	open_table(&t, &unordered, choice);
	require(table_kind_bytes(t.kind) == g->size * 8);
	for (unsigned step = 0; step < 12 * keys; step++) {
		uint32_t number = g_rand_int_range(random, 0, keys);
		bool growing = step / (3 * keys) % 2 == 0, found;

		grower_visits(g, number, &found);
		if (found == growing && g_rand_int_range(random, 0, 4))
			continue;
		change_grower(&t, g, number);
		if (step % keys == 0)
			check_places(&t, g, keys);
	}
	for (uint32_t number = 0; number < keys; number++) {
		bool found;

		grower_visits(g, number, &found);
		if (found)
			change_grower(&t, g, number);
	}
	require(g->count == 0 && g->moves > 0);
	close_table(&t);
	g_rand_free(random);
	g_free(g);
}

START_TEST(growing_and_shrinking)
{
	const uint32_t endless = 1 << 28;
	static const uint32_t keys[] = {40, 300, 1900};

	for (unsigned i = 0; i < G_N_ELEMENTS(keys); i++) {
		struct grower g = {.first = 64, .least = 4, .most = endless, .shrinks = true};

		random_grower("rhashtable", g, MAX(keys[i], 100));
		g.first = 4;
		random_grower("rhashtable:buckets=4", g, keys[i]);
		g.least = g.first = 16;
		random_grower("rhashtable:buckets=4,min=16", g, keys[i]);
		g.most = 32;
		random_grower("rhashtable:buckets=4,min=16,max=32", g, keys[i]);
		g = (struct grower){.first = 8, .least = 4, .most = endless};
		random_grower("rhashtable:buckets=8,shrink=off", g, keys[i]);
	}
}
END_TEST

int
main(void)
{
	SRunner *sr;
	TCase *tc = tcase_create("counts");
	Suite *suite = suite_create("counts");
	int failed;

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, tree_is_the_textbooks);
	tcase_add_test(tc, tree_of_sorted_keys);
	tcase_add_test(tc, tree_reads_all_subkeys_of_an_address);
	tcase_add_loop_test(tc, list_visits_are_positions, 0, G_N_ELEMENTS(lists));
	tcase_add_loop_test(tc, counted_walk_is_the_literal_one, 0, backend_count());
	tcase_add_test(tc, counted_walk_of_long_chains);
	tcase_add_test(tc, hash_visits_are_places_in_chains);
	tcase_add_loop_test(tc, rekey_reads_the_others, 0, G_N_ELEMENTS(chains));
	tcase_add_test(tc, growing_and_shrinking);
	suite_add_tcase(suite, tc);
	sr = srunner_create(suite);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
