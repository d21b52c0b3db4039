#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""bad-input.py - what sim says to bad input: bad-input.py SIM TOPOLOGIES

Each case runs the program in an empty folder with one scenario file, and expects
an exit status, exactly one line on standard error, and no file that was not there
before.
"""

import json
import os
import subprocess
import sys
import tempfile

sim, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
OUT = "--output=/dev/null"
SHIPPED = "bond-vlan-vrf"
FILES = sorted(os.listdir(folder))
SCENARIOS = ", ".join(f[:-5] for f in FILES if f.endswith(".json") and f != "schema.json")
cases = []


def case(what, stderr, *args, file=None, status=2):
    cases.append((what, stderr, args, file, status))


def scenario(*commands, extra=""):
    """The commands are lines of the file, the first of them line 2, column 3."""
    lines = ",\n".join("  " + (c if c.startswith("{") else json.dumps(c)) for c in commands)
    return '{ "name": "t", "phases": [ { "name": "p", "run": [\n' + lines + " ] } ]" + extra + " }\n"


def command(what, position, stderr, line):
    """One command that sim refuses before anything runs."""
    case(what, f"T.json:2:{position}: {stderr}", "T.json", file=scenario(line))


def loop(what, bounds, stderr):
    text = '{ "name": "t", "phases": [ { "name": "p",\n "for": { "i": "' + bounds + '" },\n'
    text += ' "run": [ "ip netns add n$i" ] } ] }\n'
    case(what, f"T.json:2:16: {stderr}", "T.json", file=text)


def answer(what, stderr, *before, last):
    """A command that is understood, and that the simulated kernel refuses."""
    lines = ["ip netns add t", *before, last]
    case(
        what,
        f"T.json:{len(lines) + 1}:3: {last}: {stderr}",
        "T.json",
        OUT,
        file=scenario(*lines),
        status=1,
    )


# The command line.
case("nothing", "run: wants a scenario, a name or a file; 'sim list topologies' shows them")
case(
    "neither command nor scenario",
    "lst: neither a command nor a scenario; commands are run, list, predict and script, scenarios are "
    f"{SCENARIOS}, and a file's name has a '/' or ends in .json",
    "lst",
)
case("two scenarios", "run: one scenario at a time", "run", SHIPPED, SHIPPED)
case("unknown option", "Unknown option --fast; 'sim run --help' shows the options", "--fast")
case(
    "option without value",
    "Missing argument for --backend; 'sim run --help' shows the options",
    SHIPPED,
    "--backend",
)
case(
    "unknown format",
    "--format=xml: unknown format; known are table, json, csv, jsonl",
    "--format=xml",
    SHIPPED,
)
case(
    "seed that is no number",
    "--seed=-1: a seed is an integer from 0 to 18446744073709551615",
    "--seed=-1",
    SHIPPED,
)
case(
    "seed that is too large",
    "--seed=18446744073709551616: a seed is an integer from 0 to 18446744073709551615",
    "--seed=18446744073709551616",
    SHIPPED,
)
case(
    "unknown kind of list",
    'list: unknown "cats"; there are backends, tables, kinds, kernel, topologies, machines',
    "list",
    "cats",
)
case(
    "script without scenario",
    "script: wants one scenario, a name or a file; 'sim list topologies' shows them",
    "script",
)
case(
    "control characters in an argument stay on one line",
    "a?b.json: No such file or directory",
    "a\nb.json",
)

# Outputs.
case(
    "output to a folder that is not there",
    "cannot write 'nowhere/x': No such file or directory",
    "--output=nowhere/x",
    SHIPPED,
)
case("output to a folder", "cannot write '.': Is a directory", "--state=.", SHIPPED)
case(
    "output below a file",
    "cannot write 'T.json/x': Not a directory",
    "--commands=T.json/x",
    "T.json",
    file=scenario("ip netns add t"),
)
case("output without a name", "cannot write '': No such file or directory", "--calls=", SHIPPED)
case(
    "two outputs of one name",
    "'x' is given for two outputs; each of --output, --state, --commands, --calls, --folded and --trace needs its own",
    "--state=x",
    "--calls=x",
    SHIPPED,
)
case(
    "a full disk",
    "cannot write '/dev/full': No space left on device",
    "T.json",
    "--output=/dev/full",
    file=scenario("ip netns add t"),
)

# Files.
case("missing file", "nope.json: No such file or directory", "nope.json")
case("a folder", "./: Is a directory", "./")
case("no end", "/dev/zero: larger than 4 MiB, which no scenario is", "/dev/zero")
case(
    "malformed JSON",
    "T.json:2:12: not valid JSON: unexpected token near '}'",
    "T.json",
    file='{ "name": "t",\n "phases": }\n',
)
case(
    "member twice",
    "T.json:1:21: not valid JSON: duplicate object key near '\"name\"'",
    "T.json",
    file='{ "name": "t", "name": "u" }\n',
)
case(
    "unknown member",
    'T.json:2:2: unknown member "fases" of a scenario; known are $schema, name, about, source, '
    "machine, params, kernel, backends, previous_namespace, setup, phases, variants, published, published_at",
    "T.json",
    file='{ "name": "t",\n "fases": [] }\n',
)
case(
    "unknown table",
    None,
    "T.json",
    file=scenario("ip netns add t", extra=',\n "backends": { "fdbs": "list" }'),
)
case(
    "unknown backend in a file",
    "T.json:3:21: unknown backend 'heap'; there are: hash, list, rbtree, rcu-list, rhashtable",
    "T.json",
    file=scenario("ip netns add t", extra=',\n "backends": { "*": "heap" }'),
)

# Parameters and variants.
case(
    "10^9 VLANs",
    "--param=vlans=1000000000: vlans is an integer from 1 to 4094",
    "--param=vlans=1000000000",
    SHIPPED,
)
case("no VLANs", "--param=vlans=0: vlans is an integer from 1 to 4094", "--param=vlans=0", SHIPPED)
case(
    "half a VLAN",
    "--param=vlans=0.5: vlans is an integer from 1 to 4094",
    "--param=vlans=0.5",
    SHIPPED,
)
case(
    "more than 64 bits",
    "--param=vlans=99999999999999999999: vlans is an integer from 1 to 4094",
    "--param=vlans=99999999999999999999",
    SHIPPED,
)
case(
    "parameter without value",
    "--param=vlans: a parameter is set by name=value",
    "--param=vlans",
    SHIPPED,
)
case(
    "unknown parameter",
    "--param=cars=1: T.json has no such parameter; it has none",
    "--param=cars=1",
    "T.json",
    file=scenario("ip netns add t"),
)
case(
    "unknown variant",
    f'{folder}/{SHIPPED}.json: there is no variant "between"; known are before, after',
    "--variant=between",
    SHIPPED,
)

# The kernel.
case(
    "unknown kernel option",
    '--kernel=hz=1000: unknown option "hz"; known are version, gvrp, mvrp, fdb_dump, fdb_walk, skb, '
    "saddr, xfrmi_decode, xfrm_dump, xfrm_policy_insert",
    "--kernel=hz=1000",
    SHIPPED,
)
case(
    "unknown way to dump",
    "--kernel=fdb_dump=rewind: fdb_dump is restart, resume-posted, resume or cursor",
    "--kernel=fdb_dump=rewind",
    SHIPPED,
)
case(
    "kernel option without value",
    "--kernel=skb: skb is auto, 16384 or 3776",
    "--kernel=gvrp=0",
    "--kernel=skb",
    SHIPPED,
)
case(
    "kernel option that is on or off",
    "--kernel=mvrp=yes: mvrp is 0 or 1",
    "--kernel=mvrp=yes",
    SHIPPED,
)
case(
    "unknown kernel version in a file",
    'T.json:3:25: "version" is "5.10" or "6.1"',
    "T.json",
    file=scenario("ip netns add t", extra=',\n "kernel": { "version": "4.9" }'),
)
case(
    "number where a word is wanted",
    'T.json:3:35: "skb" is "auto", "16384" or "3776"',
    "T.json",
    file=scenario("ip netns add t", extra=',\n "kernel": { "gvrp": true, "skb": 3776 }'),
)

# Loops.
loop(
    "10^9 iterations",
    "1..1000000000",
    "a loop from 1 to 1000000000 makes more than 2000000 commands in all",
)
loop(
    "a loop without end",
    "1..9223372036854775807",
    "a loop's bounds must be -1000000000000000 to 1000000000000000",
)
loop("a loop that runs backwards", "5..1", "a loop from 5 up to 1 runs backwards")
case(
    "a loop over itself",
    'T.json:2:20: unknown variable "$i"; none is known',
    "T.json",
    file='{ "name": "t", "phases": [ { "name": "p",\n "for": { "i": "1..$i" },\n'
    ' "run": [ "ip netns add n$i" ] } ] }\n',
)

# Expressions.
def bound(what, column, bounds, stderr):
    text = '{ "name": "t", "phases": [ { "name": "p",\n "for": { "i": "' + bounds + '" },\n'
    text += ' "run": [ "ip netns add n$i" ] } ] }\n'
    case(what, f"T.json:2:{column}: {stderr}", "T.json", file=text)


FORMS = (
    '"$(" begins "$((EXPRESSION))" or "$(mac3 EXPRESSION)", mac1 to mac5; no command is run here'
)
bound("a bound that is no number", 26, "1..$((10 / 0))", "division by zero")
bound(
    "a bound beyond 64 bits",
    43,
    "1..$((9223372036854775807 + 1))",
    "a value that needs more than 64 bits",
)
bound(
    "a bound that is an address",
    20,
    "1..$(mac2 7)",
    '"$(mac2 7)" is neither an integer nor one "$name" or "$((EXPRESSION))"',
)
command("command substitution", 17, FORMS, "ip netns add $(hostname)")
command("six bytes of an address", 17, FORMS, "ip netns add $(mac6 1)")
command(
    "negative address",
    24,
    "the value is -1; a MAC address has no negative ones",
    "ip netns add $(mac3 1 - 2)",
)
command("half an expression", 25, "a value is missing at the end", "ip netns add n$((1 + ))")
command(
    "an expression that is not closed",
    18,
    'the "$((" is not closed by "))"',
    "ip netns add n$((1 + 2)",
)
case(
    "a division by zero in the middle of a loop",
    "T.json:3:32: division by zero (with $i = 0)",
    "T.json",
    file='{ "name": "t", "phases": [ { "name": "p",\n "for": { "i": "-2..2" },\n'
    ' "run": [ "ip netns add n$((12 / i))" ] } ] }\n',
)

# The background.
command(
    "a command behind another one",
    22,
    'not simulated: "&" within a line; what follows it is a command of its own',
    "ip link set d0 up & true",
)
command(
    "waiting for one",
    9,
    "not simulated: wait with arguments; alone it waits for all commands in the background",
    "wait %1",
)
command("waiting in the background", 9, "not simulated: to wait in the background", "wait &")
case(
    "too many in the background",
    'T.json:3:9: 10001 commands in the background at one time; 10000 are allowed, and "wait" '
    "waits for those before it",
    "T.json",
    file='{ "name": "t", "phases": [ { "name": "p",\n "for": { "i": "1..10001" },\n'
    ' "run": [ "sleep $i &" ] } ] }\n',
)

# Commands that are refused before anything runs.
command(
    "unknown program",
    4,
    'not simulated: the command "frobnicate"; there are bridge, cat, ip, mausezahn, modprobe, netperf, '
    "netserver, sleep, sysctl, true, udp4send, udp6send, udpsink and 'echo ... | tee ...'",
    "frobnicate",
)
command("unknown object", 7, 'Object "frob" is unknown, try "ip help".', "ip frob")
command("unknown command", 17, 'Command "frob" is unknown, try "ip link help".', "ip -n t link frob")
command("not simulated", 12, 'not simulated: "rule" of ip', "ip -n t rule add table 5")
command(
    "VLAN id that is no number",
    52,
    'Error: argument "x" is wrong: id is invalid (0 to 65535)',
    "ip -n t link add link d0 name d0.1 type vlan id x",
)
command(
    "bad address",
    24,
    'Error: any valid prefix is expected rather than "2001:db8::g/64".',
    "ip -n t address add 2001:db8::g/64 dev d0",
)
command(
    "bad link-layer address",
    25,
    '"zz" is invalid lladdr.',
    "ip -n t maddress add 33:33:00:00:00:zz dev d0",
)
command(
    "name too long",
    21,
    'Error: Attribute failed policy validation: the name "abcdefghijklmnop" has more than 15 '
    "characters",
    "ip -n t link add abcdefghijklmnop type dummy",
)
command("open quote", 21, "the quote \"'\" is not closed", "ip -n t link set 'd0 up")
command(
    "a range of VLANs with a pvid",
    46,
    "pvid cannot be configured for a vlan range",
    "bridge -n t vlan add dev d0 vid 10-12 pvid",
)
command(
    "a range of VLANs that goes down",
    36,
    'Invalid VLAN range "12-10"',
    "bridge -n t vlan add dev d0 vid 12-10",
)
command(
    "half a MAC address",
    24,
    "Invalid mac address 02:00:00:00:00",
    "bridge -n t fdb add 02:00:00:00:00 dev d0 master",
)
command(
    "an entry of no device",
    52,
    "Device and address are required arguments.",
    "bridge -n t fdb replace 02:00:00:00:00:01 master",
)
command(
    "an entry's range of VLANs",
    61,
    'a VLAN is a number from 1 to 4094, not "10-12"',
    "bridge -n t fdb add 02:00:00:00:00:01 dev d0 master vlan 10-12",
)
command(
    "a tunnel's end that is no address",
    56,
    'Error: any valid address is expected rather than "10.0.0.256".',
    "bridge -n t fdb append 02:00:00:00:00:01 dev d0 dst 10.0.0.256",
)
command(
    "a VNI of 25 bits",
    66,
    'Error: argument "0x1000000" is wrong: invalid VNI (a number from 0 to 16777215)',
    "bridge -n t fdb add 02:00:00:00:00:01 dev d0 dst 10.0.0.1 vni 0x1000000",
)
command(
    "a port that is negative",
    67,
    'Error: argument "-1" is wrong: invalid port (a number from 0 to 65535)',
    "bridge -n t fdb add 02:00:00:00:00:01 dev d0 dst 10.0.0.1 port -1",
)
command(
    "an entry that is two",
    49,
    'Error: either "to" is duplicate, or "02:00:00:00:00:02" is a garbage.',
    "bridge -n t fdb del 02:00:00:00:00:01 dev d0 02:00:00:00:00:02",
)
command(
    "entries of a state that is none",
    31,
    'Error: argument "new" is wrong: invalid state (permanent, static, stale, reachable, all, '
    "or a number from 0 to 65535)",
    "bridge -n t fdb show state new",
)
command(
    "no frames",
    20,
    '-c takes a number of frames from 1 to 100000000, not "0"',
    "mausezahn d0 -c 0",
)
command("a pipe", 4, "not simulated: a pipe from another command than echo", "ls | wc")
command("an undefined variable", 21, 'unknown variable "$d"; none is known', "ip -n t link set $d up")
case(
    "a command of a later iteration",
    "T.json:3:45: Error: argument \"65536\" is wrong: id is invalid (0 to 65535) (in "
    '"ip link add link d0 type vlan id 65536")',
    "T.json",
    file='{ "name": "t", "phases": [ { "name": "p",\n "for": { "i": "1..65536" },\n'
    ' "run": [ "ip link add link d0 type vlan id $i" ] } ] }\n',
)

# What the run refuses.
case(
    "unknown backend",
    "--backend=heap: unknown backend 'heap'; there are: hash, list, rbtree, rcu-list, rhashtable",
    "--backend=heap",
    SHIPPED,
)

# What the simulated kernel answers: the words of Linux 6.1 and iproute2 6.1.
VETH = "ip -n t link add d0 type veth peer name d1"
answer("unknown device", 'Cannot find device "d0"', last="ip -n t link set d0 up")
answer(
    "unknown namespace",
    'Cannot open network namespace "u": No such file or directory',
    last="ip -n u link set lo up",
)
answer("duplicate name", "RTNETLINK answers: File exists", VETH, last=VETH)
answer(
    "VLAN id 4095",
    "Error: 8021q: Invalid VLAN id.",
    VETH,
    last="ip -n t link add link d0 name v type vlan id 4095",
)
answer(
    "VLAN id that is taken",
    "Error: 8021q: VLAN device already exists.",
    VETH,
    "ip -n t link add link d0 name v type vlan id 1",
    last="ip -n t link add link d0 name w type vlan id 1",
)
answer(
    "address twice",
    "RTNETLINK answers: File exists",
    VETH,
    "ip -n t address add 2001:db8::1/64 dev d0",
    last="ip -n t address add 2001:db8::1/64 dev d0",
)
answer(
    "a loop of masters",
    "RTNETLINK answers: Device or resource busy",
    "ip -n t link add b0 type bond",
    "ip -n t link add b1 type bond",
    "ip -n t link set b1 master b0",
    last="ip -n t link set b0 master b1",
)
answer(
    "a bond in itself",
    "Error: Cannot enslave bond to itself.",
    "ip -n t link add b0 type bond",
    last="ip -n t link set b0 master b0",
)
BRIDGE = ("ip -n t link add br0 type bridge", VETH, "ip -n t link set d0 master br0")
answer(
    "a VLAN of a device that is no port",
    "RTNETLINK answers: Operation not supported",
    *BRIDGE,
    last="bridge -n t vlan add dev d1 vid 5",
)
answer(
    "a VLAN of a bridge, without self",
    "RTNETLINK answers: Operation not supported",
    *BRIDGE,
    last="bridge -n t vlan add dev br0 vid 5",
)
answer(
    "VLAN 4095 of a port",
    "Error: bridge: Vlan id is invalid.",
    *BRIDGE,
    last="bridge -n t vlan add dev d0 vid 4090-4095",
)
answer(
    "a VLAN of no device",
    'Cannot find bridge device "d7"',
    *BRIDGE,
    last="bridge -n t vlan add dev d7 vid 5",
)
answer(
    "an entry in a VLAN that the port has not",
    "RTNETLINK answers: Invalid argument",
    *BRIDGE,
    last="bridge -n t fdb add 02:00:00:00:00:01 dev d0 master vlan 5",
)
answer(
    "an entry of a port that is not there",
    'Cannot find device "d7"',
    *BRIDGE,
    last="bridge -n t fdb add 02:00:00:00:00:01 dev d7 master",
)
answer(
    "an entry by way of a device that is not there",
    'Cannot find device "d8"',
    *BRIDGE,
    last="bridge -n t fdb add 02:00:00:00:00:01 dev d7 dst 10.0.0.1 via d8",
)
answer(
    "an entry that is there",
    "RTNETLINK answers: File exists",
    *BRIDGE,
    "bridge -n t fdb add 02:00:00:00:00:01 dev d0 master static",
    last="bridge -n t fdb add 02:00:00:00:00:01 dev d0 master",
)
answer(
    "an entry that is not there",
    "RTNETLINK answers: No such file or directory",
    *BRIDGE,
    last="bridge -n t fdb del 02:00:00:00:00:01 dev d0 master",
)
answer(
    "an entry of a master that there is not",
    "RTNETLINK answers: Operation not supported",
    *BRIDGE,
    last="bridge -n t fdb add 02:00:00:00:00:01 dev d1 master",
)
answer(
    "a local entry that sticks",
    "RTNETLINK answers: Invalid argument",
    *BRIDGE,
    last="bridge -n t fdb add 02:00:00:00:00:01 dev d0 master permanent sticky",
)
answer(
    "entries of no bridge",
    'Cannot find bridge device "br7"',
    last="bridge -n t fdb show br br7",
)
answer(
    "a state of a port that is down",
    "RTNETLINK answers: Network is down",
    *BRIDGE,
    last="bridge -n t link set dev d0 state 3",
)
answer(
    "a default VLAN that is none",
    "RTNETLINK answers: Invalid argument",
    *BRIDGE,
    last="ip -n t link set br0 type bridge vlan_default_pvid 4095",
)
answer(
    "frames from a device that is down",
    "mausezahn: d0: Network is down",
    VETH,
    last="ip netns exec t mausezahn d0 -c 5 -a rand",
)
answer(
    "frames from no device",
    "mausezahn: d7: No such device",
    last="ip netns exec t mausezahn d7",
)
answer(
    "packets to nowhere",
    "udp6send: Network is unreachable",
    last="ip netns exec t udp6send -n 5 2001:db8::1",
)
answer(
    "packets that a route refuses",
    "udp6send: No route to host",
    "ip -n t link set lo up",
    "ip -n t -6 route add unreachable 2001:db8::/32",
    last="ip netns exec t udp6send -t 5 2001:db8::1",
)
answer(
    "a route by no device",
    'Cannot find device "d7"',
    last="ip -n t -6 route add 2001:db8::/64 dev d7",
)
answer(
    "a neighbour that nobody knows",
    "RTNETLINK answers: No such file or directory",
    VETH,
    last="ip -n t -6 neigh del 2001:db8::1 dev d0",
)
answer(
    "namespace twice",
    'Cannot create namespace file "/run/netns/t": File exists',
    last="ip netns add t",
)
answer(
    "deletion of no namespace",
    'Cannot remove namespace file "/run/netns/u": No such file or directory',
    last="ip netns del u",
)

# Tunnels.
VXLAN = "ip link add v type vxlan dstport 4789 "
command(
    "a VNI of more than 24 bits",
    45,
    'Error: argument "16777216" is wrong: invalid id (0 to 16777215)',
    VXLAN + "id 16777216",
)
command("a tunnel without a VNI", 41, "vxlan: missing virtual network identifier", VXLAN.strip())
command(
    "a tunnel of one VNI and of many",
    55,
    "vxlan: both 'external' and vni cannot be specified",
    VXLAN + "id 1 external",
)
command(
    "a tunnel with two remotes",
    85,
    "vxlan: both group and remote cannot be specified",
    VXLAN + "id 1 remote 10.0.0.1 group 239.1.1.1 dev lo",
)
command(
    "a group that is reached by no device",
    62,
    "vxlan: 'group' requires 'dev' to be specified",
    VXLAN + "id 1 group 239.1.1.1",
)
command(
    "a group as a remote",
    54,
    'Error: argument "239.1.1.1" is wrong: invalid remote address; a multicast group is a "group"',
    VXLAN + "id 1 remote 239.1.1.1",
)
command(
    "ends of a tunnel in two families",
    69,
    'Error: inet address is expected rather than "2001:db8::1".',
    VXLAN + "id 1 local 10.0.0.1 remote 2001:db8::1",
)
command(
    "one of two source ports",
    56,
    'Command line is not complete. Try option "help"',
    VXLAN + "id 1 srcport 5",
)
command(
    "an option of tunnels that changes what they carry",
    47,
    'not simulated: "gpe" of link type vxlan',
    VXLAN + "id 1 gpe",
)
answer(
    "two tunnels of one VNI",
    "Error: A VXLAN device with the specified VNI already exists.",
    "ip link add u type vxlan id 1 dstport 4789",
    last="ip link add v type vxlan id 1 dstport 4789",
)
answer(
    "another VNI for a tunnel",
    "Error: Cannot change VNI.",
    "ip link add v type vxlan id 1 dstport 4789",
    last="ip link set v type vxlan id 2",
)
answer(
    "a remote of another family than the tunnel's",
    "RTNETLINK answers: Address family not supported by protocol",
    "ip link add v type vxlan id 1 dstport 4789",
    last="bridge fdb add 02:00:00:00:00:01 dev v dst 2001:db8::1",
)
answer(
    "the default entry replaced",
    "Error: Cannot replace non-unicast fdb entries.",
    "ip link add v type vxlan id 1 remote 10.0.0.1 dstport 4789",
    last="bridge fdb replace 00:00:00:00:00:00 dev v dst 10.0.0.2",
)

# Interfaces of IPsec.
XFRM = "ip link add x type xfrm "
command(
    "the if_id that stands for none",
    34,
    'Error: argument "0" is wrong: if_id value is invalid (1 to 4294967295)',
    XFRM + "if_id 0",
)
command(
    "an if_id of more than 32 bits",
    34,
    'Error: argument "4294967296" is wrong: if_id value is invalid (1 to 4294967295)',
    XFRM + "if_id 4294967296",
)
command(
    "an interface on a device, but without an if_id",
    34,
    'Error: argument "IF_ID" is required',
    XFRM + "dev lo",
)
command(
    "an interface for all if_ids",
    28,
    'not simulated: "external" of link type xfrm',
    XFRM + "external",
)
command(
    "an option that no interface has",
    28,
    'xfrm: unknown option "id"? (it has if_id, dev)',
    XFRM + "id 5",
)
answer("an interface of nothing", "Error: if_id must be non zero.", last=XFRM.strip())
answer(
    "two interfaces of one if_id",
    "RTNETLINK answers: File exists",
    XFRM + "if_id 1",
    last="ip link add y type xfrm if_id 1",
)
answer(
    "an interface on no device",
    'Cannot find device "nope"',
    last=XFRM + "dev nope if_id 1",
)
answer(
    "an interface moved to another device",
    "RTNETLINK answers: Invalid argument",
    XFRM + "if_id 1",
    last="ip link set x type xfrm dev lo if_id 1",
)

# States of IPsec.
SA = "ip xfrm state add src 10.0.0.1 dst 10.0.0.2 proto esp spi 5 "
NULLS = "enc cipher_null '' auth digest_null ''"


def state(about, column, message, words):
    command(about, column, message, SA + words)


def wrong(word, what):
    return f'Error: argument "{word}" is wrong: {what}'


state("a mode that there is not", 69, wrong("foo", "MODE value is invalid"), "mode foo")
state("a reqid that is no number", 70, wrong("x", "REQID value is invalid"), "reqid x")
state("a mark that is no number", 69, wrong("x", "MARK value is invalid"), "mark x")
state("a flag that there is not", 69, wrong("foo", "unknown"), "flag foo")
state("a limit that there is not", 70, wrong("foo", "LIMIT value is invalid"), "limit foo 3")
state(
    "a limit that is no number",
    80,
    wrong("x", 'value after "time-soft" is invalid'),
    "limit time-soft x",
)
state("a cipher without a key", 71, 'Error: argument "ALGO-KEYMAT" is required', "enc aes")
state(
    "a key that is no number",
    72,
    wrong("0xzz", "ALGO-KEYMAT value is invalid"),
    "enc aes 0xzz",
)
state("a key without end", 72, "a key has at most 64 bytes here", "enc aes 0x" + 65 * "00")
state(
    "a state that hides nothing",
    64,
    'ALGO-TYPE value "enc" or "aead" is required with XFRM-PROTO value "esp"',
    "",
)
state(
    "two ciphers",
    75,
    'Error: duplicate "ALGO-TYPE": "enc" is the second value.',
    "enc aes '' enc aes ''",
)
state(
    "a replay window that is larger than any",
    82,
    "a replay window has at most 4096 packets",
    "replay-window 4097",
)
state("long sequence numbers without a window", 72, "Error: esn flag set without replay-window.", "flag esn")
state("an if_id that is no number", 70, wrong("x", 'value after "if_id" is invalid'), "if_id x")
state("a word that means nothing", 64, wrong("bogus", "unknown"), "bogus")
state("what is not simulated", 64, 'not simulated: "offload" of ip xfrm state', "offload dev lo")
command(
    "a state of no protocol",
    53,
    'Error: argument "XFRM-PROTO" is required',
    "ip xfrm state add src 10.0.0.1 dst 10.0.0.2 spi 5",
)
command(
    "ends of a state in two families",
    39,
    wrong("2001:db8::2", 'the same address family is required between values after "src" and "dst"'),
    "ip xfrm state add src 10.0.0.1 dst 2001:db8::2 proto esp spi 5",
)
command("nothing to add", 21, "Not enough information: ID is required", "ip xfrm state add")
command("a command that there is not", 18, 'Command "foo" is unknown, try "ip xfrm state help".', "ip xfrm state foo")
command("a protocol to flush", 30, wrong("foo", "XFRM-PROTO value is invalid"), "ip xfrm state flush proto foo")
command("a protocol to flush without its word", 24, wrong("esp", "unknown"), "ip xfrm state flush esp")
command("words that deleteall has not", 28, wrong("foo", "unknown"), "ip xfrm state deleteall foo")
command("a mode to list", 28, wrong("foo", "MODE value is invalid"), "ip xfrm state list mode foo")
command("a request id to list", 29, wrong("x", "REQID value is invalid"), "ip xfrm state list reqid x")
command("a flag to list", 28, wrong("foo", "unknown"), "ip xfrm state list flag foo")
command("an id that get has not", 51, wrong("reqid", "unknown"), "ip xfrm state get dst 10.0.0.2 proto esp spi 1 reqid 1")
command("a mark to get", 50, wrong("x", "MARK value is invalid"), "ip xfrm state get dst 10.0.0.2 proto esp mark x")
command("an SPI to delete", 52, wrong("x", "SPI value is invalid"), "ip xfrm state delete dst 10.0.0.2 proto esp spi x")
command("a protocol to delete", 44, wrong("foo", "XFRM-PROTO value is invalid"), "ip xfrm state delete dst 10.0.0.2 proto foo")
command(
    "two protocols to flush",
    34,
    'Error: duplicate "proto": "proto" is the second value.',
    "ip xfrm state flush proto esp proto ah",
)
command("monitoring", 12, 'not simulated: "monitor" of ip xfrm', "ip xfrm monitor")

# Policies of IPsec.
POLICY = "ip xfrm policy add src 10.0.0.0/8 dst 10.0.0.2/32 dir out "
FAMILIES = 'the same address family is required between values after "src" and "dst"'
UNKNOWN = 'Error: duplicate "unknown": "{}" is the second value.'
INCOMPLETE = 'Command line is not complete. Try option "help"'
NO_DIR = "Not enough information: DIR is required."


def policy(about, column, message, words):
    command(about, column, message, POLICY + words)


policy("a priority that is no number", 71, wrong("x", "PRIORITY value is invalid"), "priority x")
policy("an action that there is not", 69, wrong("foo", "ACTION value is invalid"), "action foo")
policy("an index that is no number", 68, wrong("x", "INDEX value is invalid"), "index x")
policy("a type that there is not", 68, wrong("foo", "PTYPE value is invalid"), "ptype foo")
policy("a flag of policies that there is not", 67, UNKNOWN.format("foo"), "flag foo")
policy("a device that comes too late", 62, UNKNOWN.format("dev"), "dev lo")
policy("an if_id of a policy", 68, wrong("x", "IF_ID value is invalid"), "if_id x")
policy("a second direction", 62, 'Error: duplicate "dir": "dir" is the second value.', "dir in")
policy("a template of no protocol", 67, 'Error: argument "XFRM-PROTO" is required', "tmpl foo")
policy("a protocol that there is not", 73, wrong("foo", "XFRM-PROTO value is invalid"), "tmpl proto foo")
policy("a level that there is not", 83, wrong("foo", "LEVEL value is invalid"), "tmpl proto esp level foo")
policy("a template of nothing", 66, INCOMPLETE, "tmpl")
policy("a limit of policies that there is not", 68, wrong("foo", "LIMIT value is invalid"), "limit foo 3")
policy("templates without end", 302, "a policy has at most 16 templates here", 17 * "tmpl proto esp ")
command("a policy of no direction", 53, NO_DIR, "ip xfrm policy add src 10.0.0.0/8 dst 10.1.0.0/16")
command("a direction that there is not", 27, wrong("foo", "DIR value is invalid"), "ip xfrm policy add dir foo")
command(
    "a prefix that is too long",
    27,
    'Error: any valid prefix is expected rather than "10.0.0.1/33".',
    "ip xfrm policy add src 10.0.0.1/33 dir out",
)
command("two families", 42, wrong("2::/16", FAMILIES), "ip xfrm policy add src 10.0.0.0/8 dst 2::/16 dir out")
command("a threshold too high", 32, wrong("33", "hthresh4 LBITS value is invalid"), "ip xfrm policy set hthresh4 33 24")
command("one threshold of two", 34, INCOMPLETE, "ip xfrm policy set hthresh4 24")
command(
    "no policy in particular",
    30,
    "Not enough information: either SELECTOR or INDEX is required.",
    "ip xfrm policy get dir out",
)
command("a type to flush", 31, wrong("foo", "PTYPE value is invalid"), "ip xfrm policy flush ptype foo")
command("a default", 19, 'not simulated: "setdefault" of ip xfrm policy', "ip xfrm policy setdefault")
answer("a policy twice", "RTNETLINK answers: File exists", POLICY, last=POLICY)
answer("an index of another direction", "Error: Policy index doesn't match direction.", last=POLICY + "index 8")
answer(
    "seven templates",
    "Error: Template count must be <= XFRM_MAX_DEPTH (6).",
    last=POLICY + 7 * "tmpl proto esp ",
)
answer("no such policy", "RTNETLINK answers: No such file or directory", last=POLICY.replace("add", "delete"))

answer("a second state of one SPI", "RTNETLINK answers: File exists", SA + NULLS, last=SA + NULLS)
answer("a cipher that there is not", "Error: Requested CRYPT algorithm not found.", last=SA + "enc foo ''")
answer(
    "a key of the wrong length",
    "Error: Kernel was unable to initialize cryptographic operations.",
    last=SA + "enc aes 0x0011",
)
answer(
    "a change of what is not there",
    "RTNETLINK answers: No such process",
    last=SA.replace("add", "update") + NULLS,
)

case(
    "commands that take longer than simulated time lasts",
    "simulated time ends at 18446744.073709 s, and task 'sleep' is due later",
    "T.json",
    "--calls=calls",
    file=scenario("ip netns add t", "ip link set lo down", *["sleep 1000000"] * 19),
)


def run(args, text):
    with tempfile.TemporaryDirectory() as empty:
        if text is not None:
            with open(os.path.join(empty, "T.json"), "w", encoding="utf-8") as file:
                file.write(text)
        before = sorted(os.listdir(empty))
        done = subprocess.run(
            [sim, *args],
            cwd=empty,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "NETSTRUCT_TOPOLOGIES": folder},
            timeout=60,
        )
        return done, before == sorted(os.listdir(empty))


def problems(stderr, args, text, status):
    done, clean = run(args, text)
    got = done.stderr.decode()
    if done.returncode != status:
        yield f"exit status {done.returncode}, not {status}"
    if stderr is not None and got != f"sim: {stderr}\n":
        yield f"wants sim: {stderr}"
        yield f"got   {got.rstrip()}"
    if not got.startswith("sim: ") or got.count("\n") != 1:
        yield f"not one line: {got!r}"
    if status == 2 and done.stdout:
        yield f"standard output: {done.stdout[:80]!r}"
    if not clean:
        yield "it left a file behind"


failed = 0
for number, (what, *rest) in enumerate(cases, 1):
    found = list(problems(*rest))
    failed += bool(found)
    print(f"{'not ok' if found else 'ok'} {number} - {what}")
    for line in found:
        print(f"# {line}")
print(f"1..{len(cases)}")
sys.exit(1 if failed else 0)
