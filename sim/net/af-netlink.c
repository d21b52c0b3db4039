/* SPDX-License-Identifier: GPL-2.0-or-later */
/* af-netlink.c - netlink sockets and their dumps.
 *
 * Models netlink_dump(), netlink_recvmsg() and what they decide by: how large the
 * next buffer is, and how far a dump may run ahead of its reader. */
#include "net/af-netlink.h"

#include <linux/netlink.h>
#include <string.h>

#include "net/dev.h"

/* What is left of an allocation when the kernel's shared info (320 bytes) is in it. */
#define SKB_WITH_OVERHEAD(size) ((size)-320u)
#define NLMSG_GOODSIZE          SKB_WITH_OVERHEAD(4096u)
#define RECVMSG_LEN_MAX         SKB_WITH_OVERHEAD(32768u) /* what a reader can make it try */

/* A datagram weighs as much as its memory does: buffer, shared info, struct sk_buff. */
#define SKB_TRUESIZE(size) ((size) + 320u + 256u)

/* The reader asks for 1 MiB and gets net.core.rmem_max, doubled as setsockopt does. */
#define SK_RCVBUF (2 * 212992u)

const char *const netlink_skb_words[] = {
	[NETLINK_SKB_AUTO] = "auto",
	[NETLINK_SKB_16384] = "16384",
	[NETLINK_SKB_3776] = "3776",
	NULL,
};

struct netlink_sock {
	struct net *net;
	int protocol;
	GQueue queue;        /* struct skb: datagrams, the next one first */
	struct skb *read;    /* what the reader looks at */
	unsigned rmem_alloc; /* weight of the queue */
	unsigned max_recvmsg_len;

	bool cb_running, unordered;
	unsigned min_dump_alloc;
	struct netlink_callback cb;
	struct nlmsghdr *request;
};

/* Datagrams */

static struct skb *
skb_alloc(unsigned size)
{
	struct skb *skb = g_new0(struct skb, 1);

	skb->data = g_malloc0(size);
	skb->size = size;
	return skb;
}

static void
skb_free(void *data)
{
	struct skb *skb = data;

	if (!skb)
		return;
	g_free(skb->data);
	g_free(skb);
}

/* A large buffer is an attempt that may fail, the smallest one is not. */
static struct skb *
dump_skb(const struct netlink_sock *sk)
{
	unsigned min = MAX(sk->min_dump_alloc, NLMSG_GOODSIZE);
	bool large_fails = sk->net->kernel->options.skb == NETLINK_SKB_3776;

	if (min < sk->max_recvmsg_len && !large_fails)
		return skb_alloc(sk->max_recvmsg_len);
	return skb_alloc(min);
}

static void
enqueue(struct netlink_sock *sk, struct skb *skb)
{
	g_queue_push_tail(&sk->queue, skb);
	sk->rmem_alloc += SKB_TRUESIZE(skb->size);
}

/* Dumps */

void
nl_dump_check_consistent(struct netlink_callback *cb, struct nlmsghdr *nlh)
{
	if (cb->prev_seq && cb->seq != cb->prev_seq) {
		nlh->nlmsg_flags |= NLM_F_DUMP_INTR;
		dump_interrupted(cb);
	}
	cb->prev_seq = cb->seq;
}

static void
dump_forget(struct netlink_sock *sk)
{
	g_clear_pointer(&sk->cb.audit, dump_audit_free);
	g_clear_pointer(&sk->cb.state, g_free);
	g_clear_pointer(&sk->request, g_free);
	sk->cb_running = false;
}

/* The datagram that ends it has one message: the result, 0. */
static void
dump_done(struct netlink_sock *sk, struct skb *skb)
{
	struct nlmsg m = nlmsg_begin(skb, &sk->cb, NLMSG_DONE, sizeof(int));

	CALL_ENTER(&sk->net->kernel->calls, "netlink_dump_done");
	nl_dump_check_consistent(&sk->cb, m.nlh);
	nlmsg_end(&m);
	dump_audit_end(sk->cb.audit, &sk->cb);
	sk->cb_running = false;
}

/* One run: one datagram.  What the dump finds when it has nothing left to tell is
 * an empty datagram, and the end. */
static void
netlink_dump(struct netlink_sock *sk)
{
	struct kernel *k = sk->net->kernel;
	struct skb *skb;

	if (sk->protocol == NETLINK_ROUTE)
		rtnl_lock(k);
	CALL_ENTER(&k->calls, "netlink_dump");
	skb = dump_skb(sk);
	if (sk->cb.dump(skb, &sk->cb) <= 0)
		dump_done(sk, skb);
	sk->cb.runs++;
	enqueue(sk, skb);
	if (sk->protocol == NETLINK_ROUTE)
		rtnl_unlock(k);
}

