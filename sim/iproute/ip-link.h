/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-link.h - 'ip link add|set|delete', parsed: a request whose names are still
 * to be resolved, in the order in which ip resolves them. */
#pragma once

#include "iproute/ip.h"

enum link_step_kind {
	LINK_STEP_DEV,     /* the device itself */
	LINK_STEP_LINK,    /* "link L" */
	LINK_STEP_MASTER,  /* "master M" */
	LINK_STEP_VRF,     /* "vrf M" */
	LINK_STEP_NETNS,   /* "netns NS" */
	LINK_STEP_ADDRESS, /* is the new address as long as the device's? */
	LINK_STEP_OPTION,  /* an option of the kind that names a device */
};

/* What ip asks the kernel before its request. */
struct link_step {
	enum link_step_kind kind;
	char *name;
	unsigned option; /* place in link_kind.options */
	int no_device;   /* exit status if the device that it names is not there */
};

enum link_verb {
	LINK_ADD,
	LINK_SET,
	LINK_DELETE,
};

struct link_command {
	enum link_verb verb;
	struct link_request request; /* its 'peer' is unused: see below */
	GArray *steps;               /* struct link_step */
	struct link_command *peer;   /* veth's other end, or null */
	unsigned address_len;
	const char *note; /* what ip prints before it asks anything; may be null */

	/* While parsing. */
	char *dev, *name, *link;
	unsigned name_at; /* the word that 'dev' or 'name' is */
	bool has_index, is_peer;
};

struct link_command *link_command_new(enum link_verb);
void link_command_free(void *);
void link_command_step(struct link_command *, enum link_step_kind, const char *name);

/* ip-link.c: after its options are parsed, what ip checks, and asks the kernel. */
bool link_command_finish(struct args *, struct link_command *);

/* link-options.c: everything up to and including "type K". */
bool link_options_parse(struct args *, struct link_command *);

/* kind-options.c: what follows "type K", whose keyword is taken. */
bool kind_options_parse(struct args *, struct link_command *);

/* ip-link-run.c */

/* iplink_have_newlink(): before anything else 'ip link COMMAND' looks whether the kernel
 * knows RTM_NEWLINK. */
void ip_link_probe(struct process *);

extern const struct command_type link_command_type;
