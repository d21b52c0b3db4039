/* SPDX-License-Identifier: GPL-2.0-or-later */
/* published.c - what a scenario's file says that somebody measured: "published", with the
 * parameters as the file and the variant have them, and "published_at", with others. */
#include <string.h>

#include "scenario/load.h"

static bool
read_figure(struct loader *l, struct node *phase, enum published_figure which,
	    struct published *published)
{
	const struct published_name *name = &published_names[which];
	struct node n = reader_member(phase, name->key);

	if (!n.json)
		return true;
	if (!json_is_number(n.json) || json_number_value(n.json) < 0)
		return reader_fail(&l->reader, &n, "\"%s\" is %s, 0 or more", name->key,
				   name->what);
	published->figure[which] = json_number_value(n.json);
	return true;
}

static bool
read_figures(struct loader *l, struct node *n, bool chosen)
{
	const char *known[PUBLISHED_FIGURES + 1] = {NULL};
	struct phase *phase = scenario_phase(l->scenario, n->place.key);
	struct published published = published_none;

	for (unsigned i = 0; i < PUBLISHED_FIGURES; i++)
		known[i] = published_names[i].key;
	if (!phase)
		return reader_fail_key(&l->reader, n, "there is no phase \"%.80s\"", n->place.key);
	if (!reader_object(&l->reader, n, "published figures of a phase", known))
		return false;
	for (unsigned i = 0; i < PUBLISHED_FIGURES; i++)
		if (!read_figure(l, n, i, &published))
			return false;
	if (chosen)
		phase->published = published;
	return true;
}

/* By variant and phase. */
static bool
read_variants(struct loader *l, struct node *root, struct node *published, bool chosen)
{
	json_t *variants = json_object_get(root->json, "variants"), *phases, *figures;
	const char *variant, *name;

	if (!reader_object(&l->reader, published, "\"published\"", NULL))
		return false;
	json_object_foreach(published->json, variant, phases)
	{
		struct node n = reader_child(published, variant, phases);
		bool is_it = chosen && g_strcmp0(variant, l->scenario->variant) == 0;

		if (!json_object_get(variants, variant))
			return reader_fail_key(&l->reader, &n, "there is no variant \"%.80s\"",
					       variant);
		if (!reader_object(&l->reader, &n, "published figures", NULL))
			return false;
		json_object_foreach(phases, name, figures)
		{
			struct node phase = reader_child(&n, name, figures);

			if (!read_figures(l, &phase, is_it))
				return false;
		}
	}
	return true;
}

/* Are all parameters as 'at' has them, or else as they are without --param? */
static bool
params_are(const struct scenario *s, const json_t *at)
{
	for (unsigned i = 0; i < s->param_list->len; i++) {
		const struct scenario_param *p = s->param_list->pdata[i];
		const json_t *other = json_object_get(at, p->name);

		if (p->value != (other ? json_integer_value(other) : p->base))
			return false;
	}
	return true;
}

static bool
read_params(struct loader *l, struct node *params)
{
	const char *name;
	json_t *json;

	if (!reader_object(&l->reader, params, "\"params\"", NULL))
		return false;
	json_object_foreach(params->json, name, json)
	{
		struct node child = reader_child(params, name, json);
		const struct scenario_param *p = load_param(l, &child);
		json_int_t value = 0;

		if (!p || !reader_integer(&l->reader, &child, p->min, p->max, &value))
			return false;
	}
	json_array_append(l->scenario->published_at, params->json);
	return true;
}

static bool
read_at(struct loader *l, struct node *root, struct node *n)
{
	static const char *const known[] = {"params", "published", NULL};
	struct node params = reader_member(n, "params"), published = reader_member(n, "published");

	return reader_object(&l->reader, n, "what is published of other sizes", known) &&
	       reader_needs(&l->reader, n, "what is published of other sizes", "params") &&
	       reader_needs(&l->reader, n, "what is published of other sizes", "published") &&
	       read_params(l, &params) &&
	       read_variants(l, root, &published, params_are(l->scenario, params.json));
}

bool
load_published(struct loader *l, struct node *root)
{
	struct node published = reader_member(root, "published"),
		    at = reader_member(root, "published_at"), n = reader_elements(&at);

	l->scenario->published_at = json_array();
	if (!read_variants(l, root, &published, params_are(l->scenario, NULL)))
		return false;
	if (!at.json)
		return true;
	if (!reader_array(&l->reader, &at, "\"published_at\""))
		return false;
	while (reader_next(&at, &n))
		if (!read_at(l, root, &n))
			return false;
	return true;
}
