/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rcu-list.c - the list of list.c with readers beside one writer, as Linux's
 * list_add_tail_rcu() and list_del_rcu() allow.
 *
 * What makes it so: a link that is taken out keeps its own pointers, so that a
 * reader who stands on it finds the way on (order.c), and its memory waits for
 * a grace period (table.c, because of the property). */
#include "list.h"

#include "table/table-impl.h"

BACKEND(rcu_list) = {
	.name = "rcu-list",
	.summary = "doubly linked list, oldest first; RCU readers beside one writer",
	.properties = BACKEND_INSERT_ORDER | BACKEND_RCU_READERS,
	LIST_OPERATIONS,
};
