/* SPDX-License-Identifier: GPL-2.0-or-later */
/* link-messages-test.c - messages about links and addresses beside those of real kernels.
 *
 * A file of truth/ has machines: the commands that make one, then for each of its
 * links the size of the message that a real kernel had about it, and its attributes
 * in their order, each by type and length or, where it is a nest, with what is in it.
 * A line that begins with '@' is about an address, in the order of the kernel's dump.
 * The simulated kernel must have the same links and addresses with the same messages. */
#include <check.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "iproute/command.h"
#include "net/netdevice.h"
#include "net/rtnl-ifinfo.h"

struct machine {
	unsigned version;
	GPtrArray *commands, *links, *addresses; /* lines of the file */
	GPtrArray *found, *found_addresses;      /* what there is */
	struct kernel *kernel;
};

static GPtrArray *machines;

/* A message as a line */

#define NO_NEST UINT16_MAX /* parent of attributes none of which is a nest */

static bool
is_nest(uint16_t parent, uint16_t type, bool in_bond)
{
	switch (parent) {
	case 0:
		return type == IFLA_LINKINFO || type == IFLA_AF_SPEC || type == IFLA_XDP;
	case IFLA_LINKINFO:
		return type == IFLA_INFO_DATA || type == IFLA_INFO_SLAVE_DATA;
	case IFLA_AF_SPEC:
		return true;
	default:
		return in_bond && parent == IFLA_INFO_DATA && type == IFLA_BOND_AD_INFO;
	}
}

static void append_attrs(GString *line, const uint8_t *data, size_t len, uint16_t parent,
			 bool in_bond);

static void
append_attr(GString *line, const struct nlattr *attr, uint16_t parent, bool in_bond)
{
	const uint8_t *payload = mnl_attr_get_payload(attr);
	uint16_t len = mnl_attr_get_payload_len(attr), type = mnl_attr_get_type(attr);

	g_string_append_printf(line, "%u", type);
	if (attr->nla_type & NLA_F_NESTED)
		g_string_append_c(line, 'N');
	if (!is_nest(parent, type, in_bond)) {
		g_string_append_printf(line, ":%u", len);
		return;
	}
	g_string_append_c(line, '{');
	append_attrs(line, payload, len, type, in_bond);
	g_string_append_c(line, '}');
}

static void
append_attrs(GString *line, const uint8_t *data, size_t len, uint16_t parent, bool in_bond)
{
	int left = (int)len;

	for (const struct nlattr *attr = (const void *)data; mnl_attr_ok(attr, left);
	     left -= MNL_ALIGN(attr->nla_len), attr = mnl_attr_next(attr)) {
		if (attr != (const void *)data)
			g_string_append_c(line, ' ');
		if (parent == IFLA_LINKINFO && mnl_attr_get_type(attr) == IFLA_INFO_KIND)
			in_bond = strcmp(mnl_attr_get_payload(attr), "bond") == 0;
		append_attr(line, attr, parent, in_bond);
	}
}

static char *
line_of(const struct net_device *dev)
{
	struct skb skb = {.data = g_malloc(4096), .size = 4096};
	GString *line = g_string_new(dev->name);

	ck_assert_int_eq(rtnl_fill_ifinfo(&skb, dev, &(struct ifinfo_request){.cb = NULL}), 0);
	g_string_append_printf(line, " %u ", skb.len);
	append_attrs(line, skb.data + NLMSG_HDRLEN + sizeof(struct ifinfomsg),
		     skb.len - NLMSG_HDRLEN - sizeof(struct ifinfomsg), 0, false);
	g_free(skb.data);
	return g_string_free(line, FALSE);
}

/* Addresses: those of a dump that no process reads. */

static char *
address_line(const struct nlmsghdr *nlh)
{
	const struct ifaddrmsg *ifm = mnl_nlmsg_get_payload(nlh);
	GString *line = g_string_new(NULL);

	g_string_append_printf(line, "@ %u %u/%u flags %u scope %u link %u ", nlh->nlmsg_len,
			       ifm->ifa_family, ifm->ifa_prefixlen, ifm->ifa_flags, ifm->ifa_scope,
			       ifm->ifa_index);
	append_attrs(line, mnl_nlmsg_get_payload_offset(nlh, sizeof *ifm),
		     mnl_nlmsg_get_payload_len(nlh) - sizeof *ifm, NO_NEST, false);
	return g_string_free(line, FALSE);
}

