/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-policy-user.c - the database of policies as users see it: requests, messages, dumps.
 *
 * Models net/xfrm/xfrm_user.c (Linux 5.10 and 6.1). */
#include "net/xfrm-policy-user.h"

#include <netinet/in.h>

#include "net/dump-audit.h"
#include "net/xfrm-policy-inexact.h"
#include "net/xfrm-user.h"

/* Requests */

static int
refuse(const struct net *net, struct ext_ack *ack, const char *why)
{
	if (net->kernel->options.version >= KERNEL_6_1 && ack)
		g_strlcpy(ack->message, why, sizeof ack->message);
	return -EINVAL;
}

static int
verify_newpolicy_info(const struct net *net, const struct xfrm_userpolicy_info *i,
		      struct ext_ack *ack)
{
	unsigned bits = i->sel.family == AF_INET6 ? 128 : 32;

	if (i->sel.prefixlen_d > bits || i->sel.prefixlen_s > bits)
		return refuse(net, ack, "Invalid prefix length in selector");
	if (i->index && (i->index & 7) != i->dir)
		return refuse(net, ack, "Policy index doesn't match direction");
	return 0;
}

static bool
is_proto_valid(uint8_t proto)
{
	return xfrm_proto_has_spi(proto) || proto == IPPROTO_ROUTING || proto == IPPROTO_DSTOPTS;
}

/* Only a tunnel goes from one family to another. */
static int
validate_tmpl(const struct net *net, struct xfrm_pol *pol, struct ext_ack *ack)
{
	uint16_t family = pol->info.sel.family;

	if (pol->tmpls > XFRM_MAX_DEPTH)
		return refuse(net, ack, "Template count must be <= XFRM_MAX_DEPTH (6)");
	for (unsigned n = 0; n < pol->tmpls; n++) {
		struct xfrm_user_tmpl *t = &pol->tmpl[n];

		if (!t->family)
			t->family = pol->info.sel.family;
		if (t->mode != XFRM_MODE_TUNNEL && t->mode != XFRM_MODE_BEET && t->family != family)
			return refuse(net, ack, "Mode in template doesn't support a family change");
		if (t->mode >= XFRM_MODE_MAX)
			return refuse(net, ack, "Mode in template must be < XFRM_MODE_MAX (5)");
		family = t->family;
		if (!is_proto_valid(t->id.proto))
			return refuse(net, ack, "Invalid XFRM protocol in template");
	}
	return 0;
}

int
xfrm_add_policy(struct net *net, const struct xfrm_pol *request, bool update, struct ext_ack *ack)
{
	struct xfrm_pol pol = *request;
	int err = verify_newpolicy_info(net, &pol.info, ack);

	CALL_ENTER(&net->kernel->calls, "xfrm_add_policy");
	if (err == 0)
		err = validate_tmpl(net, &pol, ack);
	return err ? err : xfrm_policy_insert(net, &pol, !update);
}

static struct xfrm_policy *
lookup(struct net *net, const struct xfrm_pol *wanted)
{
	return wanted->info.index ? xfrm_policy_byid(net, wanted) : xfrm_policy_bysel(net, wanted);
}

int
xfrm_get_policy(struct net *net, const struct xfrm_pol *wanted, struct skb *answer)
{
	const struct xfrm_policy *p;

	CALL_ENTER(&net->kernel->calls, "xfrm_get_policy");
	p = lookup(net, wanted);
	return p ? xfrm_fill_policy(answer, NULL, p) : -ENOENT;
}

int
xfrm_del_policy(struct net *net, const struct xfrm_pol *wanted)
{
	struct xfrm_policy *p;

	CALL_ENTER(&net->kernel->calls, "xfrm_get_policy");
	p = lookup(net, wanted);
	if (!p)
		return -ENOENT;
	if (!wanted->info.index && p->chain)
		xfrm_policy_inexact_prune_bin(net, wanted);
	return xfrm_policy_delete(p);
}

int
xfrm_flush_policy(struct net *net, uint8_t type)
{
	int err = xfrm_policy_flush(net, type);

	CALL_ENTER(&net->kernel->calls, "xfrm_flush_policy");
	return err == -ESRCH ? 0 : err;
}

