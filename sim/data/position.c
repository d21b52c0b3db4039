/* SPDX-License-Identifier: GPL-2.0-or-later */
/* position.c - finds values in a JSON text.
 *
 * The text is known to be valid, so skipping over a value is counting brackets
 * outside strings.  Nothing here recurses by the depth of the text, and nothing
 * passes its final NUL. */
#include "data/position.h"

#include <glib.h>
#include <string.h>

#define SPACE " \t\n\r"

static const char *
skip_space(const char *p)
{
	return p + strspn(p, SPACE);
}

static const char *
skip_string(const char *p)
{
	for (p++; *p != '\0' && *p != '"'; p++) {
		if (*p == '\\' && p[1] != '\0')
			p++;
	}
	return *p != '\0' ? p + 1 : p;
}

static const char *
skip_value(const char *p)
{
	size_t depth = 0;

	do {
		p = skip_space(p);
		if (*p == '"') {
			p = skip_string(p);
		} else if (*p != '\0' && strchr("{[", *p)) {
			depth++;
			p++;
		} else if (*p != '\0' && strchr("}]", *p)) {
			depth--;
			p++;
		} else if (*p != '\0' && strchr(",:", *p)) {
			p++;
		} else {
			p += strcspn(p, SPACE ",:\"[]{}");
		}
	} while (depth > 0 && *p != '\0');
	return p;
}

/* Past the comma behind the value at 'p', or at the closing bracket. */
static const char *
skip_element(const char *p)
{
	p = skip_space(skip_value(p));
	return *p == ',' ? skip_space(p + 1) : p;
}

static unsigned
hex4(const char *p)
{
	unsigned value = 0;

	for (unsigned i = 0; i < 4 && g_ascii_isxdigit(p[i]); i++)
		value = value << 4 | (unsigned)g_ascii_xdigit_value(p[i]);
	return value;
}

/* \uXXXX, twice for a character outside the basic plane. */
static unsigned
decode_unicode(const char **p, char *utf8)
{
	gunichar c = hex4(*p + 2);

	*p += 6;
	if (c >= 0xd800 && c < 0xdc00 && (*p)[0] == '\\' && (*p)[1] == 'u') {
		c = 0x10000 + ((c - 0xd800) << 10) + (hex4(*p + 2) - 0xdc00);
		*p += 6;
	}
	return (unsigned)g_unichar_to_utf8(c, utf8);
}

/* One character of a string, as it was meant; returns its length in bytes. */
static unsigned
decode(const char **p, char utf8[6])
{
	static const char escapes[] = "b\bf\fn\nr\rt\t";
	unsigned length;

	if (**p != '\\') {
		length = (unsigned)g_utf8_skip[(unsigned char)**p];
		memcpy(utf8, *p, length);
		*p += length;
		return length;
	}
	if ((*p)[1] == 'u')
		return decode_unicode(p, utf8);
	utf8[0] = (*p)[1];
	for (const char *e = escapes; *e != '\0'; e += 2) {
		if (*e == (*p)[1])
			utf8[0] = e[1];
	}
	*p += 2;
	return 1;
}

static bool
string_is(const char *quote, const char *want)
{
	const char *p = quote + 1;
	char utf8[6];

	while (*p != '"' && *p != '\0') {
		unsigned length = decode(&p, utf8);

		if (strncmp(want, utf8, length) != 0)
			return false;
		want += length;
	}
	return *want == '\0';
}

static const char *
find_key(const char *object, const char *key)
{
	const char *p = skip_space(object + 1);

	while (*p == '"') {
		if (string_is(p, key))
			return p;
		p = skip_element(skip_space(skip_string(p)) + 1);
	}
	return object;
}

static const char *
find_element(struct place *place, const char *array)
{
	if (!place->found || place->found_index > place->index) {
		place->found = skip_space(array + 1);
		place->found_index = 0;
	}
	for (; place->found_index < place->index; place->found_index++)
		place->found = skip_element(place->found);
	return place->found;
}

const char *
position_of_key(const struct position_text *text, struct place *place)
{
	g_assert(place->key);
	if (!place->found)
		place->found = find_key(position_of_value(text, place->up), place->key);
	return place->found;
}

const char *
position_of_value(const struct position_text *text, struct place *place)
{
	if (!place->up)
		return skip_space(text->text);
	if (!place->key)
		return find_element(place, position_of_value(text, place->up));
	return skip_space(skip_space(skip_string(position_of_key(text, place))) + 1);
}

const char *
position_in_string(const char *quote, size_t at)
{
	const char *p = quote + 1;
	char utf8[6];

	while (at > 0 && *p != '"' && *p != '\0') {
		size_t length = decode(&p, utf8);

		at -= MIN(at, length);
	}
	return p;
}

void
position_line_column(struct position_text *text, const char *at, unsigned *line, unsigned *column)
{
	const char *p = text->text + text->offset;

	if (text->line == 0 || p > at) {
		p = text->text;
		text->line = text->column = 1;
	}
	for (; p < at; p++) {
		if (*p == '\n') {
			text->line++;
			text->column = 1;
		} else if (((unsigned char)*p & 0xc0) != 0x80) {
			text->column++;
		}
	}
	text->offset = (size_t)(at - text->text);
	*line = text->line;
	*column = text->column;
}
