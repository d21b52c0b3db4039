/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-interface.c - devices that stand for the states and policies of one if_id.
 *
 * Models net/xfrm/xfrm_interface.c (Linux 5.10 and 6.1).  The table xfrm_if is what the
 * kernel calls struct xfrmi_net: lists by the hash of the if_id, in each the newest
 * first; one list until 5.8.  Packets are in xfrm-interface-packet.c. */
#include "net/xfrm-interface.h"

#include <linux/if_link.h>
#include <net/if_arp.h>

#include "net/af-netlink.h"
#include "net/rtnetlink.h"
#include "net/xfrm-packet.h"

#define ETH_MIN_MTU 68
#define ETH_MAX_MTU 65535

extern const struct net_module net_module_xfrm_interface;

const char *const xfrmi_decode_words[] = {
	[XFRMI_DECODE_WALK] = "walk",
	[XFRMI_DECODE_DIRECT] = "direct",
	NULL,
};

enum xfrmi_option { XFRMI_IF_ID, XFRMI_DEV };

/* An element of the table xfrm_if: key = the if_id. */
struct xfrmi_entry {
	struct key key;
	struct xfrm_if *xi;
};

struct xfrmi_net {
	struct table xfrmi;
};

struct xfrmi_kernel {
	bool loaded; /* a user has asked for an interface */
};

static const struct table_spec xfrm_if_spec = {
	.name = "xfrm_if",
	.about = "xfrm interfaces of a namespace, by if_id",
	.backend = "hash:buckets=256",
	.elem_size = sizeof(struct xfrmi_entry),
	.key_offset = offsetof(struct xfrmi_entry, key),
	.hashing = TABLE_HASH_HIGH_BITS,
	.push = true,
};

static struct table *
xfrmi_of(const struct net *net)
{
	struct xfrmi_net *xfrmn = net_module_state(net, &net_module_xfrm_interface);

	return &xfrmn->xfrmi;
}

static struct xfrmi_kernel *
xfrmi_kernel(const struct kernel *k)
{
	return kernel_module_state(k, &net_module_xfrm_interface);
}

bool
xfrmi_loaded(const struct kernel *k)
{
	return xfrmi_kernel(k)->loaded;
}

static bool
is_up(const struct xfrmi_entry *e)
{
	return e->xi->dev->flags & IFF_UP;
}

struct xfrm_if *
xfrmi_lookup(struct net *net, uint32_t if_id)
{
	struct key key = key_of_u32(if_id);
	struct xfrmi_entry *e;

	CALL_ENTER(&net->kernel->calls, "xfrmi_lookup");
	e = table_find(xfrmi_of(net), &key);
	while (e && !is_up(e))
		e = table_match(xfrmi_of(net), &key, e);
	return e ? e->xi : NULL;
}

static struct xfrm_if *
decode_by_walk(const struct xfrmi_packet *p)
{
	int ifindex = p->sdif ? p->sdif : p->dev->ifindex;
	struct cursor cursor = CURSOR_START;
	struct xfrmi_entry *e;

	while ((e = table_next_own(xfrmi_of(p->state_net), &cursor)) != NULL)
		if (e->xi->dev->ifindex == ifindex && is_up(e))
			return e->xi;
	return NULL;
}

static struct xfrm_if *
decode_by_device(struct kernel *k, const struct xfrmi_packet *p)
{
	struct net_device *dev = p->dev;

	if (p->sdif) {
		CALL(&k->calls, "dev_get_by_index_rcu");
		dev = dev_get_by_index(p->state_net, p->sdif);
	}
	if (!dev || !(dev->flags & IFF_UP))
		return NULL;
	return dev->kind == net_module_xfrm_interface.kind ? netdev_priv(dev) : NULL;
}

struct xfrm_if *
xfrmi_decode_session(struct kernel *k, const struct xfrmi_packet *p)
{
	CALL_ENTER(&k->calls, "xfrmi_decode_session");
	if (!p->state_net || !p->dev)
		return NULL;
	return k->options.xfrmi_decode == XFRMI_DECODE_WALK ? decode_by_walk(p)
							    : decode_by_device(k, p);
}

