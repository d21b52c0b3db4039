/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request.h - what a user asks of the kernel: structs that mirror rtnetlink
 * messages, one a message type.  The commands of a scenario become these, and
 * real netlink messages can enter by the same door.
 *
 * Every function of the lower half takes RTNL itself where the kernel does, so
 * it runs in a task.  Results are 0 or a negative errno; 'ack' receives the
 * extended error text, if the kernel has one. */
#pragma once

#include <linux/if.h>
#include <stdbool.h>
#include <stdint.h>

#include "net/module.h"

struct net;

struct ext_ack {
	char message[160]; /* empty: none.  Without the final full stop. */
};

/* RTM_NEWLINK, RTM_SETLINK, RTM_DELLINK; unset fields are zero. */
struct link_request {
	int ifindex;                  /* ifi_index; 0: by ifname, of a new link the next free one */
	char ifname[IFNAMSIZ];        /* IFLA_IFNAME: the name to create, or the new name */
	unsigned flags, change;       /* ifi_flags, ifi_change: IFF_UP ... */
	const struct link_kind *kind; /* IFLA_INFO_KIND */
	int link;                     /* IFLA_LINK; 0: none */
	int master;                   /* IFLA_MASTER, valid with has_master; 0: nomaster */
	bool has_master;
	bool has_address, has_mtu, has_txqlen, has_group;
	uint8_t address[6];
	unsigned mtu, txqlen, group;
	char netns[64]; /* IFLA_NET_NS_FD, by name; empty: none */

	uint32_t given; /* bit n: options[n] of the kind was given */
	uint64_t option[LINK_OPTIONS_MAX];
	struct link_inet {
		uint8_t addr[16];
		unsigned len; /* 4 or 16 */
	} inet[LINK_OPTIONS_MAX];
	struct link_request *peer; /* veth's VETH_INFO_PEER; owned, may be null */
	struct net *net;           /* rtnetlink's: the namespace that was asked */
};

/* RTM_NEWADDR, RTM_DELADDR of family AF_INET6. */
struct addr_request {
	int ifindex;
	uint8_t local[16];
	uint8_t prefixlen;
	uint32_t flags;                    /* IFA_F_NODAD ... */
	uint32_t valid_lft, preferred_lft; /* seconds; UINT32_MAX: forever */
	bool replace;                      /* NLM_F_REPLACE: 'ip address change' and 'replace' */
};

/* The same of family AF_INET. */
struct inet_addr_request {
	int ifindex;
	uint32_t local; /* in the host's order */
	uint8_t prefixlen, scope;
	bool replace;
};

/* RTM_NEWADDRLABEL, RTM_DELADDRLABEL. */
struct addrlabel_request {
	uint8_t prefix[16];
	uint8_t prefixlen;
	int ifindex; /* 0: of any device */
	uint32_t label;
};

/* RTM_NEWNEIGH, RTM_DELNEIGH of family PF_BRIDGE: ndm_state is NUD_PERMANENT,
 * NUD_NOARP or NUD_REACHABLE, ndm_flags NTF_SELF, NTF_MASTER ... */
struct fdb_request {
	int ifindex;
	uint8_t addr[6];
	uint16_t vid; /* NDA_VLAN; 0: not given */
	uint16_t state, flags;
	bool create, exclusive, append, replace; /* NLM_F_CREATE ... */

	/* What a tunnel's entry names. */
	uint8_t dst[16];  /* NDA_DST */
	unsigned dst_len; /* 4 or 16; 0: not given */
	bool has_port, has_vni, has_src_vni;
	uint16_t port;         /* NDA_PORT */
	uint32_t vni, src_vni; /* NDA_VNI, NDA_SRC_VNI */
	int via;               /* NDA_IFINDEX; 0: not given */
};

/* RTM_SETLINK, RTM_DELLINK of family PF_BRIDGE. */
struct bridge_request {
	int ifindex;
	uint16_t flags; /* IFLA_BRIDGE_FLAGS: BRIDGE_FLAGS_SELF, _MASTER; 0: not given */

	/* IFLA_BRIDGE_VLAN_INFO, one or the two ends of a range: BRIDGE_VLAN_INFO_PVID ... */
	bool has_vlan;
	uint16_t vid, vid_end, vlan_flags;

	/* IFLA_PROTINFO of a port: bit IFLA_BRPORT_LEARNING and the like, and a state. */
	uint64_t port_given, port_on;
	bool has_state;
	uint8_t state;
};

struct net *net_by_name(struct kernel *, const char *name); /* or null */

int netns_add(struct kernel *, const char *name); /* -EEXIST */
int netns_del(struct kernel *, const char *name); /* -ENOENT; teardown goes on behind it */

int rtnl_getlink(struct net *, const char *ifname, int *ifindex); /* -ENODEV */
int rtnl_newlink(struct net *, const struct link_request *, struct ext_ack *);
int rtnl_setlink(struct net *, const struct link_request *, struct ext_ack *);
int rtnl_dellink(struct net *, const struct link_request *, struct ext_ack *);

int inet_rtm_newaddr(struct net *, const struct inet_addr_request *, struct ext_ack *);
int inet_rtm_deladdr(struct net *, const struct inet_addr_request *, struct ext_ack *);

int inet6_rtm_newaddr(struct net *, const struct addr_request *, struct ext_ack *);
int inet6_rtm_deladdr(struct net *, const struct addr_request *, struct ext_ack *);

int rtnl_addrlabel(struct net *, const struct addrlabel_request *, bool add);

int rtnl_bridge_setlink(struct net *, const struct bridge_request *, struct ext_ack *);
int rtnl_bridge_dellink(struct net *, const struct bridge_request *, struct ext_ack *);

int rtnl_fdb_add(struct net *, const struct fdb_request *, struct ext_ack *);
int rtnl_fdb_del(struct net *, const struct fdb_request *, struct ext_ack *);

/* SIOCADDMULTI, SIOCDELMULTI: what 'ip maddress add|del' uses. */
int dev_ioctl_multi(struct net *, const char *ifname, const uint8_t addr[6], bool add);

/* SIOCGIFTXQLEN: -ENODEV. */
int dev_ioctl_txqlen(struct net *, const char *ifname, unsigned *len);

/* Writes 'value' to /proc/sys/PATH ("net/ipv6/conf/all/forwarding").  -ENOENT:
 * there is no such file here; -EINVAL: not a number, or out of bounds. */
int net_sysctl_write(struct net *, const char *path, const char *value);
int net_sysctl_read(struct net *, const char *path, int *value);
