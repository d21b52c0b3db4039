/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sample.c - the results of sample.h.
 *
 * Figures that must not be mixed up are all different. */
#include "sample.h"

#include <string.h>

const char *const sample_names[] = {"empty", "extreme", "ordinary", "stopped", NULL};

static void
add_table(struct phase_result *p, const char *name, const char *backend, uint64_t first)
{
	struct table_result t = {.name = g_strdup(name), .backend = g_strdup(backend)};

	if (first > 0) {
#define X(name, help) t.probes.name = first++;
		PROBE_LIST(X)
#undef X
	}
	t.elements = first++;
	t.bytes = first * 1000;
	g_array_append_val(p->tables, t);
}

static void
add_call(struct phase_result *p, const char *name, uint64_t count)
{
	struct call_result c = {.name = name, .count = count};

	g_array_append_val(p->calls, c);
}

static void
add_lock(struct phase_result *p, const char *name, struct lock_stats stats)
{
	struct lock_result l = {.name = name, .stats = stats};

	g_array_append_val(p->locks, l);
}

/* Figures that go up by one; the first one lost something, and was interrupted. */
static void
add_dumps(struct phase_result *p, const char *what, const char *algorithm, unsigned count,
	  uint64_t first)
{
	for (unsigned i = 0; i < count; i++) {
		const struct dump_record d = {.what = what,
					      .algorithm = algorithm,
					      .messages = first,
					      .bytes = first + 1,
					      .existing = first + 2,
					      .shown = first + 3,
					      .lost = i == 0 ? first + 4 : 0,
					      .repeated = first + 5,
					      .restarts = first + 6,
					      .interrupted = i == 0};

		phase_result_add_dump(p, &d);
	}
}

static struct phase_result *
add_phase(struct run_result *r, const char *name, uint64_t commands, uint64_t start, uint64_t end)
{
	struct phase_result *p = phase_result_new(name);

	p->commands = commands;
	p->start_ps = start;
	p->end_ps = end;
	g_ptr_array_add(r->phases, p);
	return p;
}

static void
add_setup(struct run_result *r)
{
	struct phase_result *p = add_phase(r, "setup", 11, 0, UINT64_C(36850000132));

	add_table(p, "dev_addr", "list", 11);
	add_table(p, "netdev_name", "hash", 0);
	add_call(p, "dev_mc_add", 6);
}

static void
add_vrf(struct run_result *r)
{
	struct phase_result *p =
		add_phase(r, "Attaching to VRF", 1500, 1000, UINT64_C(421893246151000));

	p->published.figure[PUBLISHED_REAL_S] = 458.84;
	p->failed = 2;
	add_table(p, "dev_addr", "list", UINT64_C(33919012500));
	add_table(p, "inet6_addr", "hash:buckets=64", 9000);
	add_table(p, "netdev_name", "hash", 0);
	add_call(p, "__dev_set_rx_mode", 106500);
	add_call(p, "__hw_addr_add_ex", 45112500);
	add_call(p, "__hw_addr_del_ex", 9000);
	add_call(p, "__hw_addr_sync_one", 45100000);
	add_call(p, "bond_set_rx_mode", 30000);
	add_call(p, "cycle_netdev", 1500);
	add_call(p, "dev_change_flags", 3000);
	add_call(p, "dev_mc_add", 9000);
	add_call(p, "dev_mc_del", 9000);
	add_call(p, "vrf_add_slave", 1500);
	add_lock(p, "rtnl",
		 (struct lock_stats){.acquisitions = 4503,
				     .contended = 17,
				     .wait_ps = UINT64_C(1250000000),
				     .wait_max_ps = UINT64_C(600000000),
				     .hold_ps = UINT64_C(416868000000000),
				     .hold_max_ps = UINT64_C(280000000)});
	add_lock(p, "unused", (struct lock_stats){0});
	add_dumps(p, "fdb", "restart", 2, 15065);
	p->published.figure[PUBLISHED_SHOWN] = 25000;
	add_dumps(p, "link", "", 1, 100);
	p->rcu = (struct rcu_stats){.read_sections = 1,
				    .grace_periods = 2,
				    .deferred = 3,
				    .pending_bytes = 4,
				    .pending_bytes_max = 5,
				    .synchronize_calls = 6};
}

