/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choose.h - which table of a run gets which backend. */
#pragma once

#include "scenario/run.h"
#include "backend.h"

/* One choice for each of table_spec_at(). */
struct choices {
	struct backend_choice *choice;
};

/* The narrower wins over the wider, the user over the scenario, the later over
 * the earlier; what nobody chose is the kernel's own.  'backends' is
 * run_options' and may be null. */
bool choices_init(struct choices *, const struct scenario *, const char *const *backends,
		  GError **error);
void choices_clear(struct choices *);

/* Fits kernel_config.choose; 'choices' is a struct choices. */
const struct backend_choice *choices_get(const struct table_spec *, void *choices);
