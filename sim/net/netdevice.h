/* SPDX-License-Identifier: GPL-2.0-or-later */
/* netdevice.h - network devices and their namespaces.
 *
 * Models include/linux/netdevice.h and net/core/dev.c; names and return codes
 * are the kernel's.  Everything here is called under RTNL unless it says
 * otherwise. */
#pragma once

#include <errno.h>
#include <glib.h>
#include <linux/if.h>
#include <stdbool.h>
#include <stdint.h>

#include "net/kernel.h"
#include "net/request.h"
#include "table/table.h"

#define ETH_ALEN           6
#define NETDEV_HASHENTRIES 256

/* priv_flags, as far as they matter here. */
#define IFF_802_1Q_VLAN      (1u << 0)
#define IFF_EBRIDGE          (1u << 1)
#define IFF_BONDING          (1u << 2)
#define IFF_BRIDGE_PORT      (1u << 3)
#define IFF_MACVLAN          (1u << 4)
#define IFF_MACVLAN_PORT     (1u << 5)
#define IFF_L3MDEV_MASTER    (1u << 6)
#define IFF_L3MDEV_SLAVE     (1u << 7)
#define IFF_UNICAST_FLT      (1u << 8)
#define IFF_LIVE_ADDR_CHANGE (1u << 9)
#define IFF_NO_QUEUE         (1u << 10)
#define IFF_DONT_BRIDGE      (1u << 11)
#define IFF_NO_VLAN          (1u << 14) /* NETIF_F_VLAN_CHALLENGED */
#define IFF_NETNS_LOCAL      (1u << 15) /* NETIF_F_NETNS_LOCAL */
#define IFF_NO_RX_HANDLER    (1u << 16)
#define IFF_VLAN_FILTER      (1u << 17) /* NETIF_F_HW_VLAN_CTAG_FILTER */

/* The kernel's own changes these; __dev_change_flags() leaves them alone. */
#define IFF_VOLATILE_FLAGS                                                                         \
	(IFF_LOOPBACK | IFF_POINTOPOINT | IFF_BROADCAST | IFF_ECHO | IFF_MASTER | IFF_SLAVE |      \
	 IFF_RUNNING | IFF_LOWER_UP | IFF_DORMANT)

/* RFC 2863 operational states. */
enum operstate {
	OPER_UNKNOWN,
	OPER_NOTPRESENT,
	OPER_DOWN,
	OPER_LOWERLAYERDOWN,
	OPER_TESTING,
	OPER_DORMANT,
	OPER_UP,
};

enum reg_state {
	NETREG_UNINITIALIZED,
	NETREG_REGISTERED,
	NETREG_UNREGISTERING,
	NETREG_UNREGISTERED,
};

/* Where a device's address comes from. */
enum addr_assign_type {
	NET_ADDR_PERM,
	NET_ADDR_RANDOM,
	NET_ADDR_STOLEN, /* of the device below */
	NET_ADDR_SET,    /* by the user, or by its master */
};

/* A neighbour in the device graph: upper or lower. */
struct netdev_adjacent {
	struct net_device *dev;
	bool master;
	struct netdev_adjacent *prev, *next;
};

struct adjacency {
	struct netdev_adjacent *first, *last;
	unsigned count;
};

struct net_device {
	struct net *net;
	struct kernel *kernel;
	const struct link_kind *kind;
	void *priv; /* kind->priv_size bytes */

	char name[IFNAMSIZ];
	int ifindex;
	unsigned flags;  /* IFF_UP, IFF_PROMISC ...: what is so */
	unsigned gflags; /* IFF_PROMISC, IFF_ALLMULTI: what the user asked for */
	unsigned priv_flags;
	unsigned mtu, min_mtu, max_mtu, txqlen, group;
	uint16_t type; /* ARPHRD_ETHER ... */
	uint8_t addr_len;
	uint8_t dev_addr[ETH_ALEN], broadcast[ETH_ALEN];
	enum addr_assign_type addr_assign_type;
	enum reg_state reg_state;

	bool running;        /* __LINK_STATE_START; IFF_UP follows it */
	bool qdisc_attached; /* 'ip link' shows noqueue; else noop */
	bool qdisc_active;   /* what is sent passes it; else the noop qdisc drops it */

	/* Link state; link-watch.c. */
	bool carrier, dormant, linkwatch_pending;
	enum operstate operstate;
	struct net_device *linkwatch_next;

	/* dev_addr_lists.c */
	struct table uc, mc, dev_addrs;
	struct netdev_hw_addr *own_addr; /* of dev_addrs: the one that dev_addr is a copy of */
	bool uc_promisc;
	unsigned promiscuity, allmulti;

	struct adjacency upper, lower;
	unsigned upper_level, lower_level;

	/* What subsystems hang on a device. */
	struct in_device *ip_ptr;
	struct inet6_dev *ip6_ptr;
	struct vlan_info *vlan_info;
	bool has_rx_handler;
	void *rx_handler_data; /* bridge port, macvlan port, bond slave */

	struct netdev_node *name_node, *index_node; /* in the namespace's tables */
	struct net_device *prev, *next;             /* the namespace's devices, oldest first */
	struct net_device *index_next;              /* in net.index_head, an older one */
	uint64_t index_seq;                         /* rises with each device listed there */
	struct net_device *unregister_prev, *unregister_next;
	struct unregister_list *unregister_list; /* that it waits on */
};

struct net {
	struct kernel *kernel;
	char name[64]; /* of ip netns; empty for init_net */
	struct table netdev_name, netdev_index;
	struct net_device *first, *last; /* dev_base_head: in order of registration */

	/* dev_index_head: the order in which devices are dumped, whatever structure
	 * looks them up. */
	struct net_device *index_head[NETDEV_HASHENTRIES];
	uint64_t index_seq, dev_base_seq; /* dev_base_seq rises with every change of the devices */
	unsigned device_count;
	int last_ifindex;
	struct net_device *loopback;
	void **module_state;
	struct net *prev, *next; /* of the kernel's, or of those that die */
};

/* Elements of the tables netdev_name and netdev_index. */
struct netdev_node {
	struct key key;
	struct net_device *dev;
};

/* Devices collected for unregister_netdevice_many(), in order. */
struct unregister_list {
	struct net_device *first, *last;
};

static inline void *
netdev_priv(const struct net_device *dev)
{
	return dev->priv;
}

static inline bool
netif_running(const struct net_device *dev)
{
	return dev->running;
}

static inline bool
netif_carrier_ok(const struct net_device *dev)
{
	return dev->carrier;
}

static inline bool
netif_oper_up(const struct net_device *dev)
{
	return dev->operstate == OPER_UP || dev->operstate == OPER_UNKNOWN;
}

/* As user space sees them: IFF_UP, IFF_RUNNING, IFF_LOWER_UP ... */
unsigned dev_get_flags(const struct net_device *);
int dev_get_iflink(const struct net_device *);

struct net_device *dev_get_by_name(struct net *, const char *name); /* a counted lookup, or null */
struct net_device *dev_get_by_index(struct net *, int ifindex);

struct net_device *netdev_master_upper_dev_get(const struct net_device *);
