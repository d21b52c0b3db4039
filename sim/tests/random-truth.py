#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""random-truth.py - sequences of commands beside what real kernels made of them:
random-truth.py SIM SOURCE

Each sequence ran on Linux 6.1 or 5.10, in new namespaces, three seconds between
commands.  Those of truth/random-sequences.jsonl are random, thirty commands in
the namespace t; those of truth/made-sequences.jsonl were thought out, or found,
to reach what these do not, and name their namespaces.  Many commands fail.  Exit
statuses, error texts, the final state and the counts must be the same.
"""

import json
import re

from harness import json_lines, ok, done, path, phases, result, truth

BACKENDS = {"6.1": "rbtree", "5.10": "list"}
SHOWS = {"link": "-d -j link", "addr": "-j address", "maddr": "-j maddress"}


def whole(command):
    """The random sequences leave the namespace out."""
    return re.sub(r"^(ip|bridge) (?!-n |netns )", r"\1 -n t ", command)


def spaces(recorded):
    """The namespaces at the end."""
    return sorted(recorded.get("state", "t"))


def topology(recorded):
    commands, shown = [], []
    for command, _, _ in recorded["commands"]:
        commands += [{"run": whole(command), "may_fail": True}, "sleep 3"]
    for space in spaces(recorded):
        shown += [f"ip -n {space} {show} show" for show in SHOWS.values()]
    return {
        "name": "sequence",
        "kernel": {"version": recorded["kernel"]},
        "setup": {"run": ["ip netns add t", "ip -n t link set lo up"], "settle": 2},
        "phases": [
            {"name": "commands", "run": commands, "settle": 6},
            {"name": "state", "run": shown},
        ],
    }


def random_addresses(state, commands):
    """Those that no command gave, in the order of their devices."""
    given = " ".join(command for command, _, _ in commands) + "00:00:00:00:00:00"
    found = [link["address"] for space in sorted(state) for link in state[space]["link"]]
    return [mac for mac in dict.fromkeys(found) if mac not in given]


def link_local(mac):
    """As ip shows the address that is made of it."""
    first, *rest = (int(part, 16) for part in mac.split(":"))
    eui64 = [first ^ 2, *rest[:2], 0xFF, 0xFE, *rest[2:]]
    return "fe80::" + ":".join(f"{high << 8 | low:x}" for high, low in zip(eui64[::2], eui64[1::2]))


def name_random_addresses(state, commands):
    """The state with words for random addresses and for what is made of them."""
    text = json.dumps(state)
    for number, mac in enumerate(random_addresses(state, commands)):
        text = text.replace(link_local(mac), f"link-local-{number}")
        text = text.replace("33:33:ff" + mac[8:], f"solicited-{number}")
        text = text.replace(mac, f"mac-{number}")
    return json.loads(text)


def compare_answers(recorded, commands):
    """The first two commands are the setup's, every second one of the rest a sleep."""
    for (command, status, error), sim in zip(recorded["commands"], commands[2::2]):
        lines = [line for line in sim["error"].split("\n") if line]
        if (sim["status"], lines) != (status, error):
            yield f"{command}: sim {sim['status']} {lines}, kernel {status} {error}"


def details(link):
    """What the kernel's kinds add, in the form of the recording."""
    info = link.get("linkinfo", {})
    data, slave = info.get("info_data", {}), info.get("info_slave_data", {})
    return link | {
        "bond": {key: data.get(key) for key in ("mode", "active_slave", "primary", "miimon")},
        "slave": {key: slave.get(key) for key in ("state", "mii_status", "perm_hwaddr")},
        "macvlan": data.get("mode"),
    }


def compare_links(space, recorded, links):
    if [link["ifname"] for link in links] != [link["ifname"] for link in recorded["link"]]:
        yield f"{space}: devices: {[link['ifname'] for link in links]}"
    sim = {link["ifname"]: details(link) for link in links}
    for link in recorded["link"]:
        for key, value in link.items():
            ours = sim.get(link["ifname"], {}).get(key)
            if key == "flags":
                ours, value = sorted(ours or []), sorted(value)
            if ours != value:
                yield f"{space}: {link['ifname']} {key}: sim {ours}, kernel {value}"


def compare_addresses(space, recorded, addresses):
    for dev in addresses:
        kernel = recorded["addr"].get(dev["ifname"])
        sim = []
        for a in dev["addr_info"]:
            if a["family"] == "inet6":
                words = sorted(word for word, value in a.items() if value is True)
                sim.append([a["local"], a["prefixlen"], a["scope"], words])
        if kernel and len(kernel[0]) == 3:
            sim = [address[:3] for address in sim]
        else:
            kernel = kernel and [[*address[:3], sorted(address[3])] for address in kernel]
        if sim != kernel:
            yield f"{space}: {dev['ifname']}: sim {sim}, kernel {kernel}"


def compare_lists(space, recorded, maddr):
    sim = [
        [dev["ifname"], a.get("users", 1), int("features" in a), a["link"]]
        for dev in maddr
        for a in dev["maddr"]
        if "link" in a
    ]
    for ours, theirs in zip(sim, recorded["dev_mcast"]):
        if ours != theirs:
            yield f"{space}: multicast list: sim {ours}, kernel {theirs}"
    if len(sim) != len(recorded["dev_mcast"]):
        yield f"{space}: lists: sim has {len(sim)}, kernel {len(recorded['dev_mcast'])} entries"


def sim_state(recorded):
    """What the last commands showed: --state is of the time when all timers have run."""
    names = [(space, show) for space in spaces(recorded) for show in SHOWS]
    state = {space: {} for space in spaces(recorded)}
    for (space, show), command in zip(names, json_lines("commands")[-len(names) :]):
        state[space][show] = json.loads(command["output"])
    return state


def compare_state(recorded):
    kernel = recorded.get("state")
    if not kernel:
        kernel = {"t": {key: recorded[key] for key in ("link", "addr", "dev_mcast")}}
    kernel = name_random_addresses(kernel, recorded["commands"])
    sim = name_random_addresses(sim_state(recorded), recorded["commands"])
    for space in spaces(recorded):
        yield from compare_links(space, kernel[space], sim[space]["link"])
        yield from compare_addresses(space, kernel[space], sim[space]["addr"])
        yield from compare_lists(space, kernel[space], sim[space]["maddr"])


def compare_counts(recorded, phase):
    for name, count in sorted(recorded["calls"].items()):
        if phase["calls"].get(name, 0) != count:
            yield f"calls of {name}: sim {phase['calls'].get(name, 0)}, kernel {count}"
    table = phase["tables"]["dev_addr"]
    if table["visits"] != recorded["compares"]:
        yield f"visits: sim {table['visits']}, kernel {recorded['compares']}"
    if table["walk_visits"] != recorded["walked"]:
        yield f"walk_visits: sim {table['walk_visits']}, kernel {recorded['walked']}"


def check(recorded):
    outcome = result(
        topology(recorded),
        "--backend=" + BACKENDS[recorded["kernel"]],
        "--commands=" + path("commands"),
    )
    ok(
        f"{recorded['kernel']}, sequence {recorded['id']}",
        [
            *compare_answers(recorded, json_lines("commands")),
            *compare_state(recorded),
            *compare_counts(recorded, phases(outcome)["commands"]),
        ],
    )


for name in ("random-sequences.jsonl", "made-sequences.jsonl"):
    with open(truth(name), encoding="utf-8") as sequences:
        for sequence in sequences:
            check(json.loads(sequence))
done()
