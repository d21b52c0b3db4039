/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test-machine.c - recorded/setup.txt run on the simulated kernel: ip must then
 * print what it printed on the real one. */
#include "recording.h"

#include "net/kernel.h"

/* One command that shows, what it should print, and what it did. */
struct shown {
	char *line, *expected;
	GString *output;
};

static GPtrArray *shows;
static struct kernel *kernel;

static void
run_one(const char *line, struct answer *answer)
{
	GError *error = NULL;
	struct command *c = command_parse(line, NULL, &error);

	if (!c)
		g_error("%s: %s", line, error->message);
	command_run(c, kernel, answer);
	command_free(c);
}

static void
set_up(void)
{
	g_autofree char *text = recording_read("setup.txt");
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (unsigned i = 0; lines[i]; i++) {
		struct answer answer = {.output = g_string_new(NULL), .error = g_string_new(NULL)};

		if (*lines[i])
			run_one(lines[i], &answer);
		if (answer.status)
			g_error("%s: %s", lines[i], answer.error->str);
		g_string_free(answer.output, TRUE);
		g_string_free(answer.error, TRUE);
	}
}

static void
user(void *data)
{
	kernel_boot(kernel);
	set_up();
	for (unsigned i = 0; i < shows->len; i++) {
		struct shown *s = g_ptr_array_index(shows, i);
		struct answer answer = {.output = s->output, .error = g_string_new(NULL)};

		run_one(s->line, &answer);
		g_string_free(answer.error, TRUE);
	}
}

static void
run_machine(void)
{
	struct engine *engine =
		engine_new(&(struct engine_config){.cpus = 2, .grace_ps = PS_PER_MS});

	kernel = kernel_new(&(struct kernel_config){
		.engine = engine,
		.options = {.version = KERNEL_6_1, .gvrp = true, .mvrp = true},
		.seed = 1});
	task_detach(task_start(engine, "user", user, NULL));
	if (!engine_run(engine, NULL))
		g_error("the engine stopped");
	kernel_free(kernel);
	engine_free(engine);
}

static void
shown_free(void *data)
{
	struct shown *s = data;

	g_free(s->line);
	g_free(s->expected);
	g_string_free(s->output, TRUE);
	g_free(s);
}

static void
read_shows(void)
{
	GPtrArray *blocks = recording_blocks();

	shows = g_ptr_array_new_with_free_func(shown_free);
	for (unsigned i = 0; i < blocks->len; i++) {
		g_auto(GStrv) block = g_strsplit(g_ptr_array_index(blocks, i), "\n", 2);
		struct shown *s;

		s = g_new0(struct shown, 1);
		s->line = g_strdup(block[0]);
		s->expected = recording_modelled(block[1] ? block[1] : "");
		s->output = g_string_new(NULL);
		g_ptr_array_add(shows, s);
	}
	g_ptr_array_unref(blocks);
}

START_TEST(prints_the_same)
{
	const struct shown *s = g_ptr_array_index(shows, _i);

	recording_expect_same(s->line, s->output->str, s->expected);
}
END_TEST

int
main(void)
{
	int result;

	read_shows();
	run_machine();
	result = run_table("machine", prints_the_same, (int)shows->len);
	g_ptr_array_unref(shows);
	return result;
}
