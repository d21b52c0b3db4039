/* SPDX-License-Identifier: GPL-2.0-or-later */
/* checks.c - checks what a phase runs without running it: every loop is counted,
 * every value computed, every command parsed with the first and with the last values
 * of its loops. */
#include "scenario/load.h"

#include <string.h>

#include "iproute/command.h"
#include "scenario/command-iter.h"

/* "ip ..." or { "run": "ip ...", "may_fail": true }: where its text is. */
struct node
load_step_text(struct node *n)
{
	return json_is_object(n->json) ? reader_member(n, "run") : *n;
}

static bool
fail_bound(struct loader *l, struct node *n, const struct loop *loop, const struct loop_count *c)
{
	size_t at = c->what_is_last ? strlen(loop->first) + strlen("..") : 0;
	g_autofree char *what = c->what;

	return reader_fail_in(&l->reader, n, at + c->what_at, "%s", what);
}

/* "... (with $p = 3, $k = 0)": the iteration that it happens in. */
static bool
fail_value(struct loader *l, struct node *n, const struct variables *v, const char *what, size_t at)
{
	g_autoptr(GString) values = g_string_new(NULL);

	for (unsigned i = 0; i < v->count; i++) {
		const struct loop *loop = g_ptr_array_index(v->loops, i);

		g_string_append_printf(values, "%s$%s = %" G_GINT64_FORMAT,
				       i > 0 ? ", " : " (with ", loop->variable, v->value[i]);
	}
	return reader_fail_in(&l->reader, n, at, "%s%s%s", what, values->str, v->count ? ")" : "");
}

/* The commands that this phase adds to *commands. */
static bool
count_commands(struct loader *l, struct node *steps, struct node *loops, const struct phase *phase,
	       uint64_t *commands)
{
	struct loop_count c;
	enum loop_trouble trouble = command_iter_count(
		l->scenario, phase, (SCENARIO_MAX_COMMANDS - *commands) / phase->steps->len, &c);
	const struct loop *loop;
	struct node where;

	if (!trouble) {
		*commands += c.iterations * phase->steps->len;
		return true;
	}
	if (!loops->json)
		return reader_fail(&l->reader, steps, "more than %d commands in all",
				   SCENARIO_MAX_COMMANDS);
	loop = g_ptr_array_index(phase->loops, c.depth);
	where = reader_member(loops, loop->variable);
	if (trouble == LOOP_BOUND)
		return fail_bound(l, &where, loop, &c);
	if (trouble == LOOP_BACKWARDS)
		return reader_fail(&l->reader, &where,
				   "a loop from %" G_GINT64_FORMAT " up to %" G_GINT64_FORMAT
				   " runs backwards",
				   c.first, c.last);
	if (trouble == LOOP_VALUE)
		return reader_fail(&l->reader, &where,
				   "a loop's bounds must be -%" G_GINT64_FORMAT
				   " to %" G_GINT64_FORMAT,
				   LOOP_VALUE_MAX, LOOP_VALUE_MAX);
	return reader_fail(&l->reader, &where,
			   "a loop from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
			   " makes more than %d commands in all",
			   c.first, c.last, SCENARIO_MAX_COMMANDS);
}

/* The values of the phase's first or last iteration; false: it has none. */
static bool
iteration(const struct loader *l, const struct phase *phase, bool last, int64_t *value)
{
	for (unsigned i = 0; i < phase->loops->len; i++) {
		const struct loop *loop = g_ptr_array_index(phase->loops, i);
		struct variables v = {l->scenario->params, phase->loops, value, i};
		int64_t end = 0;
		size_t at;
		g_autofree char *what = template_integer(loop->first, &v, &value[i], &at);
		g_autofree char *more = template_integer(loop->last, &v, &end, &at);

		if (what || more || (last && end < value[i]))
			return false;
		if (last)
			value[i] = end;
	}
	return true;
}

