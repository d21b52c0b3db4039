/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dev.c - the registry of network devices: names, indexes, life and death.
 *
 * Models the registry's half of net/core/dev.c (Linux 5.10 and 6.1); up and
 * down are in dev-flags.c, the device graph in dev-adjacency.c. */
#include "net/dev.h"

#include <net/if_arp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "net/dev-addr-lists.h"

static const struct table_spec netdev_name_spec = {
	.name = "netdev_name",
	.about = "network devices of a namespace, by name",
	.backend = "hash:buckets=256",
	.elem_size = sizeof(struct netdev_node),
	.key_offset = offsetof(struct netdev_node, key),
};

static const struct table_spec netdev_index_spec = {
	.name = "netdev_index",
	.about = "network devices of a namespace, by ifindex",
	.backend = "hash:buckets=256",
	.elem_size = sizeof(struct netdev_node),
	.key_offset = offsetof(struct netdev_node, key),
	.hashing = TABLE_HASH_LOW_BITS,
};

void
ext_ack_set(struct ext_ack *ack, const char *format, ...)
{
	va_list args;

	if (!ack)
		return;
	va_start(args, format);
	vsnprintf(ack->message, sizeof ack->message, format, args);
	va_end(args);
}

int
call_netdevice_notifiers(enum netdev_event event, struct net_device *dev, const void *info)
{
	for (unsigned n = 0; n < net_module_count(); n++) {
		const struct net_module *module = net_module_at(n);
		int err = module->event ? module->event(dev->kernel, event, dev, info) : 0;

		if (err != 0)
			return err;
	}
	return 0;
}

/* Names */

static struct key
name_key(const char *name)
{
	char padded[IFNAMSIZ] = "";

	g_strlcpy(padded, name, IFNAMSIZ);
	return key_make(padded, IFNAMSIZ, 0);
}

struct net_device *
dev_get_by_name(struct net *net, const char *name)
{
	struct key key = name_key(name);
	struct netdev_node *node = table_find(&net->netdev_name, &key);

	return node ? node->dev : NULL;
}

struct net_device *
dev_get_by_index(struct net *net, int ifindex)
{
	struct key key = key_of_u32((uint32_t)ifindex);
	struct netdev_node *node = table_find(&net->netdev_index, &key);

	return node ? node->dev : NULL;
}

