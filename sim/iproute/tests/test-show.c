/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test-show.c - the state of a real machine, and what a real ip printed about
 * it: see recorded/README.md. */
#include "recording.h"

static GPtrArray *blocks;

static struct fake *
real_machine(void)
{
	struct fake *f = fake_new();

	fake_load(f, "test", "test-link.json", "test-addr.json", "test-maddr.json",
		  "test-info.json");
	fake_load(f, "two", "two-link.json", NULL, NULL, NULL);
	return f;
}

START_TEST(output)
{
	g_auto(GStrv) block = g_strsplit(g_ptr_array_index(blocks, _i), "\n", 2);
	g_autofree char *expected = recording_modelled(block[1] ? block[1] : "");
	struct fake *f = real_machine();
	struct ran ran = run_line(f, block[0]);

	recording_expect_same(block[0], ran.answer.output->str, expected);
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

	blocks = recording_blocks();
	result = run_table("show", output, (int)blocks->len);
	g_ptr_array_unref(blocks);
	return result;
}
