/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fake-kinds.h - link kinds without behaviour, and what a recorded device knows. */
#pragma once

#include "fake-kernel.h"

/* net_device.priv of every device of a fake_load(). */
struct fake_priv {
	int iflink; /* 0: itself */
	struct net *link_net;
	const char *info, *slave_info; /* attributes in hexadecimal; of fake.recordings, or null */
};

void fake_kinds_init(void);
int fake_iflink(const struct net_device *);

void fake_list_device(struct net_device *); /* it has its ifindex */
