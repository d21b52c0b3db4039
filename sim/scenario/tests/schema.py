#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""schema.py - topologies/schema.json and the loader agree: schema.py SIM TOPOLOGIES

Every shipped file is valid by an independent validator.  Then a file that has
every member is broken in every place and in every way that structure can be: what
the loader refuses, the schema refuses, and the other way round.
"""

import copy
import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("1..0 # SKIP python3-jsonschema is missing")
    sys.exit(0)

sim, folder = sys.argv[1:]
failures = 0
number = 0


def ok(good, what, *details):
    global failures, number
    number += 1
    print(f"{'ok' if good else 'not ok'} {number} - {what}")
    if not good:
        failures += 1
        for detail in details:
            print(f"# {detail[:300]}")


def load(name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return json.load(file)


schema = load("schema.json")
Validator = jsonschema.validators.validator_for(schema)
Validator.check_schema(schema)
validator = Validator(schema)

shipped = sorted(n for n in os.listdir(folder) if n.endswith(".json") and n != "schema.json")
ok(len(shipped) >= 2, "there are scenarios")
for name in shipped:
    errors = [e.message for e in validator.iter_errors(load(name))]
    ok(not errors, f"{name} is valid", *errors)
    ok(load(name)["name"] + ".json" == name, f"{name} has its own name")

# Every member once.
WHOLE = {
    "$schema": "schema.json",
    "name": "whole",
    "about": "a",
    "source": "s",
    "machine": "m",
    "params": {"n": 3, "f": {"default": 1, "min": 0, "max": 1, "about": "a"}},
    "kernel": {
        "version": "6.1",
        "gvrp": "$f",
        "mvrp": True,
        "fdb_dump": "resume",
        "fdb_walk": "literal",
        "skb": "auto",
        "xfrmi_decode": "walk",
        "xfrm_dump": "restart",
        "xfrm_policy_insert": "number",
    },
    "backends": {"*": "list"},
    "previous_namespace": "${f}",
    "setup": {
        "for": {"i": "1..2"},
        "run": ["ip netns add t$i"],
        "keep_going": False,
        "settle": 1,
        "until_idle": False,
    },
    "phases": [
        {
            "name": "p",
            "for": {"i": "1..$n", "j": "1..${i}", "k": "$(( 1 + (i % 2) ))..$((${n} - $i * -2 / 1))"},
            "run": ["ip netns add u", {"run": "ip netns del u", "may_fail": True}],
            "keep_going": True,
            "settle": "$((n * 2))",
            "until_idle": True,
        },
        {"name": "q", "run": ["ip netns add v"]},
    ],
    "variants": {
        "v": {
            "about": "a",
            "params": {"n": 4},
            "kernel": {"version": "5.10"},
            "backends": {"*": "rbtree"},
            "previous_namespace": True,
        }
    },
    "published": {"v": {"p": {"real_s": 1.5}}},
    "published_at": [{"params": {}, "published": {"v": {"p": {"pps": 7}}}}],
}

# What no schema can know.
BEYOND = re.compile(
    r"unknown (variable|parameter|table|backend)|there is no (variant|phase)|not simulated|"
    r"may be other than|; it must be |a second phase|is a parameter or a loop already"
)

# Of each type, harmless and not; strings are what many members want.
VALUES = [None, True, 7, -7, 1.5, "", "x", "\x01", "y" * 5000, [], ["x"], {}, {"x": "x"}]
NAMES = ["nonsense", "Nonsense", "non sense", "n" * 33]


def places(value, path=()):
    yield path
    if isinstance(value, dict):
        for key, child in value.items():
            yield from places(child, path + (key,))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from places(child, path + (index,))


def edited(path, edit):
    whole = copy.deepcopy(WHOLE)
    holder = whole
    for part in path[:-1]:
        holder = holder[part]
    edit(holder, path[-1])
    return whole


def at(path):
    value = WHOLE
    for part in path:
        value = value[part]
    return value


def put(new):
    return lambda holder, key: holder.__setitem__(key, new)


def add(name):
    return lambda holder, key: holder[key].__setitem__(name, 1)


def crowds():
    """Just as many as there may be, and one more."""
    for more in (0, 1):
        params = {f"p{i}": i for i in range(98 + more)}
        variants = {f"v{i}": {} for i in range(99 + more)}
        phases = [{"name": f"p{i}", "run": ["true"]} for i in range(998 + more)]
        yield f"params + {more}", {**WHOLE, "params": {**WHOLE["params"], **params}}
        yield f"variants + {more}", {**WHOLE, "variants": {**WHOLE["variants"], **variants}}
        yield f"phases + {more}", {**WHOLE, "phases": WHOLE["phases"] + phases}


def mutations():
    for path in places(WHOLE):
        if not path:
            continue
        for new in VALUES:
            yield f"{path} = {str(new)[:12]!r}", edited(path, put(new))
        yield f"{path} removed", edited(path, lambda holder, key: holder.__delitem__(key))
        if isinstance(at(path), dict):
            for name in NAMES:
                yield f"{path} with {name}", edited(path, add(name))
    for name in NAMES:
        yield f"root with {name}", {**WHOLE, name: 1}
    for new in VALUES:
        yield f"root = {str(new)[:12]!r}", new


def loader_says(path):
    run = subprocess.run(
        [sim, "script", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    if run.returncode not in (0, 2) or bool(run.stderr) != (run.returncode == 2):
        return f"exit status {run.returncode}"
    return run.stderr.strip()


listed = subprocess.run([sim, "run", "--help"], stdout=subprocess.PIPE, text=True).stdout
words = dict(re.findall(r"^  (\w+)=([^ \n]+)$", listed, re.MULTILINE))
for option, member in schema["$defs"]["kernel"]["properties"].items():
    choices = "|".join(member.get("enum", "01"))
    ok(words.pop(option, None) == choices, f"kernel option {option} has the values {choices}")
ok(not words, "every kernel option is a member", *words)

errors = [e.message for e in validator.iter_errors(WHOLE)]
ok(not errors, "the whole file is valid", *errors)

compared = refused = 0
differences = []
with tempfile.TemporaryDirectory() as temporary:
    path = os.path.join(temporary, "t.json")
    for what, mutant in [("nothing", WHOLE), *crowds(), *mutations()]:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(mutant, file)
        said = loader_says(path)
        valid = validator.is_valid(mutant)
        compared += 1
        refused += not valid
        if valid != (said == "") and not (valid and BEYOND.search(said)):
            differences.append(f"{what}: schema {valid}, loader: {said or 'accepts'}")
ok(not differences, f"{compared} files, {refused} of them invalid", *differences[:40])
ok(compared > 500 and refused > 300, "enough of them")

print(f"1..{number}")
sys.exit(1 if failures else 0)
