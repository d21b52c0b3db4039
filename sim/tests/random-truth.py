#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""random-truth.py - random commands beside what real kernels made of them:
random-truth.py SIM SOURCE

Each sequence of truth/random-sequences.jsonl ran on Linux 6.1 or 5.10: thirty
commands, three seconds apart, in a new namespace.  Half of them fail.  Exit
statuses, error texts, the final state and the counts must be the same.
"""

import json

from harness import json_lines, ok, done, path, phases, result, truth

BACKENDS = {"6.1": "rbtree", "5.10": "list"}


def topology(recorded):
    commands = []
    for command, _, _ in recorded["commands"]:
        commands += [{"run": command.replace("ip ", "ip -n t ", 1), "may_fail": True}, "sleep 3"]
    return {
        "name": "random",
        "kernel": {"version": recorded["kernel"]},
        "setup": {"run": ["ip netns add t", "ip -n t link set lo up"], "settle": 2},
        "phases": [{"name": "commands", "run": commands, "settle": 6}],
    }


def compare_answers(recorded, commands):
    """The first two commands are the setup's, every second one of the rest a sleep."""
    for (command, status, error), sim in zip(recorded["commands"], commands[2::2]):
        lines = [line for line in sim["error"].split("\n") if line]
        if (sim["status"], lines) != (status, error):
            yield f"{command}: sim {sim['status']} {lines}, kernel {status} {error}"


def compare_links(recorded, links):
    if [link["ifname"] for link in links] != [link["ifname"] for link in recorded["link"]]:
        yield f"devices: {[link['ifname'] for link in links]}"
    sim = {link["ifname"]: link for link in links}
    for link in recorded["link"]:
        for key, value in link.items():
            ours = sim.get(link["ifname"], {}).get(key)
            if key == "flags":
                ours, value = sorted(ours or []), sorted(value)
            # A bond that lost its slaves has a random address.
            if ours != value and not (key == "address" and "MASTER" in link["flags"]):
                yield f"{link['ifname']} {key}: sim {ours}, kernel {value}"


def compare_addresses(recorded, addresses):
    for dev in addresses:
        sim = [
            [a["local"], a["prefixlen"], a["scope"]]
            for a in dev["addr_info"]
            if a["family"] == "inet6"
        ]
        if sim != recorded["addr"].get(dev["ifname"]):
            yield f"{dev['ifname']}: sim {sim}, kernel {recorded['addr'].get(dev['ifname'])}"


def compare_lists(recorded, maddr):
    sim = [
        [dev["ifname"], a.get("users", 1), int("features" in a), a["link"]]
        for dev in maddr
        for a in dev["maddr"]
        if "link" in a
    ]
    for ours, theirs in zip(sim, recorded["dev_mcast"]):
        if ours != theirs:
            yield f"multicast list: sim {ours}, kernel {theirs}"
    if len(sim) != len(recorded["dev_mcast"]):
        yield f"multicast lists: sim has {len(sim)}, kernel {len(recorded['dev_mcast'])} entries"


def compare_counts(recorded, phase):
    # The forwarding database of bridges is not modelled; when a port becomes
    # promiscuous, the kernel deletes its entries from the port's unicast list.
    without_fdb = any("type bridge" in command for command, _, _ in recorded["commands"])
    unknown = {"dev_uc_del", "__hw_addr_del_ex"} if without_fdb else set()
    for name, count in sorted(recorded["calls"].items()):
        if name not in unknown and phase["calls"].get(name, 0) != count:
            yield f"calls of {name}: sim {phase['calls'].get(name, 0)}, kernel {count}"
    table = phase["tables"]["dev_addr"]
    if not without_fdb and table["visits"] != recorded["compares"]:
        yield f"visits: sim {table['visits']}, kernel {recorded['compares']}"
    if table["walk_visits"] != recorded["walked"]:
        yield f"walk_visits: sim {table['walk_visits']}, kernel {recorded['walked']}"


def check(recorded):
    outcome = result(
        topology(recorded),
        "--backend=" + BACKENDS[recorded["kernel"]],
        "--state=" + path("state"),
        "--commands=" + path("commands"),
    )
    with open(path("state"), encoding="utf-8") as file:
        state = json.load(file)["t"]
    ok(
        f"{recorded['kernel']}, sequence {recorded['id']}",
        [
            *compare_answers(recorded, json_lines("commands")),
            *compare_links(recorded, state["link"]),
            *compare_addresses(recorded, state["addr"]),
            *compare_lists(recorded, state["maddr"]),
            *compare_counts(recorded, phases(outcome)["commands"]),
        ],
    )


with open(truth("random-sequences.jsonl"), encoding="utf-8") as sequences:
    for sequence in sequences:
        check(json.loads(sequence))
done()
