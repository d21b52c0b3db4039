#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""scenario-bench.py - what runs cost: scenario-bench.py SIM SOURCE [VLANS]

bond-vlan-vrf with every backend at full size, then what is measured beside each other:
the list that counts its walks and the one that walks, which is what a kernel does, at a
tenth of the size; ipv6-saddr for 10 ms on 16 and 192 CPUs.  Runs take turns, so that a busy machine slows all of them down alike, and
the fastest of each counts.  Nothing is asserted about times.
"""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass

from harness import sim, source

RUNS = 3
VLANS = "bond-vlan-vrf.json"
SENDERS = "ipv6-saddr.json"


@dataclass
class Run:
    cpu_s: float
    peak_kb: int
    visits: int
    walk_visits: int


def backends():
    listed = subprocess.run([sim, "list", "backends"], capture_output=True, text=True, check=True)
    return re.findall(r"^([a-z][^ ]*)", listed.stdout, re.MULTILINE)


def peak_kb(pid):
    """The ru_maxrss of a child would be that of this interpreter, where it is larger."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(r"^VmHWM:\s*(\d+) kB$", status.read(), re.MULTILINE).group(1))


def measure(scenario, options):
    command = [sim, "run", "--format=json", *options, os.path.join(source, "topologies", scenario)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0, pipesize=4096)
    # The result is longer than the pipe: who has begun to write it has done the
    # work, and cannot end before the rest is read.
    text = child.stdout.read(1)
    peak = peak_kb(child.pid) if text else 0
    text += child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {child.returncode}")
    tables = [t for phase in json.loads(text)["phases"] for t in phase["tables"].values()]
    return Run(
        used.ru_utime + used.ru_stime,
        peak,
        sum(table["visits"] for table in tables),
        sum(table["walk_visits"] for table in tables),
    )


def fastest(scenario, options):
    """Of each name's runs the fastest; 'options' are by name."""
    runs = [{name: measure(scenario, o) for name, o in options.items()} for _ in range(RUNS)]
    return {name: min((turn[name] for turn in runs), key=lambda run: run.cpu_s) for name in options}


def on_backends(names, vlans):
    return fastest(VLANS, {name: [f"--backend={name}", f"--param=vlans={vlans}"] for name in names})


def show(runs, vlans, peer):
    print(f"\nbond-vlan-vrf, vlans={vlans}, least of {RUNS} runs")
    print(
        f"{'backend':<20} {'CPU s':>7} {'of ' + peer:>8} {'peak MB':>8} {'visits':>15}"
        f" {'million/s':>10} {'walk visits':>12} {'million/s':>10}"
    )
    for name, run in runs.items():
        # A run may be shorter than what the system can measure.
        seconds = max(run.cpu_s, 1e-6)
        print(
            f"{name:<20} {run.cpu_s:>7.2f} {seconds / max(runs[peer].cpu_s, 1e-6):>8.2f}"
            f" {run.peak_kb / 1024:>8.1f} {run.visits:>15,} {run.visits / seconds / 1e6:>10,.1f}"
            f" {run.walk_visits:>12,} {run.walk_visits / seconds / 1e6:>10,.1f}",
            flush=True,
        )


def show_senders(counts):
    options = {
        (cpus, variant): [f"--variant={variant}", f"--param=senders={cpus}", f"--param=cpus={cpus}"]
        for cpus in counts
        for variant in ("before", "after")
    }
    print(f"\nipv6-saddr for 10 ms, least of {RUNS} runs\n{'CPUs':>4} {'variant':<8} {'CPU s':>7} {'peak MB':>8}")
    for (cpus, variant), run in fastest(SENDERS, options).items():
        print(f"{cpus:>4} {variant:<8} {run.cpu_s:>7.2f} {run.peak_kb / 1024:>8.1f}", flush=True)


def main():
    vlans = int(sys.argv[3]) if len(sys.argv) > 3 else 1500
    tenth = max(vlans // 10, 1)
    show(on_backends(backends(), vlans), vlans, "list")
    show(on_backends(["list", "list:walk=literal"], tenth), tenth, "list")
    show_senders((16, 192) if vlans >= 100 else (2,))


main()
