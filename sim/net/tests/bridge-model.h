/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge-model.h - the forwarding database of a bridge as a list of entries that is
 * searched from one end to the other, and the rules for it, which were written down from
 * the manual of bridge(8) and the kernel's source. */
#pragma once

#include "net/bridge.h"

#define PORTS     3
#define VIDS      4    /* 1 .. VIDS - 1 */
#define NOBODY    (-1) /* the bridge itself */
#define AGEING_PS (10 * PS_PER_S)

struct entry {
	uint8_t mac[ETH_ALEN];
	uint16_t vid;
	int port;
	unsigned flags; /* BR_FDB_LOCAL ... */
	uint64_t updated;
};

struct port {
	bool joined, has[VIDS], learning, flood, isolated;
	unsigned order; /* the newest has the highest */
	uint16_t pvid;
	uint8_t mac[ETH_ALEN];
};

struct model {
	uint64_t now; /* for the caller to set */
	struct port port[PORTS];
	struct port bridge;
	bool filtering;
	unsigned joins;
	GArray *entries;            /* struct entry */
	uint64_t forwarded, passed; /* frames, by ports and to the bridge */
};

struct port *port_of(struct model *, int port);
struct entry *find(struct model *, const uint8_t *mac, uint16_t vid); /* or null */

/* What happens to ports, to the bridge and in time. */
void model_joins(struct model *, int port);
void model_leaves(struct model *, int port);
void model_change_vlan(struct model *, int port, uint16_t vid, bool add, bool pvid);
void model_change_mac(struct model *, int port, const uint8_t mac[ETH_ALEN]);
void model_grow_old(struct model *);

/* A frame comes in. */
void model_frame(struct model *, int from, const uint8_t *src, const uint8_t *dst, bool tagged,
		 uint16_t vid);

/* What a user asks for; each returns what the kernel must answer. */
int model_add(struct model *, int port, const struct fdb_request *);
int model_del(struct model *, int port, const uint8_t *mac, uint16_t vid);
