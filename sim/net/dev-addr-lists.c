/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dev-addr-lists.c - the address lists of devices: uc, mc and the own ones.
 *
 * Models net/core/dev_addr_lists.c.  Linux 5.10 keeps each in a list, 6.1 in a
 * list and a tree; what the functions do is the same, and which structure
 * answers is the table's business. */
#include "net/dev-addr-lists.h"

#include <string.h>

#include "net/dev.h"

static const struct table_spec dev_addr_spec = {
	.name = "dev_addr",
	.about = "hardware addresses of a device (uc, mc, own), by address and type",
	.backend = "list",
	.elem_size = sizeof(struct netdev_hw_addr),
	.key_offset = offsetof(struct netdev_hw_addr, key),
	.order = TABLE_OLDEST_FIRST,
};

/* One list, and whose it is. */
struct hw_addr_list {
	struct net_device *dev;
	struct table *table;
};

static struct hw_addr_list
uc_of(struct net_device *dev)
{
	return (struct hw_addr_list){dev, &dev->uc};
}

static struct hw_addr_list
mc_of(struct net_device *dev)
{
	return (struct hw_addr_list){dev, &dev->mc};
}

static const char *
list_name(struct hw_addr_list l)
{
	return l.table == &l.dev->mc ? "mc" : l.table == &l.dev->uc ? "uc" : "dev_addrs";
}

static struct key
hw_addr_key(const uint8_t *addr, enum netdev_hw_addr_type type)
{
	return key_make(addr, ETH_ALEN, type);
}

static const char *
addr_text(const uint8_t *a, char text[18])
{
	g_snprintf(text, 18, "%02x:%02x:%02x:%02x:%02x:%02x", a[0], a[1], a[2], a[3], a[4], a[5]);
	return text;
}

/* How an address comes or goes. */
#define HW_ADDR_GLOBAL (1u << 0) /* on behalf of a user: counted once, however often */
#define HW_ADDR_SYNC   (1u << 1) /* from or to another device's list */
#define HW_ADDR_EXCL   (1u << 2) /* only if it is not there */

static void
trace_list_call(struct hw_addr_list l, const char *fn, const struct key *k, unsigned how,
		const char *sync_count, int result)
{
	char text[18];

	call_trace(
		&l.dev->kernel->calls, fn,
		"'list': '%s/%s', 'addr': '%s', 'type': %u, 'global': %d, 'sync': %d%s, 'ret': %d",
		l.dev->name, list_name(l), addr_text(k->addr, text), k->sub,
		(how & HW_ADDR_GLOBAL) != 0, (how & HW_ADDR_SYNC) != 0, sync_count, result);
}

static bool
traced(struct hw_addr_list l)
{
	return G_UNLIKELY(l.dev->kernel->calls.trace != NULL);
}

/* Adding */

static void
hw_addr_create(struct hw_addr_list l, struct netdev_hw_addr *ha, unsigned how)
{
	if (l.dev->kernel->options.version < KERNEL_6_1)
		DEV_CALL(l.dev, "__hw_addr_create_ex");
	ha->refcount = 1;
	ha->global_use = how & HW_ADDR_GLOBAL;
	ha->synced = how & HW_ADDR_SYNC ? 1 : 0;
}

/* One more reason for an address that is there. */
static int
hw_addr_use(struct netdev_hw_addr *ha, unsigned how, int sync_count)
{
	if (how & HW_ADDR_GLOBAL) {
		if (ha->global_use)
			return 0;
		ha->global_use = true;
	}
	if (how & HW_ADDR_SYNC) {
		if (ha->synced && sync_count)
			return -EEXIST;
		ha->synced++;
	}
	ha->refcount++;
	return 0;
}

/* 'sync_count' of a sync: to how many lists the source has copied it before.
 * 'added' may be null; it receives the element, whatever the result. */
static int
hw_addr_add_ex(struct hw_addr_list l, const struct key *k, unsigned how, int sync_count,
	       struct netdev_hw_addr **added)
{
	PROFILE_SCOPE(l.dev->kernel->calls.profile, "__hw_addr_add_ex");
	bool created;
	struct netdev_hw_addr *ha = table_add(l.table, k, &created);
	int err = 0;

