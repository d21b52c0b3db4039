/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-xfrm-list.c - 'ip xfrm state list|deleteall|get|delete|flush|count'. */
#include <linux/netlink.h>
#include <string.h>

#include "iproute/ip-xfrm.h"
#include "iproute/rtnl.h"

/* Which states: what was not said lets all through. */
struct listing {
	struct xfrm_ids ids;
	struct xfrm_show show;
	uint16_t family; /* of -4, -6 */
	bool deletes, has_mode, has_reqid;
	uint8_t mode;
	uint32_t reqid, flags;
};

struct list_run {
	const struct listing *command;
	struct process *process;
	GArray *doomed; /* struct xfrm_sa_request */
};

static bool
prefix_fits(const xfrm_address_t *prefix, const xfrm_address_t *addr, unsigned bits)
{
	const uint8_t *p = (const uint8_t *)prefix, *a = (const uint8_t *)addr;

	if (memcmp(p, a, bits / 8) != 0)
		return false;
	return bits % 8 == 0 || (p[bits / 8] ^ a[bits / 8]) >> (8 - bits % 8) == 0;
}

static bool
is_wanted(const struct listing *c, const struct xfrm_usersa_info *i)
{
	const struct xfrm_ids *ids = &c->ids;

	if ((c->family && c->family != i->family) || (ids->family && ids->family != i->family))
		return false;
	if ((c->has_mode && c->mode != i->mode) || (c->has_reqid && c->reqid != i->reqid))
		return false;
	if ((c->flags & i->flags) != c->flags || (ids->proto && ids->proto != i->id.proto))
		return false;
	if (ids->has_spi && ids->spi != i->id.spi)
		return false;
	return prefix_fits(&ids->saddr, &i->saddr, ids->splen) &&
	       prefix_fits(&ids->daddr, &i->id.daddr, ids->dplen);
}

static void
doom(struct list_run *r, const struct nlmsghdr *nlh, const struct xfrm_usersa_info *i)
{
	struct xfrm_sa_request request = {.daddr = i->id.daddr,
					  .saddr = i->saddr,
					  .has_saddr = true,
					  .spi = i->id.spi,
					  .proto = i->id.proto,
					  .family = i->family};
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof *i)
	{
		if (mnl_attr_get_type(attr) == XFRMA_MARK)
			memcpy(&request.mark, mnl_attr_get_payload(attr), sizeof request.mark);
	}
	g_array_append_val(r->doomed, request);
}

static void
list_message(const struct nlmsghdr *nlh, void *data)
{
	struct list_run *r = data;
	struct xfrm_usersa_info info; /* messages are not aligned as it wants to be */
	const struct xfrm_usersa_info *i = &info;

	memcpy(&info, mnl_nlmsg_get_payload(nlh), sizeof info);
	if (!is_wanted(r->command, i))
		return;
	if (r->command->deletes)
		doom(r, nlh, i);
	else
		show_xfrm_state(&r->command->show, nlh, r->process->answer->output);
}

/* What cannot be looked up does not keep others from going: states without an SPI. */
static void
delete_doomed(const struct list_run *r)
{
	struct process *p = r->process;
	int first = 0;

	for (unsigned n = 0; n < r->doomed->len; n++) {
		int err = xfrm_del_sa(p->net, &g_array_index(r->doomed, struct xfrm_sa_request, n));

		if (first == 0)
			first = err;
	}
	if (first != 0)
		process_fail(p, 1, "Failed to send delete-all request\n: %s\n", g_strerror(-first));
}

static void
list_run(struct process *p, const void *data)
{
	const struct listing *c = data;
	struct list_run r = {.command = c,
			     .process = p,
			     .doomed = g_array_new(FALSE, FALSE, sizeof(struct xfrm_sa_request))};
	uint64_t buffer[RTNL_REQUEST_SIZE / sizeof(uint64_t)];
	struct nlmsghdr *nlh =
		rtnl_dump_request(buffer, XFRM_MSG_GETSA, AF_UNSPEC, sizeof(uint32_t));

	p->protocol = NETLINK_XFRM;
	if (c->ids.proto)
		mnl_attr_put_u8(nlh, XFRMA_PROTO, c->ids.proto);
	process_dump(p, nlh, list_message, &r);
	delete_doomed(&r);
	g_array_unref(r.doomed);
}

static const struct command_type list_type = {.run = list_run, .free = g_free};

static bool
word_flags(struct args *a, struct listing *c)
{
	const struct xfrm_word *w;
	uint32_t flag;

	do {
		if (!xfrm_take_word(a, xfrm_state_flags, "unknown", &flag))
			return false;
		c->flags |= flag;
		for (w = xfrm_state_flags; w->name && args_left(a); w++)
			if (strcmp(w->name, args_peek(a)) == 0)
				break;
	} while (args_left(a) && w->name);
	return true;
}

