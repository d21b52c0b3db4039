/* SPDX-License-Identifier: GPL-2.0-or-later */
/* random.h - the simulation's only source of randomness: the run's seed. */
#pragma once

#include <stdint.h>

struct rng {
	uint64_t state;
};

/* splitmix64, by Sebastiano Vigna: public domain, full period, one word. */
static inline uint64_t
rng_next(struct rng *r)
{
	uint64_t z = (r->state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* 0 .. bound - 1; the bias is below 2^-32 for the bounds used here. */
static inline uint64_t
rng_below(struct rng *r, uint64_t bound)
{
	return (rng_next(r) >> 32) * bound >> 32;
}
