/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test-fdb.c - what a real bridge(8) made of entries of forwarding databases:
 * recorded/fdb.txt has the kernel's message, the line of 'bridge -s fdb show' and the object
 * of 'bridge -s -j fdb show' of each. */
#include <linux/neighbour.h>

#include "iproute/bridge.h"
#include "iproute/show.h"
#include "recording.h"

struct recorded_entry {
	char *message, *text, *json;
};

static GHashTable *links;
static GArray *recorded;

static void
recorded_clear(void *data)
{
	struct recorded_entry *r = data;

	g_free(r->message);
	g_free(r->text);
	g_free(r->json);
}

/* "IFINDEX NAME" of all links, then blocks of three lines. */
static void
read_entries(void)
{
	g_autofree char *text = recording_read("fdb.txt");
	g_auto(GStrv) blocks = g_strsplit(g_strchomp(text), "\n\n", -1);
	g_auto(GStrv) names = g_strsplit(blocks[0], "\n", -1);

	links = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	for (unsigned n = 0; names[n]; n++)
		g_hash_table_insert(links, GINT_TO_POINTER(atoi(names[n])),
				    g_strdup(strchr(names[n], ' ') + 1));
	recorded = g_array_new(FALSE, TRUE, sizeof(struct recorded_entry));
	g_array_set_clear_func(recorded, recorded_clear);
	for (unsigned n = 1; blocks[n]; n++) {
		g_auto(GStrv) lines = g_strsplit(blocks[n], "\n", 3);
		struct recorded_entry r = {g_strdup(lines[0]), g_strdup(lines[1]),
					   g_strdup(lines[2])};

		g_array_append_val(recorded, r);
	}
}

/* What show_fdb_entry() makes of a recorded message. */
static char *
shown(const struct recorded_entry *r, struct fdb_listing listing)
{
	struct answer answer = {.output = g_string_new(NULL)};
	struct process p = {.answer = &answer, .links = links};
	uint64_t buffer[64];
	uint8_t *bytes = (uint8_t *)buffer;

	g_assert(strlen(r->message) / 2 <= sizeof buffer);
	for (const char *hex = r->message; *hex; hex += 2)
		*bytes++ =
			(uint8_t)(g_ascii_xdigit_value(hex[0]) << 4 | g_ascii_xdigit_value(hex[1]));
	listing.process = &p;
	show_fdb_entry(&listing, (const struct nlmsghdr *)(const void *)buffer);
	return g_string_free(answer.output, FALSE);
}

static char *
without(const char *text, const char *pattern)
{
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);

	return g_regex_replace(regex, text, -1, 0, "", 0, NULL);
}

START_TEST(line)
{
	const struct recorded_entry *r = &g_array_index(recorded, struct recorded_entry, _i);
	g_autofree char *ours = shown(r, (struct fdb_listing){.statistics = true});
	g_autofree char *wanted = g_strconcat(r->text, "\n", NULL);

	ck_assert_str_eq(ours, wanted);
}
END_TEST

START_TEST(line_of_one_device)
{
	const struct recorded_entry *r = &g_array_index(recorded, struct recorded_entry, _i);
	g_autofree char *ours = shown(r, (struct fdb_listing){.of_one_device = true});
	g_autofree char *wanted = without(r->text, " dev [^ ]+| used [0-9/]+");

	ck_assert_mem_eq(ours, wanted, strlen(wanted));
	ck_assert_str_eq(ours + strlen(wanted), "\n");
}
END_TEST

START_TEST(object)
{
	const struct recorded_entry *r = &g_array_index(recorded, struct recorded_entry, _i);
	json_t *list = json_array();
	g_autofree char *text = shown(r, (struct fdb_listing){.json = list, .statistics = true});
	g_autoptr(GString) ours = g_string_new(NULL);

	show_json(json_array_get(list, 0), ours);
	g_string_truncate(ours, ours->len - 1);
	ck_assert_str_eq(ours->str, r->json);
	ck_assert_str_eq(text, "");
	json_decref(list);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("fdb");
	TCase *tcase = tcase_create("fdb");
	SRunner *runner;
	int failed;

	read_entries();
	tcase_add_loop_test(tcase, line, 0, (int)recorded->len);
	tcase_add_loop_test(tcase, line_of_one_device, 0, (int)recorded->len);
	tcase_add_loop_test(tcase, object, 0, (int)recorded->len);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	g_array_unref(recorded);
	g_hash_table_unref(links);
	return failed ? 1 : 0;
}
