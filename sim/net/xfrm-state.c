/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-state.c - the database of security associations.
 *
 * Models net/xfrm/xfrm_state.c (Linux 5.10 and 6.1): three hash tables of one size,
 * which a work item doubles, and turns their chains round.  The kernel's list of all states
 * is the order of the first of them.  States that it looks for by a sequence number of a
 * key manager, which asked for them, are not modelled: no one asks. */
#include <netinet/in.h>
#include <string.h>

#include "net/ip4.h"
#include "net/xfrm-hash.h"
#include "net/xfrm.h"

extern const struct net_module net_module_xfrm_state;

struct xfrm_kernel {
	struct workqueue *timers;
};

#define STATE_TABLE(name_, about_, order_)                                                         \
	{                                                                                          \
		.name = (name_), .about = (about_), .backend = "hash:buckets=8",                   \
		.elem_size = sizeof(struct xfrm_state_node),                                       \
		.key_offset = offsetof(struct xfrm_state_node, key), .order = (order_),            \
		.hashing = TABLE_HASH_LOW_BITS, .push = true,                                      \
	}

static const struct table_spec specs[XFRM_STATE_TABLES] = {
	[XFRM_BYDST] =
		STATE_TABLE("xfrm_state_dst", "IPsec states of a namespace, by addresses and reqid",
			    TABLE_NEWEST_FIRST),
	[XFRM_BYSRC] = STATE_TABLE("xfrm_state_src", "the same, by addresses", TABLE_UNORDERED),
	[XFRM_BYSPI] =
		STATE_TABLE("xfrm_state_spi", "the same, by address and SPI", TABLE_UNORDERED),
};

struct xfrm_net *
xfrm_net(const struct net *net)
{
	return net_module_state(net, &net_module_xfrm_state);
}

struct workqueue *
xfrm_timer_queue(const struct kernel *k)
{
	const struct xfrm_kernel *xk = kernel_module_state(k, &net_module_xfrm_state);

	return xk->timers;
}

uint64_t
xfrm_now(const struct net *net)
{
	return XFRM_BOOT_TIME + engine_now(net->kernel->engine) / PS_PER_S;
}

/* Keys */

static struct key
begin_key(uint32_t hash)
{
	return (struct key){.addr = {(uint8_t)(hash >> 24), (uint8_t)(hash >> 16),
				     (uint8_t)(hash >> 8), (uint8_t)hash},
			    .len = sizeof hash};
}

static void
append_key(struct key *k, const void *bytes, uint32_t len)
{
	len = MIN(len, KEY_ADDR_MAX - k->len);
	memcpy(k->addr + k->len, bytes, len);
	k->len += len;
}

/* Of IPv6 the last four bytes do not fit; but the hash is of them, too. */
static struct key
pair_key(uint32_t hash, const xfrm_address_t *daddr, const xfrm_address_t *saddr, uint16_t family)
{
	struct key k = begin_key(hash);
	uint8_t family_byte = (uint8_t)family;

	append_key(&k, daddr, family == AF_INET6 ? 16 : 4);
	append_key(&k, saddr, family == AF_INET6 ? 16 : 4);
	append_key(&k, &family_byte, 1);
	k.len = KEY_ADDR_MAX;
	return k;
}

struct key
xfrm_dst_key(const xfrm_address_t *daddr, const xfrm_address_t *saddr, uint32_t reqid,
	     uint16_t family)
{
	return pair_key(
		xfrm_dst_hash((const uint8_t *)daddr, (const uint8_t *)saddr, reqid, family), daddr,
		saddr, family);
}

static struct key
src_key(const xfrm_address_t *daddr, const xfrm_address_t *saddr, uint16_t family)
{
	return pair_key(xfrm_src_hash((const uint8_t *)daddr, (const uint8_t *)saddr, family),
			daddr, saddr, family);
}

static struct key
spi_key(const xfrm_address_t *daddr, uint32_t spi, uint8_t proto, uint16_t family)
{
	struct key k = begin_key(
		xfrm_spi_hash((const uint8_t *)daddr, GUINT32_FROM_BE(spi), proto, family));
	uint8_t rest[2] = {proto, (uint8_t)family};

	append_key(&k, &spi, sizeof spi);
	append_key(&k, daddr, family == AF_INET6 ? 16 : 4);
	append_key(&k, rest, sizeof rest);
	k.len = KEY_ADDR_MAX;
	return k;
}

