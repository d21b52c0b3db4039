/* SPDX-License-Identifier: GPL-2.0-or-later */
/* textbook-tree.h - a red-black tree to compare counts with, written as unlike
 * rbtree.c as the algorithm allows: recursive, no parents, nodes numbered in an
 * array, a removed node's key overwritten by its successor's.  The shape of a
 * red-black tree is the algorithm's, so both must agree on every depth. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define TEXTBOOK_MAX 2048

struct textbook_node {
	uint32_t key;
	unsigned child[2]; /* 0: none */
	bool red;
};

struct textbook_tree {
	struct textbook_node nodes[TEXTBOOK_MAX + 1];
	unsigned root, used, spare; /* 'spare' heads a list of removed ones, by child[0] */
	unsigned rotations;         /* so far */
};

/* Nodes read until the key, or the place for it, is found. */
unsigned textbook_depth(const struct textbook_tree *, uint32_t key, bool *found);

void textbook_insert(struct textbook_tree *, uint32_t key); /* not there yet */
void textbook_remove(struct textbook_tree *, uint32_t key); /* there */
