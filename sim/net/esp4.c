/* SPDX-License-Identifier: GPL-2.0-or-later */
/* esp4.c - ESP over IPv4: how long packets become, and the steps of doing it.
 *
 * Models net/ipv4/esp4.c and xfrm_state_mtu() of net/xfrm/xfrm_state.c (Linux 5.10 and
 * 6.1).  Block sizes and initialization vectors are those of RFC 2410, 2451, 3602, 3686,
 * 4106, 4309, 4543 and 7634. */
#include <string.h>

#include "net/xfrm-packet.h"
#include "net/xfrm-user.h"

#define IP_HEADER     20
#define UDP_HEADER    8
#define ESP_HEADER    8 /* SPI and sequence number */
#define ESP_TRAILER   2 /* length of the padding and next header */
#define ESP_ALIGNMENT 4u

/* Bytes. */
static const struct cipher {
	const char *name;
	unsigned block, iv;
} ciphers[] = {
	{"ecb(cipher_null)", 1, 0},  {"cbc(des)", 8, 8},
	{"cbc(des3_ede)", 8, 8},     {"cbc(cast5)", 8, 8},
	{"cbc(blowfish)", 8, 8},     {"cbc(aes)", 16, 16},
	{"cbc(serpent)", 16, 16},    {"cbc(camellia)", 16, 16},
	{"cbc(twofish)", 16, 16},    {"rfc3686(ctr(aes))", 1, 8},
	{"rfc4106(gcm(aes))", 1, 8}, {"rfc4309(ccm(aes))", 1, 8},
	{"rfc4543(gcm(aes))", 1, 8}, {"rfc7539esp(chacha20,poly1305)", 1, 8},
};

static const struct cipher *
cipher_of(const struct xfrm_state *x)
{
	const struct xfrm_alg *aead = x->sa.alg[XFRM_ALG_AEAD], *crypt = x->sa.alg[XFRM_ALG_CRYPT];
	const char *name = aead ? aead->name : crypt ? crypt->name : ciphers[0].name;

	for (unsigned i = 0; i < G_N_ELEMENTS(ciphers); i++)
		if (strcmp(ciphers[i].name, name) == 0)
			return &ciphers[i];
	return &ciphers[0];
}

static unsigned
block_size(const struct xfrm_state *x)
{
	return MAX(cipher_of(x)->block, ESP_ALIGNMENT);
}

static unsigned
icv_size(const struct xfrm_state *x)
{
	const struct xfrm_alg *aead = x->sa.alg[XFRM_ALG_AEAD], *auth = x->sa.alg[XFRM_ALG_AUTH];

	return (aead ? aead->icv_bits : auth ? auth->icv_bits : 0) / 8;
}

static bool
is_tunnel(const struct xfrm_state *x)
{
	return x->sa.info.mode == XFRM_MODE_TUNNEL;
}

/* What stands before the encrypted part, but for the header of IP that was there. */
static unsigned
header_len(const struct xfrm_state *x)
{
	return ESP_HEADER + cipher_of(x)->iv + (is_tunnel(x) ? IP_HEADER : 0) +
	       (x->sa.has_encap ? UDP_HEADER : 0);
}

static unsigned
net_adj(const struct xfrm_state *x)
{
	return is_tunnel(x) ? 0 : IP_HEADER;
}

unsigned
xfrm_state_mtu(const struct xfrm_state *x, unsigned mtu)
{
	unsigned over = header_len(x) + icv_size(x) + net_adj(x), block = block_size(x);
	unsigned room = mtu > over ? (mtu - over) / block * block : 0;

	CALL_ENTER(&x->net->kernel->calls, "xfrm_state_mtu");
	return room > ESP_TRAILER ? room + net_adj(x) - ESP_TRAILER : net_adj(x);
}

unsigned
esp_len(const struct xfrm_state *x, unsigned len)
{
	unsigned block = block_size(x), plain = len - net_adj(x) + ESP_TRAILER;

	return net_adj(x) + header_len(x) + (plain + block - 1) / block * block + icv_size(x);
}

static void
esp_output_tail(const struct xfrm_state *x)
{
	CALL_ENTER(&x->net->kernel->calls, "esp_output_tail");
}

void
esp_output(const struct xfrm_state *x, const struct ip_packet *packet, struct ip_packet *outer)
{
	bool tunnel = is_tunnel(x);

	CALL_ENTER(&x->net->kernel->calls, "esp_output");
	CALL(&x->net->kernel->calls, "esp_output_head");
	*outer = (struct ip_packet){
		.saddr = tunnel ? GUINT32_FROM_BE(x->sa.info.saddr.a4) : packet->saddr,
		.daddr = tunnel ? GUINT32_FROM_BE(x->sa.info.id.daddr.a4) : packet->daddr,
		.protocol = IPPROTO_ESP,
		.len = esp_len(x, packet->len),
		.inner = packet,
		.spi = x->sa.info.id.spi,
		.esp_seq = x->sa.replay.oseq,
	};
	esp_output_tail(x);
}

void
esp_input(struct net *net, struct xfrm_state *x)
{
	CALL_ENTER(&net->kernel->calls, "esp_input");
	CALL(&net->kernel->calls, "esp_input_done2");
}
