/* SPDX-License-Identifier: GPL-2.0-or-later */
/* script.c - writes a scenario as a bash script for a real kernel: a function a
 * phase, loops as loops, the commands as they are in the file. */
#include <string.h>

#include "scenario/expression.h"
#include "scenario/scenario.h"
#include "scenario/script-tools.h"
#include "scenario/template.h"

#define WIDTH 78

/* How bash sees the next character of a command. */
struct quoting {
	char quote;  /* '\'', '"' or 0 */
	bool escape; /* behind a backslash that has not been written yet */
};

/* 'line' as it is, in a comment that is wrapped between words. */
static void
comment(GString *out, const char *label, const char *text)
{
	g_autofree char *line = g_strconcat(label, text, NULL);
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	glong column = WIDTH;

	for (char **word = words; *word; word++) {
		glong width = g_utf8_strlen(*word, -1);

		if (column + 1 + width > WIDTH) {
			g_string_append(out, word == words ? "#" : "\n#");
			column = 1;
		}
		g_string_append_printf(out, " %s", *word);
		column += 1 + width;
	}
	g_string_append_c(out, '\n');
}

static void
append_char(GString *out, struct quoting *q, char c)
{
	if (q->escape) {
		g_string_append_printf(out, "\\%c", c);
		q->escape = false;
		return;
	}
	if (c == '\\' && q->quote != '\'') {
		q->escape = true;
		return;
	}
	if (q->quote == c)
		q->quote = 0;
	else if (!q->quote && (c == '\'' || c == '"'))
		q->quote = c;
	g_string_append_c(out, c);
}

static void
append_dollar(GString *out, struct quoting *q)
{
	g_string_append(out, q->quote == '\'' ? "$" : "\\$");
	q->escape = false;
}

/* What bash replaces by a number needs no quotes; but between single ones it would
 * be none. */
static void
append_value(GString *out, struct quoting *q, const char *text)
{
	bool single = q->quote == '\'';

	if (q->escape && q->quote)
		g_string_append(out, "\\\\");
	q->escape = false;
	g_string_append_printf(out, "%s%s%s", single ? "'\"" : "", text, single ? "\"'" : "");
}

/* "$i", "${i}" where that was written, "$((i + 1))", "$(mac3 $((i + 1)))" */
static void
append_piece(GString *out, struct quoting *q, const struct piece *piece)
{
	g_autoptr(GString) text = g_string_new("$");
	bool brace = piece->start[-1] == '{';

	if (piece->kind == PIECE_VARIABLE) {
		g_string_append_printf(text, "%s%.*s%s", brace ? "{" : "", (int)piece->length,
				       piece->start, brace ? "}" : "");
	} else {
		if (piece->mac > 0)
			g_string_append_printf(text, "(mac%u $", piece->mac);
		g_string_append(text, "((");
		expression_append(piece->start, piece->length, text);
		g_string_append(text, piece->mac > 0 ? ")))" : "))");
	}
	append_value(out, q, text->str);
}

static void
append_command(GString *out, const char *text)
{
	struct quoting q = {.quote = 0};

	for (;;) {
		struct piece piece = template_next(&text);

		if (piece.kind == PIECE_END)
			return;
		if (piece.kind == PIECE_VARIABLE || piece.kind == PIECE_EXPRESSION)
			append_piece(out, &q, &piece);
		else if (*piece.start == '$')
			append_dollar(out, &q);
		else
			for (size_t i = 0; i < piece.length; i++)
				append_char(out, &q, piece.start[i]);
	}
}

/* A loop's bound in bash's arithmetic, where 010 is eight. */
static void
append_bound(GString *out, const char *text)
{
	const char *p = text;
	struct piece piece = template_next(&p);

	if (piece.kind == PIECE_VARIABLE)
		g_string_append_len(out, piece.start, (gssize)piece.length);
	else if (piece.kind == PIECE_EXPRESSION)
		expression_append(piece.start, piece.length, out);
	else
		g_string_append_printf(out, "%" G_GINT64_FORMAT, g_ascii_strtoll(text, NULL, 10));
}

static void
indent(GString *out, unsigned depth)
{
	while (depth-- > 0)
		g_string_append_c(out, '\t');
}

static void
append_loops(GString *out, const struct phase *phase)
{
	for (unsigned i = 0; i < phase->loops->len; i++) {
		const struct loop *loop = g_ptr_array_index(phase->loops, i);

		indent(out, i + 1);
		g_string_append_printf(out, "for ((%s = ", loop->variable);
		append_bound(out, loop->first);
		g_string_append_printf(out, "; %s <= ", loop->variable);
		append_bound(out, loop->last);
		g_string_append_printf(out, "; %s++)); do\n", loop->variable);
	}
}

static bool
is_setup(const struct phase *phase)
{
	return strcmp(phase->name, "setup") == 0;
}

