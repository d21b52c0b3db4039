#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""corner-cases.py - what no recording has, by the rules of the kernel's source:
corner-cases.py SIM SOURCE

A user may join a group that IPv6 or a device above is in, too: __hw_addr_add_ex()
and __hw_addr_del_entry() count a user once, however often, and let one take back
nothing but that.  A device may go down before its addresses are proven unique:
addrconf_ifdown() ends the proof of each, so that none joins its group afterwards.
"""

import json

from harness import done, json_lines, ok, path, run

SETUP = [
    "ip netns add t",
    "ip -n t link add eth0 type veth peer name eth1",
    "ip -n t link set eth1 up",
    "ip -n t link set eth0 up",
    "ip -n t link add link eth0 name v1 type vlan id 1",
    "ip -n t link set v1 up",
]

NODES = "33:33:00:00:00:01"  # all-nodes: IPv6 is in it on every device
OWN = "01:00:5e:00:00:0a"
GONE = "ioctl: No such file or directory\n"

# v1 is a VLAN on eth0 and hands its groups down.  What is asked of ip maddress, its
# error, and what there is then: how often the device has the group, and whether also
# for a user; nothing if it does not.
STEPS = [
    (f"del {NODES} dev eth0", GONE, (2, False)),
    (f"add {NODES} dev eth0", "", (3, True)),
    (f"add {NODES} dev eth0", "", (3, True)),
    (f"del {NODES} dev eth0", "", (2, False)),
    (f"del {NODES} dev eth0", GONE, (2, False)),
    (f"add {OWN} dev eth0", "", (1, True)),
    (f"add {OWN} dev eth0", "", (1, True)),
    (f"del {OWN} dev eth0", "", None),
    (f"del {OWN} dev eth0", GONE, None),
    (f"add {OWN} dev v1", "", (2, True)),
    (f"del {OWN} dev eth0", GONE, (1, False)),
    (f"add {OWN} dev eth0", "", (2, True)),
    (f"del {OWN} dev v1", "", None),
    (f"del {OWN} dev eth0", "", None),
]


def answers(version, backend, commands):
    """What the commands answered, some of which may fail."""
    topology = {
        "name": "corner-case",
        "kernel": {"version": version},
        "setup": {"run": SETUP, "settle": 3},
        "phases": [{"name": "case", "run": commands, "keep_going": True}],
    }
    run(topology, f"--backend={backend}", f"--commands={path('commands')}")
    return [line for line in json_lines("commands") if line["phase"] == "case"]


def groups(shown):
    return json.loads(shown["output"])[0]["maddr"]


def group(shown, address):
    """How often, and whether also for a user; or nothing."""
    for entry in groups(shown):
        if entry.get("link") == address:
            return entry.get("users", 1), "features" in entry


def check_user_groups(version, backend):
    commands = []
    for command, _, _ in STEPS:
        commands.append(f"ip -n t maddress {command}")
        commands.append("ip -n t -j maddress show dev " + command.split()[-1])
    told = answers(version, backend, commands)
    problems = []
    for (command, error, expected), answer, shown in zip(STEPS, told[::2], told[1::2]):
        found = group(shown, command.split()[1])
        if (answer["error"], found) != (error, expected):
            problems.append(f"{command}: {answer['error']!r}, {found}; not {error!r}, {expected}")
    ok(f"{version}, {backend}: a user's groups beside the kernel's", problems)


def check_unproven_addresses(version, backend):
    addresses = [f"2001:db8::{n}" for n in range(1, 6)]
    told = answers(
        version,
        backend,
        [
            "ip netns exec t sysctl -w net.ipv6.conf.eth0.keep_addr_on_down=1",
            *(f"ip -n t address add {address}/64 dev eth0" for address in addresses),
            "ip -n t -j maddress show dev eth0",
            "ip -n t link set eth0 down",
            "sleep 3",
            "ip -n t -j maddress show dev eth0",
        ],
    )
    before, after = (
        [e["address"] for e in groups(shown) if "ff02::1:ff00:" in e.get("address", "")]
        for shown in (told[-4], told[-1])
    )
    problems = [f"not in the groups of all addresses, but in {before}"] if len(before) != 5 else []
    problems += [f"down, but in {after}"] if after else []
    ok(f"{version}, {backend}: addresses of a device that went down", problems)


for kernel in ("5.10", "6.1"):
    for structure in ("list", "rbtree", "hash"):
        check_user_groups(kernel, structure)
        check_unproven_addresses(kernel, structure)
done()
