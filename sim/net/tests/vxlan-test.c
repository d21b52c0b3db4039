/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vxlan-test.c - what a vxlan device has in its forwarding database: random requests on
 * few addresses, frames, another default remote, dumps, and time that passes.
 *
 * The reference is vxlan-model.h. */
#include <linux/neighbour.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump-steps.h"
#include "net/packet.h"
#include "net/vxlan.h"
#include "vxlan-model.h"

#define STEPS     2500
#define SEEDS     4
#define AGEING_PS (25 * PS_PER_S)
#define LATE_PS   (10 * PS_PER_S) /* between two looks of the kernel, at most */

struct test {
	struct box *box;
	struct rng rng;
	struct model model;
	bool up;
	uint64_t up_since, digest;
};

struct how {
	bool external;
	unsigned limit;
	uint64_t seed;
	uint64_t digest; /* of what dumps told, and of how far they walked */
};

static uint64_t
below(struct test *t, uint64_t bound)
{
	return rng_below(&t->rng, bound);
}

static struct vxlan_dev *
vxlan_of(const struct test *t)
{
	return netdev_priv(dev_get_by_name(t->box->net, "vx0"));
}

/* Old entries go when the device looks for them, which is not the same moment. */
static void
forget_old(struct test *t)
{
	for (unsigned n = t->model.entries; n-- > 0;) {
		struct entry *e = &t->model.entry[n];
		uint64_t due = MAX(MAX(e->used + AGEING_PS, e->since), t->up_since);
		struct key key = key_make(e->mac, ETH_ALEN, t->model.external ? e->vni : 0);

		if (!t->up || !model_grows_old(e) || t->model.now < e->used + AGEING_PS)
			continue;
		if (!table_find(&vxlan_of(t)->fdb, &key))
			model_drop(&t->model, e);
		else
			require(t->model.now <= due + LATE_PS);
	}
}

/* Choices */

static void
any_mac(struct test *t, uint8_t mac[ETH_ALEN])
{
	static const uint8_t macs[][ETH_ALEN] = {
		{2, 0, 0, 0, 0, 1}, {2, 0, 0, 0, 0, 2}, {2, 0, 0, 0, 1, 1}, {2, 0, 0, 1, 0, 1},
		{3, 0, 0, 0, 0, 1}, {1, 0, 0, 0, 0, 2}, {0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0},
	};

	memcpy(mac, macs[below(t, G_N_ELEMENTS(macs))], ETH_ALEN);
}

static int
ifindex_of(const struct test *t, const char *name)
{
	return box_ifindex(t->box, name);
}

static struct fdb_request
any_request(struct test *t)
{
	struct fdb_request r = {
		.ifindex = ifindex_of(t, "vx0"),
		.flags = NTF_SELF,
		.dst = {10, 0, 0, 0},
		.dst_len = 4,
		.has_port = below(t, 4) == 0,
		.port = 5,
		.has_vni = below(t, 4) == 0,
		.vni = 6,
		.has_src_vni = below(t, 2),
		.src_vni = 1 + (uint32_t)below(t, 2),
		.via = below(t, 4) == 0 ? ifindex_of(t, "d0") : 0,
	};

	any_mac(t, r.addr);
	r.dst[3] = (uint8_t)below(t, 4);
	if (r.dst[3] == 0)
		r.dst[0] = 0;
	return r;
}

/* Requests */

static void
add(struct test *t)
{
	static const uint16_t states[] = {
		NUD_PERMANENT,
		NUD_PERMANENT,
		NUD_REACHABLE | NUD_NOARP,
		NUD_REACHABLE,
		NUD_REACHABLE,
		NUD_REACHABLE,
		NUD_NOARP,
		NUD_PERMANENT | NUD_NOARP,
	};
	static const uint16_t flags[] = {0, 0, 0, 0, NTF_ROUTER, NTF_EXT_LEARNED, NTF_USE};
	struct fdb_request r = any_request(t);

	r.state = states[below(t, G_N_ELEMENTS(states))];
	r.flags |= flags[below(t, G_N_ELEMENTS(flags))];
	r.create = below(t, 8) != 0;
	switch (below(t, 4)) {
	case 0:
		r.exclusive = true;
		break;
	case 1:
		r.replace = true;
		break;
	default:
		r.append = true;
	}
	if (below(t, 32) == 0)
		r.dst_len = below(t, 2) ? 16 : 0;
	require(rtnl_fdb_add(t->box->net, &r, NULL) == model_add(&t->model, &r));
}

