/* SPDX-License-Identifier: GPL-2.0-or-later */
/* udp4.c - udp4send and udpsink: datagrams of IPv4 from one process to another.
 *
 *   udp4send [-n DATAGRAMS] [-m BYTES] [-e] [-c CPU] DESTINATION [PORT]
 *   udpsink [-n DATAGRAMS] [-e] [-c CPU] [PORT]
 *
 * The sender's socket is not connected; with -e it waits for the answer to each one,
 * two seconds.  The sink ends when it has received so many, or none for five seconds; with
 * -e it sends each one back.  'sim script' writes shell functions of these names. */
#include <arpa/inet.h>

#include "iproute/command-impl.h"
#include "net/traffic.h"
#include "net/udp4.h"

#define DATAGRAMS_MAX 100000000u
#define CPU_MAX       (ENGINE_MAX_CPUS - 1)
#define DEFAULT_PORT  5000
#define DEFAULT_BYTES 100
#define ANSWER_PS     (2 * PS_PER_S)
#define SILENCE_PS    (5 * PS_PER_S)

struct udp4 {
	struct udp4_datagram datagram; /* of the sender */
	uint64_t count;
	uint16_t port;
	bool echo, sink, has_destination, has_port;
	int cpu; /* -1: any */
};

/* Running */

static struct udp_sock *
open_socket(struct process *p, uint16_t port)
{
	int err;
	struct udp_sock *sk = udp_bind(p->net, port, &err);

	if (!sk)
		process_fail(p, 1, "bind: %s\n", error_text(err));
	return sk;
}

static void
udp4send_run(struct process *p, const void *data)
{
	const struct udp4 *u = data;
	struct udp_sock *sk = open_socket(p, 0);
	struct traffic_record traffic = traffic_begin(p->kernel, "udp4_send");
	struct udp4_datagram answer;
	uint64_t answers = 0;
	int err = 0;

	for (uint64_t n = 0; sk && n < u->count && err == 0; n++) {
		err = udp_sendmsg(sk, &u->datagram);
		task_sync(p->kernel->engine);
		traffic.packets += err == 0;
		if (u->echo && err == 0)
			answers += udp_recvmsg(sk, ANSWER_PS, &answer);
	}
	udp_close(sk);
	traffic.bytes = traffic.packets * u->datagram.bytes;
	traffic_end(p->kernel, &traffic);
	process_print(p, "sent %" G_GUINT64_FORMAT " datagrams", traffic.packets);
	if (u->echo)
		process_print(p, ", %" G_GUINT64_FORMAT " answers", answers);
	process_print(p, "\n");
	if (err != 0)
		process_fail(p, 1, "udp4send: %s\n", error_text(err));
}

static void
udpsink_run(struct process *p, const void *data)
{
	const struct udp4 *u = data;
	struct udp_sock *sk = open_socket(p, u->port);
	struct udp4_datagram d;
	uint64_t received = 0;

	while (sk && received < u->count && udp_recvmsg(sk, SILENCE_PS, &d)) {
		received++;
		if (u->echo)
			udp_sendmsg(sk, &d);
		task_sync(p->kernel->engine);
	}
	udp_close(sk);
	process_print(p, "received %" G_GUINT64_FORMAT " datagrams\n", received);
}

static const struct command_type udp4send_type = {.run = udp4send_run, .free = g_free};
static const struct command_type udpsink_type = {.run = udpsink_run, .free = g_free};

/* The command line */

static bool
take_number(struct args *a, const struct keyword *k, const char *what, uint64_t min, uint64_t max,
	    uint64_t *value)
{
	const char *text;

	if (!args_value(a, &text))
		return false;
	return args_number(text, min, max, value) ||
	       args_error(a,
			  "%s takes %s from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
			  ", not \"%s\"",
			  k->name, what, min, max, text);
}

static bool
option_count(struct args *a, void *data, const struct keyword *k)
{
	return take_number(a, k, "a number of datagrams", 1, DATAGRAMS_MAX,
			   &((struct udp4 *)data)->count);
}

static bool
option_bytes(struct args *a, void *data, const struct keyword *k)
{
	uint64_t bytes = 0;

	if (!take_number(a, k, "a number of bytes", 0, UDP4_BYTES_MAX, &bytes))
		return false;
	((struct udp4 *)data)->datagram.bytes = (unsigned)bytes;
	return true;
}

static bool
option_cpu(struct args *a, void *data, const struct keyword *k)
{
	uint64_t cpu = 0;

	if (!take_number(a, k, "a CPU", 0, CPU_MAX, &cpu))
		return false;
	((struct udp4 *)data)->cpu = (int)cpu;
	return true;
}

static bool
option_echo(struct args *a, void *data, const struct keyword *k)
{
	((struct udp4 *)data)->echo = true;
	return true;
}

static const struct keyword options[] = {
	{"-n", true, option_count, 0}, {"-m", true, option_bytes, 0}, {"-c", true, option_cpu, 0},
	{"-e", true, option_echo, 0},  {NULL, false, NULL, 0},
};

static bool
take_destination(struct args *a, struct udp4 *u)
{
	const char *text = args_take(a);

	u->has_destination = true;
	if (inet_pton(AF_INET, text, &u->datagram.addr) != 1)
		return args_error(a, "udp4send sends to an IPv4 address, not to \"%s\"", text);
	u->datagram.addr = GUINT32_FROM_BE(u->datagram.addr);
	return true;
}

static bool
take_port(struct args *a, struct udp4 *u)
{
	const char *text = args_take(a);
	uint64_t port = 0;

	if (*text == '-' || u->has_port)
		return args_error(a, "%s has no use for \"%s\"; it takes %s",
				  u->sink ? "udpsink" : "udp4send", text,
				  u->sink ? "-n, -e, -c and a port"
					  : "-n, -m, -e, -c, a destination and a port");
	if (!args_number(text, 1, UINT16_MAX, &port))
		return args_error(a, "a port is a number from 1 to 65535, not \"%s\"", text);
	u->has_port = true;
	u->port = (uint16_t)port;
	return true;
}

static bool
parse(struct args *a, struct udp4 *u)
{
	while (args_left(a)) {
		const struct keyword *k = keyword_find(options, args_peek(a));
		bool plain = *args_peek(a) != '-' && !u->sink && !u->has_destination;
		bool ok = k       ? keyword_run(k, a, u->sink ? "udpsink" : "udp4send", u)
			  : plain ? take_destination(a, u)
				  : take_port(a, u);

		if (!ok)
			return false;
	}
	return u->sink || u->has_destination ||
	       args_error_next(a, "udp4send: a destination is missing");
}

static bool
parse_as(struct args *a, struct command *c, bool sink)
{
	struct udp4 *u = g_new0(struct udp4, 1);

	*u = (struct udp4){.count = 1, .port = DEFAULT_PORT, .sink = sink, .cpu = -1};
	u->datagram.bytes = DEFAULT_BYTES;
	if (parse(a, u)) {
		u->datagram.port = u->port;
		c->cpu = u->cpu;
		return command_becomes(c, sink ? &udpsink_type : &udp4send_type, u);
	}
	g_free(u);
	return false;
}

bool
udp4send_parse(struct args *a, struct command *c, const char *input)
{
	return parse_as(a, c, false);
}

bool
udpsink_parse(struct args *a, struct command *c, const char *input)
{
	return parse_as(a, c, true);
}
