/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile-test.c - whose time is whose, in the profile and in the trace. */
#include <string.h>

#include "engine/engine.h"
#include "engine/lock.h"
#include "engine/profile.h"
#include "engine/random.h"
#include "engine/tests/suite.h"
#include "engine/trace.h"

/* One CPU less than tasks, work that a meter prices, and a lock that both want. */
static struct play {
	struct engine *engine;
	struct profile *profile;
	struct mutex lock;
	uint64_t work; /* not yet priced */
	GString *events;
} play;

static uint64_t
price(void *data)
{
	uint64_t ps = play.work;

	play.work = 0;
	return ps;
}

static void
take(const char *text, gsize length, void *data)
{
	g_string_append_len(play.events, text, (gssize)length);
}

static void
inner(unsigned depth)
{
	PROFILE_SCOPE(play.profile, "inner");

	play.work += 5000;
	if (depth > 0)
		inner(depth - 1);
}

static void
outer(uint64_t ps)
{
	PROFILE_SCOPE(play.profile, "outer");

	task_charge(play.engine, ps);
	inner(1);
	mutex_lock(&play.lock);
	task_charge(play.engine, 100000);
	mutex_unlock(&play.lock);
	play.work += 7000;
}

/* 1 ns before, 20 + 5 + 5 + 100 + 7 ns in outer, 3 ns after. */
static void
program(void *data)
{
	profile_program(play.profile, "program");
	task_charge(play.engine, 1000);
	outer(20000);
	task_charge(play.engine, 3000);
}

/* The same, but 40 ns, and no program. */
static void
thread(void *data)
{
	outer(40000);
}

static void
perform(bool profile, uint64_t max_bytes, uint64_t *left_out)
{
	struct engine_config config = {.cpus = 2, .grace_ps = 1, .meter = price};
	struct trace *trace = NULL;

	play = (struct play){.events = g_string_new(NULL)};
	if (profile)
		config.profile = play.profile = profile_new();
	if (profile)
		config.trace = trace = trace_new(take, NULL, max_bytes);
	play.engine = engine_new(&config);
	mutex_init(&play.lock, play.engine, "lock");
	task_detach(task_start(play.engine, "shell", program, NULL));
	task_detach(task_start(play.engine, "thread", thread, NULL));
	ck_assert(engine_run(play.engine, NULL));
	if (left_out)
		*left_out = trace_left_out(trace);
	trace_free(trace);
}

static void
finish(void)
{
	engine_free(play.engine);
	profile_free(play.profile);
	g_string_free(play.events, TRUE);
}

START_TEST(symbols)
{
	static const struct profile_symbol want[] = {
		{"outer", false, 20000 + 40000 + 2 * (100000 + 7000), 294000, 2},
		{"inner", false, 20000, 20000, 4},
		{"program", true, 4000, 141000, 0},
		{"thread", false, 0, 157000, 0},
	};
	GArray *got;

	perform(true, 1 << 20, NULL);
	got = profile_symbols(play.profile);
	ck_assert_uint_eq(got->len, G_N_ELEMENTS(want));
	for (unsigned n = 0; n < got->len; n++) {
		const struct profile_symbol *s = &g_array_index(got, struct profile_symbol, n);

		ck_assert_str_eq(s->symbol, want[n].symbol);
		ck_assert_int_eq(s->user, want[n].user);
		ck_assert_uint_eq(s->self_ps, want[n].self_ps);
		ck_assert_uint_eq(s->total_ps, want[n].total_ps);
		ck_assert_uint_eq(s->calls, want[n].calls);
	}
	g_array_unref(got);
	profile_reset(play.profile);
	got = profile_symbols(play.profile);
	ck_assert_uint_eq(got->len, 0);
	g_array_unref(got);
	finish();
}
END_TEST

START_TEST(folded)
{
	g_autoptr(GString) text = g_string_new(NULL);

	perform(true, 1 << 20, NULL);
	profile_folded(play.profile, "a;b", text);
	ck_assert_str_eq(text->str, "a_b;program 4\n"
				    "a_b;program;outer 127\n"
				    "a_b;program;outer;inner 5\n"
				    "a_b;program;outer;inner;inner 5\n"
				    "a_b;thread;outer 147\n"
				    "a_b;thread;outer;inner 5\n"
				    "a_b;thread;outer;inner;inner 5\n");
	finish();
}
END_TEST

