/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge.h - what the files of the bridge module share. */
#pragma once

#include <linux/if_bridge.h>

#include "net/dev.h"

struct frame;

#define BR_DEFAULT_PVID 1

/* States of a port, BR_STATE_DISABLED ...; see linux/if_bridge.h. */

/* VLANs of a bridge, or of a port: a hash beside a list sorted by id in the kernel,
 * one sorted array here. */
struct net_bridge_vlan {
	uint16_t vid;
	uint16_t flags;    /* BRIDGE_VLAN_INFO_UNTAGGED; of a bridge's: _BRENTRY */
	uint32_t refcount; /* of a bridge's: itself, if _BRENTRY, and the ports that have it */
};

struct net_bridge_vlan_group {
	struct net_bridge_vlan *vlans; /* by id */
	unsigned count, size;          /* there are; there is room for */
	unsigned num_vlans;            /* that are in use: of a bridge, not all */
	uint16_t pvid;                 /* 0: none */
};

struct net_bridge_port {
	struct net_device *dev;
	struct net_bridge *br;
	uint8_t state;
	bool promisc;
	uint16_t port_no; /* from 1 */
	unsigned flags;   /* BR_LEARNING ... */
	struct net_bridge_vlan_group vlans;
	struct net_bridge_port *next;
};

/* Flags of a port. */
#define BR_LEARNING    (1u << 0)
#define BR_FLOOD       (1u << 1) /* unknown unicast */
#define BR_MCAST_FLOOD (1u << 2)
#define BR_BCAST_FLOOD (1u << 3)
#define BR_ISOLATED    (1u << 4) /* hears no other isolated port */

#define BR_AUTO_MASK   (BR_LEARNING | BR_FLOOD) /* what is behind the port is found out */

struct net_bridge {
	struct net_device *dev;
	struct net_bridge_port *ports; /* the newest first */
	unsigned auto_cnt;             /* ports with any flag of BR_AUTO_MASK */
	uint8_t id_addr[ETH_ALEN];     /* bridge_id.addr */
	bool mtu_set_by_user;
	bool vlan_enabled;     /* vlan_filtering */
	uint16_t default_pvid; /* 0: none */
	uint64_t ageing_ps;    /* ageing_time */
	struct net_bridge_vlan_group vlans;
	struct table fdb;
	uint64_t fdb_moves; /* entries that another port has now */

