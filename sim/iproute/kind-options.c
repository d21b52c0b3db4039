/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kind-options.c - the options after "type K".  The kinds of net/ say which
 * options they have; this file knows how ip spells its errors about them, and
 * which others ip has, so that an abbreviation means here what it means there. */
#include <arpa/inet.h>
#include <string.h>

#include "iproute/ip-link.h"

/* How ip talks about one kind. */
struct kind_manner {
	const char *kind;
	const char *unknown;        /* KIND: unknown WHAT "X"? */
	const char *before, *after; /* around the option's name, for a bad value */
	int no_device;              /* exit status where a device is not there */
	const char *const *known;   /* all options that ip has, in its order */
};

static const char *const vlan_known[] = {"protocol",
					 "id",
					 "reorder_hdr",
					 "gvrp",
					 "mvrp",
					 "loose_binding",
					 "bridge_binding",
					 "ingress-qos-map",
					 "egress-qos-map",
					 "help",
					 NULL};

static const char *const bond_known[] = {"mode",
					 "active_slave",
					 "clear_active_slave",
					 "miimon",
					 "updelay",
					 "downdelay",
					 "peer_notify_delay",
					 "use_carrier",
					 "arp_interval",
					 "arp_ip_target",
					 "ns_ip6_target",
					 "arp_validate",
					 "arp_all_targets",
					 "primary",
					 "primary_reselect",
					 "fail_over_mac",
					 "xmit_hash_policy",
					 "resend_igmp",
					 "num_grat_arp",
					 "num_unsol_na",
					 "all_slaves_active",
					 "min_links",
					 "lp_interval",
					 "packets_per_slave",
					 "lacp_active",
					 "lacp_rate",
					 "ad_select",
					 "ad_user_port_key",
					 "ad_actor_sys_prio",
					 "ad_actor_system",
					 "tlb_dynamic_lb",
					 "arp_missed_max",
					 "help",
					 NULL};

static const char *const vrf_known[] = {"table", "help", NULL};

static const char *const macvlan_known[] = {"mode", "flag", "macaddr", "bcqueuelen", "help", NULL};

static const char *const veth_known[] = {"peer", "help", NULL};

static const char *const bridge_known[] = {"forward_delay",
					   "hello_time",
					   "max_age",
					   "ageing_time",
					   "stp_state",
					   "priority",
					   "vlan_filtering",
					   "vlan_protocol",
					   "group_fwd_mask",
					   "group_address",
					   "fdb_flush",
					   "vlan_default_pvid",
					   "vlan_stats_enabled",
					   "vlan_stats_per_port",
					   "mcast_router",
					   "mcast_snooping",
					   "mcast_vlan_snooping",
					   "mcast_query_use_ifaddr",
					   "mcast_querier",
					   "mcast_hash_elasticity",
					   "mcast_hash_max",
					   "mcast_last_member_count",
					   "mcast_startup_query_count",
					   "mcast_last_member_interval",
					   "mcast_membership_interval",
					   "mcast_querier_interval",
					   "mcast_query_interval",
					   "mcast_query_response_interval",
					   "mcast_startup_query_interval",
					   "mcast_stats_enabled",
					   "mcast_igmp_version",
					   "mcast_mld_version",
					   "no_linklocal_learn",
					   "nf_call_iptables",
					   "nf_call_ip6tables",
					   "nf_call_arptables",
					   "help",
					   NULL};

static const char *const vxlan_known[] = {"id",
					  "group",
					  "remote",
					  "local",
					  "dev",
					  "ttl",
					  "tos",
					  "df",
					  "flowlabel",
					  "ageing",
					  "maxaddress",
					  "port",
					  "srcport",
					  "dstport",
					  "nolearning",
					  "learning",
					  "noproxy",
					  "proxy",
					  "norsc",
					  "rsc",
					  "nol2miss",
					  "l2miss",
					  "nol3miss",
					  "l3miss",
					  "udpcsum",
					  "noudpcsum",
					  "udp6zerocsumtx",
					  "noudp6zerocsumtx",
					  "udp6zerocsumrx",
					  "noudp6zerocsumrx",
					  "remcsumtx",
					  "noremcsumtx",
					  "remcsumrx",
					  "noremcsumrx",
					  "external",
					  "noexternal",
					  "gbp",
					  "gpe",
					  "vnifilter",
					  "novnifilter",
					  "help",
					  NULL};

