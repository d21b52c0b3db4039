/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.c - one simulated kernel: put together from its modules. */
#include "net/kernel.h"

#include <string.h>

#include "net/dev.h"
#include "net/dump-audit.h"
#include "net/traffic.h"
#include "net/net-namespace.h"
#include "net/saddr.h"

#define NET_MODULE(name) extern const struct net_module net_module_##name;
#include "net/net-modules.h"
#undef NET_MODULE

static const struct net_module *const modules[] = {
#define NET_MODULE(name) &net_module_##name,
#include "net/net-modules.h"
#undef NET_MODULE
};

unsigned
net_module_count(void)
{
	return G_N_ELEMENTS(modules);
}

const struct net_module *
net_module_at(unsigned number)
{
	return modules[number];
}

static unsigned
module_number(const struct net_module *module)
{
	for (unsigned n = 0; n < G_N_ELEMENTS(modules); n++)
		if (modules[n] == module)
			return n;
	g_assert_not_reached();
}

const struct link_kind *
link_kind_by_name(const char *name)
{
	for (unsigned n = 0; n < G_N_ELEMENTS(modules); n++)
		if (modules[n]->kind && strcmp(modules[n]->kind->name, name) == 0)
			return modules[n]->kind;
	return NULL;
}

/* Tables */

static int
compare_specs(const void *a, const void *b)
{
	const struct table_spec *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static const GPtrArray *
table_specs(void)
{
	static GPtrArray *specs;

	if (specs)
		return specs;
	specs = g_ptr_array_new();
	for (unsigned n = 0; n < G_N_ELEMENTS(modules); n++)
		for (unsigned t = 0; t < G_N_ELEMENTS(modules[n]->tables); t++)
			if (modules[n]->tables[t])
				g_ptr_array_add(specs, (void *)modules[n]->tables[t]);
	g_ptr_array_sort(specs, compare_specs);
	return specs;
}

unsigned
table_spec_count(void)
{
	return table_specs()->len;
}

const struct table_spec *
table_spec_at(unsigned number)
{
	return table_specs()->pdata[number];
}

const struct table_spec *
table_spec_by_name(const char *name)
{
	for (unsigned n = 0; n < table_spec_count(); n++)
		if (strcmp(table_spec_at(n)->name, name) == 0)
			return table_spec_at(n);
	return NULL;
}

struct table_kind *
kernel_table(const struct kernel *k, const struct table_spec *spec)
{
	for (unsigned n = 0; n < table_spec_count(); n++)
		if (table_spec_at(n) == spec)
			return k->table_kinds[n];
	g_assert_not_reached();
}

const char *
kernel_default_backend(const struct kernel_options *options, const struct table_spec *spec)
{
	bool locked = spec == &inet6_ifa_list_spec && options->saddr == SADDR_LOCK;

	return locked ? "list" : spec->backend;
}

static void
make_tables(struct kernel *k, const struct kernel_config *config)
{
	k->table_kinds = g_new0(struct table_kind *, table_spec_count());
	for (unsigned n = 0; n < table_spec_count(); n++) {
		const struct table_spec *spec = table_spec_at(n);
		const struct backend_choice *choice =
			config->choose ? config->choose(spec, config->choose_data) : NULL;

		k->table_kinds[n] = table_kind_new(spec, choice, k->rcu, config->seed);
	}
}

/* State of modules */

void *
kernel_module_state(const struct kernel *k, const struct net_module *module)
{
	return k->module_state[module_number(module)];
}

void *
net_module_state(const struct net *net, const struct net_module *module)
{
	return net->module_state[module_number(module)];
}

static void
init_modules(struct kernel *k)
{
	k->module_state = g_new0(void *, G_N_ELEMENTS(modules));
	for (unsigned n = 0; n < G_N_ELEMENTS(modules); n++) {
		k->module_state[n] = g_malloc0(modules[n]->kernel_size);
		if (modules[n]->kernel_init)
			modules[n]->kernel_init(k, k->module_state[n]);
	}
}

static void
free_module_state(struct kernel *k)
{
	for (unsigned n = 0; n < G_N_ELEMENTS(modules); n++)
		g_free(k->module_state[n]);
	g_free(k->module_state);
}

/* RTNL.  Who drops it frees what was unregistered under it. */

void
rtnl_lock(struct kernel *k)
{
	mutex_lock(&k->rtnl);
}

void
rtnl_unlock(struct kernel *k)
{
	netdev_run_todo(k);
	mutex_unlock(&k->rtnl);
}

/* Queues */

struct workqueue *
kernel_workqueue(struct kernel *k, const char *name)
{
	struct workqueue *queue = workqueue_new(k->engine, name);

	g_ptr_array_add(k->workqueues, queue);
	return queue;
}

static void
free_workqueue(void *queue)
{
	workqueue_free(queue);
}

void
kernel_flush(struct kernel *k)
{
	for (unsigned n = 0; n < k->workqueues->len; n++) {
		if (k->dead_nets || k->netns_busy)
			return;
		workqueue_flush(k->workqueues->pdata[n]);
	}
}

struct kernel *
kernel_new(const struct kernel_config *config)
{
	struct kernel *k = g_new0(struct kernel, 1);

	k->engine = config->engine;
	k->options = config->options;
	k->rng.state = config->seed;
	k->rcu = rcu_new(k->engine, config->rcu_flavor);
	mutex_init(&k->rtnl, k->engine, "rtnl_mutex");
	k->dumps = g_array_new(FALSE, FALSE, sizeof(struct dump_record));
	k->traffic = g_array_new(FALSE, FALSE, sizeof(struct traffic_record));
	k->workqueues = g_ptr_array_new_with_free_func(free_workqueue);
	k->events = kernel_workqueue(k, "events");
	netns_init(k);
	linkwatch_init(k);
	make_tables(k, config);
	init_modules(k);
	return k;
}

void
kernel_boot(struct kernel *k)
{
	struct net_device *lo;

	k->init_net = setup_net(k, "");
	lo = k->init_net->loopback;
	rtnl_lock(k);
	dev_change_flags(lo, lo->flags | IFF_UP, NULL);
	rtnl_unlock(k);
}

void
kernel_free(struct kernel *k)
{
	if (!k)
		return;
	netns_exit(k);
	free_module_state(k);
	g_ptr_array_unref(k->workqueues);
	rcu_free(k->rcu);
	for (unsigned n = 0; n < table_spec_count(); n++)
		table_kind_free(k->table_kinds[n]);
	g_free(k->table_kinds);
	g_array_unref(k->dumps);
	g_array_unref(k->traffic);
	g_free(k);
}
