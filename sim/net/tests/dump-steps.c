/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump-steps.c - see dump-steps.h. */
#include "dump-steps.h"

#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>

char require_about[128];

int
item_compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct item));
}

struct item
item_make(int ifindex, const uint8_t *addr, uint16_t vid, bool self)
{
	struct item item;

	memset(&item, 0, sizeof item); /* the padding, too */
	item.ifindex = self ? ifindex : 0;
	memcpy(item.addr, addr, ETH_ALEN);
	item.vid = vid;
	item.self = self;
	return item;
}

GArray *
items_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(struct item));
}

static const struct rtnl_dump *
fdb_dump_kind(void)
{
	for (unsigned n = 0; n < net_module_count(); n++)
		for (const struct rtnl_dump *d = net_module_at(n)->dumps; d && d->what; d++)
			if (strcmp(d->what, "fdb") == 0)
				return d;
	g_assert_not_reached();
}

void
dump_begin(struct dump *d, struct box *box)
{
	struct nlmsghdr *nlh;

	memset(d, 0, sizeof *d);
	d->box = box;
	d->kind = fdb_dump_kind();
	d->items = items_new();
	nlh = mnl_nlmsg_put_header(d->request);
	mnl_nlmsg_put_extra_header(nlh, sizeof(struct ndmsg));
	d->cb.net = box->net;
	d->cb.nlh = nlh;
	d->cb.audit = dump_audit_new(&d->cb, d->kind);
}

static void
note_message(struct dump *d, const struct nlmsghdr *nlh)
{
	const struct ndmsg *ndm = mnl_nlmsg_get_payload(nlh);
	const uint8_t *addr = NULL;
	uint16_t vid = 0;
	const struct nlattr *attr;
	struct item item;

	mnl_attr_for_each(attr, nlh, sizeof *ndm)
	{
		if (mnl_attr_get_type(attr) == NDA_LLADDR)
			addr = mnl_attr_get_payload(attr);
		else if (mnl_attr_get_type(attr) == NDA_VLAN)
			vid = mnl_attr_get_u16(attr);
	}
	item = item_make(ndm->ndm_ifindex, addr, vid, ndm->ndm_flags & NTF_SELF);
	g_array_append_val(d->items, item);
	d->interrupted |= (nlh->nlmsg_flags & NLM_F_DUMP_INTR) != 0;
}

/* One datagram; false when there is nothing more. */
bool
dump_step(struct dump *d, unsigned size)
{
	struct skb skb = {.data = g_malloc0(size), .size = size};
	int left;

	rtnl_lock(d->box->kernel);
	left = d->kind->dump(&skb, &d->cb);
	rtnl_unlock(d->box->kernel);
	d->cb.runs++;
	for (const struct nlmsghdr *nlh = (void *)skb.data; mnl_nlmsg_ok(nlh, left);
	     nlh = mnl_nlmsg_next(nlh, &left))
		note_message(d, nlh);
	g_free(skb.data);
	return skb.len > 0;
}

struct dump_record
dump_end(struct dump *d)
{
	struct dump_record record;

	dump_audit_end(d->cb.audit, &d->cb);
	record = *dump_audit_record(d->cb.audit);
	dump_audit_free(d->cb.audit);
	g_free(d->cb.state);
	return record;
}

/* The box */

const char *const port_names[PORTS] = {"p0", "p1", "p2"};

static void
known_add(GArray *known, struct box *b, const char *dev, const uint8_t *addr, uint16_t vid,
	  bool self)
{
	struct item item = item_make(box_ifindex(b, dev), addr, vid, self);

	g_array_append_val(known, item);
}

/* What IPv6 adds to every Ethernet device. */
static void
known_all_nodes(GArray *known, struct box *b, const char *dev)
{
	known_add(known, b, dev, (const uint8_t[]){0x33, 0x33, 0, 0, 0, 1}, 0, true);
}

/* Without a VLAN, and in the default one. */
static void
known_local(GArray *known, struct box *b, const char *dev, const uint8_t *addr)
{
	known_add(known, b, dev, addr, 0, false);
	known_add(known, b, dev, addr, 1, false);
}

static void
add_addresses(struct box *b, const char *dev, unsigned count, GArray *known)
{
	for (unsigned i = 0; i < count; i++) {
		uint8_t addr[ETH_ALEN] = {i % 2 ? 0x02 : 0x03, 0xaa, 0, 0, 0, (uint8_t)i};

		ck_assert_int_eq(box_fdb_add(b, dev, addr, 0, NUD_PERMANENT, NTF_SELF), 0);
		known_add(known, b, dev, addr, 0, true);
	}
}

void
entry_addr(uint8_t addr[ETH_ALEN], unsigned n)
{
	memcpy(addr, (const uint8_t[]){0x02, 0, 0, 0, (uint8_t)(n >> 8), (uint8_t)n}, ETH_ALEN);
}

static const char *
entry_port(unsigned n)
{
	return port_names[n % 2 ? 2 : 0];
}

static void
add_entries(struct box *b, unsigned count, GArray *known)
{
	for (unsigned n = 0; n < count; n++) {
		uint8_t addr[ETH_ALEN];

		entry_addr(addr, n);
		ck_assert_int_eq(box_fdb_add(b, entry_port(n), addr, 1, NUD_PERMANENT, NTF_MASTER),
				 0);
		known_add(known, b, entry_port(n), addr, 1, false);
	}
}

static void
set_up(struct box *b, const struct setting *s, GArray *known)
{
	static const uint8_t br_addr[] = {2, 0xbb, 0, 0, 0, 0}, lone_addr[] = {2, 0xcc, 0, 0, 0, 0};

	ck_assert_int_eq(box_add_link(b, "bridge", "br0", br_addr), 0);
	known_local(known, b, "br0", br_addr);
	known_all_nodes(known, b, "br0");
	for (unsigned i = 0; i < PORTS; i++) {
		uint8_t addr[] = {2, 0xdd, 0, 0, 0, (uint8_t)i};

		ck_assert_int_eq(box_add_link(b, "dummy", port_names[i], addr), 0);
		ck_assert_int_eq(box_set_master(b, port_names[i], "br0"), 0);
		known_local(known, b, port_names[i], addr);
		known_all_nodes(known, b, port_names[i]);
		add_addresses(b, port_names[i], s->addresses, known);
	}
	ck_assert_int_eq(box_add_link(b, "dummy", "lone", lone_addr), 0);
	known_all_nodes(known, b, "lone");
	add_addresses(b, "lone", s->addresses, known);
	add_entries(b, s->entries, known);
}

static void
play(struct box *b, void *data)
{
	const struct setting *s = data;
	GArray *known = items_new();

	set_up(b, s, known);
	s->test(b, s, known);
	g_array_unref(known);
}

void
setting_run(struct setting s)
{
	s.options.version = KERNEL_6_1;
	snprintf(require_about, sizeof require_about, "%s, %s, %u entries, %u addresses", s.backend,
		 fdb_dump_words[s.options.fdb_dump], s.entries, s.addresses);
	box_play(s.backend, &s.options, play, &s);
}

uint64_t
walk_visits(struct box *b, const char *table)
{
	return table_kind_probes(kernel_table(b->kernel, table_spec_by_name(table)))->walk_visits;
}