static const char *const xfrm_known[] = {"dev", "if_id", "external", "help", NULL};

static const char *const none_known[] = {"help", NULL};

static const struct kind_manner manners[] = {
	{"bond", "command", "invalid ", "", 1, bond_known},
	{"bridge", "command", "invalid ", "", 1, bridge_known},
	{"macvlan", "option", "invalid ", "", 1, macvlan_known},
	{"veth", "option", "invalid ", "", 1, veth_known},
	{"vlan", "command", "", " is invalid", 1, vlan_known},
	{"vrf", "option", "invalid ", " ID", 1, vrf_known},
	{"vxlan", "command", "invalid ", "", 255, vxlan_known},
	{"xfrm", "option", "", " value is invalid", 255, xfrm_known},
	{NULL, "option", "invalid ", "", 1, none_known},
};

static const struct kind_manner *
manner_of(const char *kind)
{
	const struct kind_manner *m = manners;

	while (m->kind && strcmp(m->kind, kind) != 0)
		m++;
	return m;
}

/* Other names that ip has for the same. */
static const char *
main_name(const struct link_kind *kind, const char *word)
{
	static const char *const names[][2] = {
		{"vni", "id"}, {"hoplimit", "ttl"}, {"dsfield", "tos"}, {"label", "flowlabel"}};

	for (unsigned i = 0; i < G_N_ELEMENTS(names) && strcmp(kind->name, "vxlan") == 0; i++)
		if (strcmp(names[i][0], word) == 0)
			return names[i][1];
	return word;
}

static bool
is_named(const struct link_option *o, const char *name)
{
	if (o->form == LINK_OPTION_FLAG && !o->min && g_str_has_prefix(name, "no"))
		name += strlen("no");
	return strcmp(o->name, name) == 0;
}

static const struct link_option *
option_of(const struct link_kind *kind, const char *name)
{
	for (unsigned i = 0; i < LINK_OPTIONS_MAX && kind->options[i].name; i++)
		if (is_named(&kind->options[i], name))
			return &kind->options[i];
	return NULL;
}

/* The name of the option that a word abbreviates: ip's order first, then what
 * the kind has beyond it. */
static const char *
option_name(const struct link_kind *kind, const struct kind_manner *m, const char *word)
{
	for (unsigned i = 0; m->known[i]; i++)
		if (args_abbreviates(word, m->known[i]))
			return m->known[i];
	for (unsigned i = 0; i < LINK_OPTIONS_MAX && kind->options[i].name; i++)
		if (args_abbreviates(word, kind->options[i].name))
			return kind->options[i].name;
	return NULL;
}

/* iproute2's words, and what would be right. */
static bool
bad_value(struct args *a, const struct kind_manner *m, const struct link_option *o)
{
	g_autofree char *right =
		o->form == LINK_OPTION_WORD
			? g_strjoinv(", ", (char **)o->words)
			: g_strdup_printf("%" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, o->min,
					  o->max);
	g_autofree char *what = g_strdup_printf("%s%s%s (%s)", m->before, o->name, m->after, right);

	return args_wrong(a, what);
}

static bool
take_number(struct args *a, const struct kind_manner *m, const struct link_option *o,
	    uint64_t *value)
{
	const char *text;

	if (!args_value(a, &text))
		return false;
	for (unsigned i = 0; o->words && o->words[i]; i++)
		if (strcmp(text, o->words[i]) == 0) {
			*value = o->words_base + i;
			return true;
		}
	return args_number(text, o->min, o->max, value) || bad_value(a, m, o);
}

static bool
take_ports(struct args *a, const struct kind_manner *m, const struct link_option *o,
	   uint64_t *value)
{
	const struct link_option port = {.name = o->name, .max = UINT16_MAX};
	uint64_t low, high;

	if (!take_number(a, m, &port, &low) || !take_number(a, m, &port, &high))
		return false;
	*value = low << 16 | high;
	return true;
}

