/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backend.h - what a data structure must provide to be a table.
 *
 * A backend is a class: one constant, no state of its own.  A table is an
 * instance.  README.md in this folder is the guide for adding one.
 *
 * Rules, all of them checked by tests/conformance.c:
 *
 *   - A backend links the 'node_size' bytes that table_node() returns for an
 *     element; it gets fresh elements from table_elem_new() and never frees one.
 *   - A backend never calls the model.  It compares with key_compare() and
 *     hashes with table_hash(); both are inline.  The one indirect call per
 *     operation is the one that entered it.
 *   - Every node read by a lookup is a visit, every key compared a compare,
 *     every link written a write (probe.h; README.md says what a link is).  A
 *     shortcut may find the answer in another way, but must count what the
 *     modelled structure would have done, and a test must prove both equal.
 *   - Memory that readers may still see is given to rcu_defer().
 *   - Nothing depends on addresses, time or a global: same calls, same counts.
 *   - All-zero state is an empty table. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cursor;
struct key;
struct table;

/* Promises.  What a backend can do is said by the functions it provides. */
enum backend_property {
	BACKEND_INSERT_ORDER = 1 << 0, /* its node is an order_link in order of insertion */
	BACKEND_KEY_ORDER = 1 << 1,    /* next() walks by ascending key */
	BACKEND_RCU_READERS = 1 << 2,  /* find() and next() may run beside one writer */
	BACKEND_BY_HASH = 1 << 3,      /* find_any() needs one hash for all of an address */
};

/* One value that --backend=NAME:param=value sets: a number within bounds or,
 * where 'words' is given, one of these words (the value is its index). */
struct backend_param {
	const char *name, *help;
	uint64_t fallback, min, max;
	bool power_of_two;
	const char *const *words; /* null-terminated */
};

#define BACKEND_MAX_PARAMS 4
#define BACKEND_STATE_SIZE 32 /* sizeof table.state */

struct backend {
	const char *name;
	const char *summary; /* one line for 'sim list backends' */
	unsigned properties; /* of enum backend_property */
	size_t node_size;    /* bytes inside each element ... */
	size_t node_bytes;   /* ... and how many of them the modelled structure needs */
	size_t state_size;   /* bytes inside each table; at most BACKEND_STATE_SIZE */
	struct backend_param params[BACKEND_MAX_PARAMS]; /* ends at the first without a name */

	/* Required. */

	/* The element with exactly this key, or null. */
	void *(*find)(struct table *, const struct key *);

	/* The element that has this key, or else links 'fresh' (its key is set
	 * already; null: table_elem_new()) and sets *created.  Where the spec says 'push'
	 * none has it, and only what has to find the place of a key needs to search. */
	void *(*add)(struct table *, const struct key *, void *fresh, bool *created);

	void (*unlink)(struct table *, void *elem);

	/* The element after the cursor in the backend's own cheapest order, whatever
	 * the spec's; keeps the promise of table_next_own(), and sets the cursor's
	 * chain if there is more than one.  table.c counts the walk. */
	void *(*next)(struct table *, struct cursor *);

	/* table_match(): the next element with this address behind 'after' - null: the
	 * first - in the structure's own order where that is newest first or by rising
	 * subkey.  A visit and a compare for each node read. */
	void *(*match)(struct table *, const struct key *, const void *after);

	/* Empties the structure: table_elem_release() for each element, in an
	 * order that does not depend on addresses, frees what it allocated, and
	 * leaves its state all zero.  Counts nothing.  Also called when the last
	 * element was unlinked: an empty table owns no memory. */
	void (*clear)(struct table *);

	/* Optional.  Null means that table.c scans the order, and counts it. */

	/* The oldest element with this address, whatever its subkey: the one with
	 * the lowest table_seq().  Only asked of tables that have an order and, with
	 * BACKEND_BY_HASH, that are not hashed by TABLE_HASH_KEY. */
	void *(*find_any)(struct table *, const struct key *);

	/* Of backends with BACKEND_INSERT_ORDER, for TABLE_SORTED tables: puts an element
	 * whose key nobody has where its link's seq says (order_insert()), and counts
	 * the nodes that it reads.  The others' add() does. */
	void (*insert)(struct table *, void *fresh);

	/* Optional.  Null means unlink(), then add() under the new key (and back, if
	 * that one is taken).  That does not do where the new link's place says
	 * when an element came: with BACKEND_INSERT_ORDER, or where next() looks.
	 *
	 * False, and nothing is changed, if another element has that key.  The
	 * search is among the others: the element's own node is no visit. */
	bool (*rekey)(struct table *, void *elem, const struct key *);

	/* Optional.  Null means that there is nothing to choose: a structure of buckets
	 * whose number the model may raise.  How many they are; make them this power of
	 * two; does this element, which has just come, share its bucket? */
	uint32_t (*size)(const struct table *);
	void (*resize)(struct table *, uint32_t buckets, void *const *elems); /* table.h */
	bool (*crowded)(const struct table *, const void *elem);

	/* Optional.  Null means there is nothing. */

	/* Beside state and nodes, as the modelled structure would need it now.  A
	 * backend whose figure changes adds the change to kind->backend_bytes. */
	size_t (*bytes)(const struct table *);
	void (*check)(const struct table *); /* asserts its invariants */
};

/* A backend with its parameters: "hash:buckets=64" parsed. */
struct backend_choice {
	const struct backend *backend;
	uint64_t param[BACKEND_MAX_PARAMS];
};

/* The registry, sorted by name; made by meson from the list of files. */
unsigned backend_count(void);
const struct backend *backend_at(unsigned);
const struct backend *backend_by_name(const char *name); /* or null */

/* Parses "NAME[:param=value[,param=value]...]".  On failure says what would be
 * right (domain BACKEND_ERROR) and leaves *choice alone. */
bool backend_parse(const char *text, struct backend_choice *choice, GError **error);

/* The shortest text that backend_parse() turns into the same choice. */
char *backend_choice_text(const struct backend_choice *);

#define BACKEND_ERROR (backend_error_quark())
GQuark backend_error_quark(void);

enum backend_error {
	BACKEND_ERROR_UNKNOWN, /* no such backend, parameter or word */
	BACKEND_ERROR_RANGE,   /* a value out of bounds */
	BACKEND_ERROR_SYNTAX,  /* not of the form NAME[:param=value[,param=value]...] */
};

/* For a backend's last lines:  BACKEND(rbtree) = { .name = "rbtree", ... };
 * The symbol is the name with '_' for '-'. */
#define BACKEND(name) const struct backend backend_##name
