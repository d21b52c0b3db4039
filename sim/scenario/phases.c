/* SPDX-License-Identifier: GPL-2.0-or-later */
/* phases.c - loads what a scenario runs, and checks it without running: every
 * loop is counted, every command is parsed with the first and with the last
 * values of its loops. */
#include "scenario/load.h"

#include <string.h>

#include "iproute/command.h"
#include "scenario/command-iter.h"

static void
step_free(void *step)
{
	g_free(((struct step *)step)->text);
	g_free(step);
}

static void
loop_free(void *data)
{
	struct loop *loop = data;

	g_free(loop->variable);
	g_free(loop->first);
	g_free(loop->last);
	g_free(loop);
}

static void
phase_free(void *data)
{
	struct phase *p = data;

	g_free(p->name);
	g_free(p->settle);
	g_ptr_array_unref(p->loops);
	g_ptr_array_unref(p->steps);
	g_free(p);
}

static struct phase *
phase_new(struct scenario *s)
{
	struct phase *p = g_new0(struct phase, 1);

	p->loops = g_ptr_array_new_with_free_func(loop_free);
	p->steps = g_ptr_array_new_with_free_func(step_free);
	p->published_s = -1;
	if (!s->phases)
		s->phases = g_ptr_array_new_with_free_func(phase_free);
	g_ptr_array_add(s->phases, p);
	return p;
}

static struct phase *
phase_by_name(const struct scenario *s, const char *name)
{
	for (unsigned i = 0; s->phases && i < s->phases->len; i++) {
		struct phase *p = g_ptr_array_index(s->phases, i);

		if (g_strcmp0(p->name, name) == 0)
			return p;
	}
	return NULL;
}

/* An integer, one variable or one expression: "5", "$vlans", "$((n - 1))". */
static bool
check_bound(struct loader *l, struct node *n, const char *text, size_t at,
	    const struct variables *v)
{
	size_t bad;
	g_autofree char *what = template_check(text, v, &bad);

	if (what)
		return reader_fail_in(&l->reader, n, at + bad, "%s", what);
	if (!template_is_integer(text))
		return reader_fail_in(&l->reader, n, at,
				      "\"%.80s\" is neither an integer nor one \"$name\" or "
				      "\"$((EXPRESSION))\"",
				      text);
	return true;
}

static bool
read_loop(struct loader *l, struct node *n, struct phase *phase)
{
	struct variables v = {l->scenario->params, phase->loops, (int64_t[SCENARIO_MAX_LOOPS]){0},
			      phase->loops->len};
	const char *name = n->place.key, *text = json_string_value(n->json);
	const char *dots = text ? strstr(text, "..") : NULL;
	size_t length = strlen(name);
	struct loop *loop;
	int64_t value;

	if (!template_name_valid(name, length))
		return reader_fail_key(
			&l->reader, n,
			"\"%.80s\" is no name of a variable: a small letter, then small "
			"letters, digits and '_', %d at most",
			name, TEMPLATE_NAME_MAX);
	if (template_lookup(&v, name, length, &value))
		return reader_fail_key(&l->reader, n, "\"%s\" is a parameter or a loop already",
				       name);
	if (v.count == SCENARIO_MAX_LOOPS)
		return reader_fail_key(&l->reader, n, "more than %d loops", SCENARIO_MAX_LOOPS);
	if (!dots)
		return reader_fail(&l->reader, n, "a loop is \"FIRST..LAST\", such as \"1..$n\"");
	loop = g_new0(struct loop, 1);
	loop->variable = g_strdup(name);
	loop->first = g_strndup(text, (gsize)(dots - text));
	loop->last = g_strdup(dots + 2);
	g_ptr_array_add(phase->loops, loop);
	return check_bound(l, n, loop->first, 0, &v) &&
	       check_bound(l, n, loop->last, (size_t)(dots + 2 - text), &v);
}

