/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words.c - splits a command line into words, by sh's rules for blanks, quotes,
 * backslashes and operators.  What the operators mean is command.c's matter. */
#include "iproute/words.h"

#include <string.h>

#include "iproute/command.h"

struct lexer {
	const char *line, *at;
	struct words *words;
	GString *text;  /* of the word that is being read */
	unsigned start; /* its column */
	bool in_word;
};

static unsigned
column_of(const struct lexer *l)
{
	return (unsigned)(l->at - l->line) + 1;
}

static void
begin_word(struct lexer *l)
{
	if (!l->in_word)
		l->start = column_of(l);
	l->in_word = true;
}

static void
add_word(struct lexer *l, const char *text, gsize length, bool is_operator)
{
	struct word w = {g_strndup(text, length), l->start, is_operator};

	g_array_append_val(l->words->array, w);
}

static void
end_word(struct lexer *l)
{
	if (l->in_word)
		add_word(l, l->text->str, l->text->len, false);
	g_string_truncate(l->text, 0);
	l->in_word = false;
}

/* The longest first. */
static const char *const operators[] = {"&>>", "<<<", "||", "&&", ">>", "<<", ">&", "<&", "&>",
					";;",  "|",   "&",  ";",  "<",  ">",  "(",  ")",  NULL};

static const char *
operator_at(const char *at)
{
	for (unsigned i = 0; operators[i]; i++)
		if (g_str_has_prefix(at, operators[i]))
			return operators[i];
	return NULL;
}

/* "2>" redirects stream 2: the number belongs to the operator. */
static bool
is_stream_number(const struct lexer *l)
{
	return l->in_word && l->text->len == 1 && g_ascii_isdigit(l->text->str[0]) &&
	       l->start + 1 == column_of(l) && (*l->at == '>' || *l->at == '<');
}

static void
take_operator(struct lexer *l, const char *op)
{
	g_autofree char *number = is_stream_number(l) ? g_strdup(l->text->str) : NULL;

	if (number)
		l->in_word = false;
	end_word(l);
	if (!number)
		l->start = column_of(l);
	l->at += strlen(op);

	g_autofree char *text = g_strconcat(number ? number : "", op, NULL);

	add_word(l, text, strlen(text), true);
}

static const char *
why_expanded(const struct lexer *l)
{
	switch (*l->at) {
	case '$':
	case '`':
		return "nothing is expanded here; write '\\$' for a dollar";
	case '*':
	case '?':
	case '[':
	case '{':
		return "patterns are not expanded here; put it in quotes";
	case '~':
	case '#':
		return l->in_word ? NULL : "it has a meaning in sh here; put it in quotes";
	default:
		return NULL;
	}
}

static bool fail(unsigned at, unsigned *column, GError **, const char *format, ...)
	G_GNUC_PRINTF(4, 5);

static bool
fail(unsigned at, unsigned *column, GError **error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (column)
		*column = at;
	if (error)
		*error = g_error_new_valist(COMMAND_ERROR, 0, format, args);
	va_end(args);
	return false;
}

static bool
take_single_quoted(struct lexer *l, unsigned *column, GError **error)
{
	const char *end = strchr(l->at + 1, '\'');

	if (!end)
		return fail(column_of(l), column, error, "the quote \"'\" is not closed");
	begin_word(l);
	g_string_append_len(l->text, l->at + 1, end - l->at - 1);
	l->at = end + 1;
	return true;
}

static bool
take_double_quoted(struct lexer *l, unsigned *column, GError **error)
{
	unsigned open = column_of(l);

	begin_word(l);
	for (l->at++; *l->at && *l->at != '"'; l->at++) {
		if (*l->at == '$' || *l->at == '`')
			return fail(column_of(l), column, error, "\"%c\": %s", *l->at,
				    why_expanded(l));
		if (*l->at == '\\' && l->at[1] && strchr("\"\\$`", l->at[1]))
			l->at++;
		g_string_append_c(l->text, *l->at);
	}
	if (!*l->at)
		return fail(open, column, error, "the quote '\"' is not closed");
	l->at++;
	return true;
}

static bool
take_plain(struct lexer *l, unsigned *column, GError **error)
{
	const char *why = why_expanded(l);

	if (why)
		return fail(column_of(l), column, error, "\"%c\": %s", *l->at, why);
	begin_word(l);
	if (*l->at == '\\' && l->at[1])
		l->at++;
	g_string_append_c(l->text, *l->at++);
	return true;
}

static bool
take_next(struct lexer *l, unsigned *column, GError **error)
{
	const char *op = operator_at(l->at);

	if (*l->at == ' ' || *l->at == '\t') {
		end_word(l);
		l->at++;
		return true;
	}
	if (op) {
		take_operator(l, op);
		return true;
	}
	if (*l->at == '\'')
		return take_single_quoted(l, column, error);
	if (*l->at == '"')
		return take_double_quoted(l, column, error);
	return take_plain(l, column, error);
}

static void
word_clear(void *data)
{
	g_free(((struct word *)data)->text);
}

bool
words_split(const char *line, struct words *words, unsigned *column, GError **error)
{
	const char *newline = strchr(line, '\n'); /* in quotes it would get into messages */
	struct lexer l = {.line = line, .at = line, .words = words};
	bool ok = true;

	if (newline)
		return fail((unsigned)(newline - line) + 1, column, error, "a command is one line");
	l.text = g_string_new(NULL);
	words->array = g_array_new(FALSE, FALSE, sizeof(struct word));
	g_array_set_clear_func(words->array, word_clear);
	while (ok && *l.at)
		ok = take_next(&l, column, error);
	if (ok)
		end_word(&l);
	words->end_column = column_of(&l);
	g_string_free(l.text, TRUE);
	if (!ok)
		words_clear(words);
	return ok;
}

void
words_clear(struct words *words)
{
	g_clear_pointer(&words->array, g_array_unref);
}
