/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-xfrm-state.c - 'ip xfrm state add|update': from words to a request. */
#include <netinet/in.h>
#include <string.h>

#include "iproute/ip-xfrm.h"

#define ALG_NAME_MAX 64

struct modify {
	struct xfrm_sa sa;
	struct xfrm_alg algs[XFRM_ALG_KINDS]; /* sa's */
	char *dev;                            /* of the selector; or null */
	bool update, has_id, has_selector;
	uint32_t replay_window;
};

static void
modify_free(void *data)
{
	struct modify *c = data;

	g_free(c->dev);
	g_free(c);
}

static void
modify_run(struct process *p, const void *data)
{
	const struct modify *c = data;
	struct ext_ack ack = {.message = ""};
	struct xfrm_sa sa = c->sa;

	if (c->dev) {
		sa.info.sel.ifindex = process_link(p, c->dev);
		if (!sa.info.sel.ifindex) {
			process_fail(p, 255,
				     "Error: argument \"%s\" is wrong: DEV value is invalid\n",
				     c->dev);
			return;
		}
	}
	process_talked(p, xfrm_add_sa(p->net, &sa, c->update, &ack), &ack);
}

static const struct command_type modify_type = {.run = modify_run, .free = modify_free};

/* Algorithms */

static int
hex_digit(char c)
{
	return g_ascii_isxdigit(c) ? g_ascii_xdigit_value(c) : -1;
}

/* "0x" and digits, of which an odd first one stands alone; or the bytes themselves. */
static bool
parse_key(struct args *a, const char *text, struct xfrm_alg *alg)
{
	size_t digits = strlen(text), bytes = digits;
	bool hex = g_str_has_prefix(text, "0x");

	if (hex) {
		text += 2;
		digits -= 2;
		bytes = (digits + 1) / 2;
	}
	if (bytes > XFRM_KEY_MAX)
		return args_error(a, "a key has at most %d bytes here", XFRM_KEY_MAX);
	alg->key_bits = (unsigned)bytes * 8;
	if (!hex) {
		memcpy(alg->key, text, bytes);
		return true;
	}
	for (size_t i = 0, at = digits % 2; i < digits; i++, at++) {
		if (hex_digit(text[i]) < 0)
			return args_wrong(a, "ALGO-KEYMAT value is invalid");
		alg->key[at / 2] = (uint8_t)(alg->key[at / 2] << 4 | hex_digit(text[i]));
	}
	return true;
}

static bool
take_required(struct args *a, const char *what, const char **text)
{
	if (!args_left(a))
		return args_error_next(a, "Error: argument \"%s\" is required", what);
	*text = args_take(a);
	return true;
}

static bool
take_length(struct args *a, const char *what, const char *invalid, unsigned *bits)
{
	const char *text = NULL;
	uint64_t number;

	if (!take_required(a, what, &text))
		return false;
	if (!args_number(text, 0, UINT32_MAX, &number))
		return args_wrong(a, invalid);
	*bits = (unsigned)number;
	return true;
}

static bool
word_algorithm(struct args *a, void *data, const struct keyword *k)
{
	struct modify *c = data;
	struct xfrm_alg *alg = &c->algs[k->value];
	const char *name = NULL, *key = NULL;

	if (c->sa.alg[k->value])
		return args_error(a, "Error: duplicate \"ALGO-TYPE\": \"%s\" is the second value.",
				  k->name);
	if (!take_required(a, "ALGO-NAME", &name))
		return false;
	if (strlen(name) >= ALG_NAME_MAX || !*name)
		return args_wrong(a, "ALGO-NAME value is invalid");
	alg->name = g_intern_string(name);
	c->sa.alg[k->value] = alg;
	if (k->value == XFRM_ALG_COMP)
		return true;
	if (!take_required(a, "ALGO-KEYMAT", &key) || !parse_key(a, key, alg))
		return false;
	if (strcmp(k->name, "auth-trunc") == 0)
		return take_length(a, "ALGO-TRUNC-LEN", "ALGO-TRUNC-LEN value is invalid",
				   &alg->icv_bits);
	return k->value != XFRM_ALG_AEAD ||
	       take_length(a, "ALGO-ICV-LEN", "ALGO-ICV-LEN value is invalid", &alg->icv_bits);
}

/* Other words */

static bool
word_mode(struct args *a, void *data, const struct keyword *k)
{
	uint32_t mode;

	if (!xfrm_take_word(a, xfrm_modes, "MODE value is invalid", &mode))
		return false;
	((struct modify *)data)->sa.info.mode = (uint8_t)mode;
	return true;
}

