#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""profile.py - profiles and traces of whole runs: profile.py SIM SOURCE

They change nothing, and they add up: the price of all that was done is the time of the
functions that did it, in the table, in stacks and on the tracks of the CPUs.
"""

import json
import re
from collections import defaultdict
from decimal import Decimal

from harness import done, ok, path, phases, result, run

SIZE = "--param=vlans=20"
SEARCHES = ("__hw_addr_add_ex", "__hw_addr_del_ex")
START = Decimal("0.00335")  # of a process, with its end, on the scenario's machine
VISIT = Decimal("12e-9")  # of a list


def exact(text):
    return json.loads(text, parse_float=Decimal)


def without_profiles(outcome):
    for phase in outcome["phases"]:
        phase.pop("profile", None)
    return outcome


def check_nothing_changes():
    plain = result("bond-vlan-vrf.json", SIZE)
    options = ["--profile", f"--folded={path('folded')}", f"--trace={path('trace')}"]
    profiled = without_profiles(result("bond-vlan-vrf.json", SIZE, *options))
    ok("a profile changes no result", [] if profiled == plain else ["other figures"])


def check_sums():
    outcome = exact(run("bond-vlan-vrf.json", SIZE, "--variant=before", "--format=json", "--profile"))
    for phase in outcome["phases"]:
        profile = {(s["symbol"], s["user"]): s for s in phase["profile"]}
        name = phase["name"]
        processes = sum(s["self_s"] for (_, user), s in profile.items() if user)
        started = phase["commands"] * START
        ok(f"{name}: processes take their time", [] if processes == started else [processes, started])
        lists = sum(profile[n, False]["self_s"] for n in SEARCHES if (n, False) in profile)
        visits = phase["tables"]["dev_addr"]["visits"] * VISIT
        ok(f"{name}: lists are searched where they are", [] if lists == visits else [lists, visits])
        calls = {s["symbol"]: s["calls"] for s in phase["profile"] if not s["user"]}
        counted = phase["calls"]
        wrong = [n for n, count in calls.items() if n in counted and count > counted[n]]
        ok(f"{name}: no function is in the profile more often than it was called", wrong)


def check_folded():
    outcome = exact(run("bond-vlan-vrf.json", SIZE, "--format=json", "--profile", f"--folded={path('folded')}"))
    lines = open(path("folded"), encoding="utf-8").read().splitlines()
    bad = [line for line in lines if not re.fullmatch(r"[^;]+(;[^;]+)+ [1-9]\d*", line)]
    ok("stacks are lines of names and nanoseconds", bad)
    stacks = defaultdict(int)
    for line in lines:
        names, ns = line.rsplit(" ", 1)
        stacks[names.split(";")[0]] += int(ns)
    for phase in outcome["phases"]:
        total = sum(s["self_s"] for s in phase["profile"]) * 10**9
        near = abs(stacks[phase["name"]] - total) <= len(lines)
        ok(f"{phase['name']}: stacks have the time of the profile", [] if near else [stacks[phase["name"]], total])


def nesting(slices):
    """Slices of one CPU that begin within another one must end there."""
    open_until = []
    for begin, end, name in sorted(slices, key=lambda s: (s[0], -s[1])):
        while open_until and open_until[-1] <= begin:
            open_until.pop()
        if open_until and end > open_until[-1]:
            yield f"{name} at {begin}"
        open_until.append(end)


def check_trace():
    run("bond-vlan-vrf.json", SIZE, "--variant=before", f"--trace={path('trace')}")
    events = exact(open(path("trace"), encoding="utf-8").read())
    cpus = defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            cpus[event["tid"]].append((event["ts"], event["ts"] + event["dur"], event["name"]))
    for cpu, slices in sorted(cpus.items()):
        ok(f"CPU {cpu}: one task at a time, functions within functions", nesting(slices))
    named = {event["tid"] for event in events if event["name"] == "thread_name"}
    ok("each CPU has a name", sorted(set(cpus) - named))
    waits = defaultdict(list)
    for event in events:
        if event["ph"] in "be":
            waits[event["id"]].append((event["ph"], event["ts"]))
    wrong = [n for n, (begin, end) in waits.items() if (begin[0], end[0]) != ("b", "e") or end[1] <= begin[1]]
    ok("waits begin and end", wrong if waits else ["there are none"])
    names = {event["name"] for event in events}
    ok("tasks, functions and locks are told of", {"ip", "__hw_addr_add_ex", "rtnl_mutex"} - names)


def check_waits():
    """Busy waits, too: those of a trace add up to what the report says."""
    senders = result("ipv6-saddr.json", "--param=ms=1", "--variant=before", f"--trace={path('trace')}")
    sums = defaultdict(float)
    for event in exact(open(path("trace"), encoding="utf-8").read()):
        if event["ph"] in "be" and event["args"]["task"] != "shutdown":  # after the last phase
            sums[event["name"]] += float(event["ts"]) * (1 if event["ph"] == "e" else -1)
    for lock in ("&ndev->lock", "ifa->refcnt"):
        waited = 1e6 * sum(float(phase["locks"].get(lock, {"wait_s": 0})["wait_s"]) for phase in senders["phases"])
        ok(f"waits for {lock} are in the trace", [] if waited > 100 and abs(sums[lock] - waited) < 0.01 else [sums[lock], waited])


def check_table():
    text = run("bond-vlan-vrf.json", SIZE, "--profile").decode()
    shares = re.findall(r"^ +(\d+\.\d\d)%  (\[kernel\]    \[k\]|\[user\]      \[\.\]) (\S+)$", text, re.M)
    ok("the table has lines as perf report", [] if len(shares) >= 7 else [text])
    ok("none without being asked", ["there is one"] if b"profile of" in run("bond-vlan-vrf.json", SIZE) else [])


check_nothing_changes()
check_sums()
check_folded()
check_trace()
check_waits()
check_table()
done()
