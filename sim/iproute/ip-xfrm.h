/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-xfrm.h - 'ip xfrm': what the files about it share. */
#pragma once

#include <libmnl/libmnl.h>

#include "iproute/ip.h"
#include "net/xfrm-user.h"

/* Names and numbers; ends at a null name. */
struct xfrm_word {
	const char *name;
	uint32_t value;
};

extern const struct xfrm_word xfrm_protos[], xfrm_modes[], xfrm_state_flags[], xfrm_extra_flags[],
	xfrm_encaps[], show_ip_protos[], xfrm_dirs[], xfrm_ptypes[], xfrm_actions[],
	xfrm_policy_flags[], xfrm_levels[];

const char *xfrm_word_name(const struct xfrm_word *, uint32_t value); /* or null */

/* The next word is one of the table's, or what iproute2 says of it. */
bool xfrm_take_word(struct args *, const struct xfrm_word *, const char *what, uint32_t *value);
bool xfrm_take_u32(struct args *, const char *what, uint32_t *value);
bool xfrm_take_u64(struct args *, const char *what, uint64_t *value);
bool xfrm_take_mark(struct args *, struct xfrm_mark *);

/* "src ADDR", "dst ADDR", "proto P", "spi N": as many as there are.  'loose': none has to
 * be.  Prefix lengths, where given, of list's addresses; null: there must be none. */
struct xfrm_ids {
	xfrm_address_t saddr, daddr;
	uint8_t splen, dplen; /* bits; the whole address where none were said */
	uint16_t family;      /* AF_UNSPEC: no address */
	bool has_saddr, has_daddr, has_spi;
	uint8_t proto;
	uint32_t spi; /* as on the wire */
};
bool xfrm_take_ids(struct args *, struct xfrm_ids *, bool loose);

/* "A/B", "A", "any", "default": 'family' is AF_UNSPEC or what it has to be. */
bool xfrm_take_prefix(struct args *, xfrm_address_t *, uint8_t *len, uint16_t *family);

/* ip-xfrm-words.c: as many flags as there are, limits behind "limit", a selector of at least
 * one word (SELECTOR of ip-xfrm(8)), whose device is *dev: a copy. */
bool xfrm_take_flags(struct args *, const struct xfrm_word *, uint32_t *flags);
bool xfrm_take_port(struct args *, const char *what, uint16_t *port); /* as on the wire */
bool xfrm_take_limit(struct args *, struct xfrm_lifetime_cfg *);
bool xfrm_take_selector(struct args *, struct xfrm_selector *, char **dev);

/* ip-xfrm-policy.c, ip-xfrm-policy-list.c */
bool ip_xfrm_policy_modify_parse(struct args *, void *ip, const struct keyword *);
bool ip_xfrm_policy_list_parse(struct args *, void *ip, const struct keyword *);
bool ip_xfrm_policy_get_parse(struct args *, void *ip, const struct keyword *);
bool ip_xfrm_policy_flush_parse(struct args *, void *ip, const struct keyword *);
bool ip_xfrm_policy_count_parse(struct args *, void *ip, const struct keyword *);
bool ip_xfrm_policy_set_parse(struct args *, void *ip, const struct keyword *);

/* One word of a policy: its direction, its type. */
bool xfrm_take_dir(struct args *, uint8_t *dir);
bool xfrm_take_ptype(struct args *, uint8_t *type);

/* ip-xfrm-state.c */
bool ip_xfrm_state_modify_parse(struct args *, void *ip, const struct keyword *);

/* ip-xfrm-list.c */
bool ip_xfrm_state_list_parse(struct args *, void *ip, const struct keyword *);
bool ip_xfrm_state_get_parse(struct args *, void *ip, const struct keyword *);
bool ip_xfrm_state_flush_parse(struct args *, void *ip, const struct keyword *);
bool ip_xfrm_state_count_parse(struct args *, void *ip, const struct keyword *);

/* show-xfrm.c: a message about a state as lines. */
struct xfrm_show {
	bool statistics, nokeys, oneline;
};
void show_xfrm_policy(const struct xfrm_show *, const struct nlmsghdr *, GString *out);

/* What both have: "src A/B dst A/B ...", limits and what of them is used up. */
void show_xfrm_selector(const struct xfrm_show *, const struct xfrm_selector *, GString *out);
void show_xfrm_lifetime(const struct xfrm_show *, const struct xfrm_lifetime_cfg *,
			const struct xfrm_lifetime_cur *, GString *out);
void show_xfrm_flags(GString *out, const struct xfrm_word *, uint32_t flags);
void show_xfrm_addr(GString *out, const xfrm_address_t *, uint16_t family);

void show_xfrm_state(const struct xfrm_show *, const struct nlmsghdr *, GString *out);
