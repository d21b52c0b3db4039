/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cacheline.h - memory that several CPUs write: a lock's word, a reference count.
 *
 * A line is where it was written last.  An atomic operation of another CPU waits for
 * those that asked before it, then for the line's way from there, which is the farther
 * the longer it takes, and has the line.  There it stays at least half as long as its
 * way took, for the next request needs that time to come: what its owner does meanwhile
 * is cheap, and so is everything as long as nobody else asks.  A CPU that waits for a
 * line is busy.
 *
 * A read gets a copy and leaves the line where it is; the next write has to call in the
 * copies, and so takes as long as if the line came from the farthest socket that has one.
 * Reads do not wait for each other.  A CPU has room for CPU_COPIES copies, of which a new
 * one can displace another.
 *
 * Where the machine's lines cost nothing, and outside tasks, nothing of this happens. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"

struct cacheline {
	struct engine *engine;
	struct wait_queue waiters; /* the first one's is on its way, or will be at keep_until */
	uint64_t keep_until;
	uint64_t number;  /* of the line; no other one of the engine has it */
	uint64_t writes;  /* so far: a copy is of one of them */
	uint64_t sockets; /* a bit for each that has copies */
	uint32_t owner;   /* a CPU, or LINE_NOWHERE: the first access is free */
};

#define LINE_NOWHERE UINT32_MAX
#define CPU_COPIES   1024

void line_init(struct cacheline *, struct engine *);

/* By the running task.  Each returns whether the line, or a copy, had to come. */
bool line_rmw(struct cacheline *);  /* an atomic read-modify-write, or a write */
bool line_read(struct cacheline *); /* free if it has the line, or a copy */
