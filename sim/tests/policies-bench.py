#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""policies-bench.py - what a run of xfrm-policies costs: policies-bench.py SIM SOURCE [POLICIES]

Each variant, at full size unless a number is given: CPU time and memory of the simulator,
and how many nodes it would have read if it walked.  At full size a run has 15 seconds and
1 GB."""

import json
import os
import resource
import subprocess
import sys

from harness import sim, source

SCENARIO = os.path.join(source, "topologies", "xfrm-policies.json")
LIMIT_S, LIMIT_KB = 15, 1 << 20


def measure(variant, *params):
    command = [sim, "run", "--format=json", f"--variant={variant}", *params, SCENARIO]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = subprocess.run(command, check=True, capture_output=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    tables = [t for phase in json.loads(text)["phases"] for t in phase["tables"].values()]
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, after.ru_maxrss, sum(t["visits"] + t["walk_visits"] for t in tables)


def main():
    params = [f"--param=policies={n}" for n in sys.argv[3:]]
    for variant in ("before", "after", "candidates"):
        used, peak_kb, visits = measure(variant, *params)
        print(f"{variant:10} {used:6.2f} s  {peak_kb / 1024:6.0f} MB  {visits:14,} visits")
        if used > LIMIT_S or peak_kb > LIMIT_KB:
            sys.exit(f"{variant}: more than {LIMIT_S} s or {LIMIT_KB // 1024} MB")


main()