bool
dev_valid_name(const char *name)
{
	if (!*name || strlen(name) >= IFNAMSIZ || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return false;
	return !strpbrk(name, "/: \t\n\v\f\r");
}

/* Replaces "%d" in 'pattern' by the lowest number that is free. */
static int
dev_alloc_name(struct net *net, char pattern[IFNAMSIZ])
{
	char *place = strchr(pattern, '%'), name[2 * IFNAMSIZ];

	if (place[1] != 'd' || strchr(place + 2, '%'))
		return -EINVAL;
	for (unsigned n = 0; n <= net->device_count; n++) {
		int len = snprintf(name, sizeof name, "%.*s%u%s", (int)(place - pattern), pattern,
				   n, place + 2);

		if (len >= IFNAMSIZ)
			return -EINVAL;
		if (!dev_get_by_name(net, name)) {
			memcpy(pattern, name, (size_t)len + 1);
			return 0;
		}
	}
	g_assert_not_reached();
}

static int
dev_get_valid_name(struct net *net, char name[IFNAMSIZ])
{
	if (!dev_valid_name(name))
		return -EINVAL;
	if (strchr(name, '%'))
		return dev_alloc_name(net, name);
	return dev_get_by_name(net, name) ? -EEXIST : 0;
}

static int
dev_new_index(struct net *net)
{
	do {
		if (++net->last_ifindex <= 0)
			net->last_ifindex = 1;
	} while (dev_get_by_index(net, net->last_ifindex));
	return net->last_ifindex;
}

static struct netdev_node *
node_add(struct table *table, struct key key, struct net_device *dev)
{
	bool created;
	struct netdev_node *node = table_add(table, &key, &created);

	g_assert(created);
	node->dev = dev;
	return node;
}

static void
list_name(struct net_device *dev)
{
	dev->name_node = node_add(&dev->net->netdev_name, name_key(dev->name), dev);
}

int
dev_change_name(struct net_device *dev, const char *name)
{
	char old[IFNAMSIZ];
	int err;

	if (dev->flags & IFF_UP)
		return -EBUSY;
	if (strcmp(dev->name, name) == 0)
		return 0;
	memcpy(old, dev->name, IFNAMSIZ);
	g_strlcpy(dev->name, name, IFNAMSIZ);
	err = dev_get_valid_name(dev->net, dev->name);
	if (err != 0) {
		memcpy(dev->name, old, IFNAMSIZ);
		return err;
	}
	table_remove(&dev->net->netdev_name, dev->name_node);
	list_name(dev);
	call_netdevice_notifiers(NETDEV_CHANGENAME, dev, NULL);
	return 0;
}

/* The namespace's list */

static struct net_device **
index_head(const struct net_device *dev)
{
	return &dev->net->index_head[dev->ifindex % NETDEV_HASHENTRIES];
}

static void
list_netdevice(struct net_device *dev)
{
	struct key index = key_of_u32((uint32_t)dev->ifindex);
	struct net *net = dev->net;

	dev->prev = net->last;
	dev->next = NULL;
	*(net->last ? &net->last->next : &net->first) = dev;
	net->last = dev;
	net->device_count++;
	list_name(dev);
	dev->index_node = node_add(&net->netdev_index, index, dev);
	dev->index_next = *index_head(dev);
	*index_head(dev) = dev;
	dev->index_seq = ++net->index_seq;
	net->dev_base_seq++;
}

static void
unlist_netdevice(struct net_device *dev)
{
	struct net *net = dev->net;
	struct net_device **at = index_head(dev);

	while (*at != dev)
		at = &(*at)->index_next;
	*at = dev->index_next;
	net->dev_base_seq++;
	*(dev->prev ? &dev->prev->next : &net->first) = dev->next;
	*(dev->next ? &dev->next->prev : &net->last) = dev->prev;
	net->device_count--;
	table_remove(&net->netdev_name, dev->name_node);
	table_remove(&net->netdev_index, dev->index_node);
}

/* Life */

struct net_device *
alloc_netdev(struct net *net, const char *name, const struct link_kind *kind)
{
	struct net_device *dev = g_new0(struct net_device, 1);

	dev->net = net;
	dev->kernel = net->kernel;
	dev->kind = kind;
	dev->priv = g_malloc0(kind->priv_size);
	g_strlcpy(dev->name, name, sizeof dev->name);
	dev->carrier = true;
	dev->operstate = OPER_UNKNOWN;
	dev->upper_level = dev->lower_level = 1;
	dev->addr_len = ETH_ALEN;
	dev_addr_init(dev);
	dev_mc_init(dev);
	dev_uc_init(dev);
	if (kind->setup)
		kind->setup(dev);
	return dev;
}

void
free_netdev(struct net_device *dev)
{
	dev_addr_flush(dev);
	table_fini(&dev->dev_addrs);
	table_fini(&dev->mc);
	table_fini(&dev->uc);
	g_free(dev->priv);
	g_free(dev);
}

static int
register_index(struct net_device *dev)
{
	if (dev->ifindex == 0)
		dev->ifindex = dev_new_index(dev->net);
	else if (dev_get_by_index(dev->net, dev->ifindex))
		return -EBUSY;
	return 0;
}

int
register_netdevice(struct net_device *dev)
{
	int err;

	ASSERT_RTNL(dev->kernel);
	DEV_ENTER_TRACED(dev, "register_netdevice");
	err = dev_get_valid_name(dev->net, dev->name);
	if (err == 0 && dev->kind->init)
		err = dev->kind->init(dev);
	if (err != 0)
		return err;
	err = register_index(dev);
	if (err == 0)
		err = call_netdevice_notifiers(NETDEV_POST_INIT, dev, NULL);
	if (err != 0) {
		if (dev->kind->uninit)
			dev->kind->uninit(dev);
		return err;
	}
	dev->reg_state = NETREG_REGISTERED;
	linkwatch_init_dev(dev);
	list_netdevice(dev);
	err = call_netdevice_notifiers(NETDEV_REGISTER, dev, NULL);
	if (err != 0)
		unregister_netdevice(dev);
	return err;
}

/* Death.  Queueing a device again moves it to the end. */

static void
unregister_list_remove(struct net_device *dev)
{
	struct unregister_list *list = dev->unregister_list;
	struct net_device *prev = dev->unregister_prev, *next = dev->unregister_next;

	*(prev ? &prev->unregister_next : &list->first) = next;
	*(next ? &next->unregister_prev : &list->last) = prev;
}

void
unregister_netdevice_queue(struct net_device *dev, struct unregister_list *list)
{
	if (dev->unregister_list)
		unregister_list_remove(dev);
	dev->unregister_list = list;
	dev->unregister_prev = list->last;
	dev->unregister_next = NULL;
	*(list->last ? &list->last->unregister_next : &list->first) = dev;
	list->last = dev;
}

#define for_each_unregistered(list, dev)                                                           \
	for ((dev) = (list)->first; (dev); (dev) = (dev)->unregister_next)

static void
close_all(const struct unregister_list *list)
{
	g_autoptr(GPtrArray) devs = g_ptr_array_new();
	struct net_device *dev;

	for_each_unregistered(list, dev) g_ptr_array_add(devs, dev);
	dev_close_many((struct net_device *const *)devs->pdata, devs->len);
}

/* Of a device that is not found any more. */
static void
tell_and_flush(struct net_device *dev)
{
	dev->qdisc_attached = dev->qdisc_active = false;
	call_netdevice_notifiers(NETDEV_UNREGISTER, dev, NULL);
	dev_uc_flush(dev);
	dev_mc_flush(dev);
}

/* The list keeps its devices until they are freed, so it is handed to the todo list as it is. */
static void
add_to_todo(struct unregister_list *list)
{
	struct kernel *k = list->first->kernel;

	list->last->unregister_next = k->todo;
	k->todo = list->first;
}

void
unregister_netdevice_many(struct unregister_list *list)
{
	struct net_device *dev;

	if (!list->first)
		return;
	close_all(list);
	for_each_unregistered(list, dev)
	{
		unlist_netdevice(dev);
		dev->reg_state = NETREG_UNREGISTERING;
	}
	for_each_unregistered(list, dev)
	{
		tell_and_flush(dev);
		if (dev->kind->uninit)
			dev->kind->uninit(dev);
		g_assert(!dev->upper.first && !dev->lower.first);
	}
	add_to_todo(list);
	*list = (struct unregister_list){NULL, NULL};
}

void
unregister_netdevice(struct net_device *dev)
{
	struct unregister_list list = {NULL, NULL};

	unregister_netdevice_queue(dev, &list);
	unregister_netdevice_many(&list);
}

/* In two rounds: a last look at one may ask the device below it, which died, too. */
void
netdev_run_todo(struct kernel *k)
{
	struct net_device *dev, *next;

	for (dev = k->todo; dev; dev = dev->unregister_next) {
		linkwatch_forget_dev(dev);
		dev->reg_state = NETREG_UNREGISTERED;
	}
	for (dev = k->todo; dev; dev = next) {
		next = dev->unregister_next;
		free_netdev(dev);
	}
	k->todo = NULL;
}

/* Another namespace */

static int
check_move(const struct net_device *dev)
{
	if (dev->priv_flags & IFF_NETNS_LOCAL || dev->reg_state != NETREG_REGISTERED)
		return -EINVAL;
	return 0;
}

/* The device keeps its name; only if that is taken there it gets the other one. */
static int
choose_name(const struct net_device *dev, struct net *net, const char *other, char *name)
{
	g_strlcpy(name, dev->name, IFNAMSIZ);
	if (!dev_get_by_name(net, name))
		return 0;
	if (!other)
		return -EEXIST;
	g_strlcpy(name, other, IFNAMSIZ);
	return dev_get_valid_name(net, name);
}

int
dev_change_net_namespace(struct net_device *dev, struct net *net, const char *other)
{
	char name[IFNAMSIZ];
	int err = check_move(dev);

	if (err != 0 || net == dev->net)
		return err;
	err = choose_name(dev, net, other, name);
	if (err != 0)
		return err;
	dev_close(dev);
	unlist_netdevice(dev);
	tell_and_flush(dev);
	dev->net = net;
	memcpy(dev->name, name, IFNAMSIZ);
	if (dev_get_by_index(net, dev->ifindex))
		dev->ifindex = dev_new_index(net);
	list_netdevice(dev);
	return call_netdevice_notifiers(NETDEV_REGISTER, dev, NULL);
}

/* Ethernet */

bool
is_zero_ether_addr(const uint8_t *addr)
{
	static const uint8_t zero[ETH_ALEN];

	return memcmp(addr, zero, ETH_ALEN) == 0;
}

bool
is_valid_ether_addr(const uint8_t *addr)
{
	return !(addr[0] & 1) && !is_zero_ether_addr(addr);
}

bool
ether_addr_equal(const uint8_t *a, const uint8_t *b)
{
	return memcmp(a, b, ETH_ALEN) == 0;
}

void
ether_setup(struct net_device *dev)
{
	dev->type = ARPHRD_ETHER;
	dev->mtu = 1500;
	dev->min_mtu = 68;
	dev->max_mtu = 1500;
	dev->addr_len = ETH_ALEN;
	dev->txqlen = 1000;
	dev->flags = IFF_BROADCAST | IFF_MULTICAST;
	memset(dev->broadcast, 0xff, ETH_ALEN);
}

/* Unicast, and locally administered. */
void
eth_hw_addr_random(struct net_device *dev)
{
	uint64_t bits = rng_next(&dev->kernel->rng);
	uint8_t addr[ETH_ALEN];

	for (unsigned at = 0; at < ETH_ALEN; at++)
		addr[at] = (uint8_t)(bits >> (8 * at));
	addr[0] = (addr[0] & 0xfe) | 0x02;
	dev_addr_mod(dev, addr);
	dev->addr_assign_type = NET_ADDR_RANDOM;
}

void
eth_hw_addr_inherit(struct net_device *dev, const struct net_device *from)
{
	dev_addr_mod(dev, from->dev_addr);
	dev->addr_assign_type = from->addr_assign_type;
}

int
eth_mac_addr(struct net_device *dev, const uint8_t *addr)
{
	if (netif_running(dev) && !(dev->priv_flags & IFF_LIVE_ADDR_CHANGE))
		return -EBUSY;
	if (!is_valid_ether_addr(addr))
		return -EADDRNOTAVAIL;
	dev_addr_mod(dev, addr);
	return 0;
}

/* The tables of a namespace */

static int
dev_net_init(struct net *net, void *state)
{
	table_init(&net->netdev_name, kernel_table(net->kernel, &netdev_name_spec));
	table_init(&net->netdev_index, kernel_table(net->kernel, &netdev_index_spec));
	return 0;
}

static void
dev_net_exit(struct net *net, void *state)
{
	table_fini(&net->netdev_name);
	table_fini(&net->netdev_index);
}

/* Newest first; what a kind's dellink takes with it is queued behind. */
static void
default_device_exit(struct net *net, struct unregister_list *list)
{
	struct net_device *dev;

	for_each_netdev_reverse(net, dev)
	{
		if (dev->kind->dellink)
			dev->kind->dellink(dev, list);
		else
			unregister_netdevice_queue(dev, list);
	}
}

static void
default_device_exit_batch(struct kernel *k, struct net *nets)
{
	struct unregister_list list = {NULL, NULL};

	rtnl_lock(k);
	for (struct net *net = nets; net; net = net->next)
		default_device_exit(net, &list);
	unregister_netdevice_many(&list);
	rtnl_unlock(k);
}

const struct net_module net_module_dev = {
	.name = "dev",
	.tables = {&netdev_name_spec, &netdev_index_spec},
	.net_init = dev_net_init,
	.net_exit = dev_net_exit,
	.exit_batch = default_device_exit_batch,
};
