/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-user.c - the database of states as users see it: requests, messages, dumps.
 *
 * Models net/xfrm/xfrm_user.c (Linux 5.10 and 6.1). */
#include "net/xfrm-user.h"

#include <netinet/in.h>
#include <string.h>

#include "net/dump-audit.h"

const char *const xfrm_dump_words[] = {
	[XFRM_DUMP_RESTART] = "restart",
	[XFRM_DUMP_CURSOR] = "cursor",
	NULL,
};

/* Requests */

static int
refuse(const struct net *net, struct ext_ack *ack, int err, const char *why)
{
	if (net->kernel->options.version >= KERNEL_6_1 && ack)
		g_strlcpy(ack->message, why, sizeof ack->message);
	return err;
}

static int
verify_proto(const struct net *net, const struct xfrm_sa *sa, struct ext_ack *ack)
{
	const struct xfrm_usersa_info *i = &sa->info;

	if (i->id.proto == IPPROTO_ESP && sa->tfcpad && i->mode != XFRM_MODE_TUNNEL)
		return refuse(net, ack, -EINVAL, "TFC padding can only be used in tunnel mode");
	if (i->id.proto == IPPROTO_COMP && GUINT32_FROM_BE(i->id.spi) >= 0x10000)
		return refuse(net, ack, -EINVAL, "SPI is too large (must be < 0x10000)");
	return 0;
}

/* 'own' is where those go that get the kernel's names. */
static int
attach_all(const struct net *net, struct xfrm_sa *sa, struct xfrm_alg own[XFRM_ALG_KINDS],
	   struct ext_ack *ack)
{
	for (unsigned kind = 0; kind < XFRM_ALG_KINDS; kind++) {
		const char *why;
		int err;

		if (!sa->alg[kind])
			continue;
		own[kind] = *sa->alg[kind];
		sa->alg[kind] = &own[kind];
		if (!xfrm_alg_attach(&own[kind], kind, &err, &why))
			return refuse(net, ack, err, why);
	}
	return 0;
}

/* What goes through a tunnel can be of either family. */
static int
check_family(const struct net *net, const struct xfrm_usersa_info *i, struct ext_ack *ack)
{
	if (i->mode == XFRM_MODE_TUNNEL || i->mode == XFRM_MODE_BEET ||
	    i->sel.family == AF_UNSPEC || i->sel.family == i->family)
		return 0;
	return refuse(net, ack, -EPROTONOSUPPORT,
		      "Only tunnel modes can accommodate a change of family");
}

int
xfrm_add_sa(struct net *net, const struct xfrm_sa *request, bool update, struct ext_ack *ack)
{
	struct xfrm_sa sa = *request;
	struct xfrm_alg own[XFRM_ALG_KINDS];
	int err = verify_proto(net, &sa, ack);

	CALL_ENTER(&net->kernel->calls, "xfrm_add_sa");
	if (err == 0)
		err = attach_all(net, &sa, own, ack);
	if (err == 0)
		err = check_family(net, &sa.info, ack);
	if (err != 0)
		return err;
	return update ? xfrm_state_update(net, &sa) : xfrm_state_add(net, &sa);
}

static struct xfrm_state *
xfrm_user_state_lookup(struct net *net, const struct xfrm_sa_request *r, int *err)
{
	uint32_t mark = r->mark.v & r->mark.m;
	struct xfrm_state *x;

	*err = -EINVAL;
	if (!xfrm_proto_has_spi(r->proto) && !r->has_saddr)
		return NULL;
	*err = -ESRCH;
	if (xfrm_proto_has_spi(r->proto))
		x = xfrm_state_lookup(net, mark, &r->daddr, r->spi, r->proto, r->family);
	else
		x = xfrm_state_lookup_byaddr(net, mark, &r->daddr, &r->saddr, r->proto, r->family);
	return x;
}

int
xfrm_del_sa(struct net *net, const struct xfrm_sa_request *r)
{
	int err;
	struct xfrm_state *x = xfrm_user_state_lookup(net, r, &err);

	CALL_ENTER(&net->kernel->calls, "xfrm_del_sa");
	return x ? xfrm_state_delete(x) : err;
}

int
xfrm_get_sa(struct net *net, const struct xfrm_sa_request *r, struct skb *answer)
{
	int err;
	const struct xfrm_state *x = xfrm_user_state_lookup(net, r, &err);

	CALL_ENTER(&net->kernel->calls, "xfrm_get_sa");
	return x ? xfrm_fill_state(answer, NULL, x) : err;
}

