/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fake-kinds.c - the registry of link kinds: their options are of every form
 * that there is; what they show is what was recorded. */
#include "fake-kinds.h"

#include <string.h>

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

static void
fill_info(const struct net_device *dev, json_t *info_data)
{
	const struct fake_priv *priv = dev->priv;

	if (priv && priv->info)
		json_object_update(info_data, priv->info);
}

static void
fill_slave_info(const struct net_device *master, const struct net_device *slave, json_t *data)
{
	const struct fake_priv *priv = slave->priv;

	if (priv && priv->slave_info)
		json_object_update(data, priv->slave_info);
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

static struct net_module modules[G_N_ELEMENTS(kinds) + 1]; /* the last one has no kind */

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
}
