#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xfrm-interfaces-curve.py - a stream's throughput over the number of xfrm interfaces, by
structure: xfrm-interfaces-curve.py SIM > results/xfrm-interfaces-curve.txt
xfrm-interfaces-curve.py SIM --plot=results/xfrm-interfaces-curve.svg

The plot needs gnuplot.
"""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SCENARIO = os.path.join(HERE, "..", "topologies", "xfrm-interfaces.json")
PUBLISHED = {1: 298.36, 401: 221.77}
SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 401, 1000, 2000, 5000, 10000)
CHOICES = {  # what looks for an if_id, and how a policy check finds the interface
    "list, walk": ("list", "walk"),
    "list": ("list", "direct"),
    "hash": ("hash:buckets=256", "direct"),
    "rbtree": ("rbtree", "direct"),
}


def measure(interfaces, choice):
    """Mbit/s, and elements read for each segment.  One is what the first phase has."""
    backend, decode = CHOICES[choice]
    options = ["--format=json", f"--backend=xfrm_if={backend}", f"--kernel=xfrmi_decode={decode}", "--param=seconds=1"]
    command = [sys.argv[1], "run", *options, f"--param=interfaces={max(2, interfaces)}", SCENARIO]
    run = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    phase = {p["name"]: p for p in run["phases"]}["One interface" if interfaces == 1 else "All interfaces"]
    table, sent = phase["tables"]["xfrm_if"], phase["traffic"][0]
    return sent["mbit_per_s"], (table["visits"] + table["walk_visits"]) / sent["packets"]


def table(figures):
    print("            " + "".join(f"  -- {name:^10} ---" for name in CHOICES))
    print("interfaces  " + "  Mbit/s     read  " * len(CHOICES) + "published")
    for interfaces, row in figures.items():
        columns = "".join(f"{mbit:8.2f} {read:8.1f}  " for mbit, read in row.values())
        published = PUBLISHED.get(interfaces)
        print(f"{interfaces:10}  {columns}{f'{published:9.2f}' if published else '        -'}")
    print(
        """
Millions of bits a second of a stream of TCP, and elements that were read for each of its
segments, to the interface that was made first: a list has it at its end.  "list, walk" is
Linux up to 5.8, which looks for the if_id when a packet is decrypted, and for the device when
its policy is checked; the others look once.  "hash" is Linux since 5.9.  Both published
figures are inputs of the machine's two prices; all else follows from what was counted."""
    )


PLOT = """set terminal svg size 720,480 font 'sans,13'
set output '%s'
set logscale x
set xlabel 'xfrm interfaces in the namespace'
set ylabel 'Mbit/s'
set yrange [0:320]
set key left bottom
set grid
plot $figures using 1:2 with lines lw 2 dt 1 lc 'black' title 'list, both searches (5.8)', \\
     $figures using 1:3 with lines lw 2 dt 2 lc 'gray40' title 'list, one search (patch 1 of 2)', \\
     $figures using 1:4 with lines lw 2 dt 3 lc 'black' title 'hash of 256 (5.9)', \\
     $figures using 1:5 with lines lw 1 dt 4 lc 'gray40' title 'red-black tree', \\
     $figures using 1:6 with points pt 7 ps 0.8 lc 'black' title 'published'
"""


def plot(figures, path):
    rows = [
        " ".join([str(n), *(str(mbit) for mbit, _ in row.values()), str(PUBLISHED.get(n, "?"))])
        for n, row in figures.items()
    ]
    script = "set datafile missing '?'\n$figures << END\n" + "\n".join(rows) + "\nEND\n" + PLOT % path
    subprocess.run(["gnuplot"], input=script.encode(), check=True)


results = {n: {choice: measure(n, choice) for choice in CHOICES} for n in SIZES}
if len(sys.argv) > 2:
    plot(results, sys.argv[2].removeprefix("--plot="))
else:
    table(results)
