/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-policy.c - the database of policies: they come, change, go, and are numbered.
 *
 * Models net/xfrm/xfrm_policy.c (Linux 5.10 and 6.1).  The kernel's list of all policies is
 * the order of the table of indexes.  A bucket of exact policies has the newest first here,
 * and is read to its end; the kernel's has the lowest priority first, and a search ends at
 * the first one that selects the packet: the answers are the same. */
#include "net/xfrm-hash.h"
#include "net/xfrm-policy-inexact.h"

extern const struct net_module net_module_xfrm_policy;

const char *const xfrm_policy_insert_words[] = {
	[XFRM_POLICY_RENUMBER] = "renumber",
	[XFRM_POLICY_NUMBER] = "number",
	[XFRM_POLICY_CANDIDATES] = "candidates",
	NULL,
};

static const struct table_spec dst_spec = {
	.name = "xfrm_policy",
	.about = "IPsec policies of whole addresses, of one direction, by addresses",
	.backend = "hash:buckets=8",
	.elem_size = sizeof(struct xfrm_policy_node),
	.key_offset = offsetof(struct xfrm_policy_node, key),
	.hashing = TABLE_HASH_LOW_BITS,
	.push = true,
};

static const struct table_spec idx_spec = {
	.name = "xfrm_policy_idx",
	.about = "IPsec policies of a namespace, by index",
	.backend = "hash:buckets=8",
	.elem_size = sizeof(struct xfrm_policy_node),
	.key_offset = offsetof(struct xfrm_policy_node, key),
	.order = TABLE_NEWEST_FIRST,
	.hashing = TABLE_HASH_LOW_BITS,
	.push = true,
};

static const struct table_spec bin_spec = {
	.name = "xfrm_policy_bin",
	.about = "bins of IPsec policies of prefixes, by type, direction, family and if_id",
	.backend = "rhashtable",
	.elem_size = sizeof(struct xfrm_policy_bin),
	.key_offset = offsetof(struct xfrm_policy_bin, key),
	.kfree_rcu = true,
};

static const struct table_spec all_spec = {
	.name = "xfrm_policy_inexact",
	.about = "all IPsec policies of prefixes, of one direction, by selector",
	.backend = "list",
	.elem_size = sizeof(struct xfrm_policy_node),
	.key_offset = offsetof(struct xfrm_policy_node, key),
	.order = TABLE_OLDEST_FIRST,
};

struct xfrm_policy_net *
xfrm_policy_net(const struct net *net)
{
	return net_module_state(net, &net_module_xfrm_policy);
}

static enum xfrm_policy_insert
insert_mode(const struct net *net)
{
	return net->kernel->options.xfrm_policy_insert;
}

/* What no two policies share: selector, type, direction, mark and if_id */

static guint
identity_hash(gconstpointer policy)
{
	const struct xfrm_pol *pol = &((const struct xfrm_policy *)policy)->pol;
	uint32_t words[sizeof pol->info.sel / sizeof(uint32_t)];
	uint32_t rest = (uint32_t)pol->type << 8 | pol->info.dir;

	memcpy(words, &pol->info.sel, sizeof words);
	rest = jhash_3words(pol->if_id, pol->mark.v, pol->mark.m, rest);
	return jhash2(words, G_N_ELEMENTS(words), rest);
}

static gboolean
identity_equal(gconstpointer a, gconstpointer b)
{
	const struct xfrm_pol *x = &((const struct xfrm_policy *)a)->pol;
	const struct xfrm_pol *y = &((const struct xfrm_policy *)b)->pol;

	return x->type == y->type && x->info.dir == y->info.dir && x->if_id == y->if_id &&
	       x->mark.v == y->mark.v && x->mark.m == y->mark.m &&
	       memcmp(&x->info.sel, &y->info.sel, sizeof x->info.sel) == 0;
}

