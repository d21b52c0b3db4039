/* SPDX-License-Identifier: GPL-2.0-or-later */
/* model.h - a table too simple to be wrong: an array in order of arrival that
 * is searched from its start and closed up by memmove(). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "table/key.h"

#define MODEL_MAX 4096 /* elements that ever come */

struct model_item {
	struct key key;
	uint64_t id; /* from 1, in order of arrival, never used again */
	void *elem;
	unsigned rank; /* of sorted tables */
};

struct model {
	struct model_item items[MODEL_MAX];
	unsigned count;
	uint64_t last_id, generation;
};

/* Exactly this key or, with KEY_ANY, the oldest of the address; or null. */
struct model_item *model_find(struct model *, const struct key *);
struct model_item *model_find_id(struct model *, uint64_t id);

/* The same, before all items of its rank or a higher one. */
struct model_item *model_insert(struct model *, const struct key *, void *elem, unsigned rank);

struct model_item *model_add(struct model *, const struct key *, void *elem); /* a new key */
void model_remove(struct model *, struct model_item *);
void model_clear(struct model *);
void model_arrive(struct model *, const unsigned order[]); /* all again, in that order of places */
void model_rekey(struct model *, struct model_item *, const struct key *);
