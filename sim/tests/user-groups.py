#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""user-groups.py - groups that a user joins beside the kernel: user-groups.py SIM SOURCE

No recording has a user who joins or leaves a group that IPv6 or a device above is
in, too.  What must come of it follows from __hw_addr_add_ex() and
__hw_addr_del_entry() of Linux 5.10 and 6.1: a user counts once, however often, and
may take back nothing but that.
"""

import json

from harness import done, json_lines, ok, path, run

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


def topology(version):
    commands = []
    for command, _, _ in STEPS:
        commands.append({"run": f"ip -n t maddress {command}", "may_fail": True})
        commands.append("ip -n t -j maddress show dev " + command.split()[-1])
    return {
        "name": "user-groups",
        "kernel": {"version": version},
        "setup": {
            "run": [
                "ip netns add t",
                "ip -n t link add eth0 type veth peer name eth1",
                "ip -n t link set eth1 up",
                "ip -n t link set eth0 up",
                "ip -n t link add link eth0 name v1 type vlan id 1",
                "ip -n t link set v1 up",
            ],
            "settle": 3,
        },
        "phases": [{"name": "groups", "run": commands}],
    }


def group(shown, address):
    """How often, and whether also for a user; or nothing."""
    for entry in json.loads(shown["output"])[0]["maddr"]:
        if entry.get("link") == address:
            return entry.get("users", 1), "features" in entry


def check(version, backend):
    run(topology(version), f"--backend={backend}", f"--commands={path('commands')}")
    answers = [line for line in json_lines("commands") if line["phase"] == "groups"]
    problems = []
    for (command, error, expected), answer, shown in zip(STEPS, answers[::2], answers[1::2]):
        found = group(shown, command.split()[1])
        if (answer["error"], found) != (error, expected):
            problems.append(f"{command}: {answer['error']!r}, {found}; not {error!r}, {expected}")
    ok(f"{version}, {backend}: a user's groups beside the kernel's", problems)


for kernel in ("5.10", "6.1"):
    for structure in ("list", "rbtree", "hash"):
        check(kernel, structure)
done()