struct xfrm_policy *
xfrm_policy_twin(const struct xfrm_policy_net *xn, const struct xfrm_policy *p)
{
	return g_hash_table_lookup(xn->identities, p);
}

/* Of a selector and all else that tells policies apart; 'id' for those whose hashes agree. */
static struct key
all_key(const struct xfrm_policy *p)
{
	uint32_t words[2] = {GUINT32_TO_BE(identity_hash(p)), GUINT32_TO_BE(p->id)};

	return key_make(words, sizeof words, 0);
}

/* Indexes */

static uint32_t
xfrm_gen_index(struct xfrm_policy_net *xn, uint8_t dir, uint32_t wanted)
{
	for (;;) {
		uint32_t index = wanted;
		struct key k;

		if (!wanted) {
			index = xn->idx_generator | dir;
			xn->idx_generator += 8;
		}
		wanted = 0;
		if (index == 0)
			index = 8;
		k = xfrm_policy_idx_key(index);
		if (!table_find(&xn->idx, &k))
			return index;
	}
}

static void
link_index(struct xfrm_policy_net *xn, struct xfrm_policy *p)
{
	struct key k = xfrm_policy_idx_key(p->pol.info.index);

	p->idx = table_add(&xn->idx, &k, NULL);
	p->idx->p = p;
}

/* Policies get their places */

/* One that replaces another of its priority takes that one's place. */
static void
number(struct xfrm_policy *p, const struct xfrm_policy *twin)
{
	uint32_t now = ++xfrm_policy_net(p->net)->serial;
	bool same = twin && twin->pol.info.priority == p->pol.info.priority;

	g_assert(now < UINT32_MAX);
	p->id = now;
	p->seq = same ? twin->seq : now;
	p->pos = now;
}

static int
xfrm_policy_insert_list(struct xfrm_policy_net *xn, struct xfrm_policy *p, struct xfrm_policy *twin,
			bool excl)
{
	const struct xfrm_selector *sel = &p->pol.info.sel;
	struct table *t = &xn->dst[p->pol.info.dir];
	struct key k =
		xfrm_policy_dst_key(xn, &sel->daddr, &sel->saddr, sel->family, p->pol.info.dir);
	struct xfrm_policy_node *n = NULL;

	while ((n = table_match(t, &k, n)) != NULL)
		if (n->p == twin && excl)
			return -EEXIST;
	number(p, twin);
	k.sub = UINT32_MAX - p->id;
	p->dst = table_add(t, &k, NULL);
	p->dst->p = p;
	return 0;
}

/* In the list of all: a twin's entry is the new one's from now on. */
static void
xfrm_policy_insert_inexact_list(struct xfrm_policy_net *xn, struct xfrm_policy *p,
				struct xfrm_policy *twin)
{
	struct table *all = &xn->all[p->pol.info.dir];
	struct key k = all_key(p);

	if (twin) {
		p->all = table_find(all, &twin->all->key);
		twin->all = NULL;
	} else {
		p->all = table_add(all, &k, NULL);
	}
	p->all->p = p;
	if (insert_mode(p->net) != XFRM_POLICY_RENUMBER)
		return;
	table_count_walk(all, table_count(all) + (twin != NULL));
	p->all_at =
		g_sequence_insert_sorted(xn->order[p->pol.info.dir], p, xfrm_policy_compare, NULL);
}

static int
xfrm_policy_inexact_insert(struct xfrm_policy_net *xn, struct xfrm_policy *p,
			   struct xfrm_policy *twin, bool excl)
{
	struct xfrm_pol_chain *chain = xfrm_policy_inexact_alloc_chain(p->net, &p->pol);

	XFRM_COUNT_READ(p->net, "visit_policy_chain",
			xfrm_policy_insert_reads(chain->policies, p->pol.info.priority,
						 twin ? twin->at : NULL));
	if (twin && excl)
		return -EEXIST;
	number(p, twin);
	xfrm_pol_chain_add(chain, p);
	if (insert_mode(p->net) != XFRM_POLICY_CANDIDATES)
		xfrm_policy_insert_inexact_list(xn, p, twin);
	return 0;
}

