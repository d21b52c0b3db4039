/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test-run.c - commands that take time, or several requests, and the state of a
 * namespace as a whole. */
#include <linux/if_addr.h>

#include "net/inet6.h"
#include "run-line.h"

static struct fake *
real_machine(void)
{
	struct fake *f = fake_new();

	fake_load(f, "test", "test-link.json", "test-addr.json", "test-maddr.json",
		  "test-info.json");
	fake_load(f, "two", "two-link.json", NULL, NULL, NULL);
	return f;
}

/* A task that runs one line. */
struct user {
	struct fake *fake;
	const char *line;
	struct ran ran;
};

static void
user_run(void *data)
{
	struct user *u = data;

	u->ran = run_line(u->fake, u->line);
}

/* How long the line takes, in simulated time. */
static uint64_t
duration(struct fake *f, const char *line)
{
	struct user u = {.fake = f, .line = line};
	uint64_t begin = engine_now(f->kernel.engine);
	struct task *task = task_start(f->kernel.engine, "user", user_run, &u);

	task_detach(task);
	ck_assert(engine_run(f->kernel.engine, NULL));
	ck_assert_int_eq(u.ran.answer.status, 0);
	ran_clear(&u.ran);
	return engine_now(f->kernel.engine) - begin;
}

START_TEST(sleeps)
{
	static const struct {
		const char *line;
		uint64_t ps;
	} lines[] = {
		{"sleep 0", 0},
		{"sleep 2", 2 * PS_PER_S},
		{"sleep 1.5", 1500 * PS_PER_MS},
		{"sleep .25s", 250 * PS_PER_MS},
		{"sleep 3.", 3 * PS_PER_S},
		{"sleep 0.000000000001", 1},
		{"sleep 0.0000000000019", 1}, /* what is shorter than a picosecond is cut off */
		{"sleep 1000000", 1000000 * PS_PER_S},
		{"ip netns exec test sleep 1", PS_PER_S},
		{"ip link set foo up", 0},
	};
	struct fake *f = fake_new();

	fake_device(f, "", "foo", "veth");
	ck_assert_uint_eq(duration(f, lines[_i].line), lines[_i].ps);
	fake_free(f);
}
END_TEST

START_TEST(flush_deletes_all)
{
	struct fake *f = real_machine();
	struct ran ran = run_line(f, "ip -n test address flush dev foo.1");

	ck_assert_str_eq(ran.requests, "getlink foo.1; deladdr 2000:0:0:0:0:0:0:1/64 dev=6; "
				       "deladdr fe80:0:0:0:400:ff:fe00:3/64 dev=6");
	ck_assert_int_eq(ran.answer.status, 0);
	ran_clear(&ran);
	ran = run_line(f, "ip -n test address flush dev foo.1");
	ck_assert_str_eq(ran.requests, "getlink foo.1");
	ran_clear(&ran);
	fake_free(f);
}
END_TEST

START_TEST(flush_filters)
{
	static const struct {
		const char *line, *requests;
	} lines[] = {
		{"ip -n test a f foo.1 scope link",
		 "getlink foo.1; deladdr fe80:0:0:0:400:ff:fe00:3/64 dev=6"},
		{"ip -n test a f dev d0 noprefixroute",
		 "getlink d0; deladdr 2001:db8:0:0:0:0:0:2/64 dev=9"},
		{"ip -n test a f dev d0 to 2001:db8::1/128",
		 "getlink d0; deladdr 2001:db8:0:0:0:0:0:1/64 dev=9"},
		{"ip -n test a f to 2000::/15", "deladdr 2000:0:0:0:0:0:0:1/64 dev=6"
						"; deladdr 2001:db8:0:0:0:0:0:2/64 dev=9"
						"; deladdr 2001:db8:0:0:0:0:0:1/64 dev=9"},
		{"ip -n test a f dev d0 dynamic", "getlink d0"},
		{"ip -n two a f scope global", ""},
	};
	struct fake *f = real_machine();
	struct ran ran = run_line(f, lines[_i].line);

	ck_assert_str_eq(ran.requests, lines[_i].requests);
	ran_clear(&ran);
	fake_free(f);
}
END_TEST

/* On a real machine 127.0.0.1 would go; a silent difference would be worse. */
/* This kernel deletes IPv6's, but keeps all of IPv4's: ip tries ten times. */
START_TEST(flush_takes_both_families)
{
	struct fake *f = real_machine();
	struct ran ran = run_line(f, "ip -n test address flush dev lo");

	ck_assert_int_eq(ran.answer.status, 1);
	ck_assert(strstr(ran.requests, "deladdr4 7f000001/8 dev=1") != NULL);
	ck_assert(strstr(ran.requests, "deladdr 0:0:0:0:0:0:0:1/128 dev=1") != NULL);
	ran_clear(&ran);
	fake_free(f);
	f = real_machine();
	ran = run_line(f, "ip -n test -6 address flush dev lo");
	ck_assert_int_eq(ran.answer.status, 0);
	ck_assert_str_eq(ran.requests, "getlink lo; deladdr 0:0:0:0:0:0:0:1/128 dev=1");
	ran_clear(&ran);
	fake_free(f);
}
END_TEST

