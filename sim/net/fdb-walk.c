/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fdb-walk.c - how a dump goes through one table of entries, and finds its place
 * there again when a datagram was full.
 *
 * The kernel's dumps count: an entry whose number is below the marker was told of
 * by an earlier run.  So each run walks again what earlier ones have walked.  Here
 * such a walk is counted, not made, where its end is known: over a table that lies
 * below the marker as a whole, and up to the place where the last run stopped if
 * nothing has changed since.  The option fdb_walk=literal makes it. */
#include "net/fdb-walk.h"

const char *const fdb_walk_words[] = {
	[FDB_WALK_COUNTED] = "counted", [FDB_WALK_LITERAL] = "literal", NULL};

/* Where the last run stopped, beside the markers. */
struct fdb_place {
	/* Of the algorithms that count: before the element that did not fit. */
	const struct table *table;
	const struct net_device *filter;
	uint64_t generation, changes, dev_base_seq; /* valid as long as these stand still */
	uint64_t base;                              /* number of the table's first entry */
	uint64_t idx, walked;

	/* Of FDB_DUMP_CURSOR: the sources of the device that were told of, and the
	 * one that was begun, as bits; an element of which some parts were told, by
	 * its key because others may come before it now, and the last of them. */
	unsigned done, begun;
	uint64_t owner, elem, part;
	struct key key;
	bool halfway;

	struct cursor cursor;
};

/* A walk over one source. */
struct walk {
	struct cursor cursor, before; /* behind, before the element returned last */
	uint64_t base, before_idx;
	uint64_t walked;
};

static struct fdb_place *
place_of(struct fdb_dump *d)
{
	if (!d->cb->state)
		d->cb->state = g_new0(struct fdb_place, 1);
	return d->cb->state;
}

int
fdb_dump_end(struct fdb_dump *d, struct nlmsg *m)
{
	int err = nlmsg_end(m);

	if (err == 0)
		nl_dump_check_consistent(d->cb, m->nlh);
	return err;
}

/* Until 4.16 a bridge had no list beside its chains. */
static bool
walks_structure(const struct fdb_dump *d, const struct fdb_source *s)
{
	return s->own_order || (s->chain_break && d->algorithm <= FDB_DUMP_RESUME_POSTED);
}

static void *
next_elem(const struct fdb_dump *d, const struct fdb_source *s, struct cursor *c)
{
	return walks_structure(d, s) ? table_next_own(s->table, c) : table_next(s->table, c);
}

static uint64_t
item_id(const struct fdb_source *s, const void *elem, unsigned part)
{
	return s->id ? s->id(s, elem, part) : table_arrival(s->table, elem);
}

static unsigned
parts_of(const struct fdb_source *s, const void *elem)
{
	return s->parts ? s->parts(s, elem) : 1;
}

static bool
is_wanted(const struct fdb_source *s, const void *elem)
{
	return !s->wanted || s->wanted(s, elem);
}

static int
tell(struct fdb_dump *d, const struct fdb_source *s, const void *elem, unsigned part)
{
	int err = s->fill(d, s, elem, part);

	if (err == 0)
		dump_shown(d->cb, s->owner, item_id(s, elem, part));
	return err;
}

/* Counting */

static int
count_element(struct fdb_dump *d, const struct fdb_source *s, const void *elem)
{
	unsigned parts = parts_of(s, elem);

	for (unsigned part = 0; part < parts; part++, d->idx++) {
		int err = 0;

		if (d->idx >= d->marker && is_wanted(s, elem))
			err = tell(d, s, elem, part);
		if (err != 0)
			return err;
	}
	return 0;
}

static bool
counts_walks(const struct fdb_dump *d)
{
	return d->cb->net->kernel->options.fdb_walk == FDB_WALK_COUNTED;
}

/* All of it lies below the marker. */
static bool
pass_over(struct fdb_dump *d, const struct fdb_source *s)
{
	uint32_t count = table_count(s->table);

	if (s->parts || d->idx + count > d->marker || !counts_walks(d))
		return false;
	table_count_walk(s->table, count);
	d->idx += count;
	return true;
}

static void
keep_place(struct fdb_dump *d, const struct fdb_source *s, const struct walk *w)
{
	*place_of(d) = (struct fdb_place){
		.table = s->table,
		.filter = s->filter,
		.generation = s->table->generation,
		.changes = s->changes,
		.dev_base_seq = d->cb->net->dev_base_seq,
		.base = w->base,
		.idx = w->before_idx,
		.walked = w->walked - 1,
		.cursor = w->before,
	};
}