	if (!(how & HW_ADDR_EXCL) || l.dev->kernel->options.version >= KERNEL_6_1)
		DEV_CALL(l.dev, "__hw_addr_add_ex");
	if (created)
		hw_addr_create(l, ha, how);
	else if (how & HW_ADDR_EXCL)
		err = -EEXIST;
	else
		err = hw_addr_use(ha, how, sync_count);
	if (added)
		*added = ha;
	if (traced(l)) {
		g_autofree char *member = g_strdup_printf(", 'sync_count': %d", sync_count);

		trace_list_call(l, "__hw_addr_add_ex", k, how, member, err);
	}
	return err;
}

/* Removing */

static int
hw_addr_check_del(const struct netdev_hw_addr *ha, unsigned how)
{
	if (how & HW_ADDR_GLOBAL && !ha->global_use)
		return -ENOENT;
	if (how & HW_ADDR_SYNC && !ha->synced)
		return -ENOENT;
	return 0;
}

/* One reason less. */
static int
hw_addr_del_entry(struct hw_addr_list l, struct netdev_hw_addr *ha, unsigned how)
{
	int err = hw_addr_check_del(ha, how);

	CALL_ENTER_TRACED(&l.dev->kernel->calls, "__hw_addr_del_entry", "'list': '%s/%s'",
			  l.dev->name, list_name(l));
	if (err != 0)
		return err;
	if (how & HW_ADDR_GLOBAL)
		ha->global_use = false;
	if (how & HW_ADDR_SYNC)
		ha->synced--;
	if (--ha->refcount == 0)
		table_remove(l.table, ha);
	return 0;
}

static int
hw_addr_del_ex(struct hw_addr_list l, const struct key *k, unsigned how)
{
	DEV_ENTER(l.dev, "__hw_addr_del_ex");

	struct netdev_hw_addr *ha = table_find(l.table, k);
	int err = ha ? hw_addr_check_del(ha, how) : -ENOENT;

	if (traced(l))
		trace_list_call(l, "__hw_addr_del_ex", k, how, "", err);
	return ha ? hw_addr_del_entry(l, ha, how) : err;
}

/* From one list to another */

static int
hw_addr_sync_one(struct hw_addr_list to, struct netdev_hw_addr *ha)
{
	int err;

	CALL_ENTER_TRACED(&to.dev->kernel->calls, "__hw_addr_sync_one", "'tolist': '%s/%s'",
			  to.dev->name, list_name(to));
	err = hw_addr_add_ex(to, &ha->key, HW_ADDR_SYNC, ha->sync_cnt, NULL);
	if (err == -EEXIST)
		return 0;
	if (err != 0)
		return err;
	ha->sync_cnt++;
	ha->refcount++;
	return 0;
}

static void
hw_addr_unsync_one(struct hw_addr_list to, struct hw_addr_list from, struct netdev_hw_addr *ha)
{
	if (hw_addr_del_ex(to, &ha->key, HW_ADDR_SYNC) != 0)
		return;
	ha->sync_cnt--;
	hw_addr_del_entry(from, ha, 0);
}

/* For a device that has one lower device: an address that is there is not
 * looked for again. */
static int
hw_addr_sync(struct hw_addr_list to, struct hw_addr_list from)
{
	struct netdev_hw_addr *ha;
	struct cursor cursor;
	int err = 0;

	DEV_ENTER(to.dev, "__hw_addr_sync");
	table_for_each (from.table, &cursor, ha) {
		if (ha->sync_cnt == 0)
			err = hw_addr_sync_one(to, ha);
		else if (ha->refcount == 1)
			hw_addr_unsync_one(to, from, ha);
		if (err != 0)
			break;
	}
	return err;
}

/* For several: whether this one has an address, only a lookup can tell. */
static int
hw_addr_sync_multiple(struct hw_addr_list to, struct hw_addr_list from)
{
	struct netdev_hw_addr *ha;
	struct cursor cursor;
	int err = 0;

	DEV_ENTER(to.dev, "__hw_addr_sync_multiple");
	table_for_each (from.table, &cursor, ha) {
		if (ha->sync_cnt == ha->refcount)
			hw_addr_unsync_one(to, from, ha);
		else
			err = hw_addr_sync_one(to, ha);
		if (err != 0)
			break;
	}
	return err;
}