int
xfrm_flush_sa(struct net *net, uint8_t proto)
{
	int err = xfrm_state_flush(net, proto);

	CALL_ENTER(&net->kernel->calls, "xfrm_flush_sa");
	return err == -ESRCH ? 0 : err;
}

/* Messages */

/* A struct and the array that it ends with. */
static void
put_with_tail(struct nlmsg *m, uint16_t type, const void *head, size_t size, const void *tail,
	      size_t tail_size)
{
	uint8_t bytes[sizeof(struct xfrm_algo_auth) + XFRM_ESN_WINDOW / 8];

	g_assert(size + tail_size <= sizeof bytes);
	memcpy(bytes, head, size);
	if (tail_size)
		memcpy(bytes + size, tail, tail_size);
	nlmsg_put(m, type, bytes, size + tail_size);
}

static void
put_alg(struct nlmsg *m, uint16_t type, const struct xfrm_alg *alg)
{
	struct xfrm_algo head = {.alg_key_len = alg->key_bits};

	g_strlcpy(head.alg_name, alg->name, sizeof head.alg_name);
	put_with_tail(m, type, &head, sizeof head, alg->key, xfrm_alg_key_bytes(alg));
}

static void
put_auth(struct nlmsg *m, const struct xfrm_alg *alg)
{
	struct xfrm_algo_auth head = {.alg_key_len = alg->key_bits, .alg_trunc_len = alg->icv_bits};

	g_strlcpy(head.alg_name, alg->name, sizeof head.alg_name);
	put_alg(m, XFRMA_ALG_AUTH, alg);
	put_with_tail(m, XFRMA_ALG_AUTH_TRUNC, &head, sizeof head, alg->key,
		      xfrm_alg_key_bytes(alg));
}

static void
put_aead(struct nlmsg *m, const struct xfrm_alg *alg)
{
	struct xfrm_algo_aead head = {.alg_key_len = alg->key_bits, .alg_icv_len = alg->icv_bits};

	g_strlcpy(head.alg_name, alg->name, sizeof head.alg_name);
	put_with_tail(m, XFRMA_ALG_AEAD, &head, sizeof head, alg->key, xfrm_alg_key_bytes(alg));
}

static void
put_algs(struct nlmsg *m, const struct xfrm_sa *sa)
{
	if (sa->alg[XFRM_ALG_AEAD])
		put_aead(m, sa->alg[XFRM_ALG_AEAD]);
	if (sa->alg[XFRM_ALG_AUTH])
		put_auth(m, sa->alg[XFRM_ALG_AUTH]);
	if (sa->alg[XFRM_ALG_CRYPT])
		put_alg(m, XFRMA_ALG_CRYPT, sa->alg[XFRM_ALG_CRYPT]);
	if (sa->alg[XFRM_ALG_COMP])
		put_alg(m, XFRMA_ALG_COMP, sa->alg[XFRM_ALG_COMP]);
}

/* Packets that were received are not modelled, so that no bit is set. */
static void
put_replay(struct nlmsg *m, const struct xfrm_sa *sa)
{
	static const uint8_t bitmap[XFRM_ESN_WINDOW / 8];
	struct xfrm_replay_state_esn head = {.bmp_len = (sa->esn_window + 31) / 32,
					     .seq = sa->replay.seq,
					     .oseq = sa->replay.oseq,
					     .replay_window = sa->esn_window};

	if (sa->esn_window)
		put_with_tail(m, XFRMA_REPLAY_ESN_VAL, &head, sizeof head, bitmap,
			      head.bmp_len * sizeof(uint32_t));
	else
		nlmsg_put(m, XFRMA_REPLAY_VAL, &sa->replay, sizeof sa->replay);
}

static void
put_marks(struct nlmsg *m, const struct xfrm_sa *sa)
{
	if (sa->mark.v | sa->mark.m)
		nlmsg_put(m, XFRMA_MARK, &sa->mark, sizeof sa->mark);
	if (!(sa->smark.v | sa->smark.m))
		return;
	nlmsg_put_u32(m, XFRMA_SET_MARK, sa->smark.v);
	nlmsg_put_u32(m, XFRMA_SET_MARK_MASK, sa->smark.m);
}

