/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test-answers.c - what the kernel answers, and how a command tells it: the
 * texts and exit statuses of iproute2 6.1, procps 4.0 and coreutils 9.1. */
#include <errno.h>

#include "run-line.h"

struct told {
	const char *line;
	int result; /* of the request */
	const char *ack;
	int status;
	const char *output, *error;
};

static const struct told answers[] = {
	{"ip link set foo up", 0, NULL, 0, "", ""},
	{"ip link set foo up", -EEXIST, NULL, 2, "", "RTNETLINK answers: File exists\n"},
	{"ip link set foo up", -EBUSY, NULL, 2, "", "RTNETLINK answers: Device or resource busy\n"},
	{"ip link set foo up", -ENETDOWN, NULL, 2, "", "RTNETLINK answers: Network is down\n"},
	{"ip link set foo up", -EINVAL, "Can not enslave a bridge to a bridge", 2, "",
	 "Error: Can not enslave a bridge to a bridge.\n"},
	{"ip link set foo up", -EINVAL, "Has a full stop.", 2, "", "Error: Has a full stop.\n"},
	{"ip link set foo up", 0, "Not what you think", 0, "", "Warning: Not what you think.\n"},
	{"ip link set foo up || true", -EEXIST, NULL, 0, "", "RTNETLINK answers: File exists\n"},
	{"ip link set nosuch up", 0, NULL, 1, "", "Cannot find device \"nosuch\"\n"},
	{"ip link set abcdefghijklmnopq up", 0, NULL, 1, "",
	 "Cannot find device \"abcdefghijklmnopq\"\n"},
	{"ip link set nosuch master foo", 0, NULL, 1, "", "Cannot find device \"nosuch\"\n"},
	{"ip link set foo master nosuch", 0, NULL, 255, "",
	 "Error: argument \"nosuch\" is wrong: Device does not exist\n\n"},
	{"ip link set nosuch master nosuch2", 0, NULL, 255, "",
	 "Error: argument \"nosuch2\" is wrong: Device does not exist\n\n"},
	{"ip link set foo vrf nosuch", 0, NULL, 255, "",
	 "Error: argument \"nosuch\" is wrong: Not a valid VRF name\n\n"},
	{"ip link set foo vrf b1", 0, NULL, 255, "",
	 "Error: argument \"b1\" is wrong: Not a valid VRF name\n\n"},
	{"ip link set foo netns nosuch", 0, NULL, 255, "",
	 "Error: argument \"nosuch\" is wrong: Invalid \"netns\" value\n\n"},
	{"ip link set foo netns 99999", 0, NULL, 2, "", "RTNETLINK answers: No such process\n"},
	{"ip link set foo address 00:11", 0, NULL, 1, "",
	 "Invalid address length 2 - must be 6 bytes\n"},
	{"ip link set nosuch address 00:11", 0, NULL, 1, "", "Cannot find device \"nosuch\"\n"},
	{"ip link add x address 06:00 type dummy", 0, NULL, 2, "",
	 "RTNETLINK answers: Invalid argument\n"},
	{"ip link add x address 06:00:00:00:00:01:02 type dummy", 0, NULL, 2, "",
	 "RTNETLINK answers: Invalid argument\n"},
	{"ip link add x type veth peer y address 06:00", 0, NULL, 2, "",
	 "RTNETLINK answers: Invalid argument\n"},
	{"ip link add link nosuch name x type vlan id 4", 0, NULL, 1, "",
	 "Cannot find device \"nosuch\"\n"},
	{"ip link add x type bond primary nosuch", 0, NULL, 1, "",
	 "Cannot find device \"nosuch\"\n"},
	{"ip link add x type veth peer master nosuch", 0, NULL, 255, "",
	 "Error: argument \"nosuch\" is wrong: Device does not exist\n\n"},
	{"ip link add link b1 name x type vlan id 4095", -ERANGE, "8021q: Invalid VLAN id", 2, "",
	 "Error: 8021q: Invalid VLAN id.\n"},
	{"ip link del nosuch", 0, NULL, 1, "", "Cannot find device \"nosuch\"\n"},
	{"ip link del foo", -EOPNOTSUPP, NULL, 2, "",
	 "RTNETLINK answers: Operation not supported\n"},
	{"ip link show nosuch", 0, NULL, 1, "", "Device \"nosuch\" does not exist.\n"},
	{"ip -j link show dev nosuch", 0, NULL, 1, "", "Device \"nosuch\" does not exist.\n"},
	{"ip link show master nosuch", 0, NULL, 255, "",
	 "Error: argument \"nosuch\" is wrong: Device does not exist\n\n"},
	{"ip link show vrf b1", 0, NULL, 255, "",
	 "Error: argument \"b1\" is wrong: Not a valid VRF name\n\n"},
	{"ip -n nosuch link show", 0, NULL, 255, "",
	 "Cannot open network namespace \"nosuch\": No such file or directory\n"},
	{"ip -n nosuch link set foo up || true", 0, NULL, 0, "",
	 "Cannot open network namespace \"nosuch\": No such file or directory\n"},
	{"ip netns exec nosuch true", 0, NULL, 255, "",
	 "Cannot open network namespace \"nosuch\": No such file or directory\n"},
	{"ip netns add test", -EEXIST, NULL, 1, "",
	 "Cannot create namespace file \"/run/netns/test\": File exists\n"},
	{"ip netns del nosuch", -ENOENT, NULL, 1, "",
	 "Cannot remove namespace file \"/run/netns/nosuch\": No such file or directory\n"},
	{"ip netns", 0, NULL, 0, "two\ntest\n", ""},
	{"ip -j netns list", 0, NULL, 0, "[{\"name\":\"two\"},{\"name\":\"test\"}]\n", ""},

	{"ip address add 2000::1/64 dev nosuch", 0, NULL, 1, "", "Cannot find device \"nosuch\"\n"},
	{"ip address add 2000::1/64 dev foo", -EEXIST, NULL, 2, "",
	 "RTNETLINK answers: File exists\n"},
	{"ip address del 2000::1/64 dev foo", -EADDRNOTAVAIL, NULL, 2, "",
	 "RTNETLINK answers: Cannot assign requested address\n"},
	{"ip address flush dev nosuch", 0, NULL, 1, "", "Device \"nosuch\" does not exist.\n"},
	{"ip address show dev nosuch", 0, NULL, 1, "", "Device \"nosuch\" does not exist.\n"},

	{"ip maddress add 01:00:5e:00:00:0a dev nosuch", -ENODEV, NULL, 1, "",
	 "ioctl: No such device\n"},
	{"ip maddress del 01:00:5e:00:00:0a dev foo", -ENOENT, NULL, 1, "",
	 "ioctl: No such file or directory\n"},
	{"ip maddress show dev nosuch", 0, NULL, 0, "", ""},
	{"ip -j maddress show dev nosuch", 0, NULL, 0, "[]\n", ""},

	{"sysctl -w net.ipv6.conf.all.forwarding=1", 0, NULL, 0,
	 "net.ipv6.conf.all.forwarding = 1\n", ""},
	{"sysctl -w net/ipv6/conf/foo.1/forwarding=1", 0, NULL, 0,
	 "net.ipv6.conf.foo/1.forwarding = 1\n", ""},
	{"sysctl -q -w net.ipv6.conf.all.forwarding=1", 0, NULL, 0, "", ""},
	{"sysctl net.ipv6.conf.all.forwarding", 0, NULL, 0, "net.ipv6.conf.all.forwarding = 7\n",
	 ""},
	{"sysctl net.ipv6.conf.lo/1.nosuch", -ENOENT, NULL, 1, "",
	 "sysctl: cannot stat /proc/sys/net/ipv6/conf/lo.1/nosuch: No such file or directory\n"},
	{"sysctl -w net.ipv6.conf.nosuch.forwarding=1", -ENOENT, NULL, 1, "",
	 "sysctl: cannot stat /proc/sys/net/ipv6/conf/nosuch/forwarding: No such file or "
	 "directory\n"},
	{"sysctl -w net.ipv6.conf.all.forwarding=x", -EINVAL, NULL, 1, "",
	 "sysctl: setting key \"net.ipv6.conf.all.forwarding\": Invalid argument\n"},
	{"echo 1 | tee /proc/sys/net/ipv6/conf/all/forwarding", 0, NULL, 0, "1\n", ""},
	{"echo x | tee /proc/sys/net/ipv6/conf/all/forwarding", -EINVAL, NULL, 1, "x\n",
	 "tee: /proc/sys/net/ipv6/conf/all/forwarding: Invalid argument\n"},
	{"echo x | tee /proc/sys/net/nosuch", -ENOENT, NULL, 1, "x\n",
	 "tee: /proc/sys/net/nosuch: No such file or directory\n"},
};

static struct fake *
small_machine(void)
{
	struct fake *f = fake_new();

	for (struct net *net = f->kernel.nets; net; net = net->next) {
		fake_device(f, net->name, "foo", "veth");
		fake_device(f, net->name, "b1", "bond");
	}
	return f;
}

START_TEST(told)
{
	const struct told *t = &answers[_i];
	struct fake *f = small_machine();
	struct ran ran;

	f->result = t->result;
	f->ack = t->ack;
	ran = run_line(f, t->line);
	ck_assert_msg(ran.answer.status == t->status, "'%s': status %d, not %d", t->line,
		      ran.answer.status, t->status);
	ck_assert_msg(strcmp(ran.answer.output->str, t->output) == 0, "'%s' prints\n%s\nnot\n%s",
		      t->line, ran.answer.output->str, t->output);
	ck_assert_msg(strcmp(ran.answer.error->str, t->error) == 0, "'%s' says\n%s\nnot\n%s",
		      t->line, ran.answer.error->str, t->error);
	ran_clear(&ran);
	fake_free(f);
}
END_TEST

int
main(void)
{
	return run_table("answers", told, G_N_ELEMENTS(answers));
}
