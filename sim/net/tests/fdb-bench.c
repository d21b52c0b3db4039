/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fdb-bench.c - a bridge with very many entries: built, looked up, dumped.
 *
 * fdb-bench [ENTRIES]: seconds and peak memory by structure, each in a process of
 * its own; and what glib's hash table needs for the same additions and look-ups. */
#include <inttypes.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "box.h"
#include "net/bridge.h"

#define PORTS 16

static const char *const backends[] = {"hash:buckets=256", "rhashtable", "rbtree", NULL};

struct bench {
	unsigned entries;
	double built, found, dumped; /* seconds */
	struct dump_record record;
};

/* A permutation of the numbers, so that neighbours in the table are none in time. */
static void
entry_addr(uint8_t addr[ETH_ALEN], unsigned n)
{
	uint32_t mixed = GUINT32_TO_BE(n * UINT32_C(2654435761));

	addr[0] = 0x02;
	addr[1] = 0;
	memcpy(addr + 2, &mixed, sizeof mixed);
}

static void
set_up(struct box *b)
{
	box_add_link(b, "bridge", "br0", NULL);
	for (unsigned i = 0; i < PORTS; i++) {
		char name[IFNAMSIZ];

		snprintf(name, sizeof name, "p%u", i);
		box_add_link(b, "dummy", name, NULL);
		box_set_master(b, name, "br0");
	}
}

static void
build(struct box *b, unsigned entries)
{
	struct fdb_request req = {
		.vid = 1, .flags = NTF_MASTER, .state = NUD_PERMANENT, .create = true};
	int first = box_ifindex(b, "p0");

	for (unsigned n = 0; n < entries; n++) {
		req.ifindex = first + (int)(n % PORTS);
		entry_addr(req.addr, n);
		if (rtnl_fdb_add(b->net, &req, NULL) != 0)
			g_error("entry %u was refused", n);
	}
}

static void
find(struct box *b, unsigned entries)
{
	struct net_bridge *br = netdev_priv(dev_get_by_name(b->net, "br0"));

	for (unsigned n = 0; n < entries; n++) {
		uint8_t addr[ETH_ALEN];

		entry_addr(addr, n);
		if (!br_fdb_find(br, addr, 1))
			g_error("entry %u is not found", n);
	}
}

static void
dump(struct box *b)
{
	uint64_t request[8];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(request);
	struct netlink_sock *sk = netlink_socket(b->net, NETLINK_ROUTE);
	const void *data;
	unsigned len;

	nlh->nlmsg_type = RTM_GETNEIGH;
	*(uint8_t *)mnl_nlmsg_put_extra_header(nlh, sizeof(struct ndmsg)) = AF_BRIDGE;
	netlink_sendmsg(sk, nlh);
	do
		len = netlink_recvmsg(sk, 32768, 0, &data);
	while (len > 0 && ((const struct nlmsghdr *)data)->nlmsg_type != NLMSG_DONE);
	netlink_close(sk);
}

static void
play(struct box *b, void *data)
{
	struct bench *bench = data;
	double start = bench_now_s();

	set_up(b);
	build(b, bench->entries);
	bench->built = bench_now_s() - start;
	find(b, bench->entries);
	bench->found = bench_now_s() - start - bench->built;
	dump(b);
	bench->dumped = bench_now_s() - start - bench->built - bench->found;
	bench->record = g_array_index(b->kernel->dumps, struct dump_record, 0);
}

static void
bench_backend(const char *backend, unsigned entries)
{
	const struct kernel_options options = {.version = KERNEL_6_1, .fdb_dump = FDB_DUMP_RESUME};
	struct bench bench = {.entries = entries};

	box_play(backend, &options, play, &bench);
	printf("%-18s %8.3f %8.3f %8.3f %8.3f %6.0f MB  %" PRIu64 " of %" PRIu64 " shown\n",
	       backend, bench.built, bench.found, bench.dumped,
	       bench.built + bench.found + bench.dumped, bench_peak_mb(),
	       bench.record.shown - bench.record.repeated, bench.record.existing);
}

static guint
addr_hash(const void *addr)
{
	uint32_t word;

	memcpy(&word, (const uint8_t *)addr + 2, sizeof word);
	return word;
}

static gboolean
addr_equal(const void *a, const void *b)
{
	return memcmp(a, b, ETH_ALEN) == 0;
}

static void
bench_peer(const char *name, unsigned entries)
{
	GHashTable *table = g_hash_table_new_full(addr_hash, addr_equal, g_free, NULL);
	double start = bench_now_s(), built;
	uint8_t addr[ETH_ALEN];

	for (unsigned n = 0; n < entries; n++) {
		entry_addr(addr, n);
		g_hash_table_add(table, g_memdup2(addr, sizeof addr));
	}
	built = bench_now_s() - start;
	for (unsigned n = 0; n < entries; n++) {
		entry_addr(addr, n);
		if (!g_hash_table_contains(table, addr))
			g_error("glib lost entry %u", n);
	}
	printf("%-18s %8.3f %8.3f %8s %8.3f %6.0f MB  (peer)\n", name, built,
	       bench_now_s() - start - built, "", bench_now_s() - start, bench_peak_mb());
	g_hash_table_unref(table);
}

int
main(int argc, char **argv)
{
	unsigned entries = argc > 1 ? (unsigned)g_ascii_strtoull(argv[1], NULL, 10) : 1000000;
	bool ok = true;

	printf("%-18s %8s %8s %8s %8s %9s\n", "structure", "build s", "find s", "dump s", "all s",
	       "peak");
	for (unsigned i = 0; backends[i]; i++)
		ok &= bench_in_child(bench_backend, backends[i], entries);
	ok &= bench_in_child(bench_peer, "GHashTable", entries);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
