/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-info-text.c - the lines of 'ip -d link' about a device's kind, from
 * "linkinfo".  Nearly every member is printed as "name value "; the tables say
 * where ip's text and ip's JSON disagree. */
#include <string.h>

#include "iproute/show.h"

/* Members that the text calls otherwise; an empty name: the value stands alone. */
static const struct {
	const char *line, *member, *name;
} renamed[] = {
	{"bond", "num_peer_notif", "num_grat_arp"},
	{"bond", "ad_lacp_active", "lacp_active"},
	{"bond", "ad_lacp_rate", "lacp_rate"},
	{"bridge", "root_id", "designated_root"},
	{"bridge", "group_addr", "group_address"},
	{"bridge", "mcast_last_member_cnt", "mcast_last_member_count"},
	{"bridge", "mcast_startup_query_cnt", "mcast_startup_query_count"},
	{"bridge", "mcast_last_member_intvl", "mcast_last_member_interval"},
	{"bridge", "mcast_membership_intvl", "mcast_membership_interval"},
	{"bridge", "mcast_querier_intvl", "mcast_querier_interval"},
	{"bridge", "mcast_query_intvl", "mcast_query_interval"},
	{"bridge", "mcast_query_response_intvl", "mcast_query_response_interval"},
	{"bridge", "mcast_startup_query_intvl", "mcast_startup_query_interval"},
	{"bridge_slave", "id", "port_id"},
	{"bridge_slave", "no", "port_no"},
	{"bridge_slave", "bridge_id", "designated_bridge"},
	{"bridge_slave", "root_id", "designated_root"},
	{"vlan", "flags", ""},
	{"vxlan", "group6", "group"},
	{"vxlan", "limit", "maxaddr"},
	{"vxlan", "link", "dev"},
	{"vxlan", "local6", "local"},
	{"vxlan", "port", "dstport"},
	{"vxlan", "remote6", "remote"},
};

static const char *
name_of(const char *line, const char *member)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(renamed); i++)
		if (strcmp(renamed[i].line, line) == 0 && strcmp(renamed[i].member, member) == 0)
			return renamed[i].name;
	return member;
}

static void
append_value(const json_t *value, GString *out)
{
	switch (json_typeof(value)) {
	case JSON_STRING:
		g_string_append(out, json_string_value(value));
		break;
	case JSON_INTEGER:
		g_string_append_printf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		break;
	case JSON_REAL:
		g_string_append_printf(out, "%7.2f", json_real_value(value));
		break;
	case JSON_TRUE:
		g_string_append(out, "on");
		break;
	case JSON_FALSE:
		g_string_append(out, "off");
		break;
	case JSON_NULL:
		g_string_append(out, "none");
		break;
	case JSON_ARRAY:
		show_list(value, out);
		break;
	case JSON_OBJECT:
		g_assert_not_reached(); /* they have functions below */
	}
	g_string_append_c(out, ' ');
}

static void
append_member(const char *line, const char *member, const json_t *value, GString *out)
{
	const char *name = name_of(line, member);

	if (*name)
		g_string_append_printf(out, "%s ", name);
	append_value(value, out);
}

/* Members whose text is no "name value" */

static void
append_aggregator(const char *line, const json_t *data, const json_t *aggregator, GString *out)
{
	const char *member;
	json_t *value;

	json_object_foreach((json_t *)aggregator, member, value)
	{
		g_string_append_printf(out, "ad_%s ", member);
		append_value(value, out);
	}
}

/* The text has the same twice. */
static void
append_mcast_router(const char *line, const json_t *data, const json_t *value, GString *out)
{
	append_member(line, "mcast_router", value, out);
	append_member(line, "mcast_fast_leave", json_object_get(data, "fastleave"), out);
}

static void
append_port_range(const char *line, const json_t *data, const json_t *range, GString *out)
{
	g_string_append_printf(out, "srcport %" JSON_INTEGER_FORMAT " %" JSON_INTEGER_FORMAT " ",
			       json_integer_value(json_object_get(range, "low")),
			       json_integer_value(json_object_get(range, "high")));
}

static void
append_learning(const char *line, const json_t *data, const json_t *value, GString *out)
{
	if (!json_is_true(value))
		g_string_append(out, "nolearning ");
}

static void
append_tos(const char *line, const json_t *data, const json_t *value, GString *out)
{
	const char *tos = json_string_value(value);

	g_string_append_printf(out, "tos %s ", strcmp(tos, "0x1") == 0 ? "inherit" : tos);
}

static void
append_ttl(const char *line, const json_t *data, const json_t *value, GString *out)
{
	if (json_integer_value(value))
		append_member(line, "ttl", value, out);
	else
		g_string_append(out, "ttl auto ");
}

static void
append_df(const char *line, const json_t *data, const json_t *value, GString *out)
{
	if (strcmp(json_string_value(value), "unset") != 0)
		append_member(line, "df", value, out);
}

static const struct {
	const char *line, *member;
	void (*append)(const char *line, const json_t *data, const json_t *value, GString *out);
} special[] = {
	{"bond", "ad_info", append_aggregator},
	{"bridge_slave", "multicast_router", append_mcast_router},
	{"vxlan", "port_range", append_port_range},
	{"vxlan", "learning", append_learning},
	{"vxlan", "tos", append_tos},
	{"vxlan", "ttl", append_ttl},
	{"vxlan", "df", append_df},
};

/* Switches that are named, with "no" before them where they are off. */
static const struct {
	const char *line, *member, *name;
} switches[] = {
	{"vxlan", "external", "external"},
	{"vxlan", "proxy", "proxy"},
	{"vxlan", "rsc", "rsc"},
	{"vxlan", "l2miss", "l2miss"},
	{"vxlan", "l3miss", "l3miss"},
	{"vxlan", "udp_csum", "udpcsum"},
	{"vxlan", "udp_zero_csum6_tx", "udp6zerocsumtx"},
	{"vxlan", "udp_zero_csum6_rx", "udp6zerocsumrx"},
	{"vxlan", "remcsum_tx", "remcsumtx"},
	{"vxlan", "remcsum_rx", "remcsumrx"},
	{"vxlan", "gbp", "gbp"},
};

static bool
append_special(const char *line, const char *member, const json_t *data, const json_t *value,
	       GString *out)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(special); i++)
		if (strcmp(special[i].line, line) == 0 && strcmp(special[i].member, member) == 0) {
			special[i].append(line, data, value, out);
			return true;
		}
	for (unsigned i = 0; i < G_N_ELEMENTS(switches); i++)
		if (strcmp(switches[i].line, line) == 0 &&
		    strcmp(switches[i].member, member) == 0) {
			g_string_append_printf(out, "%s%s ", json_is_true(value) ? "" : "no",
					       switches[i].name);
			return true;
		}
	return false;
}

static void
append_line(const char *line, const json_t *data, const char *separator, GString *out)
{
	const char *member;
	json_t *value;

	g_string_append_printf(out, "%s    %s ", separator, line);
	json_object_foreach((json_t *)data, member, value)
	{
		if (!append_special(line, member, data, value, out))
			append_member(line, member, value, out);
	}
}

void
show_info_text(const json_t *info, const char *separator, GString *out)
{
	const char *kind = json_string_value(json_object_get(info, "info_kind"));
	const char *slave = json_string_value(json_object_get(info, "info_slave_kind"));

	if (kind)
		append_line(kind, json_object_get(info, "info_data"), separator, out);
	if (slave) {
		g_autofree char *line = g_strconcat(slave, "_slave", NULL);

		append_line(line, json_object_get(info, "info_slave_data"), separator, out);
	}
}
