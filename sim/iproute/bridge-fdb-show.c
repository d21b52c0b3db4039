/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge-fdb-show.c - 'bridge fdb show': a dump, filtered and told as iproute2 does.
 *
 * A bridge, and a port or another device, are filters of the kernel's, all others are
 * bridge(8)'s own. */
#include <arpa/inet.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "iproute/bridge.h"
#include "iproute/rtnl.h"
#include "iproute/show.h"
#include "net/netdevice.h"

#define USER_HZ 100

struct fdb_show {
	char *br, *brport, *dev;
	bool has_vlan, dynamic;
	uint16_t vlan, state; /* state 0: any */
	struct ip_options options;
};

static void
show_free(void *data)
{
	struct fdb_show *c = data;

	g_free(c->br);
	g_free(c->brport);
	g_free(c->dev);
	g_free(c);
}

/* One message, taken apart */

struct entry {
	const struct ndmsg *ndm;
	const struct nlattr *tb[NDA_MAX + 1];
};

static struct entry
entry_of(const struct nlmsghdr *nlh)
{
	struct entry e = {.ndm = mnl_nlmsg_get_payload(nlh)};
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof *e.ndm)
	{
		if (mnl_attr_get_type(attr) <= NDA_MAX)
			e.tb[mnl_attr_get_type(attr)] = attr;
	}
	return e;
}

static const char *
state_of(const struct entry *e, char buffer[16])
{
	uint16_t state = e->ndm->ndm_state;

	if (state & NUD_PERMANENT)
		return "permanent";
	if (state & NUD_NOARP)
		return "static";
	if (state & NUD_STALE)
		return "stale";
	if (state & NUD_REACHABLE)
		return "";
	g_snprintf(buffer, 16, "state=%#x", state);
	return buffer;
}

/* Where an entry is told: as a line, or as an object. */
struct teller {
	GString *text;
	json_t *object; /* null: as a line */
};

/* "LABEL VALUE ", or without a label just the value. */
static void
tell_text(struct teller *t, const char *key, const char *label, const char *value)
{
	if (t->object)
		json_object_set_new(t->object, key, json_string(value));
	else
		g_string_append_printf(t->text, "%s%s%s ", label, *label ? " " : "", value);
}

static void
tell_number(struct teller *t, const char *key, uint32_t value)
{
	if (t->object)
		json_object_set_new(t->object, key, json_integer(value));
	else
		g_string_append_printf(t->text, "%s %u ", key, value);
}

static void
tell_times(struct teller *t, const struct nda_cacheinfo *cache)
{
	uint32_t used = cache->ndm_used / USER_HZ, updated = cache->ndm_updated / USER_HZ;

	if (t->object) {
		tell_number(t, "used", used);
		tell_number(t, "updated", updated);
	} else {
		g_string_append_printf(t->text, "used %u/%u ", used, updated);
	}
}

static void
tell_flags(struct teller *t, uint8_t flags)
{
	static const struct {
		uint8_t flag;
		const char *name;
	} all[] = {
		{NTF_SELF, "self"},
		{NTF_ROUTER, "router"},
		{NTF_EXT_LEARNED, "extern_learn"},
		{NTF_OFFLOADED, "offload"},
		{NTF_MASTER, "master"},
		{NTF_STICKY, "sticky"},
	};
	json_t *list = t->object ? json_array() : NULL;

	for (unsigned i = 0; i < G_N_ELEMENTS(all); i++) {
		if (!(flags & all[i].flag))
			continue;
		if (list)
			json_array_append_new(list, json_string(all[i].name));
		else
			g_string_append_printf(t->text, "%s ", all[i].name);
	}
	if (list)
		json_object_set_new(t->object, "flags", list);
}

static void
tell_state(struct teller *t, const struct entry *e)
{
	char buffer[16];
	const char *state = state_of(e, buffer);

	if (t->object)
		json_object_set_new(t->object, "state", json_string(state));
	else
		g_string_append_printf(t->text, "%s\n", state);
}

static void
tell_dst(struct teller *t, const struct nlattr *attr)
{
	int family = mnl_attr_get_payload_len(attr) == 4 ? AF_INET : AF_INET6;
	char buffer[INET6_ADDRSTRLEN];

	inet_ntop(family, mnl_attr_get_payload(attr), buffer, sizeof buffer);
	tell_text(t, "dst", "dst", buffer);
}

