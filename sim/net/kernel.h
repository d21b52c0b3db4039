/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.h - one simulated kernel: its namespaces, locks, queues and tables. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "engine/lock.h"
#include "engine/random.h"
#include "engine/rcu.h"
#include "engine/work.h"
#include "net/calls.h"
#include "net/module.h"
#include "table/table.h"

/* Build and version of the modelled kernel: what a scenario's "kernel" sets. */
struct kernel_options {
	unsigned version;      /* KERNEL_5_10 or KERNEL_6_1: whose functions exist by which name */
	bool gvrp, mvrp;       /* CONFIG_VLAN_8021Q_GVRP, _MVRP */
	unsigned fdb_dump;     /* enum fdb_dump_algorithm */
	unsigned fdb_walk;     /* enum fdb_walk */
	unsigned skb;          /* enum netlink_skb */
	unsigned xfrmi_decode; /* enum xfrmi_decode */
	unsigned xfrm_dump;    /* enum xfrm_dump */
	unsigned xfrm_policy_insert; /* enum xfrm_policy_insert */
	unsigned saddr;              /* enum saddr_step */
};

#define KERNEL_VERSION(major, minor) ((major)*1000u + (minor))
#define KERNEL_5_10                  KERNEL_VERSION(5, 10)
#define KERNEL_6_1                   KERNEL_VERSION(6, 1)

struct kernel {
	struct engine *engine;
	struct rcu *rcu;
	struct kernel_options options;
	struct rng rng; /* MAC addresses, DAD delays */
	struct mutex rtnl;
	GPtrArray *workqueues;    /* all that kernel_workqueue() made */
	struct workqueue *events; /* system_wq: linkwatch */
	struct calls calls;
	GArray *dumps;   /* struct dump_record: those that have ended, in order */
	GArray *traffic; /* struct traffic_record: likewise */

	struct net *nets, *nets_last; /* in order of creation */
	struct net *init_net;
	void **module_state;             /* by number of the module */
	struct table_kind **table_kinds; /* by number of the spec: table_spec_at() */

	/* What cleanup_net has to do, and who waits for it. */
	struct net *dead_nets, *dead_nets_last;
	struct workqueue *netns_wq;
	struct work netns_work;
	bool netns_busy;
	struct wait_queue netns_gone;

	struct net_device *todo; /* unregistered devices, freed when RTNL is dropped */

	/* link-watch.c */
	struct net_device *linkwatch_first, *linkwatch_last;
	struct work linkwatch_work;
	uint64_t linkwatch_next_event;
	bool linkwatch_urgent;
};

/* 'choose' names the backend of each table; null, or a null answer, means the
 * spec's own.  The engine is borrowed. */
struct kernel_config {
	struct engine *engine;
	struct kernel_options options;
	uint64_t seed;
	enum rcu_flavor rcu_flavor;
	const struct backend_choice *(*choose)(const struct table_spec *, void *data);
	void *choose_data;
};

/* What a kernel with these options keeps the table in. */
const char *kernel_default_backend(const struct kernel_options *, const struct table_spec *);

struct kernel *kernel_new(const struct kernel_config *);
void kernel_free(struct kernel *); /* null is allowed */

/* Makes the namespaces that exist at boot (init_net, with lo up).  By a task. */
void kernel_boot(struct kernel *);

/* Made once, freed with the kernel. */
struct workqueue *kernel_workqueue(struct kernel *, const char *name);

/* By a task: waits until what was queued is done, delayed work aside.  While a
 * namespace is torn down it does not: that can take minutes, and holds RTNL,
 * for which all the rest waits. */
void kernel_flush(struct kernel *);

/* By a task: waits until no deleted namespace is left. */
void kernel_wait_netns(struct kernel *);

struct table_kind *kernel_table(const struct kernel *, const struct table_spec *);
void *kernel_module_state(const struct kernel *, const struct net_module *);
void *net_module_state(const struct net *, const struct net_module *);

void rtnl_lock(struct kernel *);
void rtnl_unlock(struct kernel *);
#define ASSERT_RTNL(k) g_assert(mutex_is_held(&(k)->rtnl))

/* All table specs of all modules, sorted by name. */
unsigned table_spec_count(void);
const struct table_spec *table_spec_at(unsigned);
const struct table_spec *table_spec_by_name(const char *); /* or null */
