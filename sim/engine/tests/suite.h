/* SPDX-License-Identifier: GPL-2.0-or-later */
/* suite.h - the end of every test program of this folder: runs a suite, prints TAP. */
#pragma once

#include <check.h>
#include <signal.h>
#include <stdlib.h>

/* Tests that must die need a process of their own; there is none in debuggers
 * and under valgrind, where CK_FORK=no. */
static inline void
suite_add_death(TCase *tc, const TTest *test, int signal, int count)
{
	SRunner *probe = srunner_create(NULL);

	if (srunner_fork_status(probe) == CK_FORK)
		tcase_add_loop_test_raise_signal(tc, test, signal, 0, count);
	srunner_free(probe);
}

static inline int
suite_run(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