/* The command while it runs */

struct show_run {
	struct process *process;
	const struct fdb_show *command;
	int ifindex; /* of 'brport' or 'dev', whose name is not told then */
	json_t *list;
};

/* Where a tunnel's entry leads. */
static void
tell_tunnel(struct show_run *r, struct teller *t, const struct entry *e)
{
	if (e->tb[NDA_PORT])
		tell_number(t, "port", GUINT16_FROM_BE(mnl_attr_get_u16(e->tb[NDA_PORT])));
	if (e->tb[NDA_VNI])
		tell_number(t, "vni", mnl_attr_get_u32(e->tb[NDA_VNI]));
	if (e->tb[NDA_SRC_VNI])
		tell_number(t, "src_vni", mnl_attr_get_u32(e->tb[NDA_SRC_VNI]));
	if (e->tb[NDA_IFINDEX])
		tell_text(t, "viaIf", "via",
			  process_link_name(r->process, (int)mnl_attr_get_u32(e->tb[NDA_IFINDEX])));
}

static void
tell_address(struct show_run *r, struct teller *t, const struct entry *e)
{
	if (e->tb[NDA_LLADDR]) {
		g_autofree char *mac = show_lladdr(mnl_attr_get_payload(e->tb[NDA_LLADDR]),
						   mnl_attr_get_payload_len(e->tb[NDA_LLADDR]));

		tell_text(t, "mac", "", mac);
	}
	if (!r->ifindex)
		tell_text(t, "ifname", "dev", process_link_name(r->process, e->ndm->ndm_ifindex));
	if (e->tb[NDA_DST])
		tell_dst(t, e->tb[NDA_DST]);
	if (e->tb[NDA_VLAN])
		tell_number(t, "vlan", mnl_attr_get_u16(e->tb[NDA_VLAN]));
}

static void
tell_entry(struct show_run *r, struct teller *t, const struct entry *e)
{
	tell_address(r, t, e);
	tell_tunnel(r, t, e);
	if (r->command->options.statistics && e->tb[NDA_CACHEINFO])
		tell_times(t, mnl_attr_get_payload(e->tb[NDA_CACHEINFO]));
	tell_flags(t, e->ndm->ndm_flags);
	if (e->tb[NDA_MASTER])
		tell_text(t, "master", "master",
			  process_link_name(r->process, (int)mnl_attr_get_u32(e->tb[NDA_MASTER])));
	tell_state(t, e);
}

static bool
is_wanted(const struct show_run *r, const struct entry *e)
{
	const struct fdb_show *c = r->command;
	const struct nlattr *vlan = e->tb[NDA_VLAN];

	if (r->ifindex && e->ndm->ndm_ifindex != r->ifindex)
		return false;
	if (c->state && !(e->ndm->ndm_state & c->state))
		return false;
	if (c->dynamic && e->ndm->ndm_state & NUD_PERMANENT)
		return false;
	return !c->has_vlan || (vlan && mnl_attr_get_u16(vlan) == c->vlan);
}

static void
show_message(const struct nlmsghdr *nlh, void *data)
{
	struct show_run *r = data;
	struct entry e = entry_of(nlh);
	struct teller t = {.text = r->process->answer->output};

	if (!is_wanted(r, &e))
		return;
	if (r->list) {
		t.object = json_object();
		json_array_append_new(r->list, t.object);
	}
	tell_entry(r, &t, &e);
}

/* The request names the bridge by an attribute, the port in its header. */
static bool
dump(struct show_run *r, int master, int port)
{
	uint64_t buffer[RTNL_REQUEST_SIZE / sizeof(uint64_t)];
	struct nlmsghdr *nlh =
		rtnl_dump_request(buffer, RTM_GETNEIGH, AF_BRIDGE, sizeof(struct ndmsg));
	struct ndmsg *ndm = mnl_nlmsg_get_payload(nlh);

	ndm->ndm_ifindex = port;
	if (master)
		mnl_attr_put_u32(nlh, NDA_MASTER, (uint32_t)master);
	if (process_dump(r->process, nlh, show_message, r))
		return true;
	process_fail(r->process, 1, "Dump terminated\n");
	return false;
}

