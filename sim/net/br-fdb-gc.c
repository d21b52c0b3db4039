/* SPDX-License-Identifier: GPL-2.0-or-later */
/* br-fdb-gc.c - entries of a bridge's forwarding database that grow old.
 *
 * Models br_fdb_cleanup() of net/bridge/br_fdb.c (Linux 5.10 and 6.1): a work item
 * looks at all entries, removes those that have not been heard of for the ageing
 * time, and comes again when the next one is due.  The kernel's comes at least once
 * in that time; here it does not come while no entry can grow old.  It comes when it
 * is due, and not up to 16 s late, as after minutes of the kernel's timer wheel. */
#include "net/bridge.h"

#define CLEANUP_MIN_PS (10 * PS_PER_MS) /* between two passes */
#define CLOCK_TICK_PS  (PS_PER_S / 100) /* user space has 100 ticks a second */

static bool
ages(const struct net_bridge_fdb_entry *f)
{
	return !(f->flags & (BR_FDB_STATIC | BR_FDB_ADDED_BY_EXT_LEARN));
}

static uint64_t
age_of(const struct net_bridge *br, const struct net_bridge_fdb_entry *f)
{
	return engine_now(br->dev->kernel->engine) - f->updated;
}

bool
br_fdb_has_expired(const struct net_bridge *br, const struct net_bridge_fdb_entry *f)
{
	return ages(f) && age_of(br, f) >= br->ageing_ps;
}

static void
set_timer(struct net_bridge *br, uint64_t delay)
{
	struct engine *e = br->dev->kernel->engine;

	timer_set(e, &br->gc_timer, engine_now(e) + MIN(delay, UINT64_MAX - engine_now(e)));
}

static void
gc_due(void *data)
{
	struct net_bridge *br = data;

	work_queue(br_gc_queue(br->dev->kernel), &br->gc_work);
}

static void
br_fdb_cleanup(void *data)
{
	struct net_bridge *br = data;
	struct net_bridge_fdb_entry *f;
	struct cursor cursor;
	uint64_t delay = UINT64_MAX;

	DEV_ENTER(br->dev, "br_fdb_cleanup");
	table_for_each (&br->fdb, &cursor, f) {
		if (!ages(f))
			continue;
		if (br_fdb_has_expired(br, f))
			fdb_delete(br, f);
		else
			delay = MIN(delay, br->ageing_ps - age_of(br, f));
	}
	if (delay != UINT64_MAX)
		set_timer(br, MAX(delay, CLEANUP_MIN_PS));
}

void
br_fdb_gc_init(struct net_bridge *br)
{
	timer_init(&br->gc_timer, "br_fdb_cleanup", gc_due, br);
	work_init(&br->gc_work, "br_fdb_cleanup", br_fdb_cleanup, br);
}

void
br_fdb_gc_fini(struct net_bridge *br)
{
	timer_cancel(br->dev->kernel->engine, &br->gc_timer);
	work_cancel(&br->gc_work);
}

void
br_fdb_gc_expect(struct net_bridge *br)
{
	if (!timer_pending(&br->gc_timer) && !work_pending(&br->gc_work))
		set_timer(br, MAX(br->ageing_ps, CLEANUP_MIN_PS));
}

void
br_set_ageing_time(struct net_bridge *br, uint32_t clock_ticks)
{
	br->ageing_ps = MIN(clock_ticks, UINT64_MAX / CLOCK_TICK_PS) * CLOCK_TICK_PS;
	if (timer_pending(&br->gc_timer))
		set_timer(br, 0);
}
