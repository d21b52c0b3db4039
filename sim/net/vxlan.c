/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vxlan.c - tunnels of Ethernet frames over UDP: the device.
 *
 * Models the device's part of drivers/net/vxlan/vxlan_core.c (Linux 5.10 and 6.1);
 * the database is in vxlan-fdb.c.  There is no network below: no sockets, and the
 * group of a multicast remote is not joined. */
#include "net/vxlan.h"

#include <linux/if_link.h>
#include <string.h>
#include <sys/socket.h>

#include "net/af-netlink.h"
#include "net/dev-addr-lists.h"
#include "net/packet.h"
#include "net/rtnetlink.h"

#define VXLAN_N_VID        (1u << 24)
#define VXLAN_DEFAULT_PORT 8472 /* Linux': older than IANA's 4789 */
#define VXLAN_HEADROOM     50
#define VXLAN6_HEADROOM    70

enum vxlan_option {
	VXLAN_ID,
	VXLAN_DEV,
	VXLAN_LOCAL,
	VXLAN_REMOTE,
	VXLAN_GROUP,
	VXLAN_DSTPORT,
	VXLAN_TTL,
	VXLAN_TOS,
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
};

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

/* A namespace's devices: no two may hear the same frames. */

struct vxlan_net {
	struct vxlan_dev *first;
};

extern const struct net_module net_module_vxlan;

static struct vxlan_net *
vxlan_net_of(const struct net_device *dev)
{
	return net_module_state(dev->net, &net_module_vxlan);
}

static bool
hears_the_same(const struct vxlan_config *a, const struct vxlan_config *b)
{
	return a->vni == b->vni && a->dst_port == b->dst_port && a->external == b->external &&
	       a->udp_zero_csum6_rx == b->udp_zero_csum6_rx;
}

static bool
exists(const struct net_device *dev, const struct vxlan_config *cfg)
{
	for (struct vxlan_dev *other = vxlan_net_of(dev)->first; other; other = other->next)
		if (other->dev != dev && hears_the_same(&other->cfg, cfg))
			return true;
	return false;
}

/* Configuration */

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

static struct vxlan_config
read_config(const struct link_request *req, const struct vxlan_config *old)
{
	struct vxlan_config cfg = *old;

	cfg.vni = (uint32_t)value_or(req, VXLAN_ID, old->vni);
	cfg.remote_ifindex = (int)value_or(req, VXLAN_DEV, (uint64_t)old->remote_ifindex);
	take_addr(req, VXLAN_LOCAL, &cfg.saddr);
	take_addr(req, VXLAN_REMOTE, &cfg.remote);
	take_addr(req, VXLAN_GROUP, &cfg.remote);
	cfg.dst_port = (uint16_t)value_or(req, VXLAN_DSTPORT, old->dst_port);
	cfg.ttl = (uint8_t)value_or(req, VXLAN_TTL, old->ttl);
	cfg.tos = (uint8_t)value_or(req, VXLAN_TOS, old->tos);
	cfg.age_interval = (uint32_t)value_or(req, VXLAN_AGEING, old->age_interval);
	cfg.addrmax = (uint32_t)value_or(req, VXLAN_MAXADDRESS, old->addrmax);
	cfg.learning = value_or(req, VXLAN_LEARNING, old->learning);
	cfg.external = value_or(req, VXLAN_EXTERNAL, old->external);
	cfg.proxy = value_or(req, VXLAN_PROXY, old->proxy);
	cfg.rsc = value_or(req, VXLAN_RSC, old->rsc);
	cfg.l2miss = value_or(req, VXLAN_L2MISS, old->l2miss);
	cfg.l3miss = value_or(req, VXLAN_L3MISS, old->l3miss);
	cfg.udp_csum = value_or(req, VXLAN_UDPCSUM, old->udp_csum);
	cfg.udp_zero_csum6_tx = value_or(req, VXLAN_UDP6ZEROCSUMTX, old->udp_zero_csum6_tx);
	cfg.udp_zero_csum6_rx = value_or(req, VXLAN_UDP6ZEROCSUMRX, old->udp_zero_csum6_rx);
	return cfg;
}

