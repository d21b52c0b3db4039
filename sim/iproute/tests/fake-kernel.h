/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fake-kernel.h - the kernel's door with nobody behind it: requests are written
 * down and answered as the test says.  So these tests are about ip and not about
 * the models, and the devices that 'show' sees can be those of a real machine. */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "net/netdevice.h"

struct fake {
	struct kernel kernel; /* first: a net's kernel is its fake */
	GString *log;         /* the requests, "; " between them */
	int result;           /* of the next request that changes something */
	const char *ack;      /* its extended answer, or null */

	struct table_kind *addresses, *ifa_lists;
	json_t *recordings; /* what fake_load() read */
};

/* Namespaces: the initial one, "test" and "two". */
struct fake *fake_new(void);
void fake_free(struct fake *);

/* Devices named as a recording of 'ip -d -j link', '-j addr' and '-j maddr' has them, and
 * the attributes that the kernel had about their kinds. */
void fake_load(struct fake *, const char *netns, const char *link_file, const char *addr_file,
	       const char *maddr_file, const char *info_file);

/* A device without properties, for requests that name one. */
struct net_device *fake_device(struct fake *, const char *netns, const char *name,
			       const char *kind);