/* Lookups */

static struct xfrm_state *
__xfrm_state_lookup(struct net *net, uint32_t mark, const xfrm_address_t *daddr, uint32_t spi,
		    uint8_t proto, uint16_t family)
{
	struct table *byspi = &xfrm_net(net)->state[XFRM_BYSPI];
	struct key k = spi_key(daddr, spi, proto, family);
	struct xfrm_state_node *n = NULL;

	CALL_ENTER(&net->kernel->calls, "__xfrm_state_lookup");
	while ((n = table_match(byspi, &k, n)) != NULL) {
		const struct xfrm_usersa_info *i = &n->x->sa.info;

		if (i->family == family && i->id.spi == spi && i->id.proto == proto &&
		    xfrm_addr_equal(&i->id.daddr, daddr, family) &&
		    xfrm_mark_matches(&n->x->sa.mark, mark))
			return n->x;
	}
	return NULL;
}

struct xfrm_state *
xfrm_state_lookup(struct net *net, uint32_t mark, const xfrm_address_t *daddr, uint32_t spi,
		  uint8_t proto, uint16_t family)
{
	struct xfrm_state *x;

	CALL_ENTER(&net->kernel->calls, "xfrm_state_lookup");
	rcu_read_lock(net->kernel->rcu);
	x = __xfrm_state_lookup(net, mark, daddr, spi, proto, family);
	rcu_read_unlock(net->kernel->rcu);
	return x;
}

struct xfrm_state *
xfrm_state_lookup_byaddr(struct net *net, uint32_t mark, const xfrm_address_t *daddr,
			 const xfrm_address_t *saddr, uint8_t proto, uint16_t family)
{
	struct table *bysrc = &xfrm_net(net)->state[XFRM_BYSRC];
	struct key k = src_key(daddr, saddr, family);
	struct xfrm_state_node *n = NULL;

	CALL_ENTER(&net->kernel->calls, "xfrm_state_lookup_byaddr");
	while ((n = table_match(bysrc, &k, n)) != NULL) {
		const struct xfrm_usersa_info *i = &n->x->sa.info;

		if (i->family == family && i->id.proto == proto &&
		    xfrm_addr_equal(&i->id.daddr, daddr, family) &&
		    xfrm_addr_equal(&i->saddr, saddr, family) &&
		    xfrm_mark_matches(&n->x->sa.mark, mark))
			return n->x;
	}
	return NULL;
}

static struct xfrm_state *
__xfrm_state_locate(struct net *net, const struct xfrm_sa *sa)
{
	const struct xfrm_usersa_info *i = &sa->info;
	uint32_t mark = sa->mark.v & sa->mark.m;

	if (xfrm_proto_has_spi(i->id.proto))
		return __xfrm_state_lookup(net, mark, &i->id.daddr, i->id.spi, i->id.proto,
					   i->family);
	return xfrm_state_lookup_byaddr(net, mark, &i->id.daddr, &i->saddr, i->id.proto, i->family);
}

/* Growth */

static void
turn_round(struct xfrm_state **states, uint32_t count)
{
	for (uint32_t i = 0; i < count / 2; i++) {
		struct xfrm_state *x = states[i];

		states[i] = states[count - 1 - i];
		states[count - 1 - i] = x;
	}
}

/* The chains of the first table, from the last bucket to the first: as the kernel goes
 * through it when it moves states. */
static struct xfrm_state **
states_to_move(struct xfrm_net *xn)
{
	struct table *bydst = &xn->state[XFRM_BYDST];
	struct xfrm_state **states = g_new(struct xfrm_state *, table_count(bydst));
	struct cursor cursor = CURSOR_START;
	uint32_t count = 0, begin = 0, chain = 0;
	const struct xfrm_state_node *n;

	while ((n = table_next_own(bydst, &cursor)) != NULL) {
		if (cursor.chain != chain) {
			turn_round(states + begin, count - begin);
			begin = count;
		}
		chain = cursor.chain;
		states[count++] = n->x;
	}
	turn_round(states + begin, count - begin);
	turn_round(states, count);
	return states;
}

