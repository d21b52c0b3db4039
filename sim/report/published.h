/* SPDX-License-Identifier: GPL-2.0-or-later */
/* published.h - what somebody measured on a real kernel, and published: figures that
 * a scenario's file has and a result shows beside its own. */
#pragma once

#include <math.h>
#include <stdbool.h>

enum published_figure {
	PUBLISHED_REAL_S, /* seconds, as time(1) calls them */
	PUBLISHED_SHOWN,  /* entries that a dump showed */
	PUBLISHED_PPS,    /* packets a second, of all senders */
	PUBLISHED_MBIT,   /* millions of bits of data a second, of all senders */
	PUBLISHED_FIGURES,
};

struct published_name {
	const char *key;    /* in a scenario's file: "real_s" */
	const char *what;   /* "a number of seconds" */
	const char *metric; /* in results: "published_s" */
	const char *unit;
};

extern const struct published_name published_names[PUBLISHED_FIGURES];

struct published {
	double figure[PUBLISHED_FIGURES]; /* negative: none */
};

extern const struct published published_none;

static inline bool
published_has(const struct published *p, enum published_figure which)
{
	return p->figure[which] >= 0 && isfinite(p->figure[which]);
}
