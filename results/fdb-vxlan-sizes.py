#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""fdb-vxlan-sizes.py - what fdb-vxlan predicts at the five sizes that were published:
fdb-vxlan-sizes.py SIM > results/fdb-vxlan-sizes.txt

The gain is that of frames a second from "before" to "after", of a process that sends
without end: what its start and exit cost is taken off.  Chains are as long as chance
makes them, so three seeds are run.
"""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SCENARIO = os.path.join(HERE, "..", "topologies", "fdb-vxlan.json")
PUBLISHED = {1024: 0.0112, 4096: 0.0922, 16384: 0.55, 65536: 5.85, 262144: 24.60}
SEEDS = (1, 2, 3)
FRAMES = 1001


def run(variant, entries, frames, seed=1):
    params = [f"--param=entries={entries}", f"--param=frames={frames}", f"--seed={seed}"]
    command = [sys.argv[1], "run", "--format=json", f"--variant={variant}", *params, SCENARIO]
    outcome = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return next(p for p in outcome["phases"] if p["name"] == "Sending")


def per_frame(variant, entries, seed):
    """Visits, and microseconds, of one frame more."""
    few, many = run(variant, 1, 1), run(variant, entries, FRAMES, seed)
    return (
        round(many["tables"]["vxlan_fdb"]["visits"] / FRAMES),
        (many["predicted_s"] - few["predicted_s"]) / (FRAMES - 1) * 1e6,
    )


def mean(values):
    return sum(values) / len(values)


def row(entries, published):
    before = [per_frame("before", entries, seed) for seed in SEEDS]
    after = [per_frame("after", entries, seed) for seed in SEEDS]
    visits = " ".join(f"{v:4}" for v, _ in before)
    gain = mean([us for _, us in before]) / mean([us for _, us in after]) - 1
    print(
        f"{entries:7}   {visits}  {mean([us for _, us in before]):6.2f}"
        f"   {mean([v for v, _ in after]):4.1f}  {mean([us for _, us in after]):5.2f}"
        f"   {gain:8.1%} {published:9.2%}   {(1 + gain) / (1 + published) - 1:+5.0%}"
    )


print(
    "          ------- before --------  -- after --   ------- gain -------  throughput\n"
    "entries    visits a frame     us   visits   us   predicted published   beside it"
)
for size in PUBLISHED.items():
    row(*size)
print(
    "\nThe price of a visit is that of 64k and 256k entries, where most of them come from memory.\n"
    "With fewer they come from a cache, which one price cannot say: there the gain is too large.\n"
    "The last column compares throughputs, after over before, predicted and published."
)
