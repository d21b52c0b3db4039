/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vxlan-config.c - which configurations of a vxlan device make sense.
 *
 * Models vxlan_config_validate() of drivers/net/vxlan/vxlan_core.c (Linux 5.10 and
 * 6.1). */
#include <string.h>
#include <sys/socket.h>

#include "net/inet6.h"
#include "net/vxlan.h"

#define VXLAN_DEFAULT_PORT 8472 /* Linux': older than IANA's 4789 */
#define FDB_AGE_DEFAULT    300  /* seconds */

/* Addresses */

bool
vxlan_addr_any(const struct vxlan_addr *a)
{
	static const uint8_t any[sizeof a->addr];

	return memcmp(a->addr, any, sizeof any) == 0;
}

bool
vxlan_addr_multicast(const struct vxlan_addr *a)
{
	return a->family == AF_INET ? (a->addr[0] & 0xf0) == 0xe0 : a->addr[0] == 0xff;
}

bool
vxlan_addr_equal(const struct vxlan_addr *a, const struct vxlan_addr *b)
{
	return a->family == b->family && memcmp(a->addr, b->addr, sizeof a->addr) == 0;
}

static bool
is_linklocal_unicast(const struct vxlan_addr *a)
{
	return a->addr[0] == 0xfe && (a->addr[1] & 0xc0) == 0x80;
}

static bool
is_linklocal_group(const struct vxlan_addr *a)
{
	return a->addr[0] == 0xff && (a->addr[1] & 0x0f) == 0x02;
}

unsigned
vxlan_headroom(const struct vxlan_config *cfg)
{
	return cfg->ipv6 ? 70 : 50; /* Ethernet, IP, UDP and VXLAN headers */
}

/* Checks */

static int
refuse(struct ext_ack *ack, const char *why)
{
	ext_ack_set(ack, "%s", why);
	return -EINVAL;
}

/* A family that was not given is the other one's, or IPv4. */
static int
check_families(struct vxlan_config *cfg, struct ext_ack *ack)
{
	if (!cfg->saddr.family && !cfg->remote.family)
		cfg->remote.family = AF_INET;
	if (!cfg->saddr.family)
		cfg->saddr.family = cfg->remote.family;
	if (!cfg->remote.family)
		cfg->remote.family = cfg->saddr.family;
	if (cfg->saddr.family != cfg->remote.family)
		return refuse(ack, "Local and remote address must be from the same family");
	if (vxlan_addr_multicast(&cfg->saddr))
		return refuse(ack, "Local address cannot be multicast");
	return 0;
}

static int
check_scopes(struct vxlan_config *cfg, struct ext_ack *ack)
{
	const struct vxlan_addr *remote = &cfg->remote;
	bool fits;

	cfg->ipv6 = cfg->saddr.family == AF_INET6;
	if (!cfg->ipv6 || cfg->external)
		return 0;
	cfg->ipv6_linklocal = is_linklocal_unicast(&cfg->saddr);
	fits = cfg->ipv6_linklocal ? is_linklocal_unicast(remote) || is_linklocal_group(remote) ||
					     vxlan_addr_any(remote)
				   : !is_linklocal_unicast(remote);
	return fits ? 0 : refuse(ack, "Invalid combination of local and remote address scopes");
}

static int
find_lower(struct net *net, const struct vxlan_config *cfg, struct net_device **lower,
	   struct ext_ack *ack)
{
	const struct inet6_dev *idev;

	*lower = dev_get_by_index(net, cfg->remote_ifindex);
	if (!*lower) {
		ext_ack_set(ack, "Invalid local interface, device not found");
		return -ENODEV;
	}
	idev = in6_dev_get(*lower);
	if (cfg->ipv6 && idev && idev->cnf.disable_ipv6) {
		ext_ack_set(ack, "IPv6 support disabled by administrator");
		return -EPERM;
	}
	return 0;
}

static int
check_lower(struct net *net, const struct vxlan_config *cfg, struct net_device **lower,
	    struct ext_ack *ack)
{
	*lower = NULL;
	if (cfg->remote_ifindex)
		return find_lower(net, cfg, lower, ack);
	if (vxlan_addr_multicast(&cfg->remote))
		return refuse(ack, "Local interface required for multicast remote destination");
	if (cfg->ipv6_linklocal)
		return refuse(ack,
			      "Local interface required for link-local local/remote addresses");
	return 0;
}

int
vxlan_config_validate(struct net *net, struct vxlan_config *cfg, struct net_device **lower,
		      struct ext_ack *ack)
{
	int err = check_families(cfg, ack);

	if (err == 0)
		err = check_scopes(cfg, ack);
	if (err == 0 && cfg->label && !cfg->ipv6)
		err = refuse(ack, "Label attribute only applies to IPv6 VXLAN devices");
	if (err == 0)
		err = check_lower(net, cfg, lower, ack);
	if (err != 0)
		return err;
	if (!cfg->dst_port)
		cfg->dst_port = VXLAN_DEFAULT_PORT;
	if (!cfg->age_interval)
		cfg->age_interval = FDB_AGE_DEFAULT;
	return 0;
}

/* Sockets belong to a port and to what is heard there. */
bool
vxlan_same_socket(const struct vxlan_config *a, const struct vxlan_config *b)
{
	return a->dst_port == b->dst_port && a->ipv6 == b->ipv6 && a->external == b->external &&
	       a->gbp == b->gbp && a->remcsum_rx == b->remcsum_rx &&
	       a->udp_zero_csum6_rx == b->udp_zero_csum6_rx;
}
