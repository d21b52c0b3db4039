#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""sources.py - rules of the source text that no compiler knows: sources.py RULE ROOT

A rule is a function: it yields the places that break it, as (path, line, what).
"""

import os
import re
import subprocess
import sys

C = (".c", ".h")
TEXT = C + (".S", ".py", ".sh", ".json", ".csv", ".md", "meson.build")
TOP = {"README.md", "backends", "meson.build", "results", "run", "sim", "test", "topologies"}
FOLDERS = ("backends", "results", "sim", "topologies")
SCRIPTS = ["run", "test", ".ci/run", ".ci/setup.sh", "results/record"]

FILE_LINES = 600
BACKEND_LINES = 400
FUNCTION_LINES = 100
LOOK_AT_LINES = 50

# One direction: what a folder's files must not include.  A backend never knows a
# model, a model never knows a backend, and nobody knows who uses it.
ABOVE = ["net/", "iproute/", "cost/", "scenario/", "report/", "cli/"]
FORBIDDEN_INCLUDES = {
    "backends": ABOVE + ["jansson.h"],
    "sim/table": ABOVE + ["jansson.h"],
    "sim/engine": ABOVE + ["jansson.h", "backend.h"],
    "sim/net": ABOVE[1:] + ["backend.h", "table/table-impl.h"],
    "sim/iproute": ["backend.h", "cost/", "scenario/", "report/", "cli/"],
    "sim/data": ABOVE + ["backend.h", "engine/", "table/"],
    "sim/cost": ["iproute/", "scenario/run", "scenario/scenario", "report/", "cli/"],
    "sim/scenario": ["cli/"],
    "sim/report": ["cli/"],
}

# Of use nowhere, because results must be equal on every machine; the commands may
# ask for the time to show progress, tests and benchmarks what they like.
IMPURE = re.compile(
    r"\b(time|clock|clock_gettime|gettimeofday|rand|random|srand|g_random_\w+|"
    r"g_get_monotonic_time|g_get_real_time|g_direct_hash|setlocale|pthread_\w+|g_thread_\w+)\("
)
PRINTS = re.compile(
    r"\b(printf|puts|putchar|vprintf|perror|g_print|g_printerr|g_message|g_warning)\(|"
    r"\bstd(out|err)\b"
)
CONTAINERS = re.compile(r"\bG(HashTable|PtrArray|Array|List|SList|Queue|Tree|Sequence)\b")


def paths(suffixes, tops=("backends", "sim")):
    for top in tops:
        for folder, folders, names in os.walk(top):
            folders[:] = sorted(f for f in folders if not f.startswith((".", "__")))
            for name in sorted(names):
                if name.endswith(suffixes):
                    yield os.path.join(folder, name)


def readme():
    return [name for name in ["README.md"] if os.path.exists(name)]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def lines_of(path):
    return enumerate(read(path).split("\n"), 1)


def is_test(path):
    return "/tests/" in path or "/bench/" in path


def code_of(path):
    """The lines without comments and strings, which may say what they like."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
    text = re.sub(r'"(\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', blank, read(path), flags=re.S)
    return enumerate(text.split("\n"), 1)


def includes():
    for path in paths(C):
        folder = os.path.dirname(path)
        for number, line in lines_of(path):
            match = re.match(r'#include ["<](.*)[">]', line)
            for start in FORBIDDEN_INCLUDES.get(folder, []) if match else []:
                if match.group(1).startswith(start):
                    yield path, number, f"{folder} must not include {match.group(1)}"


def functions(path):
    """Where each function's body starts, and its lines."""
    start = 0
    for number, line in lines_of(path):
        if line == "{":
            start = number
        elif line == "}" and start:
            yield start, number - start - 1
            start = 0


def length():
    for path in paths(C):
        limit = BACKEND_LINES if re.fullmatch(r"backends/[^/]*\.c", path) else FILE_LINES
        count = read(path).count("\n")
        if count > limit:
            yield path, count, f"longer than {limit} lines"
        for start, lines in functions(path):
            if lines > FUNCTION_LINES:
                yield path, start, f"a function of {lines} lines, more than {FUNCTION_LINES}"
            elif lines > LOOK_AT_LINES:
                print(f"{path}:{start}: warning: {lines} lines: is this one function?")


