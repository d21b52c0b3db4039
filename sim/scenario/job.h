/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job.h - one command line while a shell runs it: a process, and what it leaves. */
#pragma once

#include "cost/machine.h"
#include "iproute/command.h"
#include "scenario/scenario.h"

struct job {
	const struct step *step;
	char *line;
	struct command *command;
	struct answer answer;
	uint64_t start_ps, end_ps;

	/* While it runs. */
	struct kernel *kernel;
	const struct machine *machine;
	struct task *task;
};

/* Null and an error for a line that makes no sense, which has its place. */
struct job *job_new(const struct scenario *, const struct step *, const char *line, GError **);
void job_free(void *job); /* one that runs no more, or whose engine is gone */

/* By the task that is the shell. */
void job_start(struct job *, struct kernel *, const struct machine *);
void job_wait(struct job *); /* once; returns when the process is gone */
