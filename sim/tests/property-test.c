/* SPDX-License-Identifier: GPL-2.0-or-later */
/* property-test.c - random commands have the same answers on every backend.
 *
 * The names, addresses and groups are few, so that they collide; devices and
 * namespaces come and go; about half of the commands fail, and how they fail is
 * part of the answer.  On the machine "none" no price hangs on a backend, so
 * that all have one timeline, random delays included. */
#include <check.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "backend.h"
#include "engine/random.h"
#include "scenario/run.h"

#define BATCHES   20
#define PER_BATCH 50 /* sequences */
#define COMMANDS  40 /* of one sequence */

/* Besides those of the registry: the worst hash, and the shortcut left out. */
static const char *const more_backends[] = {"hash:buckets=1", "list:walk=literal",
					    "rcu-list:walk=literal"};

static unsigned
pick(struct rng *r, unsigned bound)
{
	return (unsigned)rng_below(r, bound);
}

static const char *
word(struct rng *r, const char *const *words, unsigned count)
{
	return words[pick(r, count)];
}

#define WORD(r, ...)                                                                               \
	word(r, (const char *const[]){__VA_ARGS__},                                                \
	     G_N_ELEMENTS(((const char *const[]){__VA_ARGS__})))

/* Parts of commands */

static const char *
net_name(struct rng *r)
{
	return WORD(r, "n0", "n0", "n0", "n1");
}

static const char *
dev_name(struct rng *r)
{
	return WORD(r, "x0", "x1", "x2", "x3", "x4", "x5", "x6", "lo");
}

static void
add_kind(struct rng *r, GString *s)
{
	switch (pick(r, 12)) {
	case 0:
	case 1:
		g_string_append_printf(s, "%s type veth peer name %s", dev_name(r), dev_name(r));
		break;
	case 2:
		g_string_append_printf(s, "%s type bond mode %s", dev_name(r),
				       WORD(r, "balance-rr", "active-backup", "balance-xor",
					    "broadcast", "802.3ad"));
		break;
	case 3:
	case 4:
		g_string_append_printf(s, "link %s name %s type vlan id %u", dev_name(r),
				       dev_name(r), pick(r, 4));
		break;
	case 5:
		g_string_append_printf(s, "%s type vrf table %u", dev_name(r), 1 + pick(r, 3));
		break;
	case 6:
		g_string_append_printf(s, "link %s name %s type macvlan mode %s", dev_name(r),
				       dev_name(r),
				       WORD(r, "private", "vepa", "bridge", "passthru"));
		break;
	case 7:
		g_string_append_printf(s, "%s type vxlan dstport 4789 %s", dev_name(r),
				       WORD(r, "id 1", "id 2 local 192.0.2.1", "external"));
		break;
	case 8:
		g_string_append_printf(s, "%s type bridge vlan_filtering %u ageing_time %s",
				       dev_name(r), pick(r, 2), WORD(r, "100", "30000"));
		break;
	case 9:
		g_string_append_printf(s, "%s type xfrm if_id %u", dev_name(r), 1 + pick(r, 3));
		break;
	default:
		g_string_append_printf(s, "%s type %s", dev_name(r), WORD(r, "dummy", "bridge"));
	}
}

static void
set_something(struct rng *r, GString *s)
{
	switch (pick(r, 10)) {
	case 0:
	case 1:
	case 2:
		g_string_append(s, WORD(r, "up", "up", "down"));
		break;
	case 3:
	case 4:
		g_string_append_printf(s, "master %s", dev_name(r));
		break;
	case 5:
		g_string_append(s, "nomaster");
		break;
	case 6:
		g_string_append_printf(s, "address 02:00:00:00:00:%02x", pick(r, 4));
		break;
	case 7:
		g_string_append_printf(s, "mtu %s", WORD(r, "500", "1280", "1400", "1500", "9000"));
		break;
	case 8:
		g_string_append_printf(s, "netns %s", net_name(r));
		break;
	default:
		g_string_append_printf(s, "%s %s", WORD(r, "promisc", "allmulticast"),
				       WORD(r, "on", "off"));
	}
}

static void
change_address(struct rng *r, GString *s)
{
	if (pick(r, 8) == 0)
		g_string_append_printf(s, "-6 address flush dev %s", dev_name(r));
	else
		g_string_append_printf(s, "address %s 2001:db8::%u/%s dev %s",
				       WORD(r, "add", "add", "del"), pick(r, 4),
				       WORD(r, "64", "64", "128"), dev_name(r));
}

static void
write_sysctl(struct rng *r, GString *s)
{
	g_string_append_printf(s, "ip netns exec %s sysctl -w net.ipv6.conf.%s.%s=%u", net_name(r),
			       WORD(r, "all", "default", "x0", "x1"),
			       WORD(r, "forwarding", "keep_addr_on_down", "disable_ipv6"),
			       pick(r, 2));
}

