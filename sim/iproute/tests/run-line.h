/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run-line.h - one command line, parsed and run on the fake kernel. */
#pragma once

#include <check.h>
#include <string.h>

#include "fake-kernel.h"
#include "iproute/command.h"

struct ran {
	struct answer answer;
	char *requests; /* what it asked of the kernel */
};

static inline struct ran
run_line(struct fake *f, const char *line)
{
	struct ran ran = {.answer = {.status = -1,
				     .output = g_string_new(NULL),
				     .error = g_string_new(NULL)}};
	GError *error = NULL;
	unsigned column = 0;
	struct command *c = command_parse(line, &column, &error);

	ck_assert_msg(c != NULL, "'%s': column %u: %s", line, column, error ? error->message : "?");
	g_string_truncate(f->log, 0);
	command_run(c, &f->kernel, &ran.answer);
	command_free(c);
	ran.requests = g_strdup(f->log->str);
	return ran;
}

static inline void
ran_clear(struct ran *ran)
{
	g_string_free(ran->answer.output, TRUE);
	g_string_free(ran->answer.error, TRUE);
	g_free(ran->requests);
}

/* A suite of one test of which each loop is one line of a table. */
static inline int
run_table(const char *name, const TTest *test, int count)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);
	SRunner *runner;
	int failed;

	_tcase_add_test(tcase, test, 0, 0, 0, count);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
