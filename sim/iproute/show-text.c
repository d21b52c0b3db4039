/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-text.c - ip's text of a device and of its addresses, from their JSON.
 * A member that is absent is not printed, so what is shown is decided by who
 * leaves members out (ip-link-show.c). */
#include <linux/if_addr.h>
#include <string.h>

#include "iproute/show.h"

static const char *
text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static json_int_t
number_of(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

void
show_json(const json_t *json, GString *out)
{
	char *text = json_dumps(json, JSON_COMPACT);

	g_string_append(out, text);
	g_string_append_c(out, '\n');
	free(text);
}

void
show_copy_members(json_t *to, const json_t *from, const char *const *members)
{
	for (; *members; members++) {
		json_t *value = json_object_get(from, *members);

		if (value)
			json_object_set(to, *members, value);
	}
}

/* "name VALUE " for members that are there. */
static void
append_member(const json_t *object, const char *key, const char *name, GString *out)
{
	const json_t *value = json_object_get(object, key);

	if (json_is_string(value))
		g_string_append_printf(out, "%s %s ", name, json_string_value(value));
	else if (json_is_integer(value))
		g_string_append_printf(out, "%s %" JSON_INTEGER_FORMAT " ", name,
				       json_integer_value(value));
}

/* "name", "name@lower", "name@if7", "name@NONE" */
static char *
full_name(const json_t *device)
{
	const json_t *link = json_object_get(device, "link");
	const char *name = text_of(device, "ifname");

	if (json_object_get(device, "link_index"))
		return g_strdup_printf("%s@if%" JSON_INTEGER_FORMAT, name,
				       number_of(device, "link_index"));
	if (link)
		return g_strconcat(name, "@", json_is_null(link) ? "NONE" : json_string_value(link),
				   NULL);
	return g_strdup(name);
}

void
show_list(const json_t *list, GString *out)
{
	g_string_append_c(out, '<');
	for (size_t i = 0; i < json_array_size(list); i++)
		g_string_append_printf(out, "%s%s", i ? "," : "",
				       json_string_value(json_array_get(list, i)));
	g_string_append_c(out, '>');
}

static void
append_flags(const json_t *flags, GString *out)
{
	show_list(flags, out);
	g_string_append_c(out, ' ');
}

static void
append_brief(const json_t *device, GString *out)
{
	g_autofree char *name = full_name(device);

	g_string_append_printf(out, "%-16s %-14s ", name, text_of(device, "operstate"));
}

static void
append_head(const json_t *device, GString *out)
{
	static const char *const members[][2] = {
		{"mtu", "mtu"},         {"qdisc", "qdisc"},   {"master", "master"},
		{"operstate", "state"}, {"linkmode", "mode"}, {"group", "group"},
	};
	g_autofree char *name = full_name(device);

	g_string_append_printf(out, "%" JSON_INTEGER_FORMAT ": %s: ", number_of(device, "ifindex"),
			       name);
	append_flags(json_object_get(device, "flags"), out);
	for (unsigned i = 0; i < G_N_ELEMENTS(members); i++)
		append_member(device, members[i][0], members[i][1], out);
	if (json_object_get(device, "txqlen"))
		g_string_append_printf(out, "qlen %" JSON_INTEGER_FORMAT,
				       number_of(device, "txqlen"));
}

static void
append_link_line(const json_t *device, GString *out)
{
	g_string_append_printf(out, "    link/%s ", text_of(device, "link_type"));
	if (text_of(device, "address"))
		g_string_append_printf(out, "%s brd %s", text_of(device, "address"),
				       text_of(device, "broadcast"));
}

static void
append_link_netns(const json_t *device, GString *out)
{
	if (text_of(device, "link_netns"))
		g_string_append_printf(out, " link-netns %s", text_of(device, "link_netns"));
	else if (json_object_get(device, "link_netnsid"))
		g_string_append_printf(out, " link-netnsid %" JSON_INTEGER_FORMAT,
				       number_of(device, "link_netnsid"));
}

static void
append_details(const json_t *device, GString *out)
{
	append_member(device, "promiscuity", " promiscuity", out);
	append_member(device, "allmulti", " allmulti", out);
	append_member(device, "min_mtu", "minmtu", out);
	append_member(device, "max_mtu", "maxmtu", out);
}

void
show_link_text(const json_t *device, const struct ip_options *o, GString *out)
{
	const char *separator = o->oneline ? "\\" : "\n";

	if (o->brief) {
		append_brief(device, out);
		if (text_of(device, "address"))
			g_string_append_printf(out, "%s ", text_of(device, "address"));
		append_flags(json_object_get(device, "flags"), out);
		g_string_append_c(out, '\n');
		return;
	}
	append_head(device, out);
	if (text_of(device, "link_type")) {
		g_string_append(out, separator);
		append_link_line(device, out);
	}
	append_link_netns(device, out);
	append_details(device, out);
	show_info_text(json_object_get(device, "linkinfo"), separator, out);
	append_member(device, "inet6_addr_gen_mode", "addrgenmode", out);
	g_string_append_c(out, '\n');
}

/* Addresses. */

static void
append_lifetime(const json_t *address, const char *key, const char *name, GString *out)
{
	json_int_t seconds = number_of(address, key);

	if (seconds == UINT32_MAX)
		g_string_append_printf(out, "%s forever", name);
	else
		g_string_append_printf(out, "%s %" JSON_INTEGER_FORMAT "sec", name, seconds);
}

static void
append_address(const json_t *device, const json_t *address, const struct ip_options *o,
	       GString *out)
{
	if (o->oneline)
		g_string_append_printf(out, "%" JSON_INTEGER_FORMAT ": %s",
				       number_of(device, "ifindex"), text_of(device, "ifname"));
	g_string_append_printf(out, "    %s %s/%" JSON_INTEGER_FORMAT " scope %s ",
			       text_of(address, "family"), text_of(address, "local"),
			       number_of(address, "prefixlen"), text_of(address, "scope"));
	if (json_object_get(address, "secondary"))
		g_string_append(out, "secondary ");
	for (const struct address_flag *f = address_flags; f->name; f++) {
		const char *name = f->flag == IFA_F_PERMANENT ? "dynamic" : f->name;

		if (json_object_get(address, name))
			g_string_append_printf(out, "%s ", name);
	}
	if (text_of(address, "label"))
		g_string_append(out, text_of(address, "label"));
	g_string_append_printf(out, "%s       ", o->oneline ? "\\" : "\n");
	append_lifetime(address, "valid_life_time", "valid_lft", out);
	append_lifetime(address, "preferred_life_time", " preferred_lft", out);
	g_string_append_c(out, '\n');
}

void
show_addr_text(const json_t *device, const struct ip_options *o, GString *out)
{
	const json_t *addresses = json_object_get(device, "addr_info");

	if (o->brief)
		append_brief(device, out);
	else if (!o->oneline)
		show_link_text(device, o, out);
	for (size_t i = 0; i < json_array_size(addresses); i++) {
		const json_t *address = json_array_get(addresses, i);

		if (!text_of(address, "local"))
			continue; /* filtered out */
		if (o->brief)
			g_string_append_printf(out, "%s/%" JSON_INTEGER_FORMAT " ",
					       text_of(address, "local"),
					       number_of(address, "prefixlen"));
		else
			append_address(device, address, o, out);
	}
	if (o->brief)
		g_string_append_c(out, '\n');
}
