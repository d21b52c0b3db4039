/* SPDX-License-Identifier: GPL-2.0-or-later */
/* phases.c - loads what a scenario runs: loops, commands, and when a phase is over. */
#include "scenario/load.h"

#include <string.h>

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
	p->published = published_none;
	if (!s->phases)
		s->phases = g_ptr_array_new_with_free_func(phase_free);
	g_ptr_array_add(s->phases, p);
	return p;
}

struct phase *
scenario_phase(const struct scenario *s, const char *name)
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
read_step(struct loader *l, struct node *n, struct phase *phase)
{
	static const char *const known[] = {"run", "may_fail", NULL};
	struct step *step = g_new0(struct step, 1);
	struct node text = load_step_text(n), may_fail = reader_member(n, "may_fail");

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
	if (scenario_phase(l->scenario, name)) {
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
	       read_steps(l, &run, phase) && load_check_run(l, &run, &loops, phase, commands) &&
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
	return read_steps(l, n, phase) && load_check_run(l, n, &loops, phase, commands);
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
