/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-info.c - what the kinds of links say of themselves: attributes of a message to
 * ip's JSON.  There is a table for each kind and for what each says of its slaves, in
 * the order in which ip prints. */
#include <arpa/inet.h>
#include <linux/if_bridge.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/if_vlan.h>
#include <string.h>

#include "iproute/show.h"

#define USER_HZ 100.0

struct info_field;

/* Where members go, and who knows the names of other links. */
struct info {
	json_t *object;
	struct show_links *links;
	const struct info_field *field;
};

/* One attribute, and what becomes of it. */
struct info_field {
	uint16_t type; /* 0: ends a table */
	const char *name;
	void (*set)(struct info *, const struct nlattr *);
	const char *const *words; /* of those that have words */
};

/* Values */

static uint64_t
number_of(const struct nlattr *attr)
{
	switch (mnl_attr_get_payload_len(attr)) {
	case sizeof(uint8_t):
		return mnl_attr_get_u8(attr);
	case sizeof(uint16_t):
		return mnl_attr_get_u16(attr);
	case sizeof(uint32_t):
		return mnl_attr_get_u32(attr);
	case sizeof(uint64_t):
		return mnl_attr_get_u64(attr);
	default:
		return 0;
	}
}

static void
set(struct info *i, json_t *take_value)
{
	json_object_set_new(i->object, i->field->name, take_value);
}

static void
set_text(struct info *i, char *take_text)
{
	set(i, json_string(take_text));
	g_free(take_text);
}

static void
set_number(struct info *i, const struct nlattr *attr)
{
	set(i, json_integer((json_int_t)number_of(attr)));
}

/* Only if it is not zero. */
static void
set_nonzero(struct info *i, const struct nlattr *attr)
{
	if (number_of(attr))
		set_number(i, attr);
}

/* Zero is nothing. */
static void
set_number_or_null(struct info *i, const struct nlattr *attr)
{
	set(i, number_of(attr) ? json_integer((json_int_t)number_of(attr)) : json_null());
}

static void
set_be16(struct info *i, const struct nlattr *attr)
{
	set(i, json_integer(GUINT16_FROM_BE(mnl_attr_get_u16(attr))));
}

static void
set_bool(struct info *i, const struct nlattr *attr)
{
	set(i, json_boolean(number_of(attr)));
}

/* Only if it is so. */
static void
set_true(struct info *i, const struct nlattr *attr)
{
	if (number_of(attr))
		set(i, json_true());
}

/* An attribute whose presence says all. */
static void
set_flag(struct info *i, const struct nlattr *attr)
{
	set(i, json_true());
}

static void
set_hex(struct info *i, const struct nlattr *attr)
{
	set_text(i, g_strdup_printf("0x%" G_GINT64_MODIFIER "x", number_of(attr)));
}

/* Without "0x" if it is zero. */
static void
set_0xhex(struct info *i, const struct nlattr *attr)
{
	set_text(i, g_strdup_printf("%#" G_GINT64_MODIFIER "x", number_of(attr)));
}

static void
set_word(struct info *i, const struct nlattr *attr)
{
	uint64_t number = number_of(attr), n = 0;

	while (n < number && i->field->words[n])
		n++;
	if (i->field->words[n])
		set(i, json_string(i->field->words[n]));
	else
		set(i, json_integer((json_int_t)number));
}

/* The word of the lowest bit. */
static void
set_bit_word(struct info *i, const struct nlattr *attr)
{
	uint64_t bits = number_of(attr);

	for (unsigned n = 0; i->field->words[n]; n++)
		if (bits >> n & 1) {
			set(i, json_string(i->field->words[n]));
			return;
		}
}

static json_t *
bit_list(uint64_t bits, const char *const *words)
{
	json_t *list = json_array();

	for (unsigned n = 0; words[n]; n++)
		if (bits >> n & 1)
			json_array_append_new(list, json_string(words[n]));
	return list;
}

static void
set_bit_list(struct info *i, const struct nlattr *attr)
{
	set(i, bit_list(number_of(attr), i->field->words));
}