/* "setup", or "phase_1" and so on. */
static void
append_name(GString *out, const struct scenario *s, unsigned at)
{
	if (is_setup(g_ptr_array_index(s->phases, at)))
		g_string_append(out, "setup");
	else
		g_string_append_printf(out, "phase_%u", at + !is_setup(s->phases->pdata[0]));
}

/* "COMMAND || true & jobs+=($!)" */
static void
append_step(GString *out, const struct step *step, bool may_fail)
{
	append_command(out, step->text);
	if (step->background) {
		g_string_truncate(out, strlen(g_strchomp(out->str)) - strlen("&"));
		g_string_truncate(out, strlen(g_strchomp(out->str)));
	}
	if (may_fail)
		g_string_append(out, " || true");
	g_string_append(out, step->background ? " & jobs+=($!)\n" : "\n");
}

static bool
phase_has_background(const struct phase *phase)
{
	for (unsigned i = 0; i < phase->steps->len; i++) {
		if (((const struct step *)g_ptr_array_index(phase->steps, i))->background)
			return true;
	}
	return false;
}

static bool
has_background(const struct scenario *s)
{
	for (unsigned i = 0; i < s->phases->len; i++) {
		if (phase_has_background(g_ptr_array_index(s->phases, i)))
			return true;
	}
	return false;
}

static void
append_function(GString *out, const struct scenario *s, unsigned at)
{
	const struct phase *phase = g_ptr_array_index(s->phases, at);
	unsigned depth = phase->loops->len;

	g_string_append_c(out, '\n');
	append_name(out, s, at);
	g_string_append(out, "()\n{\n");
	append_loops(out, phase);
	for (unsigned i = 0; i < phase->steps->len; i++) {
		const struct step *step = g_ptr_array_index(phase->steps, i);

		indent(out, depth + 1);
		append_step(out, step, step->may_fail || phase->keep_going);
	}
	for (; depth > 0; depth--) {
		indent(out, depth);
		g_string_append(out, "done\n");
	}
	if (phase_has_background(phase))
		g_string_append(out, "\twait\n");
	if (phase->until_idle)
		g_string_append(out, "\twait_idle\n");
	g_string_append(out, "}\n");
}

static const char wait_idle[] =
	"\n"
	"# Returns when the namespaces deleted so far have lost their devices.  They are\n"
	"# taken down in order, behind the caller: the end of one more of them tells.\n"
	"wait_idle()\n"
	"{\n"
	"\tip netns add sim-idle\n"
	"\tip link add sim-idle0 type veth peer name sim-idle1 netns sim-idle\n"
	"\tip netns del sim-idle\n"
	"\twhile ip link show dev sim-idle0 >/dev/null 2>&1; do\n"
	"\t\tsleep 0.1\n"
	"\tdone\n"
	"}\n";

static const char wait_all[] = "\n"
			       "# Waits for what is in the background, and fails if that did.\n"
			       "jobs=()\n"
			       "wait()\n"
			       "{\n"
			       "\tlocal job status=0\n"
			       "\tfor job in \"${jobs[@]}\"; do\n"
			       "\t\tbuiltin wait \"$job\" || status=$?\n"
			       "\tdone\n"
			       "\tjobs=()\n"
			       "\treturn \"$status\"\n"
			       "}\n";

static bool
needs_wait_idle(const struct scenario *s)
{
	for (unsigned i = 0; i < s->phases->len; i++) {
		if (((const struct phase *)g_ptr_array_index(s->phases, i))->until_idle)
			return true;
	}
	return false;
}

static void
append_settle(GString *out, const struct phase *phase, unsigned depth)
{
	if (!phase->settle)
		return;
	indent(out, depth);
	g_string_append(out, "sleep ");
	append_command(out, phase->settle);
	g_string_append_c(out, '\n');
}

static void
append_previous(GString *out, const struct scenario *s)
{
	if (s->phases->len < 2)
		return;
	g_string_append(out,
			"\n# When this run starts, the namespace of an earlier one is there.\n{\n");
	for (unsigned i = 0; i + 1 < s->phases->len; i++) {
		const struct phase *phase = g_ptr_array_index(s->phases, i);

		indent(out, 1);
		append_name(out, s, i);
		g_string_append_c(out, '\n');
		append_settle(out, phase, 1);
	}
	g_string_append(out, "} >/dev/null\n");
}

static void
append_run(GString *out, const struct scenario *s)
{
	for (unsigned i = 0; i < s->phases->len; i++) {
		const struct phase *phase = g_ptr_array_index(s->phases, i);
		g_autofree char *name = g_shell_quote(phase->name);

		g_string_append_c(out, '\n');
		if (!is_setup(phase))
			g_string_append_printf(out, "echo %s\ntime -p ", name);
		append_name(out, s, i);
		g_string_append_c(out, '\n');
		append_settle(out, phase, 0);
	}
}

/* The namespaces that 'ip netns add' makes outside loops, each once, as a command to
 * delete them. */
