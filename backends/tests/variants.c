/* SPDX-License-Identifier: GPL-2.0-or-later */
/* variants.c - see variants.h. */
#include "variants.h"

#include "backend.h"

static void
add_choice(GPtrArray *all, struct backend_choice choice, unsigned param, uint64_t value)
{
	if (choice.param[param] == value)
		return;
	choice.param[param] = value;
	g_ptr_array_add(all, backend_choice_text(&choice));
}

static void
add_backend(GPtrArray *all, const struct backend *b)
{
	struct backend_choice choice;
	bool known = backend_parse(b->name, &choice, NULL);

	g_assert(known);
	g_ptr_array_add(all, g_strdup(b->name));
	for (unsigned i = 0; i < BACKEND_MAX_PARAMS && b->params[i].name; i++) {
		const struct backend_param *p = &b->params[i];

		if (!p->words)
			add_choice(all, choice, i, p->min);
		for (unsigned word = 0; p->words && p->words[word]; word++)
			add_choice(all, choice, i, word);
	}
}

static const GPtrArray *
variants(void)
{
	static GPtrArray *all;

	if (!all) {
		all = g_ptr_array_new();
		for (unsigned i = 0; i < backend_count(); i++)
			add_backend(all, backend_at(i));
	}
	return all;
}

unsigned
variant_count(void)
{
	return variants()->len;
}

const char *
variant_at(unsigned at)
{
	return g_ptr_array_index(variants(), at);
}
