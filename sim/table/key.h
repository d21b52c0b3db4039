/* SPDX-License-Identifier: GPL-2.0-or-later */
/* key.h - what every table is searched by: an address and a subkey. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define KEY_ADDR_MAX 32         /* the kernel's MAX_ADDR_LEN */
#define KEY_ANY      UINT32_MAX /* any subkey; for table_find() only, never stored */

/* 'sub' is what the kernel compares after the address: the type of a device
 * address, the VLAN of an fdb entry, the ifindex of an IPv6 address, the SPI
 * of an xfrm state.  Bytes of 'addr' past 'len' are zero, so that comparing
 * and hashing may take whole words.  All keys of one table have one length. */
struct key {
	uint8_t addr[KEY_ADDR_MAX];
	uint32_t sub;
	uint32_t len;
};

static inline struct key
key_make(const void *addr, uint32_t len, uint32_t sub)
{
	struct key k = {.sub = sub, .len = len};

	memcpy(k.addr, addr, len);
	return k;
}

/* The key of a number: four bytes, most significant first. */
static inline struct key
key_of_u32(uint32_t number)
{
	uint32_t be = GUINT32_TO_BE(number);

	return key_make(&be, sizeof be, 0);
}

static inline uint64_t
key_word(const struct key *k, uint32_t at)
{
	uint64_t word;

	memcpy(&word, k->addr + at, sizeof word);
	return GUINT64_FROM_BE(word);
}

/* The order of memcmp() on the addresses. */
static inline int
key_compare_addr(const struct key *a, const struct key *b)
{
	for (uint32_t at = 0; at < a->len; at += sizeof(uint64_t)) {
		uint64_t x = key_word(a, at), y = key_word(b, at);

		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

/* By address, then by subkey. */
static inline int
key_compare(const struct key *a, const struct key *b)
{
	int diff = key_compare_addr(a, b);

	return diff != 0 ? diff : (a->sub > b->sub) - (a->sub < b->sub);
}

static inline bool
key_equal(const struct key *a, const struct key *b)
{
	return a->sub == b->sub && key_compare_addr(a, b) == 0;
}

/* Of the address only, so that all subkeys share a bucket and a wildcard
 * costs one chain. */
static inline uint32_t
key_hash_addr(const struct key *k, uint64_t seed)
{
	uint64_t h = seed;

	for (uint32_t at = 0; at < k->len; at += sizeof(uint64_t)) {
		h ^= key_word(k, at);
		h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
		h ^= h >> 31;
	}
	return (uint32_t)h;
}

/* Of address and subkey. */
static inline uint32_t
key_hash(const struct key *k, uint64_t seed)
{
	return key_hash_addr(k, seed + (k->sub + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15));
}
