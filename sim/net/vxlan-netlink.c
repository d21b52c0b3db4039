/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vxlan-netlink.c - vxlan devices in messages: what a user can say of one, and what a
 * link message does.
 *
 * Models vxlan_validate(), vxlan_nl2conf() and vxlan_fill_info() of
 * drivers/net/vxlan/vxlan_core.c (Linux 5.10 and 6.1). */
#include <arpa/inet.h>
#include <linux/if_link.h>
#include <string.h>
#include <sys/socket.h>

#include "net/af-netlink.h"
#include "net/dev-addr-lists.h"
#include "net/rtnetlink.h"
#include "net/vxlan.h"

#define VXLAN_N_VID (1u << 24)
#define TTL_AUTO    256 /* what a word for a TTL stands for */
#define TTL_INHERIT 257
#define TOS_INHERIT 1

enum vxlan_option {
	VXLAN_ID,
	VXLAN_DEV,
	VXLAN_LOCAL,
	VXLAN_REMOTE,
	VXLAN_GROUP,
	VXLAN_SRCPORT,
	VXLAN_DSTPORT,
	VXLAN_TTL,
	VXLAN_TOS,
	VXLAN_DF,
	VXLAN_FLOWLABEL,
	VXLAN_AGEING,
	VXLAN_MAXADDRESS,
	VXLAN_LEARNING,
	VXLAN_EXTERNAL,
	VXLAN_PROXY,
	VXLAN_RSC,
	VXLAN_L2MISS,
	VXLAN_L3MISS,
	VXLAN_UDPCSUM,
	VXLAN_UDP6ZEROCSUMTX,
	VXLAN_UDP6ZEROCSUMRX,
	VXLAN_REMCSUMTX,
	VXLAN_REMCSUMRX,
	VXLAN_GBP,
};

static int
vxlan_validate(const struct link_request *req, struct ext_ack *ack)
{
	if (req->has_address && !is_valid_ether_addr(req->address)) {
		ext_ack_set(ack, "Provided Ethernet address is not unicast");
		return -EADDRNOTAVAIL;
	}
	if (req->has_mtu && (req->mtu < 68 || req->mtu > 65535)) {
		ext_ack_set(ack, "MTU must be between 68 and 65535");
		return -EINVAL;
	}
	if (req->given == 0) {
		ext_ack_set(ack, "Required attributes not provided to perform the operation");
		return -EINVAL;
	}
	if (req->option[VXLAN_ID] >= VXLAN_N_VID) {
		ext_ack_set(ack, "VXLAN ID must be lower than 16777216");
		return -ERANGE;
	}
	if (req->option[VXLAN_SRCPORT] >> 16 > (req->option[VXLAN_SRCPORT] & UINT16_MAX)) {
		ext_ack_set(ack, "Invalid source port range");
		return -EINVAL;
	}
	return 0;
}

/* What cannot be changed, and what the kernel says then. */
static const struct {
	enum vxlan_option option;
	const char *why;
} fixed[] = {
	{VXLAN_PROXY, "vxlan: cannot change PROXY flag"},
	{VXLAN_RSC, "vxlan: cannot change RSC flag"},
	{VXLAN_L2MISS, "vxlan: cannot change L2MISS flag"},
	{VXLAN_L3MISS, "vxlan: cannot change L3MISS flag"},
	{VXLAN_MAXADDRESS, "Cannot change limit"},
	{VXLAN_EXTERNAL, "vxlan: cannot change COLLECT_METADATA flag"},
	{VXLAN_SRCPORT, "Cannot change port range"},
	{VXLAN_DSTPORT, "Cannot change port"},
	{VXLAN_UDPCSUM, "Cannot change UDP_CSUM flag"},
	{VXLAN_UDP6ZEROCSUMTX, "vxlan: cannot change UDP_ZERO_CSUM6_TX flag"},
	{VXLAN_UDP6ZEROCSUMRX, "vxlan: cannot change UDP_ZERO_CSUM6_RX flag"},
	{VXLAN_REMCSUMTX, "vxlan: cannot change REMCSUM_TX flag"},
	{VXLAN_REMCSUMRX, "vxlan: cannot change REMCSUM_RX flag"},
	{VXLAN_GBP, "vxlan: cannot change GBP flag"},
};

static int
refuse(struct ext_ack *ack, const char *why)
{
	ext_ack_set(ack, "%s", why);
	return -EOPNOTSUPP;
}

static int
check_fixed(const struct link_request *req, struct ext_ack *ack)
{
	for (unsigned n = 0; n < G_N_ELEMENTS(fixed); n++)
		if (link_option_given(req, fixed[n].option))
			return refuse(ack, fixed[n].why);
	return req->has_mtu ? refuse(ack, "Cannot change mtu") : 0;
}

