/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vxlan.h - what the files of the vxlan module share. */
#pragma once

#include "net/dev.h"

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
	uint8_t flags;  /* NTF_... */
};

struct vxlan_config {
	uint32_t vni;
	struct vxlan_addr saddr, remote;
	int remote_ifindex; /* "dev" */
	uint16_t dst_port, port_min, port_max;
	uint8_t ttl, tos;
	uint32_t age_interval; /* seconds; 0: entries stay */
	uint32_t addrmax;      /* of learned and made entries; 0: no limit */
	bool learning, external, proxy, rsc, l2miss, l3miss, udp_csum;
	bool udp_zero_csum6_tx, udp_zero_csum6_rx;
};

struct vxlan_dev {
	struct net_device *dev;
	struct net_device *lowerdev; /* null: none, or it is not linked yet */
	struct vxlan_config cfg;
	struct vxlan_rdst default_dst;
	struct table fdb;
	uint64_t last_id;
	struct vxlan_dev *next; /* of the namespace's */
};

extern const struct table_spec vxlan_fdb_spec;

void vxlan_fdb_init(struct vxlan_dev *);
void vxlan_fdb_fini(struct vxlan_dev *);

/* The entry of all zeros, where the device has a remote. */
void vxlan_fdb_add_default(struct vxlan_dev *);
void vxlan_fdb_change_default(struct vxlan_dev *, const struct vxlan_rdst *old);

/* What can age goes; with 'all' everything does. */
void vxlan_flush(struct vxlan_dev *, bool all);

/* What a frame to this address costs: a look for it and, if it is not there, one for
 * the default entry.  Null: nobody to send it to. */
struct vxlan_fdb *vxlan_xmit_lookup(struct vxlan_dev *, const uint8_t *addr, uint32_t vni);

/* Functions of the link kind. */
int vxlan_fdb_add(struct net_device *, const struct fdb_request *, struct ext_ack *);
int vxlan_fdb_del(struct net_device *, const struct fdb_request *, struct ext_ack *);
int vxlan_fdb_dump(struct fdb_dump *, struct net_device *, struct net_device *filter);
void vxlan_fdb_each(struct net_device *, struct net_device *filter, struct dump_set *);

bool vxlan_addr_any(const struct vxlan_addr *);
bool vxlan_addr_multicast(const struct vxlan_addr *);