static bool
read_loops(struct loader *l, struct node *n, struct phase *phase)
{
	const char *name;
	json_t *value;

	if (!reader_object(&l->reader, n, "\"for\"", NULL))
		return false;
	json_object_foreach(n->json, name, value)
	{
		struct node child = reader_child(n, name, value);

		if (!read_loop(l, &child, phase))
			return false;
	}
	return true;
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

/* "ip ..." or { "run": "ip ...", "may_fail": true }: where its text is. */
static struct node
step_text(struct node *n)
{
	return json_is_object(n->json) ? reader_member(n, "run") : *n;
}

static bool
read_step(struct loader *l, struct node *n, struct phase *phase)
{
	static const char *const known[] = {"run", "may_fail", NULL};
	struct step *step = g_new0(struct step, 1);
	struct node text = step_text(n), may_fail = reader_member(n, "may_fail");

	g_ptr_array_add(phase->steps, step);
	if (!json_is_string(n->json) &&
	    (!reader_object(&l->reader, n, "a step that is no string", known) ||
	     !reader_needs(&l->reader, n, "a step", "run") ||
	     !reader_bool(&l->reader, &may_fail, &step->may_fail)))
		return false;
	if (!json_is_string(text.json))
		return reader_fail(&l->reader, &text, "\"run\" of a step is a string");
	if (!reader_line(&l->reader, &text, json_string_value(text.json), LOAD_STEP_MAX))
		return false;
	step->text = g_strdup(json_string_value(text.json));
	reader_position(&l->reader, &text, &step->line, &step->column);
	return true;
}

static bool
read_steps(struct loader *l, struct node *steps, struct phase *phase)
{
	struct node n = reader_elements(steps);

	if (!reader_array(&l->reader, steps, "a list of commands"))
		return false;
	while (reader_next(steps, &n)) {
		if (!read_step(l, &n, phase))
			return false;
	}
	return true;
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
		text = step_text(&n);
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
		struct node text = step_text(&n);

		if (!check_step(l, &text, phase, g_ptr_array_index(phase->steps, n.place.index)))
			return false;
	}
	return check_values(l, steps, phase) && check_background(l, steps, phase, commands);
}

static bool
check_run(struct loader *l, struct node *steps, struct node *loops, struct phase *phase,
	  uint64_t *commands)
{
	uint64_t before = *commands;

	return count_commands(l, steps, loops, phase, commands) &&
	       check_steps(l, steps, phase, *commands - before);
}

static bool
read_settle(struct loader *l, struct node *n, struct phase *phase)
{
	struct variables v = {.params = l->scenario->params};
	g_autofree char *what = NULL;
	int64_t seconds;
	size_t at;

	if (!n->json)
		return true;
	if (json_is_integer(n->json))
		phase->settle =
			g_strdup_printf("%" JSON_INTEGER_FORMAT, json_integer_value(n->json));
	else if (json_is_string(n->json))
		phase->settle = g_strdup(json_string_value(n->json));
	else
		return reader_fail(&l->reader, n,
				   "\"settle\" is an integer or the \"$name\" of a parameter");
	if (!check_bound(l, n, phase->settle, 0, &v))
		return false;
	what = template_integer(phase->settle, &v, &seconds, &at);
	if (what)
		return reader_fail_in(&l->reader, n, at, "%s", what);
	if (seconds < 0 || seconds > SCENARIO_MAX_SETTLE)
		return reader_fail(&l->reader, n,
				   "\"settle\" is %" G_GINT64_FORMAT " seconds; it must be 0 to %d",
				   seconds, SCENARIO_MAX_SETTLE);
	return true;
}

static bool
read_name(struct loader *l, struct node *n, struct phase *phase)
{
	char *name = NULL;

	if (!reader_text(&l->reader, n, LOAD_LINE_MAX, &name))
		return false;
	if (phase_by_name(l->scenario, name)) {
		g_free(name);
		return reader_fail(&l->reader, n, "a second phase of this name");
	}
	phase->name = name;
	return true;
}

