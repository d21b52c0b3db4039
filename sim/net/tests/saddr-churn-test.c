/* SPDX-License-Identifier: GPL-2.0-or-later */
/* saddr-churn-test.c - sources are chosen on some CPUs while addresses come and go on
 * others: nobody gets one that had gone before he began.
 *
 * Grace periods are much shorter than a choice takes, and what is freed at the end of one
 * is poisoned.  This file is also linked to a saddr.c that has no read sections (compiled
 * with WITHOUT_READ_SECTIONS); then the test is that this is noticed. */
#include <check.h>
#include <linux/if_addr.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend.h"
#include "box.h"
#include "net/inet6.h"
#include "net/request.h"
#include "net/saddr.h"
#include "suite.h"
#include "variants.h"

#define SENDERS   6
#define CHANGERS  1 /* so that it knows what is there */
#define DEVICES   3
#define ADDRESSES 16 /* of a device */

/* A source that is chosen, an address that comes or goes. */
static unsigned many_events = 1000000;
#define FEWER_EVENTS 5000

/* Each look at an address takes this long, so that others run between two of them. */
#define LOOK_PS (20 * PS_PER_NS)

static const uint64_t *looks; /* how many there were */
static uint64_t looks_paid;

static uint64_t
price(void *data)
{
	uint64_t since = looks ? *looks - looks_paid : 0;

	(void)data;
	looks_paid += since;
	return since * LOOK_PS;
}

static const struct engine_config machine = {
	.meter = price,
	.cpus = SENDERS + CHANGERS,
	.topology = {.sockets = 2, .cores = (SENDERS + CHANGERS) / 2, .threads = 1},
	.line_ps = {[CPU_SAME] = 5 * PS_PER_NS,
		    [CPU_SAME_CORE] = 50 * PS_PER_NS,
		    [CPU_SAME_SOCKET] = 50 * PS_PER_NS,
		    [CPU_OTHER_SOCKET] = 150 * PS_PER_NS},
	.grace_ps = 20 * PS_PER_NS,
};

/* An address as it should be. */
struct shadow {
	bool is_there;
	uint64_t gone; /* when it went */
};

struct churn {
	struct box *box;
	unsigned events, changes, wanted;
	bool still; /* nothing comes or goes */
	int ifindex[DEVICES];
	struct shadow shadow[DEVICES][ADDRESSES];
};

struct worker {
	struct churn *churn;
	struct rng rng;
	struct task *task;
};

static void
make_addr(uint8_t addr[16], unsigned dev, unsigned n)
{
	memset(addr, 0, 16);
	memcpy(addr, (const uint8_t[]){0x20, 1, 0x0d, 0xb8}, 4);
	addr[14] = (uint8_t)dev;
	addr[15] = (uint8_t)n;
}

/* Links have addresses of their own, and lo has.  (ck_assert() would write to a file each
 * time.) */
static void
check_source(const struct churn *c, const uint8_t src[16], uint64_t began)
{
	unsigned dev = src[14], n = src[15];
	const struct shadow *s;
	uint8_t addr[16];

	if (ipv6_addr_linklocal(src) || ipv6_addr_loopback(src))
		return;
	make_addr(addr, dev, n);
	if (dev >= DEVICES || n >= ADDRESSES || memcmp(addr, src, 16) != 0)
		ck_abort_msg("an address that never was");
	s = &c->shadow[dev][n];
	if (!s->is_there && s->gone < began)
		ck_abort_msg("an address that had gone");
}

static void
choose_source(struct worker *w)
{
	struct churn *c = w->churn;
	unsigned dev = (unsigned)rng_below(&w->rng, DEVICES);
	uint64_t began = engine_now(c->box->engine);
	uint8_t dst[16], src[16];

	make_addr(dst, (unsigned)rng_below(&w->rng, DEVICES), 0xff);
	if (ipv6_dev_get_saddr(c->box->net, dev_get_by_index(c->box->net, c->ifindex[dev]), dst, 0,
			       src) == 0)
		check_source(c, src, began);
}

