/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record.c - what a phase added: the kernel's counters before and after it. */
#include "scenario/record.h"

#include <string.h>

#include "backend.h"
#include "engine/spin.h"

struct record {
	struct probes *probes; /* by number of the table's spec */
	uint64_t calls[CALLS_MAX];
	struct lock_stats rtnl;
	GArray *classes; /* struct lock_stats, in the engine's order; there may be more now */
	struct rcu_stats rcu;
};

struct record *
record_begin(struct kernel *k)
{
	struct record *r = g_new0(struct record, 1);

	r->probes = g_new0(struct probes, table_spec_count());
	for (unsigned n = 0; n < table_spec_count(); n++)
		r->probes[n] = *table_kind_probes(k->table_kinds[n]);
	memcpy(r->calls, k->calls.count, sizeof r->calls);
	mutex_forget_maxima(&k->rtnl);
	rcu_forget_maxima(k->rcu);
	r->rtnl = k->rtnl.stats;
	r->classes = g_array_new(FALSE, FALSE, sizeof(struct lock_stats));
	for (unsigned n = 0; n < lock_class_count(k->engine); n++) {
		lock_class_forget_maxima(lock_class_at(k->engine, n));
		g_array_append_val(r->classes, lock_class_at(k->engine, n)->stats);
	}
	r->rcu = *rcu_stats(k->rcu);
	g_array_set_size(k->dumps, 0);
	g_array_set_size(k->traffic, 0);
	return r;
}

void
record_free(struct record *r)
{
	g_free(r->probes);
	g_array_unref(r->classes);
	g_free(r);
}

static struct probes
probes_gained(const struct probes *now, const struct probes *then)
{
	struct probes gained;

#define X(name, help) gained.name = now->name - then->name;
	PROBE_LIST(X)
#undef X
	return gained;
}

static void
add_tables(const struct record *r, struct kernel *k, struct phase_result *phase)
{
	for (unsigned n = 0; n < table_spec_count(); n++) {
		const struct table_kind *kind = k->table_kinds[n];
		struct table_result t = {
			.name = g_strdup(table_spec_at(n)->name),
			.backend = backend_choice_text(table_kind_choice(kind)),
			.probes = probes_gained(table_kind_probes(kind), &r->probes[n]),
			.elements = table_kind_elements(kind),
			.bytes = table_kind_bytes(kind),
		};

		g_array_append_val(phase->tables, t);
	}
}

static int
compare_calls(const void *a, const void *b)
{
	const struct call_result *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void
add_calls(const struct record *r, const struct kernel *k, struct phase_result *phase)
{
	for (unsigned n = 1; n < call_names(); n++) {
		struct call_result c = {call_name(n), k->calls.count[n] - r->calls[n]};

		if (c.count > 0)
			g_array_append_val(phase->calls, c);
	}
	g_array_sort(phase->calls, compare_calls);
}

static struct lock_stats
lock_gained(const struct lock_stats *now, const struct lock_stats *then)
{
	return (struct lock_stats){.acquisitions = now->acquisitions - then->acquisitions,
				   .contended = now->contended - then->contended,
				   .wait_ps = now->wait_ps - then->wait_ps,
				   .wait_max_ps = now->wait_max_ps,
				   .hold_ps = now->hold_ps - then->hold_ps,
				   .hold_max_ps = now->hold_max_ps,
				   .transfers = now->transfers - then->transfers};
}

static int
compare_locks(const void *a, const void *b)
{
	const struct lock_result *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* RTNL, and classes of which a lock was taken. */
static void
add_locks(const struct record *r, struct kernel *k, struct phase_result *phase)
{
	struct lock_result l = {g_intern_string(k->rtnl.name),
				lock_gained(&k->rtnl.stats, &r->rtnl)};

	g_array_append_val(phase->locks, l);
	for (unsigned n = 0; n < lock_class_count(k->engine); n++) {
		const struct lock_class *class = lock_class_at(k->engine, n);
		struct lock_stats none = {0};
		const struct lock_stats *then =
			n < r->classes->len ? &g_array_index(r->classes, struct lock_stats, n)
					    : &none;

		l.name = g_intern_string(class->name);
		l.stats = lock_gained(&class->stats, then);
		if (l.stats.acquisitions > 0)
			g_array_append_val(phase->locks, l);
	}
	g_array_sort(phase->locks, compare_locks);
}

static void
add_rcu(const struct record *r, const struct kernel *k, struct phase_result *phase)
{
	phase->rcu = *rcu_stats(k->rcu);
	phase->rcu.read_sections -= r->rcu.read_sections;
	phase->rcu.grace_periods -= r->rcu.grace_periods;
	phase->rcu.deferred -= r->rcu.deferred;
	phase->rcu.synchronize_calls -= r->rcu.synchronize_calls;
}

/* Those that ended in the phase; the kernel needs them no more. */
static void
take_dumps(struct kernel *k, struct phase_result *phase)
{
	for (unsigned n = 0; n < k->dumps->len; n++)
		phase_result_add_dump(phase, &g_array_index(k->dumps, struct dump_record, n));
	g_array_set_size(k->dumps, 0);
}

static void
take_traffic(struct kernel *k, struct phase_result *phase)
{
	g_array_append_vals(phase->traffic, k->traffic->data, k->traffic->len);
	g_array_set_size(k->traffic, 0);
}

void
record_end(const struct record *r, struct kernel *k, struct phase_result *phase)
{
	add_tables(r, k, phase);
	add_calls(r, k, phase);
	add_locks(r, k, phase);
	add_rcu(r, k, phase);
	take_dumps(k, phase);
	take_traffic(k, phase);
}
