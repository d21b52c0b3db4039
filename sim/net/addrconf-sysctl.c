/* SPDX-License-Identifier: GPL-2.0-or-later */
/* addrconf-sysctl.c - /proc/sys/net/ipv6/conf: settings for all devices, for new
 * ones, and for one.
 *
 * Models the sysctls of net/ipv6/addrconf.c (Linux 5.10 and 6.1). */
#include <linux/if_addr.h>
#include <string.h>

#include "net/dev.h"
#include "net/inet6.h"

/* Which of the three a file belongs to. */
struct conf_place {
	struct net *net;
	struct ipv6_devconf *cnf;
	struct inet6_dev *idev; /* null for "all" and "default" */
};

struct conf_file {
	const char *name;
	size_t offset;
	int min, max;

	/* After each write; 'toggled' between zero and not.  May be null. */
	void (*written)(const struct conf_place *, int value, bool toggled);
};

/* Forwarding: a router listens to three groups more, and to its prefixes. */

static void
dev_forward_change(struct inet6_dev *idev)
{
	static const uint8_t *const groups[] = {in6addr_linklocal_allrouters,
						in6addr_interfacelocal_allrouters,
						in6addr_sitelocal_allrouters};
	int (*change)(struct net_device *, const uint8_t *) =
		idev->cnf.forwarding ? ipv6_dev_mc_inc : ipv6_dev_mc_dec;
	struct inet6_ifaddr *ifa;
	struct cursor cursor;

	if (idev->dev->flags & IFF_MULTICAST)
		for (unsigned n = 0; n < G_N_ELEMENTS(groups); n++)
			change(idev->dev, groups[n]);
	for_each_ifaddr(idev, &cursor, ifa)
	{
		if (ifa->flags & IFA_F_TENTATIVE)
			continue;
		if (idev->cnf.forwarding)
			addrconf_join_anycast(ifa);
		else
			addrconf_leave_anycast(ifa);
	}
}

static void
forwarding_written(const struct conf_place *place, int value, bool toggled)
{
	struct inet6_net *in6 = inet6_net(place->net);
	struct net_device *dev;

	if (place->idev && toggled)
		dev_forward_change(place->idev);
	if (place->cnf != &in6->all)
		return;
	in6->dflt.forwarding = value;
	for_each_netdev(place->net, dev)
	{
		struct inet6_dev *idev = in6_dev_get(dev);

		if (!idev)
			continue;
		if (!idev->cnf.forwarding != !value) {
			idev->cnf.forwarding = value;
			dev_forward_change(idev);
		}
		idev->cnf.forwarding = value;
	}
}

static void
dev_disable_change(struct inet6_dev *idev)
{
	if (idev->cnf.disable_ipv6)
		addrconf_down(idev->dev);
	else
		addrconf_up(idev->dev);
}

static void
disable_written(const struct conf_place *place, int value, bool toggled)
{
	struct inet6_net *in6 = inet6_net(place->net);
	struct net_device *dev;

	if (place->idev && toggled)
		dev_disable_change(place->idev);
	if (place->cnf != &in6->all)
		return;
	in6->dflt.disable_ipv6 = value;
	for_each_netdev(place->net, dev)
	{
		struct inet6_dev *idev = in6_dev_get(dev);

		if (!idev || !idev->cnf.disable_ipv6 == !value)
			continue;
		idev->cnf.disable_ipv6 = value;
		dev_disable_change(idev);
	}
}

#define CONF(member, min, max, written)                                                            \
	{                                                                                          \
#member, offsetof(struct ipv6_devconf, member), min, max, written                  \
	}

static const struct conf_file files[] = {
	CONF(accept_dad, G_MININT, G_MAXINT, NULL),
	CONF(accept_ra, G_MININT, G_MAXINT, NULL),
	CONF(addr_gen_mode, 0, 1, NULL),
	CONF(dad_transmits, G_MININT, G_MAXINT, NULL),
	CONF(disable_ipv6, G_MININT, G_MAXINT, disable_written),
	CONF(forwarding, G_MININT, G_MAXINT, forwarding_written),
	CONF(keep_addr_on_down, G_MININT, G_MAXINT, NULL),
	CONF(optimistic_dad, G_MININT, G_MAXINT, NULL),
	CONF(router_solicitations, -1, G_MAXINT, NULL),
	CONF(use_oif_addrs_only, G_MININT, G_MAXINT, NULL),
	CONF(use_optimistic, G_MININT, G_MAXINT, NULL),
	CONF(use_tempaddr, G_MININT, G_MAXINT, NULL),
};

static const struct conf_file *
find_file(const char *name)
{
	for (unsigned n = 0; n < G_N_ELEMENTS(files); n++)
		if (strcmp(files[n].name, name) == 0)
			return &files[n];
	return NULL;
}

static int *
value_of(const struct conf_place *place, const struct conf_file *file)
{
	return (int *)((char *)place->cnf + file->offset);
}

static bool
find_place(struct net *net, const char *whose, struct conf_place *place)
{
	struct inet6_net *in6 = inet6_net(net);
	struct net_device *dev;

	*place = (struct conf_place){.net = net};
	if (strcmp(whose, "all") == 0) {
		place->cnf = &in6->all;
	} else if (strcmp(whose, "default") == 0) {
		place->cnf = &in6->dflt;
	} else {
		dev = dev_get_by_name(net, whose);
		place->idev = dev ? in6_dev_get(dev) : NULL;
		if (place->idev)
			place->cnf = &place->idev->cnf;
	}
	return place->cnf != NULL;
}

/* 'path' below net/ipv6/conf: "all/forwarding". */
static const struct conf_file *
resolve(struct net *net, const char *path, struct conf_place *place)
{
	g_auto(GStrv) words = g_strsplit(path, "/", 3);

	if (g_strv_length(words) != 2 || !find_place(net, words[0], place))
		return NULL;
	return find_file(words[1]);
}

static bool
parse(const char *text, const struct conf_file *file, int *value)
{
	g_autofree char *trimmed = g_strstrip(g_strdup(text));
	gint64 number;

	if (!g_ascii_string_to_signed(trimmed, 10, file->min, file->max, &number, NULL))
		return false;
	*value = (int)number;
	return true;
}

static int
write_value(struct net *net, const char *path, const char *text)
{
	struct conf_place place;
	const struct conf_file *file = resolve(net, path, &place);
	int value, old;

	if (!file)
		return -ENOENT;
	if (!parse(text, file, &value))
		return -EINVAL;
	old = *value_of(&place, file);
	*value_of(&place, file) = value;
	if (file->written)
		file->written(&place, value, !old != !value);
	return 0;
}

/* RTNL is for what changes devices. */
int
addrconf_sysctl_write(struct net *net, const char *path, const char *value)
{
	PROFILE_SCOPE(net->kernel->calls.profile, "proc_sys_write");
	struct conf_place place;
	const struct conf_file *file = resolve(net, path, &place);
	int err;

	if (!file || !file->written)
		return write_value(net, path, value);
	rtnl_lock(net->kernel);
	err = write_value(net, path, value);
	rtnl_unlock(net->kernel);
	return err;
}

int
addrconf_sysctl_read(struct net *net, const char *path, int *value)
{
	struct conf_place place;
	const struct conf_file *file = resolve(net, path, &place);

	if (!file)
		return -ENOENT;
	*value = *value_of(&place, file);
	return 0;
}