/* The table */

static void
xfrmi_link(struct xfrm_if *xi)
{
	struct key key = key_of_u32(xi->if_id);

	xi->node = table_add(xfrmi_of(xi->net), &key, NULL);
	xi->node->xi = xi;
}

/* The kernel's lists are linked one way: who leaves is looked for. */
static void
xfrmi_unlink(struct xfrm_if *xi)
{
	struct key key = key_of_u32(xi->if_id);
	struct xfrmi_entry *e = table_find(xfrmi_of(xi->net), &key);

	g_assert(e == xi->node);
	table_remove(xfrmi_of(xi->net), e);
	xi->node = NULL;
}

static struct xfrm_if *
xfrmi_locate(struct net *net, uint32_t if_id)
{
	struct key key = key_of_u32(if_id);
	struct xfrmi_entry *e = table_find(xfrmi_of(net), &key);

	return e ? e->xi : NULL;
}

/* Life */

static void
xfrmi_dev_setup(struct net_device *dev)
{
	DEV_ENTER(dev, "xfrmi_dev_setup");
	dev->type = ARPHRD_NONE;
	dev->mtu = 1500;
	dev->min_mtu = ETH_MIN_MTU;
	dev->max_mtu = ETH_MAX_MTU;
	dev->txqlen = 1000;
	dev->addr_len = 0;
	dev->flags = IFF_NOARP;
	dev->priv_flags = IFF_NO_QUEUE | IFF_NO_VLAN;
}

/* Its address has no length; but it has bytes. */
static int
xfrmi_dev_init(struct net_device *dev)
{
	const struct xfrm_if *xi = netdev_priv(dev);
	const struct net_device *phydev = xi->link ? dev_get_by_index(xi->net, xi->link) : NULL;

	DEV_ENTER(dev, "xfrmi_dev_init");
	if (phydev && is_zero_ether_addr(dev->dev_addr))
		eth_hw_addr_inherit(dev, phydev);
	return 0;
}

static void
xfrmi_dev_uninit(struct net_device *dev)
{
	struct xfrm_if *xi = netdev_priv(dev);

	DEV_ENTER(dev, "xfrmi_dev_uninit");
	if (xi->node)
		xfrmi_unlink(xi);
}

static int
check_if_id(const struct link_request *req, struct ext_ack *ack)
{
	if (link_option_given(req, XFRMI_IF_ID) && req->option[XFRMI_IF_ID] != 0)
		return 0;
	ext_ack_set(ack, "if_id must be non zero");
	return -EINVAL;
}

/* Where the device is to live, whoever asked. */
static int
xfrmi_newlink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	struct xfrm_if *xi = netdev_priv(dev);
	uint32_t if_id = (uint32_t)req->option[XFRMI_IF_ID];
	int err = check_if_id(req, ack);

	DEV_ENTER(dev, "xfrmi_newlink");
	xfrmi_kernel(dev->kernel)->loaded = true;
	if (err != 0)
		return err;
	if (xfrmi_locate(dev->net, if_id))
		return -EEXIST;
	*xi = (struct xfrm_if){
		.dev = dev, .net = dev->net, .if_id = if_id, .link = (int)req->option[XFRMI_DEV]};
	err = register_netdevice(dev);
	if (err == 0)
		xfrmi_link(xi);
	return err;
}

/* Out of its list and in again, even if nothing comes of it. */
static int
xfrmi_update(struct xfrm_if *xi, uint32_t if_id, int link)
{
	int err = link == xi->link ? 0 : -EINVAL;

	xfrmi_unlink(xi);
	if (err == 0)
		xi->if_id = if_id;
	xfrmi_link(xi);
	return err;
}

