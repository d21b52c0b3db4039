#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xfrm-truth.py - IPsec's interfaces beside those of real kernels: xfrm-truth.py SIM SOURCE

Sequences of commands: exit statuses and what each command printed must be those of Linux
6.1 and 5.10 in truth/xfrm-sequences.jsonl; the calls that it takes to make interfaces
those of truth/xfrm-interfaces.json.  "truth/README.md" says how these came to be."""

import json
import re

from harness import done, json_lines, ok, path, phases, result, truth


def topology(recorded):
    commands = [{"run": command, "may_fail": True} for command, _, _ in recorded["commands"]]
    return {
        "name": "sequence",
        "kernel": {"version": recorded["kernel"]},
        "setup": {"run": recorded["setup"], "settle": 6},
        "phases": [{"name": "commands", "run": commands}],
    }


def timeless(line):
    """When a state was made and used is the clock's."""
    return re.sub(r"(add|use) \d{4}-\d\d-\d\d \d\d:\d\d:\d\d", r"\1 TIME", line)


def compare_answers(recorded, commands):
    for (command, status, lines), answered in zip(recorded["commands"], commands):
        ours = [timeless(l) for l in (answered["output"] + answered["error"]).splitlines()]
        if (answered["status"], ours) != (status, lines):
            missing = [line for line in lines if line not in ours]
            extra = [line for line in ours if line not in lines]
            yield (
                f"{command}: status {answered['status']}, kernel {status}; "
                f"missing {missing}, extra {extra}"
            )


def check_sequence(recorded):
    result(topology(recorded), "--commands=" + path("commands"))
    commands = [line for line in json_lines("commands") if line["phase"] == "commands"]
    ok(f"{recorded['kernel']}, {recorded['id']}", list(compare_answers(recorded, commands)))


def interfaces(recorded):
    """As many as were made in the one phase, after one that was there."""
    return {
        "name": "interfaces",
        "kernel": {"version": recorded["kernel"]},
        "setup": recorded["setup"],
        "phases": [
            {
                "name": "create",
                "for": {"i": f"2..{recorded['interfaces']}"},
                "run": [
                    "ip -n R link add xfrm$i type xfrm dev vr if_id $i",
                    "ip -n R link set xfrm$i up",
                ],
            }
        ],
    }


def check_interfaces(recorded):
    calls = phases(result(interfaces(recorded)))["create"]["calls"]
    ok(
        f"{recorded['kernel']}, {recorded['interfaces']} interfaces",
        [
            f"calls of {name}: sim {calls.get(name, 0)}, kernel {count}"
            for name, count in recorded["calls"].items()
            if calls.get(name, 0) != count
        ],
    )


ALGORITHMS = "enc 'ecb(cipher_null)' '' auth digest_null ''"

# What 'ip xfrm state list' reads of 40 states, on both kernels.
DATAGRAMS = [3332, 3332, 12376, 20]