static bool
list_word(struct args *a, struct listing *c, bool *had_ids)
{
	const char *word = args_peek(a);
	unsigned at = a->at;
	uint32_t mode;

	a->at++;
	if (strcmp(word, "nokeys") == 0)
		return c->show.nokeys = true;
	if (strcmp(word, "mode") == 0) {
		c->has_mode = true;
		if (!xfrm_take_word(a, xfrm_modes, "MODE value is invalid", &mode))
			return false;
		c->mode = (uint8_t)mode;
		return true;
	}
	if (strcmp(word, "reqid") == 0) {
		c->has_reqid = true;
		return xfrm_take_u32(a, "REQID value is invalid", &c->reqid);
	}
	if (strcmp(word, "flag") == 0)
		return word_flags(a, c);
	if (*had_ids)
		return args_wrong(a, "unknown");
	*had_ids = true;
	a->at = at;
	if (!xfrm_take_ids(a, &c->ids, true))
		return false;
	if (a->at > at)
		return true;
	a->at++;
	return args_wrong(a, "unknown");
}

static bool
list_words(struct args *a, struct listing *c)
{
	bool had_ids = false;

	while (args_left(a))
		if (!list_word(a, c, &had_ids))
			return false;
	return true;
}

bool
ip_xfrm_state_list_parse(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;
	struct listing *c = g_new0(struct listing, 1);

	c->deletes = k && k->value;
	c->show.statistics = ip->options.statistics;
	c->show.oneline = ip->options.oneline;
	c->family = ip->options.family == AF_PACKET ? AF_UNSPEC : (uint16_t)ip->options.family;
	if (list_words(a, c))
		return command_becomes(ip->command, &list_type, c);
	g_free(c);
	return false;
}

/* One of them */

struct one {
	struct xfrm_sa_request request;
	struct xfrm_show show;
	bool deletes, has_id;
};

/* Larger than any message about a state: of the longest replay window. */
#define STATE_MESSAGE_MAX 2048

static void
one_run(struct process *p, const void *data)
{
	const struct one *c = data;
	uint64_t buffer[STATE_MESSAGE_MAX / sizeof(uint64_t)] = {0};
	struct skb answer = {.data = (uint8_t *)buffer, .size = sizeof buffer};
	int err = c->deletes ? xfrm_del_sa(p->net, &c->request)
			     : xfrm_get_sa(p->net, &c->request, &answer);

	if (process_talked(p, err, &(struct ext_ack){.message = ""}) && !c->deletes)
		show_xfrm_state(&c->show, (const struct nlmsghdr *)(const void *)buffer,
				p->answer->output);
}

static const struct command_type one_type = {.run = one_run, .free = g_free};

static bool
one_words(struct args *a, struct one *c)
{
	struct xfrm_sa_request *r = &c->request;
	struct xfrm_ids ids = {.family = AF_UNSPEC};

	while (args_left(a)) {
		if (strcmp(args_peek(a), "mark") == 0) {
			a->at++;
			if (!xfrm_take_mark(a, &r->mark))
				return false;
			continue;
		}
		if (c->has_id) {
			a->at++;
			return args_wrong(a, "unknown");
		}
		c->has_id = true;
		if (!xfrm_take_ids(a, &ids, false))
			return false;
	}
	r->daddr = ids.daddr;
	r->saddr = ids.saddr;
	r->has_saddr = ids.has_saddr;
	r->spi = ids.spi;
	r->proto = ids.proto;
	r->family = ids.family ? ids.family : AF_INET;
	return true;
}

bool
ip_xfrm_state_get_parse(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;
	struct one *c = g_new0(struct one, 1);

	c->deletes = k->value;
	c->show.statistics = ip->options.statistics;
	c->show.oneline = ip->options.oneline;
	if (one_words(a, c))
		return command_becomes(ip->command, &one_type, c);
	g_free(c);
	return false;
}

/* All of them at once */

struct all {
	uint8_t proto;
	bool statistics;
};

static void
flush_run(struct process *p, const void *data)
{
	const struct all *c = data;

	process_talked(p, xfrm_flush_sa(p->net, c->proto), &(struct ext_ack){.message = ""});
}

static const struct command_type flush_type = {.run = flush_run, .free = g_free};

bool
ip_xfrm_state_flush_parse(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;
	struct all c = {.proto = 0};
	uint32_t proto = 0;

	while (args_left(a)) {
		if (strcmp(args_take(a), "proto") != 0)
			return args_wrong(a, "unknown");
		if (proto)
			return args_duplicate(a, "proto");
		if (!xfrm_take_word(a, xfrm_protos, "XFRM-PROTO value is invalid", &proto))
			return false;
	}
	c.proto = (uint8_t)proto;
	return command_becomes(ip->command, &flush_type, g_memdup2(&c, sizeof c));
}

static void
count_run(struct process *p, const void *data)
{
	const struct all *c = data;
	struct xfrm_state_counts counts = xfrm_sad_getinfo(p->net);

	process_print(p, "\t SAD count %u", counts.count);
	if (c->statistics)
		process_print(p, " (buckets count %u Max %u)", counts.buckets, counts.buckets_max);
	process_print(p, "\n");
}

static const struct command_type count_type = {.run = count_run, .free = g_free};

bool
ip_xfrm_state_count_parse(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;
	struct all c = {.statistics = ip->options.statistics};

	a->at = a->end; /* ip looks at nothing that follows */
	return command_becomes(ip->command, &count_type, g_memdup2(&c, sizeof c));
}
