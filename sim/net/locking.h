/* SPDX-License-Identifier: GPL-2.0-or-later */
/* locking.h - the locks and references of IPv6's state, as the kernel's functions take
 * them: under their names in counts and profiles. */
#pragma once

#include "net/inet6.h"

#define IFA_CALLS(ifa) (&(ifa)->idev->dev->kernel->calls)

static inline void
read_lock_bh(struct inet6_dev *idev)
{
	CALL_ENTER(&idev->dev->kernel->calls, "_raw_read_lock_bh");
	read_lock(&idev->lock);
}

static inline void
__local_bh_enable_ip(struct inet6_dev *idev)
{
	CALL_ENTER(&idev->dev->kernel->calls, "__local_bh_enable_ip");
}

static inline void
read_unlock_bh(struct inet6_dev *idev)
{
	CALL_ENTER(&idev->dev->kernel->calls, "_raw_read_unlock_bh");
	read_unlock(&idev->lock);
	__local_bh_enable_ip(idev);
}

static inline void
write_lock_bh(struct inet6_dev *idev)
{
	CALL_ENTER(&idev->dev->kernel->calls, "_raw_write_lock_bh");
	write_lock(&idev->lock);
}

static inline void
write_unlock_bh(struct inet6_dev *idev)
{
	CALL_ENTER(&idev->dev->kernel->calls, "_raw_write_unlock_bh");
	write_unlock(&idev->lock);
}

/* An address that nobody else holds has one reference, that of the device.  Only kernels
 * whose reference counts are checked ones take more on the way of a packet. */
static inline void
in6_ifa_hold(struct inet6_ifaddr *ifa)
{
	CALL_ENTER(IFA_CALLS(ifa), "refcount_inc_not_zero");
	refcount_add(&ifa->refcnt, 1);
}

static inline void
in6_ifa_put(struct inet6_ifaddr *ifa)
{
	CALL_ENTER(IFA_CALLS(ifa), "refcount_sub_and_test");
	refcount_sub_and_test(&ifa->refcnt, 1);
}

/* What is read of an address, its flags, too, shares a cache line with the count. */
static inline void
in6_ifa_read(struct inet6_ifaddr *ifa)
{
	line_read(&ifa->refcnt.line);
}
