#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""predict.py - 'sim predict': which figures it compares, and by which arithmetic:
predict.py SIM SOURCE

The scenario takes as long as it sleeps, so that each prediction is known."""

import json
import re
import subprocess

from harness import done, ok, path, sim

SLEEPS = {"name": "p", "run": ["sleep $n"]}
SCENARIO = {
    "name": "sleepy",
    "about": "sleeps",
    "machine": "e5-2650v3",
    "params": {"n": {"default": 5, "min": 1, "max": 100}, "m": 1},
    "phases": [SLEEPS, {**SLEEPS, "name": "q"}],
    "variants": {"a": {}, "b": {"params": {"n": 2}}, "c": {}},
    "published": {"a": {"p": {"real_s": 4}, "q": {"real_s": 5}}, "b": {"p": {"real_s": 4}}},
    "published_at": [{"params": {"n": 10}, "published": {"a": {"p": {"real_s": 8}}, "c": {"p": {"real_s": 20}}}}],
}
ROWS = [  # variant, phase, params, published, predicted
    ("a", "p", "", 4, 5),
    ("a", "q", "", 5, 5),
    ("b", "p", "", 4, 2),
    ("a", "p", "n=10", 8, 10),
    ("c", "p", "n=10", 20, 10),
]
RATIOS = [("a", "b", "", 1, 2.5), ("a", "c", "n=10", 0.4, 1)]


def predict(*arguments):
    made = subprocess.run([sim, "predict", *arguments], capture_output=True, text=True, check=False)
    return made.returncode, made.stdout, made.stderr


def write(name, topology):
    with open(path(name), "w", encoding="utf-8") as file:
        json.dump(topology, file)
    return path(name)


def close(got, wanted):
    """A process takes some milliseconds beside what it sleeps."""
    return abs(got - wanted) < 0.01 * wanted


def check_figures():
    status, text, error = predict("--format=json", write("sleepy.json", SCENARIO))
    ok("it runs", [] if status == 0 and not error else [status, error])
    told = json.loads(text)
    rows = [(r["variant"], r["phase"], r["params"], r["published"], r["predicted"]) for r in told["rows"]]
    wrong = [(r, w) for r, w in zip(rows, ROWS) if r[:4] != w[:4] or not close(r[4], w[4])]
    ok("rows", wrong or ([] if len(rows) == len(ROWS) else rows))
    ratios = [(r["first"], r["other"], r["params"], r["published"], r["predicted"]) for r in told["ratios"]]
    wrong = [(r, w) for r, w in zip(ratios, RATIOS) if r[:4] != w[:4] or not close(r[4], w[4])]
    ok("ratios", wrong or ([] if len(ratios) == len(RATIOS) else ratios))
    for part, mean in (("rows", "mean_error"), ("ratios", "mean_ratio_error")):
        errors = [abs(r["predicted"] / r["published"] - 1) for r in told[part]]
        ok(f"the mean error of {part}", [] if abs(told[mean] - sum(errors) / len(errors)) < 1e-12 else [told[mean], errors])
    ok("the machine's fitted figures", [] if told["fitted"] == {"e5-2650v3": FITTED} else [told["fitted"]])


FITTED = ["process.start = 2.5 ms", "operations.visits.default = 12 ns", "calls.vrf_add_slave = 6.5 ms"]


def check_page():
    status, text, _ = predict(write("sleepy.json", SCENARIO))
    lines = re.findall(r"^\| sleepy.*$", text, re.M)
    ok("the page has the same", [] if status == 0 and len(lines) == len(ROWS) + len(RATIOS) and "n=10" in lines[3] else [text])
    status, text, _ = predict(write("quiet.json", {**SCENARIO, "published": {}, "published_at": SCENARIO["published_at"][:0] or [{"params": {"n": 3}, "published": {}}]}))
    ok("nothing is published, nothing is run", [] if status == 0 and "| sleepy" not in text else [text])


def check_errors():
    for arguments, message in (
        (["--format=csv"], "sim: --format=csv: unknown format; known are md, json\n"),
        (["nowhere"], "sim: nowhere: neither a command nor a scenario; "),
        (["-o", "/nowhere/x.md", write("sleepy.json", SCENARIO)], "sim: cannot write '/nowhere/x.md': "),
        ([write("bad.json", {**SCENARIO, "published": {"z": {}}})], f'sim: {path("bad.json")}:1:'),
    ):
        status, text, error = predict(*arguments)
        ok(f"refused: {arguments[0]}", [] if status == 2 and not text and error.startswith(message) else [status, error])
    failing = {**SCENARIO, "phases": [{"name": "p", "run": ["ip link del x"]}, {**SLEEPS, "name": "q"}]}
    status, _, error = predict(write("failing.json", failing))
    ok("a command that fails", [] if status == 1 and "Cannot find device" in error else [status, error])


check_figures()
check_page()
check_errors()
done()
