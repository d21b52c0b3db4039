/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump-steps.h - dumps of forwarding databases that a test takes step by step, and
 * the box that they are taken of: a bridge with three ports, the middle one without
 * entries of its own, and a device that is no port, all with addresses.
 *
 * The reference is a list of entries that the test keeps itself. */
#pragma once

#include "box.h"
#include "require.h"
#include "variants.h"

#define ENTRY_BYTES 76 /* the largest message: of a bridge's entry with a VLAN */
#define PORTS       3

extern const char *const port_names[PORTS];

/* An entry as a message names it, and as the test knows it. */
struct item {
	int ifindex; /* 0 for a bridge's entry: it may move from port to port */
	uint8_t addr[ETH_ALEN];
	uint16_t vid;
	bool self;
};

int item_compare(const void *, const void *);
struct item item_make(int ifindex, const uint8_t *addr, uint16_t vid, bool self);
GArray *items_new(void);

/* The address of the bridge's entry of this number. */
void entry_addr(uint8_t addr[ETH_ALEN], unsigned n);

struct dump {
	struct box *box;
	uint64_t request[8];
	struct netlink_callback cb;
	const struct rtnl_dump *kind;
	GArray *items;    /* struct item, in the order in which they came */
	bool interrupted; /* a message said so */
};

void dump_begin(struct dump *, struct box *);
bool dump_step(struct dump *, unsigned size); /* a datagram; false: nothing more */
struct dump_record dump_end(struct dump *);   /* 'items' stays, and is the caller's */

struct setting {
	const char *backend;
	unsigned entries, addresses; /* of the bridge; of each device, in uc and in mc */
	struct kernel_options options;
	GByteArray *log; /* what a test has seen, to be compared; may be null */

	/* 'known': all that there is; the addresses in the order in which they came. */
	void (*test)(struct box *, const struct setting *, GArray *known);
};

void setting_run(struct setting);

uint64_t walk_visits(struct box *, const char *table);