static void
set_lladdr(struct info *i, const struct nlattr *attr)
{
	set_text(i, show_lladdr(mnl_attr_get_payload(attr), mnl_attr_get_payload_len(attr)));
}

static void
set_inet(struct info *i, const struct nlattr *attr)
{
	int family = mnl_attr_get_payload_len(attr) == sizeof(struct in_addr) ? AF_INET : AF_INET6;
	char text[INET6_ADDRSTRLEN];

	set_text(i, g_strdup(inet_ntop(family, mnl_attr_get_payload(attr), text, sizeof text)));
}

static void
set_link(struct info *i, const struct nlattr *attr)
{
	set_text(i, show_link_name(i->links, (int)mnl_attr_get_u32(attr)));
}

static void
set_timer(struct info *i, const struct nlattr *attr)
{
	set(i, json_real((double)number_of(attr) / USER_HZ));
}

static void
set_vlan_protocol(struct info *i, const struct nlattr *attr)
{
	uint16_t protocol = GUINT16_FROM_BE(mnl_attr_get_u16(attr));

	if (protocol == ETH_P_8021Q)
		set(i, json_string("802.1Q"));
	else if (protocol == ETH_P_8021AD)
		set(i, json_string("802.1ad"));
	else
		set_text(i, g_strdup_printf("[%u]", protocol));
}

static void
fill_table(struct info *i, const struct info_field *table, const struct nlattr *data)
{
	const struct nlattr *attr;

	for (; table->type; table++) {
		i->field = table;
		mnl_attr_for_each_nested(attr, data)
		{
			if (mnl_attr_get_type(attr) == table->type)
				table->set(i, attr);
		}
	}
}

/* Bonds */

static const char *const bond_modes[] = {"balance-rr", "active-backup", "balance-xor", "broadcast",
					 "802.3ad",    "balance-tlb",   "balance-alb", NULL};
static const char *const bond_arp_targets[] = {"any", "all", NULL};
static const char *const bond_reselect[] = {"always", "better", "failure", NULL};
static const char *const bond_fail_over[] = {"none", "active", "follow", NULL};
static const char *const bond_policies[] = {"layer2",   "layer3+4",    "layer2+3", "encap2+3",
					    "encap3+4", "vlan+srcmac", NULL};
static const char *const off_on[] = {"off", "on", NULL};
static const char *const bond_rates[] = {"slow", "fast", NULL};
static const char *const bond_select[] = {"stable", "bandwidth", "count", NULL};
static const char *const bond_states[] = {"ACTIVE", "BACKUP", NULL};
static const char *const bond_links[] = {"UP", "GOING_DOWN", "DOWN", "GOING_BACK", NULL};
static const char *const bond_port_states[] = {"active",    "short_timeout", "aggregating",
					       "in_sync",   "collecting",    "distributing",
					       "defaulted", "expired",       NULL};

static const struct info_field bond_aggregator[] = {
	{IFLA_BOND_AD_INFO_AGGREGATOR, "aggregator", set_number, NULL},
	{IFLA_BOND_AD_INFO_NUM_PORTS, "num_ports", set_number, NULL},
	{IFLA_BOND_AD_INFO_ACTOR_KEY, "actor_key", set_number, NULL},
	{IFLA_BOND_AD_INFO_PARTNER_KEY, "partner_key", set_number, NULL},
	{IFLA_BOND_AD_INFO_PARTNER_MAC, "partner_mac", set_lladdr, NULL},
	{0, NULL, NULL, NULL},
};

static void
set_aggregator(struct info *i, const struct nlattr *attr)
{
	struct info nested = {.object = json_object(), .links = i->links};

	fill_table(&nested, bond_aggregator, attr);
	set(i, nested.object);
}

