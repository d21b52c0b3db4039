#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xfrm-policies.py - IPsec's policies, told and read again: xfrm-policies.py SIM SOURCE

What kernels answer is xfrm-truth.py's.  Here: the datagrams of a dump, which have the sizes
that Linux 6.1 and 5.10 have; both ways to dump tell the same; a listing is made into
commands, and these make the same listing; backends and ways to insert change no answer."""

import re

from harness import done, json_lines, ok, path, phases, result

TMPL = "tmpl src 192.168.0.1 dst 192.168.0.2 proto esp reqid 1 mode tunnel"

# What 'ip xfrm policy list' reads of 40 policies, on both kernels.
DATAGRAMS = [3696, 3696, 3168, 20]


def listing(count, **kernel):
    policies = {
        "for": {"i": f"1..{count}"},
        "run": [f"ip -n g xfrm policy add src 10.0.1.$i/32 dst 10.0.0.2/32 dir out {TMPL}"],
    }
    topology = {
        "name": "dump",
        "kernel": kernel,
        "setup": ["ip netns add g"],
        "phases": [
            {"name": "add", **policies},
            {"name": "list", "run": ["ip -n g xfrm policy list"]},
        ],
    }
    outcome = phases(result(topology, "--commands=" + path("commands")))["list"]
    return outcome, json_lines("commands")[-1]


def check_dumps():
    for version in ("6.1", "5.10"):
        _, answered = listing(40, version=version)
        sizes = answered["recvmsg"]
        ok(f"{version}, datagrams", [] if sizes == DATAGRAMS else [f"{sizes}, {DATAGRAMS}"])
    told, problems = [], []
    for how in ("cursor", "restart"):
        outcome, answered = listing(250, xfrm_dump=how)
        (dump,) = outcome["dumps"]
        told.append(sorted(re.split(r"\n(?=src)", answered["output"].strip())))
        walked = outcome["tables"]["xfrm_policy_idx"]["walk_visits"]
        runs = dump["messages"] - 1
        if len(told[-1]) != 250 or dump["shown"] != 250 or dump["lost"] or dump["repeated"]:
            problems.append(f"{how}: {dump}")
        if how == "cursor" and walked != 250 + runs - 1:
            problems.append(f"{how}: {walked} walked in {runs} runs")
        if how == "restart" and (walked <= 250 * 2 or dump["restarts"] != runs):
            problems.append(f"{how}: {walked} walked in {dump}")
    ok("both ways to dump tell the same", problems + (["they do not"] if told[0] != told[1] else []))


# The simulator's own policies, told by the simulator's own output.

LIMITS = {
    "limit": (("byte-soft", "byte-hard"), ("packet-soft", "packet-hard")),
    "add": ("time-soft", "time-hard"),
    "use": ("time-use-soft", "time-use-hard"),
}


def limits_of(line, number):
    """Of one line of "lifetime config"; 'number' tells the two lines of limits apart."""
    values = re.findall(r"(?:soft|hard) (\d+|\(INF\))", line)
    kind = "limit" if "limit:" in line else line.split()[1].rstrip(":")
    names = LIMITS[kind][number] if kind == "limit" else LIMITS[kind]
    nothing = "(INF)" if kind == "limit" else "0"
    return " ".join(f"limit {n} {v}" for n, v in zip(names, values) if v != nothing)


def words_of(line, number):
    """What of 'ip xfrm policy add' one line of 'ip -s xfrm policy list' stands for."""
    word = line.split()[0]
    if word == "src":
        return re.sub(r"\s*uid \d+", "", line).replace("dev if1", "dev lo")
    if word == "dir":
        line = line.replace("share any ", "").strip()
        return re.sub(r"flag (.*?)\s*\(0x\w+\)", lambda m: f"flag {m[1]}" if m[1] else "", line)
    if word in ("limit:", "expire"):
        return limits_of(line, number)
    if word == "mark":
        return "mark {} mask {}".format(*line.split()[1].split("/"))
    if word == "proto":
        return re.sub(r"\(\w*\)", "", line).strip()
    if word == "level":
        return line.replace("share any", "").strip()
    return line.strip() if word in ("tmpl", "if_id") else ""


def imported(lines):
    """Commands that make the policies of a listing, the last one first: as they came."""
    policies = []
    for line in lines:
        if not line.startswith("\t"):
            policies.append([])
            limits = 0
        policies[-1].append(words_of(line, limits))
        limits += "limit:" in line
    return ["ip -n i xfrm policy add " + " ".join(filter(None, p)) for p in reversed(policies)]


def listing_of(setup, *options):
    topology = {
        "name": "import",
        "setup": ["ip netns add i"],
        "phases": [{"name": "list", "run": setup + ["ip -n i -s xfrm policy list"]}],
    }
    result(topology, "--commands=" + path("commands"), *options)
    lines = json_lines("commands")[-1]["output"].splitlines()
    return [re.sub(r"\badd \d{4}-.* use", "add TIME use", line) for line in lines]


POLICIES = [
    f"src 10.0.0.1/32 dst 10.0.0.2/32 dir out {TMPL}",
    f"src 10.0.0.0/8 dst 0.0.0.0/0 proto tcp sport 5 dport 80 dev lo dir in priority 7 {TMPL}",
    "src 10.1.0.0/17 dst 10.2.0.0/19 dir fwd action block priority 4294967295 if_id 9",
    "src 2001:db8::/33 dst 2001:db8:1::/48 dir out ptype sub flag localok icmp mark 5 mask 0xff "
    "tmpl src 2001:db8::1 dst 2001:db8::2 proto ah spi 0x77 reqid 3 mode transport level use "
    "tmpl src 2001:db8::3 dst 2001:db8::4 proto esp mode tunnel",
    "src 10.3.0.0/16 dst 10.4.0.0/16 dir out index 0x99 limit time-hard 5000 limit byte-soft 6 "
    "limit packet-hard 7 limit time-use-soft 8 limit time-soft 9 limit packet-soft 10 "
    "tmpl proto comp reqid 3 mode transport",
    "src ::/0 dst ::/0 proto ipv6-icmp dir in tmpl src ::1 dst ::2 proto esp mode beet",
    f"src 10.3.0.0/16 dst 10.4.0.0/16 dir out mark 1 {TMPL} {TMPL} {TMPL} {TMPL} {TMPL} {TMPL}",
]


def compare(about, first, again):
    problems = [f"{a!r} became {b!r}" for a, b in zip(first, again) if a != b]
    if len(first) != len(again) or len(first) < 10 * len(POLICIES):
        problems.append(f"{len(first)} lines became {len(again)}")
    ok(about, problems)


def check_import():
    commands = ["ip -n i xfrm policy add " + policy for policy in POLICIES]
    first = listing_of(commands)
    compare("a listing made into commands, and listed again", first, listing_of(imported(first)))
    for backend in ("list", "rbtree", "hash:buckets=1", "rhashtable"):
        compare(backend, first, listing_of(commands, f"--backend={backend}"))
    for way in ("number", "candidates"):
        compare(way, first, listing_of(commands, f"--kernel=xfrm_policy_insert={way}"))


check_dumps()
check_import()
done()
