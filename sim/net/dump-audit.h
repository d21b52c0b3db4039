/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump-audit.h - what a dump delivered, laid beside what there was to deliver.
 *
 * No part of the kernel, and no part of its work: nothing here is counted.  An
 * item is one thing that a message tells of: a device, an address, an entry.  It
 * is a pair of numbers that no other item has, and that is not used again when it
 * is gone. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct dump_audit;
struct netlink_callback;
struct rtnl_dump;

/* Of one dump, once it is over; kernel.dumps. */
struct dump_record {
	const char *what;      /* "fdb", "link", "address" */
	const char *algorithm; /* "" where there is but one */
	uint64_t messages;     /* datagrams read, the last one (NLMSG_DONE) too */
	uint64_t bytes;        /* in them */
	uint64_t existing;     /* items that were there from the first datagram to the last */
	uint64_t shown;        /* messages that told of an item */
	uint64_t lost;         /* items of 'existing' that no message told of */
	uint64_t repeated;     /* messages that told of an item again */
	uint64_t restarts;     /* runs that began again at the first item */
	bool interrupted;      /* what is dumped changed in between */
};

/* A set of items in the making. */
struct dump_set {
	GArray *items;       /* struct dump_item */
	uint64_t generation; /* of all that holds them, in one number */
};

struct dump_item {
	uint64_t owner, id;
};

static inline void
dump_set_add(struct dump_set *set, uint64_t owner, uint64_t id)
{
	struct dump_item item = {owner, id};

	g_array_append_val(set->items, item);
}

/* What holds items has changed when 'generation' is another one.  Sets are equal only
 * if they were told of the same generations, in the same order. */
static inline void
dump_set_generation(struct dump_set *set, uint64_t owner, uint64_t generation)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15); /* spreads upwards */

	set->generation = ((set->generation ^ owner) * odd ^ generation) * odd;
}

/* By a dump: a message about this item is in the datagram. */
void dump_shown(struct netlink_callback *, uint64_t owner, uint64_t id);

/* By a dump: this run begins again at the first item, though others came before. */
void dump_restarted(struct netlink_callback *);

/* The reader is told that what is dumped has changed. */
void dump_interrupted(struct netlink_callback *);

/* By af-netlink.c.  The sets are taken at once, and at the end. */
struct dump_audit *dump_audit_new(const struct netlink_callback *, const struct rtnl_dump *);
void dump_audit_free(struct dump_audit *);                 /* null is allowed */
void dump_audit_read(struct dump_audit *, unsigned bytes); /* a datagram was */
void dump_audit_end(struct dump_audit *, const struct netlink_callback *);
const struct dump_record *dump_audit_record(const struct dump_audit *);
