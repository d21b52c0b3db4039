/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.c - figures and names as text; used by all reports of this folder.
 *
 * printf's floating point follows the locale, so it is not used here. */
#include "report/text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "engine/engine.h"

void
text_seconds(GString *out, uint64_t ps)
{
	char fraction[16];
	int len;

	len = g_snprintf(fraction, sizeof fraction, "%012" PRIu64, ps % PS_PER_S);
	while (len > 1 && fraction[len - 1] == '0')
		fraction[--len] = '\0';
	g_string_append_printf(out, "%" PRIu64 ".%s", ps / PS_PER_S, fraction);
}

void
text_real(GString *out, double value)
{
	char digits[G_ASCII_DTOSTR_BUF_SIZE], format[8];

	g_assert(isfinite(value));
	for (int precision = 1; precision <= 17; precision++) {
		g_snprintf(format, sizeof format, "%%.%dg", precision);
		g_ascii_formatd(digits, sizeof digits, format, value);
		if (g_ascii_strtod(digits, NULL) == value)
			break;
	}
	g_string_append(out, digits);
	if (!strpbrk(digits, ".e"))
		g_string_append(out, ".0");
}

static void
append_escaped(GString *out, char c)
{
	static const char plain[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
	const char *at = strchr(plain, c);

	if (at)
		g_string_append_printf(out, "\\%c", letter[at - plain]);
	else
		g_string_append_printf(out, "\\u%04x", (unsigned char)c);
}

void
text_json(GString *out, const char *s)
{
	g_autofree char *valid = s ? g_utf8_make_valid(s, -1) : NULL;

	if (!s) {
		g_string_append(out, "null");
		return;
	}
	g_string_append_c(out, '"');
	for (const char *c = valid; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == '"' || *c == '\\')
			append_escaped(out, *c);
		else
			g_string_append_c(out, *c);
	}
	g_string_append_c(out, '"');
}

void
text_csv(GString *out, const char *s)
{
	g_autofree char *valid = g_utf8_make_valid(s ? s : "", -1);

	if (!strpbrk(valid, ",\"\r\n")) {
		g_string_append(out, valid);
		return;
	}
	g_string_append_c(out, '"');
	for (const char *c = valid; *c; c++) {
		if (*c == '"')
			g_string_append_c(out, '"');
		g_string_append_c(out, *c);
	}
	g_string_append_c(out, '"');
}

const char *
text_decimals(char buf[TEXT_FIGURE], double value, unsigned decimals, unsigned width)
{
	char format[8];

	g_assert(isfinite(value) && width < TEXT_FIGURE - 1);
	g_snprintf(format, sizeof format, "%%.%uf", decimals);
	g_ascii_formatd(buf, TEXT_FIGURE, format, value);
	return strlen(buf) <= width ? buf : g_ascii_formatd(buf, TEXT_FIGURE, "%.0e", value);
}

/* Four digits and one of 'suffix', each of which is 'step' times the one
 * before; the first is for values as they are. */
static const char *
scaled(char buf[TEXT_FIGURE], double value, const char *const *suffix)
{
	char digits[TEXT_FIGURE];
	unsigned decimals = 2;

	while (value >= 999.95 && suffix[1]) {
		value /= 1000;
		suffix++;
	}
	if (value >= 99.995)
		decimals = 1;
	text_decimals(digits, value, decimals, TEXT_FIGURE - 2);
	g_snprintf(buf, TEXT_FIGURE, "%s %s", digits, *suffix);
	return buf;
}

static void
separated(char buf[TEXT_FIGURE], uint64_t n)
{
	char digits[TEXT_FIGURE];
	int len = g_snprintf(digits, sizeof digits, "%" PRIu64, n);

	for (int i = 0; i < len; i++) {
		*buf++ = digits[i];
		if (i + 1 < len && (len - 1 - i) % 3 == 0)
			*buf++ = ',';
	}
	*buf = '\0';
}

const char *
text_count(char buf[TEXT_FIGURE], uint64_t n, unsigned width)
{
	static const char *const suffix[] = {"", "k", "M", "G", "T", "P", "E", NULL};

	separated(buf, n);
	return strlen(buf) <= width ? buf : scaled(buf, (double)n, suffix);
}

const char *
text_duration(char buf[TEXT_FIGURE], uint64_t ps)
{
	static const char *const suffix[] = {"ps", "ns", "us", "ms", "s", "ks", "Ms", NULL};

	return ps == 0 ? strcpy(buf, "0 s") : scaled(buf, (double)ps, suffix);
}

static unsigned
columns(gunichar c)
{
	return g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
}

/* Valid UTF-8 in which nothing moves the cursor. */
static char *
printable(const char *s)
{
	g_autofree char *valid = g_utf8_make_valid(s, -1);
	GString *out = g_string_new(NULL);

	for (const char *c = valid; *c; c = g_utf8_next_char(c)) {
		gunichar u = g_utf8_get_char(c);

		g_string_append_unichar(out, g_unichar_isprint(u) ? u : '?');
	}
	return g_string_free(out, FALSE);
}

static unsigned
text_width(const char *s)
{
	unsigned width = 0;

	for (; *s; s = g_utf8_next_char(s))
		width += columns(g_utf8_get_char(s));
	return width;
}

/* Appends what fits, and returns its width. */
static unsigned
append_cut(GString *out, const char *s, unsigned width)
{
	unsigned used = 0;

	if (text_width(s) <= width) {
		g_string_append(out, s);
		return text_width(s);
	}
	for (; used + columns(g_utf8_get_char(s)) < width; s = g_utf8_next_char(s)) {
		g_string_append_unichar(out, g_utf8_get_char(s));
		used += columns(g_utf8_get_char(s));
	}
	g_string_append_c(out, '~');
	return used + 1;
}

static void
append_spaces(GString *out, unsigned n)
{
	g_string_append_printf(out, "%*s", (int)n, "");
}

void
text_left(GString *out, const char *s, unsigned width)
{
	g_autofree char *clean = printable(s);
	unsigned used = append_cut(out, clean, width);

	append_spaces(out, width - used);
}

void
text_right(GString *out, const char *s, unsigned width)
{
	g_autofree char *clean = printable(s);
	GString *cut = g_string_new(NULL);
	unsigned used = append_cut(cut, clean, width);

	append_spaces(out, width - used);
	g_string_append(out, cut->str);
	g_string_free(cut, TRUE);
}

void
text_newline(GString *out)
{
	while (out->len > 0 && out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
	g_string_append_c(out, '\n');
}

void
text_wrapped(GString *out, const char *label, const char *s, unsigned indent, unsigned width)
{
	g_autofree char *clean = printable(s);
	g_auto(GStrv) words = g_strsplit(clean, " ", -1);
	unsigned at = indent;

	text_left(out, label, indent);
	for (char **word = words; *word; word++) {
		bool first = at == indent;

		if (!first && at + 1 + text_width(*word) > width) {
			text_newline(out);
			append_spaces(out, indent);
			at = indent;
			first = true;
		}
		if (!first)
			g_string_append_c(out, ' ');
		at += !first + append_cut(out, *word, width - indent);
	}
	text_newline(out);
}