static void
change_fdb(struct rng *r, GString *s)
{
	g_string_append_printf(
		s, "bridge -n %s fdb %s %s:00:00:00:00:%02x dev %s %s %s", net_name(r),
		WORD(r, "add", "append", "replace", "del"), WORD(r, "00", "02", "03"), pick(r, 4),
		dev_name(r), WORD(r, "master", "self"), WORD(r, "permanent", "static", "dynamic"));
	if (pick(r, 3) == 0)
		g_string_append_printf(s, " vlan %u", 1 + pick(r, 2));
	if (pick(r, 3) == 0)
		g_string_append_printf(s, " dst 192.0.2.%u", pick(r, 3));
}

static void
change_bridge(struct rng *r, GString *s)
{
	if (pick(r, 2))
		g_string_append_printf(s, "bridge -n %s vlan %s vid %u dev %s %s", net_name(r),
				       WORD(r, "add", "add", "del"), 1 + pick(r, 3), dev_name(r),
				       WORD(r, "", "self", "pvid untagged"));
	else
		g_string_append_printf(s, "bridge -n %s link set dev %s %s %s", net_name(r),
				       dev_name(r), WORD(r, "learning", "flood"),
				       WORD(r, "on", "off"));
}

static void
send_frames(struct rng *r, GString *s)
{
	g_string_append_printf(s,
			       "ip netns exec %s mausezahn %s -c %u -a 02:00:00:00:00:%02x "
			       "-b %s:00:00:00:00:%02x",
			       net_name(r), dev_name(r), 1 + pick(r, 3), pick(r, 6),
			       WORD(r, "00", "02"), pick(r, 6));
	if (pick(r, 4) == 0)
		g_string_append_printf(s, " -Q %u", 1 + pick(r, 3));
}

static void
show_fdb(struct rng *r, GString *s)
{
	g_string_append_printf(s, "bridge -n %s fdb show %s", net_name(r),
			       WORD(r, "", "", "dev x0", "br x1", "dynamic"));
}

/* So many reqids that tables grow. */
static void
change_state(struct rng *r, GString *s)
{
	bool add = pick(r, 3) > 0;

	g_string_append_printf(s,
			       "ip -n %s xfrm state %s src 192.0.2.%u dst 192.0.2.%u proto esp "
			       "spi %u",
			       net_name(r), add ? WORD(r, "add", "add", "update") : "delete",
			       pick(r, 3), pick(r, 3), pick(r, 8));
	if (pick(r, 4) == 0)
		g_string_append_printf(s, " mark %u mask 3", pick(r, 4));
	if (!add)
		return;
	g_string_append_printf(s, " enc cipher_null '' reqid %u if_id %u", pick(r, 20), pick(r, 3));
	if (pick(r, 4) == 0)
		g_string_append_printf(s, " limit time-hard %u", 1 + pick(r, 4));
}

static void
show_states(struct rng *r, GString *s)
{
	g_string_append_printf(s, "ip -n %s %s", net_name(r),
			       WORD(r, "xfrm state list", "xfrm state list reqid 3",
				    "xfrm state count", "xfrm state flush",
				    "xfrm state deleteall dst 192.0.2.1"));
}

/* Prefixes that lie in each other, and exact ones. */
static void
change_policy(struct rng *r, GString *s)
{
	bool add = pick(r, 3) > 0;

	g_string_append_printf(
		s, "ip -n %s xfrm policy %s src 10.%u.0.0/%s dst 10.%u.%u.0/%s dir %s", net_name(r),
		add ? WORD(r, "add", "add", "update") : "delete", pick(r, 2),
		WORD(r, "8", "16", "20", "24", "32"), pick(r, 2), pick(r, 2),
		WORD(r, "8", "16", "20", "24", "32"), WORD(r, "in", "out", "fwd"));
	if (pick(r, 4) == 0)
		g_string_append_printf(s, " mark %u mask 3", pick(r, 4));
	if (pick(r, 3) == 0)
		g_string_append_printf(s, " if_id %u", pick(r, 3));
	if (!add)
		return;
	g_string_append_printf(s, " priority %u action block", pick(r, 3));
	if (pick(r, 4) == 0)
		g_string_append_printf(s, " limit time-hard %u", 1 + pick(r, 4));
}

static void
show_policies(struct rng *r, GString *s)
{
	g_string_append_printf(
		s, "ip -n %s %s", net_name(r),
		WORD(r, "xfrm policy list", "xfrm policy list dir out", "xfrm policy count",
		     "xfrm policy flush", "xfrm policy deleteall priority 1",
		     "xfrm policy set hthresh4 24 20", "xfrm policy get index 9 dir out"));
}

static void
change_namespace(struct rng *r, GString *s)
{
	g_string_append_printf(s, "ip netns %s %s", WORD(r, "add", "add", "del"), net_name(r));
}

