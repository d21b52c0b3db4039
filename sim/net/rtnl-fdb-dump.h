/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rtnl-fdb-dump.h - what forwarding databases provide to be dumped, and the ways
 * to dump them: the model option fdb_dump.
 *
 * A database says which of its entries it wants to tell of, and makes a message of
 * one.  How a dump finds its place again when a datagram was full is the
 * algorithm's alone, and the same for all databases. */
#pragma once

#include "net/af-netlink.h"

enum fdb_dump_algorithm {
	/* What the kernel did until 4.8: one number, counted from the first device
	 * again for each datagram, and errors that were not passed on. */
	FDB_DUMP_RESTART,
	/* The patch of 2016-08-30 as it was posted: bucket, device and entry. */
	FDB_DUMP_RESUME_POSTED,
	/* The same as it was merged, with its remaining error fixed: Linux 4.9 to now. */
	FDB_DUMP_RESUME,
	/* No kernel's: the tables' own cursors, which survive any change. */
	FDB_DUMP_CURSOR,
};

extern const char *const fdb_dump_words[]; /* by enum fdb_dump_algorithm; null-terminated */

/* Whether walks over what was told of already are made or just counted. */
enum fdb_walk { FDB_WALK_COUNTED, FDB_WALK_LITERAL };

extern const char *const fdb_walk_words[]; /* by enum fdb_walk; null-terminated */

/* One run of the dump. */
struct fdb_dump {
	struct skb *skb;
	struct netlink_callback *cb;
	enum fdb_dump_algorithm algorithm;
	uint64_t idx;    /* number of the entry that is next */
	uint64_t marker; /* those below it were told of by earlier runs */
	int error;       /* what FDB_DUMP_RESTART keeps beside the results */
};

/* A table of entries, and what a dump wants to know of one. */
struct fdb_source {
	struct table *table;
	const struct net_device *dev;    /* whose it is */
	const struct net_device *filter; /* only entries behind this port; may be null */
	uint64_t owner;                  /* for the audit: fdb_source_owner() */
	bool own_order;   /* the kernel walks the structure itself, not a list beside it */
	bool chain_break; /* until 4.8 a full datagram ended the walk of one chain only */

	/* Is the element of this dump?  Null: all are. */
	bool (*wanted)(const struct fdb_source *, const void *elem);

	/* How many messages it makes, at least one.  Null: 1. */
	unsigned (*parts)(const struct fdb_source *, const void *elem);

	/* Builds one: 0, or -EMSGSIZE and the skb is unchanged. */
	int (*fill)(struct fdb_dump *, const struct fdb_source *, const void *elem, unsigned part);

	/* For the audit: a number above 0 that no other item of the table has or had.
	 * Null: table_arrival(). */
	uint64_t (*id)(const struct fdb_source *, const void *elem, unsigned part);

	/* Where there are parts, id rises from part to part, elem_id tells elements
	 * apart in the same way. */
	uint64_t (*elem_id)(const struct fdb_source *, const void *elem);
	const struct key *(*key)(const void *elem);

	/* Rises with what changes the dump, but not the table: parts that come and
	 * go, an element that is wanted from now on. */
	uint64_t changes;
};

/* By fill: nlmsg_end(), and says so in the message if the dump was interrupted. */
int fdb_dump_end(struct fdb_dump *, struct nlmsg *);

/* Tells of what the source has, from where the dump stands.  0, -EMSGSIZE. */
int fdb_dump_table(struct fdb_dump *, const struct fdb_source *);

/* For an fdb_each function of a link kind: all items of a source, uncounted. */
void fdb_source_each(const struct fdb_source *, struct dump_set *);

enum fdb_source_list { FDB_SOURCE_OWN, FDB_SOURCE_UC, FDB_SOURCE_MC };

/* Not by ifindex: another device may get that. */
static inline uint64_t
fdb_source_owner(const struct net_device *dev, enum fdb_source_list list)
{
	return dev->index_seq << 2 | list;
}

/* The address lists of a device, which are the database of one that has none. */
int ndo_dflt_fdb_dump(struct fdb_dump *, struct net_device *);
void ndo_dflt_fdb_each(struct net_device *, struct dump_set *);
