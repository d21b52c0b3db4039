/* SPDX-License-Identifier: GPL-2.0-or-later */
/* grower.c - see grower.h. */
#include "grower.h"

#include <glib.h>

/* A table of 4 << i buckets grows with more elements than these, and shrinks with
 * fewer: three quarters and three tenths, rounded down. */
static const struct {
	uint32_t more, fewer;
} limits[] = {{3, 1},    {6, 2},     {12, 4},    {24, 9},     {48, 19},    {96, 38},
	      {192, 76}, {384, 153}, {768, 307}, {1536, 614}, {3072, 1228}};

static unsigned
limit_of(uint32_t size)
{
	unsigned i = 0;

	while (4u << i < size)
		i++;
	g_assert(i < G_N_ELEMENTS(limits));
	return i;
}

uint32_t
grower_visits(const struct grower *g, uint32_t number, bool *found)
{
	uint64_t stamp = 0;
	uint32_t visits = 0;

	*found = false;
	for (uint32_t i = 0; i < g->count; i++) {
		if (g->items[i].number == number) {
			stamp = g->items[i].stamp;
			*found = true;
		}
	}
	for (uint32_t i = 0; i < g->count; i++)
		visits += g->items[i].number % g->size == number % g->size &&
			  g->items[i].stamp >= stamp;
	return visits;
}

/* The remainder read backwards: the order in which old chains are moved. */
static uint32_t
backwards(uint32_t number, uint32_t size)
{
	uint32_t rest = number % size, turned = 0;

	for (; size > 1; size /= 2, rest /= 2)
		turned = 2 * turned + rest % 2;
	return turned;
}

static gint
moves_before(gconstpointer a, gconstpointer b, gpointer grower)
{
	const struct grower_item *x = a, *y = b;
	const struct grower *g = grower;
	uint32_t left = backwards(x->number, g->size), right = backwards(y->number, g->size);

	if (left != right)
		return left < right ? -1 : 1;
	return x->stamp < y->stamp ? -1 : 1;
}

static void
move_all(struct grower *g, uint32_t size)
{
	g_qsort_with_data(g->items, g->count, sizeof g->items[0], moves_before, g);
	for (uint32_t i = 0; i < g->count; i++)
		g->items[i].stamp = ++g->stamps;
	g->size = size;
	g->moves += g->count;
}

void
grower_insert(struct grower *g, uint32_t number)
{
	g_assert(g->count < GROWER_MAX);
	g->items[g->count++] = (struct grower_item){.number = number, .stamp = ++g->stamps};
	if (g->count > limits[limit_of(g->size)].more && g->size < g->most)
		move_all(g, g->size * 2);
}

void
grower_remove(struct grower *g, uint32_t number)
{
	uint32_t at = 0, size = 4;

	while (g->items[at].number != number)
		at++;
	g->items[at] = g->items[--g->count];
	if (g->count == 0) {
		g->size = g->first;
		return;
	}
	if (!g->shrinks || g->count >= limits[limit_of(g->size)].fewer)
		return;
	while (size < g->least || 2 * size < 3 * g->count - g->count % 2)
		size *= 2;
	if (size < g->size)
		move_all(g, size);
}
