/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command-impl.h - what the files of this folder share: a parsed command, and
 * the process that runs one. */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "iproute/args.h"
#include "iproute/command.h"
#include "net/request.h"

/* The process that a command is while it runs. */
struct process {
	struct kernel *kernel;
	struct net *net;
	struct answer *answer;

	/* libnetlink's cache: a name is asked for once. */
	struct known_link {
		char *name;
		int ifindex;
	} known[8];
	unsigned known_count;

	/* rtnl.c; null until they are needed */
	int protocol; /* of the socket: NETLINK_ROUTE, which is 0, or NETLINK_XFRM */
	struct netlink_sock *rtnl;
	GHashTable *links; /* ifindex to name */
};

/* One kind of command.  'data' is what its parser made. */
struct command_type {
	void (*run)(struct process *, const void *data);
	void (*free)(void *data); /* may be null */
};

struct command {
	const struct command_type *type;
	void *data;
	const char *program;
	char *netns; /* null: the initial one */
	bool may_fail;
	int cpu; /* where it runs; -1: anywhere */
	enum command_manner manner;
};

/* Gives the command its meaning; takes 'data'.  Returns true. */
bool command_becomes(struct command *, const struct command_type *, void *data);

/* Finds the program of the next word and lets it parse the others; 'input' is what
 * a pipe feeds it, or null. */
bool program_parse(struct args *, struct command *, const char *input);

bool bridge_parse(struct args *, struct command *, const char *input);
bool cat_parse(struct args *, struct command *, const char *input);
bool ip_parse(struct args *, struct command *, const char *input);
bool modprobe_parse(struct args *, struct command *, const char *input);
bool netperf_parse(struct args *, struct command *, const char *input);
bool netserver_parse(struct args *, struct command *, const char *input);
bool mausezahn_parse(struct args *, struct command *, const char *input);
bool sysctl_parse(struct args *, struct command *, const char *input);
bool udp4send_parse(struct args *, struct command *, const char *input);
bool udp6send_parse(struct args *, struct command *, const char *input);
bool udpsink_parse(struct args *, struct command *, const char *input);
bool tee_parse(struct args *, struct command *, const char *input);

/* Running: output and the end.  An error text includes its newline. */
void process_print(struct process *, const char *format, ...) G_GNUC_PRINTF(2, 3);
void process_fail(struct process *, int status, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* The end of a netlink request: 0, or iproute2's words for what the kernel said.
 * Returns false on failure. */
bool process_talked(struct process *, int result, const struct ext_ack *);

/* ll_name_to_index(): asks the kernel unless it did before; 0 if there is none. */
int process_link(struct process *, const char *name);
int process_vrf(struct process *, const char *name); /* 0, too, if it is no VRF */

/* strerror() of the C locale for the errors that the models return. */
const char *error_text(int error);
