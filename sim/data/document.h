/* SPDX-License-Identifier: GPL-2.0-or-later */
/* document.h - a JSON file: its text and what that means.
 *
 * The text is kept because reader.h looks for positions in it. */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

struct document {
	GString *text;
	json_t *json;
};

/* 'what' it is, "scenario", is for messages.  A file, of whatever kind it is, that
 * is larger than 'max_mib' is refused.  Errors are a DATA_ERROR that begins with the path, and with
 * "PATH:LINE:COLUMN: " where the text is to blame; nothing is to be cleared then. */
bool document_load(struct document *, const char *what, const char *path, unsigned max_mib,
		   GError **error);
void document_clear(struct document *);

#define DATA_ERROR (data_error_quark())
GQuark data_error_quark(void);

enum data_error {
	DATA_ERROR_FILE, /* it can't be read, or is too large */
	DATA_ERROR_TEXT, /* something in it is wrong */
};
