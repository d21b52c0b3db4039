/* SPDX-License-Identifier: GPL-2.0-or-later */
/* net-namespace.c - network namespaces: made at once, taken down behind the
 * back of whoever deletes them.
 *
 * Models net/core/net_namespace.c (Linux 5.10 and 6.1): the name is gone at
 * once; a worker does the rest, and holds RTNL for most of it. */
#include <string.h>

#include "net/dev.h"
#include "net/net-namespace.h"

static struct net *
alloc_net(struct kernel *k, const char *name)
{
	struct net *net = g_new0(struct net, 1);

	net->kernel = k;
	g_strlcpy(net->name, name, sizeof net->name);
	net->module_state = g_new0(void *, net_module_count());
	for (unsigned n = 0; n < net_module_count(); n++)
		net->module_state[n] = g_malloc0(net_module_at(n)->net_size);
	return net;
}

static void
free_net(struct net *net)
{
	for (unsigned n = 0; n < net_module_count(); n++)
		g_free(net->module_state[n]);
	g_free(net->module_state);
	g_free(net);
}

static void
append(struct net **first, struct net **last, struct net *net)
{
	net->prev = *last;
	net->next = NULL;
	*(*last ? &(*last)->next : first) = net;
	*last = net;
}

struct net *
setup_net(struct kernel *k, const char *name)
{
	struct net *net = alloc_net(k, name);

	append(&k->nets, &k->nets_last, net);
	for (unsigned n = 0; n < net_module_count(); n++) {
		const struct net_module *module = net_module_at(n);

		if (module->net_init)
			module->net_init(net, net->module_state[n]);
	}
	return net;
}

struct net *
net_by_name(struct kernel *k, const char *name)
{
	struct net *net;

	for (net = k->nets; net; net = net->next)
		if (strcmp(net->name, name) == 0)
			break;
	return net;
}

int
netns_add(struct kernel *k, const char *name)
{
	PROFILE_SCOPE(k->calls.profile, "copy_net_ns");
	if (net_by_name(k, name))
		return -EEXIST;
	setup_net(k, name);
	return 0;
}

/* The end: the modules' batches first, then what each keeps for a namespace,
 * both in the reverse of their order. */

static void
exit_batches(struct kernel *k, struct net *dead)
{
	for (unsigned n = net_module_count(); n-- > 0;)
		if (net_module_at(n)->exit_batch)
			net_module_at(n)->exit_batch(k, dead);
}

static void
exit_net(struct net *net)
{
	for (unsigned n = net_module_count(); n-- > 0;)
		if (net_module_at(n)->net_exit)
			net_module_at(n)->net_exit(net, net->module_state[n]);
}

static void
end_nets(struct kernel *k, struct net *dead)
{
	struct net *next;

	exit_batches(k, dead);
	for (; dead; dead = next) {
		next = dead->next;
		exit_net(dead);
		free_net(dead);
	}
}

static void
cleanup_net(void *data)
{
	struct kernel *k = data;
	struct net *dead = k->dead_nets;

	CALL_ENTER(&k->calls, "cleanup_net");
	k->dead_nets = k->dead_nets_last = NULL;
	k->netns_busy = true;
	end_nets(k, dead);
	k->netns_busy = false;
	if (!k->dead_nets)
		wake_all(k->engine, &k->netns_gone);
}

static void
unlist_net(struct kernel *k, struct net *net)
{
	*(net->prev ? &net->prev->next : &k->nets) = net->next;
	*(net->next ? &net->next->prev : &k->nets_last) = net->prev;
}

int
netns_del(struct kernel *k, const char *name)
{
	PROFILE_SCOPE(k->calls.profile, "put_net");
	struct net *net = net_by_name(k, name);

	if (!net || net == k->init_net)
		return -ENOENT;
	unlist_net(k, net);
	append(&k->dead_nets, &k->dead_nets_last, net);
	work_queue(k->netns_wq, &k->netns_work);
	return 0;
}

void
kernel_wait_netns(struct kernel *k)
{
	while (k->dead_nets || k->netns_busy)
		wait_on(k->engine, &k->netns_gone);
}

void
netns_init(struct kernel *k)
{
	k->netns_wq = kernel_workqueue(k, "netns");
	work_init(&k->netns_work, "cleanup_net", cleanup_net, k);
}

static void
end_all(void *data)
{
	struct kernel *k = data;
	struct net *nets = k->nets;

	k->nets = k->nets_last = NULL;
	end_nets(k, nets);
}

/* Everything goes the way that a deleted namespace goes. */
void
netns_exit(struct kernel *k)
{
	struct task *task = task_start(k->engine, "shutdown", end_all, k);

	task_detach(task);
	engine_run(k->engine, NULL);
}
