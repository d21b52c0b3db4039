/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show.h - what 'show' prints: the kernel's messages as ip's JSON, and ip's text from
 * it.
 *
 * There is one description of a link, its JSON object; the text is made from that, so
 * that both always say the same. */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <libmnl/libmnl.h>

#include "iproute/ip-address.h"

#define RTNL_ANSWER_SIZE 4096 /* of a question for one link */

/* The links that ip has heard of: ll_map.  show-links.c */
struct show_links;

struct show_links *show_links_new(struct net *);
void show_links_free(struct show_links *);

/* Remembers what a message says of its link. */
void show_links_note(struct show_links *, const struct nlmsghdr *);

/* A link's name, or "if7" if there is none of that index; the kernel is asked once for
 * what was not heard of.  A new string. */
char *show_link_name(struct show_links *, int ifindex);
bool show_link_is_down(struct show_links *, int ifindex); /* it is known, and not up */

/* What ip asks the kernel by other means: by ioctl, and for the name of a namespace that
 * has a number here ("" if it has none). */
void show_links_txqlen(const struct show_links *, const char *name, unsigned *len);
const char *show_links_netns(const struct show_links *, int id);

/* A link as 'ip -d -j link show' has it, but for the lengths of queues and the sizes of
 * segmentation offload, which are not modelled; and "link_netns", a name that ip has in
 * its text only. */
json_t *show_link_json(struct show_links *, const struct nlmsghdr *);

/* The attribute of a message about a link, or null. */
const struct nlattr *show_link_attr(const struct nlmsghdr *, uint16_t type);

/* Of what kind a link is, or its master: "" for none.  A new string. */
char *show_link_kind(const struct nlmsghdr *, bool masters);

/* show-info.c: what a kind says of a link or, 'of_slave', of a slave: "info_data". */
json_t *show_info(const char *kind, bool of_slave, const struct nlattr *data, struct show_links *);

/* An address: a member of "addr_info". */
json_t *show_address_json(const struct nlmsghdr *);

/* A device's groups: "maddr".  'family' is AF_UNSPEC for all. */
json_t *show_groups(const struct net_device *, int family);

/* Those of the members, a null-terminated list, that there are. */
void show_copy_members(json_t *to, const json_t *from, const char *const *members);

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
