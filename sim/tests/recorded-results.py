#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""recorded-results.py - the recorded results are those of this program:
recorded-results.py SIM SOURCE

Makes results/*.json again, as results/record does, and compares every byte.  The
texts beside them must be of the same run; how they look is checked by the tests of
the report.
"""

import json
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from harness import done, ok, scenario, sim, source, work

RESULTS = os.path.join(source, "results")
INTENDED = (
    "if this is intended: 'results/record build/sim/sim', and a sentence in the "
    "commit's message that says what changed and why; see results/README.md"
)


def recorded():
    """Each variant of each shipped scenario."""
    for name in sorted(os.listdir(os.path.join(source, "topologies"))):
        if name.endswith(".json") and name != "schema.json":
            for variant in scenario(name).get("variants", []):
                yield f"{name.removesuffix('.json')}.{variant}"


def read(folder, name):
    try:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def record(name):
    """The new text, or nothing and what 'record' said."""
    command = [os.path.join(RESULTS, "record"), sim, work.name, f"{name}.json"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    return read(work.name, f"{name}.json"), made.stderr.strip()


def leaves(value, where=""):
    """Every figure of a result, by its path; a phase goes by its name, a dump by its place."""
    if isinstance(value, list):
        value = {part.get("name", str(place)): part for place, part in enumerate(value)}
    if not isinstance(value, dict):
        yield where, value
        return
    for key, part in value.items():
        yield from leaves(part, f"{where}, {key}" if where else key)


def differences(old, new):
    old, new = (dict(leaves(json.loads(text))) for text in (old, new))
    found = [
        f"{where}: recorded {old.get(where)}, now {new.get(where)}"
        for where in {**old, **new}
        if old.get(where) != new.get(where)
    ]
    return found or ["the same figures, written in another way"]


def check_json(name, new, error):
    old = read(RESULTS, f"{name}.json")
    problems = []
    if new is None:
        problems = [f"results/record failed: {error}"]
    elif old is None:
        problems = ["not recorded", INTENDED]
    elif old != new:
        found = differences(old, new)
        more = [f"and {len(found) - 8} more"] if len(found) > 8 else []
        problems = [*found[:8], *more, INTENDED]
    ok(f"{name}.json: recorded and new result are equal", problems)


def rows(result):
    """Of the table: phase, commands, failed, predicted seconds; and visits."""
    for phase in result["phases"]:
        visits = sum(table["visits"] for table in phase["tables"].values())
        yield phase["name"], phase["commands"], phase["failed"], phase["predicted_s"], visits


def check_text(name):
    result = json.loads(read(RESULTS, f"{name}.json") or '{"phases": [], "fingerprint": "?"}')
    text = read(RESULTS, f"{name}.txt") or ""
    missing = [
        f"no line for {phase} with {commands} commands, {predicted_s:.3f} s, {visits} visits"
        for phase, commands, failed, predicted_s, visits in rows(result)
        if not re.search(
            rf"^{re.escape(phase[:20])}.* {commands:,} +{failed:,} +{predicted_s:.3f} .* {visits:,} ",
            text,
            re.MULTILINE,
        )
    ]
    if f"fingerprint  {result['fingerprint']}\n" not in text:
        missing.append(f"not the fingerprint {result['fingerprint']}")
    ok(f"{name}.txt: of the same run", [*missing, "results/record makes both"] if missing else [])


def study_row(study, row):
    return re.search(rf"^ +{row} .*$", read(RESULTS, f"{study}.txt"), re.MULTILINE)[0].split()


def check_dump():
    row = study_row("fdb-dump-sensitivity", "112 +3 +3776")
    for variant, shown, visits in (("before", row[3], row[5]), ("after", row[7], row[9])):
        result = json.loads(read(RESULTS, f"fdb-dump.{variant}.json"))
        phase = next(p for p in result["phases"] if p["name"] == "Showing the entries")
        dump = next(d for d in phase["dumps"] if d["what"] == "fdb")
        walked = sum(phase["tables"][table]["walk_visits"] for table in ("fdb", "dev_addr"))
        if (dump["shown"], walked) != (int(shown), int(visits)):
            yield f"{variant}: {shown} shown, {visits} visits; recorded {dump['shown']}, {walked}"


def check_vxlan():
    visits = int(study_row("fdb-vxlan-sizes", "65536")[1])
    result = json.loads(read(RESULTS, "fdb-vxlan.before.json"))
    phase = next(p for p in result["phases"] if p["name"] == "Sending")
    recorded = phase["tables"]["vxlan_fdb"]["visits"]
    if recorded != visits * result["params"]["frames"]:
        yield f"{visits} visits a frame; recorded {recorded} of all"


def check_policies():
    for variant in ("before", "after", "candidates"):
        row = study_row("xfrm-policies-sizes", f"100000 +{variant}")
        phase = json.loads(read(RESULTS, f"xfrm-policies.{variant}.json"))["phases"][1]
        table = phase["tables"].get("xfrm_policy_inexact", {"visits": 0, "walk_visits": 0})
        now = [str(table["visits"]), str(table["walk_visits"]), f"{phase['predicted_s'] * 1000:.0f}"]
        if row[2:5] != now:
            yield f"{variant}: {row[2:5]}; recorded {now}"


def check_refscale():
    row = study_row("refscale", "16")
    command = [sim, "run", "--commands=-", "--output=/dev/null", os.path.join(source, "topologies", "refscale.json")]
    lines = subprocess.run(command, check=True, capture_output=True).stdout.splitlines()
    now = {entry["phase"]: float(entry["output"].split()[-1]) for entry in map(json.loads, lines)}
    for name, column in (("rwlock", 1), ("refcnt", 4)):
        if row[column] != f"{now[name]:.1f}":
            yield f"{name}: {row[column]} ns; now {now[name]:.1f}"


def check_curve():
    row = study_row("xfrm-interfaces-curve", "401")
    options = ["--format=json", "--backend=xfrm_if=list", "--kernel=xfrmi_decode=walk", "--param=seconds=1"]
    command = [sim, "run", *options, os.path.join(source, "topologies", "xfrm-interfaces.json")]
    result = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    phase = next(p for p in result["phases"] if p["name"] == "All interfaces")
    now = f"{phase['traffic'][0]['mbit_per_s']:.2f}"
    if row[1] != now:
        yield f"{row[1]} Mbit/s; now {now}"


def check_readme():
    """What README shows of a run's table stands in the recorded one."""
    with open(os.path.join(source, "README.md"), encoding="utf-8") as text:
        blocks = re.findall(r"^    \$ \./run --variant=(\S+) (\S+)\n((?:    .*\n|\n)*)", text.read(), re.MULTILINE)
    for variant, name, shown in blocks:
        recorded = (read(RESULTS, f"{name}.{variant}.txt") or "").splitlines()
        for line in shown.splitlines():
            if line.strip() not in ("", "...") and line[4:] not in recorded:
                yield f"{name}.{variant}.txt has no line {line[4:]!r}"
    if len(blocks) < 2:
        yield f"{len(blocks)} runs in README.md"


# The row of the scenario as it is shipped has the figures of its recorded results.
STUDIES = {
    "fdb-dump-sensitivity": check_dump,
    "fdb-vxlan-sizes": check_vxlan,
    "refscale": check_refscale,
    "xfrm-interfaces-curve": check_curve,
    "xfrm-policies-sizes": check_policies,
}


def check_predictions():
    """predictions.json is what 'sim predict' says now, and predictions.md says the same."""
    new, error = record("predictions")
    old = read(RESULTS, "predictions.json")
    if new != old:
        yield from differences(old, new) if old and new else [error or "there is no predictions.json"]
    told = json.loads(old or "{}")
    page = re.findall(r"^\|.*\| ([+-])(\d+\.\d) % \|$", read(RESULTS, "predictions.md") or "", re.MULTILINE)
    errors = [row["error"] for part in ("rows", "ratios") for row in told[part]]
    if len(page) != len(errors) or len(errors) < 20:
        yield f"predictions.md has {len(page)} errors, predictions.json {len(errors)}"
    for (sign, digits), exact in zip(page, errors):
        if abs(float(sign + digits) / 100 - exact) > 0.00051:
            yield f"predictions.md: {sign}{digits} %, predictions.json: {exact}"


def check_files(names):
    expected = {"README.md", "record", "predictions.json", "predictions.md"}
    expected |= {study + end for study in STUDIES for end in (".py", ".txt")} | {"refscale.svg", "xfrm-interfaces-curve.svg"}
    expected |= {name + end for name in names for end in (".json", ".txt")}
    found = set(os.listdir(RESULTS))
    ok(
        "results/ holds what the scenarios have, and nothing else",
        [f"{name} is missing" for name in sorted(expected - found)]
        + [f"no scenario has {name}" for name in sorted(found - expected)],
    )


def main():
    names = list(recorded())
    check_files(names)
    for study, check in STUDIES.items():
        ok(f"{study}.txt: the row of the scenario as it is", check())
    ok("README.md shows what is recorded", check_readme())
    ok("predictions are those of today", check_predictions())
    with ThreadPoolExecutor(max_workers=2) as pool:
        for name, (new, error) in zip(names, pool.map(record, names)):
            check_json(name, new, error)
            check_text(name)
    done()


main()
