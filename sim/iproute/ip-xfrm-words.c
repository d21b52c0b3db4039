/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-xfrm-words.c - selectors, limits, flags: what states and policies both have. */
#include <string.h>

#include "iproute/ip-xfrm.h"

static bool
is_one_of(const struct args *a, const struct xfrm_word *w)
{
	while (w->name && strcmp(w->name, args_peek(a)) != 0)
		w++;
	return w->name != NULL;
}

bool
xfrm_take_flags(struct args *a, const struct xfrm_word *w, uint32_t *flags)
{
	uint32_t flag;

	do {
		if (!xfrm_take_word(a, w, "unknown", &flag))
			return false;
		*flags |= flag;
	} while (args_left(a) && is_one_of(a, w));
	return true;
}

bool
xfrm_take_port(struct args *a, const char *what, uint16_t *port)
{
	const char *text = NULL;
	uint64_t number;

	if (!args_value(a, &text))
		return false;
	if (!args_number(text, 0, UINT16_MAX, &number))
		return args_wrong(a, what);
	*port = GUINT16_TO_BE((uint16_t)number);
	return true;
}

bool
xfrm_take_limit(struct args *a, struct xfrm_lifetime_cfg *lft)
{
	static const struct {
		const char *name;
		size_t offset;
	} limits[] = {
		{"time-soft", offsetof(struct xfrm_lifetime_cfg, soft_add_expires_seconds)},
		{"time-hard", offsetof(struct xfrm_lifetime_cfg, hard_add_expires_seconds)},
		{"time-use-soft", offsetof(struct xfrm_lifetime_cfg, soft_use_expires_seconds)},
		{"time-use-hard", offsetof(struct xfrm_lifetime_cfg, hard_use_expires_seconds)},
		{"byte-soft", offsetof(struct xfrm_lifetime_cfg, soft_byte_limit)},
		{"byte-hard", offsetof(struct xfrm_lifetime_cfg, hard_byte_limit)},
		{"packet-soft", offsetof(struct xfrm_lifetime_cfg, soft_packet_limit)},
		{"packet-hard", offsetof(struct xfrm_lifetime_cfg, hard_packet_limit)},
	};
	g_autofree char *invalid = NULL;
	const char *name;
	unsigned i = 0;

	if (!args_value(a, &name))
		return false;
	while (i < G_N_ELEMENTS(limits) && strcmp(limits[i].name, name) != 0)
		i++;
	if (i == G_N_ELEMENTS(limits))
		return args_wrong(a, "LIMIT value is invalid");
	invalid = g_strdup_printf("value after \"%s\" is invalid", name);
	return xfrm_take_u64(a, invalid, (uint64_t *)(void *)((char *)lft + limits[i].offset));
}

/* The selector: SELECTOR of ip-xfrm(8). */

static bool
selector_proto(struct args *a, struct xfrm_selector *sel)
{
	const char *text = NULL;
	uint64_t number;

	if (!args_value(a, &text))
		return false;
	for (unsigned i = 0; show_ip_protos[i].name; i++)
		if (strcmp(show_ip_protos[i].name, text) == 0) {
			sel->proto = (uint8_t)show_ip_protos[i].value;
			return true;
		}
	if (!args_number(text, 0, UINT8_MAX, &number))
		return args_wrong(a, "PROTO value is invalid");
	sel->proto = (uint8_t)number;
	return true;
}

static bool
selector_word(struct args *a, struct xfrm_selector *sel, char **dev, bool *known)
{
	const char *word = args_peek(a);

	*known = true;
	a->at++;
	if (strcmp(word, "src") == 0)
		return xfrm_take_prefix(a, &sel->saddr, &sel->prefixlen_s, &sel->family);
	if (strcmp(word, "dst") == 0)
		return xfrm_take_prefix(a, &sel->daddr, &sel->prefixlen_d, &sel->family);
	if (strcmp(word, "proto") == 0)
		return selector_proto(a, sel);
	if (strcmp(word, "sport") == 0) {
		sel->sport_mask = UINT16_MAX;
		return xfrm_take_port(a, "value after \"sport\" is invalid", &sel->sport);
	}
	if (strcmp(word, "dport") == 0) {
		sel->dport_mask = UINT16_MAX;
		return xfrm_take_port(a, "value after \"dport\" is invalid", &sel->dport);
	}
	if (strcmp(word, "dev") == 0)
		return args_string(a, dev);
	*known = false;
	a->at--;
	return true;
}

bool
xfrm_take_selector(struct args *a, struct xfrm_selector *sel, char **dev)
{
	bool known = true, any = false;

	while (args_left(a) && known) {
		if (!selector_word(a, sel, dev, &known))
			return false;
		any |= known;
	}
	if (any)
		return true;
	if (!args_left(a))
		return args_error_next(a, "Command line is not complete. Try option \"help\"");
	a->at++;
	return args_wrong(a, "unknown");
}
