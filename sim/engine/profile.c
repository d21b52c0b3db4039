/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile.c - the tree of who called whom.
 *
 * A child is found by the address of the literal that names it; the same name from
 * two files makes two nodes, which the reports add up. */
#include "engine/profile.h"

#include <string.h>

#include "engine/engine-impl.h"

enum { ROOT, OTHER };

struct node {
	const char *literal, *symbol; /* the second one is interned */
	uint32_t parent, child, sibling;
	bool user;
	uint64_t self_ps, calls;
};

struct profile {
	struct engine *engine;
	GArray *nodes; /* struct node; a parent comes before its children */
};

static struct node *
node_at(const struct profile *p, uint32_t n)
{
	return &g_array_index(p->nodes, struct node, n);
}

static uint32_t
add_node(struct profile *p, uint32_t parent, const char *literal)
{
	struct node node = {.literal = literal,
			    .symbol = g_intern_string(literal),
			    .parent = parent,
			    .sibling = node_at(p, parent)->child};
	uint32_t n = p->nodes->len;

	g_array_append_val(p->nodes, node);
	node_at(p, parent)->child = n;
	return n;
}

struct profile *
profile_new(void)
{
	struct profile *p = g_new0(struct profile, 1);
	struct node root = {.symbol = "", .parent = ROOT};

	p->nodes = g_array_new(FALSE, FALSE, sizeof(struct node));
	g_array_append_val(p->nodes, root);
	add_node(p, ROOT, "[other]");
	return p;
}

void
profile_free(struct profile *p)
{
	if (!p)
		return;
	g_array_unref(p->nodes);
	g_free(p);
}

void
profile_attach(struct profile *p, struct engine *e)
{
	p->engine = e;
}

/* Entering and leaving */

static uint32_t
child_of(struct profile *p, uint32_t parent, const char *literal)
{
	for (uint32_t n = node_at(p, parent)->child; n != ROOT; n = node_at(p, n)->sibling)
		if (node_at(p, n)->literal == literal)
			return n;
	return p->nodes->len < PROFILE_MAX_NODES ? add_node(p, parent, literal) : OTHER;
}

struct profile_scope
profile_push(struct profile *p, const char *symbol)
{
	struct task *t = p->engine->current;
	struct profile_scope scope = {NULL, 0};
	struct trace *trace = p->engine->config.trace;
	uint64_t now = task_clock(p->engine); /* what was done so far is the caller's */

	if (!t)
		return scope;
	if (trace)
		trace_push(trace, t, symbol, now);
	scope = (struct profile_scope){p, t->frame};
	t->frame = child_of(p, t->frame, symbol);
	node_at(p, t->frame)->calls++;
	return scope;
}

void
profile_pop(const struct profile_scope *s)
{
	struct engine *e = s->profile->engine;
	uint64_t now = task_clock(e);

	if (e->config.trace)
		trace_pop(e->config.trace, e->current, now);
	e->current->frame = s->caller;
}

uint32_t
profile_task(struct profile *p, const char *name)
{
	return child_of(p, ROOT, g_intern_string(name));
}

void
profile_program(struct profile *p, const char *comm)
{
	struct task *t = p ? p->engine->current : NULL;

	if (!t)
		return;
	t->frame = profile_task(p, comm);
	node_at(p, t->frame)->user = true;
}

void
profile_add(struct profile *p, uint32_t node, uint64_t ps)
{
	struct node *n = node_at(p, node);

	n->self_ps = time_add(n->self_ps, ps);
}

void
profile_reset(struct profile *p)
{
	for (uint32_t n = 0; n < p->nodes->len; n++)
		node_at(p, n)->self_ps = node_at(p, n)->calls = 0;
}

/* Reading */

/* Nodes below a task that has a name of a function's are that function's, too. */
static struct profile_symbol *
symbol_of(GHashTable *found, const struct node *n)
{
	struct profile_symbol *s;
	g_autofree char *key = g_strconcat(n->user ? "u" : "k", n->symbol, NULL);

	s = g_hash_table_lookup(found, key);
	if (!s) {
		s = g_new0(struct profile_symbol, 1);
		s->symbol = n->symbol;
		s->user = n->user;
		g_hash_table_insert(found, g_steal_pointer(&key), s);
	}
	return s;
}

/* A function that called itself contains the time once. */
static bool
is_below_itself(const struct profile *p, uint32_t from, uint32_t n)
{
	const struct node *node = node_at(p, n);

	for (; from != n; from = node_at(p, from)->parent)
		if (node_at(p, from)->symbol == node->symbol &&
		    node_at(p, from)->user == node->user)
			return true;
	return false;
}

static void
add_up(const struct profile *p, GHashTable *found, uint32_t n)
{
	const struct node *node = node_at(p, n);
	struct profile_symbol *own = symbol_of(found, node);

	own->self_ps = time_add(own->self_ps, node->self_ps);
	own->calls += node->calls;
	for (uint32_t up = n; up != ROOT && node->self_ps > 0; up = node_at(p, up)->parent) {
		struct profile_symbol *s = symbol_of(found, node_at(p, up));

		if (!is_below_itself(p, n, up))
			s->total_ps = time_add(s->total_ps, node->self_ps);
	}
}

static int
compare_symbols(const void *a, const void *b)
{
	const struct profile_symbol *x = a, *y = b;

	if (x->self_ps != y->self_ps)
		return x->self_ps < y->self_ps ? 1 : -1;
	return strcmp(x->symbol, y->symbol) != 0 ? strcmp(x->symbol, y->symbol)
						 : (int)x->user - (int)y->user;
}

GArray *
profile_symbols(const struct profile *p)
{
	GArray *symbols = g_array_new(FALSE, FALSE, sizeof(struct profile_symbol));
	GHashTable *found = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	GHashTableIter iter;
	void *symbol;

	for (uint32_t n = ROOT + 1; n < p->nodes->len; n++)
		if (node_at(p, n)->self_ps > 0 || node_at(p, n)->calls > 0)
			add_up(p, found, n);
	g_hash_table_iter_init(&iter, found);
	while (g_hash_table_iter_next(&iter, NULL, &symbol))
		g_array_append_vals(symbols, symbol, 1);
	g_hash_table_unref(found);
	g_array_sort(symbols, compare_symbols);
	return symbols;
}

/* In a line of a stack ';' and line ends stand between names. */
static void
append_name(GString *out, const char *name)
{
	for (; *name; name++)
		g_string_append_c(out, *name == ';' || *name == '\n' ? '_' : *name);
}

static void
append_stack(const struct profile *p, uint32_t n, const char *prefix, GString *out)
{
	if (n == ROOT) {
		append_name(out, prefix);
		return;
	}
	append_stack(p, node_at(p, n)->parent, prefix, out);
	g_string_append_c(out, ';');
	append_name(out, node_at(p, n)->symbol);
}

static int
compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Nodes of one stack, from two literals, have a line each; readers add them up. */
void
profile_folded(const struct profile *p, const char *prefix, GString *out)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

	for (uint32_t n = ROOT + 1; n < p->nodes->len; n++) {
		uint64_t ns = node_at(p, n)->self_ps / PS_PER_NS;
		GString *line;

		if (ns == 0)
			continue;
		line = g_string_new(NULL);
		append_stack(p, n, prefix, line);
		g_string_append_printf(line, " %" G_GUINT64_FORMAT "\n", ns);
		g_ptr_array_add(lines, g_string_free(line, FALSE));
	}
	g_ptr_array_sort(lines, compare_lines);
	for (unsigned i = 0; i < lines->len; i++)
		g_string_append(out, lines->pdata[i]);
}