	/* br_fdb_cleanup(): the timer says when, the work does it. */
	struct timer gc_timer;
	struct work gc_work;
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

/* The bridge, and the port if 'dev' is one. */
static inline struct net_bridge *
br_and_port(const struct net_device *dev, struct net_bridge_port **p)
{
	*p = netif_is_bridge_master(dev) ? NULL : dev->rx_handler_data;
	return *p ? (*p)->br : netdev_priv(dev);
}

static inline bool
br_state_learns(uint8_t state)
{
	return state == BR_STATE_LEARNING || state == BR_STATE_FORWARDING;
}

/* br-fdb.c */
extern const struct table_spec br_fdb_spec;

void br_fdb_init(struct net_bridge *);
void br_fdb_fini(struct net_bridge *);
struct net_bridge_fdb_entry *br_fdb_find(struct net_bridge *, const uint8_t *addr, uint16_t vid);

/* 0, -EINVAL.  'port' null: the bridge's own. */
int br_fdb_add_local(struct net_bridge *, struct net_bridge_port *, const uint8_t *addr,
		     uint16_t vid);
void br_fdb_find_delete_local(struct net_bridge *, struct net_bridge_port *, const uint8_t *addr,
			      uint16_t vid);
void br_fdb_changeaddr(struct net_bridge_port *, const uint8_t *addr);
void br_fdb_change_mac_address(struct net_bridge *, const uint8_t *addr);

/* 'all': whatever is behind it.  Else what was learned only, in that VLAN or, for 0,
 * in any. */
void br_fdb_delete_by_port(struct net_bridge *, struct net_bridge_port *, uint16_t vid, bool all);

/* A port begins or ends to need a list of what it must hear. */
void br_fdb_sync_static(struct net_bridge *, struct net_bridge_port *);
void br_fdb_unsync_static(struct net_bridge *, struct net_bridge_port *);

/* A frame came from there: learns it. */
void br_fdb_update(struct net_bridge *, struct net_bridge_port *, const uint8_t *addr,
		   uint16_t vid);

/* br-fdb-user.c: fdb_add and fdb_del of the link kind; 'dev' is the bridge or a port. */
int br_fdb_add(struct net_device *dev, const struct fdb_request *, struct ext_ack *);
int br_fdb_del(struct net_device *dev, const struct fdb_request *, struct ext_ack *);

/* br-fdb.c, for those that change entries. */
struct net_bridge_fdb_entry *fdb_create(struct net_bridge *, struct net_bridge_port *,
					const uint8_t *addr, uint16_t vid, unsigned flags);
void fdb_delete(struct net_bridge *, struct net_bridge_fdb_entry *);

/* It lies behind 'p' from now on; null: it is the bridge's own.  False: it did before. */
bool fdb_move(struct net_bridge *, struct net_bridge_fdb_entry *, struct net_bridge_port *p);
void fdb_add_hw_addr(struct net_bridge *, const uint8_t *addr);
void fdb_del_hw_addr(struct net_bridge *, const uint8_t *addr);
void fdb_notify(struct net_bridge *);

/* br-fdb-gc.c */
void br_fdb_gc_init(struct net_bridge *);
void br_fdb_gc_fini(struct net_bridge *);
void br_fdb_gc_expect(struct net_bridge *); /* an entry is there that grows old */
void br_set_ageing_time(struct net_bridge *, uint32_t clock_ticks);

/* bridge.c: where that work is done. */
struct workqueue *br_gc_queue(const struct kernel *);

/* Not heard of for longer than the bridge remembers. */
bool br_fdb_has_expired(const struct net_bridge *, const struct net_bridge_fdb_entry *);

/* br-fdb-dump.c: fdb_dump and fdb_each of the link kind. */
int br_fdb_dump(struct fdb_dump *, struct net_device *, struct net_device *filter);
void br_fdb_each(struct net_device *, struct net_device *filter, struct dump_set *);

/* br-netlink.c: fill_info and fill_slave_info of the link kind. */
void br_fill_info(struct nlmsg *, const struct net_device *);
void br_port_fill_slave_info(struct nlmsg *, const struct net_device *,
			     const struct net_device *slave);
void br_port_fill_attrs(struct nlmsg *, const struct net_bridge_port *);
uint16_t br_find_portno(const struct net_bridge *); /* for a new port */

/* br-vlan.c.  Flags are those of linux/if_bridge.h: BRIDGE_VLAN_INFO_PVID, _UNTAGGED. */
struct net_bridge_vlan *br_vlan_find(const struct net_bridge_vlan_group *, uint16_t vid);
int br_vlan_init(struct net_bridge *); /* once it is registered */
void br_vlan_fini(struct net_bridge *);
int nbp_vlan_init(struct net_bridge_port *);
void nbp_vlan_flush(struct net_bridge_port *);
int br_vlan_add(struct net_bridge *, uint16_t vid, unsigned flags);
int br_vlan_delete(struct net_bridge *, uint16_t vid); /* -ENOENT */
int nbp_vlan_add(struct net_bridge_port *, uint16_t vid, unsigned flags);
int nbp_vlan_delete(struct net_bridge_port *, uint16_t vid); /* -ENOENT */
void br_vlan_filter_toggle(struct net_bridge *, bool on);
int br_vlan_set_default_pvid(struct net_bridge *, uint16_t vid);

/* A bridge may know a VLAN only because its ports have it. */
static inline bool
br_vlan_should_use(const struct net_bridge_port *p, const struct net_bridge_vlan *v)
{
	return p || v->flags & BRIDGE_VLAN_INFO_BRENTRY;
}

static inline struct net_bridge_vlan_group *
br_vlan_group(struct net_bridge *br, struct net_bridge_port *p)
{
	return p ? &p->vlans : &br->vlans;
}

/* br-if.c */
int br_add_slave(struct net_device *, struct net_device *port, struct ext_ack *);
int br_del_slave(struct net_device *, struct net_device *port);
void br_del_ports(struct net_bridge *);
void br_manage_promisc(struct net_bridge *);
void br_mtu_auto_adjust(struct net_bridge *);
void br_port_set_flags(struct net_bridge_port *, unsigned flags);

/* br-stp.c: states of ports, and what the bridge is called after. */
void br_stp_enable_port(struct net_bridge_port *);
void br_stp_disable_port(struct net_bridge_port *);
void br_stp_enable_bridge(struct net_bridge *);
void br_stp_disable_bridge(struct net_bridge *);
void br_port_carrier_check(struct net_bridge_port *);
int br_set_port_state(struct net_bridge_port *, uint8_t state); /* -EINVAL, -ENETDOWN */
void br_stp_change_bridge_id(struct net_bridge *, const uint8_t *addr);
bool br_stp_recalculate_bridge_id(struct net_bridge *); /* it has another address now */

/* br-setlink.c and br-getlink.c: the functions of the link kind. */
int br_setlink(struct net_device *dev, const struct bridge_request *, struct ext_ack *);
int br_dellink(struct net_device *dev, const struct bridge_request *);
int br_getlink(struct skb *, struct netlink_callback *, struct net_device *dev,
	       uint32_t filter_mask);

/* br-input.c and br-forward.c: the way of frames; packet.h. */
enum br_pkt_type { BR_PKT_UNICAST, BR_PKT_MULTICAST, BR_PKT_BROADCAST };

enum br_pkt_type br_pkt_type(const uint8_t *dst);
void br_handle_frame(struct net_bridge_port *, struct frame *);
void br_dev_xmit(struct net_device *, struct frame *);
void br_pass_frame_up(struct net_bridge *, const struct frame *);
void br_forward(struct net_bridge *, struct net_bridge_port *to, const struct frame *);
void br_flood(struct net_bridge *, const struct frame *, enum br_pkt_type);
bool br_allowed_ingress(const struct net_bridge *, const struct net_bridge_port *, struct frame *,
			uint16_t *vid);
bool br_allowed_egress(struct net_bridge *, struct net_bridge_port *, const struct frame *);
bool br_handle_vlan(struct net_bridge *, struct net_bridge_port *, struct frame *);
