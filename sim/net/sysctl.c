/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sysctl.c - the files below /proc/sys/net of a namespace, by who has them. */
#include <string.h>

#include "net/inet6.h"
#include "net/ip4.h"
#include "net/request.h"

static const struct {
	const char *folder; /* with its slash */
	int (*write)(struct net *, const char *path, const char *value);
	int (*read)(struct net *, const char *path, int *value);
} folders[] = {
	{"net/core/", net_core_sysctl_write, net_core_sysctl_read},
	{"net/ipv6/conf/", addrconf_sysctl_write, addrconf_sysctl_read},
};

int
net_sysctl_write(struct net *net, const char *path, const char *value)
{
	for (unsigned n = 0; n < G_N_ELEMENTS(folders); n++)
		if (g_str_has_prefix(path, folders[n].folder))
			return folders[n].write(net, path + strlen(folders[n].folder), value);
	return -ENOENT;
}

int
net_sysctl_read(struct net *net, const char *path, int *value)
{
	for (unsigned n = 0; n < G_N_ELEMENTS(folders); n++)
		if (g_str_has_prefix(path, folders[n].folder))
			return folders[n].read(net, path + strlen(folders[n].folder), value);
	return -ENOENT;
}