static void
make_ordinary(struct run_result *r)
{
	r->scenario = g_strdup("bond-vlan-vrf");
	r->about = g_strdup("1500 VLANs with IPv6 addresses on a bond, then attached to a VRF");
	r->source = g_strdup("Gilad Naaman, netdev, 2021-08-18");
	r->variant = g_strdup("before");
	r->machine = g_strdup("e5-2650v3");
	r->params = json_pack("{s:i, s:i}", "vlans", 1500, "another", -7);
	r->seed = 1;
	r->kernel = json_pack("{s:s, s:b, s:b}", "version", "5.10", "gvrp", 1, "mvrp", 0);
	add_setup(r);
	add_vrf(r);
}

static void
make_stopped(struct run_result *r)
{
	struct phase_result *p;

	r->scenario = g_strdup("stopped");
	r->machine = g_strdup("none");
	p = add_phase(r, "twins", 2, 5, 5);
	p->failed = 1;
	p->published.figure[PUBLISHED_REAL_S] = 0;
	r->failure = g_strdup("ip link add d0 type dummy: RTNETLINK answers: File exists");
}

static void
make_extreme(struct run_result *r)
{
	const char *long_name = "a name that is much longer than any column of a table can be, "
				"and then goes on for a while, to be sure of it";
	struct phase_result *p;

	r->scenario =
		g_strdup("comma, \"quote\"\nnew line\ttab \\ \xff \xc3\xa9\xe4\xb8\xad\x1b[31m");
	r->about = g_strdup(long_name);
	r->source = g_strnfill(250, 'x');
	r->variant = g_strdup("");
	r->machine = g_strdup(long_name);
	r->params = json_pack("{s:I, s:I}", "lowest,", INT64_MIN, "highest", INT64_MAX);
	r->seed = UINT64_MAX;
	r->kernel = json_pack("{s:s}", "\"quoted\"", long_name);

	p = add_phase(r, long_name, UINT64_MAX, 0, UINT64_MAX);
	p->failed = UINT64_MAX;
	p->published.figure[PUBLISHED_REAL_S] = 1e-300;
	add_table(p, long_name, long_name, UINT64_MAX - 100);
	add_table(p, "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad",
		  "=\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 1);
	add_call(p, "a_kernel_function_with_a_name_that_is_far_too_long_for_this", UINT64_MAX);
	add_lock(p, "a_lock_with_a_name_that_is_far_too_long_for_this",
		 (struct lock_stats){.acquisitions = UINT64_MAX,
				     .contended = UINT64_MAX,
				     .wait_ps = UINT64_MAX,
				     .wait_max_ps = UINT64_MAX,
				     .hold_ps = UINT64_MAX,
				     .hold_max_ps = UINT64_MAX,
				     .transfers = UINT64_MAX});
	memset(&p->rcu, 0xff, sizeof p->rcu);
	add_dumps(p, "a_dump_of_what_has_a_long_name", "by an algorithm that has one, too", 1,
		  UINT64_MAX - 6);

	p = add_phase(r, "=1+1", 0, UINT64_MAX, UINT64_MAX);
	p->published.figure[PUBLISHED_REAL_S] = 1.7976931348623157e308;
}

struct run_result *
sample_new(const char *name)
{
	struct run_result *r = run_result_new();

	if (strcmp(name, "ordinary") == 0) {
		make_ordinary(r);
	} else if (strcmp(name, "stopped") == 0) {
		make_stopped(r);
	} else if (strcmp(name, "extreme") == 0) {
		make_extreme(r);
	} else if (strcmp(name, "empty") == 0) {
		r->scenario = g_strdup("empty");
		r->machine = g_strdup("none");
	} else {
		run_result_free(r);
		return NULL;
	}
	memset(r->fingerprint, 'a', sizeof r->fingerprint - 1);
	return r;
}
