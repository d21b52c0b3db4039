/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mausezahn.c - mausezahn(8) of netsniff-ng: sends Ethernet frames.
 *
 * Of its options those that say where a frame comes from and goes; what is in it does
 * not matter here. */
#include <string.h>

#include "iproute/command-impl.h"
#include "net/packet.h"

#define COUNT_MAX 100000000u

/* Which address a frame has. */
enum address_choice { ADDRESS_OWN, ADDRESS_RANDOM, ADDRESS_GIVEN };

struct address {
	enum address_choice choice;
	uint8_t bytes[ETH_ALEN];
};

struct mausezahn {
	char *dev;
	struct address src, dst;
	bool tagged;
	uint16_t vid;
	uint64_t count, delay_ps;
};

static void
mausezahn_free(void *data)
{
	struct mausezahn *m = data;

	g_free(m->dev);
	g_free(m);
}

/* Running */

/* An address that a device can have. */
static void
random_address(struct process *p, uint8_t *addr)
{
	uint64_t random = rng_next(&p->kernel->rng);

	for (unsigned i = 0; i < ETH_ALEN; i++)
		addr[i] = (uint8_t)(random >> 8 * i);
	addr[0] = (uint8_t)((addr[0] & 0xfe) | 0x02);
}

static void
choose(struct process *p, const struct address *a, const uint8_t *own, uint8_t *addr)
{
	if (a->choice == ADDRESS_RANDOM)
		random_address(p, addr);
	else
		memcpy(addr, a->choice == ADDRESS_OWN ? own : a->bytes, ETH_ALEN);
}

static void
mausezahn_run(struct process *p, const void *data)
{
	const struct mausezahn *m = data;
	struct packet_request r = {.tagged = m->tagged, .vid = m->vid};
	uint8_t own[ETH_ALEN];
	int err = packet_device(p->net, m->dev, &r.ifindex, own);

	if (err != 0) {
		process_fail(p, 1, "mausezahn: %s: %s\n", m->dev, error_text(err));
		return;
	}
	for (uint64_t n = 0; n < m->count && err == 0; n++) {
		choose(p, &m->src, own, r.src);
		choose(p, &m->dst, own, r.dst);
		err = packet_snd(p->net, &r);
		if (m->delay_ps)
			task_sleep(p->kernel->engine, m->delay_ps);
	}
	if (err != 0)
		process_fail(p, 1, "mausezahn: %s: %s\n", m->dev, error_text(err));
}

static const struct command_type mausezahn_type = {.run = mausezahn_run, .free = mausezahn_free};

/* The command line */

static bool
take_address(struct args *a, struct address *address)
{
	const char *text;
	unsigned len;

	if (!args_value(a, &text))
		return false;
	address->choice = ADDRESS_GIVEN;
	if (g_str_equal(text, "rand"))
		address->choice = ADDRESS_RANDOM;
	else if (g_str_equal(text, "own"))
		address->choice = ADDRESS_OWN;
	else if (g_str_equal(text, "bc"))
		memset(address->bytes, 0xff, ETH_ALEN);
	else if (!args_lladdr(a, text, address->bytes, ETH_ALEN, &len))
		return false;
	else if (len != ETH_ALEN)
		return args_error(a, "an address has %d bytes, not %u: \"%s\"", ETH_ALEN, len,
				  text);
	return true;
}

static bool
option_src(struct args *a, void *data, const struct keyword *k)
{
	return take_address(a, &((struct mausezahn *)data)->src);
}

static bool
option_dst(struct args *a, void *data, const struct keyword *k)
{
	return take_address(a, &((struct mausezahn *)data)->dst);
}

/* 0 would send until somebody stops it. */
static bool
option_count(struct args *a, void *data, const struct keyword *k)
{
	struct mausezahn *m = data;
	const char *text;

	if (!args_value(a, &text))
		return false;
	return args_number(text, 1, COUNT_MAX, &m->count) ||
	       args_error(a, "-c takes a number of frames from 1 to %u, not \"%s\"", COUNT_MAX,
			  text);
}

/* A priority before the id, "5:100", changes nothing here. */
static bool
option_vlan(struct args *a, void *data, const struct keyword *k)
{
	struct mausezahn *m = data;
	const char *text, *colon;
	uint64_t vid;

	if (!args_value(a, &text))
		return false;
	colon = strchr(text, ':');
	if (!args_number(colon ? colon + 1 : text, 0, 4095, &vid))
		return args_error(a, "-Q takes a VLAN from 0 to 4095, not \"%s\"", text);
	m->tagged = true;
	m->vid = (uint16_t)vid;
	return true;
}

/* A number of microseconds, or with a unit. */
static bool
option_delay(struct args *a, void *data, const struct keyword *k)
{
	static const struct {
		const char *suffix;
		uint64_t ps;
	} units[] = {
		{"usec", PS_PER_US}, {"msec", PS_PER_MS}, {"sec", PS_PER_S}, {"us", PS_PER_US},
		{"ms", PS_PER_MS},   {"s", PS_PER_S},     {"", PS_PER_US},
	};
	const char *text;
	uint64_t delay;
	unsigned unit = 0;

	if (!args_value(a, &text))
		return false;
	while (!g_str_has_suffix(text, units[unit].suffix))
		unit++;

	g_autofree char *number = g_strndup(text, strlen(text) - strlen(units[unit].suffix));

	if (!args_number(number, 0, 1000000, &delay))
		return args_error(a,
				  "-d takes microseconds, or a number with msec or sec, up to "
				  "1000000, not \"%s\"",
				  text);
	((struct mausezahn *)data)->delay_ps = delay * units[unit].ps;
	return true;
}

/* What the frame would contain, and how much of it. */
static bool
option_contents(struct args *a, void *data, const struct keyword *k)
{
	const char *text;

	return args_value(a, &text);
}

static bool
option_quiet(struct args *a, void *data, const struct keyword *k)
{
	return true;
}

static const struct keyword options[] = {
	{"-a", true, option_src, 0},      {"-b", true, option_dst, 0},
	{"-c", true, option_count, 0},    {"-d", true, option_delay, 0},
	{"-p", true, option_contents, 0}, {"-q", true, option_quiet, 0},
	{"-Q", true, option_vlan, 0},     {"-t", true, option_contents, 0},
	{NULL, false, NULL, 0},
};

static bool
take_device(struct args *a, struct mausezahn *m)
{
	const char *text = args_take(a);

	if (*text == '-')
		return args_not_simulated(a, "this option of mausezahn; it has -a, -b, -c, -d, -p, "
					     "-q, -Q and -t");
	if (m->dev)
		return args_not_simulated(a, "the contents of frames");
	if (strlen(text) >= IFNAMSIZ)
		return args_error(a, "\"%s\" is no name of a device", text);
	m->dev = g_strdup(text);
	return true;
}

static bool
parse(struct args *a, struct mausezahn *m)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(options, args_peek(a));

		if (k ? !keyword_run(k, a, "mausezahn", m) : !take_device(a, m))
			return false;
	}
	return m->dev || args_error_next(a, "mausezahn: a device is missing");
}

bool
mausezahn_parse(struct args *a, struct command *c, const char *input)
{
	struct mausezahn *m = g_new0(struct mausezahn, 1);

	m->count = 1;
	m->dst.choice = ADDRESS_GIVEN;
	memset(m->dst.bytes, 0xff, ETH_ALEN);
	if (parse(a, m))
		return command_becomes(c, &mausezahn_type, m);
	mausezahn_free(m);
	return false;
}
