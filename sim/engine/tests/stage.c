/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stage.c - see stage.h. */
#include "engine/tests/stage.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

struct role {
	struct role *next;
	struct stage *stage;
	const char *actor, *script;
};

struct prop {
	struct stage *stage;
	char *note;
};

void
stage_init(struct stage *s, unsigned cpus)
{
	const struct engine_config config = {
		.cpus = cpus, .grace_ps = STAGE_GRACE_PS, .max_steps = 1000000};

	memset(s, 0, sizeof *s);
	s->engine = engine_new(&config);
	s->rcu = rcu_new(s->engine, RCU_CHECK);
	mutex_init(&s->lock, s->engine, "rtnl");
	s->log = g_string_new(NULL);
}

void
stage_fini(struct stage *s)
{
	rcu_free(s->rcu);
	engine_free(s->engine);
	g_string_free(s->log, TRUE);
	for (struct role *r = s->roles, *next; r; r = next) {
		next = r->next;
		g_free(r);
	}
}

void
stage_note(struct stage *s, const char *text)
{
	g_string_append_printf(s->log, "%" G_GUINT64_FORMAT " %s\n", engine_now(s->engine), text);
}

static void
prop_free(void *prop)
{
	struct prop *p = prop;

	stage_note(p->stage, p->note);
	g_free(p->note);
	g_free(p);
}

static void
defer(struct stage *s, uint64_t number)
{
	struct prop *p = g_new(struct prop, 1);

	p->stage = s;
	p->note = g_strdup_printf("freed %" G_GUINT64_FORMAT, number);
	rcu_defer(s->rcu, p, sizeof *p, prop_free);
}

static void
perform(struct stage *s, const char *word)
{
	uint64_t number = g_ascii_strtoull(word + 1, NULL, 10);

	switch (word[0]) {
	case 'c':
		task_charge(s->engine, number);
		break;
	case 's':
		task_sleep(s->engine, number);
		break;
	case '.':
		task_sync(s->engine);
		break;
	case 'L':
		mutex_lock(&s->lock);
		break;
	case 'U':
		mutex_unlock(&s->lock);
		break;
	case 'W':
		wait_on(s->engine, &s->queue);
		break;
	case 'N':
		wake_one(s->engine, &s->queue);
		break;
	case 'A':
		wake_all(s->engine, &s->queue);
		break;
	case '(':
		rcu_read_lock(s->rcu);
		break;
	case ')':
		rcu_read_unlock(s->rcu);
		break;
	case 'G':
		rcu_synchronize(s->rcu);
		break;
	case 'd':
		defer(s, number);
		break;
	default:
		ck_abort_msg("no such word: %s", word);
	}
}

static void
play(void *role)
{
	const struct role *r = role;

	for (const char *at = r->script; *at;) {
		char word[32];
		size_t length = strcspn(at, " ");

		ck_assert_uint_lt(length, sizeof word);
		memcpy(word, at, length);
		word[length] = '\0';
		perform(r->stage, word);
		if (word[0] != 'c')
			g_string_append_printf(r->stage->log, "%" G_GUINT64_FORMAT " %s %s\n",
					       engine_now(r->stage->engine), r->actor, word);
		at += length + strspn(at + length, " ");
	}
}

struct task *
stage_enter(struct stage *s, const char *actor, const char *script)
{
	struct role *r = g_new(struct role, 1);

	*r = (struct role){s->roles, s, actor, script};
	s->roles = r;
	return task_start(s->engine, actor, play, r);
}

void
stage_expect(struct stage *s, const char *log)
{
	GError *error = NULL;

	ck_assert_msg(engine_run(s->engine, &error), "%s", error ? error->message : "no error");
	ck_assert_str_eq(s->log->str, log);
}

void
stage_expect_error(struct stage *s, enum engine_error code, const char *message)
{
	GError *error = NULL;

	ck_assert(!engine_run(s->engine, &error));
	ck_assert_ptr_nonnull(error);
	ck_assert_str_eq(error->message, message);
	ck_assert(g_error_matches(error, ENGINE_ERROR, code));
	g_error_free(error);
}

static void
print_nothing(const char *text)
{
}

void
stage_expect_abort(void)
{
	g_set_print_handler(print_nothing);
	g_set_printerr_handler(print_nothing);
}