/* Into all three tables as that walk meets it, at the head of its chain. */
static void
xfrm_hash_transfer(struct xfrm_net *xn, struct xfrm_state *const *states, uint32_t count)
{
	void **nodes = g_new(void *, count);

	for (unsigned t = 0; t < XFRM_STATE_TABLES; t++) {
		uint32_t used = 0;

		for (uint32_t i = 0; i < count; i++)
			if (states[i]->node[t])
				nodes[used++] = states[i]->node[t];
		table_rebuild(&xn->state[t], xn->state_buckets, nodes);
	}
	g_free(nodes);
}

static void
xfrm_hash_resize(void *data)
{
	struct net *net = data;
	struct xfrm_net *xn = xfrm_net(net);
	struct xfrm_state **states;

	CALL_ENTER(&net->kernel->calls, "xfrm_hash_resize");
	xn->resizing = true;
	mutex_lock(&xn->state_lock);
	xn->state_hash_generation++;
	states = states_to_move(xn);
	xn->state_buckets *= 2;
	xfrm_hash_transfer(xn, states, table_count(&xn->state[XFRM_BYDST]));
	g_free(states);
	xn->state_hash_generation++;
	mutex_unlock(&xn->state_lock);
	rcu_synchronize(net->kernel->rcu);
	xn->resizing = false;
}

/* When a bucket has more than one, and the table has more than buckets.  Structures that
 * have none are never full. */
static void
xfrm_hash_grow_check(struct net *net, const struct xfrm_state *x)
{
	struct xfrm_net *xn = xfrm_net(net);
	const struct table *bydst = &xn->state[XFRM_BYDST];

	if (table_buckets(bydst) && table_crowded(bydst, x->node[XFRM_BYDST]) &&
	    xn->state_buckets < XFRM_HASH_MAX && table_count(bydst) > xn->state_buckets - 1)
		work_queue(net->kernel->events, &xn->state_hash_work);
}

/* States come */

/* The kernel's tables take the newest first; here lower subkeys come first. */
static void
link_state(struct xfrm_state *x, enum xfrm_state_table t, struct key k)
{
	struct xfrm_net *xn = xfrm_net(x->net);

	k.sub = UINT32_MAX - xn->state_serial;
	x->node[t] = table_add(&xn->state[t], &k, NULL);
	x->node[t]->x = x;
}

static void
__xfrm_state_insert(struct xfrm_state *x)
{
	const struct xfrm_usersa_info *i = &x->sa.info;
	struct xfrm_net *xn = xfrm_net(x->net);

	CALL_ENTER(&x->net->kernel->calls, "__xfrm_state_insert");
	g_assert(xn->state_serial < UINT32_MAX);
	x->id = ++xn->state_serial;
	link_state(x, XFRM_BYDST, xfrm_dst_key(&i->id.daddr, &i->saddr, i->reqid, i->family));
	link_state(x, XFRM_BYSRC, src_key(&i->id.daddr, &i->saddr, i->family));
	if (i->id.spi)
		link_state(x, XFRM_BYSPI, spi_key(&i->id.daddr, i->id.spi, i->id.proto, i->family));
	xfrm_timer_start(x);
	xfrm_hash_grow_check(x->net, x);
}

/* Walks over the bucket of a state's addresses: to look whether it was waited for, and to
 * tell bundles of others like it that something has changed. */
static void
walk_equals(struct net *net, const struct xfrm_sa *sa, bool bump)
{
	const struct xfrm_usersa_info *i = &sa->info;
	struct key k = xfrm_dst_key(&i->id.daddr, &i->saddr, i->reqid, i->family);
	struct table *bydst = &xfrm_net(net)->state[XFRM_BYDST];
	struct xfrm_state_node *n = NULL;

	while ((n = table_match(bydst, &k, n)) != NULL) {
		const struct xfrm_sa *o = &n->x->sa;

		if (bump && o->info.family == i->family && o->info.reqid == i->reqid &&
		    o->if_id == sa->if_id && xfrm_mark_matches(&o->mark, sa->mark.v & sa->mark.m) &&
		    xfrm_addr_equal(&o->info.id.daddr, &i->id.daddr, i->family) &&
		    xfrm_addr_equal(&o->info.saddr, &i->saddr, i->family))
			n->x->genid++;
	}
}

