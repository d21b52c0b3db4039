#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""explain.py - 'sim run --explain': what a predicted time is made of, beside the JSON
result of the same run and the machine's file: explain.py SIM SOURCE"""

import json
import os
import re
import subprocess

from harness import done, ok, result, run, sim, source

SIZE = "--param=vlans=40"
UNIT = {"ps": 1e-12, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}


def number(text):
    scale = {"k": 1e3, "M": 1e6, "G": 1e9}.get(text[-1], 1)
    return float(text.rstrip(" kMG").replace(",", "")) * scale


def phases_of(text):
    """By name: seconds, items and what is left."""
    found = {}
    for name, total, lines in re.findall(r"^(\S.*): (\d+\.\d+) s\n((?: +\d+\.\d+ s  .*\n)+)", text, re.M):
        rows = re.findall(r"^ +(\d+\.\d+) s  (.*)$", lines, re.M)
        found[name] = (float(total), rows[:-1], rows[-1])
    return found


def machine_figure(machine, path):
    for key in path.split("."):
        machine = machine[key]
    return machine


def check_sums(explained, told):
    for phase in told["phases"]:
        total, rows, rest = explained[phase["name"]]
        left = float(rest[0]) * (-1 if rest[1].startswith("less") else 1)
        made_of = sum(float(seconds) for seconds, _ in rows) + left
        good = abs(total - phase["predicted_s"]) < 1e-6 and abs(made_of - total) < 2e-5 and len(rows) <= 12
        ok(f"{phase['name']}: all of it is accounted for", [] if good else [total, made_of, phase["predicted_s"], rows])


def check_items(explained, told, machine):
    """Each line: the count of the result times the figure of the file."""
    wrong, seen = [], 0
    for phase in told["phases"]:
        for seconds, what in explained[phase["name"]][1]:
            match = re.fullmatch(r"([\d,.]+(?: [kMG])?) (\S+) (?:of|that) (\S+) at (\S+) (\w+) \[(\S+)\]", what)
            if not match:
                wrong += [what] if what != "smaller items" else []
                continue
            count, verb, whose, each, unit, figure = match.groups()
            value, its_unit = machine_figure(machine, figure)["value"].split()
            recorded = phase["commands"]
            if verb == "calls":
                recorded = phase["calls"][whose]
            elif verb != "processes":
                recorded = phase["tables"][whose.split("=")[0]][verb]
            price = float(value) * UNIT[its_unit]
            if number(count) != recorded or abs(float(each) * UNIT[unit] / price - 1) > 0.01 or abs(float(seconds) - recorded * price) > 1e-6:
                wrong.append((what, recorded, price))
            seen += 1
    ok("lines are counts times figures", wrong if seen > 20 else [seen, *wrong])


def check_sources(text, machine):
    prices = re.split(r"^  \[(\S+)\]\n", text[text.index("\nPrices\n") :], flags=re.M)[1:]
    used = set(re.findall(r" at \S+ \w+ \[(\S+)\]$", text, re.M))
    ok("each price that is used has its source", [] if used == set(prices[::2]) else [used, prices[::2]])
    wrong = [name for name, told in zip(prices[::2], prices[1::2]) if " ".join(told.split()) != machine_figure(machine, name)["source"]]
    ok("the sources are the file's", wrong)


def main():
    options = [SIZE, "--variant=before"]
    text = run("bond-vlan-vrf.json", "--explain", *options).decode()
    told = result("bond-vlan-vrf.json", *options)
    with open(os.path.join(source, "sim/cost/machines/e5-2650v3.json"), encoding="utf-8") as file:
        machine = json.load(file)
    explained = phases_of(text[text.index("\nfingerprint") :])
    check_sums(explained, told)
    check_items(explained, told, machine)
    check_sources(text, machine)
    plain = run("bond-vlan-vrf.json", *options).decode()
    ok("the table is the same", [] if text.startswith(plain) else ["it is not"])
    cheap = run("bond-vlan-vrf.json", "--explain", "--set=machine.process.start=1 ns", *options).decode()
    ok("a figure that was set is its own source", [] if "[process.start]\n      --set\n" in cheap else [cheap[-2000:]])
    command = [sim, "run", "--explain", "--format=json", "bond-vlan-vrf"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    good = refused.returncode == 2 and refused.stderr == "sim: --explain: is a part of --format=table only\n"
    ok("only beside a table", [] if good else [refused.stderr])
    done()


main()
