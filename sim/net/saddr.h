/* SPDX-License-Identifier: GPL-2.0-or-later */
/* saddr.h - the choice of a source address for a destination, and who reads the
 * lists of addresses how.
 *
 * Models what Linux 5.10 and 6.1 do (RFC 6724 with the kernel's own rules) and, by
 * steps, what they did before the series "ipv6: ipv6_dev_get_saddr() rcu works" of
 * October 2017. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct inet6_dev;
struct net;
struct net_device;
struct table_spec;

/* The steps of the series; each has those before it. */
enum saddr_step {
	SADDR_LOCK,          /* before it: readers take idev->lock, and references */
	SADDR_LIST,          /* 1: writers use RCU's list functions */
	SADDR_COUNT,         /* 2: ipv6_count_addresses() reads under RCU, ... */
	SADDR_CUSTOM_PREFIX, /* 3: ... ipv6_chk_custom_prefix(), ... */
	SADDR_PREFIX,        /* 4: ... ipv6_chk_prefix(), ... */
	SADDR_WALK,          /* 5: ... and __ipv6_dev_get_saddr() */
	SADDR_RCU,           /* 6: no more references: what newer kernels do */
};

extern const char *const saddr_words[]; /* null-terminated */

/* The table of a device's addresses.  Where its backend has no readers beside a
 * writer, all read under the lock and take references, whatever the step. */
extern const struct table_spec inet6_ifa_list_spec;

/* What a socket prefers: of <linux/in6.h>'s IPV6_PREFER_SRC_. */
#define SADDR_PREFER_TMP    0x0001u
#define SADDR_PREFER_PUBLIC 0x0002u
#define SADDR_PREFER_COA    0x0004u

/* The address to send to 'daddr' from.  'dst_dev' is where the packet will leave;
 * null: nobody knows.  'prefs' are SADDR_PREFER_.  0, or -EADDRNOTAVAIL and 'saddr'
 * is as before. */
int ipv6_dev_get_saddr(struct net *, const struct net_device *dst_dev, const uint8_t daddr[16],
		       unsigned prefs, uint8_t saddr[16]);

/* How many addresses the device has; whether one of them shares the first 'len' bits;
 * and whether one's own prefix has 'addr' in it.  Counted, and locked as above. */
unsigned ipv6_count_addresses(struct inet6_dev *);
bool ipv6_chk_custom_prefix(const uint8_t addr[16], unsigned len, const struct net_device *);
bool ipv6_chk_prefix(const uint8_t addr[16], const struct net_device *);

/* l3mdev.c: the VRF that the device is or belongs to, or null; its ifindex, or 0. */
struct net_device *l3mdev_master_dev_rcu(const struct net_device *);
int l3mdev_master_ifindex_rcu(const struct net_device *);
