/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dev-addr-lists.h - the address lists of devices: uc, mc and the own ones.
 *
 * Models net/core/dev_addr_lists.c.  All lists are tables of kind dev_addr. */
#pragma once

#include "net/netdevice.h"

enum netdev_hw_addr_type {
	NETDEV_HW_ADDR_T_ANY,
	NETDEV_HW_ADDR_T_LAN,
	NETDEV_HW_ADDR_T_SAN,
	NETDEV_HW_ADDR_T_UNICAST,
	NETDEV_HW_ADDR_T_MULTICAST,
};

/* An element: key = the address, sub = the type. */
struct netdev_hw_addr {
	struct key key;
	int refcount; /* reasons why it is here: adds, syncs into, syncs out of this list */
	int sync_cnt; /* lower devices that it was copied to */
	int synced;   /* upper devices that put it here */
	bool global_use;
};

void dev_addr_init(struct net_device *);
void dev_addr_check(struct net_device *); /* 6.1: asserts that nobody wrote past dev_addr_mod() */
void dev_addr_flush(struct net_device *);
void dev_addr_mod(struct net_device *, const uint8_t *addr); /* the device's own address changes */

int dev_uc_add(struct net_device *, const uint8_t *addr);
int dev_uc_add_excl(struct net_device *, const uint8_t *addr); /* -EEXIST */
int dev_uc_del(struct net_device *, const uint8_t *addr);
int dev_uc_sync(struct net_device *to, struct net_device *from);
int dev_uc_sync_multiple(struct net_device *to, struct net_device *from);
void dev_uc_unsync(struct net_device *to, struct net_device *from);
void dev_uc_flush(struct net_device *);
void dev_uc_init(struct net_device *);

int dev_mc_add(struct net_device *, const uint8_t *addr);
int dev_mc_add_excl(struct net_device *, const uint8_t *addr); /* -EEXIST */
int dev_mc_add_global(struct net_device *, const uint8_t *addr);
int dev_mc_del(struct net_device *, const uint8_t *addr);
int dev_mc_del_global(struct net_device *, const uint8_t *addr);
int dev_mc_sync(struct net_device *to, struct net_device *from);
int dev_mc_sync_multiple(struct net_device *to, struct net_device *from);
void dev_mc_unsync(struct net_device *to, struct net_device *from);
void dev_mc_flush(struct net_device *);
void dev_mc_init(struct net_device *);