static void
hw_addr_unsync(struct hw_addr_list to, struct hw_addr_list from)
{
	struct netdev_hw_addr *ha;
	struct cursor cursor;

	DEV_ENTER(to.dev, "__hw_addr_unsync");
	table_for_each (from.table, &cursor, ha) {
		if (ha->sync_cnt)
			hw_addr_unsync_one(to, from, ha);
	}
}

static void
hw_addr_flush(struct hw_addr_list l)
{
	DEV_ENTER(l.dev, "__hw_addr_flush");
	table_clear(l.table);
}

/* The device's own addresses; dev->dev_addr is the oldest one's. */

void
dev_addr_init(struct net_device *dev)
{
	struct hw_addr_list own = {dev, &dev->dev_addrs};
	struct key key = hw_addr_key(dev->dev_addr, NETDEV_HW_ADDR_T_LAN);

	DEV_ENTER(dev, "dev_addr_init");
	table_init(own.table, kernel_table(dev->kernel, &dev_addr_spec));
	hw_addr_add_ex(own, &key, 0, 0, &dev->own_addr);
}

void
dev_addr_check(struct net_device *dev)
{
	DEV_ENTER(dev, "dev_addr_check");
	g_assert(memcmp(dev->own_addr->key.addr, dev->dev_addr, ETH_ALEN) == 0);
}

void
dev_addr_flush(struct net_device *dev)
{
	DEV_ENTER(dev, "dev_addr_flush");
	if (dev->kernel->options.version >= KERNEL_6_1)
		dev_addr_check(dev);
	hw_addr_flush((struct hw_addr_list){dev, &dev->dev_addrs});
}

void
dev_addr_mod(struct net_device *dev, const uint8_t *addr)
{
	struct key key = hw_addr_key(addr, NETDEV_HW_ADDR_T_LAN);

	if (dev->kernel->options.version >= KERNEL_6_1) {
		DEV_CALL(dev, "dev_addr_mod");
		dev_addr_check(dev);
	}
	table_rekey(&dev->dev_addrs, dev->own_addr, &key);
	memcpy(dev->dev_addr, addr, ETH_ALEN);
}

/* Unicast */

void
dev_uc_init(struct net_device *dev)
{
	DEV_ENTER(dev, "dev_uc_init");
	table_init(&dev->uc, kernel_table(dev->kernel, &dev_addr_spec));
}

void
dev_uc_flush(struct net_device *dev)
{
	DEV_ENTER(dev, "dev_uc_flush");
	hw_addr_flush(uc_of(dev));
}

int
dev_uc_add(struct net_device *dev, const uint8_t *addr)
{
	struct key key = hw_addr_key(addr, NETDEV_HW_ADDR_T_UNICAST);
	int err;

	DEV_ENTER(dev, "dev_uc_add");
	err = hw_addr_add_ex(uc_of(dev), &key, 0, 0, NULL);
	if (err == 0)
		__dev_set_rx_mode(dev);
	return err;
}

/* Before 5.16 these looked for a twin by themselves, and then created. */
static int
add_excl(struct hw_addr_list l, const uint8_t *addr, enum netdev_hw_addr_type type)
{
	struct key key = hw_addr_key(addr, type);
	int err = hw_addr_add_ex(l, &key, HW_ADDR_EXCL | HW_ADDR_GLOBAL, 0, NULL);

	if (err == 0)
		__dev_set_rx_mode(l.dev);
	return err;
}

int
dev_uc_add_excl(struct net_device *dev, const uint8_t *addr)
{
	DEV_ENTER(dev, "dev_uc_add_excl");
	return add_excl(uc_of(dev), addr, NETDEV_HW_ADDR_T_UNICAST);
}

int
dev_uc_del(struct net_device *dev, const uint8_t *addr)
{
	struct key key = hw_addr_key(addr, NETDEV_HW_ADDR_T_UNICAST);
	int err;

	DEV_ENTER(dev, "dev_uc_del");
	err = hw_addr_del_ex(uc_of(dev), &key, 0);
	if (err == 0)
		__dev_set_rx_mode(dev);
	return err;
}

#define TRACE_PAIR(fn, to, from)                                                                   \
	CALL_TRACED(&(to)->kernel->calls, fn, "'to': '%s', 'from': '%s'", (to)->name, (from)->name)

int
dev_uc_sync(struct net_device *to, struct net_device *from)
{
	int err;

	TRACE_PAIR("dev_uc_sync", to, from);
	err = hw_addr_sync(uc_of(to), uc_of(from));
	if (err == 0)
		__dev_set_rx_mode(to);
	return err;
}

