/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dev-adjacency.c - which device sits on which: the graph of net/core/dev.c.
 *
 * Only direct neighbours are stored.  Levels say how long the longest chain
 * above and below a device is, itself included; they bound the depth. */
#include "net/dev.h"

#include "net/kernel.h"

#define MAX_NEST_DEV 8

static struct netdev_adjacent *
find_adj(const struct adjacency *list, const struct net_device *dev)
{
	for (struct netdev_adjacent *adj = list->first; adj; adj = adj->next)
		if (adj->dev == dev)
			return adj;
	return NULL;
}

/* A master stands first, so that it is found at once. */
static void
insert_adj(struct adjacency *list, struct net_device *dev, bool master)
{
	struct netdev_adjacent *adj = g_new0(struct netdev_adjacent, 1);

	adj->dev = dev;
	adj->master = master;
	adj->prev = master ? NULL : list->last;
	adj->next = master ? list->first : NULL;
	*(adj->prev ? &adj->prev->next : &list->first) = adj;
	*(adj->next ? &adj->next->prev : &list->last) = adj;
	list->count++;
}

static void
remove_adj(struct adjacency *list, struct net_device *dev)
{
	struct netdev_adjacent *adj = find_adj(list, dev);

	*(adj->prev ? &adj->prev->next : &list->first) = adj->next;
	*(adj->next ? &adj->next->prev : &list->last) = adj->prev;
	list->count--;
	g_free(adj);
}

struct net_device *
netdev_master_upper_dev_get(const struct net_device *dev)
{
	const struct netdev_adjacent *first = dev->upper.first;

	return first && first->master ? first->dev : NULL;
}

/* Anywhere above. */
bool
netdev_has_upper_dev(const struct net_device *dev, const struct net_device *upper)
{
	const struct netdev_adjacent *adj;

	netdev_for_each_upper(dev, adj)
	{
		if (adj->dev == upper || netdev_has_upper_dev(adj->dev, upper))
			return true;
	}
	return false;
}

/* Levels, kept like the kernel's: recomputed from the neighbours. */

static unsigned
longest(const struct adjacency *list, bool upper)
{
	unsigned level = 0;

	for (const struct netdev_adjacent *adj = list->first; adj; adj = adj->next)
		level = MAX(level, upper ? adj->dev->upper_level : adj->dev->lower_level);
	return level + 1;
}

static void
update_upper_levels(struct net_device *dev)
{
	struct netdev_adjacent *adj;

	dev->upper_level = longest(&dev->upper, true);
	netdev_for_each_lower(dev, adj) update_upper_levels(adj->dev);
}

static void
update_lower_levels(struct net_device *dev)
{
	struct netdev_adjacent *adj;

	dev->lower_level = longest(&dev->lower, false);
	netdev_for_each_upper(dev, adj) update_lower_levels(adj->dev);
}

/* Linking */

static int
check_link(const struct net_device *dev, const struct net_device *upper, bool master)
{
	const struct net_device *old_master = netdev_master_upper_dev_get(dev);

	if (dev == upper || netdev_has_upper_dev(upper, dev))
		return -EBUSY;
	if (dev->lower_level + upper->upper_level > MAX_NEST_DEV)
		return -EMLINK;
	if (!master)
		return netdev_has_upper_dev(dev, upper) ? -EEXIST : 0;
	if (old_master)
		return old_master == upper ? -EEXIST : -EBUSY;
	return 0;
}

static void
link_devices(struct net_device *dev, struct net_device *upper, bool master)
{
	insert_adj(&dev->upper, upper, master);
	insert_adj(&upper->lower, dev, false);
}

static void
unlink_devices(struct net_device *dev, struct net_device *upper)
{
	remove_adj(&dev->upper, upper);
	remove_adj(&upper->lower, dev);
}

static int
upper_dev_link(struct net_device *dev, struct net_device *upper, bool master, struct ext_ack *ack)
{
	struct changeupper info = {.upper = upper, .master = master};
	int err;

	DEV_ENTER(dev, "__netdev_upper_dev_link");
	err = check_link(dev, upper, master);
	if (err == 0)
		err = call_netdevice_notifiers(NETDEV_PRECHANGEUPPER, dev, &info);
	if (err != 0)
		return err;
	link_devices(dev, upper, master);
	err = call_netdevice_notifiers(NETDEV_CHANGEUPPER, dev, &info);
	if (err != 0) {
		unlink_devices(dev, upper);
		return err;
	}
	update_upper_levels(dev);
	update_lower_levels(upper);
	return 0;
}

int
netdev_upper_dev_link(struct net_device *dev, struct net_device *upper, struct ext_ack *ack)
{
	DEV_ENTER(dev, "netdev_upper_dev_link");
	return upper_dev_link(dev, upper, false, ack);
}

int
netdev_master_upper_dev_link(struct net_device *dev, struct net_device *upper, struct ext_ack *ack)
{
	DEV_ENTER(dev, "netdev_master_upper_dev_link");
	return upper_dev_link(dev, upper, true, ack);
}

void
netdev_upper_dev_unlink(struct net_device *dev, struct net_device *upper)
{
	struct changeupper info = {.upper = upper,
				   .master = netdev_master_upper_dev_get(dev) == upper};

	call_netdevice_notifiers(NETDEV_PRECHANGEUPPER, dev, &info);
	unlink_devices(dev, upper);
	call_netdevice_notifiers(NETDEV_CHANGEUPPER, dev, &info);
	update_upper_levels(dev);
	update_lower_levels(upper);
}
