#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""route-truth.py - routes and neighbours, and what is sent by them, beside real kernels:
route-truth.py SIM SOURCE

Sequences of commands: the routes that come with devices and addresses, those of users
and of VRFs, neighbours.  Exit statuses and what each command printed must be those of
Linux 6.1 and 5.10 in truth/route-sequences.jsonl, and of IPv4, with its addresses, in
truth/inet-sequences.jsonl.

Packets by UDP from a socket that is not connected, with so many addresses on so many
devices: the routes, the answer to 'ip -6 route get' and the calls of each packet must
be those of truth/udp6-send.jsonl."""

import json
import re
import socket
import subprocess
import sys

from harness import done, json_lines, ok, path, phases, result, sim, truth


def records(name):
    with open(truth(name), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


# Sequences


def lines_of(command, text):
    """The kernel salts the hash of neighbours at random."""
    lines = text.splitlines()
    return sorted(lines) if " neigh show" in command else lines


def compare_answers(recorded, answered):
    for (command, status, lines), ours in zip(recorded, answered, strict=True):
        got = lines_of(command, ours["output"] + ours["error"])
        if (ours["status"], got) == (status, lines):
            continue
        missing = [line for line in lines if line not in got]
        extra = [line for line in got if line not in lines]
        yield f"{command}: status {ours['status']}, kernel {status}; missing {missing}, extra {extra}"


def sequences():
    for recorded in records("route-sequences.jsonl") + records("inet-sequences.jsonl"):
        commands = [{"run": command, "may_fail": True} for command, _, _ in recorded["commands"]]
        box = {
            "name": "sequence",
            "kernel": {"version": recorded["kernel"]},
            "phases": [{"name": "commands", "run": commands}],
        }
        result(box, "--commands=" + path("commands"))
        answered = [line for line in json_lines("commands") if line["phase"] == "commands"]
        ok(f"{recorded['kernel']}, {recorded['id']}", compare_answers(recorded["commands"], answered))


# Packets

PACKETS = 100
DESTINATION = "4444::555:786"


def links(box):
    for d in range(1, box["devices"] + 1):
        yield f"ip -n s link add d{d} address 02:dd:00:00:00:0{d} type dummy"
        yield f"ip -n s link set d{d} up"
        for i in range(1, box["addresses"] + 1):
            yield f"ip -n s addr add 2001:db8:{d:x}::{i:x}/64 dev d{d} nodad"


def sender(box):
    settings = ["all.accept_dad", "default.accept_dad", "default.dad_transmits"]
    return {
        "name": "sender",
        "kernel": {"version": box["kernel"]},
        "setup": ["ip netns add s"]
        + [f"ip netns exec s sysctl -w net.ipv6.conf.{name}=0" for name in settings]
        + ["ip -n s link set lo up"],
        "phases": [
            {"name": "links", "run": list(links(box))},
            {
                "name": "route",
                "run": [
                    "ip -n s -6 neigh add 2001:db8:1::ffff lladdr 02:00:00:00:00:99 dev d1 nud permanent",
                    "ip -n s -6 route add default via 2001:db8:1::ffff dev d1",
                ],
                "settle": 3,
            },
            {
                "name": "show",
                "run": ["ip -n s -6 route show table all", f"ip -n s -6 route get {DESTINATION}"],
            },
            {
                "name": "send",
                "run": [f"ip netns exec s udp6send -n {PACKETS} -m 100 {DESTINATION} 5000"],
            },
        ],
    }


# What the kernel's probes could not see by itself.
WITHOUT_A_RECORDING = {"refcount_add_not_zero": 1, "_raw_spin_lock": 1}


def compare_packets(box):
    calls = phases(result(sender(box), "--commands=" + path("commands")))["send"]["calls"]
    shown = {line["command"]: line["output"] for line in json_lines("commands")}
    routes = shown["ip -n s -6 route show table all"].splitlines()
    if routes != box["routes"]:
        yield f"routes {[r for r in routes if r not in box['routes']]}, kernel {box['routes']}"
    answer = shown[f"ip -n s -6 route get {DESTINATION}"].strip()
    if answer != box["route_get"]:
        yield f"{answer}; kernel {box['route_get']}"
    for name, count in {**box["per_packet"], **WITHOUT_A_RECORDING}.items():
        if calls.get(name, 0) != count * PACKETS:
            yield f"{name}: {calls.get(name, 0) / PACKETS} calls a packet, kernel {count}"


def packets():
    for box in records("udp6-send.jsonl"):
        ok(
            f"{box['kernel']}, {box['addresses']} addresses on {box['devices']} devices",
            compare_packets(box),
        )


# A real host


def host_has_ipv6():
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as s:
            s.bind(("::1", 0))
        return True
    except OSError:
        return False


def compare_host():
    """What 'sim script' writes for udp6send, run here."""
    box = {"name": "host", "phases": [{"name": "send", "run": ["udp6send -n 3 -m 7 ::1 5000"]}]}
    with open(path("host.json"), "w", encoding="utf-8") as out:
        json.dump(box, out)
    script = subprocess.run([sim, "script", path("host.json")], capture_output=True, text=True, check=True)
    program = re.search(r"<<'END'\n(.*?)\nEND\n", script.stdout, re.DOTALL)[1]
    with open(path("udp6send"), "w", encoding="utf-8") as out:
        out.write(program)
    if not host_has_ipv6():
        compile(program, "udp6send", "exec")
        return
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as s:
        s.bind(("::1", 0))
        s.settimeout(10)
        command = [sys.executable, path("udp6send"), "-n", "3", "-m", "7", "::1", str(s.getsockname()[1])]
        told = subprocess.run(command, capture_output=True, text=True, check=False)
        got = [len(s.recv(100)) for _ in range(3 if told.returncode == 0 else 0)]
    if told.stdout != "sent 3 packets\n" or got != [7, 7, 7]:
        yield f"{told.stdout}{told.stderr}; received {got}"


sequences()
packets()
ok("udp6send of 'sim script' on this host", compare_host())
done()
