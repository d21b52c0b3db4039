/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fake-kernel.c - the functions of net/request.h and those that 'show' asks,
 * which write down what they are asked. */
#include "fake-kernel.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "fake-kinds.h"
#include "net/dev-addr-lists.h"
#include "net/dump-audit.h"
#include "net/igmp.h"
#include "net/packet.h"
#include "net/inet6.h"

static struct fake *
fake_of(const struct net *net)
{
	return (struct fake *)net->kernel;
}

static void note(struct fake *, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void
note(struct fake *f, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (f->log->len)
		g_string_append(f->log, "; ");
	g_string_append_vprintf(f->log, format, args);
	va_end(args);
}

static void
add_net(struct fake *f, const char *name)
{
	struct net *net = g_new0(struct net, 1), **last = &f->kernel.nets;

	net->kernel = &f->kernel;
	g_strlcpy(net->name, name, sizeof net->name);
	net->prev = f->kernel.nets_last;
	while (*last)
		last = &(*last)->next;
	*last = f->kernel.nets_last = net;
}

struct fake *
fake_new(void)
{
	struct fake *f = g_new0(struct fake, 1);

	f->kernel.options.version = KERNEL_6_1;
	f->kernel.dumps = g_array_new(FALSE, FALSE, sizeof(struct dump_record));
	f->kernel.engine = engine_new(&(struct engine_config){.cpus = 1});
	f->log = g_string_new(NULL);
	add_net(f, "");
	f->kernel.init_net = f->kernel.nets;
	add_net(f, "test");
	add_net(f, "two");
	f->recordings = json_array();
	fake_kinds_init();
	return f;
}

static void
drop_address(struct inet6_dev *idev, struct inet6_ifa_node *node)
{
	g_free(node->ifa);
	table_remove(&idev->addr_list, node);
}

static void
free_in_device(struct in_device *in_dev)
{
	if (!in_dev)
		return;
	while (in_dev->ifa_list) {
		struct in_ifaddr *ifa = in_dev->ifa_list;

		in_dev->ifa_list = ifa->next;
		g_free(ifa);
	}
	g_free(in_dev->mc_list);
	g_free(in_dev);
}

static void
free_device(struct net_device *dev)
{
	struct inet6_dev *idev = dev->ip6_ptr;

	struct inet6_ifa_node *node;

	while (idev && (node = table_peek(&idev->addr_list, &CURSOR_START)))
		drop_address(idev, node);
	if (idev)
		table_fini(&idev->addr_list);
	while (idev && idev->mc_list) {
		struct ifmcaddr6 *mc = idev->mc_list;

		idev->mc_list = mc->next;
		g_free(mc);
	}
	if (dev->mc.kind)
		table_fini(&dev->mc);
	g_free(dev->upper.first);
	g_free(dev->priv);
	free_in_device(dev->ip_ptr);
	g_free(idev);
	g_free(dev);
}

void
fake_free(struct fake *f)
{
	while (f->kernel.nets) {
		struct net *net = f->kernel.nets;

		while (net->first) {
			struct net_device *dev = net->first;

			net->first = dev->next;
			free_device(dev);
		}
		f->kernel.nets = net->next;
		g_free(net);
	}
	table_kind_free(f->addresses);
	table_kind_free(f->ifa_lists);
	json_decref(f->recordings);
	g_array_unref(f->kernel.dumps);
	engine_free(f->kernel.engine);
	g_string_free(f->log, TRUE);
	g_free(f);
}

struct net_device *
fake_device(struct fake *f, const char *netns, const char *name, const char *kind)
{
	struct net *net = net_by_name(&f->kernel, netns);
	struct net_device *dev = g_new0(struct net_device, 1);

	g_strlcpy(dev->name, name, sizeof dev->name);
	dev->net = net;
	dev->kernel = &f->kernel;
	dev->kind = kind ? link_kind_by_name(kind) : NULL;
	dev->addr_len = ETH_ALEN;
	dev->ifindex = ++net->last_ifindex;
	dev->prev = net->last;
	if (net->last)
		net->last->next = dev;
	else
		net->first = dev;
	net->last = dev;
	return dev;
}

void
fake_list_device(struct net_device *dev)
{
	struct net_device **head = &dev->net->index_head[dev->ifindex % NETDEV_HASHENTRIES];

	dev->index_next = *head;
	*head = dev;
	dev->index_seq = ++dev->net->index_seq;
}

/* The door. */

struct net *
net_by_name(struct kernel *k, const char *name)
{
	for (struct net *net = k->nets; net; net = net->next)
		if (strcmp(net->name, name) == 0)
			return net;
	return NULL;
}

static int
answer(struct fake *f, struct ext_ack *ack)
{
	int result = f->result;

	if (f->ack && ack)
		g_strlcpy(ack->message, f->ack, sizeof ack->message);
	return result;
}

int
netns_add(struct kernel *k, const char *name)
{
	note((struct fake *)k, "netns_add %s", name);
	return answer((struct fake *)k, NULL);
}

int
netns_del(struct kernel *k, const char *name)
{
	note((struct fake *)k, "netns_del %s", name);
	return answer((struct fake *)k, NULL);
}

static struct net_device *
by_name(struct net *net, const char *name)
{
	struct net_device *dev = net->first;

	while (dev && strcmp(dev->name, name) != 0)
		dev = dev->next;
	return dev;
}

int
rtnl_getlink(struct net *net, const char *ifname, int *ifindex)
{
	const struct net_device *dev = by_name(net, ifname);

	note(fake_of(net), "getlink %s", ifname);
	if (!dev)
		return -ENODEV;
	*ifindex = dev->ifindex;
	return 0;
}

static void
append_options(GString *text, const struct link_request *r)
{
	for (unsigned i = 0; i < LINK_OPTIONS_MAX; i++)
		if (r->given & (UINT32_C(1) << i) && r->kind->options[i].form != LINK_OPTION_PEER)
			g_string_append_printf(text, " %s=%" G_GUINT64_FORMAT,
					       r->kind->options[i].name, r->option[i]);
}

/* Only what is set. */
static void
append_request(GString *text, const struct link_request *r)
{
	const struct {
		bool set;
		const char *name;
		int64_t value;
	} numbers[] = {
		{r->ifindex != 0, "index", r->ifindex},    {r->link != 0, "link", r->link},
		{r->has_master, "master", r->master},      {r->has_mtu, "mtu", (int)r->mtu},
		{r->has_txqlen, "txqlen", (int)r->txqlen}, {r->has_group, "group", r->group},
	};

	if (*r->ifname)
		g_string_append_printf(text, " name=%s", r->ifname);
	for (unsigned i = 0; i < G_N_ELEMENTS(numbers); i++)
		if (numbers[i].set)
			g_string_append_printf(text, " %s=%" G_GINT64_FORMAT, numbers[i].name,
					       numbers[i].value);
	if (r->change)
		g_string_append_printf(text, " flags=%x/%x", r->flags, r->change);
	if (r->has_address)
		g_string_append_printf(text, " address=%02x:%02x:%02x:%02x:%02x:%02x",
				       r->address[0], r->address[1], r->address[2], r->address[3],
				       r->address[4], r->address[5]);
	if (*r->netns)
		g_string_append_printf(text, " netns=%s", r->netns);
	if (r->kind) {
		g_string_append_printf(text, " kind=%s", r->kind->name);
		append_options(text, r);
	}
	if (r->peer) {
		g_string_append(text, " peer(");
		append_request(text, r->peer);
		g_string_append(text, " )");
	}
}

static int
link_request(struct net *net, const char *what, const struct link_request *r, struct ext_ack *ack)
{
	g_autoptr(GString) text = g_string_new(what);

	append_request(text, r);
	note(fake_of(net), "%s", text->str);
	return answer(fake_of(net), ack);
}

int
rtnl_newlink(struct net *net, const struct link_request *r, struct ext_ack *ack)
{
	return link_request(net, "newlink", r, ack);
}

/* ip's first request, about no device, is not worth a word in each expectation. */
int
rtnl_setlink(struct net *net, const struct link_request *r, struct ext_ack *ack)
{
	static const struct link_request nothing;

	if (memcmp(r, &nothing, sizeof nothing) == 0)
		return -ENODEV;
	return link_request(net, "setlink", r, ack);
}

int
rtnl_dellink(struct net *net, const struct link_request *r, struct ext_ack *ack)
{
	return link_request(net, "dellink", r, ack);
}

static int
addr_request(struct net *net, const char *what, const struct addr_request *r, struct ext_ack *ack)
{
	g_autoptr(GString) text = g_string_new(what);

	for (unsigned i = 0; i < 16; i += 2)
		g_string_append_printf(text, "%c%x", i ? ':' : ' ',
				       r->local[i] << 8 | r->local[i + 1]);
	g_string_append_printf(text, "/%u dev=%d", r->prefixlen, r->ifindex);
	if (r->flags)
		g_string_append_printf(text, " flags=%x", r->flags);
	if (r->valid_lft != UINT32_MAX || r->preferred_lft != UINT32_MAX)
		g_string_append_printf(text, " lft=%u,%u", r->valid_lft, r->preferred_lft);
	if (r->replace)
		g_string_append(text, " replace");
	note(fake_of(net), "%s", text->str);
	return answer(fake_of(net), ack);
}

int
inet6_rtm_newaddr(struct net *net, const struct addr_request *r, struct ext_ack *ack)
{
	return addr_request(net, "newaddr", r, ack);
}

int
inet6_rtm_deladdr(struct net *net, const struct addr_request *r, struct ext_ack *ack)
{
	struct net_device *dev = dev_get_by_index(net, r->ifindex);
	struct key key = key_make(r->local, 16, 0);
	struct addr_request seen = *r;
	struct inet6_ifa_node *node;
	int result;

	seen.valid_lft = seen.preferred_lft = UINT32_MAX; /* mean nothing here */
	result = addr_request(net, "deladdr", &seen, ack);
	node = dev && dev->ip6_ptr && result == 0 ? table_find(&dev->ip6_ptr->addr_list, &key)
						  : NULL;
	if (node)
		drop_address(dev->ip6_ptr, node);
	return result;
}

int
rtnl_addrlabel(struct net *net, const struct addrlabel_request *r, bool add)
{
	char text[INET6_ADDRSTRLEN];

	inet_ntop(AF_INET6, r->prefix, text, sizeof text);
	note(fake_of(net), "%slabel %s/%u dev=%d label=%u", add ? "new" : "del", text, r->prefixlen,
	     r->ifindex, r->label);
	return answer(fake_of(net), NULL);
}

int
dev_ioctl_multi(struct net *net, const char *ifname, const uint8_t addr[6], bool add)
{
	note(fake_of(net), "%smulti %s %02x:%02x:%02x:%02x:%02x:%02x", add ? "add" : "del", ifname,
	     addr[0], addr[1], addr[2], addr[3], addr[4], addr[5]);
	return answer(fake_of(net), NULL);
}

static int
note_fdb(struct net *net, const char *what, const struct fdb_request *r, struct ext_ack *ack)
{
	const uint8_t *a = r->addr;

	note(fake_of(net), "%s %d %02x:%02x:%02x:%02x:%02x:%02x vid=%u state=%x flags=%x%s%s%s%s",
	     what, r->ifindex, a[0], a[1], a[2], a[3], a[4], a[5], r->vid, r->state, r->flags,
	     r->create ? " create" : "", r->exclusive ? " exclusive" : "",
	     r->append ? " append" : "", r->replace ? " replace" : "");
	return answer(fake_of(net), ack);
}

int
rtnl_fdb_add(struct net *net, const struct fdb_request *r, struct ext_ack *ack)
{
	return note_fdb(net, "newneigh", r, ack);
}

int
rtnl_fdb_del(struct net *net, const struct fdb_request *r, struct ext_ack *ack)
{
	return note_fdb(net, "delneigh", r, ack);
}

static int
note_bridge(struct net *net, const char *what, const struct bridge_request *r, struct ext_ack *ack)
{
	note(fake_of(net), "%s %d flags=%x vlan=%u-%u/%x port=%" PRIx64 "/%" PRIx64 " state=%d",
	     what, r->ifindex, r->flags, r->vid, r->vid_end, r->vlan_flags, r->port_on,
	     r->port_given, r->has_state ? r->state : -1);
	return answer(fake_of(net), ack);
}

int
rtnl_bridge_setlink(struct net *net, const struct bridge_request *r, struct ext_ack *ack)
{
	return note_bridge(net, "setbridge", r, ack);
}

int
rtnl_bridge_dellink(struct net *net, const struct bridge_request *r, struct ext_ack *ack)
{
	return note_bridge(net, "delbridge", r, ack);
}

int
packet_device(struct net *net, const char *ifname, int *ifindex, uint8_t addr[ETH_ALEN])
{
	memset(addr, 0, ETH_ALEN);
	return rtnl_getlink(net, ifname, ifindex);
}

int
packet_snd(struct net *net, const struct packet_request *r)
{
	const uint8_t *s = r->src, *d = r->dst;

	note(fake_of(net),
	     "frame %d %02x:%02x:%02x:%02x:%02x:%02x to %02x:%02x:%02x:%02x:%02x:%02x vlan=%d",
	     r->ifindex, s[0], s[1], s[2], s[3], s[4], s[5], d[0], d[1], d[2], d[3], d[4], d[5],
	     r->tagged ? r->vid : -1);
	return answer(fake_of(net), NULL);
}

int
net_sysctl_write(struct net *net, const char *path, const char *value)
{
	note(fake_of(net), "sysctl %s%s%s=%s", net->name, *net->name ? ":" : "", path, value);
	return answer(fake_of(net), NULL);
}

int
net_sysctl_read(struct net *net, const char *path, int *value)
{
	*value = 7;
	return answer(fake_of(net), NULL);
}

void
rtnl_lock(struct kernel *k)
{
}

void
rtnl_unlock(struct kernel *k)
{
}

/* What 'show' asks a device. */

struct net_device *
dev_get_by_index(struct net *net, int ifindex)
{
	struct net_device *dev = net->first;

	while (dev && dev->ifindex != ifindex)
		dev = dev->next;
	return dev;
}

struct net_device *
dev_get_by_name(struct net *net, const char *name)
{
	return by_name(net, name);
}

int
dev_ioctl_txqlen(struct net *net, const char *ifname, unsigned *len)
{
	*len = by_name(net, ifname)->txqlen;
	return 0;
}

/* Of which only the addresses' generation is asked for. */
struct inet6_net *
inet6_net(const struct net *net)
{
	static struct inet6_net none;

	return &none;
}

unsigned
dev_get_flags(const struct net_device *dev)
{
	return dev->flags;
}

int
dev_get_iflink(const struct net_device *dev)
{
	return fake_iflink(dev);
}

struct net_device *
netdev_master_upper_dev_get(const struct net_device *dev)
{
	return dev->upper.first ? dev->upper.first->dev : NULL;
}