/* All of a phase but its name. */
static bool
read_body(struct loader *l, struct node *n, struct phase *phase, uint64_t *commands)
{
	struct node loops = reader_member(n, "for"), run = reader_member(n, "run"),
		    keep_going = reader_member(n, "keep_going"),
		    settle = reader_member(n, "settle"),
		    until_idle = reader_member(n, "until_idle");

	return reader_needs(&l->reader, n, "a phase", "run") && read_loops(l, &loops, phase) &&
	       read_steps(l, &run, phase) && check_run(l, &run, &loops, phase, commands) &&
	       reader_bool(&l->reader, &keep_going, &phase->keep_going) &&
	       read_settle(l, &settle, phase) &&
	       reader_bool(&l->reader, &until_idle, &phase->until_idle);
}

/* clang-format off */
#define BODY "for", "run", "keep_going", "settle", "until_idle"
/* clang-format on */

static bool
read_phase(struct loader *l, struct node *n, uint64_t *commands)
{
	static const char *const known[] = {"name", BODY, NULL};
	struct phase *phase = phase_new(l->scenario);
	struct node name = reader_member(n, "name");

	return reader_object(&l->reader, n, "a phase", known) &&
	       reader_needs(&l->reader, n, "a phase", "name") && read_name(l, &name, phase) &&
	       read_body(l, n, phase, commands);
}

/* A list of commands or, when there is more to say, a phase without a name. */
static bool
read_setup(struct loader *l, struct node *n, uint64_t *commands)
{
	static const char *const known[] = {BODY, NULL};
	struct node loops = {.json = NULL};
	struct phase *phase;

	if (!n->json)
		return true;
	phase = phase_new(l->scenario);
	phase->name = g_strdup("setup");
	if (json_is_object(n->json))
		return reader_object(&l->reader, n, "\"setup\"", known) &&
		       read_body(l, n, phase, commands);
	return read_steps(l, n, phase) && check_run(l, n, &loops, phase, commands);
}

bool
load_phases(struct loader *l, struct node *root)
{
	struct node setup = reader_member(root, "setup"), phases = reader_member(root, "phases");
	struct node n = reader_elements(&phases);
	uint64_t commands = 0;

	if (!read_setup(l, &setup, &commands) || !reader_array(&l->reader, &phases, "\"phases\""))
		return false;
	if (json_array_size(phases.json) > LOAD_MAX_PHASES)
		return reader_fail(&l->reader, &phases, "more than %d phases", LOAD_MAX_PHASES);
	while (reader_next(&phases, &n)) {
		if (!read_phase(l, &n, &commands))
			return false;
	}
	return true;
}

static bool
read_published_phase(struct loader *l, struct node *n, bool chosen)
{
	static const char *const known[] = {"real_s", NULL};
	struct phase *phase = phase_by_name(l->scenario, n->place.key);
	struct node real = reader_member(n, "real_s");

	if (!phase)
		return reader_fail_key(&l->reader, n, "there is no phase \"%.80s\"", n->place.key);
	if (!reader_object(&l->reader, n, "a published figure", known) ||
	    !reader_needs(&l->reader, n, "a published figure", "real_s"))
		return false;
	if (!json_is_number(real.json) || json_number_value(real.json) < 0)
		return reader_fail(&l->reader, &real,
				   "\"real_s\" is a number of seconds, 0 or more");
	if (chosen)
		phase->published_s = json_number_value(real.json);
	return true;
}

bool
load_published(struct loader *l, struct node *root)
{
	struct node published = reader_member(root, "published");
	json_t *variants = json_object_get(root->json, "variants"), *phases, *figures;
	const char *variant, *name;

	if (!reader_object(&l->reader, &published, "\"published\"", NULL))
		return false;
	json_object_foreach(published.json, variant, phases)
	{
		struct node n = reader_child(&published, variant, phases);
		bool chosen = g_strcmp0(variant, l->scenario->variant) == 0;

		if (!json_object_get(variants, variant))
			return reader_fail_key(&l->reader, &n, "there is no variant \"%.80s\"",
					       variant);
		if (!reader_object(&l->reader, &n, "published figures", NULL))
			return false;
		json_object_foreach(phases, name, figures)
		{
			struct node phase = reader_child(&n, name, figures);

			if (!read_published_phase(l, &phase, chosen))
				return false;
		}
	}
	return true;
}