static bool
word_mark(struct args *a, void *data, const struct keyword *k)
{
	return xfrm_take_mark(a, &((struct modify *)data)->sa.mark);
}

static bool
word_output_mark(struct args *a, void *data, const struct keyword *k)
{
	struct xfrm_mark *mark = &((struct modify *)data)->sa.smark;

	if (!xfrm_take_u32(a, "value after \"output-mark\" is invalid", &mark->v))
		return false;
	mark->m = UINT32_MAX;
	if (!args_left(a) || strcmp(args_peek(a), "mask") != 0)
		return true;
	a->at++;
	return xfrm_take_u32(a, "mask value is invalid", &mark->m);
}

static bool
word_reqid(struct args *a, void *data, const struct keyword *k)
{
	return xfrm_take_u32(a, "REQID value is invalid", &((struct modify *)data)->sa.info.reqid);
}

static bool
word_seq(struct args *a, void *data, const struct keyword *k)
{
	uint32_t *seq = &((struct modify *)data)->sa.info.seq;

	if (!xfrm_take_u32(a, "SEQ value is invalid", seq))
		return false;
	*seq = GUINT32_TO_BE(*seq);
	return true;
}

/* A number of 32 bits, and where it goes. */
static bool
word_number(struct args *a, void *data, const struct keyword *k)
{
	g_autofree char *what = g_strdup_printf("value after \"%s\" is invalid", k->name);

	return xfrm_take_u32(a, what, (uint32_t *)(void *)((char *)data + k->value));
}

static bool
word_flag(struct args *a, void *data, const struct keyword *k)
{
	struct modify *c = data;
	uint32_t flags = 0;

	if (!xfrm_take_flags(a, xfrm_state_flags, &flags))
		return false;
	c->sa.info.flags |= (uint8_t)flags;
	return true;
}

static bool
word_extra_flag(struct args *a, void *data, const struct keyword *k)
{
	return xfrm_take_flags(a, xfrm_extra_flags, &((struct modify *)data)->sa.extra_flags);
}

static bool
word_limit(struct args *a, void *data, const struct keyword *k)
{
	return xfrm_take_limit(a, &((struct modify *)data)->sa.info.lft);
}

static bool
word_encap(struct args *a, void *data, const struct keyword *k)
{
	struct modify *c = data;
	struct xfrm_encap_tmpl *encap = &c->sa.encap;
	uint16_t family = AF_UNSPEC;
	uint32_t type;
	uint8_t len;

	if (!xfrm_take_word(a, xfrm_encaps, "ENCAP-TYPE value is invalid", &type) ||
	    !xfrm_take_port(a, "SPORT value after \"encap\" is invalid", &encap->encap_sport) ||
	    !xfrm_take_port(a, "DPORT value after \"encap\" is invalid", &encap->encap_dport) ||
	    !xfrm_take_prefix(a, &encap->encap_oa, &len, &family))
		return false;
	encap->encap_type = (uint16_t)type;
	c->sa.has_encap = true;
	return true;
}

static bool
word_selector(struct args *a, void *data, const struct keyword *k)
{
	struct modify *c = data;

	c->has_selector = true;
	return xfrm_take_selector(a, &c->sa.info.sel, &c->dev);
}

static bool
take_id(struct args *a, struct modify *c)
{
	struct xfrm_usersa_info *i = &c->sa.info;
	struct xfrm_ids ids = {.family = AF_UNSPEC};
	unsigned at = a->at;

	if (c->has_id) {
		a->at++;
		return args_wrong(a, "unknown");
	}
	if (!xfrm_take_ids(a, &ids, true))
		return false;
	if (a->at == at) {
		a->at++;
		return args_wrong(a, "unknown");
	}
	if (!ids.proto)
		return args_error_next(a, "Error: argument \"XFRM-PROTO\" is required");
	c->has_id = true;
	i->id.daddr = ids.daddr;
	i->saddr = ids.saddr;
	i->id.spi = ids.spi;
	i->id.proto = ids.proto;
	i->family = ids.family;
	return true;
}

#define NUMBER(name, field)                                                                        \
	{                                                                                          \
		name, true, word_number, offsetof(struct modify, field)                            \
	}