static void
change_something(struct worker *w)
{
	struct churn *c = w->churn;
	unsigned dev = (unsigned)rng_below(&w->rng, DEVICES);
	unsigned n = (unsigned)rng_below(&w->rng, ADDRESSES);
	struct shadow *s = &c->shadow[dev][n];
	struct addr_request req = {
		.ifindex = c->ifindex[dev],
		.prefixlen = 64,
		.flags = IFA_F_NODAD,
		.valid_lft = UINT32_MAX,
		.preferred_lft = UINT32_MAX,
	};

	make_addr(req.local, dev, n);
	if (s->is_there) {
		ck_assert_int_eq(inet6_rtm_deladdr(c->box->net, &req, NULL), 0);
		s->is_there = false;
		s->gone = engine_now(c->box->engine);
	} else {
		s->is_there = true;
		ck_assert_int_eq(inet6_rtm_newaddr(c->box->net, &req, NULL), 0);
	}
	c->changes++;
}

static void
send_on(void *worker)
{
	struct worker *w = worker;

	while (w->churn->events++ < w->churn->wanted) {
		choose_source(w);
		task_charge(w->churn->box->engine, rng_below(&w->rng, 300 * PS_PER_NS));
		task_sync(w->churn->box->engine);
	}
}

static void
change_on(void *worker)
{
	struct worker *w = worker;

	while (w->churn->events++ < w->churn->wanted) {
		change_something(w);
		task_sleep(w->churn->box->engine, rng_below(&w->rng, 1000 * PS_PER_NS));
	}
}

static void
start(struct worker *w, struct churn *c, unsigned cpu)
{
	bool sends = cpu < SENDERS;

	*w = (struct worker){.churn = c, .rng = {cpu}};
	w->task = task_start_on(c->box->engine, sends ? "sender" : "changer", cpu,
				sends ? send_on : change_on, w);
}

static void
play_churn(struct box *b, void *data)
{
	struct churn *c = data;
	struct worker workers[SENDERS + CHANGERS];
	unsigned count = c->still ? SENDERS : SENDERS + CHANGERS;

	c->box = b;
	looks = &b->kernel->calls.count[call_number("ipv6_get_saddr_eval")];
	looks_paid = 0;
	for (unsigned dev = 0; dev < DEVICES; dev++) {
		const char name[] = {'d', (char)('0' + dev), '\0'};

		ck_assert_int_eq(box_add_link(b, "dummy", name, NULL), 0);
		ck_assert_int_eq(box_set_up(b, name, true), 0);
		c->ifindex[dev] = box_ifindex(b, name);
	}
	for (unsigned n = 0; n < count; n++)
		start(&workers[n], c, n);
	for (unsigned n = 0; n < count; n++)
		task_join(workers[n].task);
	looks = NULL;
}

static unsigned
run_churn(const char *backend, unsigned step, unsigned events, bool still)
{
	struct churn churn = {.wanted = events, .still = still};
	struct kernel_options options = {.version = KERNEL_6_1, .saddr = step};

	box_play_on(backend, &options, &machine, play_churn, &churn);
	return churn.changes;
}

#ifndef WITHOUT_READ_SECTIONS

/* How often something comes or goes is a check of the test. */
START_TEST(a_million_events)
{
	ck_assert_uint_gt(run_churn("rcu-list", SADDR_RCU, many_events, false), many_events / 100);
}
END_TEST

START_TEST(on_every_backend)
{
	static const unsigned steps[] = {SADDR_LOCK, SADDR_WALK, SADDR_RCU};

	for (unsigned n = 0; n < G_N_ELEMENTS(steps); n++)
		ck_assert_uint_gt(run_churn(variant_at(_i), steps[n], FEWER_EVENTS, false),
				  FEWER_EVENTS / 100);
}
END_TEST

#else

/* In a process of its own, as it may read through a pointer that is poison. */
static bool
fails(bool still)
{
	int status;
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		run_churn("rcu-list", SADDR_RCU, many_events, still);
		_exit(EXIT_SUCCESS);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return status != 0;
}

START_TEST(a_million_events)
{
	ck_assert(!fails(true));
	ck_assert(fails(false));
}
END_TEST

#endif

/* saddr-churn-test [EVENTS] */
int
main(int argc, char **argv)
{
	Suite *suite = suite_create("saddr-churn");
	TCase *tc = tcase_create("saddr-churn");

	if (argc > 1)
		many_events = (unsigned)g_ascii_strtoull(argv[1], NULL, 10);
	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, a_million_events);
#ifndef WITHOUT_READ_SECTIONS
	tcase_add_loop_test(tc, on_every_backend, 0, (int)variant_count());
#endif
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