/* An address that was not given is of the other one's family, or of IPv4. */
static int
check_addresses(struct vxlan_config *cfg, struct ext_ack *ack)
{
	if (!cfg->saddr.family && !cfg->remote.family)
		cfg->remote.family = AF_INET;
	if (!cfg->saddr.family)
		cfg->saddr.family = cfg->remote.family;
	if (!cfg->remote.family)
		cfg->remote.family = cfg->saddr.family;
	if (cfg->saddr.family != cfg->remote.family) {
		ext_ack_set(ack, "Local and remote address must be from the same family");
		return -EINVAL;
	}
	if (vxlan_addr_multicast(&cfg->saddr)) {
		ext_ack_set(ack, "Local address cannot be multicast");
		return -EINVAL;
	}
	if (!cfg->remote_ifindex && vxlan_addr_multicast(&cfg->remote)) {
		ext_ack_set(ack, "Local interface required for multicast remote group");
		return -EINVAL;
	}
	return 0;
}

static int
vxlan_config_validate(struct net_device *dev, struct vxlan_config *cfg, struct net_device **lower,
		      struct ext_ack *ack)
{
	int err = check_addresses(cfg, ack);

	if (err != 0)
		return err;
	*lower = NULL;
	if (cfg->remote_ifindex) {
		*lower = dev_get_by_index(dev->net, cfg->remote_ifindex);
		if (!*lower) {
			ext_ack_set(ack, "Invalid local interface, device not found");
			return -ENODEV;
		}
	}
	if (exists(dev, cfg)) {
		ext_ack_set(ack, "A VXLAN device with the specified VNI already exists");
		return -EEXIST;
	}
	return 0;
}

static unsigned
headroom_of(const struct vxlan_config *cfg)
{
	return cfg->remote.family == AF_INET6 ? VXLAN6_HEADROOM : VXLAN_HEADROOM;
}

static void
apply_config(struct vxlan_dev *vxlan, const struct vxlan_config *cfg,
	     const struct net_device *lower)
{
	unsigned headroom = headroom_of(cfg);

	vxlan->cfg = *cfg;
	vxlan->default_dst = (struct vxlan_rdst){.remote_ip = cfg->remote,
						 .remote_port = cfg->dst_port,
						 .remote_vni = cfg->vni,
						 .remote_ifindex = cfg->remote_ifindex};
	if (lower)
		vxlan->dev->mtu = lower->mtu > headroom ? lower->mtu - headroom : 0;
}

/* Life */

static void
vxlan_setup(struct net_device *dev)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);

	eth_hw_addr_random(dev);
	ether_setup(dev);
	dev->max_mtu = 65535;
	dev->priv_flags |= IFF_LIVE_ADDR_CHANGE | IFF_NO_QUEUE;
	vxlan->dev = dev;
	vxlan->cfg = (struct vxlan_config){.dst_port = VXLAN_DEFAULT_PORT,
					   .age_interval = 300,
					   .learning = true,
					   .udp_csum = true};
}

static int
vxlan_validate(const struct link_request *req, struct ext_ack *ack)
{
	if (req->has_address && !is_valid_ether_addr(req->address)) {
		ext_ack_set(ack, "Provided link layer address is not valid");
		return -EADDRNOTAVAIL;
	}
	if (req->has_mtu && (req->mtu < 68 || req->mtu > 65535)) {
		ext_ack_set(ack, "MTU must be between 68 and 65535");
		return -EINVAL;
	}
	if (req->option[VXLAN_ID] >= VXLAN_N_VID) {
		ext_ack_set(ack, "VXLAN ID must be lower than 16777216");
		return -ERANGE;
	}
	return 0;
}

static void
list_device(struct vxlan_dev *vxlan)
{
	struct vxlan_net *vn = vxlan_net_of(vxlan->dev);

	vxlan->next = vn->first;
	vn->first = vxlan;
}

static void
unlist_device(struct vxlan_dev *vxlan)
{
	struct vxlan_dev **at = &vxlan_net_of(vxlan->dev)->first;

	while (*at && *at != vxlan)
		at = &(*at)->next;
	if (*at)
		*at = vxlan->next;
}

static int
vxlan_newlink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);
	struct vxlan_config cfg = read_config(req, &vxlan->cfg);
	struct net_device *lower;
	int err = vxlan_config_validate(dev, &cfg, &lower, ack);

	if (err != 0)
		return err;
	apply_config(vxlan, &cfg, lower);
	if (req->has_mtu)
		dev->mtu = req->mtu;
	err = register_netdevice(dev);
	if (err != 0)
		return err;
	vxlan_fdb_add_default(vxlan);
	if (lower)
		err = netdev_upper_dev_link(lower, dev, ack);
	if (err != 0) {
		unregister_netdevice(dev);
		return err;
	}
	vxlan->lowerdev = lower;
	list_device(vxlan);
	return 0;
}

