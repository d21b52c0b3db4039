/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-addrlabel.c - 'ip addrlabel': the labels by which IPv6 prefers one source to
 * another. */
#include <linux/if_addrlabel.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "iproute/ip-address.h"
#include "iproute/rtnl.h"
#include "iproute/show.h"

#define NO_LABEL UINT32_MAX

/* add, del */

struct addrlabel_command {
	struct addrlabel_request request;
	bool add, has_prefix;
	int family;
	char *dev;
};

static void
addrlabel_free(void *data)
{
	struct addrlabel_command *c = data;

	g_free(c->dev);
	g_free(c);
}

static void
addrlabel_run(struct process *p, const void *data)
{
	const struct addrlabel_command *c = data;
	struct addrlabel_request request = c->request;
	struct ext_ack ack = {""};

	request.ifindex = c->dev ? process_link(p, c->dev) : 0;
	if (c->dev && !request.ifindex)
		process_fail(p, 255, "Error: argument \"%s\" is wrong: dev is invalid\n\n", c->dev);
	else
		process_talked(p, rtnl_addrlabel(p->net, &request, c->add), &ack);
}

static const struct command_type addrlabel_type = {.run = addrlabel_run, .free = addrlabel_free};

static bool
word_prefix(struct args *a, void *data, const struct keyword *k)
{
	struct addrlabel_command *c = data;
	const char *text;
	unsigned len;

	if (!args_value(a, &text))
		return false;
	a->at--;
	if (!address_parse_prefix(a, c->family, c->request.prefix, &len))
		return false;
	c->request.prefixlen = (uint8_t)len;
	c->has_prefix = true;
	return true;
}

static bool
word_dev(struct args *a, void *data, const struct keyword *k)
{
	return args_string(a, &((struct addrlabel_command *)data)->dev);
}

static bool
word_label(struct args *a, void *data, const struct keyword *k)
{
	struct addrlabel_command *c = data;
	uint64_t label;
	const char *text;

	if (!args_value(a, &text))
		return false;
	if (!args_number(text, 0, NO_LABEL - 1, &label))
		return args_wrong(a, "label is invalid");
	c->request.label = (uint32_t)label;
	return true;
}

static const struct keyword words[] = {
	{"prefix", true, word_prefix, 0},
	{"dev", true, word_dev, 0},
	{"label", true, word_label, 0},
	{NULL, false, NULL, 0},
};

static bool
parse_words(struct args *a, struct addrlabel_command *c)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(words, args_peek(a));

		if (!k) {
			a->at++;
			return args_not_simulated(a, "a word that ip addrlabel ignores");
		}
		if (!keyword_run(k, a, "ip addrlabel", c))
			return false;
	}
	if (!c->has_prefix)
		return args_error_next(a,
				       "Not enough information: \"prefix\" argument is required.");
	if (c->request.label == NO_LABEL)
		return args_error_next(a,
				       "Not enough information: \"label\" argument is required.");
	return true;
}

static bool
parse_verb(struct args *a, void *data, const struct keyword *k)
{
	struct ip *ip = data;
	struct addrlabel_command *c = g_new0(struct addrlabel_command, 1);

	c->add = k->value;
	c->family = ip->options.family;
	c->request.label = NO_LABEL;
	if (parse_words(a, c))
		return command_becomes(ip->command, &addrlabel_type, c);
	addrlabel_free(c);
	return false;
}

/* list, flush */

static void
copy_message(const struct nlmsghdr *nlh, void *messages)
{
	g_ptr_array_add(messages, g_memdup2(nlh, nlh->nlmsg_len));
}

static GPtrArray *
dump_labels(struct process *p)
{
	uint64_t buffer[RTNL_REQUEST_SIZE / sizeof(uint64_t)];
	GPtrArray *messages = g_ptr_array_new_with_free_func(g_free);

	process_dump(
		p,
		rtnl_dump_request(buffer, RTM_GETADDRLABEL, AF_INET6, sizeof(struct ifaddrlblmsg)),
		copy_message, messages);
	return messages;
}

