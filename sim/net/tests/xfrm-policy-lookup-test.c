/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-policy-lookup-test.c - which policy a packet has followed on kernels 6.1 and 5.10, and
 * by which calls.
 *
 * Recorded on both, with the same answers: packets by UDP from 10.1.0.1, of which 'ip -s xfrm
 * policy list' showed by its times whose they were; all of the policies blocked them. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#include "box.h"
#include "net/xfrm-policy-user.h"
#include "require.h"

char require_about[128];

/* "add", "update", "delete" SOURCE/BITS DESTINATION/BITS PRIORITY TYPE; "send" DESTINATION, and
 * the index of the policy; "flush"; "threshold" BITS; "calls" of xfrm_policy_lookup_bytype,
 * _match, _lookup_inexact_addr and _find_inexact_candidates since the last ones. */
static const char *const script[] = {
	/* An inexact policy goes before an exact one of its priority, but only the first. */
	"add 10.1.0.1/32 10.2.0.2/32 0 0",
	"add 10.1.0.0/24 10.2.0.0/24 0 0",
	"send 10.2.0.2 9",
	"flush",
	"calls 2 3 3 1",
	"add 10.1.0.0/24 10.2.0.0/24 0 0",
	"add 10.1.0.1/32 10.2.0.2/32 0 0",
	"send 10.2.0.2 17",
	"flush",
	"calls 2 3 3 1",
	"add 10.1.0.0/24 10.3.0.0/24 0 0",
	"add 10.1.0.0/24 10.2.0.0/24 0 0",
	"add 10.1.0.1/32 10.2.0.2/32 0 0",
	"send 10.2.0.2 49",
	"flush",
	"calls 2 3 3 1",
	/* Of three lists the oldest; one that replaces another of its priority is as old. */
	"add 0.0.0.0/0 10.2.0.0/24 0 0",
	"add 10.1.0.0/24 0.0.0.0/0 0 0",
	"add 10.1.0.0/24 10.2.0.0/24 0 0",
	"send 10.2.0.2 57",
	"update 0.0.0.0/0 10.2.0.0/24 0 0",
	"send 10.2.0.2 57",
	"update 0.0.0.0/0 10.2.0.0/24 1 0",
	"send 10.2.0.2 65",
	"update 0.0.0.0/0 10.2.0.0/24 0 0",
	"send 10.2.0.2 65",
	"flush",
	"calls 8 11 12 4",
	/* Prefixes in each other share a node. */
	"add 10.1.0.0/24 10.2.0.0/24 0 0",
	"add 10.1.0.0/24 10.2.0.0/16 0 0",
	"add 10.1.0.0/16 10.2.0.0/17 1 0",
	"add 10.1.0.0/16 10.2.0.0/20 0 0",
	"send 10.2.0.2 81",
	"send 10.2.8.2 89",
	"send 10.2.100.2 89",
	"delete 10.1.0.0/24 10.2.0.0/16 0 0",
	"send 10.2.100.2 97",
	"flush",
	"calls 8 8 15 5",
	/* What is of type SUB goes first. */
	"add 10.1.0.0/24 10.2.0.0/24 0 0",
	"add 10.1.0.0/24 10.2.0.0/24 100 1",
	"send 10.2.0.2 121",
	"calls 1 1 3 1",
	"flush",
	/* With lower thresholds the first one is exact. */
	"add 10.1.0.0/24 10.2.0.0/24 0 0",
	"add 10.1.0.0/20 10.2.0.0/20 0 0",
	"threshold 24",
	"add 10.1.0.0/16 10.2.0.0/16 0 0",
	"send 10.2.0.2 137",
	"send 10.2.8.2 137",
	"calls 4 4 6 2",
};

static const char *const counted[] = {
	"xfrm_policy_lookup_bytype",
	"xfrm_policy_match",
	"xfrm_policy_lookup_inexact_addr",
	"xfrm_policy_find_inexact_candidates",
};

enum { COUNTED = G_N_ELEMENTS(counted) };