static int
check_change(const struct vxlan_config *cfg, const struct vxlan_config *old, struct ext_ack *ack)
{
	if (cfg->vni != old->vni)
		ext_ack_set(ack, "Cannot change VNI");
	else if (cfg->dst_port != old->dst_port)
		ext_ack_set(ack, "Cannot change port");
	else if (cfg->external == old->external && cfg->proxy == old->proxy &&
		 cfg->rsc == old->rsc && cfg->l2miss == old->l2miss && cfg->l3miss == old->l3miss &&
		 cfg->udp_csum == old->udp_csum)
		return 0;
	return -EOPNOTSUPP;
}

static int
vxlan_changelink(struct net_device *dev, const struct link_request *req, struct ext_ack *ack)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);
	struct vxlan_config cfg = read_config(req, &vxlan->cfg);
	struct vxlan_rdst old = vxlan->default_dst;
	struct net_device *lower;
	int err = check_change(&cfg, &vxlan->cfg, ack);

	if (err == 0)
		err = vxlan_config_validate(dev, &cfg, &lower, ack);
	if (err != 0)
		return err;
	if (lower != vxlan->lowerdev && lower) {
		err = netdev_upper_dev_link(lower, dev, ack);
		if (err != 0)
			return err;
		if (vxlan->lowerdev)
			netdev_upper_dev_unlink(vxlan->lowerdev, dev);
		vxlan->lowerdev = lower;
	}
	apply_config(vxlan, &cfg, NULL);
	vxlan_fdb_change_default(vxlan, &old);
	return 0;
}

static void
vxlan_dellink(struct net_device *dev, struct unregister_list *list)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);

	vxlan_flush(vxlan, true);
	unlist_device(vxlan);
	unregister_netdevice_queue(dev, list);
	if (vxlan->lowerdev)
		netdev_upper_dev_unlink(vxlan->lowerdev, dev);
}

/* A tunnel does not outlive the device that it leaves by. */
static int
vxlan_netdevice_event(struct kernel *k, enum netdev_event event, struct net_device *dev,
		      const void *info)
{
	struct unregister_list list = {.first = NULL};
	struct vxlan_dev *next;

	if (event != NETDEV_UNREGISTER)
		return 0;
	for (struct vxlan_dev *vxlan = vxlan_net_of(dev)->first; vxlan; vxlan = next) {
		next = vxlan->next;
		if (vxlan->lowerdev == dev)
			vxlan_dellink(vxlan->dev, &list);
	}
	unregister_netdevice_many(&list);
	return 0;
}

static int
vxlan_init(struct net_device *dev)
{
	vxlan_fdb_init(netdev_priv(dev));
	return 0;
}

static void
vxlan_uninit(struct net_device *dev)
{
	vxlan_fdb_fini(netdev_priv(dev));
}

static int
vxlan_open(struct net_device *dev)
{
	return 0;
}

static int
vxlan_stop(struct net_device *dev)
{
	vxlan_flush(netdev_priv(dev), false);
	return 0;
}

/* What the outer packet would be is nobody's business here: the look-ups are. */
static void
vxlan_xmit(struct net_device *dev, struct frame *frame)
{
	struct vxlan_dev *vxlan = netdev_priv(dev);

	DEV_CALL(dev, "vxlan_xmit");
	vxlan_xmit_lookup(vxlan, frame->dst, vxlan->cfg.vni);
}

/* It hears whatever comes through the tunnel. */
static void
vxlan_set_multicast_list(struct net_device *dev)
{
}

static int
vxlan_change_mtu(struct net_device *dev, unsigned mtu, struct ext_ack *ack)
{
	const struct vxlan_dev *vxlan = netdev_priv(dev);
	const struct net_device *lower = vxlan->lowerdev;

	return lower && mtu + headroom_of(&vxlan->cfg) > lower->mtu ? -EINVAL : 0;
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
	nlmsg_put_u8(m, IFLA_VXLAN_TTL_INHERIT, 0);
	nlmsg_put_u8(m, IFLA_VXLAN_TOS, cfg->tos);
	nlmsg_put_u8(m, IFLA_VXLAN_DF, 0);
	nlmsg_put_be32(m, IFLA_VXLAN_LABEL, 0);
}

