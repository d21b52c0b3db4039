/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spin.h - locks and counts whose users are busy while they wait.
 *
 * Each has a cache line, and belongs to a class that sums up what lock_stat shows: all
 * locks of one name.  A task that holds one must not block; it may take RTNL before, but
 * not within.  They also exclude each other where lines cost nothing; then a lock that
 * nobody waits for is no moment at which others run. */
#pragma once

#include "engine/cacheline.h"
#include "engine/lock.h"

/* Waits are all time between asking and having, for the line, too; contended are those
 * that had to wait for another holder. */
struct lock_class {
	char *name;
	struct lock_stats stats;
};

/* The class of that name, made when it is new; the engine's. */
struct lock_class *lock_class(struct engine *, const char *name);
unsigned lock_class_count(const struct engine *);
struct lock_class *lock_class_at(const struct engine *, unsigned); /* in the order of making */
void lock_class_forget_maxima(struct lock_class *);                /* they are from now on */

/* How those who wait are told that a lock is free. */
enum spinlock_kind {
	SPINLOCK_QUEUED, /* each waits at a word of its own: one line goes to the next one */
	SPINLOCK_TICKET, /* all read the lock's word: on average half of them before the next */
};

/* First come, first served.  The fini functions assert that nobody holds it. */
struct spinlock {
	struct lock_class *class;
	struct cacheline line;
	enum spinlock_kind kind;
	struct task *holder;
	struct wait_queue waiters;
	unsigned waiting;
	unsigned from;  /* the CPU that had it before */
	uint64_t since; /* when the holder got it */
};

void spinlock_init(struct spinlock *, struct lock_class *, struct engine *, enum spinlock_kind);
void spinlock_fini(struct spinlock *);
void spin_lock(struct spinlock *);
void spin_unlock(struct spinlock *);

/* The kernel's queued rwlock: readers count themselves in the lock's word, and beside
 * each other; who finds a writer in it, or somebody who waits, waits in a queue. */
struct rwlock {
	struct lock_class *class;
	struct cacheline line;
	unsigned readers;
	struct task *writer;
	struct wait_queue waiters;
	uint64_t since; /* when 'readers' or the writer changed last */
};

void rwlock_init(struct rwlock *, struct lock_class *, struct engine *);
void rwlock_fini(struct rwlock *);
void read_lock(struct rwlock *);
void read_unlock(struct rwlock *);
void write_lock(struct rwlock *);
void write_unlock(struct rwlock *);

/* Writers are kept apart by a lock of their own.  A reader begins when none is at work,
 * and starts again if one has been. */
struct seqcount {
	struct cacheline line;
	unsigned sequence;
	struct wait_queue waiters;
};

void seqcount_init(struct seqcount *, struct engine *);
void seqcount_fini(struct seqcount *);
unsigned read_seqcount_begin(struct seqcount *);
bool read_seqcount_retry(struct seqcount *, unsigned sequence);
void write_seqcount_begin(struct seqcount *);
void write_seqcount_end(struct seqcount *);

/* How it is changed. */
enum refcount_kind {
	REFCOUNT_ATOMIC, /* in one operation: Linux since 5.4 */
	REFCOUNT_FULL,   /* read, then compared and swapped, until nobody was faster: the checked
			    functions of Linux 4.11 to 5.3, CONFIG_REFCOUNT_FULL */
};

/* Acquisitions of its class are changes. */
struct refcount {
	struct lock_class *class;
	struct cacheline line;
	enum refcount_kind kind;
	int refs;
};

void refcount_init(struct refcount *, struct lock_class *, struct engine *, enum refcount_kind,
		   int refs);
void refcount_add(struct refcount *, int);
bool refcount_inc_not_zero(struct refcount *);      /* false: it is 0, and stays so */
bool refcount_sub_and_test(struct refcount *, int); /* true: it is 0 now */
