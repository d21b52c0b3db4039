/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine-parse.c - a profile's text to a struct machine; README.md describes
 * the format.
 *
 * Strict: what is missing, unknown or without a source is an error that says
 * where it stands.  Prices are written as text ("3.35 ms"), so that they reach
 * the integers of the simulator without passing through floating point. */
#include <string.h>

#include "backend.h"
#include "cost/machine-impl.h"
#include "engine/engine.h"
#include "data/reader.h"

#define FORMAT      "netstruct-machine/1"
#define MAX_PRICE   (10 * PS_PER_S)
#define MAX_SOCKETS 64
#define MAX_THREADS 8
#define MAX_DIGITS  15 /* of a price, before and after the point */

/* Characters of a text. */
#define MAX_TEXT       400
#define MAX_PRICE_TEXT 40

const struct probe_name machine_probes[] = {
#define X(name, help) {#name, offsetof(struct probes, name)},
	PROBE_LIST(X)
#undef X
		{0},
};

struct profile {
	struct reader reader;
	struct machine *machine;
};

/* An object that has all these members and no others. */
static bool
needs_members(struct profile *p, struct node *n, const char *what, const char *const *names)
{
	for (; *names; names++)
		if (!reader_needs(&p->reader, n, what, *names))
			return false;
	return true;
}

/* All of them, and no others. */
static bool
check_members(struct profile *p, struct node *n, const char *what, const char *const *names)
{
	return reader_object(&p->reader, n, what, names) && needs_members(p, n, what, names);
}

/* Digits of '*p', scaled so that the last one counts ones; false if too many. */
static bool
parse_digits(const char **p, uint64_t *value, unsigned *count)
{
	for (*count = 0; g_ascii_isdigit(**p); (*p)++, (*count)++) {
		if (*count == MAX_DIGITS)
			return false;
		*value = *value * 10 + (uint64_t)(**p - '0');
	}
	return *count > 0;
}

static const char *
parse_price(const char *s, uint64_t *ps)
{
	static const struct {
		const char *name;
		unsigned digits; /* how many a picosecond is after the point */
	} units[] = {{"ps", 0}, {"ns", 3}, {"us", 6}, {"ms", 9}, {"s", 12}};
	static const char usage[] = "not a time; write a number, a space and ps, ns, us, ms or s, "
				    "as in \"3.35 ms\"";
	unsigned whole_digits, digits = 0, unit = 0;
	uint64_t value = 0;

	if (!parse_digits(&s, &value, &whole_digits))
		return usage;
	if (*s == '.') {
		s++;
		if (!parse_digits(&s, &value, &digits))
			return usage;
	}
	if (*s != ' ')
		return usage;
	while (unit < G_N_ELEMENTS(units) && strcmp(units[unit].name, s + 1) != 0)
		unit++;
	if (unit == G_N_ELEMENTS(units))
		return usage;
	if (digits > units[unit].digits)
		return "finer than a picosecond";
	if (whole_digits + digits > MAX_DIGITS)
		return "too many digits";
	for (; digits < units[unit].digits; digits++) {
		if (value > MAX_PRICE)
			return "more than 10 s";
		value *= 10;
	}
	if (value > MAX_PRICE)
		return "more than 10 s";
	*ps = value;
	return NULL;
}

/* "operations.visits.default" */
static void
append_path(GString *out, const struct place *place)
{
	if (!place->up)
		return;
	append_path(out, place->up);
	g_string_append_printf(out, "%s%s", out->len ? "." : "", place->key);
}

static void
note_source(struct profile *p, const struct node *figure, const char *source)
{
	GString *path = g_string_new(NULL);

	append_path(path, &figure->place);
	g_hash_table_replace(p->machine->sources, g_string_free(path, FALSE), g_strdup(source));
}

static void
note_fitted(struct profile *p, const struct node *figure, const struct node *value)
{
	GString *text = g_string_new(NULL);

	append_path(text, &figure->place);
	if (json_is_string(value->json))
		g_string_append_printf(text, " = %s", json_string_value(value->json));
	else
		g_string_append_printf(text, " = %" JSON_INTEGER_FORMAT,
				       json_integer_value(value->json));
	g_ptr_array_add(p->machine->fitted, g_string_free(text, FALSE));
}

