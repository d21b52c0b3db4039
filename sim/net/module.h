/* SPDX-License-Identifier: GPL-2.0-or-later */
/* module.h - what one file of this folder provides to the simulated kernel.
 *
 * A module is a kernel source file that can be registered: a subsystem with
 * per-namespace state and a notifier, a link kind, or both.  meson.build lists
 * them in the order in which the kernel registers them, which is the order of
 * the notifier chain and, reversed, of namespace exit.  Nothing else needs to
 * know a new one; its symbol is net_module_NAME, with '_' for '-'. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bridge_request;
struct dump_set;
struct ext_ack;
struct fdb_dump;
struct fdb_request;
struct frame;
struct kernel;
struct link_request;
struct net;
struct net_device;
struct netlink_callback;
struct nlmsg;
struct rtnl_dump;
struct skb;
struct table_spec;
struct unregister_list;

enum netdev_event {
	NETDEV_REGISTER,
	NETDEV_UNREGISTER,
	NETDEV_PRE_UP,
	NETDEV_UP,
	NETDEV_GOING_DOWN,
	NETDEV_DOWN,
	NETDEV_CHANGE,
	NETDEV_CHANGEADDR,
	NETDEV_CHANGEMTU,
	NETDEV_CHANGENAME,
	NETDEV_PRECHANGEUPPER,
	NETDEV_CHANGEUPPER,
	NETDEV_JOIN,
	NETDEV_RELEASE,
	NETDEV_POST_INIT,
};

/* What CHANGE carries; null stands for no flags. */
struct netdev_change {
	unsigned flags_changed;
};

/* What the PRECHANGEUPPER and CHANGEUPPER events carry. */
struct changeupper {
	struct net_device *upper;
	bool master;
};

/* One option after 'type KIND' on ip's command line, and where struct
 * link_request keeps its value: option[place]. */
enum link_option_form {
	LINK_OPTION_NUMBER, /* min .. max, as ip parses it; or one of 'words', if it has any */
	LINK_OPTION_ON_OFF,
	LINK_OPTION_WORD,   /* one of 'words', or its number */
	LINK_OPTION_DEVICE, /* a device name; ip resolves it to an ifindex */
	LINK_OPTION_PEER,   /* veth: "peer" and the options of a second link */
	LINK_OPTION_FLAG,   /* its name alone or, if 'min' is 0, behind "no": "nolearning" */
	LINK_OPTION_INET,   /* an address of IPv4 or IPv6, no group's; in inet[place] */
	LINK_OPTION_INET_GROUP,
	LINK_OPTION_PORTS, /* two numbers of 16 bits, the first << 16 | the second */
};

struct link_option {
	const char *name, *help;
	enum link_option_form form;
	uint64_t min, max;
	const char *const *words; /* null-terminated; the value is words_base + index */
	uint64_t words_base;
};

#define LINK_OPTIONS_MAX 28

/* rtnl_link_ops and net_device_ops in one.  Every function may be null. */
struct link_kind {
	const char *name;  /* "vlan": type NAME, IFLA_INFO_KIND */
	const char *about; /* one line */
	bool builtin;      /* made by the kernel, never by 'type NAME' */
	size_t priv_size;
	struct link_option options[LINK_OPTIONS_MAX]; /* ends at the first without a name */

	/* Link operations.  Results are 0 or a negative errno. */
	void (*setup)(struct net_device *);
	int (*validate)(const struct link_request *, struct ext_ack *);
	int (*newlink)(struct net_device *, const struct link_request *, struct ext_ack *);
	int (*changelink)(struct net_device *, const struct link_request *, struct ext_ack *);
	void (*dellink)(struct net_device *, struct unregister_list *);
	int (*get_iflink)(const struct net_device *);
	struct net *(*get_link_net)(const struct net_device *);

	/* Put attributes into IFLA_INFO_DATA, and for a master into IFLA_INFO_SLAVE_DATA
	 * of its slave: all that the kernel's kind has, in its order. */
	void (*fill_info)(struct nlmsg *, const struct net_device *);
	void (*fill_slave_info)(struct nlmsg *, const struct net_device *master,
				const struct net_device *slave);

	/* Device operations. */
	int (*init)(struct net_device *);
	void (*uninit)(struct net_device *);
	int (*open)(struct net_device *);
	int (*stop)(struct net_device *);
	void (*xmit)(struct net_device *, struct frame *); /* null: swallows it; packet.h */
	void (*set_rx_mode)(struct net_device *);
	void (*change_rx_flags)(struct net_device *, unsigned flags);
	int (*set_mac_address)(struct net_device *, const uint8_t *addr);
	int (*change_mtu)(struct net_device *, unsigned mtu, struct ext_ack *);
	int (*add_slave)(struct net_device *, struct net_device *slave, struct ext_ack *);
	int (*del_slave)(struct net_device *, struct net_device *slave);
	int (*fdb_add)(struct net_device *bridge_or_port, const struct fdb_request *,
		       struct ext_ack *);
	int (*fdb_del)(struct net_device *bridge_or_port, const struct fdb_request *,
		       struct ext_ack *);

	/* Of a bridge; without it PF_BRIDGE means nothing to a device.  bridge_getlink
	 * builds a message about the bridge or one of its ports: 0, or -EMSGSIZE. */
	int (*bridge_setlink)(struct net_device *bridge_or_port, const struct bridge_request *,
			      struct ext_ack *);
	int (*bridge_dellink)(struct net_device *bridge_or_port, const struct bridge_request *);
	int (*bridge_getlink)(struct skb *, struct netlink_callback *,
			      struct net_device *bridge_or_port, uint32_t filter_mask);

	/* A message for each entry: without 'filter' of those that are the device's
	 * own, with it of those that lie behind that port.  fdb_each adds the same
	 * entries to a set, but without 'filter' all of them. */
	int (*fdb_dump)(struct fdb_dump *, struct net_device *, struct net_device *filter);
	void (*fdb_each)(struct net_device *, struct net_device *filter, struct dump_set *);

	int (*vlan_rx_add_vid)(struct net_device *, uint16_t vid);
	int (*vlan_rx_kill_vid)(struct net_device *, uint16_t vid);
};

struct net_module {
	const char *name;                   /* the kernel file's or module's: "addrconf", "vlan" */
	const struct link_kind *kind;       /* may be null */
	const struct table_spec *tables[4]; /* those that it owns; ends at the first null */

	const struct rtnl_dump *dumps; /* af-netlink.h; ends at the first without 'what' */

	size_t kernel_size, net_size; /* zeroed state per kernel, per namespace */
	int (*kernel_init)(struct kernel *, void *state);
	int (*net_init)(struct net *, void *state);
	void (*net_exit)(struct net *, void *state);
	void (*exit_batch)(struct kernel *, struct net *dead); /* a list; before their net_exit */

	/* Netdevice notifier: 0, or a negative errno that refuses the change.
	 * 'info' is what the event carries: see the structs above, mostly null. */
	int (*event)(struct kernel *, enum netdev_event, struct net_device *, const void *info);
};

/* The registry, in the order of meson.build. */
unsigned net_module_count(void);
const struct net_module *net_module_at(unsigned);
const struct link_kind *link_kind_by_name(const char *); /* or null */
