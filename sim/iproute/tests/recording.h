/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recording.h - what a real ip printed (recorded/README.md), for tests. */
#pragma once

#include "run-line.h"

static inline char *
recording_read(const char *file)
{
	g_autofree char *path = g_build_filename(RECORDED, file, NULL);
	char *text;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		g_error("cannot read %s", path);
	return text;
}

/* "COMMAND\nOUTPUT", in the order of the file. */
static inline GPtrArray *
recording_blocks(void)
{
	g_autofree char *text = recording_read("outputs.txt");
	gsize length = strlen(text);
	g_auto(GStrv) parts = NULL;
	GPtrArray *blocks = g_ptr_array_new_with_free_func(g_free);

	text[length - 1] = '\0'; /* the last newline */
	parts = g_strsplit(text + strlen("$ "), "\n$ ", -1);
	for (unsigned i = 0; parts[i]; i++)
		g_ptr_array_add(blocks, g_strdup(parts[i]));
	return blocks;
}

/* Takes out what is not modelled, and writes numbers as the JSON library does. */
static inline char *
recording_modelled(const char *text)
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

/* Fails with the first line that differs: a whole output is too long for a message. */
static inline void
recording_expect_same(const char *command, const char *text, const char *expected)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1), wanted = g_strsplit(expected, "\n", -1);
	unsigned at = 0, column = 0, end = g_strv_length(lines);

	if (end > 0 && !*lines[end - 1]) /* the text's last newline */
		g_clear_pointer(&lines[end - 1], g_free);
	while (lines[at] && wanted[at] && strcmp(lines[at], wanted[at]) == 0)
		at++;
	if (!lines[at] && (!wanted[at] || !*expected))
		return;
	while (lines[at] && wanted[at] && lines[at][column] == wanted[at][column])
		column++;
	ck_abort_msg("'%s', line %u, from column %u:\n%.500s\nnot\n%.500s", command, at + 1,
		     column + 1, lines[at] ? lines[at] + column : "(end)",
		     wanted[at] ? wanted[at] + column : "(end)");
}