static const struct info_field bond[] = {
	{IFLA_BOND_MODE, "mode", set_word, bond_modes},
	{IFLA_BOND_ACTIVE_SLAVE, "active_slave", set_link, NULL},
	{IFLA_BOND_MIIMON, "miimon", set_number, NULL},
	{IFLA_BOND_UPDELAY, "updelay", set_number, NULL},
	{IFLA_BOND_DOWNDELAY, "downdelay", set_number, NULL},
	{IFLA_BOND_PEER_NOTIF_DELAY, "peer_notify_delay", set_number, NULL},
	{IFLA_BOND_USE_CARRIER, "use_carrier", set_number, NULL},
	{IFLA_BOND_ARP_INTERVAL, "arp_interval", set_number, NULL},
	{IFLA_BOND_MISSED_MAX, "arp_missed_max", set_number, NULL},
	{IFLA_BOND_ARP_VALIDATE, "arp_validate", set_number_or_null, NULL},
	{IFLA_BOND_ARP_ALL_TARGETS, "arp_all_targets", set_word, bond_arp_targets},
	{IFLA_BOND_PRIMARY, "primary", set_link, NULL},
	{IFLA_BOND_PRIMARY_RESELECT, "primary_reselect", set_word, bond_reselect},
	{IFLA_BOND_FAIL_OVER_MAC, "fail_over_mac", set_word, bond_fail_over},
	{IFLA_BOND_XMIT_HASH_POLICY, "xmit_hash_policy", set_word, bond_policies},
	{IFLA_BOND_RESEND_IGMP, "resend_igmp", set_number, NULL},
	{IFLA_BOND_NUM_PEER_NOTIF, "num_peer_notif", set_number, NULL},
	{IFLA_BOND_ALL_SLAVES_ACTIVE, "all_slaves_active", set_number, NULL},
	{IFLA_BOND_MIN_LINKS, "min_links", set_number, NULL},
	{IFLA_BOND_LP_INTERVAL, "lp_interval", set_number, NULL},
	{IFLA_BOND_PACKETS_PER_SLAVE, "packets_per_slave", set_number, NULL},
	{IFLA_BOND_AD_LACP_ACTIVE, "ad_lacp_active", set_word, off_on},
	{IFLA_BOND_AD_LACP_RATE, "ad_lacp_rate", set_word, bond_rates},
	{IFLA_BOND_AD_SELECT, "ad_select", set_word, bond_select},
	{IFLA_BOND_AD_INFO, "ad_info", set_aggregator, NULL},
	{IFLA_BOND_AD_ACTOR_SYS_PRIO, "ad_actor_sys_prio", set_number, NULL},
	{IFLA_BOND_AD_USER_PORT_KEY, "ad_user_port_key", set_number, NULL},
	{IFLA_BOND_AD_ACTOR_SYSTEM, "ad_actor_system", set_lladdr, NULL},
	{IFLA_BOND_TLB_DYNAMIC_LB, "tlb_dynamic_lb", set_number, NULL},
	{0, NULL, NULL, NULL},
};

static const struct info_field bond_slave[] = {
	{IFLA_BOND_SLAVE_STATE, "state", set_word, bond_states},
	{IFLA_BOND_SLAVE_MII_STATUS, "mii_status", set_word, bond_links},
	{IFLA_BOND_SLAVE_LINK_FAILURE_COUNT, "link_failure_count", set_number, NULL},
	{IFLA_BOND_SLAVE_PERM_HWADDR, "perm_hwaddr", set_lladdr, NULL},
	{IFLA_BOND_SLAVE_QUEUE_ID, "queue_id", set_number, NULL},
	{IFLA_BOND_SLAVE_PRIO, "prio", set_number, NULL},
	{IFLA_BOND_SLAVE_AD_AGGREGATOR_ID, "ad_aggregator_id", set_number, NULL},
	{IFLA_BOND_SLAVE_AD_ACTOR_OPER_PORT_STATE, "ad_actor_oper_port_state", set_number, NULL},
	{IFLA_BOND_SLAVE_AD_ACTOR_OPER_PORT_STATE, "ad_actor_oper_port_state_str", set_bit_list,
	 bond_port_states},
	{IFLA_BOND_SLAVE_AD_PARTNER_OPER_PORT_STATE, "ad_partner_oper_port_state", set_number,
	 NULL},
	{IFLA_BOND_SLAVE_AD_PARTNER_OPER_PORT_STATE, "ad_partner_oper_port_state_str", set_bit_list,
	 bond_port_states},
	{0, NULL, NULL, NULL},
};

