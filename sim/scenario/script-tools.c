/* SPDX-License-Identifier: GPL-2.0-or-later */
/* script-tools.c - programs that a script brings along, because a real host has none of
 * their names: 'ip netns exec' runs programs and no functions. */
#include "scenario/script-tools.h"

#include <string.h>

static const char begin_tools[] = "\n"
				  "tools=$(mktemp -d)\n"
				  "trap 'rm -rf \"$tools\"' EXIT\n"
				  "PATH=$tools:$PATH\n";

static const char udp6send[] =
	"\n"
	"# udp6send [-n PACKETS] [-t MILLISECONDS] [-m BYTES] [-c CPU] ADDRESS [PORT]\n"
	"cat >\"$tools/udp6send\" <<'END'\n"
	"#!/usr/bin/env python3\n"
	"import argparse, os, socket, time\n"
	"p = argparse.ArgumentParser()\n"
	"p.add_argument('-n', type=int, default=0)\n"
	"p.add_argument('-t', type=int, default=0)\n"
	"p.add_argument('-m', type=int, default=100)\n"
	"p.add_argument('-c', type=int)\n"
	"p.add_argument('address')\n"
	"p.add_argument('port', type=int, nargs='?', default=5000)\n"
	"a = p.parse_args()\n"
	"if a.c is not None:\n"
	"    os.sched_setaffinity(0, [a.c])\n"
	"s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)\n"
	"data, sent = bytes(a.m), 0\n"
	"most = a.n or (float('inf') if a.t else 1)\n"
	"end = time.monotonic() + a.t / 1000 if a.t else float('inf')\n"
	"while sent < most and time.monotonic() < end:\n"
	"    s.sendto(data, (a.address, a.port))\n"
	"    sent += 1\n"
	"print(f'sent {sent} packets')\n"
	"END\n"
	"chmod +x \"$tools/udp6send\"\n";

static const char udp4send[] =
	"\n"
	"# udp4send [-n DATAGRAMS] [-m BYTES] [-e] [-c CPU] ADDRESS [PORT]\n"
	"cat >\"$tools/udp4send\" <<'END'\n"
	"#!/usr/bin/env python3\n"
	"import argparse, os, socket\n"
	"p = argparse.ArgumentParser()\n"
	"p.add_argument('-n', type=int, default=1)\n"
	"p.add_argument('-m', type=int, default=100)\n"
	"p.add_argument('-e', action='store_true')\n"
	"p.add_argument('-c', type=int)\n"
	"p.add_argument('address')\n"
	"p.add_argument('port', type=int, nargs='?', default=5000)\n"
	"a = p.parse_args()\n"
	"if a.c is not None:\n"
	"    os.sched_setaffinity(0, [a.c])\n"
	"s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
	"s.settimeout(2)\n"
	"answers = 0\n"
	"for _ in range(a.n):\n"
	"    s.sendto(bytes(a.m), (a.address, a.port))\n"
	"    try:\n"
	"        answers += a.e and s.recv(65536) is not None\n"
	"    except OSError:\n"
	"        pass\n"
	"print(f'sent {a.n} datagrams' + (f', {answers} answers' if a.e else ''))\n"
	"END\n"
	"chmod +x \"$tools/udp4send\"\n";

static const char udpsink[] = "\n"
			      "# udpsink [-n DATAGRAMS] [-e] [-c CPU] [PORT]\n"
			      "cat >\"$tools/udpsink\" <<'END'\n"
			      "#!/usr/bin/env python3\n"
			      "import argparse, os, socket\n"
			      "p = argparse.ArgumentParser()\n"
			      "p.add_argument('-n', type=int, default=1)\n"
			      "p.add_argument('-m', type=int)\n"
			      "p.add_argument('-e', action='store_true')\n"
			      "p.add_argument('-c', type=int)\n"
			      "p.add_argument('port', type=int, nargs='?', default=5000)\n"
			      "a = p.parse_args()\n"
			      "if a.c is not None:\n"
			      "    os.sched_setaffinity(0, [a.c])\n"
			      "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
			      "s.bind(('', a.port))\n"
			      "s.settimeout(5)\n"
			      "received = 0\n"
			      "try:\n"
			      "    while received < a.n:\n"
			      "        data, sender = s.recvfrom(65536)\n"
			      "        received += 1\n"
			      "        if a.e:\n"
			      "            s.sendto(data, sender)\n"
			      "except socket.timeout:\n"
			      "    pass\n"
			      "print(f'received {received} datagrams')\n"
			      "END\n"
			      "chmod +x \"$tools/udpsink\"\n";

static const struct {
	const char *name, *text;
} tools[] = {
	{"udp6send", udp6send},
	{"udp4send", udp4send},
	{"udpsink", udpsink},
};

static bool
uses(const struct scenario *s, const char *name)
{
	g_autofree char *word = g_strconcat(name, " ", NULL);

	for (unsigned i = 0; i < s->phases->len; i++) {
		const struct phase *phase = g_ptr_array_index(s->phases, i);

		for (unsigned j = 0; j < phase->steps->len; j++) {
			const struct step *step = g_ptr_array_index(phase->steps, j);

			if (strstr(step->text, word) || g_str_has_suffix(step->text, name))
				return true;
		}
	}
	return false;
}

void
script_append_tools(GString *out, const struct scenario *s)
{
	bool any = false;

	for (unsigned i = 0; i < G_N_ELEMENTS(tools); i++) {
		if (!uses(s, tools[i].name))
			continue;
		if (!any)
			g_string_append(out, begin_tools);
		any = true;
		g_string_append(out, tools[i].text);
	}
}
