/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-fdb.c - an entry of a forwarding database, a message of the kernel's, as bridge(8)
 * tells it: a line of text, or an object of JSON. */
#include <arpa/inet.h>
#include <linux/neighbour.h>
#include <string.h>

#include "iproute/bridge.h"
#include "iproute/rtnl.h"
#include "iproute/show.h"

#define USER_HZ 100

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

/* Where a tunnel's entry leads. */
static void
tell_tunnel(const struct fdb_listing *l, struct teller *t, const struct entry *e)
{
	if (e->tb[NDA_PORT])
		tell_number(t, "port", GUINT16_FROM_BE(mnl_attr_get_u16(e->tb[NDA_PORT])));
	if (e->tb[NDA_VNI])
		tell_number(t, "vni", mnl_attr_get_u32(e->tb[NDA_VNI]));
	if (e->tb[NDA_SRC_VNI])
		tell_number(t, "src_vni", mnl_attr_get_u32(e->tb[NDA_SRC_VNI]));
	if (e->tb[NDA_IFINDEX])
		tell_text(t, "viaIf", "via",
			  process_link_name(l->process, (int)mnl_attr_get_u32(e->tb[NDA_IFINDEX])));
}

static void
tell_address(const struct fdb_listing *l, struct teller *t, const struct entry *e)
{
	if (e->tb[NDA_LLADDR]) {
		g_autofree char *mac = show_lladdr(mnl_attr_get_payload(e->tb[NDA_LLADDR]),
						   mnl_attr_get_payload_len(e->tb[NDA_LLADDR]));

		tell_text(t, "mac", "", mac);
	}
	if (!l->of_one_device)
		tell_text(t, "ifname", "dev", process_link_name(l->process, e->ndm->ndm_ifindex));
	if (e->tb[NDA_DST])
		tell_dst(t, e->tb[NDA_DST]);
	if (e->tb[NDA_VLAN])
		tell_number(t, "vlan", mnl_attr_get_u16(e->tb[NDA_VLAN]));
}

static void
tell_entry(const struct fdb_listing *l, struct teller *t, const struct entry *e)
{
	tell_address(l, t, e);
	tell_tunnel(l, t, e);
	if (l->statistics && e->tb[NDA_CACHEINFO])
		tell_times(t, mnl_attr_get_payload(e->tb[NDA_CACHEINFO]));
	tell_flags(t, e->ndm->ndm_flags);
	if (e->tb[NDA_MASTER])
		tell_text(t, "master", "master",
			  process_link_name(l->process, (int)mnl_attr_get_u32(e->tb[NDA_MASTER])));
	tell_state(t, e);
}

void
show_fdb_entry(const struct fdb_listing *l, const struct nlmsghdr *nlh)
{
	struct entry e = entry_of(nlh);
	struct teller t = {.text = l->process->answer->output};

	if (l->json) {
		t.object = json_object();
		json_array_append_new(l->json, t.object);
	}
	tell_entry(l, &t, &e);
}
