/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vxlan.h - what the files of the vxlan module share. */
#pragma once

#include <linux/neighbour.h>

#include "net/dev.h"

/* NTF_...: made by a user, not by what learns from a control plane. */
#define NTF_VXLAN_ADDED_BY_USER 0x100

/* An IPv4 or IPv6 address; family 0: none. */
struct vxlan_addr {
	int family;
	uint8_t addr[16]; /* IPv4: the first four */
};

/* Where frames to an entry's address go. */
struct vxlan_rdst {
	struct vxlan_addr remote_ip;
	uint16_t remote_port;
	uint32_t remote_vni;
	int remote_ifindex;
	uint64_t id; /* no other of the device has or had it; rises along the list */
	struct vxlan_rdst *next;
};

/* An element of the table vxlan_fdb: key = the MAC; sub = the source VNI where the
 * device serves many (external), else 0. */
struct vxlan_fdb {
	struct key key;
	struct vxlan_rdst *remotes; /* the oldest first; never empty */
	uint64_t id;
	uint64_t updated, used; /* picoseconds */
	uint32_t vni;
	uint16_t state; /* NUD_... */
	uint16_t flags; /* NTF_... */
};

struct vxlan_config {
	uint32_t vni;
	struct vxlan_addr saddr, remote;
	int remote_ifindex; /* "dev" */
	unsigned mtu;       /* that was asked for; 0: none */
	uint16_t dst_port, port_min, port_max;
	uint8_t ttl, tos, df;
	uint32_t label;        /* of the outer packets' flows, if they are IPv6 */
	uint32_t age_interval; /* seconds */
	uint32_t addrmax;      /* entries; 0: no limit */
	bool ttl_inherit, learning, external, proxy, rsc, l2miss, l3miss, gbp;
	bool udp_csum, udp_zero_csum6_tx, udp_zero_csum6_rx, remcsum_tx, remcsum_rx;
	bool ipv6, ipv6_linklocal; /* what the addresses are */
};

struct vxlan_dev {
	struct net_device *dev;
	struct net_device *lowerdev; /* null: none, or it is not linked yet */
	struct vxlan_config cfg;
	struct vxlan_rdst default_dst;
	struct table fdb;
	uint64_t last_id;
	uint64_t remote_changes;
	uint32_t mortal;        /* entries that grow old */
	struct work age_work;   /* vxlan_cleanup(): runs while the device does */
	struct vxlan_dev *next; /* of the namespace's */
};

/* vxlan.c */

struct vxlan_dev *vxlan_first(const struct net *); /* of its devices, the newest; or null */

/* Where ageing happens: the kernel has timers, but here it takes a task. */
struct workqueue *vxlan_age_queue(const struct kernel *);

void vxlan_setup(struct net_device *);
int vxlan_newlink(struct net_device *, const struct link_request *, struct ext_ack *);
int vxlan_changelink(struct net_device *, const struct link_request *, struct ext_ack *);
void vxlan_dellink(struct net_device *, struct unregister_list *);
int vxlan_open(struct net_device *);
int vxlan_stop(struct net_device *);
void vxlan_xmit(struct net_device *, struct frame *);
int vxlan_change_mtu(struct net_device *, unsigned mtu, struct ext_ack *);

/* vxlan-netlink.c */

extern const struct link_kind vxlan_kind;

/* What is asked for.  'old' is what a device is like that is to be changed, or null. */
int vxlan_nl2conf(const struct link_request *, const struct vxlan_config *old,
		  struct vxlan_config *, struct ext_ack *);

/* vxlan-config.c */

bool vxlan_addr_any(const struct vxlan_addr *);
bool vxlan_addr_multicast(const struct vxlan_addr *);
bool vxlan_addr_equal(const struct vxlan_addr *, const struct vxlan_addr *);

/* Does it make sense?  Fills in what was not said; 'lower' becomes the device of
 * "dev", or null. */
int vxlan_config_validate(struct net *, struct vxlan_config *, struct net_device **lower,
			  struct ext_ack *);
unsigned vxlan_headroom(const struct vxlan_config *);
bool vxlan_same_socket(const struct vxlan_config *, const struct vxlan_config *);

/* vxlan-multicast.c: nothing happens where the remote is no group. */

int vxlan_multicast_join(struct vxlan_dev *);
void vxlan_multicast_leave(struct vxlan_dev *);

/* vxlan-fdb.c */

extern const struct table_spec vxlan_fdb_spec;

int vxlan_fdb_init(struct net_device *);
void vxlan_fdb_fini(struct net_device *);

/* The entry of all zeros, if the device has a remote; and if it is to have another. */
int vxlan_fdb_add_default(struct vxlan_dev *);
int vxlan_fdb_change_default(struct vxlan_dev *, const struct vxlan_config *, struct ext_ack *);

/* What is not there to stay goes; with 'all' everything does but the default entry. */
void vxlan_flush(struct vxlan_dev *, bool all);

/* Removes old entries 'delay' picoseconds from now, and again and again from there on. */
void vxlan_age_start(struct vxlan_dev *, uint64_t delay);

/* What a frame to this address costs: a look for it and, if it is not there, one for
 * the default entry.  Null: nobody to send it to. */
struct vxlan_fdb *vxlan_xmit_lookup(struct vxlan_dev *, const uint8_t *addr);

/* Listeners are told of a change, or asked for an address: a message, which nobody
 * reads. */
void vxlan_fdb_notify(struct vxlan_dev *);

int vxlan_fdb_add(struct net_device *, const struct fdb_request *, struct ext_ack *);
int vxlan_fdb_del(struct net_device *, const struct fdb_request *, struct ext_ack *);

/* vxlan-fdb-dump.c */

int vxlan_fdb_dump(struct fdb_dump *, struct net_device *, struct net_device *filter);
void vxlan_fdb_each(struct net_device *, struct net_device *filter, struct dump_set *);
