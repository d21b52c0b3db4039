/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test-info.c - what a real ip made of the kinds of links: recorded/kinds.txt has the
 * kernel's attributes, ip's JSON and ip's text of each. */
#include <linux/rtnetlink.h>

#include "iproute/show.h"
#include "recording.h"

struct recorded_link {
	int ifindex;
	char *name, *attributes, *json, *text; /* the last three: null for a link without */
};

static GArray *recorded;

static void
recorded_clear(void *data)
{
	struct recorded_link *r = data;

	g_free(r->name);
	g_free(r->attributes);
	g_free(r->json);
	g_free(r->text);
}

/* "IFINDEX NAME", or with ATTRIBUTES behind it and two lines more. */
static void
read_links(void)
{
	g_autofree char *text = recording_read("kinds.txt");
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	recorded = g_array_new(FALSE, TRUE, sizeof(struct recorded_link));
	g_array_set_clear_func(recorded, recorded_clear);
	for (unsigned n = 0; lines[n] && *lines[n]; n++) {
		g_auto(GStrv) words = g_strsplit(lines[n], " ", 3);
		struct recorded_link r = {.ifindex = atoi(words[0]), .name = g_strdup(words[1])};

		if (words[2]) {
			r.attributes = g_strdup(words[2]);
			r.json = g_strdup(lines[++n]);
			r.text = g_strdup(lines[++n]);
		}
		g_array_append_val(recorded, r);
	}
}

/* A message that has no more than the test needs. */
static void
build(const struct recorded_link *r, uint32_t *buffer)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buffer);
	struct ifinfomsg *ifm = mnl_nlmsg_put_extra_header(nlh, sizeof *ifm);
	uint8_t bytes[2048];
	size_t len = 0;

	ifm->ifi_index = r->ifindex;
	ifm->ifi_flags = IFF_UP;
	mnl_attr_put_strz(nlh, IFLA_IFNAME, r->name);
	mnl_attr_put_u32(nlh, IFLA_TXQLEN, 0);
	for (const char *hex = r->attributes; hex && *hex; hex += 2)
		bytes[len++] =
			(uint8_t)(g_ascii_xdigit_value(hex[0]) << 4 | g_ascii_xdigit_value(hex[1]));
	if (len)
		mnl_attr_put(nlh, IFLA_LINKINFO, len, bytes);
}

static json_t *
linkinfo_of(const struct recorded_link *r)
{
	struct show_links *links = show_links_new(NULL);
	uint32_t buffer[1024];
	json_t *link, *info;

	for (unsigned n = 0; n < recorded->len; n++) {
		build(&g_array_index(recorded, struct recorded_link, n), buffer);
		show_links_note(links, (const struct nlmsghdr *)(const void *)buffer);
	}
	build(r, buffer);
	link = show_link_json(links, (const struct nlmsghdr *)(const void *)buffer);
	info = json_incref(json_object_get(link, "linkinfo"));
	json_decref(link);
	show_links_free(links);
	return info;
}

START_TEST(kind)
{
	const struct recorded_link *r = &g_array_index(recorded, struct recorded_link, _i);
	g_autoptr(GString) json = g_string_new(NULL), text = g_string_new(NULL);
	json_t *info = linkinfo_of(r);

	ck_assert_int_eq(info != NULL, r->json != NULL);
	if (!info)
		return;
	show_json(info, json);
	g_string_truncate(json, json->len - 1);
	ck_assert_str_eq(json->str, r->json);
	show_info_text(info, "\\", text);
	ck_assert_str_eq(text->str + 1, r->text);
	json_decref(info);
}
END_TEST

int
main(void)
{
	int result;

	read_links();
	result = run_table("info", kind, (int)recorded->len);
	g_array_unref(recorded);
	return result;
}