/* Bridges */

/* Priority and address; of these numbers ip does not fill up the last three. */
static void
set_bridge_id(struct info *i, const struct nlattr *attr)
{
	const uint8_t *id = mnl_attr_get_payload(attr);

	set_text(i, g_strdup_printf("%02x%02x.%x:%x:%x:%x:%x:%x", id[0], id[1], id[2], id[3], id[4],
				    id[5], id[6], id[7]));
}

/* Switches of which the kernel says whether it knows them. */
static void
set_bridge_options(struct info *i, const struct nlattr *attr)
{
	static const char *const names[] = {"no_linklocal_learn", "mcast_vlan_snooping"};
	struct br_boolopt_multi options;

	memcpy(&options, mnl_attr_get_payload(attr), sizeof options);
	for (unsigned n = 0; n < G_N_ELEMENTS(names); n++)
		if (options.optmask >> n & 1)
			json_object_set_new(i->object, names[n],
					    json_integer(options.optval >> n & 1));
}

static const char *const bridge_port_states[] = {"disabled",   "listening", "learning",
						 "forwarding", "blocking",  NULL};

static const struct info_field bridge[] = {
	{IFLA_BR_FORWARD_DELAY, "forward_delay", set_number, NULL},
	{IFLA_BR_HELLO_TIME, "hello_time", set_number, NULL},
	{IFLA_BR_MAX_AGE, "max_age", set_number, NULL},
	{IFLA_BR_AGEING_TIME, "ageing_time", set_number, NULL},
	{IFLA_BR_STP_STATE, "stp_state", set_number, NULL},
	{IFLA_BR_PRIORITY, "priority", set_number, NULL},
	{IFLA_BR_VLAN_FILTERING, "vlan_filtering", set_number, NULL},
	{IFLA_BR_VLAN_PROTOCOL, "vlan_protocol", set_vlan_protocol, NULL},
	{IFLA_BR_BRIDGE_ID, "bridge_id", set_bridge_id, NULL},
	{IFLA_BR_ROOT_ID, "root_id", set_bridge_id, NULL},
	{IFLA_BR_ROOT_PORT, "root_port", set_number, NULL},
	{IFLA_BR_ROOT_PATH_COST, "root_path_cost", set_number, NULL},
	{IFLA_BR_TOPOLOGY_CHANGE, "topology_change", set_number, NULL},
	{IFLA_BR_TOPOLOGY_CHANGE_DETECTED, "topology_change_detected", set_number, NULL},
	{IFLA_BR_HELLO_TIMER, "hello_timer", set_timer, NULL},
	{IFLA_BR_TCN_TIMER, "tcn_timer", set_timer, NULL},
	{IFLA_BR_TOPOLOGY_CHANGE_TIMER, "topology_change_timer", set_timer, NULL},
	{IFLA_BR_GC_TIMER, "gc_timer", set_timer, NULL},
	{IFLA_BR_VLAN_DEFAULT_PVID, "vlan_default_pvid", set_number, NULL},
	{IFLA_BR_VLAN_STATS_ENABLED, "vlan_stats_enabled", set_number, NULL},
	{IFLA_BR_VLAN_STATS_PER_PORT, "vlan_stats_per_port", set_number, NULL},
	{IFLA_BR_GROUP_FWD_MASK, "group_fwd_mask", set_0xhex, NULL},
	{IFLA_BR_GROUP_ADDR, "group_addr", set_lladdr, NULL},
	{IFLA_BR_MCAST_SNOOPING, "mcast_snooping", set_number, NULL},
	{IFLA_BR_MULTI_BOOLOPT, NULL, set_bridge_options, NULL},
	{IFLA_BR_MCAST_ROUTER, "mcast_router", set_number, NULL},
	{IFLA_BR_MCAST_QUERY_USE_IFADDR, "mcast_query_use_ifaddr", set_number, NULL},
	{IFLA_BR_MCAST_QUERIER, "mcast_querier", set_number, NULL},
	{IFLA_BR_MCAST_HASH_ELASTICITY, "mcast_hash_elasticity", set_number, NULL},
	{IFLA_BR_MCAST_HASH_MAX, "mcast_hash_max", set_number, NULL},
	{IFLA_BR_MCAST_LAST_MEMBER_CNT, "mcast_last_member_cnt", set_number, NULL},
	{IFLA_BR_MCAST_STARTUP_QUERY_CNT, "mcast_startup_query_cnt", set_number, NULL},
	{IFLA_BR_MCAST_LAST_MEMBER_INTVL, "mcast_last_member_intvl", set_number, NULL},
	{IFLA_BR_MCAST_MEMBERSHIP_INTVL, "mcast_membership_intvl", set_number, NULL},
	{IFLA_BR_MCAST_QUERIER_INTVL, "mcast_querier_intvl", set_number, NULL},
	{IFLA_BR_MCAST_QUERY_INTVL, "mcast_query_intvl", set_number, NULL},
	{IFLA_BR_MCAST_QUERY_RESPONSE_INTVL, "mcast_query_response_intvl", set_number, NULL},
	{IFLA_BR_MCAST_STARTUP_QUERY_INTVL, "mcast_startup_query_intvl", set_number, NULL},
	{IFLA_BR_MCAST_STATS_ENABLED, "mcast_stats_enabled", set_number, NULL},
	{IFLA_BR_MCAST_IGMP_VERSION, "mcast_igmp_version", set_number, NULL},
	{IFLA_BR_MCAST_MLD_VERSION, "mcast_mld_version", set_number, NULL},
	{IFLA_BR_NF_CALL_IPTABLES, "nf_call_iptables", set_number, NULL},
	{IFLA_BR_NF_CALL_IP6TABLES, "nf_call_ip6tables", set_number, NULL},
	{IFLA_BR_NF_CALL_ARPTABLES, "nf_call_arptables", set_number, NULL},
	{0, NULL, NULL, NULL},
};