static int
link_policy(struct xfrm_policy_net *xn, struct xfrm_policy *p, struct xfrm_policy *twin, bool excl)
{
	if (xfrm_policy_is_exact(xn, &p->pol))
		return xfrm_policy_insert_list(xn, p, twin, excl);
	return xfrm_policy_inexact_insert(xn, p, twin, excl);
}

/* All but its index. */
static void
unlink_place(struct xfrm_policy_net *xn, struct xfrm_policy *p)
{
	uint8_t dir = p->pol.info.dir;

	if (p->dst)
		table_remove(&xn->dst[dir], p->dst);
	if (p->all)
		table_remove(&xn->all[dir], p->all);
	if (p->all_at)
		g_sequence_remove(p->all_at);
	if (p->chain)
		xfrm_pol_chain_remove(p);
	p->dst = p->all = NULL;
	p->all_at = NULL;
}

static void
__xfrm_policy_unlink(struct xfrm_policy_net *xn, struct xfrm_policy *p)
{
	unlink_place(xn, p);
	table_remove(&xn->idx, p->idx);
	if (xfrm_policy_twin(xn, p) == p)
		g_hash_table_remove(xn->identities, p);
	xn->count[p->pol.info.dir]--;
}

static void
xfrm_policy_kill(struct xfrm_policy *p)
{
	CALL_ENTER(&p->net->kernel->calls, "xfrm_policy_kill");
	p->dead = true;
	work_cancel(&p->timer);
	rcu_defer(p->net->kernel->rcu, p, sizeof *p, NULL);
}

/* Growth */

static bool
xfrm_bydst_should_resize(const struct xfrm_policy_net *xn, unsigned dir)
{
	return xn->buckets[dir] < XFRM_HASH_MAX && xn->count[dir] > xn->buckets[dir] - 1;
}

static void
resize_tables(struct xfrm_policy_net *xn)
{
	uint32_t total = 0;

	for (unsigned dir = 0; dir < XFRM_POLICY_DIRS; dir++) {
		total += xn->count[dir];
		if (!xfrm_bydst_should_resize(xn, dir))
			continue;
		xn->buckets[dir] *= 2;
		table_resize(&xn->dst[dir], xn->buckets[dir]);
	}
	if (xn->idx_buckets >= XFRM_HASH_MAX || total <= xn->idx_buckets - 1)
		return;
	xn->idx_buckets *= 2;
	table_resize(&xn->idx, xn->idx_buckets);
}

static void
xfrm_policy_hash_resize(void *data)
{
	struct net *net = data;
	struct xfrm_policy_net *xn = xfrm_policy_net(net);

	CALL_ENTER(&net->kernel->calls, "xfrm_hash_resize");
	xn->working = true;
	mutex_lock(&xn->lock);
	resize_tables(xn);
	mutex_unlock(&xn->lock);
	rcu_synchronize(net->kernel->rcu);
	xn->working = false;
}

/* With other thresholds all policies leave their places, and come again, the oldest first. */
static void
rebuild(struct net *net, struct xfrm_policy_net *xn)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	struct cursor cursor = CURSOR_START;
	struct xfrm_policy *p;

	while ((p = xfrm_policy_walk(net, &cursor)) != NULL) {
		g_ptr_array_add(all, p);
		unlink_place(xn, p);
	}
	xn->used4 = xn->ipv4;
	xn->used6 = xn->ipv6;
	for (unsigned n = all->len; n-- > 0;) {
		uint32_t id;

		p = all->pdata[n];
		id = p->id;
		link_policy(xn, p, NULL, false);
		p->id = id;
	}
}

