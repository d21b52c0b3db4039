/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine.c - the loop: takes what is due next, timers and tasks alike, and
 * notices when that leads nowhere. */
#include "engine/engine-impl.h"

#include <string.h>

/* Names in a message; more are counted. */
#define NAMES_MAX 8

/* How many steps before the limit the engine begins to note who takes them. */
#define SUSPECT_STEPS 1000

struct engine_suspect {
	const char *kind;
	char *name;
	unsigned steps;
};

GQuark
engine_error_quark(void)
{
	return g_quark_from_static_string("engine-error-quark");
}

struct engine *
engine_new(const struct engine_config *config)
{
	struct engine *e = g_new0(struct engine, 1);

	g_assert(config->cpus >= 1 && config->cpus <= ENGINE_MAX_CPUS);
	e->config = *config;
	if (e->config.max_steps == 0)
		e->config.max_steps = ENGINE_MAX_STEPS;
	if (e->config.profile)
		profile_attach(e->config.profile, e);
	e->cpus = g_new0(struct cpu, config->cpus);
	e->classes = g_ptr_array_new_with_free_func(lock_class_free);
	for (unsigned d = 0; d < CPU_DISTANCES; d++)
		e->lines_cost |= config->line_ps[d] > 0;
	for (unsigned cpu = 0; cpu < config->cpus; cpu++) {
		e->idle_cpus[cpu / 64] |= UINT64_C(1) << cpu % 64;
		e->idle_words |= UINT64_C(1) << cpu / 64;
	}
	return e;
}

static void
suspects_clear(struct engine *e)
{
	for (unsigned i = 0; i < e->suspect_count; i++)
		g_free(e->suspects[i].name);
	g_clear_pointer(&e->suspects, g_free);
	e->suspect_count = 0;
	e->suspect_others = 0;
}

void
engine_free(struct engine *e)
{
	if (!e)
		return;
	g_assert(!e->running);
	for (struct task *t = e->oldest, *newer; t; t = newer) {
		newer = t->newer;
		if (t->coro)
			coro_free(&e->stacks, t->coro);
		g_clear_pointer(&t->frames, g_array_unref);
		g_free(t->name);
		g_free(t);
	}
	coro_pool_fini(&e->stacks);
	suspects_clear(e);
	g_ptr_array_unref(e->classes);
	for (unsigned cpu = 0; cpu < e->config.cpus; cpu++)
		g_free(e->cpus[cpu].copies);
	g_free(e->cpus);
	g_free(e->heap);
	g_free(e);
}

uint64_t
engine_now(const struct engine *e)
{
	return e->now;
}

void
engine_stop(struct engine *e)
{
	e->stopping = 1;
}

void
engine_forget_work(struct engine *e)
{
	if (e->config.meter)
		e->config.meter(e->config.meter_data);
}

/* Progress */

static void
suspect(struct engine *e, const char *kind, const char *name)
{
	if (!e->suspects)
		e->suspects = g_new0(struct engine_suspect, NAMES_MAX);
	for (unsigned i = 0; i < e->suspect_count; i++) {
		struct engine_suspect *s = &e->suspects[i];

		if (strcmp(s->kind, kind) == 0 && strcmp(s->name, name) == 0) {
			s->steps++;
			return;
		}
	}
	if (e->suspect_count == NAMES_MAX) {
		e->suspect_others++;
		return;
	}
	e->suspects[e->suspect_count++] =
		(struct engine_suspect){.kind = kind, .name = g_strdup(name), .steps = 1};
}

bool
engine_step(struct engine *e, const char *kind, const char *name)
{
	e->steps++;
	if (G_UNLIKELY(e->steps + SUSPECT_STEPS > e->config.max_steps + 1))
		suspect(e, kind, name);
	return e->steps <= e->config.max_steps;
}

void
engine_advance(struct engine *e, uint64_t due)
{
	if (due == e->now)
		return;
	e->now = due;
	e->steps = 0;
	if (G_UNLIKELY(e->suspects))
		suspects_clear(e);
}

/* Messages */

static void
append_time(GString *text, uint64_t ps)
{
	g_string_append_printf(text, "%" G_GUINT64_FORMAT ".%06" G_GUINT64_FORMAT " s",
			       ps / PS_PER_S, ps % PS_PER_S / PS_PER_US);
}

