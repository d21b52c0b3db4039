/* SPDX-License-Identifier: GPL-2.0-or-later */
/* box.c - see box.h. */
#include "box.h"

#include <linux/neighbour.h>
#include <string.h>

#include "backend.h"
#include "net/bridge.h"

struct play {
	struct box *box;
	void (*play)(struct box *, void *data);
	void *data;
};

static void
user(void *data)
{
	struct play *p = data;

	kernel_boot(p->box->kernel);
	p->box->net = p->box->kernel->init_net;
	p->play(p->box, p->data);
	engine_stop(p->box->engine);
}

static const struct backend_choice *
choose(const struct table_spec *spec, void *choice)
{
	return choice;
}

static void
play_with(const char *backend, const struct engine_config *machine, struct kernel_config config,
	  struct play *p)
{
	struct backend_choice choice;
	bool known = backend_parse(backend, &choice, NULL);

	g_assert(known);
	p->box->engine = config.engine = engine_new(machine);
	config.seed = 1;
	config.choose = choose;
	config.choose_data = &choice;
	p->box->kernel = kernel_new(&config);
	task_detach(task_start(config.engine, "user", user, p));
	g_assert(engine_run(config.engine, NULL));
	kernel_free(p->box->kernel);
	engine_free(config.engine);
}

void
box_play(const char *backend, const struct kernel_options *options,
	 void (*play)(struct box *, void *data), void *data)
{
	static const struct engine_config machine = {.cpus = 1, .grace_ps = PS_PER_MS};
	struct box box = {.net = NULL};

	play_with(backend, &machine, (struct kernel_config){.options = *options},
		  &(struct play){&box, play, data});
}

void
box_play_on(const char *backend, const struct kernel_options *options,
	    const struct engine_config *machine, void (*play)(struct box *, void *data), void *data)
{
	struct box box = {.net = NULL};

	play_with(backend, machine,
		  (struct kernel_config){.options = *options, .rcu_flavor = RCU_CHECK},
		  &(struct play){&box, play, data});
}

/* Links */

int
box_ifindex(struct box *b, const char *name)
{
	int ifindex = 0;

	return rtnl_getlink(b->net, name, &ifindex) == 0 ? ifindex : 0;
}

int
box_add_link(struct box *b, const char *kind, const char *name, const uint8_t *addr)
{
	struct link_request req = {.kind = link_kind_by_name(kind), .has_address = addr != NULL};

	g_strlcpy(req.ifname, name, sizeof req.ifname);
	if (addr)
		memcpy(req.address, addr, ETH_ALEN);
	return rtnl_newlink(b->net, &req, NULL);
}

int
box_add_link_at(struct box *b, const char *kind, const char *name, int ifindex)
{
	struct link_request req = {.kind = link_kind_by_name(kind), .ifindex = ifindex};

	g_strlcpy(req.ifname, name, sizeof req.ifname);
	return rtnl_newlink(b->net, &req, NULL);
}

int
box_set_master(struct box *b, const char *name, const char *master)
{
	struct link_request req = {.ifindex = box_ifindex(b, name),
				   .has_master = true,
				   .master = master ? box_ifindex(b, master) : 0};

	return rtnl_setlink(b->net, &req, NULL);
}

int
box_set_up(struct box *b, const char *name, bool up)
{
	struct link_request req = {
		.ifindex = box_ifindex(b, name), .change = IFF_UP, .flags = up ? IFF_UP : 0};

	return rtnl_setlink(b->net, &req, NULL);
}

int
box_del_link(struct box *b, const char *name)
{
	struct link_request req = {.ifindex = box_ifindex(b, name)};

	return rtnl_dellink(b->net, &req, NULL);
}

/* Entries */

static struct fdb_request
request(struct box *b, const char *dev, const uint8_t *addr, uint16_t vid, uint16_t flags)
{
	struct fdb_request req = {.ifindex = box_ifindex(b, dev), .vid = vid, .flags = flags};

	memcpy(req.addr, addr, ETH_ALEN);
	return req;
}

int
box_fdb_add(struct box *b, const char *dev, const uint8_t *addr, uint16_t vid, uint16_t state,
	    uint16_t flags)
{
	struct fdb_request req = request(b, dev, addr, vid, flags);

	req.state = state;
	req.create = req.exclusive = true;
	return rtnl_fdb_add(b->net, &req, NULL);
}

int
box_fdb_replace(struct box *b, const char *dev, const uint8_t *addr, uint16_t vid, uint16_t state,
		uint16_t flags)
{
	struct fdb_request req = request(b, dev, addr, vid, flags);

	req.state = state;
	req.create = req.replace = true;
	return rtnl_fdb_add(b->net, &req, NULL);
}

int
box_fdb_del(struct box *b, const char *dev, const uint8_t *addr, uint16_t vid, uint16_t flags)
{
	struct fdb_request req = request(b, dev, addr, vid, flags);

	req.state = NUD_PERMANENT;
	return rtnl_fdb_del(b->net, &req, NULL);
}

const char *
box_fdb_port(struct box *b, const char *bridge, const uint8_t *addr, uint16_t vid)
{
	struct net_bridge *br = netdev_priv(dev_get_by_index(b->net, box_ifindex(b, bridge)));
	struct net_bridge_fdb_entry *f = br_fdb_find(br, addr, vid);

	return f && f->dst ? f->dst->dev->name : NULL;
}
