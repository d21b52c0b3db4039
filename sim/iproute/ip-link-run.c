/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ip-link-run.c - runs 'ip link add|set|delete': the questions that ip asks
 * before its request, in its order, and the request. */
#include <errno.h>
#include <string.h>

#include "iproute/ip-link.h"
#include "iproute/rtnl.h"
#include "net/netdevice.h"

struct link_run {
	struct process *process;
	const struct link_command *command;
	struct link_request *request; /* being completed */
};

static bool
wrong(struct link_run *run, const struct link_step *step, const char *what)
{
	process_fail(run->process, 255, "Error: argument \"%s\" is wrong: %s\n\n", step->name,
		     what);
	return false;
}

/* An ifindex that ip can't do without. */
static bool
find(struct link_run *run, const struct link_step *step, int *ifindex)
{
	*ifindex = process_link(run->process, step->name);
	if (!*ifindex)
		process_fail(run->process, 1, "Cannot find device \"%s\"\n", step->name);
	return *ifindex != 0;
}

static bool
step_dev(struct link_run *run, const struct link_step *step)
{
	return find(run, step, &run->request->ifindex);
}

static bool
step_link(struct link_run *run, const struct link_step *step)
{
	return find(run, step, &run->request->link);
}

static bool
step_master(struct link_run *run, const struct link_step *step)
{
	run->request->master = process_link(run->process, step->name);
	run->request->has_master = true;
	return run->request->master || wrong(run, step, "Device does not exist");
}

static bool
step_vrf(struct link_run *run, const struct link_step *step)
{
	run->request->master = process_vrf(run->process, step->name);
	run->request->has_master = true;
	return run->request->master || wrong(run, step, "Not a valid VRF name");
}

static bool
step_netns(struct link_run *run, const struct link_step *step)
{
	uint64_t pid;

	if (net_by_name(run->process->kernel, step->name))
		return true;
	if (!args_number(step->name, 0, INT32_MAX, &pid))
		return wrong(run, step, "Invalid \"netns\" value");

	/* A number is a process, and there are none. */
	return process_talked(run->process, -ESRCH, &(struct ext_ack){""});
}

/* ip reads the device's own address, to compare the lengths. */
static bool
step_address(struct link_run *run, const struct link_step *step)
{
	struct process *p = run->process;
	int ifindex = process_link(p, step->name);
	const struct net_device *dev = NULL;

	if (!ifindex)
		return true; /* LINK_STEP_DEV, which follows, says so */
	rtnl_lock(p->kernel);
	dev = dev_get_by_index(p->net, ifindex);
	rtnl_unlock(p->kernel);
	if (!dev || !dev->addr_len || dev->addr_len == run->command->address_len)
		return true;
	process_fail(p, 1, "Invalid address length %u - must be %u bytes\n",
		     run->command->address_len, dev->addr_len);
	return false;
}

static bool
step_option(struct link_run *run, const struct link_step *step)
{
	int ifindex;

	if (!find(run, step, &ifindex)) {
		run->process->answer->status = step->no_device;
		return false;
	}
	run->request->option[step->option] = (uint64_t)ifindex;
	return true;
}

static bool
run_steps(struct link_run *run)
{
	static bool (*const steps[])(struct link_run *, const struct link_step *) = {
		[LINK_STEP_DEV] = step_dev,       [LINK_STEP_LINK] = step_link,
		[LINK_STEP_MASTER] = step_master, [LINK_STEP_VRF] = step_vrf,
		[LINK_STEP_NETNS] = step_netns,   [LINK_STEP_ADDRESS] = step_address,
		[LINK_STEP_OPTION] = step_option,
	};
	const GArray *array = run->command->steps;

	for (unsigned i = 0; i < array->len; i++) {
		const struct link_step *step = &g_array_index(array, struct link_step, i);

		if (!steps[step->kind](run, step))
			return false;
	}
	return true;
}

/* All devices that can be added have Ethernet addresses. */
static bool
addresses_fit(const struct link_command *c)
{
	return (!c->request.has_address || c->address_len == ETH_ALEN) &&
	       (!c->peer || addresses_fit(c->peer));
}

static int
talk(struct process *p, const struct link_command *c, const struct link_request *r,
     struct ext_ack *ack)
{
	switch (c->verb) {
	case LINK_ADD:
		return addresses_fit(c) ? rtnl_newlink(p->net, r, ack) : -EINVAL;
	case LINK_SET:
		return rtnl_setlink(p->net, r, ack);
	case LINK_DELETE:
		return rtnl_dellink(p->net, r, ack);
	}
	g_assert_not_reached();
}

/* It sends a request about no device.  The kernel takes RTNL and refuses it. */
void
ip_link_probe(struct process *p)
{
	struct link_request nothing = {.ifindex = 0};
	struct ext_ack ack = {""};

	rtnl_setlink(p->net, &nothing, &ack);
	process_listened(p);
}

static void
link_run(struct process *p, const void *data)
{
	const struct link_command *c = data;
	struct link_request request = c->request, peer;
	struct link_run run = {p, c, &request};
	struct ext_ack ack = {""};
	int result;

	if (c->note)
		process_fail(p, 0, "%s", c->note);
	ip_link_probe(p);
	if (!run_steps(&run))
		return;
	if (c->peer) {
		struct link_run peer_run = {p, c->peer, &peer};

		peer = c->peer->request;
		request.peer = &peer;
		if (!run_steps(&peer_run))
			return;
	}
	result = talk(p, c, &request, &ack);
	process_talked(p, result, &ack);
}

const struct command_type link_command_type = {.run = link_run, .free = link_command_free};