static void
del(struct test *t)
{
	struct fdb_request r = any_request(t);

	r.state = NUD_PERMANENT;
	if (below(t, 4) == 0)
		r.dst_len = 0;
	require(rtnl_fdb_del(t->box->net, &r, NULL) == model_del(&t->model, &r));
}

/* An entry of several remotes, which a dump may be in the middle of, goes and comes back. */
static void
come_back(struct test *t)
{
	struct fdb_request r = any_request(t);

	r.has_vni = r.has_port = false;
	r.via = 0;
	for (unsigned n = 0; n < t->model.entries; n++) {
		const struct entry *e = &t->model.entry[n];

		if (e->remotes < 2)
			continue;
		memcpy(r.addr, e->mac, ETH_ALEN);
		r.src_vni = e->vni;
	}
	r.dst_len = 0;
	require(rtnl_fdb_del(t->box->net, &r, NULL) == model_del(&t->model, &r));
	r.dst_len = 4;
	r.state = NUD_PERMANENT;
	r.create = r.append = true;
	r.dst[0] = 10;
	for (r.dst[3] = 1; r.dst[3] < 4; r.dst[3]++)
		require(rtnl_fdb_add(t->box->net, &r, NULL) == model_add(&t->model, &r));
}

/* Frames */

static void
send_frame(struct test *t)
{
	struct packet_request r = {.ifindex = ifindex_of(t, "vx0"), .src = {2, 0, 0, 0, 9, 9}};

	any_mac(t, r.dst);
	require(packet_snd(t->box->net, &r) == (t->up ? 0 : -ENETDOWN));
	if (t->up)
		model_send(&t->model, r.dst);
}

/* The device */

static void
give(struct link_request *r, const char *option, uint64_t value)
{
	unsigned place = 0;

	while (strcmp(r->kind->options[place].name, option) != 0)
		place++;
	r->given |= UINT32_C(1) << place;
	r->option[place] = value;
	if (strcmp(option, "remote") == 0)
		r->inet[place] = (struct link_inet){.addr = {value ? 10 : 0, 0, 0, (uint8_t)value},
						    .len = 4};
}

static void
change_remote(struct test *t)
{
	struct link_request r = {.ifindex = ifindex_of(t, "vx0"),
				 .kind = link_kind_by_name("vxlan")};
	uint8_t ip = (uint8_t)below(t, 4);

	if (t->model.external)
		return;
	give(&r, "remote", ip);
	require(rtnl_setlink(t->box->net, &r, NULL) == model_set_remote(&t->model, ip));
}

static void
up_or_down(struct test *t)
{
	if (below(t, 4) != 0 && t->up)
		return;
	t->up = !t->up;
	t->up_since = t->model.now;
	require(box_set_up(t->box, "vx0", t->up) == 0);
	if (!t->up)
		model_down(&t->model);
}

static void
wait_a_while(struct test *t)
{
	task_sleep(t->box->engine, 3100 * PS_PER_MS);
	t->model.now = engine_now(t->box->engine);
}

/* What is compared */

static void
compare_remotes(const struct vxlan_fdb *f, const struct entry *e)
{
	unsigned n = 0;

	for (const struct vxlan_rdst *rd = f->remotes; rd; rd = rd->next, n++) {
		const struct remote remote = {rd->remote_ip.addr[3], rd->remote_port,
					      rd->remote_vni, rd->remote_ifindex};

		require(n < e->remotes && model_same_remote(&remote, &e->remote[n]));
	}
	require(n == e->remotes);
}

static void
compare(struct test *t)
{
	struct vxlan_dev *vxlan = vxlan_of(t);
	const struct vxlan_fdb *f;
	struct cursor cursor;
	unsigned mortal = 0;

	forget_old(t);
	require(table_count(&vxlan->fdb) == t->model.entries);
	table_for_each (&vxlan->fdb, &cursor, f) {
		const struct entry *e = model_find(&t->model, f->key.addr, f->vni);

		require(e && e->vni == f->vni && e->state == f->state && e->flags == f->flags);
		require(e->used == f->used && e->updated == f->updated);
		compare_remotes(f, e);
		mortal += model_grows_old(e);
	}
	require(vxlan->mortal == mortal);
	require(t->box->kernel->calls.count[call_number("vxlan_xmit_one")] == t->model.packets);
}

