/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reader.c - checks the types of JSON values, and says what is wrong with one. */
#include "data/reader.h"

#include <string.h>

#include "data/document.h"

struct node
reader_child(struct node *object, const char *key, json_t *value)
{
	return (struct node){.place = {.up = &object->place, .key = key}, .json = value};
}

struct node
reader_member(struct node *object, const char *key)
{
	return reader_child(object, key, json_object_get(object->json, key));
}

struct node
reader_elements(struct node *array)
{
	return (struct node){.place = {.up = &array->place, .index = 0}};
}

bool
reader_next(struct node *array, struct node *element)
{
	if (element->json)
		element->place.index++;
	element->json = json_array_get(array->json, element->place.index);
	return element->json != NULL;
}

void
reader_position(struct reader *r, struct node *n, unsigned *line, unsigned *column)
{
	position_line_column(&r->text, position_of_value(&r->text, &n->place), line, column);
}

G_GNUC_PRINTF(3, 0)
static bool
fail_at(struct reader *r, const char *at, const char *format, va_list args)
{
	g_autofree char *what = g_strdup_vprintf(format, args);
	unsigned line, column;

	position_line_column(&r->text, at, &line, &column);
	g_set_error(r->error, DATA_ERROR, DATA_ERROR_TEXT, "%s:%u:%u: %s", r->file, line, column,
		    what);
	return false;
}

bool
reader_fail(struct reader *r, struct node *n, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fail_at(r, position_of_value(&r->text, &n->place), format, args);
	va_end(args);
	return false;
}

bool
reader_fail_key(struct reader *r, struct node *n, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fail_at(r, position_of_key(&r->text, &n->place), format, args);
	va_end(args);
	return false;
}

bool
reader_fail_in(struct reader *r, struct node *n, size_t at, const char *format, ...)
{
	const char *quote = position_of_value(&r->text, &n->place);
	va_list args;

	va_start(args, format);
	fail_at(r, position_in_string(quote, at), format, args);
	va_end(args);
	return false;
}

static const char *
kind_of(const json_t *value)
{
	static const char *const names[] = {
		[JSON_OBJECT] = "an object",
		[JSON_ARRAY] = "an array",
		[JSON_STRING] = "a string",
		[JSON_INTEGER] = "an integer",
		[JSON_REAL] = "a number that is no integer",
		[JSON_TRUE] = "true",
		[JSON_FALSE] = "false",
		[JSON_NULL] = "null",
	};

	return names[json_typeof(value)];
}

static bool
unknown_member(struct reader *r, struct node *member, const char *what, const char *const *known)
{
	g_autofree char *names = g_strjoinv(", ", (char **)known);

	return reader_fail_key(r, member, "unknown member \"%.80s\" of %s; known are %s",
			       member->place.key, what, names);
}

bool
reader_object(struct reader *r, struct node *n, const char *what, const char *const *known)
{
	const char *key;
	json_t *value;

	if (!n->json)
		return true;
	if (!json_is_object(n->json))
		return reader_fail(r, n, "%s is an object, not %s", what, kind_of(n->json));
	json_object_foreach(n->json, key, value)
	{
		if (known && !g_strv_contains(known, key)) {
			struct node member = reader_child(n, key, value);

			return unknown_member(r, &member, what, known);
		}
	}
	return true;
}

bool
reader_array(struct reader *r, struct node *n, const char *what)
{
	if (!n->json)
		return true;
	if (!json_is_array(n->json))
		return reader_fail(r, n, "%s is an array, not %s", what, kind_of(n->json));
	if (json_array_size(n->json) == 0)
		return reader_fail(r, n, "%s must not be empty", what);
	return true;
}

bool
reader_needs(struct reader *r, struct node *object, const char *what, const char *key)
{
	if (json_object_get(object->json, key))
		return true;
	return reader_fail(r, object, "%s needs a member \"%s\"", what, key);
}

bool
reader_line(struct reader *r, struct node *n, const char *text, unsigned max)
{
	glong length = g_utf8_strlen(text, -1);

	if (length == 0 || length > (glong)max)
		return reader_fail(r, n, "a text of %ld characters; 1 to %u are allowed", length,
				   max);
	for (const char *p = text; *p != '\0'; p++) {
		if (g_ascii_iscntrl(*p))
			return reader_fail_in(
				r, n, (size_t)(p - text),
				"a control character; this is one line of plain text");
	}
	return true;
}

bool
reader_text(struct reader *r, struct node *n, unsigned max, char **value)
{
	if (!n->json)
		return true;
	if (!json_is_string(n->json))
		return reader_fail(r, n, "\"%s\" is a string, not %s", n->place.key,
				   kind_of(n->json));
	if (!reader_line(r, n, json_string_value(n->json), max))
		return false;
	g_free(*value);
	*value = g_strdup(json_string_value(n->json));
	return true;
}

bool
reader_bool(struct reader *r, struct node *n, bool *value)
{
	if (!n->json)
		return true;
	if (!json_is_boolean(n->json))
		return reader_fail(r, n, "\"%s\" is true or false, not %s", n->place.key,
				   kind_of(n->json));
	*value = json_is_true(n->json);
	return true;
}

bool
reader_integer(struct reader *r, struct node *n, json_int_t min, json_int_t max, json_int_t *value)
{
	json_int_t number;

	if (!n->json)
		return true;
	if (!json_is_integer(n->json))
		return reader_fail(r, n, "\"%s\" is an integer, not %s", n->place.key,
				   kind_of(n->json));
	number = json_integer_value(n->json);
	if (number < min || number > max)
		return reader_fail(r, n,
				   "\"%s\" is %" JSON_INTEGER_FORMAT
				   "; it must be %" JSON_INTEGER_FORMAT " to %" JSON_INTEGER_FORMAT,
				   n->place.key, number, min, max);
	*value = number;
	return true;
}