/* The program locks from 31 to 131 ns; the thread waits since 50, and then goes on. */
START_TEST(events)
{
	static const char *const want[] = {
		"{\"name\": \"inner\", \"ph\": \"X\", \"pid\": 1, \"tid\": 0, \"ts\": 0.026000, "
		"\"dur\": 0.005000},",
		"{\"name\": \"inner\", \"ph\": \"X\", \"pid\": 1, \"tid\": 0, \"ts\": 0.021000, "
		"\"dur\": 0.010000},",
		"{\"name\": \"outer\", \"ph\": \"X\", \"pid\": 1, \"tid\": 0, \"ts\": 0.001000, "
		"\"dur\": 0.137000},",
		"{\"name\": \"outer\", \"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": 0.000000, "
		"\"dur\": 0.050000},",
		"{\"name\": \"outer\", \"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": 0.131000, "
		"\"dur\": 0.107000},",
		"{\"name\": \"lock\", \"cat\": \"wait\", \"ph\": \"b\", \"pid\": 1, \"tid\": 0, "
		"\"id\": 1, \"ts\": 0.050000, \"args\": {\"task\": \"thread\"}},",
		"{\"name\": \"lock\", \"cat\": \"wait\", \"ph\": \"e\", \"pid\": 1, \"tid\": 0, "
		"\"id\": 1, \"ts\": 0.131000, \"args\": {\"task\": \"thread\"}},",
		"{\"name\": \"thread\", \"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": 0.131000, "
		"\"dur\": 0.107000}",
	};
	uint64_t left_out;

	perform(true, 1 << 20, &left_out);
	for (unsigned n = 0; n < G_N_ELEMENTS(want); n++)
		ck_assert_msg(strstr(play.events->str, want[n]) != NULL, "no %s in %s", want[n],
			      play.events->str);
	ck_assert(g_str_has_prefix(play.events->str, "[\n{"));
	ck_assert(g_str_has_suffix(play.events->str, "}\n]\n"));
	ck_assert_uint_eq(left_out, 0);
	finish();
}
END_TEST

START_TEST(events_that_are_too_many)
{
	uint64_t left_out;

	perform(true, 400, &left_out);
	ck_assert_uint_gt(left_out, 0);
	ck_assert_uint_lt(play.events->len, 700);
	ck_assert(g_str_has_suffix(play.events->str, "}\n]\n"));
	finish();
}
END_TEST

START_TEST(nothing_changes)
{
	uint64_t end;

	perform(false, 0, NULL);
	end = engine_now(play.engine);
	ck_assert_uint_eq(end, 238000);
	finish();
	perform(true, 1 << 20, NULL);
	ck_assert_uint_eq(engine_now(play.engine), end);
	finish();
}
END_TEST

static void
dig(struct rng *r, unsigned depth)
{
	static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g"};
	PROFILE_SCOPE(play.profile, names[rng_below(r, G_N_ELEMENTS(names))]);

	task_charge(play.engine, 1000);
	if (depth > 0)
		dig(r, depth - 1);
}

/* More stacks than there are nodes. */
static void
dig_many(void *data)
{
	for (uint64_t n = 1; n <= 5000; n++)
		dig(&(struct rng){.state = n}, 20);
}

/* What is called beyond the last node is not lost. */
START_TEST(too_many_stacks)
{
	struct engine_config config = {.cpus = 1, .grace_ps = 1};
	uint64_t sum = 0;
	bool other = false;
	GArray *got;

	play = (struct play){.profile = profile_new()};
	config.profile = play.profile;
	play.engine = engine_new(&config);
	task_detach(task_start(play.engine, "digger", dig_many, NULL));
	ck_assert(engine_run(play.engine, NULL));
	got = profile_symbols(play.profile);
	for (unsigned n = 0; n < got->len; n++) {
		const struct profile_symbol *s = &g_array_index(got, struct profile_symbol, n);

		sum += s->self_ps;
		other |= strcmp(s->symbol, "[other]") == 0;
	}
	ck_assert_uint_eq(sum, engine_now(play.engine));
	ck_assert_uint_eq(sum, 5000 * 21 * UINT64_C(1000));
	ck_assert(other);
	g_array_unref(got);
	engine_free(play.engine);
	profile_free(play.profile);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("profile");
	TCase *tc = tcase_create("profile");

	tcase_add_test(tc, symbols);
	tcase_add_test(tc, folded);
	tcase_add_test(tc, events);
	tcase_add_test(tc, events_that_are_too_many);
	tcase_add_test(tc, nothing_changes);
	tcase_add_test(tc, too_many_stacks);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
