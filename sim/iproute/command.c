/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.c - command lines as sh sees them: which program, its input, and what
 * becomes of its failure.  The programs are in ip.c, sysctl.c and here. */
#include "iproute/command.h"

#include <string.h>

#include "iproute/command-impl.h"
#include "iproute/rtnl.h"

GQuark
command_error_quark(void)
{
	return g_quark_from_static_string("command-error-quark");
}

bool
command_becomes(struct command *c, const struct command_type *type, void *data)
{
	c->type = type;
	c->data = data;
	return true;
}

/* true */

static void
true_run(struct process *p, const void *data)
{
}

static const struct command_type true_type = {.run = true_run};

static bool
true_parse(struct args *a, struct command *c, const char *input)
{
	a->at = a->end;
	return command_becomes(c, &true_type, NULL);
}

/* sleep */

#define SLEEP_MAX_S 1000000

static void
sleep_run(struct process *p, const void *data)
{
	task_sleep(p->kernel->engine, *(const uint64_t *)data);
}

static const struct command_type sleep_type = {.run = sleep_run, .free = g_free};

/* Decimal digits to picoseconds, exactly: no floating point. */
static bool
parse_seconds(const char *text, uint64_t *ps)
{
	uint64_t seconds = 0, fraction = 0, unit = PS_PER_S;
	unsigned digits = 0;

	for (; g_ascii_isdigit(*text) && seconds <= SLEEP_MAX_S; text++, digits++)
		seconds = seconds * 10 + (uint64_t)(*text - '0');
	if (*text == '.')
		for (text++; g_ascii_isdigit(*text); text++, digits++) {
			unit /= 10;
			fraction += (uint64_t)(*text - '0') * unit;
		}
	if (*text == 's')
		text++;
	*ps = seconds * PS_PER_S + fraction;
	return digits > 0 && !*text && *ps <= SLEEP_MAX_S * PS_PER_S;
}

static bool
sleep_parse(struct args *a, struct command *c, const char *input)
{
	uint64_t ps;

	if (!args_left(a))
		return args_error_next(a, "sleep: missing operand");
	if (!parse_seconds(args_take(a), &ps))
		return args_error(a,
				  "sleep: invalid time interval '%s': it takes seconds, 0 to %d, "
				  "with or without a fraction",
				  words_at(a->words, a->at - 1)->text, SLEEP_MAX_S);
	if (args_left(a)) {
		args_take(a);
		return args_not_simulated(a, "sleep with more than one interval");
	}
	return command_becomes(c, &sleep_type, g_memdup2(&ps, sizeof ps));
}

/* Programs. */

struct program {
	const char *name;
	bool (*parse)(struct args *, struct command *, const char *input);
};

static const struct program programs[] = {
	{"bridge", bridge_parse},
	{"cat", cat_parse},
	{"ip", ip_parse},
	{"mausezahn", mausezahn_parse},
	{"modprobe", modprobe_parse},
	{"netperf", netperf_parse},
	{"netserver", netserver_parse},
	{"sleep", sleep_parse},
	{"sysctl", sysctl_parse},
	{"tee", tee_parse},
	{"true", true_parse},
	{"udp4send", udp4send_parse},
	{"udp6send", udp6send_parse},
	{"udpsink", udpsink_parse},
	{NULL, NULL},
};

bool
program_parse(struct args *a, struct command *c, const char *input)
{
	const char *name;

	if (!args_left(a))
		return args_error_next(a, "a command is missing");
	name = args_take(a);
	for (const struct program *p = programs; p->name; p++) {
		c->program = p->name; /* 'ip netns exec' becomes what it executes */
		if (strcmp(name, p->name) == 0)
			return p->parse(a, c, input);
	}
	return args_error(
		a,
		"not simulated: the command \"%s\"; there are bridge, cat, ip, mausezahn, "
		"modprobe, netperf, netserver, sleep, sysctl, true, udp4send, udp6send, udpsink "
		"and 'echo ... | tee ...'",
		name);
}

/* The line. */

/* "> /dev/null", "2>/dev/null", "2>&1" and the like: accepted, and dropped. */
static bool
skip_redirection(struct args *a, const char *op)
{
	const char *target;

	if (!args_left(a) || words_at(a->words, a->at)->is_operator)
		return args_error_next(a, "a file is missing after \"%s\"", op);
	target = args_take(a);
	if (g_str_has_suffix(op, ">&") ? strcmp(target, "1") == 0 || strcmp(target, "2") == 0
				       : strcmp(target, "/dev/null") == 0)
		return true;
	return args_error(a, "not simulated: output to \"%s\"; only to /dev/null", target);
}

static bool
is_redirection(const struct word *w)
{
	static const char *const redirections[] = {">",  "1>",  "2>", ">>",  "1>>", "2>>",
						   "&>", "&>>", ">&", "1>&", "2>&", NULL};

	return w->is_operator && g_strv_contains(redirections, w->text);
}

/* The words of one simple command, up to an operator that ends it. */
static bool
take_simple(struct args *a, struct words *simple)
{
	while (args_left(a)) {
		const struct word *w = words_at(a->words, a->at);

		if (w->is_operator && !is_redirection(w))
			return true;
		a->at++;
		if (!w->is_operator)
			g_array_append_val(simple->array, *w);
		else if (!skip_redirection(a, w->text))
			return false;
	}
	return true;
}

