/* SPDX-License-Identifier: GPL-2.0-or-later */
/* saddr-case.c - see saddr-case.h. */
#include "saddr-case.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "net/inet6.h"
#include "net/saddr.h"

char *
saddr_text(const uint8_t addr[16])
{
	char text[INET6_ADDRSTRLEN];

	return g_strdup(inet_ntop(AF_INET6, addr, text, sizeof text));
}

/* Reading */

static void
read_address(const char *text, uint8_t addr[16])
{
	if (inet_pton(AF_INET6, text, addr) != 1)
		g_error("no address: %s", text);
}

static unsigned
read_prefix(const char *text, uint8_t addr[16])
{
	g_auto(GStrv) parts = g_strsplit(text, "/", 2);

	read_address(parts[0], addr);
	return (unsigned)atoi(parts[1]);
}

static int
ifindex_of(const struct saddr_case *c, const char *name)
{
	for (unsigned i = 0; i < c->dev_count; i++)
		if (strcmp(c->devs[i].name, name) == 0)
			return c->devs[i].ifindex;
	if (strcmp(name, "-") != 0)
		g_error("no device: %s", name);
	return 0;
}

static void
read_setting(struct case_dev *dev, const char *word)
{
	const char *equals = strchr(word, '=');
	int value = atoi(equals + 1);

	if (g_str_has_prefix(word, "master="))
		dev->in_vrf = true;
	else if (g_str_has_prefix(word, "use_tempaddr="))
		dev->use_tempaddr = value;
	else if (g_str_has_prefix(word, "optimistic_dad="))
		dev->optimistic_dad = value;
	else if (g_str_has_prefix(word, "use_optimistic="))
		dev->use_optimistic = value;
	else if (g_str_has_prefix(word, "use_oif_addrs_only="))
		dev->use_oif_addrs_only = value;
	else
		g_error("no setting: %s", word);
}

static void
read_dev(struct saddr_case *c, char **words)
{
	struct case_dev *dev = &c->devs[c->dev_count++];

	g_assert(c->dev_count <= CASE_DEVS);
	g_strlcpy(dev->name, words[1], sizeof dev->name);
	dev->ifindex = atoi(words[2]);
	for (char **word = words + 3; *word; word++)
		read_setting(dev, *word);
}

static void
read_addr(struct saddr_case *c, char **words)
{
	struct case_addr addr = {.dev = c->dev_count - 1,
				 .flags = (uint32_t)strtoul(words[2], NULL, 0)};

	addr.prefixlen = read_prefix(words[1], addr.addr);
	g_array_append_val(c->addrs, addr);
}

static void
read_label(struct saddr_case *c, char **words)
{
	struct case_label label = {.label = (uint32_t)atoi(words[2]),
				   .ifindex = words[3] ? ifindex_of(c, words[3]) : 0};

	label.prefixlen = read_prefix(words[1], label.prefix);
	g_array_append_val(c->labels, label);
}

static void
read_ask(struct saddr_case *c, char **words)
{
	struct case_ask ask = {.ifindex = ifindex_of(c, words[2]),
			       .none = strcmp(words[3], "none") == 0,
			       .prefs = words[4] ? (unsigned)atoi(words[4]) : 0};

	read_address(words[1], ask.dst);
	if (!ask.none)
		read_address(words[3], ask.src);
	g_array_append_val(c->asks, ask);
}

static struct saddr_case *
case_new(const char *name)
{
	struct saddr_case *c = g_new0(struct saddr_case, 1);

	c->name = g_strdup(name);
	c->addrs = g_array_new(FALSE, FALSE, sizeof(struct case_addr));
	c->labels = g_array_new(FALSE, FALSE, sizeof(struct case_label));
	c->asks = g_array_new(FALSE, FALSE, sizeof(struct case_ask));
	return c;
}

void
saddr_case_free(void *data)
{
	struct saddr_case *c = data;

	g_array_unref(c->addrs);
	g_array_unref(c->labels);
	g_array_unref(c->asks);
	g_free(c->name);
	g_free(c);
}

