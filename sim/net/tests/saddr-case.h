/* SPDX-License-Identifier: GPL-2.0-or-later */
/* saddr-case.h - boxes in which a source address is chosen: told by a file, or made
 * at random. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "box.h"

/* An address as its device's list has it. */
struct case_addr {
	uint8_t addr[16];
	unsigned prefixlen;
	uint32_t flags; /* IFA_F_ */
	unsigned dev;   /* its place in 'devs' */
};

struct case_dev {
	char name[IFNAMSIZ];
	int ifindex;
	bool in_vrf; /* the device "v" is the VRF, if there is one */
	int use_tempaddr, optimistic_dad, use_optimistic, use_oif_addrs_only;
};

struct case_label {
	uint8_t prefix[16];
	unsigned prefixlen;
	uint32_t label;
	int ifindex; /* 0: of any device */
};

struct case_ask {
	uint8_t dst[16];
	int ifindex; /* 0: no device is known */
	unsigned prefs;
	bool none; /* there is no source */
	uint8_t src[16];
};

#define CASE_DEVS 8

struct saddr_case {
	char *name;
	struct case_dev devs[CASE_DEVS]; /* in order of registration; lo is the first */
	unsigned dev_count;
	GArray *addrs, *labels, *asks; /* labels beside the kernel's own */
};

/* All of a file: a line a thing, an empty one between two cases. */
GPtrArray *saddr_cases_read(const char *path);
void saddr_case_free(void *);

/* Makes the box's devices, addresses and labels so. */
void saddr_case_build(struct box *, const struct saddr_case *);

char *saddr_text(const uint8_t addr[16]);

/* saddr-model.c: the answer by RFC 6724 and what Linux adds to it, written without a
 * look at how the simulator does it: candidates are compared in pairs.  False: none. */
bool saddr_model(const struct saddr_case *, const struct case_ask *, uint8_t src[16]);