static bool
other_family(const struct link_request *req, unsigned option, const struct vxlan_addr *old)
{
	int family = req->inet[option].len == 4 ? AF_INET : AF_INET6;

	return link_option_given(req, option) && family != old->family;
}

static int
check_change(const struct link_request *req, const struct vxlan_config *old, struct ext_ack *ack)
{
	if (link_option_given(req, VXLAN_ID) && req->option[VXLAN_ID] != old->vni)
		return refuse(ack, "Cannot change VNI");
	if (other_family(req, VXLAN_REMOTE, &old->remote) ||
	    other_family(req, VXLAN_GROUP, &old->remote))
		return refuse(ack, "New group address family does not match old group");
	if (other_family(req, VXLAN_LOCAL, &old->saddr))
		return refuse(ack, "New local address family does not match old");
	if (req->option[VXLAN_TTL] == TTL_INHERIT)
		return refuse(ack, "vxlan: cannot change TTL_INHERIT flag");
	return check_fixed(req, ack);
}

static void
take_addr(const struct link_request *req, unsigned option, struct vxlan_addr *addr)
{
	if (!link_option_given(req, option))
		return;
	addr->family = req->inet[option].len == 4 ? AF_INET : AF_INET6;
	memcpy(addr->addr, req->inet[option].addr, sizeof addr->addr);
}

static uint64_t
value_or(const struct link_request *req, unsigned option, uint64_t fallback)
{
	return link_option_given(req, option) ? req->option[option] : fallback;
}

static void
take_outer(const struct link_request *req, struct vxlan_config *cfg)
{
	uint64_t ttl = value_or(req, VXLAN_TTL, cfg->ttl);
	uint64_t ports =
		value_or(req, VXLAN_SRCPORT, (uint32_t)cfg->port_min << 16 | cfg->port_max);

	cfg->ttl_inherit |= ttl == TTL_INHERIT;
	cfg->ttl = ttl < TTL_AUTO ? (uint8_t)ttl : 0;
	cfg->tos = (uint8_t)value_or(req, VXLAN_TOS, cfg->tos);
	cfg->df = (uint8_t)value_or(req, VXLAN_DF, cfg->df);
	cfg->label = (uint32_t)value_or(req, VXLAN_FLOWLABEL, cfg->label);
	cfg->port_min = (uint16_t)(ports >> 16);
	cfg->port_max = (uint16_t)ports;
	cfg->dst_port = (uint16_t)value_or(req, VXLAN_DSTPORT, cfg->dst_port);
}

static void
take_flags(const struct link_request *req, struct vxlan_config *cfg)
{
	cfg->learning = value_or(req, VXLAN_LEARNING, cfg->learning);
	cfg->external = value_or(req, VXLAN_EXTERNAL, cfg->external);
	cfg->proxy = value_or(req, VXLAN_PROXY, cfg->proxy);
	cfg->rsc = value_or(req, VXLAN_RSC, cfg->rsc);
	cfg->l2miss = value_or(req, VXLAN_L2MISS, cfg->l2miss);
	cfg->l3miss = value_or(req, VXLAN_L3MISS, cfg->l3miss);
	cfg->udp_csum = value_or(req, VXLAN_UDPCSUM, cfg->udp_csum);
	cfg->udp_zero_csum6_tx = value_or(req, VXLAN_UDP6ZEROCSUMTX, cfg->udp_zero_csum6_tx);
	cfg->udp_zero_csum6_rx = value_or(req, VXLAN_UDP6ZEROCSUMRX, cfg->udp_zero_csum6_rx);
	cfg->remcsum_tx = value_or(req, VXLAN_REMCSUMTX, cfg->remcsum_tx);
	cfg->remcsum_rx = value_or(req, VXLAN_REMCSUMRX, cfg->remcsum_rx);
	cfg->gbp = value_or(req, VXLAN_GBP, cfg->gbp);
}

int
vxlan_nl2conf(const struct link_request *req, const struct vxlan_config *old,
	      struct vxlan_config *cfg, struct ext_ack *ack)
{
	int err = old ? check_change(req, old, ack) : 0;

	*cfg = old ? *old : (struct vxlan_config){.learning = true, .udp_csum = true};
	cfg->vni = (uint32_t)value_or(req, VXLAN_ID, cfg->vni);
	cfg->remote_ifindex = (int)value_or(req, VXLAN_DEV, (uint64_t)cfg->remote_ifindex);
	take_addr(req, VXLAN_LOCAL, &cfg->saddr);
	take_addr(req, VXLAN_REMOTE, &cfg->remote);
	take_addr(req, VXLAN_GROUP, &cfg->remote);
	cfg->age_interval = (uint32_t)value_or(req, VXLAN_AGEING, cfg->age_interval);
	cfg->addrmax = (uint32_t)value_or(req, VXLAN_MAXADDRESS, cfg->addrmax);
	take_outer(req, cfg);
	take_flags(req, cfg);
	if (req->has_mtu)
		cfg->mtu = req->mtu;
	return err;
}

