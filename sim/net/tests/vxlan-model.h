/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vxlan-model.h - the forwarding database of a vxlan device as a list of entries that
 * is searched from one end to the other, and the rules for what users ask of it, which
 * were written down from the manual of bridge(8) and the kernel's source. */
#pragma once

#include "net/netdevice.h"

#define MODEL_VNI     42
#define MODEL_PORT    4789
#define MODEL_REMOTES 32 /* all that there can be: of four addresses, and two of all else */
#define MODEL_ENTRIES 64

struct remote {
	uint8_t ip; /* 10.0.0.ip; 0: 0.0.0.0 */
	uint16_t port;
	uint32_t vni;
	int via;
};

struct entry {
	uint8_t mac[ETH_ALEN];
	uint32_t vni;
	struct remote remote[MODEL_REMOTES];
	unsigned remotes;
	uint16_t state, flags;
	uint64_t used, updated;
	uint64_t since; /* that it can grow old */
};

struct model {
	uint64_t now; /* for the caller to set */
	bool external;
	unsigned limit;
	uint8_t dflt; /* the default remote's ip */
	struct entry entry[MODEL_ENTRIES];
	unsigned entries;
	uint64_t packets; /* sent to remotes */
};

struct entry *model_find(struct model *, const uint8_t *mac, uint32_t vni);
void model_drop(struct model *, struct entry *);
bool model_grows_old(const struct entry *);
bool model_same_remote(const struct remote *, const struct remote *);
unsigned model_remotes(const struct model *);

/* Each returns what the kernel must answer. */
int model_add(struct model *, const struct fdb_request *);
int model_del(struct model *, const struct fdb_request *);
int model_set_remote(struct model *, uint8_t ip);

void model_send(struct model *, const uint8_t *dst);
void model_down(struct model *); /* what does not outlive it goes */
