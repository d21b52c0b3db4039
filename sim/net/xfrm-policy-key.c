/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-policy-key.c - what policies are found by, and which of them are exact. */
#include "net/xfrm-hash.h"
#include "net/xfrm-policy-inexact.h"

static struct xfrm_policy_hthresh
bits_of(const struct xfrm_policy_net *xn, uint16_t family)
{
	return family == AF_INET6 ? xn->used6 : xn->used4;
}

/* What is sent goes from the local to the remote prefix, all else comes from there. */
static unsigned
dbits(struct xfrm_policy_hthresh t, uint8_t dir)
{
	return dir == XFRM_POLICY_OUT ? t.rbits : t.lbits;
}

static unsigned
sbits(struct xfrm_policy_hthresh t, uint8_t dir)
{
	return dir == XFRM_POLICY_OUT ? t.lbits : t.rbits;
}

bool
xfrm_policy_is_exact(const struct xfrm_policy_net *xn, const struct xfrm_pol *pol)
{
	const struct xfrm_selector *sel = &pol->info.sel;
	struct xfrm_policy_hthresh t = bits_of(xn, sel->family);

	return sel->prefixlen_d >= dbits(t, pol->info.dir) &&
	       sel->prefixlen_s >= sbits(t, pol->info.dir);
}

/* The first bits of an address, the others zero. */
static void
put_prefix(struct key *k, const xfrm_address_t *addr, uint16_t family, unsigned bits)
{
	uint32_t bytes = MIN(family == AF_INET6 ? 16 : 4, KEY_ADDR_MAX - k->len);
	const uint8_t *from = (const uint8_t *)addr;

	for (uint32_t i = 0; i < bytes && 8 * i < bits; i++) {
		unsigned left = bits - 8 * i;

		k->addr[k->len + i] = from[i] & (left < 8 ? (uint8_t)(0xff << (8 - left)) : 0xff);
	}
	k->len += bytes;
}

/* Begins with the kernel's hash.  Of IPv6 the last four bytes do not fit. */
struct key
xfrm_policy_dst_key(const struct xfrm_policy_net *xn, const xfrm_address_t *daddr,
		    const xfrm_address_t *saddr, uint16_t family, uint8_t dir)
{
	struct xfrm_policy_hthresh t = bits_of(xn, family);
	struct key k = key_of_u32(xfrm_policy_hash((const uint8_t *)daddr, (const uint8_t *)saddr,
						   family, dbits(t, dir), sbits(t, dir)));

	put_prefix(&k, daddr, family, dbits(t, dir));
	put_prefix(&k, saddr, family, sbits(t, dir));
	if (family == AF_INET)
		k.addr[KEY_ADDR_MAX - 1] = AF_INET;
	k.len = KEY_ADDR_MAX;
	return k;
}

struct key
xfrm_policy_idx_key(uint32_t index)
{
	uint32_t words[2] = {GUINT32_TO_BE(xfrm_policy_idx_hash(index)), GUINT32_TO_BE(index)};

	return key_make(words, sizeof words, 0);
}
