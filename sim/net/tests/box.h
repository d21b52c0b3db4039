/* SPDX-License-Identifier: GPL-2.0-or-later */
/* box.h - a small box under test: one kernel, one namespace, and a task that plays
 * its user. */
#pragma once

#include "net/dev.h"
#include "net/rtnl-fdb-dump.h"

struct box {
	struct engine *engine;
	struct kernel *kernel;
	struct net *net;
};

/* Makes a kernel whose tables all run on 'backend', lets 'play' use it in a task,
 * and takes it down again. */
void box_play(const char *backend, const struct kernel_options *,
	      void (*play)(struct box *, void *data), void *data);

/* The same with CPUs, lines and grace periods as 'machine' has them, and frees that RCU
 * defers poisoned. */
void box_play_on(const char *backend, const struct kernel_options *,
		 const struct engine_config *machine, void (*play)(struct box *, void *data),
		 void *data);

/* Each returns what the kernel answered.  A null address is the kernel's choice. */
int box_add_link(struct box *, const char *kind, const char *name, const uint8_t *addr);
int box_add_link_at(struct box *, const char *kind, const char *name, int ifindex);
int box_set_master(struct box *, const char *name, const char *master); /* null: none */
int box_set_up(struct box *, const char *name, bool up);
int box_del_link(struct box *, const char *name);

/* 'state' is NUD_PERMANENT ..., 'flags' NTF_MASTER or NTF_SELF. */
int box_fdb_add(struct box *, const char *dev, const uint8_t *addr, uint16_t vid, uint16_t state,
		uint16_t flags);
int box_fdb_replace(struct box *, const char *dev, const uint8_t *addr, uint16_t vid,
		    uint16_t state, uint16_t flags);
int box_fdb_del(struct box *, const char *dev, const uint8_t *addr, uint16_t vid, uint16_t flags);

/* The device behind which a bridge has the entry; null: it has none there. */
const char *box_fdb_port(struct box *, const char *bridge, const uint8_t *addr, uint16_t vid);

int box_ifindex(struct box *, const char *name); /* 0: there is none */
