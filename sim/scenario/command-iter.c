/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command-iter.c - a phase's commands in order, and how many they are. */
#include "scenario/command-iter.h"

#include <string.h>

static struct variables
variables_of(const struct command_iter *it, unsigned count)
{
	return (struct variables){it->scenario->params, it->phase->loops, it->value, count};
}

/* Sets loop 'depth' to its begin; those around it have a value.  Null, or what is
 * wrong with a bound; *at is then the offset in it. */
static char *
try_enter(struct command_iter *it, unsigned depth, bool *is_last, size_t *at)
{
	const struct loop *loop = g_ptr_array_index(it->phase->loops, depth);
	struct variables v = variables_of(it, depth);
	char *what = template_integer(loop->first, &v, &it->value[depth], at);

	*is_last = !what;
	return what ? what : template_integer(loop->last, &v, &it->last[depth], at);
}

/* Of a phase whose iterations were counted. */
static void
enter(struct command_iter *it, unsigned depth)
{
	bool is_last;
	size_t at;
	char *what = try_enter(it, depth, &is_last, &at);

	g_assert(!what);
}

/* Loop 'depth' was entered or has moved on: enters those inside it, and moves on
 * those around it where a loop has come to its end. */
static void
reach_body(struct command_iter *it, unsigned depth)
{
	for (;;) {
		while (it->value[depth] > it->last[depth]) {
			if (depth == 0) {
				it->done = true;
				return;
			}
			it->value[--depth]++;
		}
		if (++depth == it->phase->loops->len)
			return;
		enter(it, depth);
	}
}

void
command_iter_init(struct command_iter *it, const struct scenario *s, const struct phase *p)
{
	*it = (struct command_iter){.scenario = s, .phase = p, .done = p->steps->len == 0};
	if (p->loops->len > 0) {
		enter(it, 0);
		reach_body(it, 0);
	}
}

const struct step *
command_iter_peek(const struct command_iter *it, struct variables *v)
{
	*v = variables_of(it, it->phase->loops->len);
	return it->done ? NULL : g_ptr_array_index(it->phase->steps, it->step);
}

void
command_iter_advance(struct command_iter *it)
{
	unsigned depth = it->phase->loops->len;

	if (++it->step < it->phase->steps->len)
		return;
	it->step = 0;
	if (depth == 0) {
		it->done = true;
	} else {
		it->value[depth - 1]++;
		reach_body(it, depth - 1);
	}
}

const struct step *
command_iter_next(struct command_iter *it, GString *line)
{
	struct variables v;
	const struct step *step = command_iter_peek(it, &v);
	size_t at;
	char *what;

	if (!step)
		return NULL;
	g_string_truncate(line, 0);
	what = template_expand(step->text, &v, line, &at);
	g_assert(!what);
	command_iter_advance(it);
	return step;
}

static enum loop_trouble
trouble_of(struct loop_count *c, uint64_t limit)
{
	if (MIN(c->first, c->last) < -LOOP_VALUE_MAX || MAX(c->first, c->last) > LOOP_VALUE_MAX)
		return LOOP_VALUE;
	if (c->last < c->first - 1)
		return LOOP_BACKWARDS;
	if (++c->entries > SCENARIO_MAX_COMMANDS)
		return LOOP_LONG;
	return (uint64_t)(c->last - c->first + 1) > limit ? LOOP_LONG : LOOP_FINE;
}

static enum loop_trouble
count_from(struct command_iter *it, unsigned depth, uint64_t limit, struct loop_count *c)
{
	enum loop_trouble trouble;

	c->depth = depth;
	c->what = try_enter(it, depth, &c->what_is_last, &c->what_at);
	if (c->what)
		return LOOP_BOUND;
	c->first = it->value[depth];
	c->last = it->last[depth];
	trouble = trouble_of(c, limit);
	if (trouble)
		return trouble;
	if (depth + 1 == it->phase->loops->len) {
		c->iterations += (uint64_t)(c->last - c->first + 1);
		return c->iterations > limit ? LOOP_LONG : LOOP_FINE;
	}
	for (; !trouble && it->value[depth] <= it->last[depth]; it->value[depth]++)
		trouble = count_from(it, depth + 1, limit, c);
	return trouble;
}

/* The loops around the innermost one are walked, because its length may depend
 * on them; entering one that is empty counts too, so that this ends. */
enum loop_trouble
command_iter_count(const struct scenario *s, const struct phase *p, uint64_t limit,
		   struct loop_count *c)
{
	struct command_iter it = {.scenario = s, .phase = p};

	*c = (struct loop_count){.iterations = 0};
	if (p->loops->len > 0)
		return count_from(&it, 0, limit, c);
	c->iterations = 1;
	return limit > 0 ? LOOP_FINE : LOOP_LONG;
}