int
xfrm_fill_state(struct skb *skb, const struct netlink_callback *cb, const struct xfrm_state *x)
{
	struct nlmsg m = nlmsg_begin(skb, cb, XFRM_MSG_NEWSA, sizeof x->sa.info);
	const struct xfrm_sa *sa = &x->sa;

	CALL_ENTER(&x->net->kernel->calls, "copy_to_user_state_extra");
	if (m.overflow)
		return -EMSGSIZE;
	memcpy(m.header, &sa->info, sizeof sa->info);
	if (sa->extra_flags)
		nlmsg_put_u32(&m, XFRMA_SA_EXTRA_FLAGS, sa->extra_flags);
	put_algs(&m, sa);
	if (sa->has_encap)
		nlmsg_put(&m, XFRMA_ENCAP, &sa->encap, sizeof sa->encap);
	if (sa->tfcpad)
		nlmsg_put_u32(&m, XFRMA_TFCPAD, sa->tfcpad);
	put_marks(&m, sa);
	put_replay(&m, sa);
	if (sa->if_id)
		nlmsg_put_u32(&m, XFRMA_IF_ID, sa->if_id);
	return nlmsg_end(&m);
}

/* Dumps */

/* XFRMA_PROTO, the one filter of the kernel's that is asked for. */
static uint8_t
proto_filter(const struct nlmsghdr *nlh)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(uint32_t))
	{
		if (mnl_attr_get_type(attr) == XFRMA_PROTO)
			return mnl_attr_get_u8(attr);
	}
	return 0;
}

struct sa_dump {
	struct cursor at; /* behind what was told */
	uint64_t told;    /* of those that the walk passes */
};

static int
fill_if_wanted(struct skb *skb, struct netlink_callback *cb, const struct xfrm_state *x)
{
	uint8_t proto = proto_filter(cb->nlh);

	int err;

	if (proto && x->sa.info.id.proto != proto)
		return 0;
	err = xfrm_fill_state(skb, cb, x);
	if (err == 0)
		dump_shown(cb, 0, x->id);
	return err;
}

/* The place is the marker's: what is new comes before it. */
static void
dump_by_cursor(struct skb *skb, struct netlink_callback *cb, struct sa_dump *d)
{
	struct cursor ahead = d->at;
	struct xfrm_state *x;

	while ((x = xfrm_state_walk(cb->net, &ahead)) != NULL) {
		if (fill_if_wanted(skb, cb, x) != 0)
			return;
		d->at = ahead;
	}
}

static void
dump_by_count(struct skb *skb, struct netlink_callback *cb, struct sa_dump *d)
{
	struct cursor cursor = CURSOR_START;
	struct xfrm_state *x;

	cb->unordered = true;
	if (d->told)
		dump_restarted(cb);
	for (uint64_t n = 0; (x = xfrm_state_walk_buckets(cb->net, &cursor)) != NULL; n++) {
		if (n < d->told)
			continue;
		if (fill_if_wanted(skb, cb, x) != 0)
			return;
		d->told = n + 1;
	}
}

static int
xfrm_dump_sa(struct skb *skb, struct netlink_callback *cb)
{
	CALL_ENTER(&cb->net->kernel->calls, "xfrm_dump_sa");
	if (!cb->state)
		cb->state = g_new0(struct sa_dump, 1);
	if (cb->net->kernel->options.xfrm_dump == XFRM_DUMP_RESTART)
		dump_by_count(skb, cb, cb->state);
	else
		dump_by_cursor(skb, cb, cb->state);
	return (int)skb->len;
}

static void
each_sa(const struct netlink_callback *cb, struct dump_set *set)
{
	uint8_t proto = proto_filter(cb->nlh);
	const struct table *all = &xfrm_net(cb->net)->state[XFRM_BYDST];
	struct cursor cursor = CURSOR_START;
	const struct xfrm_state_node *n;

	while ((n = table_peek(&xfrm_net(cb->net)->state[XFRM_BYDST], &cursor)) != NULL)
		if (!proto || n->x->sa.info.id.proto == proto)
			dump_set_add(set, 0, n->x->id);
	dump_set_generation(set, 0, all->generation);
}

static const char *
dump_algorithm(const struct net *net)
{
	return xfrm_dump_words[net->kernel->options.xfrm_dump];
}

static const struct rtnl_dump dumps[] = {
	{.what = "xfrm_state",
	 .protocol = NETLINK_XFRM,
	 .type = XFRM_MSG_GETSA,
	 .dump = xfrm_dump_sa,
	 .algorithm = dump_algorithm,
	 .each = each_sa},
	{.what = NULL},
};

const struct net_module net_module_xfrm_user = {
	.name = "xfrm-user",
	.dumps = dumps,
};
