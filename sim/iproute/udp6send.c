/* SPDX-License-Identifier: GPL-2.0-or-later */
/* udp6send.c - udp6send: sends packets by UDP over IPv6 from a socket that is not
 * connected, so that the kernel looks up a route for each and selects where it
 * comes from.
 *
 *   udp6send [-n PACKETS] [-t MILLISECONDS] [-m BYTES] [-c CPU] DESTINATION [PORT]
 *
 * 'sim script' writes a shell function of this name for a real host. */
#include <arpa/inet.h>

#include "iproute/command-impl.h"
#include "net/traffic.h"
#include "net/udp6.h"

#define PACKETS_MAX  100000000u
#define MS_MAX       1000000u
#define CPU_MAX      (ENGINE_MAX_CPUS - 1)
#define DEFAULT_PORT 5000
#define STANDS_AFTER 1000 /* packets */

struct udp6send {
	struct udp6_request request;
	uint64_t packets; /* 0: as many as fit into 'ps' */
	uint64_t ps;      /* 0: as long as it takes */
	int cpu;          /* -1: any */
	bool has_destination, has_port;
};

/* Running */

/* One call of the kernel a packet: what else there is to do comes in between. */
static int
send_one(struct process *p, const struct udp6send *u)
{
	int err = udp6_send(p->net, &u->request);

	task_sync(p->kernel->engine);
	return err;
}

/* How it goes. */
struct progress {
	uint64_t start, sent;
	uint64_t moved_at, moved_sent; /* when time went on last, and how many were sent then */
};

/* Where sending has no price, -t would never end. */
static bool
time_stands(struct process *p, const struct udp6send *u, struct progress *now)
{
	if (engine_now(p->kernel->engine) != now->moved_at) {
		now->moved_at = engine_now(p->kernel->engine);
		now->moved_sent = now->sent;
	}
	if (u->packets || now->sent - now->moved_sent < STANDS_AFTER)
		return false;
	process_fail(p, 1,
		     "udp6send: sending takes no time on this machine, so that -t would "
		     "never end: use -n\n");
	return true;
}

static bool
goes_on(struct process *p, const struct udp6send *u, const struct progress *now)
{
	if (u->packets && now->sent >= u->packets)
		return false;
	return !u->ps || engine_now(p->kernel->engine) - now->start < u->ps;
}

static void
udp6send_run(struct process *p, const void *data)
{
	const struct udp6send *u = data;
	struct traffic_record traffic = traffic_begin(p->kernel, "udp6_send");
	struct progress now = {.start = traffic.start_ps, .moved_at = traffic.start_ps};
	int err = 0;

	while (err == 0 && goes_on(p, u, &now)) {
		err = send_one(p, u);
		now.sent += err == 0;
		if (err == 0 && time_stands(p, u, &now))
			return;
	}
	traffic.packets = now.sent;
	traffic.bytes = now.sent * u->request.bytes;
	traffic_end(p->kernel, &traffic);
	process_print(p, "sent %" G_GUINT64_FORMAT " packets\n", now.sent);
	if (err != 0)
		process_fail(p, 1, "udp6send: %s\n", error_text(err));
}

static const struct command_type udp6send_type = {.run = udp6send_run, .free = g_free};

/* The command line */

static bool
take_number(struct args *a, const struct keyword *k, const char *what, uint64_t min, uint64_t max,
	    uint64_t *value)
{
	const char *text;

	if (!args_value(a, &text))
		return false;
	if (args_number(text, min, max, value))
		return true;
	return args_error(
		a, "%s takes %s from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT ", not \"%s\"",
		k->name, what, min, max, text);
}

static bool
option_packets(struct args *a, void *data, const struct keyword *k)
{
	struct udp6send *u = data;

	return take_number(a, k, "a number of packets", 1, PACKETS_MAX, &u->packets);
}

static bool
option_time(struct args *a, void *data, const struct keyword *k)
{
	struct udp6send *u = data;
	uint64_t ms = 0;

	if (!take_number(a, k, "milliseconds", 1, MS_MAX, &ms))
		return false;
	u->ps = ms * PS_PER_MS;
	return true;
}

static bool
option_bytes(struct args *a, void *data, const struct keyword *k)
{
	struct udp6send *u = data;
	uint64_t bytes = 0;

	if (!take_number(a, k, "a number of bytes", 0, UDP6_BYTES_MAX, &bytes))
		return false;
	u->request.bytes = (unsigned)bytes;
	return true;
}

static bool
option_cpu(struct args *a, void *data, const struct keyword *k)
{
	struct udp6send *u = data;
	uint64_t cpu = 0;

	if (!take_number(a, k, "a CPU", 0, CPU_MAX, &cpu))
		return false;
	u->cpu = (int)cpu;
	return true;
}

static const struct keyword options[] = {
	{"-n", true, option_packets, 0}, {"-t", true, option_time, 0},
	{"-m", true, option_bytes, 0},   {"-c", true, option_cpu, 0},
	{NULL, false, NULL, 0},
};

static bool
take_destination(struct args *a, struct udp6send *u)
{
	const char *text = args_take(a);
	uint64_t port;

	if (*text == '-')
		return args_error(a, "udp6send has no option \"%s\"; it has -n, -t, -m and -c",
				  text);
	if (!u->has_destination) {
		u->has_destination = true;
		return inet_pton(AF_INET6, text, u->request.daddr) == 1 ||
		       args_error(a, "udp6send sends to an IPv6 address, not to \"%s\"", text);
	}
	if (u->has_port)
		return args_error(a, "udp6send takes a destination and a port; \"%s\" is too much",
				  text);
	if (!args_number(text, 1, UINT16_MAX, &port))
		return args_error(a, "a port is a number from 1 to 65535, not \"%s\"", text);
	u->has_port = true;
	u->request.port = (uint16_t)port;
	return true;
}

static bool
parse(struct args *a, struct udp6send *u)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(options, args_peek(a));

		if (k ? !keyword_run(k, a, "udp6send", u) : !take_destination(a, u))
			return false;
	}
	if (!u->packets && !u->ps)
		u->packets = 1;
	return u->has_destination || args_error_next(a, "udp6send: a destination is missing");
}

bool
udp6send_parse(struct args *a, struct command *c, const char *input)
{
	struct udp6send *u = g_new0(struct udp6send, 1);

	u->cpu = -1;
	u->request.bytes = 100;
	u->request.port = DEFAULT_PORT;
	if (parse(a, u)) {
		c->cpu = u->cpu;
		return command_becomes(c, &udp6send_type, u);
	}
	g_free(u);
	return false;
}
