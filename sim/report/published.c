/* SPDX-License-Identifier: GPL-2.0-or-later */
/* published.c - the names of published figures. */
#include "report/published.h"

const struct published_name published_names[] = {
	[PUBLISHED_REAL_S] = {"real_s", "a number of seconds", "published_s", "s"},
	[PUBLISHED_SHOWN] = {"shown", "a number of entries", "published_shown", "count"},
	[PUBLISHED_PPS] = {"pps", "a number of packets a second", "published_pps", "1/s"},
	[PUBLISHED_MBIT] = {"mbit_per_s", "a number of millions of bits a second",
			    "published_mbit_per_s", "Mbit/s"},
};

const struct published published_none = {.figure = {[PUBLISHED_REAL_S] = -1,
						    [PUBLISHED_SHOWN] = -1,
						    [PUBLISHED_PPS] = -1,
						    [PUBLISHED_MBIT] = -1}};
