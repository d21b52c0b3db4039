/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel-option.h - what can be chosen about the modelled kernel: one list for
 * scenario files, for --kernel, and for whoever shows it. */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

#include "net/kernel.h"

struct kernel_option {
	const char *name, *help;
	const char *const *words;     /* its values; null-terminated */
	const char *const *word_help; /* of each; null: they need none */
	const unsigned *values;       /* what words are stored as; null: their numbers */
	const char *fallback;
	bool is_flag;  /* the words are 0 and 1, the member is a bool, else an unsigned */
	size_t offset; /* in struct kernel_options */
};

#define KERNEL_OPTIONS 10

const struct kernel_option *kernel_option_at(unsigned n);
const struct kernel_option *kernel_option_by_name(const char *name, size_t length); /* or null */

struct kernel_options kernel_option_defaults(void);

/* False: it has no such value. */
bool kernel_option_set(const struct kernel_option *, struct kernel_options *, const char *word);
const char *kernel_option_get(const struct kernel_option *, const struct kernel_options *);

/* For messages: "5.10 or 6.1", each with 'quote' around it; "version, gvrp, mvrp". */
char *kernel_option_choices(const struct kernel_option *, const char *quote);
char *kernel_option_names(void);

/* All of them as a scenario has them: a new reference. */
json_t *kernel_option_json(const struct kernel_options *);