/* It hears whatever comes through the tunnel. */
static void
vxlan_set_multicast_list(struct net_device *dev)
{
}

/* What a link message says of it */

static void
put_addr(struct nlmsg *m, uint16_t type4, uint16_t type6, const struct vxlan_addr *a)
{
	bool ip4 = a->family == AF_INET;

	if (!vxlan_addr_any(a))
		nlmsg_put(m, ip4 ? type4 : type6, a->addr, ip4 ? 4 : 16);
}

static void
put_flags(struct nlmsg *m, const struct vxlan_config *cfg)
{
	nlmsg_put_u8(m, IFLA_VXLAN_LEARNING, cfg->learning);
	nlmsg_put_u8(m, IFLA_VXLAN_PROXY, cfg->proxy);
	nlmsg_put_u8(m, IFLA_VXLAN_RSC, cfg->rsc);
	nlmsg_put_u8(m, IFLA_VXLAN_L2MISS, cfg->l2miss);
	nlmsg_put_u8(m, IFLA_VXLAN_L3MISS, cfg->l3miss);
	nlmsg_put_u8(m, IFLA_VXLAN_COLLECT_METADATA, cfg->external);
}

static void
put_outer(struct nlmsg *m, const struct vxlan_config *cfg)
{
	nlmsg_put_u8(m, IFLA_VXLAN_TTL, cfg->ttl);
	nlmsg_put_u8(m, IFLA_VXLAN_TTL_INHERIT, cfg->ttl_inherit);
	nlmsg_put_u8(m, IFLA_VXLAN_TOS, cfg->tos);
	nlmsg_put_u8(m, IFLA_VXLAN_DF, cfg->df);
	nlmsg_put_be32(m, IFLA_VXLAN_LABEL, cfg->label);
}

static void
put_udp(struct nlmsg *m, const struct vxlan_config *cfg)
{
	const struct ifla_vxlan_port_range range = {.low = htons(cfg->port_min),
						    .high = htons(cfg->port_max)};

	nlmsg_put_be16(m, IFLA_VXLAN_PORT, cfg->dst_port);
	nlmsg_put_u8(m, IFLA_VXLAN_UDP_CSUM, cfg->udp_csum);
	nlmsg_put_u8(m, IFLA_VXLAN_UDP_ZERO_CSUM6_TX, cfg->udp_zero_csum6_tx);
	nlmsg_put_u8(m, IFLA_VXLAN_UDP_ZERO_CSUM6_RX, cfg->udp_zero_csum6_rx);
	nlmsg_put_u8(m, IFLA_VXLAN_REMCSUM_TX, cfg->remcsum_tx);
	nlmsg_put_u8(m, IFLA_VXLAN_REMCSUM_RX, cfg->remcsum_rx);
	nlmsg_put(m, IFLA_VXLAN_PORT_RANGE, &range, sizeof range);
	if (cfg->gbp)
		nlmsg_put(m, IFLA_VXLAN_GBP, "", 0);
}

static void
vxlan_fill_info(struct nlmsg *m, const struct net_device *dev)
{
	const struct vxlan_config *cfg = &((const struct vxlan_dev *)netdev_priv(dev))->cfg;

	nlmsg_put_u32(m, IFLA_VXLAN_ID, cfg->vni);
	put_addr(m, IFLA_VXLAN_GROUP, IFLA_VXLAN_GROUP6, &cfg->remote);
	if (cfg->remote_ifindex)
		nlmsg_put_u32(m, IFLA_VXLAN_LINK, (uint32_t)cfg->remote_ifindex);
	put_addr(m, IFLA_VXLAN_LOCAL, IFLA_VXLAN_LOCAL6, &cfg->saddr);
	put_outer(m, cfg);
	put_flags(m, cfg);
	nlmsg_put_u32(m, IFLA_VXLAN_AGEING, cfg->age_interval);
	nlmsg_put_u32(m, IFLA_VXLAN_LIMIT, cfg->addrmax);
	put_udp(m, cfg);
}

static const char *const ttl_words[] = {"auto", "inherit", NULL};
static const char *const tos_words[] = {"inherit", NULL};
static const char *const df_words[] = {"unset", "set", "inherit", NULL};

