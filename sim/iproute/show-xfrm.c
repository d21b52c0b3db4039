/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-xfrm.c - messages about IPsec's states as 'ip xfrm state' prints them. */
#include <arpa/inet.h>
#include <string.h>
#include <time.h>

#include "iproute/ip-xfrm.h"

/* Names that /etc/protocols has for numbers, as far as selectors are likely to have them. */
const struct xfrm_word show_ip_protos[] = {
	{"icmp", 1},     {"igmp", 2},   {"tcp", 6},        {"udp", 17},      {"dccp", 33},
	{"gre", 47},     {"esp", 50},   {"ah", 51},        {"ospf", 89},     {"pim", 103},
	{"ipcomp", 108}, {"sctp", 132}, {"ipv6-icmp", 58}, {"udplite", 136}, {NULL, 0},
};

struct show {
	const struct xfrm_show *how;
	const struct nlattr *attr[XFRMA_MAX + 1];
	GString *out;
};

static void
line_end(const struct show *s)
{
	g_string_append(s->out, s->how->oneline ? "\\" : "\n");
}

void
show_xfrm_addr(GString *out, const xfrm_address_t *addr, uint16_t family)
{
	char text[INET6_ADDRSTRLEN];

	inet_ntop(family, addr, text, sizeof text);
	g_string_append(out, text);
}

/* Words of flags, then what no word stands for. */
void
show_xfrm_flags(GString *out, const struct xfrm_word *w, uint32_t flags)
{
	for (; w->name; w++) {
		if (!(flags & w->value))
			continue;
		flags &= ~w->value;
		g_string_append_printf(out, "%s%s", w->name, flags ? " " : "");
	}
	if (flags)
		g_string_append_printf(out, "%x", flags);
}

static void
show_id(const struct show *s, const struct xfrm_usersa_info *i)
{
	uint32_t spi = GUINT32_FROM_BE(i->id.spi);
	const char *mode = xfrm_word_name(xfrm_modes, i->mode);

	g_string_append(s->out, "src ");
	show_xfrm_addr(s->out, &i->saddr, i->family);
	g_string_append(s->out, " dst ");
	show_xfrm_addr(s->out, &i->id.daddr, i->family);
	line_end(s);
	g_string_append_printf(s->out, "\tproto %s spi 0x%08x",
			       xfrm_word_name(xfrm_protos, i->id.proto), spi);
	if (s->how->statistics)
		g_string_append_printf(s->out, "(%u)", spi);
	g_string_append_printf(s->out, " reqid %u", i->reqid);
	if (s->how->statistics)
		g_string_append_printf(s->out, "(0x%08x)", i->reqid);
	g_string_append_printf(s->out, " mode %s", mode);
	line_end(s);
}

/* As iproute2 does: "0x" and eight binary digits. */
static void
append_bits(GString *out, uint8_t flags)
{
	g_string_append(out, " (0x");
	for (unsigned bit = 8; bit-- > 0;)
		g_string_append_c(out, flags >> bit & 1 ? '1' : '0');
	g_string_append_c(out, ')');
}

/* iproute2 prints the number on the wire, in decimal digits. */
static void
show_flags(const struct show *s, const struct xfrm_usersa_info *i)
{
	const struct nlattr *extra = s->attr[XFRMA_SA_EXTRA_FLAGS];

	g_string_append_printf(s->out, "\treplay-window %u ", i->replay_window);
	if (s->how->statistics)
		g_string_append_printf(s->out, "seq 0x%08u ", i->seq);
	if (s->how->statistics || i->flags) {
		g_string_append(s->out, "flag ");
		show_xfrm_flags(s->out, xfrm_state_flags, i->flags);
		if (s->how->statistics)
			append_bits(s->out, i->flags);
	}
	if (extra) {
		g_string_append(s->out, "extra_flag ");
		show_xfrm_flags(s->out, xfrm_extra_flags, mnl_attr_get_u32(extra));
		if (s->how->statistics)
			g_string_append_printf(s->out, " (0x%08x)", mnl_attr_get_u32(extra));
	}
	line_end(s);
}

/* Attributes */

static void
show_marks(const struct show *s)
{
	const struct nlattr *set = s->attr[XFRMA_SET_MARK], *mask = s->attr[XFRMA_SET_MARK_MASK];
	struct xfrm_mark mark;

	if (s->attr[XFRMA_MARK]) {
		memcpy(&mark, mnl_attr_get_payload(s->attr[XFRMA_MARK]), sizeof mark);
		g_string_append_printf(s->out, "\tmark %#x/%#x ", mark.v, mark.m);
		line_end(s);
	}
	if (!set)
		return;
	g_string_append_printf(s->out, "\toutput-mark 0x%x", mnl_attr_get_u32(set));
	if (mask)
		g_string_append_printf(s->out, "/0x%x", mnl_attr_get_u32(mask));
	line_end(s);
}

static void
append_key(const struct show *s, const uint8_t *key, unsigned bits)
{
	if (s->how->nokeys) {
		g_string_append(s->out, "<<Keys hidden>>");
		return;
	}
	if (bits)
		g_string_append(s->out, "0x");
	for (unsigned i = 0; i < (bits + 7) / 8; i++)
		g_string_append_printf(s->out, "%02x", key[i]);
}