/* Words that ip has and no kind here. */
static bool
not_simulated_word(struct args *a, const char *kind, const struct link_option *o, const char *text)
{
	static const char *const words[][3] = {
		{"bond", "mode", "balance-tlb"},
		{"bond", "mode", "balance-alb"},
		{"macvlan", "mode", "source"},
		{"vlan", "protocol", "802.1ad"},
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(words); i++)
		if (g_strcmp0(words[i][0], kind) == 0 && strcmp(words[i][1], o->name) == 0 &&
		    g_ascii_strcasecmp(words[i][2], text) == 0) {
			args_error(a, "not simulated: %s \"%s\" of link type %s", o->name, text,
				   kind);
			return true;
		}
	return false;
}

static bool
take_word(struct args *a, const struct kind_manner *m, const struct link_option *o, uint64_t *value)
{
	unsigned count = g_strv_length((char **)o->words);
	const char *text;

	if (!args_value(a, &text))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (g_ascii_strcasecmp(text, o->words[i]) == 0) {
			*value = o->words_base + i;
			return true;
		}
	if (not_simulated_word(a, m->kind, o, text))
		return false;
	return args_number(text, o->words_base, o->words_base + count - 1, value) ||
	       bad_value(a, m, o);
}

static bool
take_device(struct args *a, struct link_command *c, const struct kind_manner *m, unsigned place)
{
	const char *text;
	struct link_step *step;

	if (!args_value(a, &text))
		return false;
	link_command_step(c, LINK_STEP_OPTION, text);
	step = &g_array_index(c->steps, struct link_step, c->steps->len - 1);
	step->option = place;
	step->no_device = m->no_device;
	return true;
}

/* veth: "peer" and the options of the other end, to the end of the line. */
static bool
take_peer(struct args *a, struct link_command *c)
{
	c->peer = link_command_new(LINK_ADD);
	c->peer->is_peer = true;
	return link_options_parse(a, c->peer) && link_command_finish(a, c->peer);
}

static bool
is_group(const struct link_inet *inet)
{
	return inet->len == 4 ? (inet->addr[0] & 0xf0) == 0xe0 : inet->addr[0] == 0xff;
}

/* ip takes addresses of one family only: the first one's.  0: there is none yet. */
static unsigned
length_of_others(const struct link_request *r, unsigned place)
{
	for (unsigned i = 0; i < LINK_OPTIONS_MAX; i++)
		if (i != place && r->inet[i].len)
			return r->inet[i].len;
	return 0;
}

static bool
parse_inet(const char *text, unsigned len, struct link_inet *inet)
{
	inet->len = len;
	return inet_pton(len == 4 ? AF_INET : AF_INET6, text, inet->addr) == 1;
}

static bool
take_inet(struct args *a, struct link_request *r, const struct link_option *o, unsigned place)
{
	struct link_inet *inet = &r->inet[place];
	unsigned len = length_of_others(r, place);
	const char *text;

	if (!args_value(a, &text))
		return false;
	if (!(len != 16 && parse_inet(text, 4, inet)) && !(len != 4 && parse_inet(text, 16, inet)))
		return args_error(a, "Error: %s address is expected rather than \"%s\".",
				  len == 4    ? "inet"
				  : len == 16 ? "inet6"
					      : "any valid",
				  text);
	if (is_group(inet) == (o->form == LINK_OPTION_INET_GROUP))
		return true;
	return args_error(a, "Error: argument \"%s\" is wrong: invalid %s address%s", text, o->name,
			  is_group(inet) ? "; a multicast group is a \"group\"" : "");
}

/* The word itself says which. */
static bool
take_flag(const struct args *a, const struct link_option *o, uint64_t *value)
{
	const char *word = words_at(a->words, a->at - 1)->text;

	*value = !(g_str_has_prefix(word, "no") && *o->name != 'n');
	return true;
}

