/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fake-kinds.h - link kinds without behaviour, and what a recorded device knows. */
#pragma once

#include <jansson.h>

#include "fake-kernel.h"

/* net_device.priv of every device of a fake_load(). */
struct fake_priv {
	int iflink; /* 0: itself */
	struct net *link_net;
	json_t *info, *slave_info; /* borrowed from fake.recording */
};

void fake_kinds_init(void);
int fake_iflink(const struct net_device *);
