/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump-test.c - dumps of forwarding databases: what they tell of, for datagrams of
 * every size, while entries come and go, and by every algorithm.
 *
 * The reference is a list of entries that the test keeps itself. */
#include <check.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box.h"
#include "net/bridge.h"
#include "require.h"
#include "variants.h"

#define ENTRY_BYTES 76 /* the largest message: of a bridge's entry with a VLAN */
#define PORTS       3

char require_about[128];

/* An entry as a message names it, and as the test knows it. */
struct item {
	int ifindex; /* 0 for a bridge's entry: it may move from port to port */
	uint8_t addr[ETH_ALEN];
	uint16_t vid;
	bool self;
};

static int
compare_items(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct item));
}

static struct item
item_make(int ifindex, const uint8_t *addr, uint16_t vid, bool self)
{
	struct item item;

	memset(&item, 0, sizeof item); /* the padding, too */
	item.ifindex = self ? ifindex : 0;
	memcpy(item.addr, addr, ETH_ALEN);
	item.vid = vid;
	item.self = self;
	return item;
}

static GArray *
items_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(struct item));
}

/* A dump that the test takes step by step, with datagrams of sizes of its choice. */
struct dump {
	struct box *box;
	uint64_t request[8];
	struct netlink_callback cb;
	const struct rtnl_dump *kind;
	GArray *items; /* struct item, in the order in which they came */
	bool interrupted;
};

static const struct rtnl_dump *
fdb_dump_kind(void)
{
	for (unsigned n = 0; n < net_module_count(); n++)
		for (const struct rtnl_dump *d = net_module_at(n)->dumps; d && d->what; d++)
			if (strcmp(d->what, "fdb") == 0)
				return d;
	g_assert_not_reached();
}

static void
dump_begin(struct dump *d, struct box *box)
{
	struct nlmsghdr *nlh;

	memset(d, 0, sizeof *d);
	d->box = box;
	d->kind = fdb_dump_kind();
	d->items = items_new();
	nlh = mnl_nlmsg_put_header(d->request);
	mnl_nlmsg_put_extra_header(nlh, sizeof(struct ndmsg));
	d->cb.net = box->net;
	d->cb.nlh = nlh;
	d->cb.audit = dump_audit_new(&d->cb, d->kind);
}

static void
note_message(struct dump *d, const struct nlmsghdr *nlh)
{
	const struct ndmsg *ndm = mnl_nlmsg_get_payload(nlh);
	const uint8_t *addr = NULL;
	uint16_t vid = 0;
	const struct nlattr *attr;
	struct item item;

	mnl_attr_for_each(attr, nlh, sizeof *ndm)
	{
		if (mnl_attr_get_type(attr) == NDA_LLADDR)
			addr = mnl_attr_get_payload(attr);
		else if (mnl_attr_get_type(attr) == NDA_VLAN)
			vid = mnl_attr_get_u16(attr);
	}
	item = item_make(ndm->ndm_ifindex, addr, vid, ndm->ndm_flags & NTF_SELF);
	g_array_append_val(d->items, item);
	d->interrupted |= (nlh->nlmsg_flags & NLM_F_DUMP_INTR) != 0;
}

/* One datagram; false when there is nothing more. */
static bool
dump_step(struct dump *d, unsigned size)
{
	struct skb skb = {.data = g_malloc0(size), .size = size};
	int left;

	rtnl_lock(d->box->kernel);
	left = d->kind->dump(&skb, &d->cb);
	rtnl_unlock(d->box->kernel);
	d->cb.runs++;
	for (const struct nlmsghdr *nlh = (void *)skb.data; mnl_nlmsg_ok(nlh, left);
	     nlh = mnl_nlmsg_next(nlh, &left))
		note_message(d, nlh);
	g_free(skb.data);
	return skb.len > 0;
}

static struct dump_record
dump_end(struct dump *d)
{
	struct dump_record record;

	dump_audit_end(d->cb.audit, &d->cb);
	record = *dump_audit_record(d->cb.audit);
	dump_audit_free(d->cb.audit);
	g_free(d->cb.state);
	return record;
}

