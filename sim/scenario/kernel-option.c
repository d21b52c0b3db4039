/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel-option.c - the list of what can be chosen about the modelled kernel. */
#include "scenario/kernel-option.h"

#include <string.h>

#include "net/af-netlink.h"
#include "net/rtnl-fdb-dump.h"
#include "net/saddr.h"
#include "net/xfrm-interface.h"
#include "net/xfrm-policy.h"
#include "net/xfrm-user.h"

static const char *const versions[] = {"5.10", "6.1", NULL};
static const unsigned version_values[] = {KERNEL_5_10, KERNEL_6_1};
static const char *const flags[] = {"0", "1", NULL};

static const char *const fdb_dump_help[] = {
	[FDB_DUMP_RESTART] = "by counting from the first device: Linux until 4.8, it loses many",
	[FDB_DUMP_RESUME_POSTED] = "by bucket, device, entry: the patch of 2016, it loses some",
	[FDB_DUMP_RESUME] = "the same without that error: Linux since then",
	[FDB_DUMP_CURSOR] = "by the tables' own cursors, which survive changes: no kernel yet",
};

static const char *const fdb_walk_help[] = {
	[FDB_WALK_COUNTED] = "entries that were walked before, and have not changed, are counted",
	[FDB_WALK_LITERAL] = "all of them are walked again, which takes as long as it does",
};

static const char *const skb_help[] = {
	[NETLINK_SKB_AUTO] = "as for iproute2 since 5.0: it asks for the size, and offers 32 KiB",
	[NETLINK_SKB_16384] = "as for iproute2 of 2016: it offers 16 KiB",
	[NETLINK_SKB_3776] = "the same, where the kernel finds no memory for more than the least",
};

static const char *const saddr_help[] = {
	[SADDR_LOCK] = "under a lock for each device, with references: Linux until 4.14",
	[SADDR_LIST] = "the same, but lists change as RCU wants it: patch 1 of 6 of 2017",
	[SADDR_COUNT] = "and addresses are counted under RCU: patch 2",
	[SADDR_CUSTOM_PREFIX] = "and ipv6_chk_custom_prefix() reads under RCU: patch 3",
	[SADDR_PREFIX] = "and ipv6_chk_prefix() does: patch 4",
	[SADDR_WALK] = "and the choice of a source does, with references: patch 5",
	[SADDR_RCU] = "and takes no references: patch 6, Linux since 4.15",
};

static const char *const xfrmi_decode_help[] = {
	[XFRMI_DECODE_WALK] = "by looking through all of them: Linux until 5.8",
	[XFRMI_DECODE_DIRECT] = "from the packet's device: Linux since 5.9",
};

static const char *const xfrm_dump_help[] = {
	[XFRM_DUMP_RESTART] = "by counting from the first bucket: Linux until 2.6.25",
	[XFRM_DUMP_CURSOR] = "by a marker in the list of all: Linux since then",
};

static const char *const xfrm_policy_insert_help[] = {
	[XFRM_POLICY_RENUMBER] = "a list of all of them is searched, and numbered again: "
				 "Linux until 6.11",
	[XFRM_POLICY_NUMBER] = "the list is searched, the number is one more than the last: "
			       "patch 2 of 4 of 2024",
	[XFRM_POLICY_CANDIDATES] = "without that list: patch 4, Linux since 6.12",
};

