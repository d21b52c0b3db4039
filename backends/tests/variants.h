/* SPDX-License-Identifier: GPL-2.0-or-later */
/* variants.h - the choices that the suites run on: from the registry, so that a
 * new backend and its parameters are tested without an edit here. */
#pragma once

/* Each backend as it is, and once more for each other word of its parameters
 * and for the least value of each number ("hash:buckets=1"). */
unsigned variant_count(void);
const char *variant_at(unsigned);