/* The box: a bridge with three ports, the middle one without entries of its own, and
 * a device that is no port.  Each has addresses that the user added. */

struct setting {
	const char *backend;
	unsigned entries, addresses; /* of the bridge; of each device, in uc and in mc */
	struct kernel_options options;
	void (*test)(struct box *, const struct setting *, GArray *known);
};

static const char *const port_names[PORTS] = {"p0", "p1", "p2"};

static void
known_add(GArray *known, struct box *b, const char *dev, const uint8_t *addr, uint16_t vid,
	  bool self)
{
	struct item item = item_make(box_ifindex(b, dev), addr, vid, self);

	g_array_append_val(known, item);
}

/* What IPv6 adds to every Ethernet device. */
static void
known_all_nodes(GArray *known, struct box *b, const char *dev)
{
	known_add(known, b, dev, (const uint8_t[]){0x33, 0x33, 0, 0, 0, 1}, 0, true);
}

/* Without a VLAN, and in the default one. */
static void
known_local(GArray *known, struct box *b, const char *dev, const uint8_t *addr)
{
	known_add(known, b, dev, addr, 0, false);
	known_add(known, b, dev, addr, 1, false);
}

static void
add_addresses(struct box *b, const char *dev, unsigned count, GArray *known)
{
	for (unsigned i = 0; i < count; i++) {
		uint8_t addr[ETH_ALEN] = {i % 2 ? 0x02 : 0x03, 0xaa, 0, 0, 0, (uint8_t)i};

		ck_assert_int_eq(box_fdb_add(b, dev, addr, 0, NUD_PERMANENT, NTF_SELF), 0);
		known_add(known, b, dev, addr, 0, true);
	}
}

static void
entry_addr(uint8_t addr[ETH_ALEN], unsigned n)
{
	memcpy(addr, (const uint8_t[]){0x02, 0, 0, 0, (uint8_t)(n >> 8), (uint8_t)n}, ETH_ALEN);
}

static const char *
entry_port(unsigned n)
{
	return port_names[n % 2 ? 2 : 0];
}

static void
add_entries(struct box *b, unsigned count, GArray *known)
{
	for (unsigned n = 0; n < count; n++) {
		uint8_t addr[ETH_ALEN];

		entry_addr(addr, n);
		ck_assert_int_eq(box_fdb_add(b, entry_port(n), addr, 1, NUD_PERMANENT, NTF_MASTER),
				 0);
		known_add(known, b, entry_port(n), addr, 1, false);
	}
}

static void
set_up(struct box *b, const struct setting *s, GArray *known)
{
	static const uint8_t br_addr[] = {2, 0xbb, 0, 0, 0, 0}, lone_addr[] = {2, 0xcc, 0, 0, 0, 0};

	ck_assert_int_eq(box_add_link(b, "bridge", "br0", br_addr), 0);
	known_local(known, b, "br0", br_addr);
	known_all_nodes(known, b, "br0");
	for (unsigned i = 0; i < PORTS; i++) {
		uint8_t addr[] = {2, 0xdd, 0, 0, 0, (uint8_t)i};

		ck_assert_int_eq(box_add_link(b, "dummy", port_names[i], addr), 0);
		ck_assert_int_eq(box_set_master(b, port_names[i], "br0"), 0);
		known_local(known, b, port_names[i], addr);
		known_all_nodes(known, b, port_names[i]);
		add_addresses(b, port_names[i], s->addresses, known);
	}
	ck_assert_int_eq(box_add_link(b, "dummy", "lone", lone_addr), 0);
	known_all_nodes(known, b, "lone");
	add_addresses(b, "lone", s->addresses, known);
	add_entries(b, s->entries, known);
}

static void
play(struct box *b, void *data)
{
	const struct setting *s = data;
	GArray *known = items_new();

	set_up(b, s, known);
	s->test(b, s, known);
	g_array_unref(known);
}

static void
run(struct setting s)
{
	s.options.version = KERNEL_6_1;
	snprintf(require_about, sizeof require_about, "%s, %s, %u entries, %u addresses", s.backend,
		 fdb_dump_words[s.options.fdb_dump], s.entries, s.addresses);
	box_play(s.backend, &s.options, play, &s);
}

