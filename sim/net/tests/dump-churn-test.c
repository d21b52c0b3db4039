/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump-churn-test.c - dumps while entries come and go: what the cursors promise, and what
 * the report says of the others. */
#include <stdlib.h>
#include <string.h>

#include "dump-steps.h"
#include "engine/random.h"
#include <linux/neighbour.h>

#define CHURN_ADDRS 24 /* few, so that they collide */

/* One entry of the bridge, from when it came to when it went. */
struct life {
	struct item item;
	bool whole; /* it was there when the dump began */
	bool ended;
};

struct churn {
	struct box *box;
	struct rng rng;
	GArray *lives;
	bool changed;
};

static struct life *
life_of(struct churn *c, const struct item *item)
{
	for (unsigned i = c->lives->len; i-- > 0;) {
		struct life *life = &g_array_index(c->lives, struct life, i);

		if (!life->ended && item_compare(&life->item, item) == 0)
			return life;
	}
	return NULL;
}

static void
come(struct churn *c, const struct item *item)
{
	struct life life = {.item = *item};

	g_array_append_val(c->lives, life);
	c->changed = true;
}

static void
go(struct churn *c, struct life *life)
{
	life->ended = true;
	c->changed = true;
}

/* Adds, removes or moves an entry of the bridge. */
static void
change_entry(struct churn *c)
{
	uint8_t addr[ETH_ALEN];
	const char *port = port_names[rng_below(&c->rng, PORTS)];
	struct item item;
	struct life *life;

	entry_addr(addr, (unsigned)rng_below(&c->rng, CHURN_ADDRS));
	item = item_make(0, addr, 1, false);
	life = life_of(c, &item);
	if (rng_below(&c->rng, 2)) {
		const char *from = box_fdb_port(c->box, "br0", addr, 1);
		int err = box_fdb_replace(c->box, port, addr, 1, NUD_PERMANENT, NTF_MASTER);

		ck_assert_int_eq(err, 0);
		if (!life)
			come(c, &item);
		else
			c->changed |= strcmp(from, port) != 0;
	} else if (box_fdb_del(c->box, port, addr, 1, NTF_MASTER) == 0) {
		go(c, life);
	}
}

/* Adds or removes an address of a device's own. */
static void
change_address(struct churn *c)
{
	const char *dev = rng_below(&c->rng, 2) ? "lone" : port_names[rng_below(&c->rng, PORTS)];
	uint8_t addr[ETH_ALEN] = {rng_below(&c->rng, 2) ? 0x02 : 0x03, 0xaa, 0, 0, 0,
				  (uint8_t)rng_below(&c->rng, 4)};
	struct item item = item_make(box_ifindex(c->box, dev), addr, 0, true);
	struct life *life = life_of(c, &item);

	if (!life && box_fdb_add(c->box, dev, addr, 0, NUD_PERMANENT, NTF_SELF) == 0)
		come(c, &item);
	else if (life && box_fdb_del(c->box, dev, addr, 0, NTF_SELF) == 0)
		go(c, life);
}

/* A device in the same bucket of the index as another one: adds or removes it, with
 * the addresses that it brings along. */
static void
change_device(struct churn *c)
{
	int ifindex = box_ifindex(c->box, "lone") + NETDEV_HASHENTRIES;
	struct item item = item_make(ifindex, (const uint8_t[]){0x33, 0x33, 0, 0, 0, 1}, 0, true);
	struct life *life = life_of(c, &item);

	if (life) {
		ck_assert_int_eq(box_del_link(c->box, "twin"), 0);
		go(c, life);
	} else {
		ck_assert_int_eq(box_add_link_at(c->box, "dummy", "twin", ifindex), 0);
		come(c, &item);
	}
}

static void
change_something(struct churn *c)
{
	switch (rng_below(&c->rng, 8)) {
	case 0:
		change_device(c);
		break;
	case 1:
	case 2:
		change_address(c);
		break;
	default:
		change_entry(c);
	}
}

static void
lives_begin(struct churn *c, const GArray *known)
{
	c->lives = g_array_new(FALSE, FALSE, sizeof(struct life));
	for (unsigned i = 0; i < known->len; i++) {
		struct life life = {.item = g_array_index(known, struct item, i), .whole = true};

		g_array_append_val(c->lives, life);
	}
}

static unsigned
times_told(const struct dump *d, const struct item *item)
{
	unsigned told = 0;

	for (unsigned i = 0; i < d->items->len; i++)
		told += item_compare(&g_array_index(d->items, struct item, i), item) == 0;
	return told;
}

static unsigned
times_lived(const struct churn *c, const struct item *item)
{
	unsigned lived = 0;

	for (unsigned i = 0; i < c->lives->len; i++)
		lived += item_compare(&g_array_index(c->lives, struct life, i).item, item) == 0;
	return lived;
}

/* What the report says is what the test saw. */
static uint64_t
count_lost(const struct churn *c, const struct dump *d, uint64_t *existing)
{
	uint64_t lost = 0;

	*existing = 0;
	for (unsigned i = 0; i < c->lives->len; i++) {
		const struct life *life = &g_array_index(c->lives, struct life, i);

		if (!life->whole || life->ended)
			continue;
		++*existing;
		lost += times_told(d, &life->item) == 0;
	}
	return lost;
}