static void
read_line(GPtrArray *cases, const char *line)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	struct saddr_case *c = cases->len > 0 ? cases->pdata[cases->len - 1] : NULL;

	if (!*line || *line == '#')
		return;
	if (strcmp(words[0], "case") == 0)
		g_ptr_array_add(cases, case_new(line + strlen("case ")));
	else if (strcmp(words[0], "dev") == 0)
		read_dev(c, words);
	else if (strcmp(words[0], "addr") == 0)
		read_addr(c, words);
	else if (strcmp(words[0], "label") == 0)
		read_label(c, words);
	else if (strcmp(words[0], "ask") == 0)
		read_ask(c, words);
	else
		g_error("no such line: %s", line);
}

GPtrArray *
saddr_cases_read(const char *path)
{
	GPtrArray *cases = g_ptr_array_new_with_free_func(saddr_case_free);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		g_error("no file: %s", path);
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++)
		read_line(cases, *line);
	return cases;
}

/* Building */

static void
add_vrf(struct box *b, const struct case_dev *dev)
{
	struct link_request req = {.kind = link_kind_by_name("vrf"), .ifindex = dev->ifindex};
	int err;

	g_strlcpy(req.ifname, dev->name, sizeof req.ifname);
	req.given = 1;
	req.option[0] = 10;
	err = rtnl_newlink(b->net, &req, NULL);
	g_assert(err == 0);
}

static void
add_device(struct box *b, const struct case_dev *dev)
{
	struct ipv6_devconf *cnf;
	int err = 0;

	if (strcmp(dev->name, "v") == 0)
		add_vrf(b, dev);
	else if (strcmp(dev->name, "lo") != 0)
		err = box_add_link_at(b, "dummy", dev->name, dev->ifindex);
	g_assert(err == 0);
	if (dev->in_vrf)
		err = box_set_master(b, dev->name, "v");
	g_assert(err == 0);
	cnf = &in6_dev_get(dev_get_by_index(b->net, dev->ifindex))->cnf;
	cnf->use_tempaddr = dev->use_tempaddr;
	cnf->optimistic_dad = dev->optimistic_dad;
	cnf->use_optimistic = dev->use_optimistic;
	cnf->use_oif_addrs_only = dev->use_oif_addrs_only;
}

/* Lists have the newest first, so the last one comes first. */
static void
add_addresses(struct box *b, const struct saddr_case *c)
{
	for (unsigned i = c->addrs->len; i-- > 0;) {
		const struct case_addr *a = &g_array_index(c->addrs, struct case_addr, i);
		struct inet6_ifaddr_config cfg = {.addr = a->addr,
						  .prefixlen = (uint8_t)a->prefixlen,
						  .valid_lft = INFINITY_LIFE_TIME,
						  .preferred_lft = INFINITY_LIFE_TIME};
		struct net_device *dev = dev_get_by_index(b->net, c->devs[a->dev].ifindex);
		struct inet6_ifaddr *ifa = NULL;
		int err = ipv6_add_addr(in6_dev_get(dev), &cfg, &ifa);

		g_assert(err == 0);
		ifa->flags = a->flags;
	}
}

static void
drop_addresses(struct net_device *dev)
{
	struct inet6_ifaddr *ifa;
	struct cursor cursor;

	for_each_ifaddr(in6_dev_get(dev), &cursor, ifa) ipv6_del_addr(ifa);
}

void
saddr_case_build(struct box *b, const struct saddr_case *c)
{
	for (unsigned i = 0; i < c->dev_count; i++)
		add_device(b, &c->devs[i]);
	rtnl_lock(b->kernel);
	drop_addresses(b->net->loopback);
	add_addresses(b, c);
	rtnl_unlock(b->kernel);
	for (unsigned i = 0; i < c->labels->len; i++) {
		const struct case_label *l = &g_array_index(c->labels, struct case_label, i);
		struct addrlabel_request r = {.prefixlen = (uint8_t)l->prefixlen,
					      .ifindex = l->ifindex,
					      .label = l->label};
		int err;

		memcpy(r.prefix, l->prefix, 16);
		err = rtnl_addrlabel(b->net, &r, true);
		g_assert(err == 0);
	}
}