/* 'echo V', on the left of a pipe: its words with one blank between them. */
static bool
echo_output(const struct words *simple, struct args *line, GString *output)
{
	struct args a = *line;

	a.words = simple;
	a.at = 0;
	a.end = simple->array->len;
	if (strcmp(args_take(&a), "echo") != 0)
		return args_not_simulated(&a, "a pipe from another command than echo");
	while (args_left(&a)) {
		const char *word = args_take(&a);

		if (a.at == 2 && *word == '-' && strspn(word + 1, "neE") == strlen(word + 1))
			return args_not_simulated(&a, "options of echo");
		g_string_append_printf(output, "%s%s", output->len ? " " : "", word);
	}
	return true;
}

static bool
wait_parse(struct args *a, struct command *c)
{
	args_take(a);
	if (args_left(a)) {
		args_take(a);
		return args_error(a, "not simulated: wait with arguments; alone it waits for all "
				     "commands in the background");
	}
	c->manner = COMMAND_WAIT;
	return command_becomes(c, &true_type, NULL);
}

/* A program, or what only the shell itself can do. */
static bool
parse_simple(const struct words *simple, const struct args *line, struct command *c,
	     const char *input)
{
	struct args a = *line;

	a.words = simple;
	a.at = 0;
	a.end = simple->array->len;
	if (!input && strcmp(args_peek(&a), "wait") == 0)
		return wait_parse(&a, c);
	return program_parse(&a, c, input);
}

/* The '&' was taken. */
static bool
parse_background(struct args *a, struct command *c)
{
	if (args_left(a))
		return args_error(a, "not simulated: \"&\" within a line; what follows it is a "
				     "command of its own");
	if (c->manner == COMMAND_WAIT)
		return args_not_simulated(a, "to wait in the background");
	c->manner = COMMAND_BACKGROUND;
	return true;
}

/* '|| true', '&' at the end, and nothing else may follow. */
static bool
parse_rest(struct args *a, struct command *c, struct words *simple)
{
	const char *op;

	if (!args_left(a))
		return true;
	op = args_take(a);
	if (strcmp(op, "&") == 0)
		return parse_background(a, c);
	if (strcmp(op, "||") != 0)
		return args_error(a, "not simulated: the shell's \"%s\"", op);
	g_array_set_size(simple->array, 0);
	if (!take_simple(a, simple))
		return false;
	if (simple->array->len == 0)
		return args_error_next(a, "\"true\" is missing after \"||\"");
	if (simple->array->len != 1 || strcmp(words_at(simple, 0)->text, "true") != 0)
		return args_not_simulated(a, "a command after \"||\" other than true");
	c->may_fail = true;
	return parse_rest(a, c, simple);
}

/* A simple command that must be there. */
static bool
need_simple(struct args *a, struct words *simple)
{
	static const char *const before[] = {"|", "||", "&", NULL};

	g_array_set_size(simple->array, 0);
	if (!take_simple(a, simple))
		return false;
	if (simple->array->len > 0)
		return true;
	if (args_left(a) && !g_strv_contains(before, args_peek(a)))
		return args_error_next(a, "not simulated: the shell's \"%s\"", args_peek(a));
	return args_error_next(a, "a command is missing");
}

static bool
parse_line(struct args *a, struct words *simple, GString *input, struct command *c)
{
	bool piped = false;

	if (!need_simple(a, simple))
		return false;
	if (args_left(a) && strcmp(args_peek(a), "|") == 0) {
		piped = true;
		if (!echo_output(simple, a, input))
			return false;
		a->at++;
		if (!need_simple(a, simple))
			return false;
	}
	return parse_simple(simple, a, c, piped ? input->str : NULL) && parse_rest(a, c, simple);
}

struct command *
command_parse(const char *line, unsigned *column, GError **error)
{
	struct words words, simple;
	struct command *c = g_new0(struct command, 1);
	struct args a = {.words = &words, .column = column, .error = error};
	g_autoptr(GString) input = g_string_new(NULL);
	bool ok;

	c->cpu = -1;
	if (!words_split(line, &words, column, error)) {
		g_free(c);
		return NULL;
	}
	a.end = words.array->len;
	simple.array = g_array_new(FALSE, FALSE, sizeof(struct word)); /* borrows the texts */
	simple.end_column = words.end_column;
	ok = parse_line(&a, &simple, input, c);
	words_clear(&simple);
	words_clear(&words);
	if (!ok)
		g_clear_pointer(&c, command_free);
	return c;
}

int
command_cpu(const struct command *c)
{
	return c->cpu;
}

const char *
command_program(const struct command *c)
{
	return c->program;
}

enum command_manner
command_manner(const struct command *c)
{
	return c->manner;
}

void
command_free(struct command *c)
{
	if (!c)
		return;
	if (c->type && c->type->free)
		c->type->free(c->data);
	g_free(c->netns);
	g_free(c);
}

void
command_run(const struct command *c, struct kernel *k, struct answer *answer)
{
	struct process p = {.kernel = k, .net = k->init_net, .answer = answer};

	answer->status = 0;
	if (c->netns)
		p.net = net_by_name(k, c->netns);
	if (p.net)
		c->type->run(&p, c->data);
	else
		process_fail(&p, 255,
			     "Cannot open network namespace \"%s\": No such file or directory\n",
			     c->netns);
	if (c->may_fail)
		answer->status = 0;
	for (unsigned i = 0; i < p.known_count; i++)
		g_free(p.known[i].name);
	process_rtnl_close(&p);
}
