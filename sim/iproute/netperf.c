/* SPDX-License-Identifier: GPL-2.0-or-later */
/* netperf.c - netserver and netperf(1): a stream of TCP over IPv4, as fast as it goes.
 *
 *   netserver [-p PORT] [-4]
 *   netperf -H ADDRESS [-l SECONDS|-BYTES] [-t TCP_STREAM] [-p PORT] [-P 0|1]
 *
 * The text is that of netperf 2.7.  Buffers have the kernel's default sizes; sends are of
 * a socket buffer's size, as there, and all of full segments. */
#include <arpa/inet.h>
#include <string.h>

#include "iproute/command-impl.h"
#include "net/tcp4.h"
#include "net/traffic.h"

#define CONTROL_PORT    12865
#define DEFAULT_SECONDS 10
#define SECONDS_MAX     10000u
#define BYTES_MAX       UINT64_C(1000000000000)
#define SNDBUF          16384  /* the default of tcp_wmem */
#define STANDS_AFTER    100000 /* segments */

struct netperf {
	char host[INET_ADDRSTRLEN];
	uint32_t addr;
	uint64_t port, seconds;
	uint64_t bytes; /* that are sent, whatever it takes; 0: for 'seconds' */
	bool has_host, no_banner;
};

/* netserver: it is there, whether or not somebody asks for something. */

static void
netserver_run(struct process *p, const void *data)
{
	const struct netperf *n = data;
	uint16_t port = (uint16_t)n->port;
	int err = tcp_listen(p->net, &port);

	if (err == 0)
		process_print(p,
			      "Starting netserver with host 'IN(6)ADDR_ANY' port '%u' and family "
			      "AF_UNSPEC\n",
			      port);
	else
		process_fail(p, 1,
			     "Unable to start netserver with  'IN(6)ADDR_ANY' port '%u' and "
			     "family AF_UNSPEC\n",
			     port);
}

/* netperf */

static void
print_result(struct process *p, const struct netperf *n, const struct traffic_record *t)
{
	uint64_t ps = t->end_ps - t->start_ps;
	double mbit = ps ? (double)t->bytes * 8 / ((double)ps / (double)PS_PER_S) / 1e6 : 0;
	char seconds[16], figure[32];

	if (!n->no_banner)
		process_print(
			p,
			"MIGRATED TCP STREAM TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET to %s "
			"() port 0 AF_INET : demo\n"
			"Recv   Send    Send                          \n"
			"Socket Socket  Message  Elapsed              \n"
			"Size   Size    Size     Time     Throughput  \n"
			"bytes  bytes   bytes    secs.    10^6bits/sec  \n\n",
			n->host);
	g_ascii_formatd(seconds, sizeof seconds, "%.2f", (double)ps / (double)PS_PER_S);
	g_ascii_formatd(figure, sizeof figure, "%.2f", mbit);
	process_print(p, "%6d %6d %6d    %-6s   %7s   \n", TCP_RCVBUF, SNDBUF, SNDBUF, seconds,
		      figure);
}

/* Where nothing has a price, the time would never be over. */
static bool
time_stands(struct process *p, uint64_t segments, uint64_t start)
{
	if (segments < STANDS_AFTER || engine_now(p->kernel->engine) != start)
		return false;
	process_fail(p, 1, "netperf: sending takes no time on this machine\n");
	return true;
}

static int
send_stream(struct process *p, const struct netperf *n, struct tcp_sock *sk,
	    struct traffic_record *t)
{
	uint64_t end = t->start_ps + n->seconds * PS_PER_S;
	int err = 0;

	while (err == 0 && (n->bytes ? tcp_bytes_received(sk) < n->bytes
				     : engine_now(p->kernel->engine) < end)) {
		err = tcp_send_segment(sk);
		task_sync(p->kernel->engine);
		if (time_stands(p, tcp_segments_sent(sk), t->start_ps))
			return -EINVAL;
	}
	t->packets = tcp_segments_sent(sk);
	t->bytes = tcp_bytes_received(sk);
	return err;
}

