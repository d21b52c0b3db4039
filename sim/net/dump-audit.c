/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump-audit.c - compares what a dump delivered with what there was. */
#include "net/dump-audit.h"

#include "net/af-netlink.h"

struct dump_audit {
	const struct rtnl_dump *dump;
	struct dump_record record;
	struct dump_set before, shown;
};

static struct dump_set
set_new(void)
{
	return (struct dump_set){.items = g_array_new(FALSE, FALSE, sizeof(struct dump_item))};
}

static void
set_clear(struct dump_set *set)
{
	g_array_unref(set->items);
}

static int
compare_items(const void *a, const void *b)
{
	const struct dump_item *x = a, *y = b;

	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* All that there is now, sorted. */
static struct dump_set
set_of_now(const struct netlink_callback *cb, const struct rtnl_dump *dump)
{
	struct dump_set set = set_new();

	if (dump->each)
		dump->each(cb, &set);
	g_array_sort(set.items, compare_items);
	return set;
}

struct dump_audit *
dump_audit_new(const struct netlink_callback *cb, const struct rtnl_dump *dump)
{
	struct dump_audit *a = g_new0(struct dump_audit, 1);

	a->dump = dump;
	a->record.what = dump->what;
	a->record.algorithm = dump->algorithm ? dump->algorithm(cb->net) : "";
	a->before = set_of_now(cb, dump);
	a->shown = set_new();
	return a;
}

void
dump_audit_free(struct dump_audit *a)
{
	if (!a)
		return;
	set_clear(&a->before);
	set_clear(&a->shown);
	g_free(a);
}

void
dump_shown(struct netlink_callback *cb, uint64_t owner, uint64_t id)
{
	if (!cb->audit)
		return;
	cb->audit->record.shown++;
	dump_set_add(&cb->audit->shown, owner, id);
}

void
dump_restarted(struct netlink_callback *cb)
{
	if (cb->audit)
		cb->audit->record.restarts++;
}

void
dump_interrupted(struct netlink_callback *cb)
{
	if (cb->audit)
		cb->audit->record.interrupted = true;
}

void
dump_audit_read(struct dump_audit *a, unsigned bytes)
{
	a->record.messages++;
	a->record.bytes += bytes;
}

/* The place of the first item that is not before 'item'; *at only moves forward. */
static bool
advance_to(const GArray *items, unsigned *at, const struct dump_item *item)
{
	while (*at < items->len &&
	       compare_items(&g_array_index(items, struct dump_item, *at), item) < 0)
		++*at;
	return *at < items->len &&
	       compare_items(&g_array_index(items, struct dump_item, *at), item) == 0;
}

static uint64_t
count_repeated(const GArray *shown)
{
	uint64_t repeated = 0;

	for (unsigned i = 1; i < shown->len; i++)
		repeated += compare_items(&g_array_index(shown, struct dump_item, i - 1),
					  &g_array_index(shown, struct dump_item, i)) == 0;
	return repeated;
}

static bool
sets_equal(const struct dump_set *a, const struct dump_set *b)
{
	if (a->generation != b->generation || a->items->len != b->items->len)
		return false;
	for (unsigned i = 0; i < a->items->len; i++)
		if (compare_items(&g_array_index(a->items, struct dump_item, i),
				  &g_array_index(b->items, struct dump_item, i)) != 0)
			return false;
	return true;
}

static void
compare_sets(struct dump_audit *a, const struct dump_set *after)
{
	unsigned in_after = 0, in_shown = 0;

	g_array_sort(a->shown.items, compare_items);
	a->record.repeated = count_repeated(a->shown.items);
	for (unsigned i = 0; i < a->before.items->len; i++) {
		const struct dump_item *item = &g_array_index(a->before.items, struct dump_item, i);

		if (!advance_to(after->items, &in_after, item))
			continue;
		a->record.existing++;
		a->record.lost += !advance_to(a->shown.items, &in_shown, item);
	}
	a->record.interrupted |= !sets_equal(&a->before, after);
}

void
dump_audit_end(struct dump_audit *a, const struct netlink_callback *cb)
{
	struct dump_set after = set_of_now(cb, a->dump);

	compare_sets(a, &after);
	set_clear(&after);
}

const struct dump_record *
dump_audit_record(const struct dump_audit *a)
{
	return &a->record;
}