static size_t
alg_size(const struct xfrm_alg *alg)
{
	return alg ? offsetof(struct xfrm_alg, key) + xfrm_alg_key_bytes(alg) : 0;
}

/* What it takes behind a state, where the next one can begin. */
static size_t
alg_room(const struct xfrm_alg *alg)
{
	size_t align = _Alignof(struct xfrm_alg);

	return (alg_size(alg) + align - 1) / align * align;
}

/* Its algorithms are behind it. */
static struct xfrm_state *
copy_sa(const struct xfrm_sa *sa)
{
	struct xfrm_state *x;
	size_t room = sizeof *x;
	char *at;

	for (unsigned kind = 0; kind < XFRM_ALG_KINDS; kind++)
		room += alg_room(sa->alg[kind]);
	x = g_malloc0(room);
	x->sa = *sa;
	at = (char *)(x + 1);
	for (unsigned kind = 0; kind < XFRM_ALG_KINDS; kind++) {
		if (!sa->alg[kind])
			continue;
		x->sa.alg[kind] = memcpy(at, sa->alg[kind], alg_size(sa->alg[kind]));
		at += alg_room(sa->alg[kind]);
	}
	return x;
}

static struct xfrm_state *
xfrm_state_alloc(struct net *net, const struct xfrm_sa *sa)
{
	struct xfrm_state *x = copy_sa(sa);

	x->net = net;
	x->km_state = XFRM_STATE_VALID;
	x->sa.info.curlft = (struct xfrm_lifetime_cur){.add_time = xfrm_now(net)};
	x->sa.info.stats = (struct xfrm_stats){0};
	xfrm_timer_init(x);
	return x;
}

int
xfrm_state_add(struct net *net, const struct xfrm_sa *sa)
{
	struct xfrm_net *xn = xfrm_net(net);
	int err = 0;

	CALL_ENTER(&net->kernel->calls, "xfrm_state_add");
	mutex_lock(&xn->state_lock);
	if (__xfrm_state_locate(net, sa)) {
		err = -EEXIST;
	} else {
		if (xfrm_proto_has_spi(sa->info.id.proto))
			walk_equals(net, sa, false);
		walk_equals(net, sa, true);
		__xfrm_state_insert(xfrm_state_alloc(net, sa));
	}
	mutex_unlock(&xn->state_lock);
	return err;
}

/* Everything but what identifies it. */
static int
change_state(struct xfrm_state *x, const struct xfrm_sa *sa)
{
	if (x->sa.has_encap != sa->has_encap ||
	    (sa->has_encap && x->sa.encap.encap_type != sa->encap.encap_type))
		return -EINVAL;
	x->sa.encap = sa->encap;
	if (!xfrm_proto_has_spi(sa->info.id.proto))
		x->sa.info.sel = sa->info.sel;
	x->sa.info.lft = sa->info.lft;
	x->dying = false;
	xfrm_timer_start(x);
	if (x->sa.info.curlft.use_time)
		xfrm_state_check_expire(x, 0);
	if (sa->smark.m || sa->smark.v)
		x->sa.smark = sa->smark;
	if (sa->if_id)
		x->sa.if_id = sa->if_id;
	if (sa->smark.m || sa->smark.v || sa->if_id)
		walk_equals(x->net, &x->sa, true);
	return 0;
}

int
xfrm_state_update(struct net *net, const struct xfrm_sa *sa)
{
	struct xfrm_net *xn = xfrm_net(net);
	struct xfrm_state *x;
	int err;

	CALL_ENTER(&net->kernel->calls, "xfrm_state_update");
	mutex_lock(&xn->state_lock);
	x = __xfrm_state_locate(net, sa);
	err = x ? change_state(x, sa) : -ESRCH;
	mutex_unlock(&xn->state_lock);
	return err;
}

/* States go */

static void
__xfrm_state_delete(struct xfrm_state *x)
{
	struct xfrm_net *xn = xfrm_net(x->net);

	x->km_state = XFRM_STATE_DEAD;
	work_cancel(&x->timer);
	gro_forget_state(x->net->kernel, x);
	for (unsigned t = 0; t < XFRM_STATE_TABLES; t++)
		if (x->node[t])
			table_remove(&xn->state[t], x->node[t]);
	rcu_defer(x->net->kernel->rcu, x, sizeof *x, NULL);
}

