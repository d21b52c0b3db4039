/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unread-saddr.c - saddr.c without its read sections: an error, made for
 * saddr-churn-test.c. */
#include "engine/rcu.h"

#define rcu_read_lock(r)   ((void)(r))
#define rcu_read_unlock(r) ((void)(r))
#include "../saddr.c"