static const struct info_field bridge_slave[] = {
	{IFLA_BRPORT_STATE, "state", set_word, bridge_port_states},
	{IFLA_BRPORT_PRIORITY, "priority", set_number, NULL},
	{IFLA_BRPORT_COST, "cost", set_number, NULL},
	{IFLA_BRPORT_MODE, "hairpin", set_bool, NULL},
	{IFLA_BRPORT_GUARD, "guard", set_bool, NULL},
	{IFLA_BRPORT_PROTECT, "root_block", set_bool, NULL},
	{IFLA_BRPORT_FAST_LEAVE, "fastleave", set_bool, NULL},
	{IFLA_BRPORT_LEARNING, "learning", set_bool, NULL},
	{IFLA_BRPORT_UNICAST_FLOOD, "flood", set_bool, NULL},
	{IFLA_BRPORT_ID, "id", set_hex, NULL},
	{IFLA_BRPORT_NO, "no", set_hex, NULL},
	{IFLA_BRPORT_DESIGNATED_PORT, "designated_port", set_number, NULL},
	{IFLA_BRPORT_DESIGNATED_COST, "designated_cost", set_number, NULL},
	{IFLA_BRPORT_BRIDGE_ID, "bridge_id", set_bridge_id, NULL},
	{IFLA_BRPORT_ROOT_ID, "root_id", set_bridge_id, NULL},
	{IFLA_BRPORT_HOLD_TIMER, "hold_timer", set_timer, NULL},
	{IFLA_BRPORT_MESSAGE_AGE_TIMER, "message_age_timer", set_timer, NULL},
	{IFLA_BRPORT_FORWARD_DELAY_TIMER, "forward_delay_timer", set_timer, NULL},
	{IFLA_BRPORT_TOPOLOGY_CHANGE_ACK, "topology_change_ack", set_number, NULL},
	{IFLA_BRPORT_CONFIG_PENDING, "config_pending", set_number, NULL},
	{IFLA_BRPORT_PROXYARP, "proxy_arp", set_bool, NULL},
	{IFLA_BRPORT_PROXYARP_WIFI, "proxy_arp_wifi", set_bool, NULL},
	{IFLA_BRPORT_MULTICAST_ROUTER, "multicast_router", set_number, NULL},
	{IFLA_BRPORT_MCAST_FLOOD, "mcast_flood", set_bool, NULL},
	{IFLA_BRPORT_BCAST_FLOOD, "bcast_flood", set_bool, NULL},
	{IFLA_BRPORT_MCAST_TO_UCAST, "mcast_to_unicast", set_bool, NULL},
	{IFLA_BRPORT_NEIGH_SUPPRESS, "neigh_suppress", set_bool, NULL},
	{IFLA_BRPORT_GROUP_FWD_MASK, "group_fwd_mask", set_0xhex, NULL},
	{IFLA_BRPORT_GROUP_FWD_MASK, "group_fwd_mask_str", set_hex, NULL},
	{IFLA_BRPORT_VLAN_TUNNEL, "vlan_tunnel", set_bool, NULL},
	{IFLA_BRPORT_ISOLATED, "isolated", set_bool, NULL},
	{IFLA_BRPORT_LOCKED, "locked", set_bool, NULL},
	{0, NULL, NULL, NULL},
};