static unsigned
count_told(const struct test *t, const struct dump *d)
{
	unsigned count = 0;

	for (unsigned n = 0; n < d->items->len; n++)
		count += g_array_index(d->items, struct item, n).ifindex == ifindex_of(t, "vx0");
	return count;
}

static void change_anything(struct test *);

static void
digest(struct test *t, const struct dump *d)
{
	for (unsigned n = 0; n < d->items->len; n++) {
		const struct item *item = &g_array_index(d->items, struct item, n);

		t->digest =
			t->digest * 31 + (uint64_t)item->ifindex + item->addr[0] + item->addr[5];
	}
	t->digest = t->digest * 31 + walk_visits(t->box, "vxlan_fdb");
}

/* All remotes once; by cursors even if others come and go. */
static void
dump(struct test *t)
{
	bool cursors = t->box->kernel->options.fdb_dump == FDB_DUMP_CURSOR, churn = below(t, 2);
	unsigned size = 120 + (unsigned)below(t, 500);
	struct dump_record record;
	struct dump d;

	dump_begin(&d, t->box);
	while (dump_step(&d, size))
		for (uint64_t n = churn ? below(t, 4) : 0; n > 0; n--)
			change_anything(t);
	record = dump_end(&d);
	require((churn && !cursors) || (record.lost == 0 && record.repeated == 0));
	require(churn || count_told(t, &d) == model_remotes(&t->model));
	require(churn || record.shown == record.existing);
	digest(t, &d);
	g_array_unref(d.items);
}

static void
change_anything(struct test *t)
{
	static void (*const kinds[])(struct test *) = {
		add, add, add,        add,           add,        add,          come_back,
		del, del, send_frame, change_remote, up_or_down, wait_a_while,
	};

	kinds[below(t, G_N_ELEMENTS(kinds))](t);
	compare(t);
}

static void
set_up(struct test *t)
{
	struct link_request r = {.kind = link_kind_by_name("vxlan"), .ifname = "vx0"};

	require(box_add_link(t->box, "dummy", "d0", NULL) == 0);
	give(&r, t->model.external ? "external" : "id", t->model.external ? 1 : MODEL_VNI);
	give(&r, "dstport", MODEL_PORT);
	give(&r, "ageing", AGEING_PS / PS_PER_S);
	give(&r, "maxaddress", t->model.limit);
	require(rtnl_newlink(t->box->net, &r, NULL) == 0);
}

static void
play(struct box *b, void *data)
{
	struct how *how = data;
	struct test t = {.box = b,
			 .rng = {.state = how->seed},
			 .model = {.external = how->external, .limit = how->limit}};

	set_up(&t);
	compare(&t);
	for (unsigned step = 0; step < STEPS; step++) {
		change_anything(&t);
		if (step % 16 == 0)
			dump(&t);
	}
	how->digest = t.digest;
}

/* What dumps tell does not hang on whether their walks are made or counted. */
static void
play_both(const char *backend, struct how how)
{
	struct kernel_options options = {.version = KERNEL_6_1,
					 .fdb_dump =
						 how.seed % 2 ? FDB_DUMP_CURSOR : FDB_DUMP_RESUME};
	struct how literal = how;

	snprintf(require_about, sizeof require_about, "%s, seed %d", backend, (int)how.seed);
	box_play(backend, &options, play, &how);
	options.fdb_walk = FDB_WALK_LITERAL;
	box_play(backend, &options, play, &literal);
	require(how.digest == literal.digest);
}

static void
play_all(bool external)
{
	for (unsigned v = 0; v < variant_count(); v++)
		for (uint64_t seed = 1; seed <= SEEDS; seed++)
			play_both(variant_at(v), (struct how){.external = external,
							      .limit = seed > 2 ? 5 : 0,
							      .seed = seed});
}

START_TEST(one_vni)
{
	play_all(false);
}
END_TEST

START_TEST(many_vnis)
{
	play_all(true);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("vxlan");
	TCase *tcase = tcase_create("vxlan");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, one_vni);
	tcase_add_test(tcase, many_vnis);
	suite_add_tcase(suite, tcase);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
