/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-link.c - 'ip link': the choice of the command, and the parsing of those
 * that change something.  Running them is in ip-link-run.c. */
#include <string.h>

#include "iproute/ip-link.h"

static void
step_clear(void *data)
{
	g_free(((struct link_step *)data)->name);
}

struct link_command *
link_command_new(enum link_verb verb)
{
	struct link_command *c = g_new0(struct link_command, 1);

	c->verb = verb;
	c->steps = g_array_new(FALSE, FALSE, sizeof(struct link_step));
	g_array_set_clear_func(c->steps, step_clear);
	return c;
}

void
link_command_free(void *data)
{
	struct link_command *c = data;

	if (!c)
		return;
	link_command_free(c->peer);
	g_array_unref(c->steps);
	g_free(c->dev);
	g_free(c->name);
	g_free(c->link);
	g_free(c);
}

void
link_command_step(struct link_command *c, enum link_step_kind kind, const char *name)
{
	struct link_step step = {.kind = kind, .name = g_strdup(name)};

	g_array_append_val(c->steps, step);
}

/* A new device: its name may stand without "name". */
static bool
finish_add(struct args *a, struct link_command *c)
{
	const char *name = c->name ? c->name : c->dev;

	if (c->name && c->dev)
		return args_error_at(
			a, c->name_at,
			"both \"name\" and \"dev\" cannot be used when creating devices.");
	if (name && strlen(name) >= IFNAMSIZ)
		return args_error_at(
			a, c->name_at,
			"Error: Attribute failed policy validation: the name \"%s\" has "
			"more than %d characters",
			name, IFNAMSIZ - 1);
	if (name)
		g_strlcpy(c->request.ifname, name, IFNAMSIZ);
	if (c->link)
		link_command_step(c, LINK_STEP_LINK, c->link);
	return true;
}

static bool
finish_change(struct args *a, struct link_command *c)
{
	if (!c->dev && c->request.has_group)
		return args_error_next(a, "not simulated: a change of all devices of a group");
	if (!c->dev)
		return args_error_next(a, "Not enough information: \"dev\" argument is required.");
	if (c->has_index && *c->request.netns)
		return args_error_next(a, "not simulated: \"index\" with \"netns\"");
	if (c->has_index)
		return args_error_next(a, "index can be used only when creating devices or when "
					  "moving device to another netns.");
	if (c->name)
		g_strlcpy(c->request.ifname, c->name, IFNAMSIZ);
	if (c->request.has_address)
		link_command_step(c, LINK_STEP_ADDRESS, c->dev);
	link_command_step(c, LINK_STEP_DEV, c->dev);
	return true;
}

bool
link_command_finish(struct args *a, struct link_command *c)
{
	return c->verb == LINK_ADD ? finish_add(a, c) : finish_change(a, c);
}

static bool
parse_change(struct args *a, struct link_command *c)
{
	if (!link_options_parse(a, c) || !link_command_finish(a, c))
		return false;
	if (c->request.kind)
		return kind_options_parse(a, c);
	if (c->verb == LINK_ADD)
		return args_error_next(a, "Not enough information: \"type\" argument is required");
	return true;
}

static bool
parse_verb(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;
	struct link_command *c = link_command_new((enum link_verb)k->value);

	if (parse_change(a, c))
		return command_becomes(ip->command, &link_command_type, c);
	link_command_free(c);
	return false;
}

static bool
parse_show(struct args *a, void *ip, const struct keyword *k)
{
	return ip_show_devices_parse(a, ip, k ? IP_SHOW_PROBES : 0);
}

static const struct keyword commands[] = {
	{"add", false, parse_verb, LINK_ADD},
	{"set", false, parse_verb, LINK_SET},
	{"change", false, parse_verb, LINK_SET},
	{"replace", false, NULL, 0},
	{"delete", false, parse_verb, LINK_DELETE},
	{"show", false, parse_show, 0},
	{"lst", false, parse_show, 0},
	{"list", false, parse_show, 0},
	{"xstats", false, NULL, 0},
	{"afstats", false, NULL, 0},
	{"property", false, NULL, 0},
	{"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

bool
ip_link_parse(struct args *a, void *ip, const struct keyword *k)
{
	return ip_command_parse(a, ip, "link", commands, parse_show);
}
