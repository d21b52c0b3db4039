#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""readers.py - the reports as Python's own readers see them: readers.py PRINT-SAMPLE README

All formats must carry the same figures, whatever the locale; the id of a run must
be what results/README.md says.
"""

import csv
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SAMPLES = ["empty", "extreme", "ordinary", "stopped"]
FORMATS = ["table", "json", "csv", "jsonl"]
COLUMNS = "run,scenario,variant,phase,table,backend,n,metric,value,unit".split(",")


class Skip(Exception):
    pass


def output(sample, form, **environment):
    command = [sys.argv[1], sample, form]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, env={**os.environ, **environment}).stdout


def document(sample):
    """Numbers stay text: nothing may be lost on the way."""
    return json.loads(output(sample, "json"), parse_int=str, parse_float=str)


def csv_rows(sample):
    text = io.StringIO(output(sample, "csv").decode("utf-8"), newline="")
    return list(csv.reader(text, strict=True))


def run_id(doc):
    keys = ["scenario", "variant", "params", "seed", "machine", "kernel", "backends"]
    numbers = {
        **doc,
        "params": {name: int(value) for name, value in doc["params"].items()},
        "seed": int(doc["seed"]),
    }
    identity = json.dumps({k: numbers[k] for k in keys}, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(identity.encode("utf-8")).hexdigest()[:12]


def unit(metric):
    return "s" if metric.endswith("_s") else "bytes" if "bytes" in metric else "count"


def leaves(value, path):
    if isinstance(value, dict):
        for key, member in value.items():
            yield from leaves(member, path + [key])
    else:
        yield ".".join(path), value


def expected_rows(doc):
    """The long table, made from the document."""
    everything = " ".join(f"{table}={spec}" for table, spec in doc["backends"].items())
    start = [run_id(doc), doc["scenario"], doc["variant"]]
    size = next(iter(doc["params"].values()), None)
    for phase in doc["phases"]:
        rest = {k: v for k, v in phase.items() if k not in ("name", "tables", "dumps")}
        for index, dump in enumerate(phase.get("dumps", [])):
            figures = {k: v for k, v in dump.items() if k not in ("what", "algorithm")}
            figures["interrupted"] = "1" if dump["interrupted"] else "0"
            for name, value in figures.items():
                metric = f"dumps.{dump['what']}.{index}.{name}"
                yield start + [phase["name"], None, everything, size, metric, value, unit(name)]
        for metric, value in leaves(rest, []):
            yield start + [phase["name"], None, everything, size, metric, value, unit(metric)]
        for table, figures in phase["tables"].items():
            spec = doc["backends"][table]
            for metric, value in figures.items():
                yield start + [phase["name"], table, spec, size, metric, value, unit(metric)]


def same_rows(got, want):
    order = lambda row: [str(cell) for cell in row]
    assert sorted(got, key=order) == sorted(want, key=order)


def csv_carries_the_document(sample):
    header, *rows = csv_rows(sample)
    assert header == COLUMNS
    want = [["" if cell is None else cell for cell in row] for row in expected_rows(document(sample))]
    same_rows(rows, want)


def jsonl_carries_the_document(sample):
    lines = output(sample, "jsonl").decode("utf-8").split("\n")
    assert lines.pop() == ""
    rows = [json.loads(line, parse_int=str, parse_float=str) for line in lines]
    assert all(list(row) == COLUMNS for row in rows)
    same_rows([list(row.values()) for row in rows], list(expected_rows(document(sample))))


def phases_stay_in_order(sample):
    want = [phase["name"] for phase in document(sample)["phases"]]
    assert list(dict.fromkeys(row[3] for row in csv_rows(sample)[1:])) == want


COMMA = """LC_NUMERIC
decimal_point ","
thousands_sep "."
grouping 3;3
END LC_NUMERIC
"""

# ASCII, because a machine without the package of locales has no character map either.
ASCII = """<code_set_name> ANSI_X3.4-1968
<escape_char> /
CHARMAP
<U0000>..<U007F> /x00 ASCII
END CHARMAP
"""


def make_locale(folder):
    """A decimal comma, made here: a machine may have no locale but C."""
    if not shutil.which("localedef"):
        raise Skip("no localedef")
    definition = os.path.join(folder, "comma.def")
    characters = os.path.join(folder, "ascii.map")
    for path, text in (definition, COMMA), (characters, ASCII):
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
    command = ["localedef", "-c", "-f", characters, "-i", definition, os.path.join(folder, "comma")]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return {"LOCPATH": folder, "LC_ALL": "", "LC_NUMERIC": "comma"}


def locale_changes_nothing(folder):
    comma = make_locale(folder)
    proof = "import locale; locale.setlocale(locale.LC_ALL, ''); print(locale.str(1.5))"
    shown = subprocess.run([sys.executable, "-c", proof], stdout=subprocess.PIPE, env={**os.environ, **comma})
    assert shown.stdout == b"1,5\n", "the locale does not work"
    for sample in SAMPLES:
        for form in FORMATS:
            assert output(sample, form, **comma) == output(sample, form, LC_ALL="C"), (sample, form)


def readme_names_everything(readme):
    with open(readme, encoding="utf-8") as file:
        documented = set(re.findall(r"`([a-z_]+)`", file.read()))
    doc = document("ordinary")
    phase = doc["phases"][1]
    names = {*doc, "failure", *phase, *phase["rcu"], *phase["locks"]["rtnl"], *COLUMNS}
    names.update(phase["tables"]["dev_addr"], phase["dumps"][0])
    assert names <= documented, f"not in results/README.md: {sorted(names - documented)}"


def tests():
    for check in (csv_carries_the_document, jsonl_carries_the_document, phases_stay_in_order):
        for sample in SAMPLES:
            yield f"{check.__name__} {sample}", check, sample
    yield "readme_names_everything", readme_names_everything, sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        yield "locale_changes_nothing", locale_changes_nothing, folder


def main():
    failed = count = 0
    for count, (name, check, argument) in enumerate(tests(), 1):
        try:
            check(argument)
            print(f"ok {count} - {name}")
        except Skip as reason:
            print(f"ok {count} - {name} # SKIP {reason}")
        except Exception as reason:
            failed += 1
            print(f"not ok {count} - {name}: {reason!r}"[:2000])
    print(f"1..{count}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