/* VLANs, VRFs, MAC VLANs */

/* Not in the order of the bits. */
static void
set_vlan_flags(struct info *i, const struct nlattr *attr)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} all[] = {
		{VLAN_FLAG_REORDER_HDR, "REORDER_HDR"},
		{VLAN_FLAG_GVRP, "GVRP"},
		{VLAN_FLAG_MVRP, "MVRP"},
		{VLAN_FLAG_LOOSE_BINDING, "LOOSE_BINDING"},
		{VLAN_FLAG_BRIDGE_BINDING, "BRIDGE_BINDING"},
	};
	struct ifla_vlan_flags flags;
	json_t *list = json_array();

	memcpy(&flags, mnl_attr_get_payload(attr), sizeof flags);
	for (unsigned n = 0; n < G_N_ELEMENTS(all); n++)
		if (flags.flags & all[n].flag)
			json_array_append_new(list, json_string(all[n].name));
	set(i, list);
}

static const char *const macvlan_modes[] = {"private",  "vepa",   "bridge",
					    "passthru", "source", NULL};

static const struct info_field vlan[] = {
	{IFLA_VLAN_PROTOCOL, "protocol", set_vlan_protocol, NULL},
	{IFLA_VLAN_ID, "id", set_number, NULL},
	{IFLA_VLAN_FLAGS, "flags", set_vlan_flags, NULL},
	{0, NULL, NULL, NULL},
};

static const struct info_field vrf[] = {
	{IFLA_VRF_TABLE, "table", set_number, NULL},
	{0, NULL, NULL, NULL},
};

static const struct info_field vrf_slave[] = {
	{IFLA_VRF_PORT_TABLE, "table", set_number, NULL},
	{0, NULL, NULL, NULL},
};

static const struct info_field macvlan[] = {
	{IFLA_MACVLAN_MODE, "mode", set_bit_word, macvlan_modes},
	{IFLA_MACVLAN_BC_QUEUE_LEN, "bcqueuelen", set_number, NULL},
	{IFLA_MACVLAN_BC_QUEUE_LEN_USED, "usedbcqueuelen", set_number, NULL},
	{0, NULL, NULL, NULL},
};

/* VXLANs */

/* Where packets go that no entry knows: "group", or "remote". */
static void
set_vxlan_group(struct info *i, const struct nlattr *attr)
{
	static const struct info_field remotes[] = {{IFLA_VXLAN_GROUP, "remote", NULL, NULL},
						    {IFLA_VXLAN_GROUP6, "remote6", NULL, NULL}};
	const uint8_t *addr = mnl_attr_get_payload(attr);
	bool v6 = mnl_attr_get_type(attr) == IFLA_VXLAN_GROUP6;
	bool multicast = v6 ? *addr == 0xff : *addr >> 4 == 0xe;

	if (!multicast)
		i->field = &remotes[v6];
	set_inet(i, attr);
}