static struct tcp_sock *
connect_to(struct process *p, const struct netperf *n, uint16_t port)
{
	int err;
	struct tcp_sock *sk = tcp_connect(p->net, n->addr, port, &err);

	if (!sk)
		process_fail(p, 1,
			     "establish control: are you sure there is a netserver listening on %s "
			     "at port %u? (%s)\n",
			     n->host, port, error_text(err));
	return sk;
}

/* Its own connection tells netserver what is wanted, and stays while the other one, here
 * to the same port, carries the data. */
static void
netperf_run(struct process *p, const void *data)
{
	const struct netperf *n = data;
	struct tcp_sock *control = connect_to(p, n, (uint16_t)n->port);
	struct tcp_sock *stream = control ? connect_to(p, n, (uint16_t)n->port) : NULL;
	struct traffic_record t;
	int err;

	if (stream) {
		t = traffic_begin(p->kernel, "tcp_stream");
		err = send_stream(p, n, stream, &t);
		traffic_end(p->kernel, &t);
		if (err == 0)
			print_result(p, n, &t);
		else if (p->answer->status == 0)
			process_fail(p, 1, "netperf: %s\n", error_text(err));
	}
	tcp_close(stream);
	tcp_close(control);
}

static const struct command_type netserver_type = {.run = netserver_run, .free = g_free};
static const struct command_type netperf_type = {.run = netperf_run, .free = g_free};

/* The command line.  An option's value may stand in its word: -l8. */

static bool
take_number(struct args *a, const char *option, const char *text, uint64_t max, uint64_t *value)
{
	return args_number(text, 1, max, value) ||
	       args_error(a, "%s takes a number from 1 to %" G_GUINT64_FORMAT ", not \"%s\"",
			  option, max, text);
}

static bool
take_host(struct args *a, struct netperf *n, const char *text)
{
	n->has_host = true;
	if (inet_pton(AF_INET, text, &n->addr) != 1)
		return args_error(a, "-H takes an IPv4 address, not \"%s\"", text);
	n->addr = GUINT32_FROM_BE(n->addr);
	g_strlcpy(n->host, text, sizeof n->host);
	return true;
}

static bool
take_option(struct args *a, struct netperf *n, char option, const char *text)
{
	switch (option) {
	case 'H':
		return take_host(a, n, text);
	case 'l':
		if (*text == '-')
			return take_number(a, "-l -", text + 1, BYTES_MAX, &n->bytes);
		return take_number(a, "-l", text, SECONDS_MAX, &n->seconds);
	case 'p':
		return take_number(a, "-p", text, UINT16_MAX, &n->port);
	case 't':
		return strcmp(text, "TCP_STREAM") == 0 ||
		       args_not_simulated(a, "another test of netperf than TCP_STREAM");
	default:
		n->no_banner = strcmp(text, "0") == 0;
		return n->no_banner || strcmp(text, "1") == 0 ||
		       args_error(a, "-P takes 0 or 1, not \"%s\"", text);
	}
}

static bool
parse(struct args *a, struct netperf *n, const char *name, const char *options)
{
	while (args_left(a)) {
		const char *word = args_take(a), *value = word[0] ? word + 2 : word;

		if (word[0] != '-' || !word[1] || !strchr(options, word[1]))
			return args_error(a, "not simulated: \"%s\" of %s", word, name);
		if (word[1] == '4' && !*value)
			continue;
		if (!*value && !args_value(a, &value))
			return false;
		if (!take_option(a, n, word[1], value))
			return false;
	}
	return true;
}

static bool
parse_as(struct args *a, struct command *c, bool server)
{
	struct netperf *n = g_new0(struct netperf, 1);
	bool ok;

	n->port = CONTROL_PORT;
	n->seconds = DEFAULT_SECONDS;
	ok = server ? parse(a, n, "netserver", "p4") : parse(a, n, "netperf", "HlptP4");
	if (ok && !server && !n->has_host)
		ok = args_error_next(a, "netperf: where to is missing: -H ADDRESS");
	if (ok)
		return command_becomes(c, server ? &netserver_type : &netperf_type, n);
	g_free(n);
	return false;
}

bool
netserver_parse(struct args *a, struct command *c, const char *input)
{
	return parse_as(a, c, true);
}

bool
netperf_parse(struct args *a, struct command *c, const char *input)
{
	return parse_as(a, c, false);
}