static const struct keyword words[] = {
	{"mode", true, word_mode, 0},
	{"mark", true, word_mark, 0},
	{"reqid", true, word_reqid, 0},
	{"seq", true, word_seq, 0},
	NUMBER("replay-window", replay_window),
	NUMBER("replay-seq", sa.replay.seq),
	NUMBER("replay-oseq", sa.replay.oseq),
	{"replay-seq-hi", true, NULL, 0},
	{"replay-oseq-hi", true, NULL, 0},
	{"flag", true, word_flag, 0},
	{"extra-flag", true, word_extra_flag, 0},
	{"sel", true, word_selector, 0},
	{"limit", true, word_limit, 0},
	{"encap", true, word_encap, 0},
	{"coa", true, NULL, 0},
	{"ctx", true, NULL, 0},
	{"offload", true, NULL, 0},
	{"output-mark", true, word_output_mark, 0},
	NUMBER("if_id", sa.if_id),
	NUMBER("tfcpad", sa.tfcpad),
	{"enc", true, word_algorithm, XFRM_ALG_CRYPT},
	{"auth", true, word_algorithm, XFRM_ALG_AUTH},
	{"auth-trunc", true, word_algorithm, XFRM_ALG_AUTH},
	{"comp", true, word_algorithm, XFRM_ALG_COMP},
	{"aead", true, word_algorithm, XFRM_ALG_AEAD},
	{NULL, false, NULL, 0},
};

/* What ip asks of all of them together. */

static const char *
wrong_algorithms(const struct xfrm_sa *sa)
{
	bool auth = sa->alg[XFRM_ALG_AUTH], enc = sa->alg[XFRM_ALG_CRYPT];
	bool aead = sa->alg[XFRM_ALG_AEAD], comp = sa->alg[XFRM_ALG_COMP];

	switch (sa->info.id.proto) {
	case IPPROTO_ESP:
		if (comp)
			return "ALGO-TYPE value \"comp\" is invalid with XFRM-PROTO value \"esp\"";
		return enc || aead ? NULL
				   : "ALGO-TYPE value \"enc\" or \"aead\" is required with "
				     "XFRM-PROTO value \"esp\"";
	case IPPROTO_AH:
		if (enc || aead || comp)
			return "ALGO-TYPE values \"enc\", \"aead\", and \"comp\" are invalid with "
			       "XFRM-PROTO value \"ah\"";
		return auth ? NULL
			    : "ALGO-TYPE value \"auth\" or \"auth-trunc\" is required with "
			      "XFRM-PROTO value \"ah\"";
	default:
		if (enc || auth || aead)
			return "ALGO-TYPE values \"enc\", \"auth\", \"auth-trunc\", and \"aead\" "
			       "are invalid with XFRM-PROTO value \"comp\"";
		return comp ? NULL
			    : "ALGO-TYPE value \"comp\" is required with XFRM-PROTO value \"comp\"";
	}
}

static bool
check_replay(struct args *a, struct modify *c)
{
	struct xfrm_usersa_info *i = &c->sa.info;
	bool esn = i->flags & XFRM_STATE_ESN;

	if (esn && c->replay_window == 0)
		return args_error_next(a, "Error: esn flag set without replay-window.");
	if (c->replay_window > XFRM_ESN_WINDOW)
		return args_error_next(a, "a replay window has at most %d packets",
				       XFRM_ESN_WINDOW);
	if (esn || c->replay_window > 32)
		c->sa.esn_window = c->replay_window;
	else
		i->replay_window = (uint8_t)c->replay_window;
	return true;
}

static bool
check_modify(struct args *a, struct modify *c)
{
	struct xfrm_usersa_info *i = &c->sa.info;

	if (!check_replay(a, c))
		return false;
	if (!c->has_id)
		return args_error_next(a, "Not enough information: ID is required");
	if (!xfrm_proto_has_spi(i->id.proto))
		return args_error_next(a, "not simulated: states of proto %s",
				       xfrm_word_name(xfrm_protos, i->id.proto));
	if (wrong_algorithms(&c->sa))
		return args_error_next(a, "%s", wrong_algorithms(&c->sa));
	if (i->family == AF_UNSPEC)
		i->family = AF_INET;
	if (i->sel.family == AF_UNSPEC)
		i->sel.family = i->family;
	return true;
}

static bool
parse_modify(struct args *a, struct modify *c)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(words, args_peek(a));

		if (k ? !keyword_run(k, a, "ip xfrm state", c) : !take_id(a, c))
			return false;
	}
	return check_modify(a, c);
}

bool
ip_xfrm_state_modify_parse(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;
	struct modify *c = g_new0(struct modify, 1);
	struct xfrm_lifetime_cfg *lft = &c->sa.info.lft;

	c->update = k->value;
	lft->soft_byte_limit = lft->hard_byte_limit = UINT64_MAX;
	lft->soft_packet_limit = lft->hard_packet_limit = UINT64_MAX;
	if (parse_modify(a, c))
		return command_becomes(ip->command, &modify_type, c);
	modify_free(c);
	return false;
}
