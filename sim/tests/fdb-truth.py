#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""fdb-truth.py - 'bridge fdb show' beside what real kernels showed, counted and sent:
fdb-truth.py SIM SOURCE

Each recording of truth/fdb-dump.jsonl is a box: so many ports over one bridge or
four, so many entries round and round over the ports.  Lines and their order, calls,
entries walked, and the size of every datagram must be the same, on every backend.

truth/fdb-show.txt is one box with every kind of entry: what each command answered, and
what 'bridge fdb show' with its options and filters printed of it.
"""

import hashlib
import json
import re
from collections import Counter

from harness import done, json_lines, ok, path, phases, result, run, sim, truth

import subprocess

ALL = [
    line.split()[0]
    for line in subprocess.run([sim, "list", "backends"], capture_output=True, text=True, check=True)
    .stdout.split("\n")
    if line and not line.startswith(" ")
]
ALL_UP_TO = 1000  # lines: beyond that on the tables' own backends only


def mac(n):
    return f"02:00:00:{n >> 16 & 255:02x}:{n >> 8 & 255:02x}:{n & 255:02x}"


def links(box):
    bridges = 4 if box["variant"] == "many" else 1
    option = " vlan_default_pvid 0" if box["variant"] == "nopvid" else ""
    for b in range(bridges):
        yield f"ip -n f link add br{b} address 02:bb:00:00:00:0{b} type bridge{option}"
        yield f"ip -n f link set br{b} up"
    for i in range(1, box["ports"] + 1):
        yield f"ip -n f link add p{i} address 02:aa:00:00:{i >> 8:02x}:{i & 255:02x} type dummy"
        yield f"ip -n f link set p{i} master br{(i - 1) % bridges}"
        yield f"ip -n f link set p{i} up"
    if box["variant"] == "vxlan":
        yield "ip -n f link add vx0 address 02:cc:00:00:00:01 type vxlan id 42 dstport 4789 local 127.0.0.1 nolearning"
        yield "ip -n f link set vx0 master br0"
        yield "ip -n f link set vx0 up"


def entries(box):
    state = "static" if box["variant"] == "static" else "dynamic"
    for i in range(box["entries"]):
        yield f"bridge -n f fdb add {mac(i)} dev p{i % box['ports'] + 1} master {state}"
    if box["variant"] == "vxlan":
        yield from vxlan_entries(box["entries"])


def vxlan_entries(count):
    """Every fourth one is appended a second remote, which the kernel ignores."""
    i = 0
    while count > 0:
        there = f"bridge -n f fdb append 02:01:00:{mac(i)[9:]} dev vx0 dst 10."
        yield f"{there}0.{i >> 8 & 255}.{i & 255}"
        count -= 1
        if i % 4 == 3 and count > 0:
            yield f"{there}1.0.1"
            count -= 1
        i += 1


def topology(box):
    return {
        "name": "fdb-box",
        "kernel": {"version": box["kernel"]},
        "setup": [
            "ip netns add f",
            "ip netns exec f sysctl -w net.ipv6.conf.all.disable_ipv6=1",
            "ip netns exec f sysctl -w net.ipv6.conf.default.disable_ipv6=1",
        ],
        "phases": [
            {"name": "links", "run": list(links(box)), "settle": 2},
            {"name": "add", "run": list(entries(box)), "settle": 2},
            {"name": "dump", "run": ["bridge -n f fdb show"]},
        ],
    }


def in_comparable_order(lines, box):
    """The buckets of a vxlan device are salted at random."""
    if box["variant"] != "vxlan":
        return lines
    tunnel = [line for line in lines if " dst " in line]
    return [line for line in lines if line not in set(tunnel)] + sorted(tunnel)


def kinds(lines):
    """Lines without what tells one of a kind from another."""
    shapes = (re.sub(r" dev p\d+ ", " dev pN ", line) for line in lines)
    shapes = (re.sub(r"dst [0-9.]+", "dst IP", line) for line in shapes)
    return Counter(re.sub(r"^\S+ dev ", "", line).strip() for line in shapes)


def compare_lines(box, lines):
    first = in_comparable_order(box["first"], box)
    if in_comparable_order(lines[: len(first)], box) != first:
        yield f"begins with {lines[:3]}, kernel {first[:3]}"
    if len(lines) != box["lines"]:
        yield f"{len(lines)} lines, kernel {box['lines']}"
    if kinds(lines) != Counter(box["kinds"]):
        yield f"kinds of lines: {kinds(lines) - Counter(box['kinds'])}"
    text = "\n".join(in_comparable_order(lines, box)) + "\n"
    if "sha256" in box and hashlib.sha256(text.encode()).hexdigest() != box["sha256"]:
        yield "the lines, or their order, are others"


def compare_calls(what, recorded, calls):
    for name, count in recorded.items():
        if calls.get(name, 0) != count:
            yield f"{what}: {calls.get(name, 0)} calls of {name}, kernel {count}"


def compare(box, backend):
    options = ["--commands=" + path("commands")]
    options += [f"--backend={backend}"] if backend else []
    sim = phases(result(topology(box), *options))
    answer = json_lines("commands")[-1]
    yield from compare_lines(box, answer["output"].split("\n")[:-1])
    yield from compare_calls("add", box["add_calls"], sim["add"]["calls"])
    yield from compare_calls("dump", box["calls"], sim["dump"]["calls"])
    for table, count in box["walked"].items():
        walked = sim["dump"]["tables"][table]["walk_visits"]
        if walked != count:
            yield f"{walked} of {table} walked, kernel {count}"
    if answer["recvmsg"] != box["recvmsg"]:
        yield f"datagrams of {answer['recvmsg'][:9]}, kernel {box['recvmsg'][:9]}"


def dumps():
    with open(truth("fdb-dump.jsonl"), encoding="utf-8") as recordings:
        for box in map(json.loads, recordings):
            name = f"{box['kernel']} {box['variant']}, {box['ports']} ports, {box['entries']} entries"
            for backend in [None] + (ALL if box["lines"] <= ALL_UP_TO else []):
                ok(name + (f" on {backend}" if backend else ""), compare(box, backend))


def recorded_answers():
    """[command, status, lines] of each '$ COMMAND', its lines and '= STATUS'."""
    answers = []
    with open(truth("fdb-show.txt"), encoding="utf-8") as text:
        for line in text.read().splitlines():
            if line.startswith("$ "):
                answers.append([line[2:], 0, []])
            elif line.startswith("= "):
                answers[-1][1] = int(line[2:])
            else:
                answers[-1][2].append(line)
    return answers


def told(lines):
    """What was told of entries, those of tunnels by their address: a salt orders them."""
    if lines and lines[0].startswith("["):
        lines = [json.dumps(entry) for entry in json.loads(lines[0])]
    tunnels = [line for line in lines if re.search(r'\bdst\b', line)]
    others = [line for line in lines if line not in set(tunnels)]
    return others + sorted(tunnels, key=lambda line: re.split(r'"?dst', line)[0])


def compare_answers(recorded, answered):
    for (command, status, lines), ours in zip(recorded, answered, strict=True):
        got = (ours["output"] + ours["error"]).splitlines()
        if (ours["status"], told(got)) == (status, told(lines)):
            continue
        missing = [line for line in told(lines) if line not in told(got)]
        extra = [line for line in told(got) if line not in told(lines)]
        yield f"{command}: status {ours['status']}, kernel {status}; missing {missing}, extra {extra}"


def shows(version, backend):
    recorded = recorded_answers()
    commands = [{"run": command, "may_fail": True} for command, _, _ in recorded]
    box = {
        "name": "fdb-show",
        "kernel": {"version": version},
        "phases": [{"name": "commands", "run": commands}],
    }
    run(box, "--commands=" + path("commands"), f"--backend={backend}")
    answered = json_lines("commands")
    ok(f"{version} answers and entries on {backend}", compare_answers(recorded, answered))


dumps()
for version in ("5.10", "6.1"):
    for backend in ALL:
        shows(version, backend)
done()