def lists():
    """A file that no meson.build names is never compiled: nobody would notice."""
    for path in paths((".c",)):
        folder, name = os.path.split(path)
        text = read(os.path.join(folder, "meson.build"))
        # A loop may add the '.c' to each name of a list.
        if f"'{name}'" not in text and f"'{name[:-2]}'" not in text:
            yield path, 1, f"not in {folder}/meson.build"
    for path in paths(("meson.build",)):
        for match in re.finditer(r"^sources \+= files\((.*?)\)", read(path), re.S | re.M):
            files = re.findall(r"'(.*?)'", match.group(1))
            if files != sorted(files):
                yield path, read(path)[: match.start()].count("\n") + 1, "not sorted"


def openings():
    """Licence first, then what the file is for; headers guard themselves."""
    for path in list(paths(C + (".S", ".py", ".sh"))) + SCRIPTS:
        head = read(path).split("\n")[:5]
        name = os.path.basename(path)
        if not any("SPDX-License-Identifier: GPL-2.0-or-later" in line for line in head[:2]):
            yield path, 1, "no SPDX line"
        if not any(f"{name} - " in line for line in head):
            yield path, 2, f"no opening comment '{name} - what it is for'"
        if path.endswith(".h") and "\n#pragma once\n" not in read(path):
            yield path, 1, "no #pragma once"


def purity():
    for path in paths(C):
        if is_test(path):
            continue
        command = path.startswith("sim/cli/") or path == "sim/main.c"
        writes = path.startswith("sim/report/")
        structure = path.startswith(("backends/", "sim/table/"))
        for number, line in code_of(path):
            if not command and IMPURE.search(line):
                yield path, number, "results must not depend on time, chance, threads or locale"
            if not command and not writes and PRINTS.search(line):
                yield path, number, "only main.c, cli/ and report/ write to standard streams"
            if structure and CONTAINERS.search(line):
                yield path, number, "no container of GLib in what is measured"
            if re.match(r"\s*typedef\s+(struct|union|enum)\b", line):
                yield path, number, "structs, unions and enums get no typedef"


def text():
    for path in [*paths(TEXT, FOLDERS), *SCRIPTS, "meson.build", *readme()]:
        content = read(path)
        if not content.endswith("\n") or content.endswith("\n\n"):
            yield path, content.count("\n"), "must end with one newline"
        for number, line in lines_of(path):
            if line != line.rstrip():
                yield path, number, "trailing white space"
            # The markers are put together, or this line would find itself.
            if re.search(r"\b(TO" + r"DO|FIX" + r"ME|X" + r"XX)\b", line):
                yield path, number, "unfinished"


def slug(heading):
    """The name by which a link reaches a heading, as the common forges make it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def headings(path):
    return {slug(line.lstrip("#")) for _, line in lines_of(path) if line.startswith("#")}


def links():
    """Each relative link of a Markdown file leads to a file, and to a heading of it."""
    for path in [*readme(), *paths((".md",), FOLDERS)]:
        for number, line in lines_of(path):
            line = re.sub(r"`[^`]*`", "", line)
            for target in re.findall(r"\]\(<?([^)\s>]+)", line):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, heading = target.partition("#")
                file = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
                if not os.path.exists(file):
                    yield path, number, f"{target} leads nowhere"
                elif heading and heading not in headings(file):
                    yield path, number, f"{file} has no heading for #{heading}"


def top():
    """What lies in the checkout without being part of it is nobody's business."""
    for name in sorted(TOP):
        if not os.path.exists(name):
            yield name, 1, "is missing"
    try:
        files = subprocess.check_output(["git", "ls-files", "-z"], text=True).split("\0")
    except (OSError, subprocess.CalledProcessError):
        print("names that do not belong here: not looked for without git")
        return
    for name in sorted({path.split("/")[0] for path in files if path}):
        if name not in TOP and not name.startswith("."):
            yield name, 1, "does not belong into the top folder"


def main():
    rule, root = sys.argv[1:]
    os.chdir(root)
    places = list(globals()[rule]())
    for path, number, what in places:
        print(f"{path}:{number}: {what}")
    return 1 if places else 0


if __name__ == "__main__":
    sys.exit(main())