static const struct kernel_option options[KERNEL_OPTIONS] = {
	{.name = "version",
	 .help = "whose functions are called by which name",
	 .words = versions,
	 .values = version_values,
	 .fallback = "6.1",
	 .offset = offsetof(struct kernel_options, version)},
	{.name = "gvrp",
	 .help = "CONFIG_VLAN_8021Q_GVRP",
	 .words = flags,
	 .fallback = "1",
	 .is_flag = true,
	 .offset = offsetof(struct kernel_options, gvrp)},
	{.name = "mvrp",
	 .help = "CONFIG_VLAN_8021Q_MVRP",
	 .words = flags,
	 .fallback = "1",
	 .is_flag = true,
	 .offset = offsetof(struct kernel_options, mvrp)},
	{.name = "fdb_dump",
	 .help = "how a dump of forwarding databases finds its place again",
	 .words = fdb_dump_words,
	 .word_help = fdb_dump_help,
	 .fallback = "resume",
	 .offset = offsetof(struct kernel_options, fdb_dump)},
	{.name = "fdb_walk",
	 .help = "how the simulator goes back to that place, with the same counts",
	 .words = fdb_walk_words,
	 .word_help = fdb_walk_help,
	 .fallback = "counted",
	 .offset = offsetof(struct kernel_options, fdb_walk)},
	{.name = "skb",
	 .help = "how large the datagrams of a dump can be",
	 .words = netlink_skb_words,
	 .word_help = skb_help,
	 .fallback = "auto",
	 .offset = offsetof(struct kernel_options, skb)},
	{.name = "saddr",
	 .help = "how the addresses of devices are read, to choose a source",
	 .words = saddr_words,
	 .word_help = saddr_help,
	 .fallback = "rcu",
	 .offset = offsetof(struct kernel_options, saddr)},
	{.name = "xfrmi_decode",
	 .help = "how a policy check finds the xfrm interface of a packet",
	 .words = xfrmi_decode_words,
	 .word_help = xfrmi_decode_help,
	 .fallback = "direct",
	 .offset = offsetof(struct kernel_options, xfrmi_decode)},
	{.name = "xfrm_dump",
	 .help = "how a dump of IPsec states finds its place again",
	 .words = xfrm_dump_words,
	 .word_help = xfrm_dump_help,
	 .fallback = "cursor",
	 .offset = offsetof(struct kernel_options, xfrm_dump)},
	{.name = "xfrm_policy_insert",
	 .help = "how a policy of prefixes gets its place among others",
	 .words = xfrm_policy_insert_words,
	 .word_help = xfrm_policy_insert_help,
	 .fallback = "renumber",
	 .offset = offsetof(struct kernel_options, xfrm_policy_insert)},
};

const struct kernel_option *
kernel_option_at(unsigned n)
{
	return &options[n];
}

const struct kernel_option *
kernel_option_by_name(const char *name, size_t length)
{
	for (unsigned n = 0; n < KERNEL_OPTIONS; n++) {
		if (strlen(options[n].name) == length && memcmp(options[n].name, name, length) == 0)
			return &options[n];
	}
	return NULL;
}

static unsigned
stored_as(const struct kernel_option *o, unsigned n)
{
	return o->values ? o->values[n] : n;
}

bool
kernel_option_set(const struct kernel_option *o, struct kernel_options *k, const char *word)
{
	for (unsigned n = 0; o->words[n]; n++) {
		if (strcmp(o->words[n], word) != 0)
			continue;
		if (o->is_flag)
			G_STRUCT_MEMBER(bool, k, o->offset) = n > 0;
		else
			G_STRUCT_MEMBER(unsigned, k, o->offset) = stored_as(o, n);
		return true;
	}
	return false;
}

const char *
kernel_option_get(const struct kernel_option *o, const struct kernel_options *k)
{
	unsigned n = 0;

	if (o->is_flag)
		return o->words[G_STRUCT_MEMBER(bool, k, o->offset)];
	while (stored_as(o, n) != G_STRUCT_MEMBER(unsigned, k, o->offset)) {
		n++;
		g_assert(o->words[n]);
	}
	return o->words[n];
}

struct kernel_options
kernel_option_defaults(void)
{
	struct kernel_options k = {.version = 0};

	for (unsigned n = 0; n < KERNEL_OPTIONS; n++) {
		bool known = kernel_option_set(&options[n], &k, options[n].fallback);

		g_assert(known);
	}
	return k;
}

char *
kernel_option_choices(const struct kernel_option *o, const char *quote)
{
	GString *s = g_string_new(NULL);

	for (unsigned n = 0; o->words[n]; n++) {
		const char *separator = n == 0 ? "" : o->words[n + 1] ? ", " : " or ";

		g_string_append_printf(s, "%s%s%s%s", separator, quote, o->words[n], quote);
	}
	return g_string_free(s, FALSE);
}

char *
kernel_option_names(void)
{
	const char *names[KERNEL_OPTIONS + 1] = {NULL};

	for (unsigned n = 0; n < KERNEL_OPTIONS; n++)
		names[n] = options[n].name;
	return g_strjoinv(", ", (char **)names);
}

json_t *
kernel_option_json(const struct kernel_options *k)
{
	json_t *all = json_object();

	for (unsigned n = 0; n < KERNEL_OPTIONS; n++) {
		const char *word = kernel_option_get(&options[n], k);

		json_object_set_new(all, options[n].name,
				    options[n].is_flag ? json_boolean(word[0] == '1')
						       : json_string(word));
	}
	return all;
}
