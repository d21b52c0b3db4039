/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.h - the user's side: command lines as a shell would run them.
 *
 * A command line is parsed when the scenario is loaded (to find errors early)
 * and run later, by a task that is the process: it resolves names, sends
 * requests (net/request.h) and prints what iproute2 prints. */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "net/kernel.h"

struct command;

/* What a process left behind. */
struct answer {
	int status; /* its exit status */
	GString *output, *error;
	GArray *recvmsg; /* unsigned: the size of each datagram that it read; may be null */
	bool unordered;  /* the output's lines come in the order of a structure's own */
};

/* Parses one command line: words and quotes as in sh, and of sh's operators
 * only those that scenarios need:
 *
 *   ip [-n NS] [-j] [-d] [-6|-4|...] OBJECT COMMAND ...   as iproute2's manual has it
 *   bridge [-n NS] fdb|vlan|link COMMAND ...              as iproute2's manual has it
 *   mausezahn DEV [-c COUNT] [-a MAC] [-b MAC] [-Q VLAN]  sends frames
 *   udp6send [-n PACKETS] [-t MS] [-m BYTES] [-c CPU] ADDRESS [PORT]
 *   udp4send [-n DATAGRAMS] [-m BYTES] [-e] [-c CPU] ADDRESS [PORT]
 *   udpsink [-n DATAGRAMS] [-e] [-c CPU] [PORT]
 *   netserver [-p PORT]
 *   netperf -H ADDRESS [-l SECONDS|-BYTES] [-t TCP_STREAM] [-p PORT] [-P 0|1]
 *   cat /proc/net/xfrm_stat
 *   ip netns exec NS sysctl -w a.b.c=V        and  sysctl -w a.b.c=V
 *   echo V | ip netns exec NS tee /proc/sys/a/b/c
 *   sleep SECONDS
 *   ... || true          its failure is no failure
 *   > /dev/null, 2>/dev/null, >/dev/null 2>&1       accepted, no effect
 *   ... &                runs beside what comes next
 *   wait                 until none of these is left
 *
 * Null, with an error of domain COMMAND_ERROR, for a command that is unknown,
 * that is not simulated (the text says so), or whose words are wrong.  The text
 * has no position; 'column' (may be null) receives that of the bad word from 1. */
struct command *command_parse(const char *line, unsigned *column, GError **error);
void command_free(struct command *);

/* How a shell runs it.  What is said to be '&' or 'wait' is the caller's to do: a run
 * of the latter does nothing. */
enum command_manner {
	COMMAND_FOREGROUND,
	COMMAND_BACKGROUND,
	COMMAND_WAIT,
};

enum command_manner command_manner(const struct command *);

/* The CPU that it is to run on; -1: any. */
int command_cpu(const struct command *);

/* The name of the program that does the work: "ip", "sysctl". */
const char *command_program(const struct command *);

#define COMMAND_ERROR (command_error_quark())
GQuark command_error_quark(void);

/* By a task.  The caller owns the answer's strings, and has made them. */
void command_run(const struct command *, struct kernel *, struct answer *);

/* The final state in the shape of 'ip -j link show', 'ip -j addr show' and
 * 'ip -j maddress show' of one namespace: new references.  'link' has -d's
 * promiscuity and allmulti. */
json_t *show_link(struct net *);
json_t *show_addr(struct net *);
json_t *show_maddr(struct net *);
