/* SPDX-License-Identifier: GPL-2.0-or-later */
/* journal.h - what commands answered: the fingerprint over all of it, and the log. */
#pragma once

#include "report/result.h"
#include "scenario/job.h"
#include "scenario/run.h"

struct journal {
	GChecksum *checksum;
	const struct run_options *options; /* has the log */
};

void journal_init(struct journal *, const struct run_options *);
void journal_clear(struct journal *);

/* A command that has ended. */
void journal_add(struct journal *, const struct phase *, const struct job *);

/* At the end: the final state, and the fingerprint into the result. */
void journal_finish(struct journal *, struct run_result *);
