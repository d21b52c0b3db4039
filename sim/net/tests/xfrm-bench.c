/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-bench.c - very many IPsec states: added, on tables that grow as the kernel's do,
 * and looked up by SPI, as each received packet does.
 *
 * xfrm-bench [STATES]: seconds and peak memory by structure, each in a process of its own;
 * and what glib's hash table needs for the same additions and look-ups by SPI. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "box.h"
#include "net/xfrm.h"

static const char *const backends[] = {"hash:buckets=8", "rhashtable", "rbtree", NULL};

struct bench {
	unsigned states;
	double built, found; /* seconds */
	uint32_t buckets;
};

static const struct xfrm_alg sha1 = {.name = "hmac(sha1)", .key_bits = 160, .icv_bits = 96};
static const struct xfrm_alg aes = {.name = "cbc(aes)", .key_bits = 128};

/* To so many addresses that no chain of them is long. */
static void
make_sa(struct xfrm_sa *sa, unsigned n)
{
	*sa = (struct xfrm_sa){.info = {.family = AF_INET, .reqid = 1, .mode = XFRM_MODE_TUNNEL}};
	sa->info.saddr.a4 = htonl(0xc0000201);
	sa->info.id.daddr.a4 = htonl(0x0a000000 + n * UINT32_C(2654435761) % (1 << 24));
	sa->info.id.spi = htonl(256 + n);
	sa->info.id.proto = IPPROTO_ESP;
	sa->info.lft.soft_byte_limit = sa->info.lft.hard_byte_limit = UINT64_MAX;
	sa->info.lft.soft_packet_limit = sa->info.lft.hard_packet_limit = UINT64_MAX;
	sa->alg[XFRM_ALG_AUTH] = &sha1;
	sa->alg[XFRM_ALG_CRYPT] = &aes;
}

/* Growth is a work item's. */
static void
build(struct box *b, unsigned states)
{
	struct xfrm_sa sa;

	for (unsigned n = 0; n < states; n++) {
		make_sa(&sa, n);
		if (xfrm_state_add(b->net, &sa) != 0)
			g_error("state %u was refused", n);
		if (n % 16 == 0)
			kernel_flush(b->kernel);
	}
}

static void
find(struct box *b, unsigned states)
{
	struct xfrm_sa sa;

	for (unsigned n = 0; n < states; n++) {
		make_sa(&sa, n);
		if (!xfrm_state_lookup(b->net, 0, &sa.info.id.daddr, sa.info.id.spi, IPPROTO_ESP,
				       AF_INET))
			g_error("state %u is not found", n);
	}
}

static void
play(struct box *b, void *data)
{
	struct bench *bench = data;
	double start = bench_now_s();

	build(b, bench->states);
	bench->built = bench_now_s() - start;
	find(b, bench->states);
	bench->found = bench_now_s() - start - bench->built;
	bench->buckets = xfrm_sad_getinfo(b->net).buckets;
}

static void
bench_backend(const char *backend, unsigned states)
{
	const struct kernel_options options = {.version = KERNEL_6_1};
	struct bench bench = {.states = states};

	box_play(backend, &options, play, &bench);
	printf("%-18s %8.3f %8.3f %6.0f MB %10u buckets\n", backend, bench.built, bench.found,
	       bench_peak_mb(), bench.buckets);
}

static void
bench_peer(const char *name, unsigned states)
{
	GHashTable *table = g_hash_table_new_full(g_int_hash, g_int_equal, NULL, g_free);
	double start = bench_now_s(), built;
	struct xfrm_sa sa;

	for (unsigned n = 0; n < states; n++) {
		struct xfrm_sa *own = g_new(struct xfrm_sa, 1);

		make_sa(own, n);
		g_hash_table_insert(table, &own->info.id.spi, own);
	}
	built = bench_now_s() - start;
	for (unsigned n = 0; n < states; n++) {
		make_sa(&sa, n);
		if (!g_hash_table_contains(table, &sa.info.id.spi))
			g_error("glib lost state %u", n);
	}
	printf("%-18s %8.3f %8.3f %6.0f MB  (peer: one table, no limits, no list)\n", name, built,
	       bench_now_s() - start - built, bench_peak_mb());
	g_hash_table_unref(table);
}

int
main(int argc, char **argv)
{
	unsigned states = argc > 1 ? (unsigned)g_ascii_strtoull(argv[1], NULL, 10) : 1000000;
	bool ok = true;

	printf("%-18s %8s %8s %9s\n", "structure", "build s", "find s", "peak");
	for (unsigned i = 0; backends[i]; i++)
		ok &= bench_in_child(bench_backend, backends[i], states);
	ok &= bench_in_child(bench_peer, "GHashTable", states);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
