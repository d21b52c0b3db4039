/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show.h - what 'show' prints: the state as ip's JSON, and ip's text from it.
 *
 * There is one description of a device, its JSON object; the text is made from
 * that, so that both always say the same. */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "iproute/ip-address.h"

/* A device as 'ip -d -j link show' has it, but for the lengths of queues and
 * the sizes of segmentation offload, which are not modelled; and "link_netns",
 * a name that ip has in its text only. */
json_t *show_device(const struct net_device *);

/* Its addresses: "addr_info". */
json_t *show_addresses(const struct net_device *, int family, const struct address_filter *);

/* Its groups: "maddr".  'family' is AF_UNSPEC for all. */
json_t *show_groups(const struct net_device *, int family);

/* A namespace's devices (borrowed) in the order of the kernel's dump: by hash
 * bucket of the ifindex, the newest first within one. */
GPtrArray *show_dump_order(const struct net *);

/* As ip prints it: on one line, without blanks. */
void show_json(const json_t *, GString *out);

/* An array of strings as ip's text has it: "<UP,LOWER_UP>". */
void show_list(const json_t *, GString *out);

/* The text of one device, and of its "addr_info" if it has one. */
void show_link_text(const json_t *device, const struct ip_options *, GString *out);
void show_addr_text(const json_t *device, const struct ip_options *, GString *out);

/* show-info-text.c: "linkinfo", as -d prints it. */
void show_info_text(const json_t *linkinfo, const char *separator, GString *out);

char *show_lladdr(const uint8_t *addr, unsigned len);
char *show_inet6(const uint8_t addr[16]);