/* Names are looked up in the map of links, which the kernel is asked for first. */
static bool
resolve(struct process *p, const char *name, const char *what, int *ifindex)
{
	*ifindex = name ? process_link_index(p, name) : 0;
	if (!name || *ifindex)
		return true;
	process_fail(p, EXIT_FAILED, "Cannot find %sdevice \"%s\"\n", what, name);
	return false;
}

static void
show_run(struct process *p, const void *data)
{
	const struct fdb_show *c = data;
	struct show_run r = {.process = p, .command = c};
	int master, port, dev;

	if (!process_link_map(p) || !resolve(p, c->br, "bridge ", &master) ||
	    !resolve(p, c->brport, "", &port) || !resolve(p, c->dev, "", &dev))
		return;
	r.ifindex = port ? port : dev;
	r.list = c->options.json ? json_array() : NULL;
	if (dump(&r, master, r.ifindex) && r.list)
		show_json(r.list, p->answer->output);
	json_decref(r.list);
}

static const struct command_type show_type = {.run = show_run, .free = show_free};

/* The words */

static bool
word_br(struct args *a, void *data, const struct keyword *k)
{
	return args_string(a, &((struct fdb_show *)data)->br);
}

static bool
word_brport(struct args *a, void *data, const struct keyword *k)
{
	return args_string(a, &((struct fdb_show *)data)->brport);
}

static bool
word_dev(struct args *a, void *data, const struct keyword *k)
{
	return args_string(a, &((struct fdb_show *)data)->dev);
}

static bool
word_vlan(struct args *a, void *data, const struct keyword *k)
{
	struct fdb_show *c = data;
	const char *text;
	uint64_t vid;

	if (!args_value(a, &text))
		return false;
	if (c->has_vlan)
		return args_duplicate(a, "vlan");
	if (!args_number(text, 0, 4095, &vid))
		return args_error(a, "a VLAN is a number from 0 to 4095, not \"%s\"", text);
	c->has_vlan = true;
	c->vlan = (uint16_t)vid;
	return true;
}

static bool
word_state(struct args *a, void *data, const struct keyword *k)
{
	static const struct keyword states[] = {
		{"permanent", false, NULL, NUD_PERMANENT},
		{"local", true, NULL, NUD_PERMANENT},
		{"static", false, NULL, NUD_NOARP},
		{"temp", true, NULL, NUD_NOARP},
		{"stale", false, NULL, NUD_STALE},
		{"reachable", false, NULL, NUD_REACHABLE},
		{"dynamic", true, NULL, NUD_REACHABLE},
		{"all", true, NULL, UINT16_MAX},
		{NULL, false, NULL, 0},
	};
	struct fdb_show *c = data;
	const struct keyword *state;
	const char *text;

	if (!args_value(a, &text))
		return false;
	state = keyword_find(states, text);
	if (!state)
		return args_wrong(a, "invalid state (permanent, static, stale, reachable, all)");
	c->state |= (uint16_t)state->value;
	return true;
}

static bool
word_dynamic(struct args *a, void *data, const struct keyword *k)
{
	((struct fdb_show *)data)->dynamic = true;
	return true;
}

static const struct keyword words[] = {
	{"brport", true, word_brport, 0}, {"br", true, word_br, 0},
	{"dev", true, word_dev, 0},       {"vlan", true, word_vlan, 0},
	{"state", true, word_state, 0},   {"dynamic", true, word_dynamic, 0},
	{"help", false, NULL, 0},         {NULL, false, NULL, 0},
};

static bool
parse_words(struct args *a, struct fdb_show *c)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(words, args_peek(a));

		if (!k)
			return args_error_next(
				a,
				"\"%s\" is no filter of bridge fdb show: br, brport, dev, vlan, "
				"state, dynamic",
				args_peek(a));
		if (!keyword_run(k, a, "bridge fdb show", c))
			return false;
	}
	return true;
}

bool
bridge_fdb_show_parse(struct args *a, void *data, const struct keyword *k)
{
	struct ip *bridge = data;
	struct fdb_show *c = g_new0(struct fdb_show, 1);

	c->options = bridge->options;
	if (parse_words(a, c))
		return command_becomes(bridge->command, &show_type, c);
	show_free(c);
	return false;
}
