/* SPDX-License-Identifier: GPL-2.0-or-later */
/* require.h - ck_assert() for loops: check writes to a file for each assertion
 * that holds, this only says which one does not, and of what. */
#pragma once

#include <check.h>

extern char require_about[128]; /* what is being tested: snprintf() to it */

#define require(condition)                                                                         \
	do {                                                                                       \
		if (!(condition))                                                                  \
			ck_abort_msg("%s: %s", require_about, #condition);                         \
	} while (0)
