/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fake-kinds.c - the registry of link kinds: their options are of every form
 * that there is; what they show is what was recorded. */
#include "fake-kinds.h"

#include <string.h>

#include "net/af-netlink.h"

int
fake_iflink(const struct net_device *dev)
{
	const struct fake_priv *priv = dev->priv;

	return priv && priv->iflink ? priv->iflink : dev->ifindex;
}

static struct net *
get_link_net(const struct net_device *dev)
{
	const struct fake_priv *priv = dev->priv;

	return priv && priv->link_net ? priv->link_net : dev->net;
}

static uint8_t
hex_byte(const char *text)
{
	return (uint8_t)(g_ascii_xdigit_value(text[0]) << 4 | g_ascii_xdigit_value(text[1]));
}

/* All attributes of a recording. */
static void
put_recorded(struct nlmsg *m, const char *hex)
{
	uint32_t words[256];
	uint8_t *bytes = (uint8_t *)words;
	int len = 0;

	for (; hex && *hex; hex += 2)
		bytes[len++] = hex_byte(hex);
	for (const struct nlattr *attr = (const void *)words; mnl_attr_ok(attr, len);
	     len -= MNL_ALIGN(attr->nla_len), attr = mnl_attr_next(attr))
		nlmsg_put(m, attr->nla_type, mnl_attr_get_payload(attr),
			  mnl_attr_get_payload_len(attr));
}

static void
fill_info(struct nlmsg *m, const struct net_device *dev)
{
	const struct fake_priv *priv = dev->priv;

	put_recorded(m, priv->info);
}

static void
fill_slave_info(struct nlmsg *m, const struct net_device *master, const struct net_device *slave)
{
	const struct fake_priv *priv = slave->priv;

	put_recorded(m, priv->slave_info);
}

static const char *const bond_modes[] = {"balance-rr", "active-backup", "balance-xor",
					 "broadcast",  "802.3ad",       NULL};
static const char *const macvlan_modes[] = {"private", "vepa", "bridge", NULL};
static const char *const protocols[] = {"802.1Q", "802.1ad", NULL};

#define SHOWS                                                                                      \
	.get_link_net = get_link_net, .fill_info = fill_info, .fill_slave_info = fill_slave_info

static const struct link_kind kinds[] = {
	{.name = "loopback", .builtin = true},
	{.name = "bond",
	 .options = {{"mode", "", LINK_OPTION_WORD, 0, 0, bond_modes, 0},
		     {"miimon", "", LINK_OPTION_NUMBER, 0, UINT32_MAX, NULL, 0},
		     {"primary", "", LINK_OPTION_DEVICE, 0, 0, NULL, 0}},
	 SHOWS},
	{.name = "bridge",
	 .options = {{"stp_state", "", LINK_OPTION_NUMBER, 0, 1, NULL, 0}},
	 SHOWS},
	{.name = "dummy", SHOWS},
	{.name = "macvlan",
	 .options = {{"mode", "", LINK_OPTION_WORD, 0, 0, macvlan_modes, 1}},
	 SHOWS},
	{.name = "veth", .options = {{"peer", "", LINK_OPTION_PEER, 0, 0, NULL, 0}}, SHOWS},
	{.name = "vlan",
	 .options = {{"id", "", LINK_OPTION_NUMBER, 0, 65535, NULL, 0},
		     {"protocol", "", LINK_OPTION_WORD, 0, 0, protocols, 0},
		     {"gvrp", "", LINK_OPTION_ON_OFF, 0, 0, NULL, 0}},
	 SHOWS},
	{.name = "vrf",
	 .options = {{"table", "", LINK_OPTION_NUMBER, 0, UINT32_MAX, NULL, 0}},
	 SHOWS},
};

/* Dumps are those of the models. */
extern const struct net_module net_module_addrconf_dump, net_module_devinet, net_module_rtnl_ifinfo;

static struct net_module modules[G_N_ELEMENTS(kinds) + 3]; /* the last ones have no kind */

unsigned
net_module_count(void)
{
	return G_N_ELEMENTS(modules);
}

const struct net_module *
net_module_at(unsigned n)
{
	return &modules[n];
}

const struct link_kind *
link_kind_by_name(const char *name)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}

void
fake_kinds_init(void)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++)
		modules[i] = (struct net_module){.name = kinds[i].name, .kind = &kinds[i]};
	modules[G_N_ELEMENTS(kinds)] = net_module_rtnl_ifinfo;
	modules[G_N_ELEMENTS(kinds) + 1] = net_module_devinet;
	modules[G_N_ELEMENTS(kinds) + 2] = net_module_addrconf_dump;
}
