/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump-test.c - dumps of forwarding databases: what they tell of, for datagrams of
 * every size and by every algorithm. */
#include <stdlib.h>
#include <string.h>

#include "dump-steps.h"
#include "net/bridge.h"

/* Each entry once, whatever fits into a datagram */

static void
require_all_once(const struct dump *d, const GArray *known)
{
	g_array_sort(d->items, item_compare);
	require(d->items->len == known->len);
	require(memcmp(d->items->data, known->data, known->len * sizeof(struct item)) == 0);
}

static void
dump_at_size(struct box *b, unsigned size, const GArray *known)
{
	struct dump_record record;
	struct dump d;

	dump_begin(&d, b);
	while (dump_step(&d, size))
		;
	record = dump_end(&d);
	require_all_once(&d, known);
	require(record.existing == known->len && record.shown == known->len);
	require(record.lost == 0 && record.repeated == 0 && !record.interrupted);
	require(!d.interrupted);
	g_array_unref(d.items);
}

static void
test_every_size(struct box *b, const struct setting *s, GArray *known)
{
	g_array_sort(known, item_compare);
	for (unsigned fit = 1; fit <= known->len + 1; fit++) {
		dump_at_size(b, fit * ENTRY_BYTES, known);
		dump_at_size(b, fit * ENTRY_BYTES + ENTRY_BYTES / 2, known);
	}
}

/* Around multiples of what fits, which are 1, 2, 3 ... themselves. */
static const unsigned sizes[] = {0, 1, 2, 3, 4, 6, 7, 12, 13, 24};

static void
every_size(enum fdb_dump_algorithm algorithm)
{
	for (unsigned v = 0; v < variant_count(); v++)
		for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++)
			setting_run((struct setting){.backend = variant_at(v),
						     .entries = sizes[i],
						     .addresses = sizes[i] % 5,
						     .options = {.fdb_dump = algorithm},
						     .test = test_every_size});
}

START_TEST(resume_tells_each_once)
{
	every_size(FDB_DUMP_RESUME);
}
END_TEST

START_TEST(cursor_tells_each_once)
{
	every_size(FDB_DUMP_CURSOR);
}
END_TEST

/* Counted walks are the walks that would be made */

struct trail {
	GArray *items;
	GArray *shape;      /* unsigned: items after each datagram */
	uint64_t fdb, addr; /* walk_visits */
};

static struct trail
trail_of(struct box *b, enum fdb_walk walk, unsigned size)
{
	struct trail t = {.shape = g_array_new(FALSE, FALSE, sizeof(unsigned)),
			  .fdb = walk_visits(b, "fdb"),
			  .addr = walk_visits(b, "dev_addr")};
	struct dump d;

	b->kernel->options.fdb_walk = walk;
	dump_begin(&d, b);
	while (dump_step(&d, size))
		g_array_append_val(t.shape, d.items->len);
	dump_end(&d);
	t.items = d.items;
	t.fdb = walk_visits(b, "fdb") - t.fdb;
	t.addr = walk_visits(b, "dev_addr") - t.addr;
	return t;
}

static void
trail_clear(struct trail *t)
{
	g_array_unref(t->items);
	g_array_unref(t->shape);
}

static bool
arrays_equal(const GArray *a, const GArray *b, size_t size)
{
	return a->len == b->len && memcmp(a->data, b->data, a->len * size) == 0;
}

static void
test_counted(struct box *b, const struct setting *s, GArray *known)
{
	for (unsigned fit = 1; fit <= known->len + 1; fit++) {
		struct trail counted = trail_of(b, FDB_WALK_COUNTED, fit * ENTRY_BYTES),
			     literal = trail_of(b, FDB_WALK_LITERAL, fit * ENTRY_BYTES);

		require(arrays_equal(counted.items, literal.items, sizeof(struct item)));
		require(arrays_equal(counted.shape, literal.shape, sizeof(unsigned)));
		require(counted.fdb == literal.fdb && counted.addr == literal.addr);
		trail_clear(&counted);
		trail_clear(&literal);
	}
}

START_TEST(counted_walks_are_literal_ones)
{
	for (unsigned v = 0; v < variant_count(); v++)
		for (unsigned a = 0; fdb_dump_words[a]; a++)
			setting_run((struct setting){.backend = variant_at(v),
						     .entries = 29,
						     .addresses = 3,
						     .options = {.fdb_dump = a},
						     .test = test_counted});
}
END_TEST

/* The old algorithm, done again on arrays */

/* A bridge's entry where its structure has it. */
struct place {
	struct item item;
	int port; /* ifindex; 0: the bridge itself */
	uint32_t chain;
};

struct old_dump {
	GArray *places; /* struct place, in the structure's order */
	const GArray *known;
	GArray *items;
	uint64_t idx, marker;
	unsigned room;
	bool error;
};