/* Requests */

static const struct rtnl_dump *
dump_of_module(const struct net_module *module, int protocol, uint8_t family, uint16_t type)
{
	for (const struct rtnl_dump *d = module->dumps; d && d->what; d++)
		if (d->protocol == protocol && d->family == family && d->type == type)
			return d;
	return NULL;
}

/* As the kernel looks: in the family's table, then in that of no family. */
static const struct rtnl_dump *
find_dump(int protocol, uint8_t family, uint16_t type)
{
	const struct rtnl_dump *found = NULL;

	for (unsigned n = 0; n < net_module_count() && !found; n++)
		found = dump_of_module(net_module_at(n), protocol, family, type);
	return found || family == AF_UNSPEC ? found : find_dump(protocol, AF_UNSPEC, type);
}

static void
dump_start(struct netlink_sock *sk, const struct rtnl_dump *dump, const struct nlmsghdr *nlh)
{
	CALL_ENTER(&sk->net->kernel->calls, "__netlink_dump_start");
	dump_forget(sk);
	sk->request = g_memdup2(nlh, nlh->nlmsg_len);
	sk->cb = (struct netlink_callback){.net = sk->net, .nlh = sk->request, .dump = dump->dump};
	sk->cb.audit = dump_audit_new(&sk->cb, dump);
	sk->cb_running = true;
	netlink_dump(sk);
}

int
netlink_sendmsg(struct netlink_sock *sk, const struct nlmsghdr *nlh)
{
	uint8_t family = *(const uint8_t *)mnl_nlmsg_get_payload(nlh);
	const struct rtnl_dump *dump = find_dump(sk->protocol, family, nlh->nlmsg_type);

	CALL_ENTER(&sk->net->kernel->calls, "netlink_sendmsg");
	if (!dump)
		return -EOPNOTSUPP;
	if (sk->cb_running)
		return -EBUSY;
	sk->min_dump_alloc = dump->min_alloc ? dump->min_alloc(sk->net, nlh) : 0;
	dump_start(sk, dump, nlh);
	return 0;
}

/* Reading */

static bool
is_last(const struct skb *skb)
{
	return ((const struct nlmsghdr *)(const void *)skb->data)->nlmsg_type == NLMSG_DONE;
}

static void
take(struct netlink_sock *sk)
{
	struct dump_audit *audit = sk->cb.audit;

	skb_free(sk->read);
	sk->read = g_queue_pop_head(&sk->queue);
	sk->rmem_alloc -= SKB_TRUESIZE(sk->read->size);
	dump_audit_read(audit, sk->read->len);
	if (is_last(sk->read)) {
		g_array_append_vals(sk->net->kernel->dumps, dump_audit_record(audit), 1);
		sk->unordered |= sk->cb.unordered;
		dump_forget(sk);
	}
}

void
netlink_offered(struct netlink_sock *sk, unsigned len)
{
	sk->max_recvmsg_len = MIN(MAX(sk->max_recvmsg_len, len), RECVMSG_LEN_MAX);
}

/* Each read, that of the size alone, too, makes the dump go on, unless much waits.  It is
 * a system call: others run before it. */
unsigned
netlink_recvmsg(struct netlink_sock *sk, unsigned len, int flags, const void **data)
{
	const struct skb *skb = g_queue_peek_head(&sk->queue);

	task_sync(sk->net->kernel->engine);
	g_assert(skb && (len >= skb->len || flags & MSG_TRUNC));
	CALL_ENTER(&sk->net->kernel->calls, "netlink_recvmsg");
	netlink_offered(sk, len);
	if (!(flags & MSG_PEEK))
		take(sk);
	*data = skb->data;
	if (sk->cb_running && sk->rmem_alloc <= SK_RCVBUF / 2)
		netlink_dump(sk);
	return skb->len;
}

bool
netlink_unordered(const struct netlink_sock *sk)
{
	return sk->unordered;
}

/* Sockets */

struct netlink_sock *
netlink_socket(struct net *net, int protocol)
{
	struct netlink_sock *sk = g_new0(struct netlink_sock, 1);

	sk->protocol = protocol;
	sk->net = net;
	g_queue_init(&sk->queue);
	return sk;
}

void
netlink_close(struct netlink_sock *sk)
{
	if (!sk)
		return;
	dump_forget(sk);
	g_queue_clear_full(&sk->queue, skb_free);
	skb_free(sk->read);
	g_free(sk);
}
