/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-algo.c - algorithms by their names.
 *
 * Models net/xfrm/xfrm_algo.c (Linux 5.10 and 6.1) and, of the ciphers, which lengths
 * of keys they take.  Nothing is computed with them. */
#include <string.h>

#include "net/xfrm-user.h"

struct algo {
	enum xfrm_alg_kind kind;
	const char *name, *other; /* other: what it was called before; may be null */
	unsigned icv, icv_max;    /* bits: the usual length of a check value, and its own */
	unsigned key_min, key_max, key_step;
};

static const struct algo algos[] = {
	{XFRM_ALG_AEAD, "rfc4106(gcm(aes))", NULL, 64, 128, 160, 288, 64},
	{XFRM_ALG_AEAD, "rfc4309(ccm(aes))", NULL, 64, 128, 152, 280, 64},
	{XFRM_ALG_AEAD, "rfc4543(gcm(aes))", NULL, 128, 128, 160, 288, 64},
	{XFRM_ALG_AEAD, "rfc7539esp(chacha20,poly1305)", NULL, 128, 128, 288, 288, 8},
	{XFRM_ALG_AUTH, "digest_null", NULL, 0, 0, 0, 0, 8},
	{XFRM_ALG_AUTH, "hmac(md5)", "md5", 96, 128, 0, 512, 8},
	{XFRM_ALG_AUTH, "hmac(sha1)", "sha1", 96, 160, 0, 512, 8},
	{XFRM_ALG_AUTH, "hmac(sha256)", "sha256", 96, 256, 0, 512, 8},
	{XFRM_ALG_AUTH, "hmac(sha384)", NULL, 192, 384, 0, 512, 8},
	{XFRM_ALG_AUTH, "hmac(sha512)", NULL, 256, 512, 0, 512, 8},
	{XFRM_ALG_AUTH, "hmac(rmd160)", "rmd160", 96, 160, 0, 512, 8},
	{XFRM_ALG_AUTH, "xcbc(aes)", NULL, 96, 128, 128, 128, 8},
	{XFRM_ALG_AUTH, "cmac(aes)", NULL, 96, 128, 128, 256, 64},
	{XFRM_ALG_CRYPT, "ecb(cipher_null)", "cipher_null", 0, 0, 0, 0, 8},
	{XFRM_ALG_CRYPT, "cbc(des)", "des", 0, 0, 64, 64, 8},
	{XFRM_ALG_CRYPT, "cbc(des3_ede)", "des3_ede", 0, 0, 192, 192, 8},
	{XFRM_ALG_CRYPT, "cbc(cast5)", "cast5", 0, 0, 40, 128, 8},
	{XFRM_ALG_CRYPT, "cbc(blowfish)", "blowfish", 0, 0, 32, 448, 8},
	{XFRM_ALG_CRYPT, "cbc(aes)", "aes", 0, 0, 128, 256, 64},
	{XFRM_ALG_CRYPT, "cbc(serpent)", "serpent", 0, 0, 0, 256, 8},
	{XFRM_ALG_CRYPT, "cbc(camellia)", "camellia", 0, 0, 128, 256, 64},
	{XFRM_ALG_CRYPT, "cbc(twofish)", "twofish", 0, 0, 128, 256, 64},
	{XFRM_ALG_CRYPT, "rfc3686(ctr(aes))", NULL, 0, 0, 160, 288, 64},
	{XFRM_ALG_COMP, "deflate", NULL, 0, 0, 0, 0, 8},
	{XFRM_ALG_COMP, "lzs", NULL, 0, 0, 0, 0, 8},
	{XFRM_ALG_COMP, "lzjh", NULL, 0, 0, 0, 0, 8},
};

static const char *const unknown[] = {
	[XFRM_ALG_AEAD] = "Requested AEAD algorithm not found",
	[XFRM_ALG_AUTH] = "Requested AUTH algorithm not found",
	[XFRM_ALG_CRYPT] = "Requested CRYPT algorithm not found",
	[XFRM_ALG_COMP] = "Requested COMP algorithm not found",
};

static const struct algo *
find_algo(enum xfrm_alg_kind kind, const char *name)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(algos); i++) {
		const struct algo *a = &algos[i];

		if (a->kind == kind &&
		    (strcmp(a->name, name) == 0 || g_strcmp0(a->other, name) == 0))
			return a;
	}
	return NULL;
}

static bool
refuse(int *err, const char **why, int error, const char *text)
{
	*err = error;
	*why = text;
	return false;
}

bool
xfrm_alg_attach(struct xfrm_alg *alg, enum xfrm_alg_kind kind, int *err, const char **why)
{
	const struct algo *a = find_algo(kind, alg->name);

	if (!a)
		return refuse(err, why, -ENOSYS, unknown[kind]);
	if (kind == XFRM_ALG_AUTH && alg->icv_bits > a->icv_max)
		return refuse(err, why, -EINVAL, "Invalid length requested for truncated ICV");
	if (kind == XFRM_ALG_AUTH && alg->icv_bits == 0)
		alg->icv_bits = a->icv;
	if (alg->key_bits < a->key_min || alg->key_bits > a->key_max ||
	    (alg->key_bits - a->key_min) % a->key_step != 0)
		return refuse(err, why, -EINVAL,
			      "Kernel was unable to initialize cryptographic operations");
	if (kind == XFRM_ALG_AEAD && (alg->icv_bits > a->icv_max || alg->icv_bits < a->icv))
		return refuse(err, why, -EINVAL,
			      "Kernel was unable to initialize cryptographic operations");
	alg->name = a->name;
	return true;
}
