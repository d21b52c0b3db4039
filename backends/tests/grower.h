/* SPDX-License-Identifier: GPL-2.0-or-later */
/* grower.h - a growing and shrinking hash table of numbers to compare counts with,
 * written as unlike rhashtable.c as the rules allow: no chains and no buckets, but
 * elements with stamps.  The higher the stamp, the nearer to the head of its chain;
 * a chain are those whose numbers have the same remainder. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define GROWER_MAX 2048

struct grower_item {
	uint32_t number;
	uint64_t stamp;
};

struct grower {
	struct grower_item items[GROWER_MAX];
	uint32_t count;
	uint32_t size;               /* a power of two, to 4096 */
	uint32_t first, least, most; /* sizes: when empty, and the bounds */
	bool shrinks;
	uint64_t stamps;
	uint64_t moves; /* so far */
};

/* Elements read by a search for the number: up to it, or all of its chain. */
uint32_t grower_visits(const struct grower *, uint32_t number, bool *found);

void grower_insert(struct grower *, uint32_t number); /* not there yet */
void grower_remove(struct grower *, uint32_t number); /* there */
