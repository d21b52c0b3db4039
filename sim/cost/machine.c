/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine.c - loads the profiles and answers what they say; machine-parse.c
 * reads them, meter.c applies them. */
#include "cost/machine.h"

#include <string.h>

#include "cost/machine-impl.h"
#include "data/folder.h"

#define MAX_MIB 1 /* of a profile */
#define SUFFIX  ".json"

GQuark
machine_error_quark(void)
{
	return g_quark_from_static_string("machine-error-quark");
}

static void
operation_price_clear(void *data)
{
	g_free(((struct operation_price *)data)->backend);
}

static void
call_price_clear(void *data)
{
	g_free(((struct call_price *)data)->function);
}

struct machine *
machine_new(void)
{
	struct machine *m = g_new0(struct machine, 1);

	m->operations = g_array_new(FALSE, TRUE, sizeof(struct operation_price));
	g_array_set_clear_func(m->operations, operation_price_clear);
	m->calls = g_array_new(FALSE, TRUE, sizeof(struct call_price));
	g_array_set_clear_func(m->calls, call_price_clear);
	m->fitted = g_ptr_array_new_with_free_func(g_free);
	m->sources = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	return m;
}

void
machine_free(struct machine *m)
{
	if (!m)
		return;
	g_free(m->name);
	g_free(m->about);
	g_array_unref(m->operations);
	g_array_unref(m->calls);
	g_ptr_array_unref(m->fitted);
	g_hash_table_unref(m->sources);
	g_free(m);
}

static char *
name_of_path(const char *path)
{
	char *name = g_path_get_basename(path);

	if (g_str_has_suffix(name, SUFFIX))
		name[strlen(name) - strlen(SUFFIX)] = '\0';
	return name;
}

static struct machine *
load_document(const struct document *document, const char *path, const char *const *set,
	      GError **error)
{
	g_autofree char *short_name = name_of_path(path);
	g_autoptr(GString) name = g_string_new(short_name);
	struct machine *m = machine_new();

	if (machine_set(document->json, set, name, error) &&
	    machine_parse(m, path, document, error)) {
		m->name = g_strdup(name->str);
		return m;
	}
	machine_free(m);
	return NULL;
}

static struct machine *
load_path(const char *path, const char *const *set, GError **error)
{
	struct document document;
	struct machine *m;

	if (!document_load(&document, "machine profile", path, MAX_MIB, error))
		return NULL;
	m = load_document(&document, path, set, error);
	document_clear(&document);
	return m;
}

static void
unknown_machine(const char *name, GError **error)
{
	g_autofree char *folder = data_folder(DATA_MACHINES), *known = NULL;
	g_auto(GStrv) names = data_names(DATA_MACHINES);

	known = g_strjoinv(", ", names);
	g_set_error(error, MACHINE_ERROR, 0, "no machine '%.80s'; %s has: %s", name, folder,
		    *known ? known : "none at all");
}

struct machine *
machine_load_set(const char *name, const char *const *set, GError **error)
{
	g_autofree char *path = data_find(DATA_MACHINES, name);

	if (path)
		return load_path(path, set, error);
	unknown_machine(name, error);
	return NULL;
}

struct machine *
machine_load(const char *name, GError **error)
{
	return machine_load_set(name, NULL, error);
}

const char *
machine_name(const struct machine *m)
{
	return m->name;
}

const char *
machine_about(const struct machine *m)
{
	return m->about;
}

const char *
machine_source(const struct machine *m, const char *figure)
{
	return g_hash_table_lookup(m->sources, figure);
}

char *
machine_operation(const struct machine *m, const char *probe, const char *backend, uint64_t *ps)
{
	char *figure = g_strdup_printf("operations.%s.%s", probe, backend);

	if (!machine_source(m, figure)) {
		g_free(figure);
		figure = g_strdup_printf("operations.%s.default", probe);
	}
	for (const struct probe_name *p = machine_probes; p->name; p++)
		if (strcmp(p->name, probe) == 0)
			*ps = machine_operation_ps(m, p->offset, backend);
	return figure;
}

char *
machine_call(const struct machine *m, const char *function, uint64_t *ps)
{
	for (unsigned i = 0; i < m->calls->len; i++) {
		const struct call_price *c = &g_array_index(m->calls, struct call_price, i);

		if (strcmp(c->function, function) != 0)
			continue;
		*ps = c->ps;
		return g_strdup_printf("calls.%s", function);
	}
	return NULL;
}

const GPtrArray *
machine_fitted(const struct machine *m)
{
	return m->fitted;
}

unsigned
machine_cpus(const struct machine *m)
{
	return m->cpus;
}

struct cpu_topology
machine_topology(const struct machine *m)
{
	return m->topology;
}

uint64_t
machine_line_ps(const struct machine *m, enum cpu_distance distance)
{
	return m->line_ps[distance];
}

uint64_t
machine_grace_ps(const struct machine *m)
{
	return m->grace_ps;
}

uint64_t
machine_process_start_ps(const struct machine *m)
{
	return m->process_start_ps;
}

uint64_t
machine_process_exit_ps(const struct machine *m)
{
	return m->process_exit_ps;
}

uint64_t
machine_operation_ps(const struct machine *m, size_t probe, const char *backend)
{
	uint64_t ps = 0;

	for (unsigned i = 0; i < m->operations->len; i++) {
		const struct operation_price *p =
			&g_array_index(m->operations, struct operation_price, i);

		if (p->probe != probe)
			continue;
		if (p->backend && strcmp(p->backend, backend) == 0)
			return p->ps;
		if (!p->backend)
			ps = p->ps;
	}
	return ps;
}
