/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.h - the lookup table as models see it.
 *
 * A table is one instance: the multicast list of one device.  A table kind is
 * what all instances of one name share in one run: the specification that the
 * model wrote, the backend that the user chose, and the probes.
 *
 * Every function here answers the same for every backend; only the probes
 * differ.  An empty table owns no memory beside its struct, whose all-zero
 * bytes after 'kind' are the valid empty state. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "table/key.h"
#include "table/probe.h"

struct backend_choice; /* backend.h */
struct rcu;            /* engine/rcu.h */

enum table_order {
	TABLE_UNORDERED,    /* whatever is cheapest for the backend; has no oldest element */
	TABLE_OLDEST_FIRST, /* list_add_tail(): dev_addr */
	TABLE_NEWEST_FIRST, /* hlist_add_head(): fdb */
	TABLE_SORTED,       /* lower ranks first, newest first within one: inet6_ifa_list */
};

/* How the kernel hashes this table's keys, for backends that hash. */
enum table_hashing {
	TABLE_HASH_MIXED,     /* all bits of the address: jhash and its like */
	TABLE_HASH_LOW_BITS,  /* the number that begins the address: ifindex & (buckets - 1) */
	TABLE_HASH_HIGH_BITS, /* hash_32() of key_of_u32(): the high bits of a product */
	TABLE_HASH_KEY,       /* all bits of address and subkey: MAC, VLAN and salt */
};

/* How one model uses one table.  A static const of the model. */
struct table_spec {
	const char *name;    /* "fdb", as it appears in --backend and in results */
	const char *about;   /* one line for 'sim list tables': what, keyed by what */
	const char *backend; /* the kernel's own structure, as --backend would say it */
	size_t elem_size;    /* sizeof the model's struct, which contains a struct key */
	size_t key_offset;   /* of that key */
	enum table_order order;
	enum table_hashing hashing;

	/* hlist_add_head(): the model knows that a key is new, so that table_add() puts the
	 * element first in its chain without a search, and is no lookup; a list is then
	 * searched from its newest element.  An address may have any number of elements,
	 * each of which must come with a lower subkey than those before it. */
	bool push;

	/* kfree_rcu(): elements that were removed can be read until a grace period has
	 * passed, whatever the backend. */
	bool kfree_rcu;
};

struct table_kind;

/* 'choice' null means the spec's own backend.  'rcu' may be null (elements are
 * then freed at once) and must outlive the kind; spec too. */
struct table_kind *table_kind_new(const struct table_spec *spec,
				  const struct backend_choice *choice, struct rcu *rcu,
				  uint64_t seed);
void table_kind_free(struct table_kind *); /* all its tables are gone; null is allowed */

const struct backend_choice *table_kind_choice(const struct table_kind *);
const struct probes *table_kind_probes(const struct table_kind *);
uint64_t table_kind_elements(const struct table_kind *); /* in all instances, now */

/* Memory of all instances as the modelled structure would need it: elements
 * with their nodes and order links, and what the backend needs beside them
 * (bucket arrays).  Counted whether or not the simulator has allocated it. */
uint64_t table_kind_bytes(const struct table_kind *);

struct order_link; /* order.h */

/* Read it, never write it; the fields belong to table.c and the backend. */
struct table {
	struct table_kind *kind;
	struct order_link *first, *last; /* oldest and newest; see order.h */
	uint64_t generation;             /* rises with each change */
	uint64_t next_seq;               /* elements that ever came: the newest one's seq */
	uint64_t gap_seq;                /* the element removed last ... */
	struct order_link *gap_next;     /* ... and the one after it */
	uint64_t state[4];               /* the backend's */
	uint32_t count;
	uint32_t buckets; /* of table_resize(); 0: as the backend has it */
};

void table_init(struct table *, struct table_kind *);
void table_fini(struct table *); /* table_clear(), and frees what the backend allocated */

/* The element with this key, or null.  With sub KEY_ANY the oldest match of
 * the address - of a TABLE_SORTED table the first; a TABLE_UNORDERED table has no
 * oldest, and must not be asked.  Where
 * hashing is TABLE_HASH_KEY a backend that hashes has to scan for it. */
void *table_find(struct table *, const struct key *);

