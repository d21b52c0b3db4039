/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.h - figures and names as text, the same in every locale.
 *
 * Names come from files and may be anything: for machines they are escaped,
 * for people they are made printable and cut to the width of a column. */
#pragma once

#include <glib.h>
#include <inttypes.h>
#include <stdint.h>

/* Exact, as short as it can be, with a decimal point: "108.35", "0.0". */
void text_seconds(GString *out, uint64_t ps);

/* The shortest digits that read back as the same value, with a decimal point
 * or an exponent.  Finite values only. */
void text_real(GString *out, double value);

/* With the quotes of JSON, or those of RFC 4180 where they are needed.  A
 * null string is null or nothing. */
void text_json(GString *out, const char *s);
void text_csv(GString *out, const char *s);

/* For people.  TEXT_FIGURE bytes hold any of these figures. */
#define TEXT_FIGURE 32

/* "1,234,567" if that fits 'width' columns, else four digits: "33.92 G".
 * Eight columns are always enough. */
const char *text_count(char buf[TEXT_FIGURE], uint64_t n, unsigned width);
const char *text_duration(char buf[TEXT_FIGURE], uint64_t ps); /* "12.35 ms"; 8 columns */

/* "1234.57" if that fits 'width' columns, else "1e+12"; six are always enough. */
const char *text_decimals(char buf[TEXT_FIGURE], double value, unsigned decimals, unsigned width);

/* Appends 's', padded to 'width' columns of a terminal; what is too long is
 * cut, and ends in '~'. */
void text_left(GString *out, const char *s, unsigned width);
void text_right(GString *out, const char *s, unsigned width);

/* Ends a line: without the spaces before it. */
void text_newline(GString *out);

/* "label   words of text", wrapped at 'width' columns and indented by 'indent'. */
void text_wrapped(GString *out, const char *label, const char *s, unsigned indent, unsigned width);