static void
set_vxlan_port_range(struct info *i, const struct nlattr *attr)
{
	struct ifla_vxlan_port_range range;

	memcpy(&range, mnl_attr_get_payload(attr), sizeof range);
	set(i, json_pack("{s:i, s:i}", "low", GUINT16_FROM_BE(range.low), "high",
			 GUINT16_FROM_BE(range.high)));
}

static void
set_vxlan_tos(struct info *i, const struct nlattr *attr)
{
	if (number_of(attr))
		set_hex(i, attr);
}

static const char *const vxlan_df[] = {"unset", "set", "inherit", NULL};

static const struct info_field vxlan[] = {
	{IFLA_VXLAN_COLLECT_METADATA, "external", set_true, NULL},
	{IFLA_VXLAN_ID, "id", set_number, NULL},
	{IFLA_VXLAN_GROUP, "group", set_vxlan_group, NULL},
	{IFLA_VXLAN_GROUP6, "group6", set_vxlan_group, NULL},
	{IFLA_VXLAN_LOCAL, "local", set_inet, NULL},
	{IFLA_VXLAN_LOCAL6, "local6", set_inet, NULL},
	{IFLA_VXLAN_LINK, "link", set_link, NULL},
	{IFLA_VXLAN_PORT_RANGE, "port_range", set_vxlan_port_range, NULL},
	{IFLA_VXLAN_PORT, "port", set_be16, NULL},
	{IFLA_VXLAN_LEARNING, "learning", set_bool, NULL},
	{IFLA_VXLAN_PROXY, "proxy", set_true, NULL},
	{IFLA_VXLAN_RSC, "rsc", set_true, NULL},
	{IFLA_VXLAN_L2MISS, "l2miss", set_true, NULL},
	{IFLA_VXLAN_L3MISS, "l3miss", set_true, NULL},
	{IFLA_VXLAN_TOS, "tos", set_vxlan_tos, NULL},
	{IFLA_VXLAN_TTL, "ttl", set_number, NULL},
	{IFLA_VXLAN_DF, "df", set_word, vxlan_df},
	{IFLA_VXLAN_AGEING, "ageing", set_number, NULL},
	{IFLA_VXLAN_LIMIT, "limit", set_nonzero, NULL},
	{IFLA_VXLAN_UDP_CSUM, "udp_csum", set_bool, NULL},
	{IFLA_VXLAN_UDP_ZERO_CSUM6_TX, "udp_zero_csum6_tx", set_bool, NULL},
	{IFLA_VXLAN_UDP_ZERO_CSUM6_RX, "udp_zero_csum6_rx", set_bool, NULL},
	{IFLA_VXLAN_REMCSUM_TX, "remcsum_tx", set_true, NULL},
	{IFLA_VXLAN_REMCSUM_RX, "remcsum_rx", set_true, NULL},
	{IFLA_VXLAN_GBP, "gbp", set_flag, NULL},
	{0, NULL, NULL, NULL},
};

static const struct info_field xfrm[] = {
	{IFLA_XFRM_IF_ID, "if_id", set_hex, NULL},
	{0, NULL, NULL, NULL},
};

/* Kinds that have something to say; "_slave" stands for what they say of a slave. */
static const struct {
	const char *name;
	const struct info_field *table;
} tables[] = {
	{"bond", bond},       {"bond_slave", bond_slave},
	{"bridge", bridge},   {"bridge_slave", bridge_slave},
	{"macvlan", macvlan}, {"vlan", vlan},
	{"vrf", vrf},         {"vrf_slave", vrf_slave},
	{"vxlan", vxlan},     {"xfrm", xfrm},
};

static const struct info_field *
table_of(const char *kind, const char *suffix)
{
	g_autofree char *name = g_strconcat(kind, suffix, NULL);

	for (unsigned i = 0; i < G_N_ELEMENTS(tables); i++)
		if (strcmp(tables[i].name, name) == 0)
			return tables[i].table;
	return NULL;
}

json_t *
show_info(const char *kind, bool of_slave, const struct nlattr *data, struct show_links *links)
{
	const struct info_field *table = table_of(kind, of_slave ? "_slave" : "");
	struct info info = {.object = json_object(), .links = links};

	if (table && data)
		fill_table(&info, table, data);
	return info.object;
}
