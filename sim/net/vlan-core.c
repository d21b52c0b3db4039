/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vlan-core.c - which VLAN ids a device lets through, and its VLAN devices.
 *
 * Models net/8021q/vlan_core.c (Linux 5.10 and 6.1). */
#include "net/vlan.h"

static struct vlan_info *
vlan_info_get(struct net_device *dev)
{
	if (!dev->vlan_info)
		dev->vlan_info = g_new0(struct vlan_info, 1);
	return dev->vlan_info;
}

/* The group of devices stays as long as any id does. */
static void
vlan_info_put(struct net_device *dev)
{
	struct vlan_info *info = dev->vlan_info;

	if (!info || info->nr_vids > 0)
		return;
	g_free(info->devs);
	g_free(info);
	dev->vlan_info = NULL;
}

static struct vlan_vid_info **
find_vid(struct vlan_info *info, uint16_t vid)
{
	struct vlan_vid_info **at = &info->vids;

	while (*at && (*at)->vid != vid)
		at = &(*at)->next;
	return at;
}

/* Devices that filter by id are told of the first reason and of the last. */
static int
tell_device(struct net_device *dev, uint16_t vid, bool add)
{
	int (*tell)(struct net_device *, uint16_t) =
		add ? dev->kind->vlan_rx_add_vid : dev->kind->vlan_rx_kill_vid;

	return dev->priv_flags & IFF_VLAN_FILTER && tell ? tell(dev, vid) : 0;
}

static int
add_first(struct net_device *dev, struct vlan_info *info, uint16_t vid)
{
	struct vlan_vid_info *new;
	int err = tell_device(dev, vid, true);

	if (err != 0) {
		vlan_info_put(dev);
		return err;
	}
	new = g_new0(struct vlan_vid_info, 1);
	new->vid = vid;
	new->refcount = 1;
	new->next = info->vids;
	info->vids = new;
	info->nr_vids++;
	return 0;
}

int
vlan_vid_add(struct net_device *dev, uint16_t vid)
{
	struct vlan_info *info = vlan_info_get(dev);
	struct vlan_vid_info *found = *find_vid(info, vid);

	if (!found)
		return add_first(dev, info, vid);
	found->refcount++;
	return 0;
}

void
vlan_vid_del(struct net_device *dev, uint16_t vid)
{
	struct vlan_vid_info **at, *found;

	if (!dev->vlan_info)
		return;
	at = find_vid(dev->vlan_info, vid);
	found = *at;
	if (!found || --found->refcount > 0)
		return;
	tell_device(dev, vid, false);
	*at = found->next;
	dev->vlan_info->nr_vids--;
	g_free(found);
	vlan_info_put(dev);
}

int
vlan_vids_add_by_dev(struct net_device *dev, const struct net_device *by)
{
	const struct vlan_vid_info *vid;
	int err = 0;

	if (!by->vlan_info)
		return 0;
	for (vid = by->vlan_info->vids; vid; vid = vid->next) {
		err = vlan_vid_add(dev, vid->vid);
		if (err != 0)
			break;
	}
	if (err != 0)
		for (const struct vlan_vid_info *done = by->vlan_info->vids; done != vid;
		     done = done->next)
			vlan_vid_del(dev, done->vid);
	return err;
}

void
vlan_vids_del_by_dev(struct net_device *dev, const struct net_device *by)
{
	if (!by->vlan_info)
		return;
	for (const struct vlan_vid_info *vid = by->vlan_info->vids; vid; vid = vid->next)
		vlan_vid_del(dev, vid->vid);
}

bool
vlan_uses_dev(const struct net_device *dev)
{
	return dev->vlan_info && dev->vlan_info->nr_vlan_devs > 0;
}

struct net_device *
vlan_find_dev(const struct net_device *real, uint16_t vid)
{
	const struct vlan_info *info = real->vlan_info;

	return info && info->devs ? info->devs[vid] : NULL;
}

void
vlan_group_set(struct net_device *real, uint16_t vid, struct net_device *dev)
{
	struct vlan_info *info = real->vlan_info;

	if (!info->devs)
		info->devs = g_new0(struct net_device *, VLAN_N_VID);
	info->nr_vlan_devs += dev ? 1 : -1u;
	info->devs[vid] = dev;
}