static bool
old_fill(struct old_dump *o, const struct item *item)
{
	unsigned bytes = item->self ? 40 : item->vid ? 76 : 68;

	if (o->room < bytes)
		return false;
	o->room -= bytes;
	g_array_append_val(o->items, *item);
	return true;
}

/* A pass over the bridge for one port.  What does not fit ends its chain. */
static void
old_pass(struct old_dump *o, int port)
{
	bool leave = false;
	uint32_t left = 0;

	for (unsigned i = 0; i < o->places->len; i++) {
		const struct place *at = &g_array_index(o->places, struct place, i);

		if (leave && at->chain == left)
			continue;
		leave = o->idx >= o->marker && at->port == port && !old_fill(o, &at->item);
		left = at->chain;
		o->error |= leave;
		o->idx += !leave;
	}
}

/* That the multicast ones do not fit is no error. */
static void
old_addresses(struct old_dump *o, int ifindex)
{
	bool full = false;

	for (unsigned mc = 0; mc < 2 && !full; mc++) {
		for (unsigned i = 0; i < o->known->len && !full; i++) {
			const struct item *item = &g_array_index(o->known, struct item, i);

			if (!item->self || item->ifindex != ifindex || (item->addr[0] & 1) != mc)
				continue;
			full = o->idx >= o->marker && !old_fill(o, item);
			o->idx += !full;
		}
		o->error = full && !mc;
	}
}

static void
old_step(struct old_dump *o, struct box *b, unsigned size)
{
	struct net_device *dev;

	o->room = size;
	o->idx = 0;
	o->error = false;
	for_each_netdev(b->net, dev)
	{
		if (netif_is_bridge_port(dev))
			old_pass(o, dev->ifindex);
		if (o->error)
			break;
		old_addresses(o, dev->ifindex);
		if (netif_is_bridge_master(dev))
			old_pass(o, 0);
		if (o->error)
			break;
	}
	o->marker = o->idx;
}

static GArray *
places_of(struct box *b)
{
	struct net_bridge *br = netdev_priv(dev_get_by_name(b->net, "br0"));
	GArray *places = g_array_new(FALSE, FALSE, sizeof(struct place));
	struct cursor cursor = CURSOR_START;
	const struct net_bridge_fdb_entry *f;

	while ((f = table_next_own(&br->fdb, &cursor)) != NULL) {
		struct place at = {
			.item = item_make(0, f->key.addr, (uint16_t)f->key.sub, false),
			.port = f->dst ? f->dst->dev->ifindex : 0,
			.chain = cursor.chain,
		};

		g_array_append_val(places, at);
	}
	return places;
}

static unsigned
count_untold(const GArray *known, const GArray *told)
{
	unsigned untold = 0;

	for (unsigned i = 0; i < known->len; i++) {
		bool found = false;

		for (unsigned j = 0; j < told->len && !found; j++)
			found = memcmp(&g_array_index(known, struct item, i),
				       &g_array_index(told, struct item, j),
				       sizeof(struct item)) == 0;
		untold += !found;
	}
	return untold;
}

/* 'known' has the addresses in the order in which they came, as the lists do. */
static void
test_old(struct box *b, const struct setting *s, GArray *known)
{
	struct old_dump o = {.places = places_of(b), .known = known};

	for (unsigned fit = 1; fit <= known->len + 1; fit++) {
		struct dump_record record;
		struct dump d;
		bool more = true;

		o.items = items_new();
		o.marker = 0;
		dump_begin(&d, b);
		while (more) {
			more = dump_step(&d, fit * ENTRY_BYTES);
			old_step(&o, b, fit * ENTRY_BYTES);
			require(arrays_equal(d.items, o.items, sizeof(struct item)));
			require(d.cb.args[0] == o.marker);
		}
		record = dump_end(&d);
		require(record.lost == count_untold(known, d.items));
		require(record.repeated == d.items->len - (known->len - record.lost));
		g_array_unref(d.items);
		g_array_unref(o.items);
	}
	g_array_unref(o.places);
}

START_TEST(restart_is_the_old_algorithm)
{
	for (unsigned v = 0; v < variant_count(); v++)
		for (unsigned entries = 0; entries < 60; entries += 7)
			setting_run((struct setting){.backend = variant_at(v),
						     .entries = entries,
						     .addresses = entries % 5,
						     .options = {.fdb_dump = FDB_DUMP_RESTART},
						     .test = test_old});
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("dump");
	TCase *tcase = tcase_create("dump");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, resume_tells_each_once);
	tcase_add_test(tcase, cursor_tells_each_once);
	tcase_add_test(tcase, counted_walks_are_literal_ones);
	tcase_add_test(tcase, restart_is_the_old_algorithm);
	suite_add_tcase(suite, tcase);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