#define NUMBER(name_, max_, help_)                                                                 \
	{                                                                                          \
		.name = (name_), .help = (help_), .form = LINK_OPTION_NUMBER, .max = (max_)        \
	}
#define OTHER(name_, form_, help_)                                                                 \
	{                                                                                          \
		.name = (name_), .help = (help_), .form = (form_)                                  \
	}
#define KEPT(name_) OTHER(name_, LINK_OPTION_FLAG, "kept and shown")

/* clang-format off */
const struct link_kind vxlan_kind = {
	.name = "vxlan",
	.about = "a tunnel of Ethernet frames over UDP",
	.priv_size = sizeof(struct vxlan_dev),
	.options = {
		[VXLAN_ID] = NUMBER("id", VXLAN_N_VID - 1, "network identifier (VNI)"),
		[VXLAN_DEV] = OTHER("dev", LINK_OPTION_DEVICE, "device that packets leave by"),
		[VXLAN_LOCAL] = OTHER("local", LINK_OPTION_INET, "source address"),
		[VXLAN_REMOTE] = OTHER("remote", LINK_OPTION_INET,
				       "where frames to unknown addresses go"),
		[VXLAN_GROUP] = OTHER("group", LINK_OPTION_INET_GROUP,
				      "the same, a multicast group"),
		[VXLAN_SRCPORT] = OTHER("srcport", LINK_OPTION_PORTS,
					"UDP ports, the first and the last one; kept and shown"),
		[VXLAN_DSTPORT] = NUMBER("dstport", UINT16_MAX, "UDP port; 0: 8472"),
		[VXLAN_TTL] = {.name = "ttl", .help = "of outer packets; kept and shown",
			       .max = UINT8_MAX, .words = ttl_words, .words_base = TTL_AUTO},
		[VXLAN_TOS] = {.name = "tos", .help = "of outer packets; kept and shown",
			       .max = UINT8_MAX, .words = tos_words, .words_base = TOS_INHERIT},
		[VXLAN_DF] = {.name = "df", .help = "kept and shown",
			      .form = LINK_OPTION_WORD, .words = df_words},
		[VXLAN_FLOWLABEL] = NUMBER("flowlabel", (1 << 20) - 1, "kept and shown"),
		[VXLAN_AGEING] = NUMBER("ageing", UINT32_MAX,
					"seconds until unused entries go; 0: 300"),
		[VXLAN_MAXADDRESS] = NUMBER("maxaddress", UINT32_MAX,
					    "how many entries; 0: any number"),
		[VXLAN_LEARNING] = OTHER("learning", LINK_OPTION_FLAG,
					 "kept and shown: nothing comes through the tunnel"),
		[VXLAN_EXTERNAL] = OTHER("external", LINK_OPTION_FLAG, "serves many VNIs"),
		[VXLAN_PROXY] = KEPT("proxy"),
		[VXLAN_RSC] = KEPT("rsc"),
		[VXLAN_L2MISS] = OTHER("l2miss", LINK_OPTION_FLAG,
				       "tells listeners of unknown addresses"),
		[VXLAN_L3MISS] = KEPT("l3miss"),
		[VXLAN_UDPCSUM] = KEPT("udpcsum"),
		[VXLAN_UDP6ZEROCSUMTX] = KEPT("udp6zerocsumtx"),
		[VXLAN_UDP6ZEROCSUMRX] = OTHER("udp6zerocsumrx", LINK_OPTION_FLAG,
					       "devices that differ in it share no socket"),
		[VXLAN_REMCSUMTX] = KEPT("remcsumtx"),
		[VXLAN_REMCSUMRX] = OTHER("remcsumrx", LINK_OPTION_FLAG, "see udp6zerocsumrx"),
		[VXLAN_GBP] = {.name = "gbp", .help = "see udp6zerocsumrx",
			       .form = LINK_OPTION_FLAG, .min = 1, .max = 1},
	},
	.setup = vxlan_setup,
	.validate = vxlan_validate,
	.newlink = vxlan_newlink,
	.changelink = vxlan_changelink,
	.dellink = vxlan_dellink,
	.fill_info = vxlan_fill_info,
	.init = vxlan_fdb_init,
	.uninit = vxlan_fdb_fini,
	.open = vxlan_open,
	.stop = vxlan_stop,
	.xmit = vxlan_xmit,
	.set_rx_mode = vxlan_set_multicast_list,
	.set_mac_address = eth_mac_addr,
	.change_mtu = vxlan_change_mtu,
	.fdb_add = vxlan_fdb_add,
	.fdb_del = vxlan_fdb_del,
	.fdb_dump = vxlan_fdb_dump,
	.fdb_each = vxlan_fdb_each,
};
/* clang-format on */