/* An address that the kernel will not delete: ip tries ten times. */
START_TEST(flush_gives_up)
{
	struct fake *f = real_machine();
	unsigned requests = 0;
	struct ran ran;

	f->result = -1;
	ran = run_line(f, "ip -n test address flush to 2000::/64");
	for (const char *at = ran.requests; (at = strstr(at, "deladdr")); at++)
		requests++;
	ck_assert_uint_eq(requests, 10);
	ck_assert_int_eq(ran.answer.status, 1);
	ck_assert_str_eq(ran.answer.error->str,
			 "*** Flush remains incomplete after 10 rounds. ***\n");
	ran_clear(&ran);
	fake_free(f);
}
END_TEST

/* 600 s and 300 s, looked at 46.5 s later: what a real machine printed. */
START_TEST(lifetimes_run_out)
{
	struct fake *f = real_machine();
	struct net_device *dev = dev_get_by_index(net_by_name(&f->kernel, "test"), 6);
	struct inet6_ifaddr *ifa = ipv6_next_ifaddr(dev->ip6_ptr, &CURSOR_START);
	struct ran ran;

	ifa->valid_lft = 600;
	ifa->preferred_lft = 300;
	ifa->flags = IFA_F_NODAD;
	duration(f, "sleep 46.5");
	ran = run_line(f, "ip -n test -o addr show dev foo.1 dynamic");
	ck_assert_str_eq(ran.answer.output->str,
			 "6: foo.1    inet6 2000::1/64 scope global nodad dynamic \\"
			 "       valid_lft 554sec preferred_lft 254sec\n");
	ran_clear(&ran);
	duration(f, "sleep 600");
	ran = run_line(f, "ip -n test -o addr show dev foo.1 dynamic");
	ck_assert_ptr_nonnull(strstr(ran.answer.output->str, "valid_lft 0sec preferred_lft 0sec"));
	ran_clear(&ran);
	fake_free(f);
}
END_TEST

/* The state as run results keep it is what 'show' prints, and for links the
 * two counters beside it. */
START_TEST(state)
{
	static json_t *(*const shows[])(struct net *) = {show_link, show_addr, show_maddr};
	static const char *const lines[] = {"ip -n test -j link", "ip -n test -j addr",
					    "ip -n test -j maddr"};
	struct fake *f = real_machine();
	struct ran ran = run_line(f, lines[_i]);
	json_t *printed = json_loads(ran.answer.output->str, 0, NULL);
	json_t *kept = shows[_i](net_by_name(&f->kernel, "test")), *device;
	size_t i;

	ck_assert_uint_gt(json_array_size(kept), 10);
	json_array_foreach(kept, i, device)
	{
		if (_i != 0)
			continue;
		ck_assert(json_is_integer(json_object_get(device, "promiscuity")));
		ck_assert_int_eq(json_object_del(device, "promiscuity"), 0);
		ck_assert_int_eq(json_object_del(device, "allmulti"), 0);
	}
	ck_assert(json_equal(printed, kept));
	json_decref(kept);
	json_decref(printed);
	ran_clear(&ran);
	fake_free(f);
}
END_TEST

START_TEST(one_line)
{
	static const char *const lines[] = {"ip link\nip addr", "ip 'a\nb'", "ip \"a\nb\"", "\n"};
	static const unsigned columns[] = {8, 6, 6, 1};
	GError *error = NULL;
	unsigned column;

	ck_assert_ptr_null(command_parse(lines[_i], &column, &error));
	ck_assert_str_eq(error->message, "a command is one line");
	ck_assert_uint_eq(column, columns[_i]);
	g_error_free(error);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("run");
	TCase *tcase = tcase_create("run");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, sleeps, 0, 10);
	tcase_add_test(tcase, flush_deletes_all);
	tcase_add_loop_test(tcase, flush_filters, 0, 6);
	tcase_add_test(tcase, flush_takes_both_families);
	tcase_add_test(tcase, flush_gives_up);
	tcase_add_test(tcase, lifetimes_run_out);
	tcase_add_loop_test(tcase, state, 0, 3);
	tcase_add_loop_test(tcase, one_line, 0, 4);
	suite_add_tcase(suite, tcase);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
