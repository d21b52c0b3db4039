/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge.h - what the files of the bridge module share. */
#pragma once

#include "net/dev.h"

#define BR_DEFAULT_PVID 1

struct net_bridge_port {
	struct net_device *dev;
	struct net_bridge *br;
	bool forwarding, promisc;
	unsigned flags; /* BR_LEARNING ... */
	struct net_bridge_port *next;
};

/* Flags of a port. */
#define BR_LEARNING    (1u << 0)
#define BR_FLOOD       (1u << 1) /* unknown unicast */
#define BR_MCAST_FLOOD (1u << 2)
#define BR_BCAST_FLOOD (1u << 3)
#define BR_ISOLATED    (1u << 4) /* hears no other isolated port */

struct net_bridge {
	struct net_device *dev;
	struct net_bridge_port *ports; /* the newest first */
	uint8_t id_addr[ETH_ALEN];     /* bridge_id.addr */
	bool mtu_set_by_user;
	bool vlan_enabled;     /* vlan_filtering */
	uint16_t default_pvid; /* 0: none */
	uint64_t ageing_ps;    /* ageing_time */
	struct table fdb;
};

/* Flags of an entry. */
#define BR_FDB_LOCAL              (1u << 0) /* an address of the bridge or of a port */
#define BR_FDB_STATIC             (1u << 1) /* does not age */
#define BR_FDB_STICKY             (1u << 2) /* does not move to another port */
#define BR_FDB_ADDED_BY_USER      (1u << 3)
#define BR_FDB_ADDED_BY_EXT_LEARN (1u << 4)

/* An element of the table fdb: key = the MAC, sub = the VLAN id, 0 for none. */
struct net_bridge_fdb_entry {
	struct key key;
	struct net_bridge_port *dst; /* null: the bridge itself */
	unsigned flags;
	uint64_t updated, used; /* picoseconds */
};

/* br-fdb.c */
extern const struct table_spec br_fdb_spec;

void br_fdb_init(struct net_bridge *);
void br_fdb_fini(struct net_bridge *);
struct net_bridge_fdb_entry *br_fdb_find(struct net_bridge *, const uint8_t *addr, uint16_t vid);

/* 0, -EINVAL.  'port' null: the bridge's own. */
int br_fdb_add_local(struct net_bridge *, struct net_bridge_port *, const uint8_t *addr,
		     uint16_t vid);
void br_fdb_changeaddr(struct net_bridge_port *, const uint8_t *addr);
void br_fdb_change_mac_address(struct net_bridge *, const uint8_t *addr);
void br_fdb_delete_by_port(struct net_bridge *, struct net_bridge_port *, bool all);
void br_fdb_unsync_static(struct net_bridge *, struct net_bridge_port *);

/* Not heard of for longer than the bridge remembers. */
bool br_fdb_has_expired(const struct net_bridge *, const struct net_bridge_fdb_entry *);

/* br-fdb-dump.c: fdb_dump and fdb_each of the link kind. */
int br_fdb_dump(struct fdb_dump *, struct net_device *, struct net_device *filter);
void br_fdb_each(struct net_device *, struct net_device *filter, struct dump_set *);

/* fdb_add and fdb_del of the link kind: 'dev' is the bridge or one of its ports. */
int br_fdb_add(struct net_device *dev, const struct fdb_request *, struct ext_ack *);
int br_fdb_del(struct net_device *dev, const struct fdb_request *, struct ext_ack *);
