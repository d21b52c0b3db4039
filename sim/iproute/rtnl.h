/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rtnl.h - what iproute2's libnetlink does for its programs: dumps, read from one
 * end to the other, and the names of links. */
#pragma once

#include <libmnl/libmnl.h>

#include "iproute/command-impl.h"

/* A request for a dump in the making, in a buffer of the caller's. */
#define RTNL_REQUEST_SIZE 1024

/* 'family' is the first byte of the struct behind the header, whose size is given. */
struct nlmsghdr *rtnl_dump_request(void *buffer, uint16_t type, uint8_t family, size_t size);

/* What libnetlink offers the kernel for an answer on the socket of the process that is
 * no dump: rtnl_listen() and rtnl_talk(). */
void process_listened(struct process *);
void process_asked(struct process *);

/* Sends the request and hands each message that answers it to 'each'.  False: the
 * kernel refused, and the process has said so. */
bool process_dump(struct process *, const struct nlmsghdr *request,
		  void (*each)(const struct nlmsghdr *, void *data), void *data);

/* ll_init_map(): asks for all links, unless that was done before.  False as above. */
bool process_link_map(struct process *);

/* By the map: a link's ifindex, or 0. */
int process_link_index(struct process *, const char *name);

/* By the map: a link's name, or "if7" where it has none of that index. */
const char *process_link_name(struct process *, int ifindex);

/* At the end of a process. */
void process_rtnl_close(struct process *);