def listing(count, **kernel):
    states = {
        "for": {"i": f"1..{count}"},
        "run": [
            "ip -n g xfrm state add src 10.0.1.$i dst 10.0.0.2 proto esp spi $i reqid $i "
            f"mode tunnel {ALGORITHMS}"
        ],
    }
    topology = {
        "name": "dump",
        "kernel": kernel,
        "setup": ["ip netns add g"],
        "phases": [
            {"name": "add", **states},
            {"name": "list", "run": ["ip -n g xfrm state list"]},
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
        told.append(sorted(answered["output"].split("src ")))
        walked = outcome["tables"]["xfrm_state_dst"]["walk_visits"]
        runs = dump["messages"] - 1
        if dump["shown"] != 250 or dump["lost"] or dump["repeated"]:
            problems.append(f"{how}: {dump}")
        if how == "cursor" and walked != 250 + runs - 1:
            problems.append(f"{how}: {walked} walked in {runs} runs")
        if how == "restart" and (walked <= 250 * 3 or dump["restarts"] != runs):
            problems.append(f"{how}: {walked} walked in {dump}")
    ok("both ways to dump tell the same", problems + (["they do not"] if told[0] != told[1] else []))


# The simulator's own states, told by the simulator's own output.

LIMITS = {
    "limit": (("byte-soft", "byte-hard"), ("packet-soft", "packet-hard")),
    "add": ("time-soft", "time-hard"),
    "use": ("time-use-soft", "time-use-hard"),
}


def limits_of(line, number):
    """Of one line of "lifetime config"; 'number' tells the two lines of limits apart."""
    first, second = re.findall(r"(?:soft|hard) (\d+|\(INF\))", line)
    kind = "limit" if "limit:" in line else line.split()[1].rstrip(":")
    names = LIMITS[kind][number] if kind == "limit" else LIMITS[kind]
    nothing = "(INF)" if kind == "limit" else "0"
    return " ".join(f"limit {n} {v}" for n, v in zip(names, (first, second)) if v != nothing)


def words_of(line, number):
    """What of 'ip xfrm state add' one line of 'ip -s xfrm state list' stands for."""
    word, *rest = line.split()
    if word == "proto":
        return re.sub(r"\(\w*\)", "", line).strip()
    if word == "replay-window" and "replay 0 failed" not in line:
        window, seq = re.match(r"\s*replay-window (\d+) seq 0x(\d+)", line).groups()
        flags = re.search(r"flag (.*) \(0x[01]+\)", line)[1]
        wire = int.from_bytes(int(seq).to_bytes(4, "little"), "big")
        return f"replay-window {window} seq {wire}" + (f" flag {flags}" if flags.strip() else "")
    if word in ("auth-trunc", "aead", "enc"):
        key = rest[1] if len(rest) > 1 and rest[1].startswith("0x") else "''"
        last = rest[-1] if word in ("auth-trunc", "aead") else ""
        return f"{word} '{rest[0]}' {key} {last}"
    if word in ("mark", "output-mark"):
        return "{} {} mask {}".format(word, *rest[0].split("/"))
    if word == "anti-replay":
        seq, oseq = re.search(r"seq (\w+), oseq (\w+)", line).groups()
        return f"replay-seq {seq} replay-oseq {oseq}" if (seq, oseq) != ("0x0", "0x0") else ""
    if word == "encap":
        return f"encap {rest[1]} {rest[3]} {rest[5]} {rest[7]}"
    if word in ("limit:", "expire"):
        return limits_of(line, number)
    if word == "sel":
        return re.sub(r"\s*uid \d+", "", line).strip()
    return line.strip() if word in ("src", "if_id", "tfcpad") else ""


def imported(listing):
    """Commands that make the states of a listing, the last one first: as they came."""
    states = []
    for line in listing:
        if not line.startswith("\t"):
            states.append([line])
            limits = 0
        else:
            states[-1].append(words_of(line, limits))
            limits += "limit:" in line
    return [
        "ip -n i xfrm state add " + " ".join(filter(None, [s[0], s[1], *s[2:]]))
        for s in reversed(states)
    ]


def listing_of(setup):
    topology = {
        "name": "import",
        "setup": ["ip netns add i"],
        "phases": [{"name": "list", "run": setup + ["ip -n i -s xfrm state list"]}],
    }
    result(topology, "--commands=" + path("commands"))
    return [timeless(line) for line in json_lines("commands")[-1]["output"].splitlines()]


STATES = [
    "src 10.0.0.1 dst 10.0.0.2 proto esp spi 0x1 reqid 1 mode tunnel enc aes "
    "0x00112233445566778899aabbccddeeff auth sha256 0x0102 replay-window 32",
    "src 10.0.0.1 dst 10.0.0.2 proto esp spi 0x2 reqid 1 mode transport aead "
    "'rfc4106(gcm(aes))' 0x00112233445566778899aabbccddeeff01020304 128 mark 5 mask 0xff",
    "src 2001:db8::1 dst 2001:db8::2 proto ah spi 3 mode tunnel auth-trunc 'hmac(sha1)' 0x01 "
    "160 sel src 10.0.0.0/8 dst 0.0.0.0/0 proto tcp sport 5 dport 80",
    "src 10.0.0.1 dst 10.0.0.2 proto esp spi 4 seq 7 enc cipher_null '' flag noecn nopmtudisc "
    "if_id 9 tfcpad 4 mode tunnel output-mark 3 limit time-hard 5000 limit byte-soft 6 "
    "limit packet-hard 7 limit time-use-soft 8 replay-seq 3 replay-oseq 4",
    "src 10.0.0.1 dst 10.0.0.2 proto esp spi 5 enc cipher_null '' encap espinudp 4500 4501 1.2.3.4",
]


def check_import():
    first = listing_of(["ip -n i xfrm state add " + state for state in STATES])
    again = listing_of(imported(first))
    problems = [f"{a!r} became {b!r}" for a, b in zip(first, again) if a != b]
    if len(first) != len(again) or len(first) < 15 * len(STATES):
        problems.append(f"{len(first)} lines became {len(again)}")
    ok("a listing made into commands, and listed again", problems)


def check_deleteall():
    """States of SPI 0 are not found by it: both kernels said so, and kept them."""
    state = "ip -n i xfrm state add src 10.0.0.1 dst 10.0.0.2 proto esp spi "
    commands = [
        f"{state}0 reqid 1 mode tunnel {ALGORITHMS}",
        f"{state}0 reqid 1 mode tunnel {ALGORITHMS}",
        {"run": "ip -n i xfrm state deleteall reqid 1 proto esp", "may_fail": True},
        "ip -n i xfrm state count",
    ]
    topology = {
        "name": "deleteall",
        "setup": ["ip netns add i"],
        "phases": [{"name": "delete", "run": commands}],
    }
    result(topology, "--commands=" + path("commands"))
    refused, counted = json_lines("commands")[-2:]
    said = (refused["status"], refused["output"] + refused["error"], counted["output"].strip())
    wanted = (1, "Failed to send delete-all request\n: No such process\n", "SAD count 2")
    ok("deleteall of states without an SPI", [] if said == wanted else [f"{said}"])


def growing(recorded):
    """A state after the other, and how many buckets there are then."""
    commands = []
    for state, _ in recorded["states"]:
        commands += [
            f"ip -n g xfrm state add {state} {ALGORITHMS}",
            "ip -n g -s xfrm state count",
        ]
    return {
        "name": "growth",
        "kernel": {"version": recorded["kernel"]},
        "setup": ["ip netns add g"],
        "phases": [{"name": "add", "run": commands}],
    }


def check_growth(recorded):
    result(growing(recorded), "--commands=" + path("commands"))
    counts = [line for line in json_lines("commands") if "state count" in line["command"]]
    ok(
        f"{recorded['kernel']}, buckets of {len(recorded['states'])} states",
        [
            f"state {n}: {answered['output'].strip()}, kernel {buckets} buckets"
            for n, ((_, buckets), answered) in enumerate(zip(recorded["states"], counts), 1)
            if f"count {n} (buckets count {buckets} Max 1048576)" not in answered["output"]
        ],
    )


with open(truth("xfrm-sequences.jsonl"), encoding="utf-8") as sequences:
    for sequence in sequences:
        check_sequence(json.loads(sequence))
with open(truth("xfrm-interfaces.json"), encoding="utf-8") as boxes:
    for box in json.load(boxes):
        check_interfaces(box)
with open(truth("xfrm-growth.jsonl"), encoding="utf-8") as tables:
    for table in tables:
        check_growth(json.loads(table))
check_dumps()
check_import()
check_deleteall()
done()
