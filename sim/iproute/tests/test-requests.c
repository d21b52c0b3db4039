/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test-requests.c - good command lines, and what they ask of the kernel.  The
 * order of the questions was seen with strace(1) under iproute2 6.1. */
#include "run-line.h"

struct good {
	const char *line, *requests;
};

/* In namespace "test" and in the initial one: lo 1, foo 2, b1 3, florp 4 (vrf),
 * foo.1 5 (vlan). */
static const struct good goods[] = {
	/* sh */
	{"ip link set foo up", "getlink foo; setlink index=2 flags=1/1"},
	{"  ip   link\tset foo   up  ", "getlink foo; setlink index=2 flags=1/1"},
	{"'ip' \"link\" se't' f\\oo up", "getlink foo; setlink index=2 flags=1/1"},
	{"ip link set foo up || true", "getlink foo; setlink index=2 flags=1/1"},
	{"ip netns del x || true 2>/dev/null", "netns_del x"},
	{"ip netns del x 2>/dev/null || true", "netns_del x"},
	{"ip netns del x >/dev/null 2>&1||true", "netns_del x"},
	{"ip netns del x &>/dev/null", "netns_del x"},
	{">/dev/null ip netns del x >> /dev/null", "netns_del x"},
	{"ip netns del \"a b\"", "netns_del a b"},
	{"ip netns del \"a\\\"b\\\\c\\d\"", "netns_del a\"b\\c\\d"},
	{"ip netns del ''\"\"x''", "netns_del x"},
	{"ip netns del 2x", "netns_del 2x"},
	{"ip netns del a2>/dev/null", "netns_del a2"},
	{"true", ""},
	{"true anything", ""},
	{"ip netns del x &", "netns_del x"},
	{"ip netns del x || true 2>/dev/null&", "netns_del x"},
	{"wait", ""},
	{"wait 2>/dev/null || true", ""},

	/* sysctl, tee */
	{"sysctl -w net.ipv6.conf.all.forwarding=1", "sysctl net/ipv6/conf/all/forwarding=1"},
	{"sysctl -w net/ipv6/conf/all/forwarding=1", "sysctl net/ipv6/conf/all/forwarding=1"},
	{"sysctl -w net.ipv6.conf.foo/1.forwarding=1", "sysctl net/ipv6/conf/foo.1/forwarding=1"},
	{"sysctl -w net/ipv6/conf/foo.1/forwarding=1", "sysctl net/ipv6/conf/foo.1/forwarding=1"},
	{"sysctl -q -w net.ipv6.conf.all.forwarding=1 net.ipv6.conf.foo/1.accept_dad=0",
	 "sysctl net/ipv6/conf/all/forwarding=1; sysctl net/ipv6/conf/foo.1/accept_dad=0"},
	{"sysctl ' net.ipv6.conf.all.forwarding = 2 '", "sysctl net/ipv6/conf/all/forwarding=2"},
	{"ip netns exec test sysctl -w net.ipv6.conf.all.forwarding=1",
	 "sysctl test:net/ipv6/conf/all/forwarding=1"},
	{"echo 1 | tee /proc/sys/net/ipv6/conf/all/forwarding",
	 "sysctl net/ipv6/conf/all/forwarding=1"},
	{"echo 1|ip netns exec test tee /proc/sys/net/ipv6/conf/all/keep_addr_on_down>/dev/null",
	 "sysctl test:net/ipv6/conf/all/keep_addr_on_down=1"},
	{"echo 1 > /dev/null | tee /proc/sys/a /proc/sys/b", "sysctl a=1; sysctl b=1"},
	{"echo | tee /proc/sys/a", "sysctl a="},
	{"echo a   b | tee /proc/sys/a", "sysctl a=a b"},

	/* netns */
	{"ip netns add x", "netns_add x"},
	{"ip netns a x", "netns_add x"},
	{"ip net d x", "netns_del x"},
	{"ip netns exec test ip link set foo up", "getlink foo; setlink index=2 flags=1/1"},
	{"ip netns exec two ip -n test link set foo up", "getlink foo; setlink index=2 flags=1/1"},
	{"ip netns e test sysctl -w a=1", "sysctl test:a=1"},
	{"ip -n test netns exec two sysctl -w a=1", "sysctl two:a=1"},

	/* ip's own options */
	{"ip -netns test link set foo up", "getlink foo; setlink index=2 flags=1/1"},
	{"ip --netns test link set foo up", "getlink foo; setlink index=2 flags=1/1"},
	{"ip -ne test link set foo up", "getlink foo; setlink index=2 flags=1/1"},
	{"ip -d -j -s -o -br -6 -4 -0 -h -t -ts -c -color=never -force link set foo up",
	 "getlink foo; setlink index=2 flags=1/1"},
	{"ip -family inet6 -rc 100 -l 5 link set foo up", "getlink foo; setlink index=2 flags=1/1"},
	{"ip -- link set foo up", "getlink foo; setlink index=2 flags=1/1"},

	/* link set */
	{"ip l s foo up", "getlink foo; setlink index=2 flags=1/1"},
	{"ip l s dev foo up", "getlink foo; setlink index=2 flags=1/1"},
	{"ip link c foo down", "getlink foo; setlink index=2 flags=0/1"},
	{"ip link set foo", "getlink foo; setlink index=2"},
	{"ip link set up dev foo", "getlink foo; setlink index=2 flags=1/1"},
	{"ip link set foo up down", "getlink foo; setlink index=2 flags=0/1"},
	{"ip link set foo mtu 1400 qlen 5", "getlink foo; setlink index=2 mtu=1400 txqlen=5"},
	{"ip link set foo mtu 0x600 txqlen 010", "getlink foo; setlink index=2 mtu=1536 txqlen=8"},
	{"ip link set foo mtu -5", "getlink foo; setlink index=2 mtu=-5"},
	{"ip link set foo name baz", "getlink foo; setlink name=baz index=2"},
	{"ip link set foo master b1", "getlink b1; getlink foo; setlink index=2 master=3"},
	{"ip link set master b1 foo", "getlink b1; getlink foo; setlink index=2 master=3"},
	{"ip link set foo m b1", "getlink b1; getlink foo; setlink index=2 master=3"},
	{"ip link set b1 master b1", "getlink b1; setlink index=3 master=3"},
	{"ip link set foo nomaster", "getlink foo; setlink index=2 master=0"},
	{"ip link set foo vrf florp",
	 "getlink florp; getlink florp; getlink foo; setlink index=2 master=4"},
	{"ip link set foo netns two", "getlink foo; setlink index=2 netns=two"},
	{"ip link set foo address 06:00:00:00:00:0a",
	 "getlink foo; setlink index=2 address=06:00:00:00:00:0a"},
	{"ip link set foo a 6:0:0:0:0:A", "getlink foo; setlink index=2 address=06:00:00:00:00:0a"},
	{"ip link set foo promisc on allmulticast off multicast off",
	 "getlink foo; setlink index=2 flags=100/1300"},
	{"ip link set foo arp off", "getlink foo; setlink index=2 flags=80/80"},
	{"ip link set foo arp on", "getlink foo; setlink index=2 flags=0/80"},
	{"ip link set foo group default", "getlink foo; setlink index=2 group=0"},
	{"ip link set foo group 0x5", "getlink foo; setlink index=2 group=5"},
	{"ip link set b1 type bond mode 1", "getlink b1; setlink index=3 kind=bond mode=1"},
	{"ip link set b1 type bond mode active-backup primary foo",
	 "getlink b1; getlink foo; setlink index=3 kind=bond mode=1 primary=2"},

	/* link add */
	{"ip link add x type dummy", "newlink name=x kind=dummy"},
	{"ip link add type dummy", "newlink kind=dummy"},
	{"ip link add dev x type dummy", "newlink name=x kind=dummy"},
	{"ip link add name x type dummy", "newlink name=x kind=dummy"},
	{"ip link a x ty dummy", "newlink name=x kind=dummy"},
	{"ip link add x up mtu 1300 index 77 address 06:00:00:00:00:0a txqueuelen 9 group 3 type "
	 "dummy",
	 "newlink name=x index=77 mtu=1300 txqlen=9 group=3 flags=1/1 address=06:00:00:00:00:0a "
	 "kind=dummy"},
	{"ip link add link b1 name foo.2 type vlan id 2",
	 "getlink b1; newlink name=foo.2 link=3 kind=vlan id=2"},
	{"ip link add foo.2 link b1 type vlan id 0x10 protocol 802.1ad gvrp on",
	 "getlink b1; newlink name=foo.2 link=3 kind=vlan id=16 protocol=1 gvrp=1"},
	{"ip link add foo.2 link b1 type vlan i 2 p 802.1q g off",
	 "getlink b1; newlink name=foo.2 link=3 kind=vlan id=2 protocol=0 gvrp=0"},
	{"ip link add link b1 type vlan", "getlink b1; newlink link=3 kind=vlan"},
	{"ip link add link foo master b1 x type vlan id 5000",
	 "getlink b1; getlink foo; newlink name=x link=2 master=3 kind=vlan id=5000"},
	{"ip link add x type vrf table 10", "newlink name=x kind=vrf table=10"},
	{"ip link add x type vrf t 4294967295", "newlink name=x kind=vrf table=4294967295"},
	{"ip link add b2 type bond mode 802.3ad miimon 100",
	 "newlink name=b2 kind=bond mode=4 miimon=100"},
	{"ip link add b2 type bond m balance-xor", "newlink name=b2 kind=bond mode=2"},
	{"ip link add link foo name m0 type macvlan mode bridge",
	 "getlink foo; newlink name=m0 link=2 kind=macvlan mode=3"},
	{"ip link add br0 type bridge stp_state 1", "newlink name=br0 kind=bridge stp_state=1"},
	{"ip link add v0 type veth", "newlink name=v0 kind=veth"},
	{"ip link add v0 type veth peer", "newlink name=v0 kind=veth peer( )"},
	{"ip link add v0 type veth peer name v1", "newlink name=v0 kind=veth peer( name=v1 )"},
	{"ip link add v0 type veth peer v1", "newlink name=v0 kind=veth peer( name=v1 )"},
	{"ip link add v0 type veth p dev v1 mtu 1400 address 06:00:00:00:00:0b netns two",
	 "newlink name=v0 kind=veth peer( name=v1 mtu=1400 address=06:00:00:00:00:0b netns=two )"},
	{"ip -n test link add v0 netns two type veth peer v1 master b1",
	 "getlink b1; newlink name=v0 netns=two kind=veth peer( name=v1 master=3 )"},

	/* link del */
	{"ip link del foo", "getlink foo; dellink index=2"},
	{"ip l d dev foo", "getlink foo; dellink index=2"},
	{"ip link delete foo type vlan", "getlink foo; dellink index=2 kind=vlan"},

	/* address */
	{"ip address add dev foo 2000::1/64", "getlink foo; newaddr 2000:0:0:0:0:0:0:1/64 dev=2"},
	{"ip a a 2000::1/64 dev foo", "getlink foo; newaddr 2000:0:0:0:0:0:0:1/64 dev=2"},
	{"ip -6 addr add local 2000::1 dev foo",
	 "getlink foo; newaddr 2000:0:0:0:0:0:0:1/128 dev=2"},
	{"ip addr add 2000::1/0x40 dev b1 dev foo",
	 "getlink foo; newaddr 2000:0:0:0:0:0:0:1/64 dev=2"},
	{"ip addr add ::ffff:1.2.3.4/96 dev foo",
	 "getlink foo; newaddr 0:0:0:0:0:ffff:102:304/96 dev=2"},
	{"ip addr add 2000::1/64 dev foo nodad scope link noprefixroute",
	 "getlink foo; newaddr 2000:0:0:0:0:0:0:1/64 dev=2 flags=202"},
	{"ip addr add 2000::1/64 dev foo valid_lft 600 preferred_lft 300",
	 "getlink foo; newaddr 2000:0:0:0:0:0:0:1/64 dev=2 lft=600,300"},
	{"ip addr add 2000::1/64 dev foo v forever preferred 0",
	 "getlink foo; newaddr 2000:0:0:0:0:0:0:1/64 dev=2 lft=4294967295,0"},
	{"ip addr change 2000::1/64 dev foo",
	 "getlink foo; newaddr 2000:0:0:0:0:0:0:1/64 dev=2 replace"},
	{"ip addr replace 2000::1/64 dev foo",
	 "getlink foo; newaddr 2000:0:0:0:0:0:0:1/64 dev=2 replace"},
	{"ip addr chg 2000::1/64 dev foo",
	 "getlink foo; newaddr 2000:0:0:0:0:0:0:1/64 dev=2 replace"},
	{"ip addr del 2000::1/64 dev foo", "getlink foo; deladdr 2000:0:0:0:0:0:0:1/64 dev=2"},
	{"ip addr flush dev foo", "getlink foo"},
	{"ip addr flush foo scope global permanent", "getlink foo"},
	{"ip addr flush scope link", ""},

	/* maddress */
	{"ip maddress add 01:00:5e:00:00:0a dev foo", "addmulti foo 01:00:5e:00:00:0a"},
	{"ip m a dev foo address 1:0:5e:0:0:a", "addmulti foo 01:00:5e:00:00:0a"},
	{"ip maddr del 01:00:5e:00:00:0a dev nosuch", "delmulti nosuch 01:00:5e:00:00:0a"},
};

START_TEST(good_line)
{
	const struct good *g = &goods[_i];
	struct fake *f = fake_new();
	struct ran ran;

	for (struct net *net = f->kernel.nets; net; net = net->next) {
		fake_device(f, net->name, "lo", "loopback");
		fake_device(f, net->name, "foo", "veth");
		fake_device(f, net->name, "b1", "bond");
		fake_device(f, net->name, "florp", "vrf");
		fake_device(f, net->name, "foo.1", "vlan");
	}
	ran = run_line(f, g->line);
	ck_assert_msg(strcmp(ran.requests, g->requests) == 0, "'%s'\nasks %s\nnot  %s", g->line,
		      ran.requests, g->requests);
	ck_assert_msg(ran.answer.status == 0, "'%s': %d %s", g->line, ran.answer.status,
		      ran.answer.error->str);
	ran_clear(&ran);
	fake_free(f);
}
END_TEST

int
main(void)
{
	return run_table("requests", good_line, G_N_ELEMENTS(goods));
}