/* All of the structs begin with a name and the length of the key. */
static void
show_alg(const struct show *s, uint16_t type, const char *what)
{
	const struct nlattr *attr = s->attr[type];
	const struct xfrm_algo *alg = attr ? mnl_attr_get_payload(attr) : NULL;

	if (!alg)
		return;
	g_string_append_printf(s->out, "\t%s %.64s ", what, alg->alg_name);
	if (type == XFRMA_ALG_AUTH_TRUNC) {
		const struct xfrm_algo_auth *auth = mnl_attr_get_payload(attr);

		append_key(s, (const uint8_t *)auth->alg_key, auth->alg_key_len);
		g_string_append_printf(s->out, " %u", auth->alg_trunc_len);
	} else if (type == XFRMA_ALG_AEAD) {
		const struct xfrm_algo_aead *aead = mnl_attr_get_payload(attr);

		append_key(s, (const uint8_t *)aead->alg_key, aead->alg_key_len);
		g_string_append_printf(s->out, " %u", aead->alg_icv_len);
	} else {
		append_key(s, (const uint8_t *)alg->alg_key, alg->alg_key_len);
	}
	line_end(s);
}

static void
show_encap(const struct show *s, uint16_t family)
{
	struct xfrm_encap_tmpl e;

	if (!s->attr[XFRMA_ENCAP])
		return;
	memcpy(&e, mnl_attr_get_payload(s->attr[XFRMA_ENCAP]), sizeof e);
	g_string_append_printf(s->out, "\tencap type %s sport %u dport %u addr ",
			       xfrm_word_name(xfrm_encaps, e.encap_type), ntohs(e.encap_sport),
			       ntohs(e.encap_dport));
	show_xfrm_addr(s->out, &e.encap_oa, family);
	line_end(s);
}

static void
show_esn(const struct show *s, const struct xfrm_replay_state_esn *esn)
{
	g_string_append(s->out, "\tanti-replay esn context:");
	line_end(s);
	g_string_append_printf(s->out, "\t seq-hi 0x%x, seq 0x%x, oseq-hi 0x%x, oseq 0x%x",
			       esn->seq_hi, esn->seq, esn->oseq_hi, esn->oseq);
	line_end(s);
	g_string_append_printf(s->out, "\t replay_window %u, bitmap-length %u", esn->replay_window,
			       esn->bmp_len);
	for (unsigned i = 0; i < esn->bmp_len; i++) {
		if (i % 8 == 0) {
			line_end(s);
			g_string_append(s->out, "\t ");
		}
		g_string_append_printf(s->out, "%08x ", esn->bmp[i]);
	}
	line_end(s);
}

static void
show_replay(const struct show *s)
{
	struct xfrm_replay_state r;

	if (s->attr[XFRMA_REPLAY_ESN_VAL])
		show_esn(s, mnl_attr_get_payload(s->attr[XFRMA_REPLAY_ESN_VAL]));
	if (!s->attr[XFRMA_REPLAY_VAL])
		return;
	memcpy(&r, mnl_attr_get_payload(s->attr[XFRMA_REPLAY_VAL]), sizeof r);
	g_string_append_printf(s->out, "\tanti-replay context: seq 0x%x, oseq 0x%x, bitmap 0x%08x",
			       r.seq, r.oseq, r.bitmap);
	line_end(s);
}

static void
show_numbers(const struct show *s)
{
	if (s->attr[XFRMA_IF_ID]) {
		g_string_append_printf(s->out, "\tif_id %#x",
				       mnl_attr_get_u32(s->attr[XFRMA_IF_ID]));
		line_end(s);
	}
	if (s->attr[XFRMA_TFCPAD]) {
		g_string_append_printf(s->out, "\ttfcpad %u",
				       mnl_attr_get_u32(s->attr[XFRMA_TFCPAD]));
		line_end(s);
	}
}

/* The selector */

static void
show_upspec(const struct show *s, const struct xfrm_selector *sel)
{
	const char *name = xfrm_word_name(show_ip_protos, sel->proto);

	if (sel->proto && name)
		g_string_append_printf(s->out, "proto %s ", name);
	else if (sel->proto)
		g_string_append_printf(s->out, "proto %u ", sel->proto);
	if (sel->sport_mask)
		g_string_append_printf(s->out, "sport %u ", ntohs(sel->sport));
	if (sel->dport_mask)
		g_string_append_printf(s->out, "dport %u ", ntohs(sel->dport));
}

/* As a state or a policy has it: with what begins the line before it. */
static void
append_selector(const struct show *s, const struct xfrm_selector *sel)
{
	g_string_append(s->out, "src ");
	show_xfrm_addr(s->out, &sel->saddr, sel->family);
	g_string_append_printf(s->out, "/%u dst ", sel->prefixlen_s);
	show_xfrm_addr(s->out, &sel->daddr, sel->family);
	g_string_append_printf(s->out, "/%u ", sel->prefixlen_d);
	show_upspec(s, sel);
	if (sel->ifindex)
		g_string_append_printf(s->out, "dev if%d ", sel->ifindex);
	if (s->how->statistics)
		g_string_append_printf(s->out, "uid %u", sel->user);
	line_end(s);
}