/* Each entry once, whatever fits into a datagram */

static void
require_all_once(const struct dump *d, const GArray *known)
{
	g_array_sort(d->items, compare_items);
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
	g_array_sort(known, compare_items);
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
			run((struct setting){.backend = variant_at(v),
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

static uint64_t
walk_visits(struct box *b, const char *table)
{
	return table_kind_probes(kernel_table(b->kernel, table_spec_by_name(table)))->walk_visits;
}

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
			run((struct setting){.backend = variant_at(v),
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

/* 'known' has the addresses in the order in which they came, as the lists do. */
static void
test_old(struct box *b, const struct setting *s, GArray *known)
{
	struct old_dump o = {.places = places_of(b), .known = known};

	for (unsigned fit = 1; fit <= known->len + 1; fit++) {
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
		require(dump_end(&d).lost == known->len - d.items->len);
		g_array_unref(d.items);
		g_array_unref(o.items);
	}
	g_array_unref(o.places);
}

START_TEST(restart_is_the_old_algorithm)
{
	for (unsigned v = 0; v < variant_count(); v++)
		for (unsigned entries = 0; entries < 60; entries += 7)
			run((struct setting){.backend = variant_at(v),
					     .entries = entries,
					     .addresses = entries % 5,
					     .options = {.fdb_dump = FDB_DUMP_RESTART},
					     .test = test_old});
}
END_TEST

/* Entries come and go between datagrams */

#define CHURN_ADDRS 24 /* few, so that they collide */

/* One entry of the bridge, from when it came to when it went. */
struct life {
	struct item item;
	const char *port; /* of the bridge's: which it lies behind; null: not known */
	bool whole;       /* it was there when the dump began */
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

		if (!life->ended && compare_items(&life->item, item) == 0)
			return life;
	}
	return NULL;
}

static void
come(struct churn *c, const struct item *item, const char *port)
{
	struct life life = {.item = *item, .port = port};

	g_array_append_val(c->lives, life);
	c->changed = true;
}

static void
go(struct churn *c, struct life *life)
{
	life->ended = true;
	c->changed = true;
}

static void
move(struct churn *c, struct life *life, const char *port)
{
	life->port = port;
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
		int err = box_fdb_replace(c->box, port, addr, 1, NUD_PERMANENT, NTF_MASTER);

		ck_assert_int_eq(err, 0);
		if (!life)
			come(c, &item, port);
		else
			move(c, life, port);
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
		come(c, &item, NULL);
	else if (life && box_fdb_del(c->box, dev, addr, 0, NTF_SELF) == 0)
		go(c, life);
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
		told += compare_items(&g_array_index(d->items, struct item, i), item) == 0;
	return told;
}

static unsigned
times_lived(const struct churn *c, const struct item *item)
{
	unsigned lived = 0;

	for (unsigned i = 0; i < c->lives->len; i++)
		lived += compare_items(&g_array_index(c->lives, struct life, i).item, item) == 0;
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
			rng_below(&c->rng, 3) ? change_entry(c) : change_address(c);
	}
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
	g_array_unref(d.items);
}

static void
test_churn(struct box *b, const struct setting *s, GArray *known)
{
	for (uint64_t seed = 0; seed < 150; seed++)
		churn_once(b, s, known, seed);
}

static void
churn(enum fdb_dump_algorithm algorithm)
{
	for (unsigned v = 0; v < variant_count(); v++)
		for (unsigned entries = 0; entries <= CHURN_ADDRS; entries += CHURN_ADDRS / 2)
			run((struct setting){.backend = variant_at(v),
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
	Suite *suite = suite_create("dump");
	TCase *tcase = tcase_create("dump");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, resume_tells_each_once);
	tcase_add_test(tcase, cursor_tells_each_once);
	tcase_add_test(tcase, counted_walks_are_literal_ones);
	tcase_add_test(tcase, restart_is_the_old_algorithm);
	tcase_add_test(tcase, cursor_loses_nothing_in_churn);
	tcase_add_test(tcase, losses_in_churn_are_reported);
	suite_add_tcase(suite, tcase);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