static void
require_no_more_than_lived(const struct churn *c, const struct dump *d)
{
	for (unsigned i = 0; i < d->items->len; i++) {
		const struct item *item = &g_array_index(d->items, struct item, i);

		require(times_told(d, item) <= times_lived(c, item));
	}
}

/* Those that are left are what the next dump begins with. */
static void
lives_end(struct churn *c, GArray *known)
{
	g_array_set_size(known, 0);
	for (unsigned i = 0; i < c->lives->len; i++) {
		const struct life *life = &g_array_index(c->lives, struct life, i);

		if (!life->ended)
			g_array_append_val(known, life->item);
	}
	g_array_unref(c->lives);
}

/* The reader is told of changes by the first message after them. */
static void
dump_with_churn(struct churn *c, struct dump *d, bool by_cursor)
{
	bool more = true;

	while (more) {
		unsigned told = d->items->len;
		bool changed = c->changed;

		more = dump_step(d, ENTRY_BYTES * (1 + (unsigned)rng_below(&c->rng, 5)));
		if (by_cursor && changed && d->items->len > told)
			require(d->interrupted);
		require(!d->interrupted || changed);
		for (unsigned n = more ? (unsigned)rng_below(&c->rng, 4) : 0; n > 0; n--)
			change_something(c);
	}
}

static void
log_bytes(const struct setting *s, const void *data, size_t size)
{
	g_byte_array_append(s->log, data, (guint)size);
}

static void
churn_once(struct box *b, const struct setting *s, GArray *known, uint64_t seed)
{
	bool by_cursor = s->options.fdb_dump == FDB_DUMP_CURSOR;
	struct churn c = {.box = b, .rng = {seed}};
	struct dump_record record;
	uint64_t existing, lost;
	struct dump d;

	lives_begin(&c, known);
	dump_begin(&d, b);
	dump_with_churn(&c, &d, by_cursor);
	record = dump_end(&d);
	lost = count_lost(&c, &d, &existing);
	require(record.existing == existing && record.lost == lost);
	require(record.shown == d.items->len && record.interrupted == c.changed);
	if (by_cursor) {
		require(lost == 0 && record.repeated == 0);
		require_no_more_than_lived(&c, &d);
	}
	lives_end(&c, known);
	if (s->log)
		log_bytes(s, d.items->data, d.items->len * sizeof(struct item));
	g_array_unref(d.items);
}

static void
test_churn(struct box *b, const struct setting *s, GArray *known)
{
	for (uint64_t seed = 0; seed < 150; seed++)
		churn_once(b, s, known, seed);
}

static void
log_walks(struct box *b, const struct setting *s)
{
	uint64_t fdb = walk_visits(b, "fdb"), addr = walk_visits(b, "dev_addr");

	log_bytes(s, &fdb, sizeof fdb);
	log_bytes(s, &addr, sizeof addr);
}

static void
test_logged_churn(struct box *b, const struct setting *s, GArray *known)
{
	for (uint64_t seed = 0; seed < 50; seed++) {
		churn_once(b, s, known, seed);
		log_walks(b, s);
	}
}

static GByteArray *
churn_log(struct setting s, enum fdb_walk walk)
{
	s.options.fdb_walk = walk;
	s.log = g_byte_array_new();
	setting_run(s);
	return s.log;
}

/* Also while what was walked changes: nothing is counted that is no longer so. */
static void
compare_logs(const struct setting *s)
{
	GByteArray *counted = churn_log(*s, FDB_WALK_COUNTED),
		   *literal = churn_log(*s, FDB_WALK_LITERAL);

	require(counted->len == literal->len &&
		memcmp(counted->data, literal->data, counted->len) == 0);
	g_byte_array_unref(counted);
	g_byte_array_unref(literal);
}

START_TEST(counted_walks_are_literal_ones_in_churn)
{
	for (unsigned v = 0; v < variant_count(); v++)
		for (unsigned a = 0; fdb_dump_words[a]; a++) {
			struct setting s = {.backend = variant_at(v),
					    .entries = CHURN_ADDRS,
					    .addresses = 2,
					    .options = {.fdb_dump = a},
					    .test = test_logged_churn};

			compare_logs(&s);
		}
}
END_TEST

static void
churn(enum fdb_dump_algorithm algorithm)
{
	for (unsigned v = 0; v < variant_count(); v++)
		for (unsigned entries = 0; entries <= CHURN_ADDRS; entries += CHURN_ADDRS / 2)
			setting_run((struct setting){.backend = variant_at(v),
						     .entries = entries,
						     .addresses = 2,
						     .options = {.fdb_dump = algorithm},
						     .test = test_churn});
}

START_TEST(cursor_loses_nothing_in_churn)
{
	churn(FDB_DUMP_CURSOR);
}
END_TEST

START_TEST(losses_in_churn_are_reported)
{
	churn(FDB_DUMP_RESTART);
	churn(FDB_DUMP_RESUME_POSTED);
	churn(FDB_DUMP_RESUME);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("dump-churn");
	TCase *tcase = tcase_create("dump-churn");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, cursor_loses_nothing_in_churn);
	tcase_add_test(tcase, losses_in_churn_are_reported);
	tcase_add_test(tcase, counted_walks_are_literal_ones_in_churn);
	suite_add_tcase(suite, tcase);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
