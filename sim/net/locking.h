/* SPDX-License-Identifier: GPL-2.0-or-later */
/* locking.h - the locks and references of IPv6's state, at the places where the
 * kernel takes them, counted under the names of its functions.
 *
 * Nothing waits here yet: what a lock word or a reference count that all CPUs write
 * costs is for the simulated locks to say, which then belong into these functions and
 * nowhere else. */
#pragma once

#include "net/inet6.h"

static inline void
read_lock_bh(struct inet6_dev *idev)
{
	CALL(&idev->dev->kernel->calls, "_raw_read_lock_bh");
	idev->readers++;
}

static inline void
read_unlock_bh(struct inet6_dev *idev)
{
	CALL(&idev->dev->kernel->calls, "_raw_read_unlock_bh");
	g_assert(idev->readers > 0);
	idev->readers--;
}

static inline void
write_lock_bh(struct inet6_dev *idev)
{
	CALL(&idev->dev->kernel->calls, "_raw_write_lock_bh");
	g_assert(idev->readers == 0);
}

static inline void
write_unlock_bh(struct inet6_dev *idev)
{
	CALL(&idev->dev->kernel->calls, "_raw_write_unlock_bh");
}

/* The list has a reference of its own: an address that nobody else holds has one. */
static inline void
in6_ifa_hold(struct inet6_ifaddr *ifa)
{
	CALL(&ifa->idev->dev->kernel->calls, "refcount_inc_not_zero");
	ifa->refcnt++;
}

static inline void
in6_ifa_put(struct inet6_ifaddr *ifa)
{
	CALL(&ifa->idev->dev->kernel->calls, "refcount_sub_and_test");
	g_assert(ifa->refcnt > 1);
	ifa->refcnt--;
}
