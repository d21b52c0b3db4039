/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nlmsg.c - a message in the making: libmnl's functions at the end of an skb. */
#include <string.h>

#include "net/af-netlink.h"

struct nlmsg
nlmsg_begin(struct skb *skb, const struct netlink_callback *cb, uint16_t type, size_t header_size)
{
	struct nlmsg m = {.skb = skb};

	if (skb_tailroom(skb) < MNL_NLMSG_HDRLEN + MNL_ALIGN(header_size)) {
		m.overflow = true;
		return m;
	}
	m.nlh = mnl_nlmsg_put_header(skb->data + skb->len);
	m.nlh->nlmsg_type = type;
	if (cb) {
		m.nlh->nlmsg_flags = NLM_F_MULTI;
		m.nlh->nlmsg_seq = cb->nlh->nlmsg_seq;
		m.nlh->nlmsg_pid = cb->nlh->nlmsg_pid;
	}
	m.header = mnl_nlmsg_put_extra_header(m.nlh, header_size);
	return m;
}

int
nlmsg_end(struct nlmsg *m)
{
	if (m->overflow)
		return -EMSGSIZE;
	m->skb->len += m->nlh->nlmsg_len;
	return 0;
}

void
nlmsg_put(struct nlmsg *m, uint16_t type, const void *data, size_t len)
{
	if (!m->overflow)
		m->overflow = !mnl_attr_put_check(m->nlh, skb_tailroom(m->skb), type, len, data);
}

void
nlmsg_put_u8(struct nlmsg *m, uint16_t type, uint8_t value)
{
	nlmsg_put(m, type, &value, sizeof value);
}

void
nlmsg_put_u16(struct nlmsg *m, uint16_t type, uint16_t value)
{
	nlmsg_put(m, type, &value, sizeof value);
}

void
nlmsg_put_u32(struct nlmsg *m, uint16_t type, uint32_t value)
{
	nlmsg_put(m, type, &value, sizeof value);
}

void
nlmsg_put_u64(struct nlmsg *m, uint16_t type, uint64_t value)
{
	nlmsg_put(m, type, &value, sizeof value);
}

void
nlmsg_put_be16(struct nlmsg *m, uint16_t type, uint16_t value)
{
	nlmsg_put_u16(m, type, GUINT16_TO_BE(value));
}

void
nlmsg_put_be32(struct nlmsg *m, uint16_t type, uint32_t value)
{
	nlmsg_put_u32(m, type, GUINT32_TO_BE(value));
}

void
nlmsg_put_strz(struct nlmsg *m, uint16_t type, const char *text)
{
	nlmsg_put(m, type, text, strlen(text) + 1);
}

void
nlmsg_put_flag(struct nlmsg *m, uint16_t type)
{
	nlmsg_put(m, type, NULL, 0);
}

struct nlattr *
nlmsg_nest(struct nlmsg *m, uint16_t type)
{
	struct nlattr *nest = NULL;

	if (!m->overflow)
		nest = mnl_attr_nest_start_check(m->nlh, skb_tailroom(m->skb), type);
	m->overflow |= !nest;
	return nest;
}

struct nlattr *
nlmsg_nest_noflag(struct nlmsg *m, uint16_t type)
{
	struct nlattr *nest = nlmsg_nest(m, type);

	if (nest)
		nest->nla_type &= (uint16_t)~NLA_F_NESTED;
	return nest;
}

void
nlmsg_nest_end(struct nlmsg *m, struct nlattr *nest)
{
	if (!m->overflow)
		mnl_attr_nest_end(m->nlh, nest);
}

void
nlmsg_nest_cancel(struct nlmsg *m, struct nlattr *nest)
{
	if (!m->overflow)
		mnl_attr_nest_cancel(m->nlh, nest);
}
