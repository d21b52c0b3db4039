/* SPDX-License-Identifier: GPL-2.0-or-later */
/* af-netlink.h - netlink sockets of user tasks, and dumps: answers in pieces.
 *
 * Models net/netlink/af_netlink.c (Linux 5.10 and 6.1).  A dump is a sequence of
 * datagrams.  Each is built by a call of the dump's function, under RTNL, in a
 * buffer of a size that depends on what the reader has offered so far; between
 * two of them other tasks may run and change what is dumped. */
#pragma once

#include <libmnl/libmnl.h>

#include "net/dump-audit.h"
#include "net/netdevice.h"

struct dump_audit; /* dump-audit.c */
struct netlink_sock;

/* A datagram in the making: messages one after the other. */
struct skb {
	uint8_t *data;
	unsigned len, size; /* bytes used; bytes that there are */
};

/* The kernel's struct netlink_callback: where a dump stands. */
struct netlink_callback {
	struct net *net;
	const struct nlmsghdr *nlh; /* the request */
	int (*dump)(struct skb *, struct netlink_callback *);
	uint64_t args[6];       /* the dump's markers; all zero at first */
	void *state;            /* what else it needs; g_free() at the end */
	unsigned runs;          /* calls of 'dump' before this one */
	uint32_t seq, prev_seq; /* generation of what is dumped; nl_dump_check_consistent() */
	bool unordered;         /* it told of something in the order of a structure's own */
	struct dump_audit *audit;
};

/* How big buffers are: what the reader offers, and whether the kernel finds memory
 * for that. */
enum netlink_skb {
	NETLINK_SKB_AUTO,  /* iproute2 since 5.0: asks for the size first, offers 32 KiB */
	NETLINK_SKB_16384, /* iproute2 of 2016: offers 16 KiB */
	NETLINK_SKB_3776,  /* the same, but no larger buffer than the smallest is found */
};

extern const char *const netlink_skb_words[]; /* by enum netlink_skb; null-terminated */

/* By a task of user space. */
struct netlink_sock *netlink_socket(struct net *, int protocol); /* NETLINK_ROUTE ... */
void netlink_close(struct netlink_sock *);                       /* null is allowed */

/* Starts a dump: the first datagram is built at once.  0, -EOPNOTSUPP for a family
 * and type that nothing answers, -EBUSY, or what the dump function refuses with. */
int netlink_sendmsg(struct netlink_sock *, const struct nlmsghdr *);

/* The next datagram and its size.  The reader offers a buffer of 'len' bytes, which
 * has to be enough unless it just asks for the size (MSG_PEEK | MSG_TRUNC: the
 * datagram stays).  *data is the socket's, and valid until the next call. */
unsigned netlink_recvmsg(struct netlink_sock *, unsigned len, int flags, const void **data);

/* The reader has offered 'len' bytes for an answer that is no dump; such answers do
 * not come this way, but buffers of dumps grow with what was offered for them. */
void netlink_offered(struct netlink_sock *, unsigned len);

/* Was a dump of this socket in the order of a structure's own, at least in part? */
bool netlink_unordered(const struct netlink_sock *);

/* A message in the making.  What does not fit makes all of it not fit, so that
 * nothing needs to be checked before nlmsg_end(). */
struct nlmsg {
	struct skb *skb;
	struct nlmsghdr *nlh; /* null: it does not even begin */
	void *header;         /* after nlmsghdr: the zeroed struct ndmsg or whatever it is */
	bool overflow;
};

/* 'header_size' is that of the struct behind nlmsghdr.  The message answers 'cb'. */
struct nlmsg nlmsg_begin(struct skb *, const struct netlink_callback *cb, uint16_t type,
			 size_t header_size);
int nlmsg_end(struct nlmsg *); /* 0, or -EMSGSIZE and the skb is as before */

void nlmsg_put(struct nlmsg *, uint16_t type, const void *data, size_t len);
void nlmsg_put_u8(struct nlmsg *, uint16_t type, uint8_t);
void nlmsg_put_u16(struct nlmsg *, uint16_t type, uint16_t);
void nlmsg_put_u32(struct nlmsg *, uint16_t type, uint32_t);
void nlmsg_put_u64(struct nlmsg *, uint16_t type, uint64_t); /* no padding: as on x86 */
void nlmsg_put_be16(struct nlmsg *, uint16_t type, uint16_t);
void nlmsg_put_be32(struct nlmsg *, uint16_t type, uint32_t);
void nlmsg_put_strz(struct nlmsg *, uint16_t type, const char *);
void nlmsg_put_flag(struct nlmsg *, uint16_t type);

/* Nested attributes.  An end may be given the null that an overflow left. */
struct nlattr *nlmsg_nest(struct nlmsg *, uint16_t type);        /* with NLA_F_NESTED */
struct nlattr *nlmsg_nest_noflag(struct nlmsg *, uint16_t type); /* without */
void nlmsg_nest_end(struct nlmsg *, struct nlattr *);
void nlmsg_nest_cancel(struct nlmsg *, struct nlattr *);

/* Room that is left, as skb_tailroom(). */
static inline unsigned
skb_tailroom(const struct skb *skb)
{
	return skb->size - skb->len;
}

/* Marks the message NLM_F_DUMP_INTR if what is dumped has changed since the last
 * run: between two messages, cb->seq rose. */
void nl_dump_check_consistent(struct netlink_callback *, struct nlmsghdr *);

/* One kind of dump; net_module.dumps has those of a module. */
struct rtnl_dump {
	const char *what; /* "link", as results name it */
	int protocol;     /* NETLINK_ROUTE, which is 0: under RTNL; NETLINK_XFRM: not */
	uint8_t family;   /* PF_BRIDGE ... */
	uint16_t type;    /* RTM_GETLINK ... */
	int (*dump)(struct skb *, struct netlink_callback *);

	/* calcit(): the least that the first buffer must hold; may be null. */
	unsigned (*min_alloc)(struct net *, const struct nlmsghdr *);

	/* Which algorithm it is, if there are several; may be null. */
	const char *(*algorithm)(const struct net *);

	/* Everything that there is to dump now, for the audit; may be null. */
	void (*each)(const struct netlink_callback *, struct dump_set *);
};