/* The attributes of a message, as a request for the same entry. */
static struct addrlabel_request
read_entry(const struct nlmsghdr *nlh)
{
	const struct ifaddrlblmsg *ifal = mnl_nlmsg_get_payload(nlh);
	struct addrlabel_request r = {.prefixlen = ifal->ifal_prefixlen,
				      .ifindex = (int)ifal->ifal_index};
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof *ifal)
	{
		if (mnl_attr_get_type(attr) == IFAL_ADDRESS)
			memcpy(r.prefix, mnl_attr_get_payload(attr), sizeof r.prefix);
		else if (mnl_attr_get_type(attr) == IFAL_LABEL)
			r.label = mnl_attr_get_u32(attr);
	}
	return r;
}

static json_t *
entry_json(struct show_links *links, const struct nlmsghdr *nlh)
{
	struct addrlabel_request r = read_entry(nlh);
	g_autofree char *prefix = show_inet6(r.prefix);
	json_t *object = json_pack("{s:s, s:i}", "address", prefix, "prefixlen", r.prefixlen);

	if (r.ifindex) {
		g_autofree char *name = show_link_name(links, r.ifindex);

		json_object_set_new(object, "ifname", json_string(name));
	}
	json_object_set_new(object, "label", json_integer(r.label));
	return object;
}

static void
print_entry(struct process *p, const json_t *entry)
{
	const char *dev = json_string_value(json_object_get(entry, "ifname"));

	process_print(p, "prefix %s/%" JSON_INTEGER_FORMAT " ",
		      json_string_value(json_object_get(entry, "address")),
		      json_integer_value(json_object_get(entry, "prefixlen")));
	if (dev)
		process_print(p, "dev %s ", dev);
	process_print(p, "label %" JSON_INTEGER_FORMAT " \n",
		      json_integer_value(json_object_get(entry, "label")));
}

static void
list_run(struct process *p, const void *data)
{
	const struct ip_options *options = data;
	struct show_links *links = show_links_new(p->net);
	GPtrArray *messages = dump_labels(p);
	json_t *list = json_array();

	for (unsigned i = 0; i < messages->len; i++)
		json_array_append_new(list, entry_json(links, messages->pdata[i]));
	if (options->json)
		show_json(list, p->answer->output);
	for (size_t i = 0; !options->json && i < json_array_size(list); i++)
		print_entry(p, json_array_get(list, i));
	json_decref(list);
	g_ptr_array_unref(messages);
	show_links_free(links);
}

static void
flush_run(struct process *p, const void *data)
{
	GPtrArray *messages = dump_labels(p);

	for (unsigned i = 0; i < messages->len; i++) {
		struct addrlabel_request r = read_entry(messages->pdata[i]);

		rtnl_addrlabel(p->net, &r, false);
	}
	g_ptr_array_unref(messages);
}

static const struct command_type list_type = {.run = list_run, .free = g_free};
static const struct command_type flush_type = {.run = flush_run, .free = g_free};

/* 'refusal' is the end of what ip says about words that are too many. */
static bool
parse_other(struct args *a, struct ip *ip, const struct command_type *type, const char *refusal)
{
	if (ip->options.family != AF_UNSPEC && ip->options.family != AF_INET6)
		return args_not_simulated(a, "labels of other addresses than IPv6 ones");
	if (args_left(a)) {
		a->at++;
		return args_error(a, "\"ip addrlabel %s", refusal);
	}
	return command_becomes(ip->command, type, g_memdup2(&ip->options, sizeof ip->options));
}

static bool
parse_list(struct args *a, void *ip, const struct keyword *k)
{
	return parse_other(a, ip, &list_type, "show\" does not take any arguments.");
}

static bool
parse_flush(struct args *a, void *ip, const struct keyword *k)
{
	return parse_other(a, ip, &flush_type, "flush\" does not allow extra arguments");
}

static const struct keyword commands[] = {
	{"list", false, parse_list, 0},   {"show", false, parse_list, 0},
	{"add", false, parse_verb, true}, {"delete", false, parse_verb, false},
	{"flush", false, parse_flush, 0}, {"help", false, NULL, 0},
	{NULL, false, NULL, 0},
};

bool
ip_addrlabel_parse(struct args *a, void *ip, const struct keyword *k)
{
	return ip_command_parse(a, ip, "addrlabel", commands, parse_list);
}
