/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vxlan-model.c - see vxlan-model.h. */
#include "vxlan-model.h"

#include <errno.h>
#include <linux/neighbour.h>
#include <string.h>

#include "net/vxlan.h"
#include "require.h"

static const uint8_t zeros[ETH_ALEN];

static bool
is_group(const uint8_t *mac)
{
	return mac[0] & 1 || memcmp(mac, zeros, ETH_ALEN) == 0;
}

struct entry *
model_find(struct model *m, const uint8_t *mac, uint32_t vni)
{
	for (unsigned n = 0; n < m->entries; n++) {
		struct entry *e = &m->entry[n];

		if (memcmp(e->mac, mac, ETH_ALEN) == 0 && (!m->external || e->vni == vni))
			return e;
	}
	return NULL;
}

void
model_drop(struct model *m, struct entry *e)
{
	*e = m->entry[--m->entries];
}

bool
model_grows_old(const struct entry *e)
{
	return !(e->state & (NUD_PERMANENT | NUD_NOARP)) && !(e->flags & NTF_EXT_LEARNED);
}

static void
become(struct model *m, struct entry *e, uint16_t state, uint16_t flags)
{
	if (e->state != state || e->flags != flags)
		e->updated = m->now;
	if (!model_grows_old(e))
		e->since = m->now;
	e->state = state;
	e->flags = flags;
}

bool
model_same_remote(const struct remote *a, const struct remote *b)
{
	return a->ip == b->ip && a->port == b->port && a->vni == b->vni && a->via == b->via;
}

static unsigned
position(const struct entry *e, const struct remote *r)
{
	unsigned n = 0;

	while (n < e->remotes && !model_same_remote(&e->remote[n], r))
		n++;
	return n;
}

static void
append_remote(struct entry *e, const struct remote *r)
{
	if (position(e, r) == e->remotes)
		e->remote[e->remotes++] = *r;
}

/* Not there: 0. */
static void
remove_remote(struct model *m, struct entry *e, const struct remote *r)
{
	unsigned at = position(e, r);

	if (at == e->remotes)
		return;
	if (e->remotes == 1) {
		model_drop(m, e);
		return;
	}
	e->remotes--;
	for (unsigned n = at; n < e->remotes; n++)
		e->remote[n] = e->remote[n + 1];
}

static int
make(struct model *m, const uint8_t *mac, uint32_t vni, const struct remote *r, uint16_t state,
     uint16_t flags)
{
	struct entry e = {.vni = vni,
			  .remote = {*r},
			  .remotes = 1,
			  .state = state,
			  .flags = flags,
			  .used = m->now,
			  .updated = m->now,
			  .since = m->now};

	if (m->limit && m->entries >= m->limit)
		return -ENOSPC;
	memcpy(e.mac, mac, ETH_ALEN);
	require(m->entries < MODEL_ENTRIES);
	m->entry[m->entries++] = e;
	return 0;
}

static struct remote
remote_of(const struct model *m, const struct fdb_request *r)
{
	return (struct remote){.ip = r->dst_len ? r->dst[3] : 0,
			       .port = r->has_port ? r->port : MODEL_PORT,
			       .vni = r->has_vni    ? r->vni
				      : m->external ? 0
						    : MODEL_VNI,
			       .via = r->via};
}

static uint32_t
source_of(const struct model *m, const struct fdb_request *r)
{
	return r->has_src_vni ? r->src_vni : m->external ? 0 : MODEL_VNI;
}

static int
expect_change(struct model *m, struct entry *e, const struct fdb_request *r)
{
	struct remote remote = remote_of(m, r);
	uint16_t flags = (r->flags & ~NTF_USE) | NTF_VXLAN_ADDED_BY_USER;

	if (!(r->flags & NTF_EXT_LEARNED && e->flags & NTF_VXLAN_ADDED_BY_USER))
		become(m, e, r->state, flags);
	if (r->replace && is_group(r->addr))
		return -EOPNOTSUPP;
	if (r->replace && position(e, &remote) == e->remotes)
		e->remote[0] = remote;
	if (r->append && is_group(r->addr))
		append_remote(e, &remote);
	if (r->flags & NTF_USE)
		e->used = m->now;
	return 0;
}

int
model_add(struct model *m, const struct fdb_request *r)
{
	struct entry *e = model_find(m, r->addr, source_of(m, r));
	struct remote remote = remote_of(m, r);

	if (!(r->state & (NUD_PERMANENT | NUD_REACHABLE)) || !r->dst_len)
		return -EINVAL;
	if (r->dst_len == 16)
		return -EAFNOSUPPORT;
	if (e)
		return r->exclusive ? -EEXIST : expect_change(m, e, r);
	if (!r->create)
		return -ENOENT;
	if (r->replace && is_group(r->addr))
		return -EOPNOTSUPP;
	return make(m, r->addr, source_of(m, r), &remote, r->state,
		    (r->flags & ~NTF_USE) | NTF_VXLAN_ADDED_BY_USER);
}

int
model_del(struct model *m, const struct fdb_request *r)
{
	struct entry *e = model_find(m, r->addr, source_of(m, r));
	struct remote remote = remote_of(m, r);

	if (!e)
		return -ENOENT;
	e->used = m->now;
	if (remote.ip == 0)
		model_drop(m, e);
	else
		remove_remote(m, e, &remote);
	return 0;
}

void
model_send(struct model *m, const uint8_t *dst)
{
	struct entry *e;

	if (m->external)
		return;
	e = model_find(m, dst, 0);
	if (!e)
		e = model_find(m, zeros, 0);
	if (!e)
		return;
	e->used = m->now;
	m->packets += e->remotes;
}

int
model_set_remote(struct model *m, uint8_t ip)
{
	struct remote new = {ip, MODEL_PORT, MODEL_VNI, 0},
		      old = {m->dflt, MODEL_PORT, MODEL_VNI, 0};
	struct entry *e = model_find(m, zeros, MODEL_VNI);
	int err = 0;

	if (ip == m->dflt)
		return 0;
	if (ip && e) {
		become(m, e, NUD_PERMANENT | NUD_REACHABLE, NTF_SELF);
		append_remote(e, &new);
	} else if (ip) {
		err = make(m, zeros, MODEL_VNI, &new, NUD_PERMANENT | NUD_REACHABLE, NTF_SELF);
	}
	if (err != 0)
		return err;
	e = model_find(m, zeros, MODEL_VNI);
	if (e && m->dflt) {
		e->used = m->now;
		remove_remote(m, e, &old);
	}
	m->dflt = ip;
	return 0;
}

static bool
is_default(const struct model *m, const struct entry *e)
{
	return is_group(e->mac) && !(e->mac[0] & 1) && e->vni == (m->external ? 0 : MODEL_VNI);
}

void
model_down(struct model *m)
{
	for (unsigned n = m->entries; n-- > 0;)
		if (!(m->entry[n].state & (NUD_PERMANENT | NUD_NOARP)) &&
		    !is_default(m, &m->entry[n]))
			model_drop(m, &m->entry[n]);
}

unsigned
model_remotes(const struct model *m)
{
	unsigned count = 0;

	for (unsigned n = 0; n < m->entries; n++)
		count += m->entry[n].remotes;
	return count;
}