static bool
check_command(struct loader *l, struct node *n, struct phase *phase, struct step *step,
	      const struct variables *v)
{
	g_autoptr(GString) line = g_string_new(NULL);
	struct command *command;
	unsigned column = 1;
	g_autofree char *what = NULL;
	GError *error = NULL;
	size_t at;

	what = template_expand(step->text, v, line, &at);
	if (what) /* check_values() tells, if an iteration has these values */
		return true;
	command = command_parse(line->str, &column, &error);
	if (command) {
		step->background = command_manner(command) == COMMAND_BACKGROUND;
		phase->waits |= command_manner(command) == COMMAND_WAIT;
		command_free(command);
		return true;
	}
	at = template_origin(step->text, v, column > 0 ? column - 1 : 0);
	if (strcmp(line->str, step->text) == 0)
		reader_fail_in(&l->reader, n, at, "%s", error->message);
	else
		reader_fail_in(&l->reader, n, at, "%s (in \"%s\")", error->message, line->str);
	g_error_free(error);
	return false;
}

static bool
check_step(struct loader *l, struct node *n, struct phase *phase, struct step *step)
{
	int64_t value[SCENARIO_MAX_LOOPS] = {0};
	struct variables v = {l->scenario->params, phase->loops, value, phase->loops->len};
	size_t at;
	g_autofree char *what = template_check(step->text, &v, &at);

	if (what)
		return reader_fail_in(&l->reader, n, at, "%s", what);
	if (iteration(l, phase, false, value) && !check_command(l, n, phase, step, &v))
		return false;
	return v.count == 0 || !iteration(l, phase, true, value) ||
	       check_command(l, n, phase, step, &v);
}

static bool
has_expression(const struct phase *phase)
{
	for (unsigned i = 0; i < phase->steps->len; i++) {
		const struct step *step = g_ptr_array_index(phase->steps, i);

		if (template_has_expression(step->text))
			return true;
	}
	return false;
}

/* Expressions may fail in the middle of a loop, so all of them are evaluated. */
static bool
check_values(struct loader *l, struct node *steps, const struct phase *phase)
{
	g_autoptr(GString) line = g_string_new(NULL);
	const struct step *step;
	struct command_iter it;
	struct variables v;

	if (!has_expression(phase))
		return true;
	command_iter_init(&it, l->scenario, phase);
	for (; (step = command_iter_peek(&it, &v)); command_iter_advance(&it)) {
		size_t at;
		g_autofree char *what =
			template_expand(step->text, &v, g_string_truncate(line, 0), &at);
		struct node n = reader_elements(steps), text;

		if (!what)
			continue;
		n.json = json_array_get(steps->json, it.step);
		n.place.index = it.step;
		text = load_step_text(&n);
		return fail_value(l, &text, &v, what, at);
	}
	return true;
}

/* All of them can be in the background at one time, unless each iteration waits. */
static bool
check_background(struct loader *l, struct node *steps, const struct phase *phase, uint64_t commands)
{
	uint64_t jobs = 0;

	for (unsigned i = 0; i < phase->steps->len; i++)
		jobs += ((const struct step *)g_ptr_array_index(phase->steps, i))->background;
	if (!phase->waits)
		jobs *= commands / phase->steps->len;
	if (jobs <= SCENARIO_MAX_JOBS)
		return true;
	return reader_fail(&l->reader, steps,
			   "%" G_GUINT64_FORMAT " commands in the background at one time; %d are "
			   "allowed, and \"wait\" waits for those before it",
			   jobs, SCENARIO_MAX_JOBS);
}

static bool
check_steps(struct loader *l, struct node *steps, struct phase *phase, uint64_t commands)
{
	struct node n = reader_elements(steps);

	while (reader_next(steps, &n)) {
		struct node text = load_step_text(&n);

		if (!check_step(l, &text, phase, g_ptr_array_index(phase->steps, n.place.index)))
			return false;
	}
	return check_values(l, steps, phase) && check_background(l, steps, phase, commands);
}

bool
load_check_run(struct loader *l, struct node *steps, struct node *loops, struct phase *phase,
	       uint64_t *commands)
{
	uint64_t before = *commands;

	return count_commands(l, steps, loops, phase, commands) &&
	       check_steps(l, steps, phase, *commands - before);
}
