#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""bridge-truth.py - bridges and tunnels beside those of real kernels: bridge-truth.py SIM SOURCE

Sequences of commands on a bridge with ports, and on vxlan devices: VLANs, settings,
remotes, frames, entries that grow old.  Exit statuses, what each command printed, and
the calls of the kernel's functions must be those of Linux 6.1 and 5.10 in
truth/bridge-sequences.jsonl and truth/vxlan-sequences.jsonl.  "truth/README.md" says
how these came to be."""

import json
import re

from harness import done, json_lines, ok, path, phases, result, truth


def real(command):
    """A recorded word that is no program: how often a device was made to hear all."""
    word, *names = command.split()
    if word == "promiscuity":
        return "ip -n {} -d -j link show {}".format(*names)
    return command


def topology(recorded):
    commands = [{"run": real(command), "may_fail": True} for command, _, _ in recorded["commands"]]
    return {
        "name": "sequence",
        "kernel": {"version": recorded["kernel"]},
        "setup": {"run": recorded["setup"], "settle": 6},
        "phases": [{"name": "commands", "run": commands}],
    }


def answer(command, answered):
    """Status and lines, as they are recorded.  Frames were sent by another program than
    mausezahn, whose errors are not its."""
    status, lines = answered["status"], (answered["output"] + answered["error"]).splitlines()
    if command.startswith("promiscuity"):
        return status, [str(json.loads(answered["output"])[0]["promiscuity"])]
    if " mausezahn " in command:
        return int(status != 0), []
    return status, lines


def entry_of(line):
    """What an entry of a tunnel is known by; lines with another remote of it stay in order."""
    source = re.search(r"src_vni \d+", line)
    return re.match(r"\S+( dev \S+)?", line)[0], source[0] if source else ""


def in_order(command, lines):
    """The kernel salts the hash of a tunnel's entries at random."""
    shown = "vx" in "".join(lines) + command and " fdb show" in command
    return sorted(lines, key=entry_of) if shown else lines


def compare_answers(recorded, commands):
    for (command, status, lines), answered in zip(recorded["commands"], commands):
        ours = answer(command, answered)
        ours, lines = (ours[0], in_order(command, ours[1])), in_order(command, lines)
        if ours != (status, lines):
            missing = [line for line in lines if line not in ours[1]]
            extra = [line for line in ours[1] if line not in lines]
            yield f"{command}: status {ours[0]}, kernel {status}; missing {missing}, extra {extra}"


def compare_calls(recorded, calls):
    for name, count in recorded["calls"].items():
        if calls.get(name, 0) != count:
            yield f"calls of {name}: sim {calls.get(name, 0)}, kernel {count}"


def check(recorded):
    outcome = result(topology(recorded), "--commands=" + path("commands"))
    commands = [line for line in json_lines("commands") if line["phase"] == "commands"]
    ok(
        f"{recorded['kernel']}, {recorded['id']}",
        [
            *compare_answers(recorded, commands),
            *compare_calls(recorded, phases(outcome)["commands"]["calls"]),
        ],
    )


for name in ("bridge-sequences.jsonl", "vxlan-sequences.jsonl"):
    with open(truth(name), encoding="utf-8") as sequences:
        for sequence in sequences:
            check(json.loads(sequence))
done()
