/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge.c - bridge(8): its options and objects. */
#include "iproute/bridge.h"

#include <stddef.h>
#include <string.h>

static bool
option_netns(struct args *a, void *data, const struct keyword *k)
{
	return ip_netns_option(a, ((struct ip *)data)->command);
}

static bool
option_flag(struct args *a, void *data, const struct keyword *k)
{
	*(bool *)((char *)data + k->value) = true;
	return true;
}

static bool
option_ignored(struct args *a, void *data, const struct keyword *k)
{
	return true;
}

#define FLAG(field) offsetof(struct ip, options.field)

static const struct keyword options[] = {
	{"-help", false, NULL, 0},
	{"-Version", false, NULL, 0},
	{"-stats", false, option_flag, FLAG(statistics)},
	{"-statistics", false, option_flag, FLAG(statistics)},
	{"-details", false, option_flag, FLAG(details)},
	{"-oneline", false, NULL, 0},
	{"-timestamp", false, option_ignored, 0},
	{"-family", false, NULL, 0},
	{"-netns", false, option_netns, 0},
	{"-color=never", true, option_ignored, 0},
	{"-color=auto", true, option_ignored, 0},
	{"-color=always", true, NULL, 0},
	{"-color", false, option_ignored, 0},
	{"-compressvlans", false, option_flag, FLAG(compress)},
	{"-force", false, option_ignored, 0},
	{"-json", false, option_flag, FLAG(json)},
	{"-pretty", false, NULL, 0},
	{"-batch", false, NULL, 0},
	{NULL, false, NULL, 0},
};

static const struct keyword objects[] = {
	{"link", false, bridge_link_parse, 0},
	{"fdb", false, bridge_fdb_parse, 0},
	{"mdb", false, NULL, 0},
	{"vlan", false, bridge_vlan_parse, 0},
	{"vni", false, NULL, 0},
	{"monitor", false, NULL, 0},
	{"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

static bool
parse_option(struct args *a, struct ip *bridge)
{
	const char *word = args_peek(a);
	const struct keyword *k;

	if (word[1] == '-')
		word++;
	k = keyword_find(options, word);
	if (k)
		return keyword_run(k, a, "bridge", bridge);
	a->at++;
	return args_error(a, "Option \"%s\" is unknown, try \"bridge help\".", word);
}

static bool
parse_options(struct args *a, struct ip *bridge)
{
	while (args_left(a) && *args_peek(a) == '-') {
		if (strcmp(args_peek(a), "--") == 0) {
			a->at++;
			break;
		}
		if (!parse_option(a, bridge))
			return false;
	}
	return true;
}

bool
bridge_parse(struct args *a, struct command *c, const char *input)
{
	struct ip bridge = {.command = c, .input = input};
	const struct keyword *k;

	if (!parse_options(a, &bridge))
		return false;
	if (!args_left(a))
		return args_error_next(a, "bridge: an object is missing: fdb, link, vlan");
	k = keyword_find(objects, args_peek(a));
	if (k)
		return keyword_run(k, a, "bridge", &bridge);
	a->at++;
	return args_error(a, "Object \"%s\" is unknown, try \"bridge help\".",
			  words_at(a->words, a->at - 1)->text);
}
