/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backend-bench.c - how fast the simulator's own structures are, beside those of
 * GLib in the same run: backend-bench [N...], N elements a table.
 *
 * This is the price of simulating, not a prediction: what a visit costs on the
 * modelled machine is in sim/cost. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend.h"
#include "table/table-impl.h"
#include "variants.h"

enum { RUNS = 5, OPERATIONS = 30000, MAX_N = 1 << 20, LITERAL_MAX_N = 20000 };

struct thing {
	struct key key;
	uint32_t refs;
};

static const struct table_spec spec = {
	.name = "things",
	.about = "what is measured, keyed by address",
	.elem_size = sizeof(struct thing),
	.key_offset = offsetof(struct thing, key),
	.order = TABLE_OLDEST_FIRST,
};

/* What is measured: one struct of functions for ours and for GLib's, so that all
 * pay for one indirect call more than they would. */
struct subject {
	const char *name;
	const struct subject_class *class;
	struct table_kind *kind; /* ours only */
	struct table table;
	GHashTable *hash;
	GTree *tree;
};

struct subject_class {
	void (*open)(struct subject *);
	struct thing *(*add)(struct subject *, const struct key *); /* or find */
	struct thing *(*find)(struct subject *, const struct key *);
	void (*remove)(struct subject *, const struct key *);
	uint64_t (*walk)(struct subject *); /* adds up something of each element */
	uint64_t (*own)(struct subject *);  /* the same in the structure's own order */
	void (*close)(struct subject *);
};

/* Ours */

static void
table_subject_open(struct subject *s)
{
	table_init(&s->table, s->kind);
}

static struct thing *
table_subject_add(struct subject *s, const struct key *k)
{
	return table_add(&s->table, k, NULL);
}

static struct thing *
table_subject_find(struct subject *s, const struct key *k)
{
	return table_find(&s->table, k);
}

static void
table_subject_remove(struct subject *s, const struct key *k)
{
	table_remove(&s->table, table_find(&s->table, k));
}

static uint64_t
table_subject_walk(struct subject *s)
{
	struct thing *thing;
	struct cursor c;
	uint64_t sum = 0;

	table_for_each (&s->table, &c, thing)
		sum += thing->refs;
	return sum;
}

static uint64_t
table_subject_own(struct subject *s)
{
	struct cursor c = CURSOR_START;
	struct thing *thing;
	uint64_t sum = 0;

	while ((thing = table_next_own(&s->table, &c)) != NULL)
		sum += thing->refs;
	return sum;
}

static void
table_subject_close(struct subject *s)
{
	table_fini(&s->table);
}

static const struct subject_class table_subject = {
	table_subject_open, table_subject_add, table_subject_find,  table_subject_remove,
	table_subject_walk, table_subject_own, table_subject_close,
};

/* GHashTable */

static guint
hash_of(gconstpointer key)
{
	return key_hash_addr(key, 1);
}

static gboolean
equal(gconstpointer a, gconstpointer b)
{
	return key_equal(a, b);
}

static struct thing *
thing_new(const struct key *k)
{
	struct thing *thing = g_new0(struct thing, 1);

	thing->key = *k;
	return thing;
}

static void
ghash_open(struct subject *s)
{
	s->hash = g_hash_table_new_full(hash_of, equal, NULL, g_free);
}

static struct thing *
ghash_find(struct subject *s, const struct key *k)
{
	return g_hash_table_lookup(s->hash, k);
}

static struct thing *
ghash_add(struct subject *s, const struct key *k)
{
	struct thing *thing = ghash_find(s, k);

	if (!thing) {
		thing = thing_new(k);
		g_hash_table_insert(s->hash, &thing->key, thing);
	}
	return thing;
}

static void
ghash_remove(struct subject *s, const struct key *k)
{
	g_hash_table_remove(s->hash, k);
}

static uint64_t
ghash_walk(struct subject *s)
{
	GHashTableIter iter;
	gpointer thing;
	uint64_t sum = 0;

	g_hash_table_iter_init(&iter, s->hash);
	while (g_hash_table_iter_next(&iter, NULL, &thing))
		sum += ((struct thing *)thing)->refs;
	return sum;
}

static void
ghash_close(struct subject *s)
{
	g_hash_table_destroy(s->hash);
}

static const struct subject_class ghash_subject = {
	ghash_open, ghash_add, ghash_find, ghash_remove, ghash_walk, ghash_walk, ghash_close,
};

/* GTree, a balanced binary tree */

