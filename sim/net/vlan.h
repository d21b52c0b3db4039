/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vlan.h - what the files of the 8021q module share. */
#pragma once

#include "net/dev.h"

#define VLAN_N_VID              4096

#define VLAN_FLAG_REORDER_HDR   1u
#define VLAN_FLAG_LOOSE_BINDING 4u

/* A VLAN device's own state. */
struct vlan_dev_priv {
	struct net_device *real_dev;
	uint16_t vid;
	unsigned flags;
	uint8_t real_dev_addr[ETH_ALEN]; /* as the VLAN last saw it */
};

/* An id that a device lets through, and for how many reasons. */
struct vlan_vid_info {
	uint16_t vid;
	unsigned refcount;
	struct vlan_vid_info *next;
};

/* On a device that has VLAN devices, or ids; made at need. */
struct vlan_info {
	struct net_device **devs; /* VLAN_N_VID of them, by id; null: none yet */
	unsigned nr_vlan_devs;
	struct vlan_vid_info *vids; /* the newest first */
	unsigned nr_vids;
};

struct net_device *vlan_find_dev(const struct net_device *real, uint16_t vid); /* or null */
void vlan_group_set(struct net_device *real, uint16_t vid, struct net_device *dev);

static inline struct vlan_dev_priv *
vlan_dev_priv(const struct net_device *dev)
{
	return netdev_priv(dev);
}

/* All VLAN devices of a device, by ascending id.  Survives their removal. */
#define for_each_vlan_dev(real, vid, dev)                                                          \
	for ((vid) = 0; (vid) < VLAN_N_VID && (real)->vlan_info && (real)->vlan_info->devs;        \
	     (vid)++)                                                                              \
		if (((dev) = (real)->vlan_info->devs[vid]) != NULL)
