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
	{"bridge_slave", "multicast_router", "mcast_router"},
	{"vlan", "flags", ""},
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
		g_assert_not_reached(); /* ip has none here, and no kind makes one */
	}
	g_string_append_c(out, ' ');
}

static void
append_line(const char *line, const json_t *data, const char *separator, GString *out)
{
	const char *member;
	json_t *value;

	g_string_append_printf(out, "%s    %s ", separator, line);
	json_object_foreach((json_t *)data, member, value)
	{
		const char *name = name_of(line, member);

		if (*name)
			g_string_append_printf(out, "%s ", name);
		append_value(value, out);
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