static bool
take_option(struct args *a, struct link_command *c, const struct kind_manner *m,
	    const struct link_option *o)
{
	struct link_request *r = &c->request;
	unsigned place = (unsigned)(o - r->kind->options);
	bool on;

	r->given |= UINT32_C(1) << place;
	switch (o->form) {
	case LINK_OPTION_NUMBER:
		return take_number(a, m, o, &r->option[place]);
	case LINK_OPTION_WORD:
		return take_word(a, m, o, &r->option[place]);
	case LINK_OPTION_DEVICE:
		return take_device(a, c, m, place);
	case LINK_OPTION_PEER:
		return take_peer(a, c);
	case LINK_OPTION_FLAG:
		return take_flag(a, o, &r->option[place]);
	case LINK_OPTION_INET:
	case LINK_OPTION_INET_GROUP:
		return take_inet(a, r, o, place);
	case LINK_OPTION_PORTS:
		return take_ports(a, m, o, &r->option[place]);
	case LINK_OPTION_ON_OFF:
		if (!args_on_off(a, o->name, &on))
			return false;
		r->option[place] = on;
		return true;
	}
	g_assert_not_reached();
}

static bool
unknown_option(struct args *a, const struct link_kind *kind, const struct kind_manner *m)
{
	const char *word = words_at(a->words, a->at - 1)->text;
	g_autoptr(GString) has = g_string_new(NULL);

	for (unsigned i = 0; i < LINK_OPTIONS_MAX && kind->options[i].name; i++)
		g_string_append_printf(has, "%s%s", i ? ", " : "", kind->options[i].name);
	if (!has->len)
		return args_error(
			a, "Garbage instead of arguments \"%s ...\". Try \"ip link help\".", word);
	return args_error(a, "%s: unknown %s \"%s\"? (it has %s)", kind->name, m->unknown, word,
			  has->str);
}

static bool
was_given(const struct link_command *c, const char *name)
{
	const struct link_option *o = option_of(c->request.kind, name);

	return c->request.given & UINT32_C(1) << (o - c->request.kind->options);
}

/* What ip asks of the options together, if there are any. */
static bool
check_vxlan(struct args *a, struct link_command *c)
{
	if (c->request.given == 0)
		return true;
	if (was_given(c, "external") && was_given(c, "id"))
		return args_error_next(a, "vxlan: both 'external' and vni cannot be specified");
	if (c->verb == LINK_ADD && !was_given(c, "external") && !was_given(c, "id"))
		return args_error_next(a, "vxlan: missing virtual network identifier");
	if (was_given(c, "group") && was_given(c, "remote"))
		return args_error_next(a, "vxlan: both group and remote cannot be specified");
	if (was_given(c, "group") && !was_given(c, "dev"))
		return args_error_next(a, "vxlan: 'group' requires 'dev' to be specified");
	if (c->verb == LINK_ADD && !was_given(c, "dstport"))
		c->note = "vxlan: destination port not specified\n"
			  "Will use Linux kernel default (non-standard value)\n"
			  "Use 'dstport 4789' to get the IANA assigned value\n"
			  "Use 'dstport 0' to get default and quiet this message\n";
	return true;
}

static bool
check_xfrm(struct args *a, struct link_command *c)
{
	return !was_given(c, "dev") || was_given(c, "if_id") ||
	       args_error_next(a, "Error: argument \"IF_ID\" is required");
}

bool
kind_options_parse(struct args *a, struct link_command *c)
{
	const struct link_kind *kind = c->request.kind;
	const struct kind_manner *m = manner_of(kind->name);

	while (args_left(a)) {
		const char *name = option_name(kind, m, main_name(kind, args_take(a)));
		const struct link_option *o = name ? option_of(kind, name) : NULL;

		if (!name)
			return unknown_option(a, kind, m);
		if (!o)
			return args_error(a, "not simulated: \"%s\" of link type %s", name,
					  kind->name);
		if (!take_option(a, c, m, o))
			return false;
	}
	if (strcmp(kind->name, "xfrm") == 0)
		return check_xfrm(a, c);
	return strcmp(kind->name, "vxlan") != 0 || check_vxlan(a, c);
}