/* A figure and where it is from: steps down from the figure to its value. */
static bool
figure_value(struct profile *p, struct node *figure, struct node *value)
{
	static const char *const needed[] = {"value", "source", NULL}, *const known[] = {
									       "value", "source",
									       "fitted", NULL};
	g_autofree char *text = NULL;
	struct node source = reader_member(figure, "source"),
		    fitted = reader_member(figure, "fitted");
	bool is_fitted = false;

	*value = reader_member(figure, "value");
	if (!reader_object(&p->reader, figure, "a figure", known) ||
	    !needs_members(p, figure, "a figure", needed) ||
	    !reader_text(&p->reader, &source, MAX_TEXT, &text) ||
	    !reader_bool(&p->reader, &fitted, &is_fitted))
		return false;
	note_source(p, figure, text);
	if (is_fitted)
		note_fitted(p, figure, value);
	return true;
}

static bool
read_price(struct profile *p, struct node *figure, uint64_t *ps)
{
	g_autofree char *text = NULL;
	struct node value;
	const char *wrong;

	if (!figure_value(p, figure, &value) ||
	    !reader_text(&p->reader, &value, MAX_PRICE_TEXT, &text))
		return false;
	wrong = parse_price(text, ps);
	return !wrong || reader_fail(&p->reader, &value, "\"%s\" is %s", text, wrong);
}

static bool
read_member_price(struct profile *p, struct node *object, const char *key, uint64_t *ps)
{
	struct node figure = reader_member(object, key);

	return read_price(p, &figure, ps);
}

static bool
read_number(struct profile *p, struct node *object, const char *key, unsigned max, unsigned *number)
{
	struct node figure = reader_member(object, key), value;
	json_int_t n = 0;

	if (!figure_value(p, &figure, &value) ||
	    !reader_integer(&p->reader, &value, 1, (json_int_t)max, &n))
		return false;
	*number = (unsigned)n;
	return true;
}

static bool
read_topology(struct profile *p, struct node *root)
{
	static const char *const names[] = {"sockets", "cores", "threads", NULL};
	struct node n = reader_member(root, "topology");
	struct cpu_topology *t = &p->machine->topology;

	if (!n.json)
		return true;
	if (!check_members(p, &n, "\"topology\"", names) ||
	    !read_number(p, &n, "sockets", MAX_SOCKETS, &t->sockets) ||
	    !read_number(p, &n, "cores", ENGINE_MAX_CPUS / MAX_SOCKETS, &t->cores) ||
	    !read_number(p, &n, "threads", MAX_THREADS, &t->threads))
		return false;
	if (t->sockets * t->cores * t->threads < p->machine->cpus)
		return reader_fail(&p->reader, &n,
				   "%u sockets of %u cores of %u threads are fewer "
				   "than the machine's %u CPUs",
				   t->sockets, t->cores, t->threads, p->machine->cpus);
	return true;
}

static bool
read_cache_lines(struct profile *p, struct node *root)
{
	static const char *const names[] = {"local", "same_core", "same_socket", "other_socket",
					    NULL};
	struct node n = reader_member(root, "cache_lines");

	if (!n.json)
		return true;
	if (!check_members(p, &n, "\"cache_lines\"", names))
		return false;
	for (unsigned d = 0; d < CPU_DISTANCES; d++)
		if (!read_member_price(p, &n, names[d], &p->machine->line_ps[d]))
			return false;
	return true;
}

static bool
read_process(struct profile *p, struct node *root)
{
	static const char *const names[] = {"start", "exit", NULL};
	struct node process = reader_member(root, "process");

	if (!check_members(p, &process, "\"process\"", names) ||
	    !read_member_price(p, &process, "start", &p->machine->process_start_ps) ||
	    !read_member_price(p, &process, "exit", &p->machine->process_exit_ps))
		return false;
	return p->machine->process_start_ps + p->machine->process_exit_ps > 0 ||
	       reader_fail(&p->reader, &process,
			   "a process that takes no time: the clock would stand still");
}

static bool
check_backend(struct profile *p, struct node *n)
{
	g_autoptr(GString) known = g_string_new("default");

	if (strcmp(n->place.key, "default") == 0 || backend_by_name(n->place.key))
		return true;
	for (unsigned i = 0; i < backend_count(); i++)
		g_string_append_printf(known, ", %s", backend_at(i)->name);
	return reader_fail_key(&p->reader, n, "no backend \"%.80s\"; there are %s", n->place.key,
			       known->str);
}