/* From the place where the last run stopped, if this is the walk that it is of. */
static void
return_to_place(struct fdb_dump *d, const struct fdb_source *s, struct walk *w)
{
	const struct fdb_place *p = place_of(d);

	if (p->table != s->table || p->filter != s->filter || p->base != d->idx ||
	    p->idx > d->marker || p->generation != s->table->generation ||
	    p->changes != s->changes || p->dev_base_seq != d->cb->net->dev_base_seq ||
	    !counts_walks(d))
		return;
	table_count_walk(s->table, p->walked);
	d->idx = p->idx;
	w->walked = p->walked;
	w->cursor = p->cursor;
}

/* The first defect of the old code: a full datagram ended the walk of one chain, and
 * in the chains that followed entries of other ports went on to be counted. */
static int
count_table(struct fdb_dump *d, const struct fdb_source *s)
{
	struct walk w = {.cursor = CURSOR_START, .base = d->idx};
	bool restarts = d->algorithm == FDB_DUMP_RESTART;
	const void *elem;

	if (pass_over(d, s))
		return 0;
	return_to_place(d, s, &w);
	while (w.before = w.cursor, w.before_idx = d->idx,
	       (elem = next_elem(d, s, &w.cursor)) != NULL) {
		w.walked++;
		if (count_element(d, s, elem) == 0)
			continue;
		d->error = -EMSGSIZE;
		if (restarts && s->chain_break) {
			table_leave_chain(s->table, &w.cursor);
			continue;
		}
		if (!restarts)
			keep_place(d, s, &w);
		return -EMSGSIZE;
	}
	return 0;
}

/* By cursors */

void
fdb_walk_forget(struct fdb_dump *d)
{
	*place_of(d) = (struct fdb_place){.table = NULL};
}

static void
stop_halfway(struct fdb_place *p, const struct fdb_source *s, const void *elem, uint64_t part)
{
	p->halfway = true;
	p->elem = s->elem_id(s, elem);
	p->key = *s->key(elem);
	p->part = part;
}

/* Those after 'told', which come in the order of their numbers. */
static int
tell_parts(struct fdb_dump *d, const struct fdb_source *s, const void *elem, uint64_t told)
{
	unsigned parts = parts_of(s, elem);

	for (unsigned part = 0; part < parts; part++) {
		uint64_t id = item_id(s, elem, part);
		int err = 0;

		if (s->parts && id <= told)
			continue;
		err = tell(d, s, elem, part);
		if (err != 0 && told)
			stop_halfway(place_of(d), s, elem, told);
		if (err != 0)
			return err;
		if (s->parts)
			told = id;
	}
	return 0;
}

/* What is left of the element that the last run did not finish, if it is still there. */
static int
tell_rest(struct fdb_dump *d, const struct fdb_source *s)
{
	struct fdb_place *p = place_of(d);
	const void *elem = p->halfway ? table_find(s->table, &p->key) : NULL;

	p->halfway = false;
	return elem && s->elem_id(s, elem) == p->elem ? tell_parts(d, s, elem, p->part) : 0;
}

static unsigned
source_bit(const struct fdb_source *s)
{
	return 1u << (s->filter ? FDB_SOURCE_MC + 1 : s->owner & 3);
}

static int
tell_table(struct fdb_dump *d, const struct fdb_source *s)
{
	struct fdb_place *p = place_of(d);
	unsigned bit = source_bit(s);
	struct cursor c = CURSOR_START, before;
	const void *elem;

	if (p->done & bit)
		return 0;
	if (p->begun == bit && p->owner == s->owner) {
		c = p->cursor;
		if (tell_rest(d, s) != 0)
			return -EMSGSIZE;
	}
	while (before = c, (elem = next_elem(d, s, &c)) != NULL) {
		if (!is_wanted(s, elem) || tell_parts(d, s, elem, 0) == 0)
			continue;
		p->begun = bit;
		p->owner = s->owner;
		p->cursor = p->halfway ? c : before;
		return -EMSGSIZE;
	}
	p->done |= bit;
	return 0;
}

int
fdb_dump_table(struct fdb_dump *d, const struct fdb_source *s)
{
	g_assert(!s->parts || (s->id && s->elem_id && s->key));
	d->cb->unordered |= walks_structure(d, s);
	return d->algorithm == FDB_DUMP_CURSOR ? tell_table(d, s) : count_table(d, s);
}

void
fdb_source_each(const struct fdb_source *s, struct dump_set *set)
{
	struct cursor c = CURSOR_START;
	const void *elem;

	dump_set_generation(set, s->owner, s->table->generation + s->changes);
	while (set->items && (elem = table_peek(s->table, &c)) != NULL) {
		unsigned parts = is_wanted(s, elem) ? parts_of(s, elem) : 0;

		for (unsigned part = 0; part < parts; part++)
			dump_set_add(set, s->owner, item_id(s, elem, part));
	}
}