static void
find_addresses(struct machine *m, struct net *net)
{
	uint32_t request[16], data[1024];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(request);
	struct netlink_callback cb = {.net = net, .nlh = nlh};
	struct skb skb = {.data = (uint8_t *)data, .size = sizeof data};

	mnl_nlmsg_put_extra_header(nlh, sizeof(struct ifaddrmsg));
	while (rtnl_dump_all(&skb, &cb) > 0) {
		int left = (int)skb.len;

		for (nlh = (void *)data; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left))
			g_ptr_array_add(m->found_addresses, address_line(nlh));
		skb.len = 0;
	}
}

/* Machines */

static void
run_one(struct kernel *k, const char *line)
{
	struct answer answer = {.output = g_string_new(NULL), .error = g_string_new(NULL)};
	GError *error = NULL;
	struct command *c = command_parse(line, NULL, &error);

	if (!c)
		g_error("%s: %s", line, error->message);
	command_run(c, k, &answer);
	if (answer.status)
		g_error("%s: %s", line, answer.error->str);
	command_free(c);
	g_string_free(answer.output, TRUE);
	g_string_free(answer.error, TRUE);
}

static void
user(void *data)
{
	struct machine *m = data;
	struct net *net;

	kernel_boot(m->kernel);
	for (unsigned n = 0; n < m->commands->len; n++)
		run_one(m->kernel, m->commands->pdata[n]);
	rtnl_lock(m->kernel);
	net = net_by_name(m->kernel, "t");
	for (const struct net_device *dev = net->first; dev; dev = dev->next)
		g_ptr_array_add(m->found, line_of(dev));
	find_addresses(m, net);
	rtnl_unlock(m->kernel);
}

static void
run_machine(struct machine *m)
{
	struct engine *engine =
		engine_new(&(struct engine_config){.cpus = 2, .grace_ps = PS_PER_MS});

	m->kernel = kernel_new(&(struct kernel_config){
		.engine = engine, .options = {.version = m->version}, .seed = 1});
	task_detach(task_start(engine, "user", user, m));
	if (!engine_run(engine, NULL))
		g_error("the engine stopped");
	kernel_free(m->kernel);
	engine_free(engine);
}

static struct machine *
machine_new(unsigned version)
{
	struct machine *m = g_new0(struct machine, 1);

	m->version = version;
	m->commands = g_ptr_array_new_with_free_func(g_free);
	m->links = g_ptr_array_new_with_free_func(g_free);
	m->addresses = g_ptr_array_new_with_free_func(g_free);
	m->found = g_ptr_array_new_with_free_func(g_free);
	m->found_addresses = g_ptr_array_new_with_free_func(g_free);
	return m;
}

static void
machine_free(void *data)
{
	struct machine *m = data;

	g_ptr_array_unref(m->commands);
	g_ptr_array_unref(m->links);
	g_ptr_array_unref(m->addresses);
	g_ptr_array_unref(m->found);
	g_ptr_array_unref(m->found_addresses);
	g_free(m);
}

/* "# machine", then "$ COMMAND"s and "NAME SIZE ATTRIBUTES"s. */
static void
read_machines(const char *file, unsigned version)
{
	g_autofree char *path = g_build_filename(TRUTH, file, NULL), *text = NULL;
	g_auto(GStrv) lines = NULL;
	struct machine *m = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		g_error("cannot read %s", path);
	lines = g_strsplit(text, "\n", -1);
	for (unsigned n = 0; lines[n] && *lines[n]; n++) {
		if (*lines[n] == '#') {
			m = machine_new(version);
			g_ptr_array_add(machines, m);
		} else if (g_str_has_prefix(lines[n], "$ ")) {
			g_ptr_array_add(m->commands, g_strdup(lines[n] + 2));
		} else if (*lines[n] == '@') {
			g_ptr_array_add(m->addresses, g_strdup(lines[n]));
		} else {
			g_ptr_array_add(m->links, g_strdup(lines[n]));
		}
	}
}

static void
expect_same(const GPtrArray *found, const GPtrArray *expected)
{
	for (unsigned n = 0; n < expected->len && n < found->len; n++)
		ck_assert_str_eq(found->pdata[n], expected->pdata[n]);
	ck_assert_uint_eq(found->len, expected->len);
}

START_TEST(messages)
{
	struct machine *m = machines->pdata[_i];

	run_machine(m);
	ck_assert_uint_gt(m->links->len, 10);
	expect_same(m->found, m->links);
	if (m->addresses->len > 0)
		expect_same(m->found_addresses, m->addresses);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("link-messages");
	TCase *tcase = tcase_create("link-messages");
	SRunner *runner;
	int failed;

	machines = g_ptr_array_new_with_free_func(machine_free);
	read_machines("link-messages-5.10.txt", KERNEL_5_10);
	read_machines("link-messages-6.1.txt", KERNEL_6_1);
	tcase_add_loop_test(tcase, messages, 0, (int)machines->len);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	g_ptr_array_unref(machines);
	return failed ? 1 : 0;
}
