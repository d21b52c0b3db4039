/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test-show.c - the state of a real machine, and what a real ip printed about
 * it: see recorded/README.md. */
#include "run-line.h"

static GPtrArray *blocks; /* "$ COMMAND\nOUTPUT" without the "$ " */

/* Takes out what is not modelled, and writes numbers as the JSON library does. */
static char *
modelled(const char *text)
{
	static const char *const patterns[][2] = {
		{" *numtxqueues [0-9]+ numrxqueues .*? gro_max_size [0-9]+ ", " "},
		{",\"num_tx_queues\":.*?\"gro_max_size\":[0-9]+", ""},
		{":([0-9]+\\.[0-9])0([,}])", ":\\1\\2"},
	};
	char *result = g_strdup(text);

	for (unsigned i = 0; i < G_N_ELEMENTS(patterns); i++) {
		g_autoptr(GRegex) regex = g_regex_new(patterns[i][0], 0, 0, NULL);
		g_autofree char *before = result;

		result = g_regex_replace(regex, before, -1, 0, patterns[i][1], 0, NULL);
	}
	return result;
}

static void
read_blocks(void)
{
	g_autofree char *path = g_build_filename(RECORDED, "outputs.txt", NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) parts = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		g_error("cannot read %s", path);
	parts = g_strsplit(text + strlen("$ "), "\n$ ", -1);
	blocks = g_ptr_array_new_with_free_func(g_free);
	for (unsigned i = 0; parts[i]; i++)
		g_ptr_array_add(blocks, g_strdup(parts[i]));
}

static struct fake *
real_machine(void)
{
	struct fake *f = fake_new();

	fake_load(f, "test", "test-link.json", "test-addr.json", "test-maddr.json");
	fake_load(f, "two", "two-link.json", NULL, NULL);
	return f;
}

/* The first line that differs: a whole output is too long for a message. */
static void
expect_same(const char *command, const char *text, const char *expected)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1), wanted = g_strsplit(expected, "\n", -1);
	unsigned i = 0;

	while (lines[i] && wanted[i] && strcmp(lines[i], wanted[i]) == 0)
		i++;
	ck_assert_msg(!lines[i] && !wanted[i], "'%s', line %u:\n%.1000s\nnot\n%.1000s", command,
		      i + 1, lines[i] ? lines[i] : "(end)", wanted[i] ? wanted[i] : "(end)");
}

START_TEST(output)
{
	g_auto(GStrv) block = g_strsplit(g_ptr_array_index(blocks, _i), "\n", 2);
	g_autofree char *expected = modelled(block[1] ? block[1] : "");
	struct fake *f = real_machine();
	struct ran ran = run_line(f, block[0]);

	g_strchomp(expected);
	g_strchomp(ran.answer.output->str);
	expect_same(block[0], ran.answer.output->str, expected);
	ck_assert_int_eq(ran.answer.status, 0);
	ck_assert_str_eq(ran.answer.error->str, "");
	ran_clear(&ran);
	fake_free(f);
}
END_TEST

int
main(void)
{
	int result;

	read_blocks();
	result = run_table("show", output, (int)blocks->len);
	g_ptr_array_unref(blocks);
	return result;
}