void
show_xfrm_selector(const struct xfrm_show *how, const struct xfrm_selector *sel, GString *out)
{
	append_selector(&(struct show){.how = how, .out = out}, sel);
}

/* Lifetimes */

static void
append_limit(GString *out, uint64_t limit)
{
	if (limit == UINT64_MAX)
		g_string_append(out, "(INF)");
	else
		g_string_append_printf(out, "%" G_GUINT64_FORMAT, limit);
}

static void
show_limits(const struct show *s, uint64_t soft, uint64_t hard, const char *unit)
{
	g_string_append(s->out, "\t  limit: soft ");
	append_limit(s->out, soft);
	g_string_append_printf(s->out, "(%s), hard ", unit);
	append_limit(s->out, hard);
	g_string_append_printf(s->out, "(%s)", unit);
	line_end(s);
}

static void
append_time(GString *out, uint64_t seconds)
{
	time_t when = (time_t)seconds;
	struct tm tm;
	char text[32];

	if (seconds == 0) {
		g_string_append_c(out, '-');
		return;
	}
	gmtime_r(&when, &tm);
	strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm);
	g_string_append(out, text);
}

static void
show_expiry(const struct show *s, const char *what, uint64_t soft, uint64_t hard)
{
	g_string_append_printf(s->out,
			       "\t  expire %s: soft %" G_GUINT64_FORMAT
			       "(sec), hard %" G_GUINT64_FORMAT "(sec)",
			       what, soft, hard);
	line_end(s);
}

static void
append_lifetime(const struct show *s, const struct xfrm_lifetime_cfg *cfg,
		const struct xfrm_lifetime_cur *cur)
{
	g_string_append(s->out, "\tlifetime config:");
	line_end(s);
	show_limits(s, cfg->soft_byte_limit, cfg->hard_byte_limit, "bytes");
	show_limits(s, cfg->soft_packet_limit, cfg->hard_packet_limit, "packets");
	show_expiry(s, "add", cfg->soft_add_expires_seconds, cfg->hard_add_expires_seconds);
	show_expiry(s, "use", cfg->soft_use_expires_seconds, cfg->hard_use_expires_seconds);
	g_string_append(s->out, "\tlifetime current:");
	line_end(s);
	g_string_append_printf(s->out,
			       "\t  %" G_GUINT64_FORMAT "(bytes), %" G_GUINT64_FORMAT "(packets)",
			       (uint64_t)cur->bytes, (uint64_t)cur->packets);
	line_end(s);
	g_string_append(s->out, "\t  add ");
	append_time(s->out, cur->add_time);
	g_string_append(s->out, " use ");
	append_time(s->out, cur->use_time);
	line_end(s);
}

void
show_xfrm_lifetime(const struct xfrm_show *how, const struct xfrm_lifetime_cfg *cfg,
		   const struct xfrm_lifetime_cur *cur, GString *out)
{
	append_lifetime(&(struct show){.how = how, .out = out}, cfg, cur);
}

static void
show_statistics(const struct show *s, const struct xfrm_usersa_info *i)
{
	append_lifetime(s, &i->lft, &i->curlft);
	g_string_append(s->out, "\tstats:");
	line_end(s);
	g_string_append_printf(s->out, "\t  replay-window %u replay %u failed %u",
			       i->stats.replay_window, i->stats.replay, i->stats.integrity_failed);
	line_end(s);
}

static void
show_attributes(const struct show *s, uint16_t family)
{
	show_marks(s);
	if (!s->attr[XFRMA_ALG_AUTH_TRUNC])
		show_alg(s, XFRMA_ALG_AUTH, "auth");
	show_alg(s, XFRMA_ALG_AUTH_TRUNC, "auth-trunc");
	show_alg(s, XFRMA_ALG_AEAD, "aead");
	show_alg(s, XFRMA_ALG_CRYPT, "enc");
	show_alg(s, XFRMA_ALG_COMP, "comp");
	show_encap(s, family);
	show_replay(s);
	show_numbers(s);
}

void
show_xfrm_state(const struct xfrm_show *how, const struct nlmsghdr *nlh, GString *out)
{
	struct xfrm_usersa_info info; /* messages are not aligned as it wants to be */
	const struct xfrm_usersa_info *i = &info;
	struct show s = {.how = how, .out = out};
	const struct nlattr *attr;

	memcpy(&info, mnl_nlmsg_get_payload(nlh), sizeof info);
	mnl_attr_for_each(attr, nlh, sizeof *i)
	{
		if (mnl_attr_get_type(attr) <= XFRMA_MAX)
			s.attr[mnl_attr_get_type(attr)] = attr;
	}
	show_id(&s, i);
	show_flags(&s, i);
	show_attributes(&s, i->family);
	g_string_append(out, "\tsel ");
	append_selector(&s, &i->sel);
	if (how->statistics)
		show_statistics(&s, i);
	if (how->oneline)
		g_string_append_c(out, '\n');
}