static int
xfrmi_changelink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	struct xfrm_if *xi = netdev_priv(dev), *other;
	uint32_t if_id = (uint32_t)req->option[XFRMI_IF_ID];
	int err = check_if_id(req, ack);

	DEV_ENTER(dev, "xfrmi_changelink");
	if (err != 0)
		return err;
	other = xfrmi_locate(xi->net, if_id);
	if (other && other != xi)
		return -EEXIST;
	return xfrmi_update(xi, if_id, (int)req->option[XFRMI_DEV]);
}

static void
xfrmi_dellink(struct net_device *dev, struct unregister_list *list)
{
	DEV_ENTER(dev, "xfrmi_dellink");
	unregister_netdevice_queue(dev, list);
}

static int
xfrmi_get_iflink(const struct net_device *dev)
{
	return ((const struct xfrm_if *)netdev_priv(dev))->link;
}

static struct net *
xfrmi_get_link_net(const struct net_device *dev)
{
	return ((const struct xfrm_if *)netdev_priv(dev))->net;
}

static void
xfrmi_fill_info(struct nlmsg *m, const struct net_device *dev)
{
	const struct xfrm_if *xi = netdev_priv(dev);

	nlmsg_put_u32(m, IFLA_XFRM_LINK, (uint32_t)xi->link);
	nlmsg_put_u32(m, IFLA_XFRM_IF_ID, xi->if_id);
}

static const struct link_kind xfrm_kind = {
	.name = "xfrm",
	.about = "a device for the IPsec states and policies of one if_id",
	.priv_size = sizeof(struct xfrm_if),
	.options = {[XFRMI_IF_ID] = {.name = "if_id",
				     .help = "of its states and policies",
				     .min = 1,
				     .max = UINT32_MAX},
		    [XFRMI_DEV] = {.name = "dev",
				   .help = "device that packets leave by",
				   .form = LINK_OPTION_DEVICE}},
	.setup = xfrmi_dev_setup,
	.newlink = xfrmi_newlink,
	.changelink = xfrmi_changelink,
	.dellink = xfrmi_dellink,
	.get_iflink = xfrmi_get_iflink,
	.get_link_net = xfrmi_get_link_net,
	.fill_info = xfrmi_fill_info,
	.init = xfrmi_dev_init,
	.uninit = xfrmi_dev_uninit,
	.xmit = xfrmi_xmit,
};

/* Namespaces */

static int
xfrmi_net_init(struct net *net, void *state)
{
	struct xfrmi_net *xfrmn = state;

	table_init(&xfrmn->xfrmi, kernel_table(net->kernel, &xfrm_if_spec));
	return 0;
}

static void
xfrmi_net_exit(struct net *net, void *state)
{
	struct xfrmi_net *xfrmn = state;

	table_fini(&xfrmn->xfrmi);
}

static bool
has_any(const struct net *net)
{
	for (; net; net = net->next)
		if (table_count(xfrmi_of(net)) > 0)
			return true;
	return false;
}

/* Those that were made there, wherever they are now.  The first one loads the module. */
static void
xfrmi_exit_batch_net(struct kernel *k, struct net *dead)
{
	struct unregister_list list = {NULL, NULL};

	if (!has_any(dead))
		return;
	rtnl_lock(k);
	for (struct net *net = dead; net; net = net->next) {
		struct cursor cursor = CURSOR_START;
		struct xfrmi_entry *e;

		while ((e = table_next_own(xfrmi_of(net), &cursor)) != NULL)
			unregister_netdevice_queue(e->xi->dev, &list);
	}
	unregister_netdevice_many(&list);
	rtnl_unlock(k);
}

const struct net_module net_module_xfrm_interface = {
	.name = "xfrm-interface",
	.kind = &xfrm_kind,
	.tables = {&xfrm_if_spec},
	.kernel_size = sizeof(struct xfrmi_kernel),
	.net_size = sizeof(struct xfrmi_net),
	.net_init = xfrmi_net_init,
	.net_exit = xfrmi_net_exit,
	.exit_batch = xfrmi_exit_batch_net,
};
