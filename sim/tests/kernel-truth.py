#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kernel-truth.py - bond-vlan-vrf beside what real kernels did: kernel-truth.py SIM SOURCE

Linux 6.1 and 5.10 ran the scenario's commands at six sizes, with a wait of six
seconds after each phase, under probes: truth/README.md.  Every count, every node
that a lookup compared or a walk passed, the multicast lists after each phase, and
at three sizes every call, must be the same.
"""

import json
import re

from harness import json_lines, ok, done, path, phases, result, run, scenario, truth

PHASES = {
    "setup": "setup",
    "1.create": "Creating vlans",
    "2.up": "Bringing them up",
    "3.addr": "Assiging IPv6 Addresses",
    "4.vrf": "Attaching to VRF",
    "5.del": "Deleting the namespace",
}
VARIANTS = {"6.1": "after", "5.10": "before"}
SIZES = (1, 2, 5, 10, 50, 100)


def with_shows():
    """The scenario with a look at the lists behind each phase but the last."""
    topology = scenario("bond-vlan-vrf.json")
    shown = []
    for phase in topology["phases"][:-1]:
        shown += [{"name": f"before {phase['name']}", "run": ["ip -n test -j maddress show"]}, phase]
    last = topology["phases"][-1]
    show = {"name": f"before {last['name']}", "run": ["ip -n test -j maddress show"]}
    show_address = {"name": "addresses", "run": ["ip -n test -j link show"]}
    topology["phases"] = shown + [show, show_address, last]
    return topology


def solicited(mac):
    """The group of the link-local address that is made of a MAC."""
    return "33:33:ff:" + mac[9:]


def mcast_lists(maddr, names):
    return [
        [dev["ifname"]]
        + [[a.get("users", 1), int("features" in a), names.get(a["link"], a["link"])] for a in links]
        for dev in maddr
        if (links := [a for a in dev["maddr"] if "link" in a])
    ]


def differences(what, sim, kernel):
    if isinstance(sim, dict):
        return [
            f"{what} {key}: sim {sim.get(key, 0)}, kernel {kernel.get(key, 0)}"
            for key in sorted(kernel.keys() | sim.keys())
            if sim.get(key, 0) != kernel.get(key, 0)
        ]
    return [] if sim == kernel else [f"{what}: sim {sim}, kernel {kernel}"]


def compare_phase(recorded, phase, counted):
    """'counted': all functions that any phase of the recordings counts."""
    table = phase["tables"]["dev_addr"]
    calls = {name: count for name, count in phase["calls"].items() if name in counted}
    return (
        differences("calls", calls, recorded["calls"])
        + differences("visits", table["visits"], recorded["compares"])
        + differences("walk_visits", table["walk_visits"], recorded["walked"])
    )


def compare_lists(recorded, shows, sim_macs, kernel_macs):
    names = {solicited(sim_macs[dev]): solicited(mac) for dev, mac in kernel_macs.items()}
    problems = []
    for phase, show in zip(recorded, shows):
        sim = mcast_lists(json.loads(show["output"]), names)
        for ours, theirs in zip(sim, phase["dev_mcast"]):
            problems += differences(f"after {phase['name']}", ours, theirs)
        problems += differences("devices", len(sim), len(phase["dev_mcast"]))
    return problems


def check_counts(version):
    for size in SIZES:
        with open(truth(f"bond-vlan-vrf-{version}-{size}.json"), encoding="utf-8") as file:
            recorded = json.load(file)
        counted = {name for phase in recorded["phases"] for name in phase["calls"]}
        outcome = phases(
            result(
                with_shows(),
                f"--variant={VARIANTS[version]}",
                f"--param=vlans={size}",
                "--param=settle=6",
                "--param=previous=0",
                f"--commands={path('commands')}",
            )
        )
        for phase in recorded["phases"]:
            ok(
                f"{version}, {size} VLANs, {phase['name']}: calls, compares and walks",
                compare_phase(phase, outcome[PHASES[phase["name"]]], counted),
            )
        shows = [c for c in json_lines("commands") if " show" in c["command"]]
        macs = {d["ifname"]: d["address"] for d in json.loads(shows.pop()["output"])}
        ok(
            f"{version}, {size} VLANs: multicast lists after each phase",
            compare_lists(recorded["phases"], shows, macs, recorded["macs"]),
        )


def trace_line(call, macs):
    """A call as the recordings write it; see truth/README.md."""
    words = [call["fn"]]
    order = ("list", "addr", "type", "global", "sync", "sync_count", "ret")
    if "list" in call:
        words += [str(call[key]) for key in order if key in call]
        if words[1] == "lo/dev_addrs":
            words[1] = "?"
    else:
        order = ("dev", "to", "from", "tolist", "group", "addr")
        words += [call[key] for key in order if key in call]
    line = " ".join(words)
    for dev, mac in macs.items():
        line = line.replace(solicited(mac), f"33:33:ff:@{dev}")
        low = mac[9:].replace(":", "")
        line = line.replace(f"ff0200000000000000000001ff{low}", f"ff02::1:ff@{dev}")
    return line


# What the recordings have without an argument, though sim knows the device.
NO_DEVICE = {"igmp6_group_dropped", "ip_mc_up", "ip_mc_down", "ipv6_mc_down", "addrconf_ifdown"}


def sim_trace(variant, size):
    topology = scenario("bond-vlan-vrf.json")
    topology["phases"].pop()
    show = {"name": "addresses", "run": ["ip -n test -j link show"]}
    topology["phases"].append(show)
    run(
        topology,
        f"--variant={variant}",
        f"--param=vlans={size}",
        "--param=settle=6",
        "--param=previous=0",
        "--output=" + path("result"),
        "--calls=" + path("calls"),
        "--commands=" + path("commands"),
    )
    links = json.loads(json_lines("commands")[-1]["output"])
    macs = {d["ifname"]: d["address"] for d in links if d["ifname"] in ("foo", "b1")}
    calls = json_lines("calls")
    for call in calls:
        if call["fn"] in NO_DEVICE:
            call.pop("dev")
    return [(call["fn"], trace_line(call, macs)) for call in calls]


def check_trace(size):
    with open(truth(f"bond-vlan-vrf-trace-{size}.txt"), encoding="utf-8") as file:
        recorded = [line.rstrip() for line in file if not line.startswith("#")]
    traced = {re.split(" ", line)[0] for line in recorded}
    for version, variant in VARIANTS.items():
        sim = [line for fn, line in sim_trace(variant, size) if fn in traced]
        problems = [
            f"call {n}: sim '{ours}', kernel '{theirs}'"
            for n, (ours, theirs) in enumerate(zip(sim, recorded), 1)
            if ours != theirs
        ]
        problems += differences("number of calls", len(sim), len(recorded))
        ok(f"{version}, {size} VLANs: {len(recorded)} calls, one by one", problems)


for kernel in VARIANTS:
    check_counts(kernel)
for vlans in (1, 2, 3):
    check_trace(vlans)
done()