static bool
read_backend_prices(struct profile *p, struct node *prices, size_t probe)
{
	const char *backend;
	json_t *value;

	if (!reader_object(&p->reader, prices, "the price of an operation", NULL))
		return false;
	json_object_foreach(prices->json, backend, value)
	{
		struct operation_price price = {.probe = probe};
		struct node figure = reader_child(prices, backend, value);

		if (!check_backend(p, &figure) || !read_price(p, &figure, &price.ps))
			return false;
		if (strcmp(backend, "default") != 0)
			price.backend = g_strdup(backend);
		g_array_append_val(p->machine->operations, price);
	}
	return true;
}

static const struct probe_name *
probe_by_name(const char *name)
{
	for (const struct probe_name *probe = machine_probes; probe->name; probe++) {
		if (strcmp(probe->name, name) == 0)
			return probe;
	}
	return NULL;
}

static bool
fail_unknown_probe(struct profile *p, struct node *n)
{
	g_autoptr(GString) known = g_string_new(NULL);

	for (const struct probe_name *probe = machine_probes; probe->name; probe++)
		g_string_append_printf(known, "%s%s", known->len > 0 ? ", " : "", probe->name);
	return reader_fail_key(&p->reader, n, "no operation \"%.80s\" is counted; there are %s",
			       n->place.key, known->str);
}

static bool
read_operations(struct profile *p, struct node *root)
{
	struct node operations = reader_member(root, "operations");
	const char *name;
	json_t *value;

	if (!reader_object(&p->reader, &operations, "\"operations\"", NULL))
		return false;
	json_object_foreach(operations.json, name, value)
	{
		struct node prices = reader_child(&operations, name, value);
		const struct probe_name *probe = probe_by_name(name);

		if (!probe)
			return fail_unknown_probe(p, &prices);
		if (!read_backend_prices(p, &prices, probe->offset))
			return false;
	}
	return true;
}

/* A name that C allows, so that it can be that of a kernel function. */
static bool
is_function_name(const char *s)
{
	return *s != '\0' && !g_ascii_isdigit(*s) &&
	       strspn(s, G_CSET_a_2_z G_CSET_A_2_Z "_0123456789") == strlen(s);
}

static bool
read_calls(struct profile *p, struct node *root)
{
	struct node calls = reader_member(root, "calls");
	const char *name;
	json_t *value;

	if (!reader_object(&p->reader, &calls, "\"calls\"", NULL))
		return false;
	if (json_object_size(calls.json) > MACHINE_MAX_CALLS)
		return reader_fail(&p->reader, &calls, "prices of more than %d functions",
				   MACHINE_MAX_CALLS);
	json_object_foreach(calls.json, name, value)
	{
		struct node figure = reader_child(&calls, name, value);
		struct call_price price = {0};

		if (!is_function_name(name))
			return reader_fail_key(&p->reader, &figure,
					       "\"%.80s\" is no name of a kernel function", name);
		if (!read_price(p, &figure, &price.ps))
			return false;
		price.function = g_strdup(name);
		g_array_append_val(p->machine->calls, price);
	}
	return true;
}

static bool
read_texts(struct profile *p, struct node *root)
{
	struct node format = reader_member(root, "format"), about = reader_member(root, "about");

	if (g_strcmp0(json_string_value(format.json), FORMAT) != 0)
		return reader_fail(&p->reader, &format, "\"format\" must be \"%s\"", FORMAT);
	return reader_text(&p->reader, &about, MAX_TEXT, &p->machine->about);
}

static bool
read_root(struct profile *p, struct node *root)
{
	static const char *const known[] = {"format",      "about",      "cpus",  "grace_period",
					    "process",     "operations", "calls", "topology",
					    "cache_lines", NULL};
	static const char *const needed[] = {"format",  "about",      "cpus",  "grace_period",
					     "process", "operations", "calls", NULL};

	return reader_object(&p->reader, root, "a machine", known) &&
	       needs_members(p, root, "a machine", needed) && read_texts(p, root) &&
	       read_number(p, root, "cpus", ENGINE_MAX_CPUS, &p->machine->cpus) &&
	       read_topology(p, root) && read_cache_lines(p, root) &&
	       read_member_price(p, root, "grace_period", &p->machine->grace_ps) &&
	       read_process(p, root) && read_operations(p, root) && read_calls(p, root);
}

bool
machine_parse(struct machine *m, const char *path, const struct document *document, GError **error)
{
	struct profile p = {
		.reader = {.file = path, .text.text = document->text->str, .error = error},
		.machine = m,
	};
	struct node root = {.json = document->json};

	return read_root(&p, &root);
}