int
dev_uc_sync_multiple(struct net_device *to, struct net_device *from)
{
	int err;

	TRACE_PAIR("dev_uc_sync_multiple", to, from);
	err = hw_addr_sync_multiple(uc_of(to), uc_of(from));
	if (err == 0)
		__dev_set_rx_mode(to);
	return err;
}

void
dev_uc_unsync(struct net_device *to, struct net_device *from)
{
	TRACE_PAIR("dev_uc_unsync", to, from);
	hw_addr_unsync(uc_of(to), uc_of(from));
	__dev_set_rx_mode(to);
}

/* Multicast */

void
dev_mc_init(struct net_device *dev)
{
	DEV_ENTER(dev, "dev_mc_init");
	table_init(&dev->mc, kernel_table(dev->kernel, &dev_addr_spec));
}

void
dev_mc_flush(struct net_device *dev)
{
	DEV_ENTER(dev, "dev_mc_flush");
	hw_addr_flush(mc_of(dev));
}

static int
mc_add(struct net_device *dev, const uint8_t *addr, unsigned how)
{
	struct key key = hw_addr_key(addr, NETDEV_HW_ADDR_T_MULTICAST);
	int err = hw_addr_add_ex(mc_of(dev), &key, how, 0, NULL);

	if (err == 0)
		__dev_set_rx_mode(dev);
	return err;
}

static int
mc_del(struct net_device *dev, const uint8_t *addr, unsigned how)
{
	struct key key = hw_addr_key(addr, NETDEV_HW_ADDR_T_MULTICAST);
	int err = hw_addr_del_ex(mc_of(dev), &key, how);

	if (err == 0)
		__dev_set_rx_mode(dev);
	return err;
}

#define TRACE_ADDR(fn, dev_, addr_)                                                                \
	do {                                                                                       \
		char text_[18];                                                                    \
		CALL_TRACED(&(dev_)->kernel->calls, fn, "'dev': '%s', 'addr': '%s'", (dev_)->name, \
			    addr_text(addr_, text_));                                              \
	} while (0)

int
dev_mc_add(struct net_device *dev, const uint8_t *addr)
{
	TRACE_ADDR("dev_mc_add", dev, addr);
	return mc_add(dev, addr, 0);
}

int
dev_mc_add_excl(struct net_device *dev, const uint8_t *addr)
{
	DEV_ENTER(dev, "dev_mc_add_excl");
	return add_excl(mc_of(dev), addr, NETDEV_HW_ADDR_T_MULTICAST);
}

int
dev_mc_add_global(struct net_device *dev, const uint8_t *addr)
{
	TRACE_ADDR("dev_mc_add_global", dev, addr);
	return mc_add(dev, addr, HW_ADDR_GLOBAL);
}

int
dev_mc_del(struct net_device *dev, const uint8_t *addr)
{
	TRACE_ADDR("dev_mc_del", dev, addr);
	return mc_del(dev, addr, 0);
}

int
dev_mc_del_global(struct net_device *dev, const uint8_t *addr)
{
	TRACE_ADDR("dev_mc_del_global", dev, addr);
	return mc_del(dev, addr, HW_ADDR_GLOBAL);
}

int
dev_mc_sync(struct net_device *to, struct net_device *from)
{
	int err;

	TRACE_PAIR("dev_mc_sync", to, from);
	err = hw_addr_sync(mc_of(to), mc_of(from));
	if (err == 0)
		__dev_set_rx_mode(to);
	return err;
}

int
dev_mc_sync_multiple(struct net_device *to, struct net_device *from)
{
	int err;

	TRACE_PAIR("dev_mc_sync_multiple", to, from);
	err = hw_addr_sync_multiple(mc_of(to), mc_of(from));
	if (err == 0)
		__dev_set_rx_mode(to);
	return err;
}

void
dev_mc_unsync(struct net_device *to, struct net_device *from)
{
	TRACE_PAIR("dev_mc_unsync", to, from);
	hw_addr_unsync(mc_of(to), mc_of(from));
	__dev_set_rx_mode(to);
}

const struct net_module net_module_dev_addr_lists = {
	.name = "dev-addr-lists",
	.tables = {&dev_addr_spec},
};