static gint
order_of(gconstpointer a, gconstpointer b, gpointer unused)
{
	return key_compare(a, b);
}

static void
gtree_open(struct subject *s)
{
	s->tree = g_tree_new_full(order_of, NULL, NULL, g_free);
}

static struct thing *
gtree_find(struct subject *s, const struct key *k)
{
	return g_tree_lookup(s->tree, k);
}

static struct thing *
gtree_add(struct subject *s, const struct key *k)
{
	struct thing *thing = gtree_find(s, k);

	if (!thing) {
		thing = thing_new(k);
		g_tree_insert(s->tree, &thing->key, thing);
	}
	return thing;
}

static void
gtree_remove(struct subject *s, const struct key *k)
{
	g_tree_remove(s->tree, k);
}

static uint64_t
gtree_walk(struct subject *s)
{
	uint64_t sum = 0;

	for (GTreeNode *n = g_tree_node_first(s->tree); n; n = g_tree_node_next(n))
		sum += ((struct thing *)g_tree_node_value(n))->refs;
	return sum;
}

static void
gtree_close(struct subject *s)
{
	g_tree_destroy(s->tree);
}

static const struct subject_class gtree_subject = {
	gtree_open, gtree_add, gtree_find, gtree_remove, gtree_walk, gtree_walk, gtree_close,
};

/* Measuring */

/* Nanoseconds per operation: a new key, a random one, the keys in the order in
 * which they came (as the kernel's sync functions ask), one step of a walk in the
 * order of arrival and in the structure's own, finding and removing. */
enum { ADD, FIND, PASS, WALK, OWN, REMOVE, TIMES };

struct result {
	double ns[TIMES];
	double visits;         /* per random find; 0: unknown */
	double bytes, modeled; /* per element */
};

static struct key *
random_keys(uint32_t n)
{
	struct key *keys = g_new0(struct key, n);
	const uint32_t odd = 2654435761; /* times this: a permutation of 32 bits */

	for (uint32_t i = 0; i < n; i++) {
		uint32_t bits = i * odd;
		uint8_t addr[6] = {0x33, 0x33, bits >> 24, bits >> 16, bits >> 8, bits};

		keys[i] = key_make(addr, sizeof addr, 2);
	}
	return keys;
}

static void
shuffle(struct key *keys, uint32_t n)
{
	GRand *random = g_rand_new_with_seed(n);

	for (uint32_t i = n - 1; i > 0; i--) {
		uint32_t j = g_rand_int_range(random, 0, i + 1);
		struct key k = keys[i];

		keys[i] = keys[j];
		keys[j] = k;
	}
	g_rand_free(random);
}

static double
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static double
allocated(void)
{
#if defined __GLIBC__ && __GLIBC_PREREQ(2, 33)
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
#else
	return 0;
#endif
}

static uint64_t
visits_of(const struct subject *s)
{
	return s->kind ? table_kind_probes(s->kind)->visits : 0;
}

/* The life of 'count' tables, all at once, because a look at the clock takes as
 * long as many operations. */
static struct result
live(struct subject *tables, unsigned count, const struct key *in_order, const struct key *shuffled,
     uint32_t n)
{
	const struct subject_class *c = tables->class;
	double before = allocated(), at[TIMES + 1], elements = (double)count * n;
	uint64_t visits, sum = 0;
	struct result r;

#define EACH_KEY(operation)                                                                        \
	for (struct subject *s = tables; s < tables + count; s++)                                  \
		for (uint32_t i = 0; i < n; i++)                                                   \
			operation;

	for (struct subject *s = tables; s < tables + count; s++)
		c->open(s);
	at[ADD] = now_ns();
	EACH_KEY(c->add(s, &in_order[i])->refs = 1);
	visits = visits_of(tables);
	at[FIND] = now_ns();
	EACH_KEY(sum += c->find(s, &shuffled[i])->refs);
	at[PASS] = now_ns();
	r.visits = (visits_of(tables) - visits) / elements;
	EACH_KEY(sum += c->add(s, &in_order[i])->refs);
	at[WALK] = now_ns();
	for (struct subject *s = tables; s < tables + count; s++)
		sum += c->walk(s);
	at[OWN] = now_ns();
	for (struct subject *s = tables; s < tables + count; s++)
		sum += c->own(s);
	at[REMOVE] = now_ns();
	r.bytes = (allocated() - before) / elements;
	r.modeled = tables->kind ? table_kind_bytes(tables->kind) / elements : 0;
	EACH_KEY(c->remove(s, &shuffled[i]));
	at[TIMES] = now_ns();
	for (struct subject *s = tables; s < tables + count; s++)
		c->close(s);
	g_assert(sum == 4 * (uint64_t)count * n);
	for (int i = 0; i < TIMES; i++)
		r.ns[i] = (at[i + 1] - at[i]) / elements;
	return r;
}