static void
xfrm_hash_rebuild(void *data)
{
	struct net *net = data;
	struct xfrm_policy_net *xn = xfrm_policy_net(net);

	CALL_ENTER(&net->kernel->calls, "xfrm_hash_rebuild");
	xn->working = true;
	mutex_lock(&xn->lock);
	rebuild(net, xn);
	mutex_unlock(&xn->lock);
	xn->working = false;
}

void
xfrm_policy_set_hthresh(struct net *net, const struct xfrm_policy_hthresh *ipv4,
			const struct xfrm_policy_hthresh *ipv6)
{
	struct xfrm_policy_net *xn = xfrm_policy_net(net);

	if (ipv4)
		xn->ipv4 = *ipv4;
	if (ipv6)
		xn->ipv6 = *ipv6;
	if (ipv4 || ipv6)
		work_queue(net->kernel->events, &xn->rebuild_work);
}

/* Policies come */

static struct xfrm_policy *
xfrm_policy_alloc(struct net *net, const struct xfrm_pol *pol)
{
	struct xfrm_policy *p = g_new0(struct xfrm_policy, 1);

	p->net = net;
	p->pol = *pol;
	p->pol.info.curlft = (struct xfrm_lifetime_cur){.add_time = xfrm_now(net)};
	xfrm_policy_timer_init(p);
	return p;
}

static void
take_over(struct xfrm_policy_net *xn, struct xfrm_policy *p, struct xfrm_policy *twin)
{
	uint8_t dir = p->pol.info.dir;

	xn->count[dir]++;
	g_hash_table_replace(xn->identities, p, p);
	if (twin) {
		__xfrm_policy_unlink(xn, twin);
		p->pol.info.index = twin->pol.info.index;
	} else {
		p->pol.info.index = xfrm_gen_index(xn, dir, p->pol.info.index);
	}
	link_index(xn, p);
	xfrm_policy_timer_start(p);
	if (twin)
		xfrm_policy_kill(twin);
	else if (xfrm_bydst_should_resize(xn, dir))
		work_queue(p->net->kernel->events, &xn->resize_work);
}

int
xfrm_policy_insert(struct net *net, const struct xfrm_pol *pol, bool excl)
{
	struct xfrm_policy_net *xn = xfrm_policy_net(net);
	struct xfrm_policy *p = xfrm_policy_alloc(net, pol), *twin;
	int err;

	CALL_ENTER(&net->kernel->calls, "xfrm_policy_insert");
	mutex_lock(&xn->lock);
	twin = xfrm_policy_twin(xn, p);
	err = link_policy(xn, p, twin, excl);
	if (err == 0)
		take_over(xn, p, twin);
	else
		g_free(p);
	mutex_unlock(&xn->lock);
	return err;
}

/* Policies go */

int
xfrm_policy_delete(struct xfrm_policy *p)
{
	struct xfrm_policy_net *xn = xfrm_policy_net(p->net);
	bool dead;

	CALL_ENTER(&p->net->kernel->calls, "xfrm_policy_delete");
	mutex_lock(&xn->lock);
	dead = p->dead;
	if (!dead) {
		__xfrm_policy_unlink(xn, p);
		xfrm_policy_kill(p);
	}
	mutex_unlock(&xn->lock);
	return dead ? -ENOENT : 0;
}

int
xfrm_policy_flush(struct net *net, uint8_t type)
{
	struct cursor cursor = CURSOR_START;
	struct xfrm_policy *p;
	int err = -ESRCH;

	CALL_ENTER(&net->kernel->calls, "xfrm_policy_flush");
	while ((p = xfrm_policy_walk(net, &cursor)) != NULL) {
		if (p->pol.type != type)
			continue;
		xfrm_policy_delete(p);
		err = 0;
	}
	return err;
}

/* Who looks at all of them */

struct xfrm_policy *
xfrm_policy_walk(struct net *net, struct cursor *cursor)
{
	struct xfrm_policy_node *n = table_next(&xfrm_policy_net(net)->idx, cursor);

	return n ? n->p : NULL;
}