/* The elements of an address, whatever their subkeys, one after the other: the next
 * one behind 'after', or the first (null); null at the end.  What code does that walks
 * a chain and looks closer at what fits.  Counts what the structure reads up to the
 * element returned; the first step is a lookup.  Newest first, in tables whose elements
 * are pushed and that were not rebuilt.  Not where hashing is TABLE_HASH_KEY. */
void *table_match(struct table *, const struct key *, const void *after);

/* Of a structure that has buckets and lets the model say how many: their number, else
 * 0; more of them, a power of two; and whether an element that has just come shares
 * its bucket with others. */
uint32_t table_buckets(const struct table *);
void table_resize(struct table *, uint32_t buckets); /* chains keep their order */

/* The same, but all elements are pushed into the new buckets one after the other, as
 * 'elems' has them.  The end of walks by table_next_own() that have begun. */
void table_rebuild(struct table *, uint32_t buckets, void *const *elems);
bool table_crowded(const struct table *, const void *elem);

/* Find or create in one descent: the element that now has this key.  A created
 * element is zero but for its key.  'created' may be null. */
void *table_add(struct table *, const struct key *, bool *created);

/* How a TABLE_SORTED table gets its elements, instead of by table_add(): a new one
 * before the first that has its rank or a higher one, below TABLE_RANKS.  The caller
 * knows that no element has this key, so it is no lookup; but a list reads its nodes
 * up to the place, and a tree or a hash finds where its own link goes. */
void *table_insert(struct table *, const struct key *, unsigned rank);

#define TABLE_RANKS 256

/* The element is unlinked, and freed at once or, where the backend has readers
 * beside the writer, after a grace period.  Not a lookup. */
void table_remove(struct table *, void *elem);

/* Removes all elements without looking any up.  Counts removes only. */
void table_clear(struct table *);

/* Gives 'elem' another key; it keeps its place in the order.  Returns false,
 * and changes nothing, if another element has that key.  One lookup among the
 * other elements: a hit is one with that key, a miss is success. */
bool table_rekey(struct table *, void *elem, const struct key *);

static inline uint32_t
table_count(const struct table *t)
{
	return t->count;
}

/* May readers run beside a writer (RCU), or must a lock keep them apart? */
bool table_rcu_readers(const struct table *);

void table_check(const struct table *); /* asserts all invariants; slow */

/* Where a walk or a dump stands.  A plain value of 48 bytes of state, like the
 * kernel's netlink_callback.ctx: it may sleep across any change of the table,
 * holds no reference, and needs no release.
 *
 * Promise: an element that is present from the first call to the last is
 * returned exactly once; one that comes or goes in between, at most once.  In
 * a TABLE_UNORDERED table, one whose key is changed in between counts as one
 * that goes and another that comes.  If the table changed between two calls,
 * 'interrupted' is set (NLM_F_DUMP_INTR).
 *
 * A step takes constant time unless other elements than the one returned last
 * were removed since; it then looks for its place. */
struct cursor {
	union {
		uint64_t word[6];
		struct key after; /* key-ordered backends: the last key returned */
	};
	void *hint; /* the backend's; valid only while generation is unchanged */
	uint64_t generation;
	uint32_t chain; /* table_next_own()'s */
	bool started, interrupted;
};

#define CURSOR_START ((struct cursor){.started = false})

/* The next element in the order of the spec, or null at the end. */
void *table_next(struct table *, struct cursor *);

/* The same, but in the order that is cheapest for the structure, whatever the spec
 * says: what code does that walks the structure itself.  The cursor's 'chain' is
 * then the chain of the element returned: the bucket of a hash table, 0 where the
 * structure is one chain.  A cursor belongs to one of the two walks.
 *
 * The promise is that of a TABLE_UNORDERED table. */
void *table_next_own(struct table *, struct cursor *);

/* Ends the walk of the chain that the element returned last is in. */
void table_leave_chain(struct table *, struct cursor *);

/* table_next() by somebody who only looks: nothing is counted. */
void *table_peek(struct table *, struct cursor *);

/* Counts a walk over n elements that the caller need not make, because nothing
 * has changed since it made it last. */
void table_count_walk(struct table *, uint64_t n);

/* A number that no other element of this table has or had, rising with the order
 * of arrival; and the highest one so far.  Of tables that have an order. */
uint64_t table_arrival(const struct table *, const void *elem);
uint64_t table_arrivals(const struct table *);

#define table_for_each(t, cursor, elem)                                                            \
	for (*(cursor) = CURSOR_START; ((elem) = table_next((t), (cursor))) != NULL;)
