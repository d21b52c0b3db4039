# SPDX-License-Identifier: GPL-2.0-or-later
"""harness.py - what the tests of the whole program share: TAP, and runs of sim."""

import json
import os
import subprocess
import sys
import tempfile

sim, source = (os.path.abspath(path) for path in sys.argv[1:3])
work = tempfile.TemporaryDirectory(prefix="netstruct-test-")
failures = 0
number = 0

DEVICE_SHOW = "ip -n test -j maddress show"


def ok(what, problems=()):
    """One TAP line; 'problems' are reasons why it is not ok."""
    global failures, number
    number += 1
    problems = list(problems)
    print(f"{'not ok' if problems else 'ok'} {number} - {what}")
    for problem in problems[:10]:
        print(f"#   {problem}")
    if len(problems) > 10:
        print(f"#   and {len(problems) - 10} more")
    failures += bool(problems)


def done():
    print(f"1..{number}")
    sys.exit(failures > 0)


def path(name):
    return os.path.join(work.name, name)


def scenario(name):
    with open(os.path.join(source, "topologies", name), encoding="utf-8") as file:
        return json.load(file)


def truth(name):
    return os.path.join(source, "sim", "tests", "truth", name)


def run(topology, *options, status=0):
    """Runs sim on a scenario, a dict or a shipped file's name; its standard output."""
    if isinstance(topology, dict):
        file = path(topology["name"] + ".json")
        with open(file, "w", encoding="utf-8") as out:
            json.dump(topology, out)
    else:
        file = os.path.join(source, "topologies", topology)
    done = subprocess.run([sim, "run", *options, file], capture_output=True, check=False)
    if done.returncode not in ([status] if isinstance(status, int) else status):
        print(f"Bail out! sim {' '.join(options)}: status {done.returncode}: {done.stderr.decode()}")
        sys.exit(1)
    return done.stdout


def result(topology, *options, **how):
    """The same, as JSON: the result."""
    return json.loads(run(topology, "--format=json", *options, **how))


def phases(outcome):
    return {phase["name"]: phase for phase in outcome["phases"]}


def json_lines(name):
    with open(path(name), encoding="utf-8") as file:
        return [json.loads(line) for line in file]