struct xfrm_policy *
xfrm_policy_walk_buckets(struct net *net, struct cursor *cursor)
{
	struct xfrm_policy_node *n = table_next_own(&xfrm_policy_net(net)->idx, cursor);

	return n ? n->p : NULL;
}

uint32_t
xfrm_policy_count(const struct net *net, uint8_t dir)
{
	return xfrm_policy_net(net)->count[dir];
}

struct xfrm_policy_counts
xfrm_spd_getinfo(const struct net *net)
{
	const struct xfrm_policy_net *xn = xfrm_policy_net(net);
	struct xfrm_policy_counts c = {.hash_mask = xn->idx_buckets - 1,
				       .buckets_max = XFRM_HASH_MAX,
				       .lbits4 = xn->ipv4.lbits,
				       .rbits4 = xn->ipv4.rbits,
				       .lbits6 = xn->ipv6.lbits,
				       .rbits6 = xn->ipv6.rbits};

	memcpy(c.count, xn->count, sizeof c.count);
	return c;
}

/* Namespaces */

static void
init_tables(struct xfrm_policy_net *xn, const struct kernel *k)
{
	table_init(&xn->idx, kernel_table(k, &idx_spec));
	table_init(&xn->bin, kernel_table(k, &bin_spec));
	xn->idx_buckets = MAX(XFRM_HASH_MIN, table_buckets(&xn->idx));
	for (unsigned dir = 0; dir < XFRM_POLICY_DIRS; dir++) {
		table_init(&xn->dst[dir], kernel_table(k, &dst_spec));
		table_init(&xn->all[dir], kernel_table(k, &all_spec));
		xn->buckets[dir] = MAX(XFRM_HASH_MIN, table_buckets(&xn->dst[dir]));
		xn->order[dir] = g_sequence_new(NULL);
	}
}

static int
xfrm_policy_net_init(struct net *net, void *state)
{
	struct xfrm_policy_net *xn = state;

	init_tables(xn, net->kernel);
	xn->ipv4 = xn->used4 = (struct xfrm_policy_hthresh){32, 32};
	xn->ipv6 = xn->used6 = (struct xfrm_policy_hthresh){128, 128};
	xn->identities = g_hash_table_new(identity_hash, identity_equal);
	mutex_init(&xn->lock, net->kernel->engine, "xfrm_policy_lock");
	work_init(&xn->resize_work, "xfrm_hash_resize", xfrm_policy_hash_resize, net);
	work_init(&xn->rebuild_work, "xfrm_hash_rebuild", xfrm_hash_rebuild, net);
	return 0;
}

static void
xfrm_policy_net_exit(struct net *net, void *state)
{
	struct xfrm_policy_net *xn = state;

	work_cancel(&xn->resize_work);
	work_cancel(&xn->rebuild_work);
	if (xn->working)
		workqueue_flush(net->kernel->events);
	if (table_count(&xn->idx) > 0) {
		xfrm_policy_flush(net, XFRM_POLICY_TYPE_SUB);
		xfrm_policy_flush(net, XFRM_POLICY_TYPE_MAIN);
	}
	for (unsigned dir = 0; dir < XFRM_POLICY_DIRS; dir++) {
		table_fini(&xn->dst[dir]);
		table_fini(&xn->all[dir]);
		g_sequence_free(xn->order[dir]);
	}
	table_fini(&xn->idx);
	table_fini(&xn->bin);
	g_hash_table_unref(xn->identities);
}

const struct net_module net_module_xfrm_policy = {
	.name = "xfrm-policy",
	.tables = {&dst_spec, &idx_spec, &bin_spec, &all_spec},
	.net_size = sizeof(struct xfrm_policy_net),
	.net_init = xfrm_policy_net_init,
	.net_exit = xfrm_policy_net_exit,
};