static void
put_udp(struct nlmsg *m, const struct vxlan_config *cfg)
{
	const struct ifla_vxlan_port_range range = {.low = 0, .high = 0};

	nlmsg_put_be16(m, IFLA_VXLAN_PORT, cfg->dst_port);
	nlmsg_put_u8(m, IFLA_VXLAN_UDP_CSUM, cfg->udp_csum);
	nlmsg_put_u8(m, IFLA_VXLAN_UDP_ZERO_CSUM6_TX, cfg->udp_zero_csum6_tx);
	nlmsg_put_u8(m, IFLA_VXLAN_UDP_ZERO_CSUM6_RX, cfg->udp_zero_csum6_rx);
	nlmsg_put_u8(m, IFLA_VXLAN_REMCSUM_TX, 0);
	nlmsg_put_u8(m, IFLA_VXLAN_REMCSUM_RX, 0);
	nlmsg_put(m, IFLA_VXLAN_PORT_RANGE, &range, sizeof range);
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

static const struct link_kind vxlan_kind = {
	.name = "vxlan",
	.about = "a tunnel of Ethernet frames over UDP",
	.priv_size = sizeof(struct vxlan_dev),
	.options =
		{
			[VXLAN_ID] = {.name = "id",
				      .help = "network identifier (VNI)",
				      .form = LINK_OPTION_NUMBER,
				      .max = VXLAN_N_VID - 1},
			[VXLAN_DEV] = {.name = "dev",
				       .help = "device that tunnelled frames leave by",
				       .form = LINK_OPTION_DEVICE},
			[VXLAN_LOCAL] = {.name = "local",
					 .help = "source address",
					 .form = LINK_OPTION_INET},
			[VXLAN_REMOTE] = {.name = "remote",
					  .help = "where frames to unknown addresses go",
					  .form = LINK_OPTION_INET},
			[VXLAN_GROUP] = {.name = "group",
					 .help = "the same, a multicast group",
					 .form = LINK_OPTION_INET_GROUP},
			[VXLAN_DSTPORT] = {.name = "dstport",
					   .help = "UDP port",
					   .form = LINK_OPTION_NUMBER,
					   .max = UINT16_MAX},
			[VXLAN_TTL] = {.name = "ttl",
				       .help = "of the outer packets",
				       .form = LINK_OPTION_NUMBER,
				       .max = 255},
			[VXLAN_TOS] = {.name = "tos",
				       .help = "of the outer packets",
				       .form = LINK_OPTION_NUMBER,
				       .max = 255},
			[VXLAN_AGEING] = {.name = "ageing",
					  .help = "seconds",
					  .form = LINK_OPTION_NUMBER,
					  .max = UINT32_MAX},
			[VXLAN_MAXADDRESS] = {.name = "maxaddress",
					      .help = "entries of the database",
					      .form = LINK_OPTION_NUMBER,
					      .max = UINT32_MAX},
			[VXLAN_LEARNING] =
				{.name = "learning",
				 .help = "kept and shown: nothing comes through the tunnel",
				 .form = LINK_OPTION_FLAG},
			[VXLAN_EXTERNAL] = {.name = "external",
					    .help = "serves many VNIs",
					    .form = LINK_OPTION_FLAG},
			[VXLAN_PROXY] = {.name = "proxy",
					 .help = "kept and shown",
					 .form = LINK_OPTION_FLAG},
			[VXLAN_RSC] = {.name = "rsc",
				       .help = "kept and shown",
				       .form = LINK_OPTION_FLAG},
			[VXLAN_L2MISS] = {.name = "l2miss",
					  .help = "kept and shown",
					  .form = LINK_OPTION_FLAG},
			[VXLAN_L3MISS] = {.name = "l3miss",
					  .help = "kept and shown",
					  .form = LINK_OPTION_FLAG},
			[VXLAN_UDPCSUM] = {.name = "udpcsum",
					   .help = "kept and shown",
					   .form = LINK_OPTION_FLAG},
			[VXLAN_UDP6ZEROCSUMTX] = {.name = "udp6zerocsumtx",
						  .help = "kept and shown",
						  .form = LINK_OPTION_FLAG},
			[VXLAN_UDP6ZEROCSUMRX] =
				{.name = "udp6zerocsumrx",
				 .help = "of two devices with one VNI: do both hear the same?",
				 .form = LINK_OPTION_FLAG},
		},
	.setup = vxlan_setup,
	.validate = vxlan_validate,
	.newlink = vxlan_newlink,
	.changelink = vxlan_changelink,
	.dellink = vxlan_dellink,
	.fill_info = vxlan_fill_info,
	.init = vxlan_init,
	.uninit = vxlan_uninit,
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

const struct net_module net_module_vxlan = {
	.name = "vxlan",
	.kind = &vxlan_kind,
	.tables = {&vxlan_fdb_spec},
	.net_size = sizeof(struct vxlan_net),
	.event = vxlan_netdevice_event,
};