/* Messages */

int
xfrm_fill_policy(struct skb *skb, const struct netlink_callback *cb, const struct xfrm_policy *p)
{
	struct nlmsg m = nlmsg_begin(skb, cb, XFRM_MSG_NEWPOLICY, sizeof p->pol.info);
	struct xfrm_userpolicy_type type = {.type = p->pol.type};
	const struct xfrm_pol *pol = &p->pol;

	if (m.overflow)
		return -EMSGSIZE;
	memcpy(m.header, &pol->info, sizeof pol->info);
	if (pol->tmpls)
		nlmsg_put(&m, XFRMA_TMPL, pol->tmpl, pol->tmpls * sizeof pol->tmpl[0]);
	nlmsg_put(&m, XFRMA_POLICY_TYPE, &type, sizeof type);
	if (pol->mark.v | pol->mark.m)
		nlmsg_put(&m, XFRMA_MARK, &pol->mark, sizeof pol->mark);
	if (pol->if_id)
		nlmsg_put_u32(&m, XFRMA_IF_ID, pol->if_id);
	return nlmsg_end(&m);
}

/* Dumps */

struct policy_dump {
	struct cursor at; /* behind what was told */
	uint64_t told;
};

static int
fill(struct skb *skb, struct netlink_callback *cb, const struct xfrm_policy *p)
{
	int err = xfrm_fill_policy(skb, cb, p);

	if (err == 0)
		dump_shown(cb, 0, p->id);
	return err;
}

/* The place is the marker's: what is new comes before it. */
static void
dump_by_cursor(struct skb *skb, struct netlink_callback *cb, struct policy_dump *d)
{
	struct cursor ahead = d->at;
	struct xfrm_policy *p;

	while ((p = xfrm_policy_walk(cb->net, &ahead)) != NULL) {
		if (fill(skb, cb, p) != 0)
			return;
		d->at = ahead;
	}
}

static void
dump_by_count(struct skb *skb, struct netlink_callback *cb, struct policy_dump *d)
{
	struct cursor cursor = CURSOR_START;
	struct xfrm_policy *p;

	cb->unordered = true;
	if (d->told)
		dump_restarted(cb);
	for (uint64_t n = 0; (p = xfrm_policy_walk_buckets(cb->net, &cursor)) != NULL; n++) {
		if (n < d->told)
			continue;
		if (fill(skb, cb, p) != 0)
			return;
		d->told = n + 1;
	}
}

static int
xfrm_dump_policy(struct skb *skb, struct netlink_callback *cb)
{
	CALL_ENTER(&cb->net->kernel->calls, "xfrm_dump_policy");
	if (!cb->state)
		cb->state = g_new0(struct policy_dump, 1);
	if (cb->net->kernel->options.xfrm_dump == XFRM_DUMP_RESTART)
		dump_by_count(skb, cb, cb->state);
	else
		dump_by_cursor(skb, cb, cb->state);
	return (int)skb->len;
}

static void
each_policy(const struct netlink_callback *cb, struct dump_set *set)
{
	struct table *all = &xfrm_policy_net(cb->net)->idx;
	struct cursor cursor = CURSOR_START;
	const struct xfrm_policy_node *n;

	while ((n = table_peek(all, &cursor)) != NULL)
		dump_set_add(set, 0, n->p->id);
	dump_set_generation(set, 0, all->generation);
}

static const char *
dump_algorithm(const struct net *net)
{
	return xfrm_dump_words[net->kernel->options.xfrm_dump];
}

static const struct rtnl_dump dumps[] = {
	{.what = "xfrm_policy",
	 .protocol = NETLINK_XFRM,
	 .type = XFRM_MSG_GETPOLICY,
	 .dump = xfrm_dump_policy,
	 .algorithm = dump_algorithm,
	 .each = each_policy},
	{.what = NULL},
};

const struct net_module net_module_xfrm_policy_user = {
	.name = "xfrm-policy-user",
	.dumps = dumps,
};
