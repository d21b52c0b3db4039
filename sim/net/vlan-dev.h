/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vlan-dev.h - the operations of a VLAN device. */
#pragma once

#include "net/vlan.h"

void vlan_dev_setup(struct net_device *);
int vlan_dev_init(struct net_device *);
int vlan_dev_open(struct net_device *);
int vlan_dev_stop(struct net_device *);
void vlan_dev_hard_start_xmit(struct net_device *, struct frame *);
void vlan_dev_set_rx_mode(struct net_device *);
void vlan_dev_change_rx_flags(struct net_device *, unsigned change);
int vlan_dev_set_mac_address(struct net_device *, const uint8_t *addr);
int vlan_dev_change_mtu(struct net_device *, unsigned mtu, struct ext_ack *);
int vlan_dev_get_iflink(const struct net_device *);
struct net *vlan_dev_get_link_net(const struct net_device *);
void vlan_dev_fill_info(struct nlmsg *, const struct net_device *);

/* Takes the address of the device below, if it has none of its own. */
bool vlan_dev_inherit_address(struct net_device *, const struct net_device *real);
