/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-xfrm-policy.c - messages about IPsec's policies as 'ip xfrm policy' prints them. */
#include <string.h>

#include "iproute/ip-xfrm.h"

struct show {
	const struct xfrm_show *how;
	GString *out;
};

static void
line_end(const struct show *s)
{
	g_string_append(s->out, s->how->oneline ? "\\" : "\n");
}

static void
show_policy(const struct show *s, const struct xfrm_userpolicy_info *i, uint8_t type)
{
	bool all = s->how->statistics;

	g_string_append_printf(s->out, "\tdir %s ", xfrm_word_name(xfrm_dirs, i->dir));
	if (all || i->action != XFRM_POLICY_ALLOW)
		g_string_append_printf(s->out, "action %s ",
				       xfrm_word_name(xfrm_actions, i->action));
	if (all)
		g_string_append_printf(s->out, "index %u ", i->index);
	g_string_append_printf(s->out, "priority %u ptype %s ", i->priority,
			       xfrm_word_name(xfrm_ptypes, type));
	if (all)
		g_string_append(s->out, "share any ");
	if (all || i->flags) {
		g_string_append(s->out, "flag ");
		show_xfrm_flags(s->out, xfrm_policy_flags, i->flags);
	}
	if (all)
		g_string_append_printf(s->out, " (0x%08x)", i->flags);
	line_end(s);
}

/* Which state protects the packet. */
static void
show_id(const struct show *s, const struct xfrm_user_tmpl *t)
{
	uint32_t spi = GUINT32_FROM_BE(t->id.spi);

	g_string_append(s->out, "\ttmpl src ");
	show_xfrm_addr(s->out, &t->saddr, t->family);
	g_string_append(s->out, " dst ");
	show_xfrm_addr(s->out, &t->id.daddr, t->family);
	line_end(s);
	g_string_append_printf(s->out, "\t\tproto %s", xfrm_word_name(xfrm_protos, t->id.proto));
	if (s->how->statistics || spi)
		g_string_append_printf(s->out, " spi 0x%08x", spi);
	if (s->how->statistics)
		g_string_append_printf(s->out, "(%u)", spi);
	g_string_append_printf(s->out, " reqid %u", t->reqid);
	if (s->how->statistics)
		g_string_append_printf(s->out, "(0x%08x)", t->reqid);
	g_string_append_printf(s->out, " mode %s", xfrm_word_name(xfrm_modes, t->mode));
	line_end(s);
}

static void
show_tmpl(const struct show *s, const struct xfrm_user_tmpl *t)
{
	show_id(s, t);
	if (s->how->statistics || t->optional) {
		g_string_append_printf(s->out, "\t\tlevel %s ",
				       xfrm_word_name(xfrm_levels, t->optional));
		if (s->how->statistics)
			g_string_append(s->out, "share any ");
		line_end(s);
	}
	if (!s->how->statistics)
		return;
	g_string_append_printf(s->out, "\t\tenc-mask %x auth-mask %x comp-mask %x", t->ealgos,
			       t->aalgos, t->calgos);
	line_end(s);
}

static void
show_tmpls(const struct show *s, const struct nlattr *attr)
{
	const uint8_t *at = mnl_attr_get_payload(attr);
	size_t count = mnl_attr_get_payload_len(attr) / sizeof(struct xfrm_user_tmpl);

	for (size_t n = 0; n < count; n++) {
		struct xfrm_user_tmpl t; /* messages are not aligned as it wants to be */

		memcpy(&t, at + n * sizeof t, sizeof t);
		show_tmpl(s, &t);
	}
}

static void
show_attributes(const struct show *s, const struct nlattr *const attr[])
{
	struct xfrm_mark mark;

	if (attr[XFRMA_MARK]) {
		memcpy(&mark, mnl_attr_get_payload(attr[XFRMA_MARK]), sizeof mark);
		g_string_append_printf(s->out, "\tmark %#x/%#x ", mark.v, mark.m);
		line_end(s);
	}
	if (attr[XFRMA_TMPL])
		show_tmpls(s, attr[XFRMA_TMPL]);
	if (!attr[XFRMA_IF_ID])
		return;
	g_string_append_printf(s->out, "\tif_id %#x", mnl_attr_get_u32(attr[XFRMA_IF_ID]));
	line_end(s);
}

void
show_xfrm_policy(const struct xfrm_show *how, const struct nlmsghdr *nlh, GString *out)
{
	struct xfrm_userpolicy_info info; /* messages are not aligned as it wants to be */
	struct show s = {.how = how, .out = out};
	const struct nlattr *known[XFRMA_MAX + 1] = {NULL}, *attr;
	uint8_t type = XFRM_POLICY_TYPE_MAIN;

	memcpy(&info, mnl_nlmsg_get_payload(nlh), sizeof info);
	mnl_attr_for_each(attr, nlh, sizeof info)
	{
		if (mnl_attr_get_type(attr) <= XFRMA_MAX)
			known[mnl_attr_get_type(attr)] = attr;
	}
	if (known[XFRMA_POLICY_TYPE])
		type = *(const uint8_t *)mnl_attr_get_payload(known[XFRMA_POLICY_TYPE]);
	show_xfrm_selector(how, &info.sel, out);
	show_policy(&s, &info, type);
	if (how->statistics)
		show_xfrm_lifetime(how, &info.lft, &info.curlft, out);
	show_attributes(&s, known);
	if (how->oneline)
		g_string_append_c(out, '\n');
}
