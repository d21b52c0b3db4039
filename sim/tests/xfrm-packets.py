#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xfrm-packets.py - packets through IPsec's tunnels and xfrm interfaces beside those of real
kernels: xfrm-packets.py SIM SOURCE

One end has plain policies, the other one an xfrm interface, which was made first, and up to
400 more.  Calls of each packet must be those of Linux 6.1 and 5.10 in
truth/xfrm-packets.jsonl; packets that are dropped must be counted by the same names, and
have gone the same way, as in truth/xfrm-drops.jsonl."""

import json

from harness import done, json_lines, ok, path, phases, result, truth

ALGORITHMS = "enc 'ecb(cipher_null)' '' auth digest_null ''"
LINKS = [
    "ip netns add L",
    "ip netns add R",
    *(f"ip netns exec {n} sysctl -w net.ipv6.conf.{w}.disable_ipv6=1" for n in "LR" for w in ("all", "default")),
    "ip -n L link add vl address 02:00:00:00:00:01 type veth peer name vr address 02:00:00:00:00:02 netns R",
    "ip -n L addr add 192.168.0.1/24 dev vl",
    "ip -n R addr add 192.168.0.2/24 dev vr",
    *(f"ip -n {n} link set {d} up" for n, d in (("L", "lo"), ("R", "lo"), ("L", "vl"), ("R", "vr"))),
    "ip -n L neigh add 192.168.0.2 lladdr 02:00:00:00:00:02 dev vl nud permanent",
    "ip -n R neigh add 192.168.0.1 lladdr 02:00:00:00:00:01 dev vr nud permanent",
    "ip -n L addr add 10.0.0.1/32 dev lo",
    "ip -n L route add 10.0.0.2/32 dev vl src 10.0.0.1",
]
THERE, BACK = "src 192.168.0.1 dst 192.168.0.2", "src 192.168.0.2 dst 192.168.0.1"
INNER_THERE, INNER_BACK = "src 10.0.0.1/32 dst 10.0.0.2/32", "src 10.0.0.2/32 dst 10.0.0.1/32"


def state(netns, ends, spi, more=""):
    return f"ip -n {netns} xfrm state add {ends} proto esp spi {spi} reqid 1 mode tunnel {ALGORITHMS} {more}"


def policy(netns, selector, direction, ends, more=""):
    return f"ip -n {netns} xfrm policy add {selector} dir {direction} tmpl {ends} proto esp reqid 1 mode tunnel {more}"


TUNNEL = [
    state("L", THERE, "0x1001"),
    state("L", BACK, "0x1002"),
    state("R", THERE, "0x1001", "if_id 1"),
    state("R", BACK, "0x1002", "if_id 1"),
    policy("L", INNER_THERE, "out", THERE),
    policy("L", INNER_BACK, "in", BACK),
    policy("R", INNER_BACK, "out", BACK, "if_id 1"),
    policy("R", INNER_THERE, "in", THERE, "if_id 1"),
    "ip -n R link add xfrm1 type xfrm dev vr if_id 1",
    "ip -n R addr add 10.0.0.2/24 dev xfrm1",
    "ip -n R link set xfrm1 up",
]


def box(kernel, more):
    return {"name": "packets", "kernel": {"version": kernel}, "setup": {"run": LINKS, "settle": 6}, "phases": more}


# Packets that arrive


def sending(recorded, count):
    echo = "-e" if recorded["mode"] == "echo" else ""
    return box(
        recorded["kernel"],
        [
            {"name": "tunnel", "run": TUNNEL},
            {
                "name": "interfaces",
                "for": {"i": f"2..{recorded['interfaces']}"},
                "run": ["ip -n R link add xfrm$i type xfrm dev vr if_id $i", "ip -n R link set xfrm$i up"],
            },
            {
                "name": "send",
                "run": [
                    f"ip netns exec R udpsink -n {count} {echo} &",
                    "sleep 1",
                    f"ip netns exec L udp4send -n {count} {echo} 10.0.0.2",
                    "wait",
                ],
            },
            {"name": "after", "run": ["ip -n L -s xfrm state", "ip -n R -s xfrm state", "ip netns exec R cat /proc/net/xfrm_stat"]},
        ],
    )


PROBED_TOO = ("xfrm_lookup", "xfrm_dst_check", "xfrm4_rcv_encap", "xfrm_trans_queue", "ip_forward", "xfrm_bundle_create",
              "xfrm_tmpl_resolve", "xfrm_tmpl_resolve_one", "xfrm_policy_inexact_lookup_rcu", "xfrm_replay_overflow",
              "esp4_rcv_cb", "xfrmi_xmit", "__xfrm_decode_session")


def visits(phase):
    table = phase["tables"]["xfrm_if"]
    return table["visits"] + table["walk_visits"]


def check_packets(recorded, count=50):
    run = phases(result(sending(recorded, count), "--commands=" + path("commands")))
    calls = dict(run["send"]["calls"], step_xfrmi_lookup=visits(run["send"]))
    wanted = {**dict.fromkeys(PROBED_TOO, 0), **recorded["calls"]}
    problems = [
        f"calls of {name}: {calls.get(name, 0) / count:g} a packet, kernel {number}"
        for name, number in wanted.items()
        if calls.get(name, 0) != number * count
    ]
    commands = json_lines("commands")
    told = {line["command"].split()[2]: line["output"] for line in commands if line["command"].endswith("xfrm state")}
    for netns, lines in recorded["use"].items():
        ours = [line.strip() for line in told[netns].splitlines() if "(packets)" in line and "limit" not in line]
        each = [line.replace("128128(bytes), 1001", f"{128 * count}(bytes), {count}") for line in lines]
        if ours != each:
            problems.append(f"{netns}: {ours}, kernel {each}")
    if any(not line.endswith("\t0") for line in commands[-1]["output"].splitlines()):
        problems.append(commands[-1]["output"])
    ok(f"{recorded['kernel']}, {recorded['interfaces']} interfaces, {recorded['mode']}", problems)


# Structures of interfaces, and how a check finds one


def check_backends(recorded, count=20):
    """The interface that was made first is the last of a list."""
    n = recorded["interfaces"]
    echo = recorded["mode"] == "echo"
    for backend, decode, wanted in (
        ("list", "walk", 2 * n),
        ("list", "direct", n),
        ("hash:buckets=256", "walk", None),
        ("hash:buckets=256", "direct", recorded["calls"]["step_xfrmi_lookup"]),
    ):
        options = [f"--backend=xfrm_if={backend}", f"--kernel=xfrmi_decode={decode}"]
        run = phases(result(sending(recorded, count), *options))
        each = visits(run["send"]) / count
        fine = each == wanted if wanted else each > 2 or n < 3
        ok(f"{n} interfaces, {recorded['mode']}, {backend}, {decode}", [] if fine else [f"{each} visits a packet, not {wanted}"])


# Packets that do not arrive

# It comes with the first interface, and stays.
MODULE = ["ip -n R link add first type xfrm dev vr if_id 99", "ip -n R link del first"]


def dropping(recorded):
    steps = []
    for number, step in enumerate(recorded["steps"]):
        steps += [
            {"name": f"change {number}", "run": step["commands"]},
            {
                "name": f"send {number}",
                "for": {"n": f"1..{recorded['packets']}"},
                "run": [{"run": "ip netns exec L udp4send 10.0.0.2", "may_fail": True}],
            },
            {"name": f"count {number}", "run": [f"ip netns exec {step['at']} cat /proc/net/xfrm_stat"]},
        ]
    return box(recorded["kernel"], [{"name": "module", "run": MODULE}, *steps])


def check_drops(recorded):
    run = phases(result(dropping(recorded), "--commands=" + path("commands")))
    commands = json_lines("commands")
    for number, step in enumerate(recorded["steps"]):
        counted = next(line["output"] for line in commands if line["phase"] == f"count {number}")
        sent = next(line for line in commands if line["phase"] == f"send {number}")
        stat = {name: int(value) for name, value in (line.split() for line in counted.splitlines()) if int(value)}
        calls = run[f"send {number}"]["calls"]
        problems = [f"counted {stat}, kernel {step['stat']}"] if stat != step["stat"] else []
        if (sent["status"] != 0) != step["fails"]:
            problems.append(f"sending: status {sent['status']}, {sent['error']}")
        if not step["fails"]:
            problems += [
                f"calls of {name}: {calls.get(name, 0)}, kernel {wanted}"
                for name, wanted in step["calls"].items()
                if name != "step_xfrmi_lookup" and calls.get(name, 0) != wanted
            ]
        ok(f"{recorded['kernel']}, {step['what']}", problems)


def records(name):
    with open(truth(name), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


for packets in records("xfrm-packets.jsonl"):
    check_packets(packets)
    if packets["kernel"] == "6.1":
        check_backends(packets)
for drops in records("xfrm-drops.jsonl"):
    check_drops(drops)
done()
