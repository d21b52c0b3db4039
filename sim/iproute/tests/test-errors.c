/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test-errors.c - bad command lines: errors.txt has each with a mark below the
 * word that is to blame, and the message.  Those that begin with "Error:", and
 * most others that do not begin with "not simulated", are iproute2's own. */
#include "fake-kinds.h"
#include "run-line.h"

static GStrv lines;

START_TEST(bad_line)
{
	const char *line = lines[2 * _i], *mark = lines[2 * _i + 1], *caret = strchr(mark, '^');
	GError *error = NULL;
	unsigned column = 0;
	struct command *c = command_parse(line, &column, &error);

	ck_assert_msg(!c, "'%s' was accepted", line);
	ck_assert_msg(caret && g_str_has_prefix(caret, "^ "), "errors.txt:%d: no mark", 2 * _i + 2);
	ck_assert_msg(strcmp(error->message, caret + 2) == 0, "'%s':\n%s\nnot\n%s", line,
		      error->message, caret + 2);
	ck_assert_msg(column == (unsigned)(caret - mark) + 1, "'%s': column %u, not %u", line,
		      column, (unsigned)(caret - mark) + 1);
	ck_assert(error->domain == COMMAND_ERROR);
	g_error_free(error);

	ck_assert_ptr_null(command_parse(line, NULL, NULL)); /* who does not want to know why */
}
END_TEST

int
main(void)
{
	g_autofree char *text = NULL;
	int result;

	if (!g_file_get_contents(ERRORS, &text, NULL, NULL))
		g_error("cannot read " ERRORS);
	fake_kinds_init();
	lines = g_strsplit(text, "\n", -1);
	result = run_table("errors", bad_line, (int)g_strv_length(lines) / 2);
	g_strfreev(lines);
	return result;
}
