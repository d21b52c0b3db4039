/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vxlan-multicast.c - vxlan devices whose remote is a group: they join it on the lower
 * device, whose address list gets the group's address.
 *
 * Models drivers/net/vxlan/vxlan_multicast.c (Linux 5.10 and 6.1).  Devices share
 * sockets, and a socket is in a group once. */
#include <string.h>
#include <sys/socket.h>

#include "net/igmp.h"
#include "net/inet6.h"
#include "net/vxlan.h"

static bool
hears_the_same(const struct vxlan_dev *a, const struct vxlan_dev *b)
{
	const struct vxlan_rdst *x = &a->default_dst, *y = &b->default_dst;

	return vxlan_same_socket(&a->cfg, &b->cfg) && x->remote_ifindex == y->remote_ifindex &&
	       vxlan_addr_equal(&x->remote_ip, &y->remote_ip);
}

/* Another device is in the group by the same socket. */
static bool
vxlan_group_used(const struct vxlan_dev *vxlan)
{
	for (const struct vxlan_dev *o = vxlan_first(vxlan->dev->net); o; o = o->next)
		if (o != vxlan && netif_running(o->dev) && hears_the_same(o, vxlan))
			return true;
	return false;
}

static uint32_t
group_of(const struct vxlan_addr *ip)
{
	const uint8_t *a = ip->addr;

	return (uint32_t)a[0] << 24 | (uint32_t)a[1] << 16 | (uint32_t)a[2] << 8 | a[3];
}

static bool
has_group(const struct vxlan_dev *vxlan)
{
	return vxlan_addr_multicast(&vxlan->default_dst.remote_ip) && !vxlan_group_used(vxlan);
}

int
vxlan_multicast_join(struct vxlan_dev *vxlan)
{
	const struct vxlan_rdst *dst = &vxlan->default_dst;
	struct net_device *lower;

	if (!has_group(vxlan))
		return 0;
	lower = dev_get_by_index(vxlan->dev->net, dst->remote_ifindex);
	if (!lower)
		return -ENODEV;
	if (dst->remote_ip.family == AF_INET6)
		return ipv6_dev_mc_inc(lower, dst->remote_ip.addr);
	if (!lower->ip_ptr)
		return -ENODEV;
	ip_mc_inc_group(lower->ip_ptr, group_of(&dst->remote_ip));
	return 0;
}

/* A lower device that goes has left all groups by itself. */
void
vxlan_multicast_leave(struct vxlan_dev *vxlan)
{
	const struct vxlan_rdst *dst = &vxlan->default_dst;
	struct net_device *lower;

	if (!has_group(vxlan))
		return;
	lower = dev_get_by_index(vxlan->dev->net, dst->remote_ifindex);
	if (lower && dst->remote_ip.family == AF_INET6)
		ipv6_dev_mc_dec(lower, dst->remote_ip.addr);
	else if (lower && lower->ip_ptr)
		ip_mc_dec_group(lower->ip_ptr, group_of(&dst->remote_ip));
}