static void
append_hint(GString *out, const struct scenario *s)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);

	for (unsigned i = 0; i < s->phases->len; i++) {
		const struct phase *phase = g_ptr_array_index(s->phases, i);

		for (unsigned j = 0; j < phase->steps->len; j++) {
			const struct step *step = g_ptr_array_index(phase->steps, j);
			g_auto(GStrv) words = g_strsplit(step->text, " ", 5);

			if (g_str_has_prefix(step->text, "ip netns add ") &&
			    !strchr(words[3], '$') &&
			    !g_ptr_array_find_with_equal_func(names, words[3], g_str_equal, NULL))
				g_ptr_array_add(names, g_strdup(words[3]));
		}
	}
	for (unsigned i = 0; i < names->len; i++)
		comment(out, "If it stops half-way: ip netns del ", g_ptr_array_index(names, i));
}

static bool
piece_uses(const struct piece *piece, const char *name)
{
	const char *p = piece->start, *end = p + piece->length, *found;
	size_t length;

	if (piece->kind != PIECE_VARIABLE && piece->kind != PIECE_EXPRESSION)
		return false;
	while ((length = expression_next_name(&p, end, &found)) > 0) {
		if (strlen(name) == length && memcmp(found, name, length) == 0)
			return true;
	}
	return false;
}

static bool
text_uses(const char *text, const char *name)
{
	while (text) {
		struct piece piece = template_next(&text);

		if (piece.kind == PIECE_END)
			break;
		if (piece_uses(&piece, name))
			return true;
	}
	return false;
}

static bool
phase_uses(const struct phase *phase, const char *name)
{
	for (unsigned i = 0; i < phase->loops->len; i++) {
		const struct loop *loop = g_ptr_array_index(phase->loops, i);

		if (text_uses(loop->first, name) || text_uses(loop->last, name))
			return true;
	}
	for (unsigned i = 0; i < phase->steps->len; i++) {
		if (text_uses(((const struct step *)g_ptr_array_index(phase->steps, i))->text,
			      name))
			return true;
	}
	return text_uses(phase->settle, name);
}

static bool
scenario_uses(const struct scenario *s, const char *name)
{
	for (unsigned i = 0; i < s->phases->len; i++) {
		if (phase_uses(g_ptr_array_index(s->phases, i), name))
			return true;
	}
	return false;
}

/* Only those that commands refer to: others are about the simulated kernel. */
static void
append_params(GString *out, const struct scenario *s)
{
	const char *name, *blank = "\n";
	json_t *value;

	json_object_foreach(s->params, name, value)
	{
		if (!scenario_uses(s, name))
			continue;
		g_string_append_printf(out, "%s%s=%" JSON_INTEGER_FORMAT "\n", blank, name,
				       json_integer_value(value));
		blank = "";
	}
}

static bool
text_has_mac(const char *text, unsigned bytes)
{
	for (;;) {
		struct piece piece = template_next(&text);

		if (piece.kind == PIECE_END)
			return false;
		if (piece.mac == bytes)
			return true;
	}
}

static bool
scenario_has_mac(const struct scenario *s, unsigned bytes)
{
	for (unsigned i = 0; i < s->phases->len; i++) {
		const struct phase *phase = g_ptr_array_index(s->phases, i);

		for (unsigned j = 0; j < phase->steps->len; j++) {
			const struct step *step = g_ptr_array_index(phase->steps, j);

			if (text_has_mac(step->text, bytes))
				return true;
		}
	}
	return false;
}

/* "mac3 NUMBER", for those sizes that there are. */
static void
append_macs(GString *out, const struct scenario *s)
{
	const char *title = "\n# The lowest bytes of a number, as in a MAC address.\n";

	for (unsigned bytes = 1; bytes <= TEMPLATE_MAC_MAX; bytes++) {
		if (!scenario_has_mac(s, bytes))
			continue;
		g_string_append_printf(out, "%smac%u() { printf '%%02x", title, bytes);
		for (unsigned i = 1; i < bytes; i++)
			g_string_append(out, ":%02x");
		g_string_append_c(out, '\'');
		for (unsigned i = bytes; i-- > 0;)
			g_string_append_printf(out, " $(($1 >> %u & 255))", 8 * i);
		g_string_append(out, "; }\n");
		title = "";
	}
}

void
scenario_script(const struct scenario *s, GString *out)
{
	g_string_append(out, "#!/bin/bash\n");
	g_string_append_printf(out, "# %s\n", s->name);
	if (s->about)
		comment(out, "", s->about);
	if (s->source)
		comment(out, "Source: ", s->source);
	g_string_append(
		out,
		"#\n# Written by 'sim script'.  Needs root, iproute2, and a machine to spare.\n");
	append_hint(out, s);
	g_string_append(out, "\nset -e -f\n");
	append_params(out, s);
	append_macs(out, s);
	if (has_background(s))
		g_string_append(out, wait_all);
	if (needs_wait_idle(s))
		g_string_append(out, wait_idle);
	script_append_tools(out, s);
	for (unsigned i = 0; i < s->phases->len; i++)
		append_function(out, s, i);
	if (s->previous_namespace)
		append_previous(out, s);
	append_run(out, s);
}
