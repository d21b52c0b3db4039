/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-hash.h - how the kernel hashes IPsec's states and policies.
 *
 * Models net/xfrm/xfrm_hash.h, and of include/linux/jhash.h what that needs: Bob
 * Jenkins' lookup3 (public domain, 2006) on words.  Addresses are as on the wire.  All
 * hashes are of 32 bits; a table's bucket is the low ones. */
#pragma once

#include <glib.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

/* A host's own order, in which the kernel adds and mixes words that it has from the
 * wire: that of x86. */
static inline uint32_t
xfrm_wire_word(const uint8_t *bytes, unsigned word)
{
	uint32_t raw;

	memcpy(&raw, bytes + sizeof raw * word, sizeof raw);
	return GUINT32_FROM_LE(raw);
}

static inline uint32_t
jhash_rol(uint32_t word, unsigned bits)
{
	return word << bits | word >> (32 - bits);
}

static inline void
jhash_mix(uint32_t v[3])
{
	static const unsigned bits[] = {4, 6, 8, 16, 19, 4};

	for (unsigned i = 0; i < 6; i++) {
		uint32_t *a = &v[i % 3], *b = &v[(i + 1) % 3], *c = &v[(i + 2) % 3];

		*a = (*a - *c) ^ jhash_rol(*c, bits[i]);
		*c += *b;
	}
}

static inline uint32_t
jhash_final(uint32_t v[3])
{
	static const unsigned bits[] = {14, 11, 25, 16, 4, 14, 24};

	for (unsigned i = 0; i < 7; i++) {
		uint32_t *into = &v[(i + 2) % 3], from = v[(i + 1) % 3];

		*into = (*into ^ from) - jhash_rol(from, bits[i]);
	}
	return v[2];
}

/* jhash2() of the kernel, hashword() of lookup3. */
static inline uint32_t
jhash2(const uint32_t *words, unsigned length, uint32_t initval)
{
	uint32_t first = 0xdeadbeef + (length << 2) + initval, v[3] = {first, first, first};

	for (; length > 3; length -= 3, words += 3) {
		for (unsigned i = 0; i < 3; i++)
			v[i] += words[i];
		jhash_mix(v);
	}
	for (unsigned i = 0; i < length; i++)
		v[i] += words[i];
	return length ? jhash_final(v) : v[2];
}

/* jhash_2words(), jhash_3words(): the same number, but not the same as jhash2(). */
static inline uint32_t
jhash_3words(uint32_t a, uint32_t b, uint32_t c, uint32_t initval)
{
	uint32_t first = 0xdeadbeef + (3 << 2) + initval, v[3] = {a + first, b + first, c + first};

	return jhash_final(v);
}

static inline uint32_t
jhash_2words(uint32_t a, uint32_t b, uint32_t initval)
{
	uint32_t first = 0xdeadbeef + (2 << 2) + initval, v[3] = {a + first, b + first, first};

	return jhash_final(v);
}

static inline uint32_t
xfrm6_addr_hash(const uint8_t *addr)
{
	uint32_t words[4];

	for (unsigned i = 0; i < 4; i++)
		words[i] = xfrm_wire_word(addr, i);
	return jhash2(words, 4, 0);
}

/* Of a pair.  IPv4: the sum of what is on the wire, and only then swapped. */
static inline uint32_t
xfrm_addrs_hash(const uint8_t *daddr, const uint8_t *saddr, uint16_t family)
{
	if (family == AF_INET6)
		return xfrm6_addr_hash(daddr) ^ xfrm6_addr_hash(saddr);
	return GUINT32_SWAP_LE_BE(xfrm_wire_word(daddr, 0) + xfrm_wire_word(saddr, 0));
}

static inline uint32_t
xfrm_dst_hash(const uint8_t *daddr, const uint8_t *saddr, uint32_t reqid, uint16_t family)
{
	uint32_t h = family ^ reqid ^ xfrm_addrs_hash(daddr, saddr, family);

	return h ^ h >> 16;
}

static inline uint32_t
xfrm_src_hash(const uint8_t *daddr, const uint8_t *saddr, uint16_t family)
{
	return xfrm_dst_hash(daddr, saddr, 0, family);
}

/* 'spi' is in the host's order. */
static inline uint32_t
xfrm_spi_hash(const uint8_t *daddr, uint32_t spi, uint8_t proto, uint16_t family)
{
	uint32_t h = GUINT32_SWAP_LE_BE(spi) ^ proto;

	h ^= family == AF_INET6 ? xfrm6_addr_hash(daddr)
				: GUINT32_SWAP_LE_BE(xfrm_wire_word(daddr, 0));
	return h ^ h >> 10 ^ h >> 20;
}

/* Policies: of the first bits of both addresses, so that one bucket has all packets of
 * such prefixes. */
static inline uint32_t
xfrm4_prefix_word(const uint8_t *addr, unsigned bits)
{
	uint32_t word = GUINT32_SWAP_LE_BE(xfrm_wire_word(addr, 0));

	return bits == 0 ? 0 : word & UINT32_MAX << (32 - MIN(bits, 32));
}

/* Words that are whole, and what is left of one more to begin with. */
static inline uint32_t
xfrm6_prefix_hash(const uint8_t *addr, unsigned bits)
{
	uint32_t words[4], rest = 0;

	for (unsigned i = 0; i < 4; i++)
		words[i] = xfrm_wire_word(addr, i);
	if (bits % 32)
		rest = words[bits / 32] & GUINT32_SWAP_LE_BE(UINT32_MAX << (32 - bits % 32));
	return jhash2(words, bits / 32, rest);
}

static inline uint32_t
xfrm_policy_hash(const uint8_t *daddr, const uint8_t *saddr, uint16_t family, unsigned dbits,
		 unsigned sbits)
{
	uint32_t h;

	if (family == AF_INET6)
		h = xfrm6_prefix_hash(daddr, dbits) ^ xfrm6_prefix_hash(saddr, sbits);
	else
		h = jhash_2words(xfrm4_prefix_word(daddr, dbits), xfrm4_prefix_word(saddr, sbits),
				 0);
	return h ^ h >> 16;
}

/* Of a policy's index. */
static inline uint32_t
xfrm_policy_idx_hash(uint32_t index)
{
	return index ^ index >> 8;
}
