#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""link-dumps.py - dumps of links and addresses are complete: link-dumps.py SIM SOURCE

What the commands made is known, so that what 'ip' shows can be counted: by every way
to read, from datagrams that hold two links to such that hold twenty; with a device
whose addresses fill several datagrams; and through the filters, the kernel's and ip's.
How large each datagram is, is what kernels 6.1 and 5.10 made of the same commands.
"""

import json

from harness import done, json_lines, ok, path, phases, result, truth

DEVICES = 520  # two of them in most buckets of the index, three in some
MANY = 150  # addresses of one device
BRIDGED = 9  # every ninth is a port


def topology(skb):
    setup = ["ip netns add t", "ip -n t link add sw type bridge"]
    setup += [f"ip -n t link add d{n} group {n % 3} type dummy" for n in range(DEVICES)]
    setup += [f"ip -n t link set d{n} master sw" for n in range(0, DEVICES, BRIDGED)]
    setup += [f"ip -n t addr add 2001:db8::{n:x}:{i}/64 dev d{n}" for n in range(DEVICES) for i in (1, 2)]
    setup += [f"ip -n t addr add 2001:db8:1::{i:x}/64 dev d100" for i in range(1, MANY + 1)]
    shows = {
        "link": "link show",
        "addr": "addr show",
        "addr6": "-6 addr show",
        "one": "addr show dev d100",
        "master": "link show master sw",
        "kind": "link show type bridge",
        "both": "link show type bridge master sw",
        "slave": "link show type bridge_slave",
        "none": "link show nomaster",
        "group": "link show group 2",
    }
    runs = [{"name": name, "run": [f"ip -n t -j {words}"]} for name, words in shows.items()]
    return {
        "name": "link-dumps",
        "about": "many links and addresses",
        "kernel": {"version": "6.1", "skb": skb},
        "setup": setup,
        "phases": runs,
    }


def bucket_order(names):
    """d0 is the third device, behind lo and sw."""
    index = {"lo": 1, "sw": 2} | {f"d{n}": n + 3 for n in range(DEVICES)}
    return sorted(names, key=lambda name: (index[name] % 256, -index[name]))


def expected():
    ports = {f"d{n}" for n in range(0, DEVICES, BRIDGED)}
    dummies = {f"d{n}" for n in range(DEVICES)}
    everything = dummies | {"lo", "sw"}
    return {
        "link": everything,
        "addr": everything,
        "one": {"d100"},
        "master": ports,
        "kind": {"sw"},
        "both": set(),
        "slave": ports,
        "none": everything - ports,
        "group": {f"d{n}" for n in range(2, DEVICES, 3)},
    }


def addresses(name):
    own = [] if name in ("lo", "sw") else [f"2001:db8::{int(name[1:]):x}:{i}" for i in (2, 1)]
    many = [f"2001:db8:1::{i:x}" for i in range(MANY, 0, -1)] if name == "d100" else []
    return [address.replace("::0:", "::") for address in many + own]


def check(skb):
    outcome = phases(result(topology(skb), f"--commands={path('commands')}"))
    shown = {
        entry["phase"]: [link for link in json.loads(entry["output"]) if link]
        for entry in json_lines("commands")
        if entry["phase"] in outcome and entry["phase"] != "setup"
    }
    for name, links in expected().items():
        names = [link["ifname"] for link in shown[name]]
        ok(f"{skb}, {name}: each link once, in the order of the index", [] if names == bucket_order(links) else [names])
    for name in ("addr", "addr6", "one"):
        wrong = [
            link["ifname"]
            for link in shown[name]
            if [a["local"] for a in link["addr_info"] if a["scope"] == "global"] != addresses(link["ifname"])
        ]
        ok(f"{skb}, {name}: each address once, the newest first", wrong)
    for name, phase in outcome.items():
        problems = [d for d in phase.get("dumps", []) if d["lost"] or d["repeated"] or d["interrupted"]]
        ok(f"{skb}, {name}: nothing is lost or repeated", problems)


def recorded_sizes():
    """{kernel: {command: sizes of the datagrams}}."""
    sizes = {}
    with open(truth("link-sizes.txt"), encoding="utf-8") as recording:
        for line in recording:
            command, datagrams = line.rstrip("\n").rsplit(":", 1)
            kernel, command = command.split(" ", 1)
            sizes.setdefault(kernel, {})[command] = [int(size) for size in datagrams.split()]
    return sizes


def check_sizes(kernel, commands):
    setup = ["ip netns add t", "ip -n t link set lo up"]
    setup += [f"ip -n t link add d{n} type dummy" for n in range(1, 61)]
    setup += [f"ip -n t addr add 2001:db8::{n}/64 dev d3 nodad" for n in range(1, 81)]
    scenario = {
        "name": "link-sizes",
        "about": "what dumps are read in",
        "kernel": {"version": kernel},
        "setup": setup,
        "phases": [{"name": "shows", "run": list(commands)}],
    }
    result(scenario, f"--commands={path('commands')}")
    for entry in json_lines("commands"):
        if entry["phase"] != "setup":
            expected_sizes = commands[entry["command"]]
            read = entry.get("recvmsg", [])
            ok(f"{kernel}, {entry['command']}: datagrams", [] if read == expected_sizes else [read])


for word in ("auto", "16384", "3776"):
    check(word)
for version, recorded in recorded_sizes().items():
    check_sizes(version, recorded)
done()
