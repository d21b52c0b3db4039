#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""refscale.py - what a reader pays on more and more CPUs, beside what was measured:
refscale.py SIM > results/refscale.txt
refscale.py SIM --plot=results/refscale.svg

The measurements are of the kernel's module refscale on eight Xeon Platinum 8176, from the
data of 'Is Parallel Programming Hard, And, If So, What Can You Do About It?'.  The plot
needs gnuplot.
"""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SCENARIO = os.path.join(HERE, "..", "topologies", "refscale.json")
PUBLISHED = {  # nanoseconds of one reader's operation
    1: (11.3, 9.5),
    4: (69, 15),
    8: (130, 128),
    16: (626, 579),
    28: (1023, 937),
    64: (2076, None),
    192: (7287, 7005),
}
MORE = (2, 112, 224, 448)
TYPES = ("rwlock", "refcnt", "lock", "rcu")


def measure(readers):
    """Nanoseconds of an operation by type."""
    command = [sys.argv[1], "run", "--commands=-", "--output=/dev/null", f"--param=readers={readers}", SCENARIO]
    lines = subprocess.run(command, check=True, capture_output=True).stdout.splitlines()
    tables = {entry["phase"]: entry["output"] for entry in map(json.loads, lines)}
    return {name: float(tables[name].split()[-1]) for name in TYPES}


def beside(simulated, published):
    if published is None:
        return f"{simulated:10.1f} {'-':>9} {'-':>6}"
    return f"{simulated:10.1f} {published:9.1f} {simulated / published:6.2f}"


def table(figures):
    print("         ------- rwlock -----------  ------- refcnt -----------    lock    rcu")
    print("readers  simulated published  ratio  simulated published  ratio      ns     ns")
    for readers, ns in figures.items():
        rwlock, refcnt = PUBLISHED.get(readers, (None, None))
        print(f"{readers:7} {beside(ns['rwlock'], rwlock)} {beside(ns['refcnt'], refcnt)} {ns['lock']:7.0f} {ns['rcu']:6.1f}")
    print(
        """
Nanoseconds of one reader's operation: a lock taken and dropped, a reference taken and put.
One operation of a CPU that has the line is from the first row, and a line's way from another
core or socket is a measured latency.  That a CPU keeps a line for half of its way was chosen
with this curve in view: the rows are a fit, not a prediction.  Four readers of a reference count are the exception: at 15 ns each, four
CPUs together do more than twice of what one does alone, which no line that is in one place
at a time allows; refscale's readers may not all have run at the same time."""
    )


PLOT = """set terminal svg size 720,480 font 'sans,13'
set output '%s'
set logscale xy
set xlabel 'readers, each on a CPU of its own'
set ylabel 'nanoseconds an operation'
set key left top
set grid
plot $figures using 1:2 with lines lw 2 dt 1 lc 'black' title 'rwlock, simulated', \\
     $figures using 1:3 with points pt 7 ps 0.8 lc 'black' title 'rwlock, measured', \\
     $figures using 1:4 with lines lw 2 dt 2 lc 'gray40' title 'refcount, simulated', \\
     $figures using 1:5 with points pt 6 ps 0.9 lc 'gray40' title 'refcount, measured', \\
     $figures using 1:6 with lines lw 1 dt 3 lc 'black' title 'queued spinlock, simulated'
"""


def plot(figures, path):
    rows = []
    for readers, ns in figures.items():
        rwlock, refcnt = PUBLISHED.get(readers, (None, None))
        rows.append(f"{readers} {ns['rwlock']} {rwlock or '?'} {ns['refcnt']} {refcnt or '?'} {ns['lock']}")
    script = "set datafile missing '?'\n$figures << END\n" + "\n".join(rows) + "\nEND\n" + PLOT % path
    subprocess.run(["gnuplot"], input=script.encode(), check=True)


results = {readers: measure(readers) for readers in sorted([*PUBLISHED, *MORE])}
if len(sys.argv) > 2:
    plot(results, sys.argv[2].removeprefix("--plot="))
else:
    table(results)