/* The least of five runs, or of as many as begin within two seconds. */
static struct result
measure(const struct subject *s, const struct key *in_order, const struct key *shuffled, uint32_t n)
{
	unsigned count = MAX(1, OPERATIONS / n);
	struct subject *tables = g_new(struct subject, count);
	double begin = now_ns();
	struct result least = {.visits = 0};

	for (int run = 0; run < RUNS && (run == 0 || now_ns() < begin + 2e9); run++) {
		struct result r;

		for (unsigned i = 0; i < count; i++)
			tables[i] = *s;
		r = live(tables, count, in_order, shuffled, n);
		for (int i = 0; i < TIMES && run > 0; i++)
			r.ns[i] = MIN(r.ns[i], least.ns[i]);
		least = r;
	}
	g_free(tables);
	return least;
}

static void
print(const char *name, const struct result *r, const struct result *ghash,
      const struct result *gtree)
{
	printf("%-22s", name);
	for (int i = 0; i < TIMES; i++)
		printf(" %8.1f", r->ns[i]);
	if (r->visits > 0)
		printf(" %8.1f %9.1f %6.0f", r->visits, r->visits / r->ns[FIND] * 1e3, r->modeled);
	else
		printf(" %8s %9s %6s", "-", "-", "-");
	printf(" %6.0f %7.2f %6.2f\n", r->bytes, r->ns[FIND] / ghash->ns[FIND],
	       r->ns[FIND] / gtree->ns[FIND]);
}

/* Reads all there is, whether by choice or for want of buckets. */
static bool
is_too_slow(const char *variant)
{
	return strstr(variant, "literal") || strstr(variant, "rhashtable:max=");
}

static void
bench_size(uint32_t n)
{
	struct key *in_order = random_keys(n),
		   *shuffled = g_memdup2(in_order, n * sizeof *in_order);
	struct subject ghash = {.class = &ghash_subject}, gtree = {.class = &gtree_subject};
	struct result ghash_result, gtree_result;

	shuffle(shuffled, n);
	printf("\n%-22s %8s %8s %8s %8s %8s %8s %8s %9s %6s %6s %14s\n", "", "add", "find",
	       "in order", "walk", "own walk", "remove", "visits", "Mvisits", "bytes", "bytes",
	       "find / that of");
	printf("n = %-18u %8s %8s %8s %8s %8s %8s %8s %9s %6s %6s %7s %6s\n", n, "ns", "ns", "ns",
	       "ns", "ns", "ns", "a find", "a second", "model", "here", "GHash", "GTree");
	ghash_result = measure(&ghash, in_order, shuffled, n);
	gtree_result = measure(&gtree, in_order, shuffled, n);
	for (unsigned i = 0; i < variant_count(); i++) {
		struct subject s = {.class = &table_subject};
		struct backend_choice choice;
		struct result r;
		bool known = backend_parse(variant_at(i), &choice, NULL);

		g_assert(known);
		if (n > LITERAL_MAX_N && is_too_slow(variant_at(i)))
			continue;
		s.kind = table_kind_new(&spec, &choice, NULL, 1);
		r = measure(&s, in_order, shuffled, n);
		print(variant_at(i), &r, &ghash_result, &gtree_result);
		table_kind_free(s.kind);
	}
	print("GHashTable", &ghash_result, &ghash_result, &gtree_result);
	print("GTree", &gtree_result, &ghash_result, &gtree_result);
	g_free(in_order);
	g_free(shuffled);
}

int
main(int argc, char **argv)
{
	static const uint32_t sizes[] = {4, 64, 1500, 8192, 1000000};

	for (unsigned i = 0; argc < 2 && i < G_N_ELEMENTS(sizes); i++)
		bench_size(sizes[i]);
	for (int i = 1; i < argc; i++) {
		guint64 n;

		if (!g_ascii_string_to_unsigned(argv[i], 10, 1, MAX_N, &n, NULL)) {
			fprintf(stderr, "backend-bench: '%s' is not a number from 1 to %d\n",
				argv[i], MAX_N);
			return 2;
		}
		bench_size(n);
	}
	return EXIT_SUCCESS;
}