static void
random_ip(struct rng *r, GString *s, unsigned what)
{
	g_string_append_printf(s, "ip -n %s ", net_name(r));
	if (what < 9) {
		g_string_append(s, "link add ");
		add_kind(r, s);
	} else if (what < 19) {
		g_string_append_printf(s, "link set %s ", dev_name(r));
		set_something(r, s);
	} else if (what < 21) {
		g_string_append_printf(s, "link del %s", dev_name(r));
	} else if (what < 26) {
		change_address(r, s);
	} else {
		g_string_append_printf(s, "maddress %s 01:00:5e:00:00:%02x dev %s",
				       WORD(r, "add", "add", "del"), pick(r, 3), dev_name(r));
	}
}

static void
random_command(struct rng *r, GString *s)
{
	unsigned what = pick(r, 64);

	g_string_truncate(s, 0);
	if (what < 2)
		change_namespace(r, s);
	else if (what < 4)
		write_sysctl(r, s);
	else if (what < 8)
		change_fdb(r, s);
	else if (what < 9)
		change_bridge(r, s);
	else if (what < 12)
		send_frames(r, s);
	else if (what < 14)
		show_fdb(r, s);
	else if (what < 16)
		g_string_append_printf(s, "sleep %s", WORD(r, "0.1", "1", "3"));
	else if (what < 48)
		random_ip(r, s, what - 16);
	else if (what < 54)
		change_state(r, s);
	else if (what < 56)
		show_states(r, s);
	else if (what < 62)
		change_policy(r, s);
	else
		show_policies(r, s);
}

/* A scenario of random commands, and of a look at what they left. */

static json_t *
random_phase(struct rng *r)
{
	g_autoptr(GString) s = g_string_new(NULL);
	json_t *run = json_array();

	for (unsigned n = 0; n < COMMANDS; n++) {
		random_command(r, s);
		json_array_append_new(run, json_string(s->str));
	}
	return json_pack("{s:s, s:o, s:b, s:i}", "name", "commands", "run", run, "keep_going", 1,
			 "settle", (int)pick(r, 3));
}

static json_t *
looks(void)
{
	return json_pack(
		"{s:s, s:b, s:[s, s, s, s, s, s, s, s, s, s]}", "name", "looks", "keep_going", 1,
		"run", "ip -n n0 -j -d link show", "ip -n n0 -j address show",
		"ip -n n0 -j maddress show", "bridge -n n0 -s fdb show", "bridge -n n0 vlan show",
		"ip -n n1 -j -d link show", "ip -n n1 -j address show", "ip -n n1 -j maddress show",
		"ip -n n0 -s xfrm state list", "ip -n n0 -s xfrm policy list");
}

static struct scenario *
random_scenario(uint64_t seed)
{
	struct rng r = {.state = seed};
	g_autofree char *path =
		g_strdup_printf("%s/netstruct-property-%d.json", g_get_tmp_dir(), (int)getpid());
	const char *version = WORD(&r, "5.10", "6.1");
	json_t *root = json_pack("{s:s, s:s, s:{s:s}, s:[s], s:[o, o]}", "name", "property",
				 "machine", "none", "kernel", "version", version, "setup",
				 "ip netns add n0", "phases", random_phase(&r), looks());
	struct scenario_options options = {.variant = NULL};
	g_autoptr(GError) error = NULL;
	struct scenario *scenario;

	ck_assert_int_eq(json_dump_file(root, path, JSON_INDENT(1)), 0);
	json_decref(root);
	scenario = scenario_load(path, &options, &error);
	ck_assert_msg(scenario != NULL, "%s", error ? error->message : "");
	g_unlink(path);
	return scenario;
}

static char *
fingerprint(const struct scenario *scenario, const char *backend, uint64_t seed)
{
	const char *const backends[] = {backend, NULL};
	struct run_options options = {.backends = backends, .seed = seed, .rcu_flavor = RCU_CHECK};
	g_autoptr(GError) error = NULL;
	struct run_result *result = scenario_run(scenario, &options, &error);
	char *print;

	ck_assert_msg(result != NULL, "%s: %s", backend, error ? error->message : "");
	print = g_strdup(result->fingerprint);
	run_result_free(result);
	return print;
}

static void
check_backend(const struct scenario *scenario, const char *backend, uint64_t seed,
	      const char *expected)
{
	g_autofree char *print = fingerprint(scenario, backend, seed);

	ck_assert_msg(g_str_equal(print, expected), "sequence %u: %s answers differently",
		      (unsigned)seed, backend);
}

static void
check_sequence(uint64_t seed)
{
	struct scenario *scenario = random_scenario(seed);
	g_autofree char *expected = fingerprint(scenario, "list", seed);

	for (unsigned n = 0; n < backend_count(); n++)
		check_backend(scenario, backend_at(n)->name, seed, expected);
	for (unsigned n = 0; n < G_N_ELEMENTS(more_backends); n++)
		check_backend(scenario, more_backends[n], seed, expected);
	scenario_free(scenario);
}

START_TEST(all_backends_answer_alike)
{
	for (unsigned n = 0; n < PER_BATCH; n++)
		check_sequence((uint64_t)_i * PER_BATCH + n + 1);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("property");
	TCase *tcase = tcase_create("random commands");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 600);
	tcase_add_loop_test(tcase, all_backends_answer_alike, 0, BATCHES);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
