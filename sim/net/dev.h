/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dev.h - what modules do with devices: the operations of net/core/dev.c and
 * net/core/link_watch.c, under their kernel names.  All need RTNL. */
#pragma once

#include "net/netdevice.h"

/* Counts a call of a kernel function. */
#define DEV_CALL(dev, name)  CALL(&(dev)->kernel->calls, name)
#define DEV_ENTER(dev, name) CALL_ENTER(&(dev)->kernel->calls, name)

/* The same, and traces it with the device's name. */
#define DEV_CALL_TRACED(dev, name_)                                                                \
	CALL_TRACED(&(dev)->kernel->calls, name_, "'dev': '%s'", (dev)->name)
#define DEV_ENTER_TRACED(dev, name_)                                                               \
	CALL_ENTER_TRACED(&(dev)->kernel->calls, name_, "'dev': '%s'", (dev)->name)

/* Says why an operation is refused.  'ack' may be null. */
void ext_ack_set(struct ext_ack *, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Life.  A device that alloc_netdev() made is freed by free_netdev() as long as
 * it is not registered, and by unregistering it from then on. */
struct net_device *alloc_netdev(struct net *, const char *name, const struct link_kind *);
void free_netdev(struct net_device *);
int register_netdevice(struct net_device *);
void unregister_netdevice_queue(struct net_device *, struct unregister_list *);
void unregister_netdevice_many(struct unregister_list *);
void unregister_netdevice(struct net_device *);
void netdev_run_todo(struct kernel *); /* by rtnl_unlock() */

bool dev_valid_name(const char *name);
int dev_change_name(struct net_device *, const char *name);
int dev_change_net_namespace(struct net_device *, struct net *,
			     const char *other); /* name, or null */

/* The usual Ethernet device. */
void ether_setup(struct net_device *);
void eth_hw_addr_random(struct net_device *);
void eth_hw_addr_inherit(struct net_device *, const struct net_device *from);
int eth_mac_addr(struct net_device *, const uint8_t *addr); /* a set_mac_address function */
bool is_valid_ether_addr(const uint8_t *addr);
bool is_zero_ether_addr(const uint8_t *addr);
bool ether_addr_equal(const uint8_t *a, const uint8_t *b);

/* Up and down; dev-flags.c. */
int dev_open(struct net_device *, struct ext_ack *);
void dev_close(struct net_device *);
void dev_close_many(struct net_device *const *, unsigned count);
int __dev_change_flags(struct net_device *, unsigned flags, struct ext_ack *);
void __dev_notify_flags(struct net_device *, unsigned old_flags);
int dev_change_flags(struct net_device *, unsigned flags, struct ext_ack *);
unsigned rtnl_dev_get_flags(const struct net_device *); /* with what the user asked for */

void __dev_set_rx_mode(struct net_device *);
void dev_set_rx_mode(struct net_device *);
int dev_set_promiscuity(struct net_device *, int inc);
int dev_set_allmulti(struct net_device *, int inc);

int dev_validate_mtu(const struct net_device *, unsigned mtu, struct ext_ack *);
int __dev_set_mtu(struct net_device *, unsigned mtu, struct ext_ack *);
int dev_set_mtu_ext(struct net_device *, unsigned mtu, struct ext_ack *);
int dev_set_mtu(struct net_device *, unsigned mtu);
int dev_set_mac_address(struct net_device *, const uint8_t *addr, struct ext_ack *);

int netdev_rx_handler_register(struct net_device *, void *data); /* -EBUSY, -EINVAL */
void netdev_rx_handler_unregister(struct net_device *);

/* Notifiers.  The first refusal ends the chain and is returned. */
int call_netdevice_notifiers(enum netdev_event, struct net_device *, const void *info);
void netdev_state_change(struct net_device *); /* CHANGE, if it is up */

/* The device graph; dev-adjacency.c.  One master at most. */
int netdev_upper_dev_link(struct net_device *, struct net_device *upper, struct ext_ack *);
int netdev_master_upper_dev_link(struct net_device *, struct net_device *upper, struct ext_ack *);
void netdev_upper_dev_unlink(struct net_device *, struct net_device *upper);
bool netdev_has_upper_dev(const struct net_device *, const struct net_device *upper);

/* Link state; link-watch.c. */
void netif_carrier_on(struct net_device *);
void netif_carrier_off(struct net_device *);
void netif_stacked_transfer_operstate(const struct net_device *root, struct net_device *);
void linkwatch_fire_event(struct net_device *);
void linkwatch_init_dev(struct net_device *);
void linkwatch_forget_dev(struct net_device *);
void linkwatch_init(struct kernel *);
void dev_activate(struct net_device *);
void dev_deactivate(struct net_device *);

/* VLAN ids that a device lets through; vlan-core.c. */
int vlan_vid_add(struct net_device *, uint16_t vid);
void vlan_vid_del(struct net_device *, uint16_t vid);
int vlan_vids_add_by_dev(struct net_device *, const struct net_device *by);
void vlan_vids_del_by_dev(struct net_device *, const struct net_device *by);
bool vlan_uses_dev(const struct net_device *);

static inline bool
netif_is_l3_master(const struct net_device *dev)
{
	return dev->priv_flags & IFF_L3MDEV_MASTER;
}

static inline bool
netif_is_l3_slave(const struct net_device *dev)
{
	return dev->priv_flags & IFF_L3MDEV_SLAVE;
}

static inline bool
netif_is_lag_master(const struct net_device *dev)
{
	return dev->priv_flags & IFF_BONDING && dev->flags & IFF_MASTER;
}

static inline bool
netif_is_lag_port(const struct net_device *dev)
{
	return dev->priv_flags & IFF_BONDING && dev->flags & IFF_SLAVE;
}

static inline bool
netif_is_bridge_master(const struct net_device *dev)
{
	return dev->priv_flags & IFF_EBRIDGE;
}

static inline bool
netif_is_bridge_port(const struct net_device *dev)
{
	return dev->priv_flags & IFF_BRIDGE_PORT;
}

/* The devices of a namespace, oldest first.  */
#define for_each_netdev(net, dev)         for ((dev) = (net)->first; (dev); (dev) = (dev)->next)
#define for_each_netdev_reverse(net, dev) for ((dev) = (net)->last; (dev); (dev) = (dev)->prev)

/* The devices directly above or below; 'adj' is a struct netdev_adjacent *. */
#define netdev_for_each_lower(dev, adj) for ((adj) = (dev)->lower.first; (adj); (adj) = (adj)->next)
#define netdev_for_each_upper(dev, adj) for ((adj) = (dev)->upper.first; (adj); (adj) = (adj)->next)