static void
set_error(GError **error, enum engine_error code, GString *text)
{
	g_set_error_literal(error, ENGINE_ERROR, code, text->str);
	g_string_free(text, TRUE);
}

static bool
fail_stuck(const struct engine *e, GError **error)
{
	GString *text = g_string_new("simulated time stands still at ");

	append_time(text, e->now);
	g_string_append_printf(text,
			       " after %" G_GUINT64_FORMAT " steps; the last ones:", e->steps);
	for (unsigned i = 0; i < e->suspect_count; i++) {
		const struct engine_suspect *s = &e->suspects[i];

		g_string_append_printf(text, "%s %s '%s' %u times", i ? "," : "", s->kind, s->name,
				       s->steps);
	}
	if (e->suspect_others)
		g_string_append_printf(text, ", others %u times", e->suspect_others);
	set_error(error, ENGINE_ERROR_STUCK, text);
	return false;
}

static const char *
timer_kind(const struct timer *t)
{
	return t->fn == task_due ? "task" : "timer";
}

static bool
fail_time_ends(const struct timer *first, GError **error)
{
	GString *text = g_string_new("simulated time ends at ");

	append_time(text, UINT64_MAX);
	g_string_append_printf(text, ", and %s '%s' is due later", timer_kind(first), first->name);
	set_error(error, ENGINE_ERROR_TIME, text);
	return false;
}

static bool
task_is_stuck(const struct task *t)
{
	return t->coro && !t->idle;
}

static void
append_waiting(GString *text, const struct task *t)
{
	const struct wait_reason *r = t->reason;

	g_string_append_printf(text, "'%s'", t->name);
	if (!r)
		return;
	g_string_append_printf(text, " (for %s", r->what);
	if (r->name)
		g_string_append_printf(text, " '%s'", r->name);
	if (r->holder && *r->holder)
		g_string_append_printf(text, ", held by '%s'", (*r->holder)->name);
	g_string_append_c(text, ')');
}

static bool
fail_deadlock(const struct engine *e, GError **error)
{
	GString *text = g_string_new("deadlock at ");
	unsigned count = 0;

	append_time(text, e->now);
	g_string_append(text, ": nothing is scheduled, but tasks wait: ");
	for (const struct task *t = e->oldest; t; t = t->newer) {
		if (!task_is_stuck(t) || ++count > NAMES_MAX)
			continue;
		if (count > 1)
			g_string_append(text, ", ");
		append_waiting(text, t);
	}
	if (count > NAMES_MAX)
		g_string_append_printf(text, " and %u more", count - NAMES_MAX);
	set_error(error, ENGINE_ERROR_DEADLOCK, text);
	return false;
}

static bool
finish(const struct engine *e, GError **error)
{
	for (const struct task *t = e->oldest; t; t = t->newer)
		if (task_is_stuck(t))
			return fail_deadlock(e, error);
	return true;
}

/* The loop */

static void
fire(struct engine *e, struct timer *t)
{
	void (*fn)(void *) = t->fn;

	timer_cancel(e, t);
	if (fn == task_due) {
		task_due(t->data);
		return;
	}
	fn(t->data);
	g_assert(e->reader.nesting == 0);
	engine_forget_work(e);
}

/* A task that has its turn was given it at the current time, so only a timer
 * that is due now, and was set before, comes earlier. */
static bool
task_is_next(const struct engine *e, const struct timer *first)
{
	const struct task *t = e->ready.first;

	return t && (!first || first->due > e->now || first->seq > t->seq);
}

static bool
loop(struct engine *e, GError **error)
{
	while (!e->stopping) {
		struct timer *first = timer_first(e);

		if (e->steps > e->config.max_steps)
			return fail_stuck(e, error);
		if (task_is_next(e, first)) {
			struct task *t = wait_queue_pop(&e->ready);

			engine_step(e, "task", t->name);
			task_run(t);
		} else if (!first) {
			return finish(e, error);
		} else if (first->due == UINT64_MAX) {
			return fail_time_ends(first, error);
		} else {
			engine_advance(e, first->due);
			engine_step(e, timer_kind(first), first->name);
			fire(e, first);
		}
	}
	return true;
}

bool
engine_run(struct engine *e, GError **error)
{
	g_assert(!e->running);
	e->running = true;
	engine_forget_work(e);

	bool ok = loop(e, error);

	e->stopping = 0;
	e->running = false;
	return ok;
}
