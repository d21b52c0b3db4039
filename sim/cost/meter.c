/* SPDX-License-Identifier: GPL-2.0-or-later */
/* meter.c - the price of what was done since the meter was last read.
 *
 * Each counter that has a price is one item: taking a reading is a walk over a
 * few dozen integers, and all sums are integers of picoseconds, so that it does
 * not matter how often the meter is read. */
#include <string.h>

#include "backend.h"
#include "cost/machine-impl.h"

struct meter_item {
	const uint64_t *counter;
	uint64_t seen; /* its value at the last reading */
	uint64_t ps;   /* the price of one */
};

struct meter {
	GArray *items; /* struct meter_item */
};

static void
add_item(struct meter *m, const uint64_t *counter, uint64_t ps)
{
	struct meter_item item = {.counter = counter, .seen = *counter, .ps = ps};

	if (ps > 0)
		g_array_append_val(m->items, item);
}

struct meter *
meter_new(const struct machine *machine, struct table_kind *const *kinds, unsigned count,
	  const struct calls *calls)
{
	struct meter *m = g_new0(struct meter, 1);

	m->items = g_array_new(FALSE, FALSE, sizeof(struct meter_item));
	for (unsigned i = 0; i < count; i++) {
		const char *probes = (const char *)table_kind_probes(kinds[i]);
		const char *backend = table_kind_choice(kinds[i])->backend->name;

		for (const struct probe_name *p = machine_probes; p->name; p++)
			add_item(m, (const uint64_t *)(probes + p->offset),
				 machine_operation_ps(machine, p->offset, backend));
	}
	for (unsigned i = 0; i < machine->calls->len; i++) {
		const struct call_price *c = &g_array_index(machine->calls, struct call_price, i);

		/* The names of calls live as long as the program. */
		add_item(m, &calls->count[call_number(g_intern_string(c->function))], c->ps);
	}
	return m;
}

void
meter_free(struct meter *m)
{
	if (!m)
		return;
	g_array_unref(m->items);
	g_free(m);
}

/* sum + count * ps; no more than UINT64_MAX, which is beyond the end of time. */
static uint64_t
add_price(uint64_t sum, uint64_t count, uint64_t ps)
{
	uint64_t price;

	if (__builtin_mul_overflow(count, ps, &price) || __builtin_add_overflow(sum, price, &sum))
		return UINT64_MAX;
	return sum;
}

uint64_t
meter_take(void *meter)
{
	const struct meter *m = meter;
	struct meter_item *items = (struct meter_item *)(void *)m->items->data;
	uint64_t sum = 0;

	for (unsigned i = 0; i < m->items->len; i++) {
		uint64_t now = *items[i].counter;

		sum = add_price(sum, now - items[i].seen, items[i].ps);
		items[i].seen = now;
	}
	return sum;
}
