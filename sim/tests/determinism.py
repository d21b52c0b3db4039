#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""determinism.py - same input, same bytes; other backend, same answers:
determinism.py SIM SOURCE

A timeline that hangs on no backend's price needs the machine "none"; the
fingerprints of the shipped scenarios are equal on the machine that they name, too.
"""

import json
import os
import subprocess

from harness import ok, done, path, result, run, sim

SCENARIOS = {"bond-vlan-vrf.json": "--param=vlans=20", "bond-macvlan.json": "--param=containers=8"}
FILES = ("state", "commands", "calls")


def backends():
    listed = subprocess.run([sim, "list", "backends"], capture_output=True, text=True, check=True)
    return [line.split()[0] for line in listed.stdout.splitlines() if line[:1].isalpha()]


def everything(scenario, size, output_format, locale):
    os.environ["LC_ALL"] = locale
    out = run(
        scenario,
        size,
        "--variant=" + {"bond-vlan-vrf.json": "before", "bond-macvlan.json": "rbtree"}[scenario],
        "--format=" + output_format,
        *(f"--{name}={path(name)}" for name in FILES),
    )
    written = []
    for name in FILES:
        with open(path(name), "rb") as file:
            written.append(file.read())
    return [out, *written]


for name, size in SCENARIOS.items():
    for output_format in ("table", "json", "csv", "jsonl"):
        first = everything(name, size, output_format, "C")
        second = everything(name, size, output_format, "C.UTF-8")
        ok(
            f"{name}, {output_format}: two runs give the same bytes",
            [f"output {n} differs" for n, (a, b) in enumerate(zip(first, second)) if a != b]
            + [f"output {n} is empty" for n, out in enumerate(first) if not out],
        )
    for machine in ("none", "e5-2650v3"):
        prints = {
            backend: result(name, size, "--backend=" + backend, "--machine=" + machine)["fingerprint"]
            for backend in [*backends(), "hash:buckets=1", "list:walk=literal"]
        }
        ok(
            f"{name}, {machine}: all backends give the same fingerprint",
            [] if len(set(prints.values())) == 1 else [json.dumps(prints)],
        )
done()
