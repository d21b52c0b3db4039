/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rtnetlink.h - what link kinds need of rtnetlink.  Under RTNL. */
#pragma once

#include "net/dev.h"
#include "net/request.h"

static inline bool
link_option_given(const struct link_request *req, unsigned option)
{
	return req->given & 1u << option;
}

/* Where a request's link is looked up: the namespace that was asked, which need
 * not be the one where the new device goes. */
struct net *rtnl_link_net(const struct net_device *, const struct link_request *);

/* A device with the request's name, MTU, address and so on, not yet registered.
 * Null, and *err: out of bounds, or the namespace is unknown. */
struct net_device *rtnl_create_link(struct net *, const struct link_kind *,
				    const struct link_request *, struct ext_ack *, int *err);

/* A validate function of kinds whose only rule is that an address must be one that
 * a device can have. */
int rtnl_validate_address(const struct link_request *, struct ext_ack *);

/* Applies the request's flags (it may be null) and tells everybody. */
int rtnl_configure_link(struct net_device *, const struct link_request *);
