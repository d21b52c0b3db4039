/* SPDX-License-Identifier: GPL-2.0-or-later */
/* args.c - taking words one after the other, and saying which one is wrong. */
#include "iproute/args.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "iproute/command.h"

static void set_error(struct args *, unsigned word, const char *format, va_list)
	G_GNUC_PRINTF(3, 0);

static void
set_error(struct args *a, unsigned word, const char *format, va_list list)
{
	if (a->column)
		*a->column = word < a->words->array->len ? words_at(a->words, word)->column
							 : a->words->end_column;
	if (a->error)
		*a->error = g_error_new_valist(COMMAND_ERROR, 0, format, list);
}

bool
args_error(struct args *a, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	set_error(a, a->at - 1, format, list);
	va_end(list);
	return false;
}

bool
args_error_next(struct args *a, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	set_error(a, a->at, format, list);
	va_end(list);
	return false;
}

bool
args_error_at(struct args *a, unsigned word, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	set_error(a, word, format, list);
	va_end(list);
	return false;
}

bool
args_value(struct args *a, const char **value)
{
	if (!args_left(a))
		return args_error_next(a, "Command line is not complete. Try option \"help\"");
	*value = args_take(a);
	return true;
}

bool
args_string(struct args *a, char **value)
{
	const char *text;

	if (!args_value(a, &text))
		return false;
	g_free(*value);
	*value = g_strdup(text);
	return true;
}

bool
args_wrong(struct args *a, const char *what)
{
	return args_error(a, "Error: argument \"%s\" is wrong: %s",
			  words_at(a->words, a->at - 1)->text, what);
}

bool
args_duplicate(struct args *a, const char *key)
{
	return args_error(a, "Error: duplicate \"%s\": \"%s\" is the second value.", key,
			  words_at(a->words, a->at - 1)->text);
}

bool
args_garbage(struct args *a, const char *key)
{
	return args_error(a, "Error: either \"%s\" is duplicate, or \"%s\" is a garbage.", key,
			  words_at(a->words, a->at - 1)->text);
}

bool
args_not_simulated(struct args *a, const char *what)
{
	return args_error(a, "not simulated: %s", what);
}

bool
args_abbreviates(const char *word, const char *name)
{
	return *word && g_str_has_prefix(name, word);
}

bool
args_number(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
	char *end;
	uint64_t number;

	/* strtoull() would take a sign and wrap around. */
	if (!g_ascii_isdigit(*text))
		return false;
	errno = 0;
	number = g_ascii_strtoull(text, &end, 0);
	if (errno || *end || number < min || number > max)
		return false;
	*value = number;
	return true;
}

bool
args_on_off(struct args *a, const char *key, bool *on)
{
	const char *text = NULL;

	if (!args_value(a, &text))
		return false;
	*on = strcmp(text, "on") == 0;
	if (*on || strcmp(text, "off") == 0)
		return true;
	return args_error(a, "Error: argument of \"%s\" must be \"on\" or \"off\", not \"%s\"", key,
			  text);
}

static bool
is_hex_byte(const char *part)
{
	size_t len = strlen(part);

	return len >= 1 && len <= 2 && strspn(part, "0123456789abcdefABCDEF") == len;
}

static bool
bytes_of_dotted(const char *text, uint8_t *addr, unsigned max, unsigned *len)
{
	g_auto(GStrv) parts = g_strsplit(text, ".", -1);
	uint64_t byte;

	for (*len = 0; parts[*len]; (*len)++) {
		if (!args_number(parts[*len], 0, 255, &byte))
			return false;
		if (*len < max)
			addr[*len] = (uint8_t)byte;
	}
	return *len == 4;
}

bool
args_lladdr(struct args *a, const char *text, uint8_t *addr, unsigned max, unsigned *len)
{
	g_auto(GStrv) parts = g_strsplit(text, ":", -1);

	if (strchr(text, '.') && bytes_of_dotted(text, addr, max, len))
		return true;
	for (*len = 0; parts[*len]; (*len)++) {
		if (!is_hex_byte(parts[*len]))
			return args_error(a, "\"%s\" is invalid lladdr.", parts[*len]);
		if (*len < max)
			addr[*len] = (uint8_t)strtoul(parts[*len], NULL, 16);
	}
	return true;
}

const struct keyword *
keyword_find(const struct keyword *table, const char *word)
{
	for (const struct keyword *k = table; k->name; k++)
		if (k->exact ? strcmp(word, k->name) == 0 : args_abbreviates(word, k->name))
			return k;
	return NULL;
}

bool
keyword_run(const struct keyword *k, struct args *a, const char *name, void *data)
{
	args_take(a);
	if (k->parse)
		return k->parse(a, data, k);
	return args_error(a, "not simulated: \"%s\" of %s", k->name, name);
}
