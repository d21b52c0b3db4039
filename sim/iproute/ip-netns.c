/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-netns.c - 'ip netns': namespaces come, go, and commands run in them. */
#include <string.h>

#include "iproute/ip.h"
#include "iproute/show.h"
#include "net/netdevice.h"

#define NETNS_DIR "/run/netns/"

static void
add_run(struct process *p, const void *name)
{
	int result = netns_add(p->kernel, name);

	if (result)
		process_fail(p, 1, "Cannot create namespace file \"" NETNS_DIR "%s\": %s\n",
			     (const char *)name, error_text(result));
}

static void
delete_run(struct process *p, const void *name)
{
	int result = netns_del(p->kernel, name);

	if (result)
		process_fail(p, 1, "Cannot remove namespace file \"" NETNS_DIR "%s\": %s\n",
			     (const char *)name, error_text(result));
}

static const struct command_type add_type = {.run = add_run, .free = g_free};
static const struct command_type delete_type = {.run = delete_run, .free = g_free};

/* What may be a file name, and fits a struct net. */
static bool
check_name(struct args *a, const char *name)
{
	if (!*name || strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return args_error(a, "Invalid netns name \"%s\"", name);
	if (strlen(name) >= sizeof((struct net *)NULL)->name)
		return args_error(a, "not simulated: a namespace name of more than %zu bytes",
				  sizeof((struct net *)NULL)->name - 1);
	return true;
}

static bool
parse_name(struct args *a, const char **name)
{
	if (!args_left(a))
		return args_error_next(a, "No netns name specified");
	*name = args_take(a);
	return check_name(a, *name);
}

static bool
parse_only_name(struct args *a, struct ip *ip, const struct command_type *type)
{
	const char *name = NULL;

	if (!parse_name(a, &name))
		return false;
	if (args_left(a)) {
		a->at++;
		return args_not_simulated(a, "more than one name (ip would ignore the others)");
	}
	return command_becomes(ip->command, type, g_strdup(name));
}

static bool
parse_add(struct args *a, void *ip, const struct keyword *k)
{
	return parse_only_name(a, ip, &add_type);
}

static bool
parse_delete(struct args *a, void *ip, const struct keyword *k)
{
	return parse_only_name(a, ip, &delete_type);
}

static bool
parse_exec(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;
	const char *name = NULL;

	if (!parse_name(a, &name))
		return false;
	if (!args_left(a))
		return args_error_next(a, "No command specified");
	g_free(ip->command->netns);
	ip->command->netns = g_strdup(name);
	return program_parse(a, ip->command, ip->input);
}

/* list: the directory has the newest name first. */

static void
list_run(struct process *p, const void *data)
{
	const struct ip_options *options = data;
	json_t *list = json_array();

	for (struct net *net = p->kernel->nets_last; net; net = net->prev)
		if (*net->name)
			json_array_append_new(list, json_pack("{s:s}", "name", net->name));
	if (options->json)
		show_json(list, p->answer->output);
	else
		for (size_t i = 0; i < json_array_size(list); i++)
			process_print(p, "%s\n",
				      json_string_value(
					      json_object_get(json_array_get(list, i), "name")));
	json_decref(list);
}

static const struct command_type list_type = {.run = list_run, .free = g_free};

static bool
parse_list(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;

	return command_becomes(ip->command, &list_type,
			       g_memdup2(&ip->options, sizeof ip->options));
}

static const struct keyword commands[] = {
	{"help", false, NULL, 0},       {"list", false, parse_list, 0},
	{"show", false, parse_list, 0}, {"lst", false, parse_list, 0},
	{"list-id", false, NULL, 0},    {"add", false, parse_add, 0},
	{"set", false, NULL, 0},        {"delete", false, parse_delete, 0},
	{"identify", false, NULL, 0},   {"pids", false, NULL, 0},
	{"exec", false, parse_exec, 0}, {"monitor", false, NULL, 0},
	{"attach", false, NULL, 0},     {NULL, false, NULL, 0},
};

bool
ip_netns_parse(struct args *a, void *ip, const struct keyword *k)
{
	return ip_command_parse(a, ip, "netns", commands, parse_list);
}