int
xfrm_state_delete(struct xfrm_state *x)
{
	struct xfrm_net *xn = xfrm_net(x->net);
	int err = -ESRCH;

	CALL_ENTER(&x->net->kernel->calls, "xfrm_state_delete");
	mutex_lock(&xn->state_lock);
	if (x->km_state != XFRM_STATE_DEAD) {
		__xfrm_state_delete(x);
		err = 0;
	}
	mutex_unlock(&xn->state_lock);
	return err;
}

void
__xfrm_state_expire(struct xfrm_state *x)
{
	struct xfrm_net *xn = xfrm_net(x->net);

	mutex_lock(&xn->state_lock);
	__xfrm_state_delete(x);
	mutex_unlock(&xn->state_lock);
}

/* Tables that grow meanwhile are walked again. */
int
xfrm_state_flush(struct net *net, uint8_t proto)
{
	const struct xfrm_net *xn = xfrm_net(net);
	uint32_t generation = xn->state_hash_generation;
	struct cursor cursor = CURSOR_START;
	struct xfrm_state *x;
	int err = -ESRCH;

	CALL_ENTER(&net->kernel->calls, "xfrm_state_flush");
	while ((x = xfrm_state_walk_buckets(net, &cursor)) != NULL) {
		if (proto && x->sa.info.id.proto != proto)
			continue;
		xfrm_state_delete(x);
		err = 0;
		if (generation != xn->state_hash_generation)
			cursor = CURSOR_START;
		generation = xn->state_hash_generation;
	}
	return err;
}

/* Who looks at all of them */

struct xfrm_state *
xfrm_state_walk(struct net *net, struct cursor *cursor)
{
	struct xfrm_state_node *n = table_next(&xfrm_net(net)->state[XFRM_BYDST], cursor);

	return n ? n->x : NULL;
}

struct xfrm_state *
xfrm_state_walk_buckets(struct net *net, struct cursor *cursor)
{
	struct xfrm_state_node *n = table_next_own(&xfrm_net(net)->state[XFRM_BYDST], cursor);

	return n ? n->x : NULL;
}

struct xfrm_state_counts
xfrm_sad_getinfo(const struct net *net)
{
	const struct xfrm_net *xn = xfrm_net(net);

	return (struct xfrm_state_counts){.count = table_count(&xn->state[XFRM_BYDST]),
					  .buckets = xn->state_buckets,
					  .buckets_max = XFRM_HASH_MAX};
}

/* Namespaces */

static int
xfrm_kernel_init(struct kernel *k, void *state)
{
	struct xfrm_kernel *xk = state;

	xk->timers = kernel_workqueue(k, "xfrm_timer");
	return 0;
}

/* Buckets that a user has chosen stay until the kernel's rule asks for more. */
static int
xfrm_net_init(struct net *net, void *state)
{
	struct xfrm_net *xn = state;

	for (unsigned t = 0; t < XFRM_STATE_TABLES; t++)
		table_init(&xn->state[t], kernel_table(net->kernel, &specs[t]));
	xn->state_buckets = MAX(XFRM_HASH_MIN, table_buckets(&xn->state[XFRM_BYDST]));
	mutex_init(&xn->state_lock, net->kernel->engine, "xfrm_state_lock");
	work_init(&xn->state_hash_work, "xfrm_hash_resize", xfrm_hash_resize, net);
	return 0;
}

static void
xfrm_net_exit(struct net *net, void *state)
{
	struct xfrm_net *xn = state;

	work_cancel(&xn->state_hash_work);
	if (xn->resizing)
		workqueue_flush(net->kernel->events);
	if (table_count(&xn->state[XFRM_BYDST]) > 0)
		xfrm_state_flush(net, 0);
	for (unsigned t = 0; t < XFRM_STATE_TABLES; t++)
		table_fini(&xn->state[t]);
}

const struct net_module net_module_xfrm_state = {
	.name = "xfrm-state",
	.tables = {&specs[XFRM_BYDST], &specs[XFRM_BYSRC], &specs[XFRM_BYSPI]},
	.kernel_size = sizeof(struct xfrm_kernel),
	.net_size = sizeof(struct xfrm_net),
	.kernel_init = xfrm_kernel_init,
	.net_init = xfrm_net_init,
	.net_exit = xfrm_net_exit,
};
