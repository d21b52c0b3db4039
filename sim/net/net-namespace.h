/* SPDX-License-Identifier: GPL-2.0-or-later */
/* net-namespace.h - what kernel.c needs of net-namespace.c. */
#pragma once

#include "net/netdevice.h"

/* Makes a namespace with all that modules keep for it.  By a task. */
struct net *setup_net(struct kernel *, const char *name);

void netns_init(struct kernel *);
void netns_exit(struct kernel *); /* ends all namespaces, in simulated time */
