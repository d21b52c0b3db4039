/* SPDX-License-Identifier: GPL-2.0-or-later */
/* journal.c - what commands answered: the fingerprint over all of it, and the log. */
#include "scenario/journal.h"

#include <string.h>

#include "engine/engine.h"

void
journal_init(struct journal *j, const struct run_options *options)
{
	j->checksum = g_checksum_new(G_CHECKSUM_SHA256);
	j->options = options;
}

void
journal_clear(struct journal *j)
{
	g_checksum_free(j->checksum);
}

static void
fingerprint_text(struct journal *j, const char *text)
{
	g_checksum_update(j->checksum, (const guchar *)text, (gssize)strlen(text) + 1);
}

static int
compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The elements of a JSON array, or the lines of what is none. */
static GPtrArray *
parts_of(const char *output)
{
	GPtrArray *parts = g_ptr_array_new_with_free_func(g_free);
	json_t *array = *output == '[' ? json_loads(output, 0, NULL) : NULL, *element;
	size_t n;

	if (!array) {
		g_auto(GStrv) lines = g_strsplit(output, "\n", -1);

		for (char **line = lines; *line; line++)
			g_ptr_array_add(parts, g_strdup(*line));
		return parts;
	}
	json_array_foreach(array, n, element)
	{
		char *text = json_dumps(element, JSON_COMPACT | JSON_ENCODE_ANY);

		g_ptr_array_add(parts, g_strdup(text));
		free(text);
	}
	json_decref(array);
	return parts;
}

/* What is right whatever the structure: not in which order it told of its elements. */
static void
fingerprint_unordered(struct journal *j, const char *output)
{
	g_autoptr(GPtrArray) parts = parts_of(output);

	g_ptr_array_sort(parts, compare_texts);
	for (unsigned n = 0; n < parts->len; n++)
		fingerprint_text(j, g_ptr_array_index(parts, n));
}

static void
fingerprint_answer(struct journal *j, const struct job *job)
{
	const struct answer *a = &job->answer;
	g_autofree char *status = g_strdup_printf("%d", a->status);

	fingerprint_text(j, job->line);
	fingerprint_text(j, status);
	if (a->unordered)
		fingerprint_unordered(j, a->output->str);
	else
		fingerprint_text(j, a->output->str);
	fingerprint_text(j, a->error->str);
}

static json_t *
sizes_of(const GArray *datagrams)
{
	json_t *sizes = json_array();

	for (unsigned n = 0; n < datagrams->len; n++)
		json_array_append_new(sizes, json_integer(g_array_index(datagrams, unsigned, n)));
	return sizes;
}

static void
log_answer(struct journal *j, const struct phase *phase, const struct job *job)
{
	const struct answer *a = &job->answer;
	json_t *entry;
	char *text;

	if (!j->options->log)
		return;
	entry = json_pack("{s:s, s:s, s:i, s:s, s:s, s:f, s:f}", "phase", phase->name, "command",
			  job->line, "status", a->status, "output", a->output->str, "error",
			  a->error->str, "start_s", (double)job->start_ps / PS_PER_S, "end_s",
			  (double)job->end_ps / PS_PER_S);
	if (a->recvmsg->len > 0)
		json_object_set_new(entry, "recvmsg", sizes_of(a->recvmsg));
	text = json_dumps(entry, JSON_COMPACT | JSON_REAL_PRECISION(15));
	j->options->log(text, strlen(text), j->options->log_data);
	j->options->log("\n", 1, j->options->log_data);
	free(text);
	json_decref(entry);
}

void
journal_add(struct journal *j, const struct phase *phase, const struct job *job)
{
	fingerprint_answer(j, job);
	log_answer(j, phase, job);
}

void
journal_finish(struct journal *j, struct run_result *result)
{
	char *text = json_dumps(result->state, JSON_COMPACT | JSON_SORT_KEYS);

	fingerprint_text(j, text);
	free(text);
	g_strlcpy(result->fingerprint, g_checksum_get_string(j->checksum),
		  sizeof result->fingerprint);
}