static struct xfrm_pol
pol_of(const char *line, const char *word)
{
	struct xfrm_pol pol = {.info = {.dir = XFRM_POLICY_OUT, .action = XFRM_POLICY_BLOCK}};
	struct xfrm_selector *sel = &pol.info.sel;
	char saddr[16], daddr[16];
	unsigned slen, dlen, type;
	int read = sscanf(line + strlen(word), " %15[0-9.]/%u %15[0-9.]/%u %u %u", saddr, &slen,
			  daddr, &dlen, &pol.info.priority, &type);

	require(read == 6 && inet_pton(AF_INET, saddr, &sel->saddr) == 1 &&
		inet_pton(AF_INET, daddr, &sel->daddr) == 1);
	sel->family = AF_INET;
	sel->prefixlen_s = (uint8_t)slen;
	sel->prefixlen_d = (uint8_t)dlen;
	pol.type = (uint8_t)type;
	return pol;
}

static void
send_packet(struct box *b, const char *line)
{
	struct xfrm_flow f = {.family = AF_INET, .proto = IPPROTO_UDP, .dport = htons(9)};
	struct xfrm_policy *p;
	char daddr[16];
	unsigned index;

	require(sscanf(line, "send %15s %u", daddr, &index) == 2);
	require(inet_pton(AF_INET, "10.1.0.1", &f.saddr) == 1 &&
		inet_pton(AF_INET, daddr, &f.daddr) == 1);
	p = xfrm_policy_lookup(b->net, &f, XFRM_POLICY_OUT, 0);
	require(p && p->pol.info.index == index);
	xfrm_policy_use(p);
	require(p->pol.info.curlft.use_time == xfrm_now(b->net));
}

static void
compare_calls(struct box *b, const char *line, uint64_t last[COUNTED])
{
	unsigned calls[COUNTED];

	require(sscanf(line, "calls %u %u %u %u", &calls[0], &calls[1], &calls[2], &calls[3]) == 4);
	for (unsigned n = 0; n < COUNTED; n++) {
		uint64_t now = b->kernel->calls.count[call_number(counted[n])];

		require(now - last[n] == calls[n]);
		last[n] = now;
	}
}

static void
set_thresholds(struct box *b, const char *line)
{
	struct xfrm_policy_hthresh t;
	unsigned bits;

	require(sscanf(line, "threshold %u", &bits) == 1);
	t = (struct xfrm_policy_hthresh){(uint8_t)bits, (uint8_t)bits};
	xfrm_policy_set_hthresh(b->net, &t, NULL);
	kernel_flush(b->kernel);
}

static void
run_line(struct box *b, const char *line, uint64_t last[COUNTED])
{
	struct ext_ack ack = {.message = ""};
	struct xfrm_pol pol;

	if (g_str_has_prefix(line, "send")) {
		send_packet(b, line);
	} else if (g_str_has_prefix(line, "calls")) {
		compare_calls(b, line, last);
	} else if (g_str_has_prefix(line, "threshold")) {
		set_thresholds(b, line);
	} else if (g_str_has_prefix(line, "flush")) {
		require(xfrm_flush_policy(b->net, XFRM_POLICY_TYPE_SUB) == 0);
		require(xfrm_flush_policy(b->net, XFRM_POLICY_TYPE_MAIN) == 0);
	} else if (g_str_has_prefix(line, "delete")) {
		pol = pol_of(line, "delete");
		require(xfrm_del_policy(b->net, &pol) == 0);
	} else {
		bool update = g_str_has_prefix(line, "update");

		pol = pol_of(line, update ? "update" : "add");
		require(xfrm_add_policy(b->net, &pol, update, &ack) == 0);
	}
}

static void
play(struct box *b, void *data)
{
	uint64_t last[COUNTED] = {0};

	for (unsigned n = 0; n < G_N_ELEMENTS(script); n++) {
		snprintf(require_about, sizeof require_about, "%s, %s", (const char *)data,
			 script[n]);
		run_line(b, script[n], last);
	}
}

START_TEST(recorded)
{
	static const struct {
		unsigned version;
		const char *name;
	} kernels[] = {{KERNEL_6_1, "6.1"}, {KERNEL_5_10, "5.10"}};
	struct kernel_options options = {.version = kernels[_i].version};

	box_play("hash:buckets=8", &options, play, (void *)kernels[_i].name);
}
END_TEST

int
main(void)
{
	SRunner *sr;
	TCase *tc = tcase_create("xfrm-policy-lookup");
	Suite *suite = suite_create("xfrm-policy-lookup");
	int failed;

	tcase_add_loop_test(tc, recorded, 0, 2);
	suite_add_tcase(suite, tc);
	sr = srunner_create(suite);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
