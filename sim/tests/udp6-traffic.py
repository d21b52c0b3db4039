#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""udp6-traffic.py - senders that choose a source address for each packet, beside published
figures: udp6-traffic.py SIM SOURCE

The figures are those of 'ipv6: ipv6_dev_get_saddr() rcu works', netdev, 2017-10-08.
"""

import re

from harness import done, json_lines, ok, path, phases, result, run, scenario

PUBLISHED = {"before": 2.02e6, "after": 4.28e6}
LOCKED = {  # percent of the published profile before the patch: locks, references, the choice
    ("_raw_read_lock_bh", "_raw_read_unlock_bh"): 22.62 + 5.67,
    ("refcount_inc_not_zero", "refcount_sub_and_test"): 4.95 + 7.04,
    ("ipv6_get_saddr_eval",): 6.56,
    ("__ipv6_dev_get_saddr",): 5.34,
}


def sending(topology, *options):
    return phases(result(topology, f"--commands={path('commands')}", *options))["Sending"]


def traffic(phase):
    return phase["traffic"][0]


def near(what, got, wanted, tolerance):
    return [] if abs(got / wanted - 1) <= tolerance else [f"{what} {got}, not {wanted}"]


def check_published():
    pps = {}
    for variant, published in PUBLISHED.items():
        sent = traffic(sending("ipv6-saddr.json", f"--variant={variant}"))
        pps[variant] = sent["pps"]
        ok(f"{variant}: packets a second", near("pps", sent["pps"], published, 0.25))
        told = sum(int(re.search(r"\d+", line["output"])[0]) for line in json_lines("commands") if line["phase"] == "Sending")
        ok(f"{variant}: what the senders said", [] if told == sent["packets"] == sum(c["packets"] for c in sent["cpus"]) else [told])
        idle = [cpu for cpu in sent["cpus"] if cpu["utilisation"] < 0.99]
        ok(f"{variant}: sixteen CPUs are busy", idle or [] if len(sent["cpus"]) == 16 else [len(sent["cpus"])])
    ok("the gain", near("ratio", pps["after"] / pps["before"], 2.12, 0.1))


def check_profile():
    phase = sending("ipv6-saddr.json", "--variant=before", "--profile")
    total = sum(s["self_s"] for s in phase["profile"])
    shares = {s["symbol"]: 100 * s["self_s"] / total for s in phase["profile"]}
    for names, published in LOCKED.items():
        share = sum(shares[name] for name in names)
        ok(f"share of {', '.join(names)}", [] if abs(share - published) <= 6 else [f"{share:.1f} %, not {published:.1f} %"])


def check_shape():
    """One sender alone does not wait; under RCU all do as much as one alone."""
    alone = {v: traffic(sending("ipv6-saddr.json", f"--variant={v}", "--param=senders=1"))["pps"] for v in PUBLISHED}
    many = {n: traffic(sending("ipv6-saddr.json", "--variant=after", f"--param=senders={n}"))["pps"] for n in (2, 16)}
    ok("under RCU senders do not notice each other", [p for n, p in many.items() for p in near("pps", p, n * alone["after"], 0.01)])
    few = traffic(sending("ipv6-saddr.json", "--variant=before", "--param=senders=8"))["pps"]
    all16 = traffic(sending("ipv6-saddr.json", "--variant=before"))["pps"]
    ok("under the lock twice as many do not do twice as much", [] if few < all16 < 1.6 * few else [few, all16])


def check_steps():
    """The patches, one after the other: the walk without its lock, then without references."""
    locks = {}
    for step in ("prefix", "walk", "rcu"):
        phase = sending("ipv6-saddr.json", "--variant=after", f"--kernel=saddr={step}")
        packets = traffic(phase)["packets"]
        taken = {name: phase["locks"].get(name, {}).get("acquisitions", 0) for name in ("&ndev->lock", "ifa->refcnt")}
        locks[step] = tuple(round(taken[name] / packets) for name in ("&ndev->lock", "ifa->refcnt"))
    wanted = {"prefix": (2, 4), "walk": (0, 4), "rcu": (0, 0)}
    ok("locks and references a packet, patch by patch", [] if locks == wanted else [locks])


def check_churn():
    """Addresses come and go while senders send."""
    churn = scenario("ipv6-saddr.json")
    churn["params"]["ms"]["default"] = 3
    churn["phases"][-1]["run"] += ["ip -6 addr add 4444::$((s + 100))/64 dev d1 nodad", "ip -6 addr del 4444::$((s + 100))/64 dev d1"]
    for variant in PUBLISHED:
        for backend in ("list", "rcu-list", "rbtree", "hash"):
            sent = traffic(sending(churn, f"--variant={variant}", f"--backend=inet6_ifa_list={backend}"))
            ok(f"{variant}, {backend}: addresses come and go", [] if sent["packets"] > 1000 else [sent])


check_published()
check_profile()
check_shape()
check_steps()
check_churn()
text = run("ipv6-saddr.json", "--variant=before").decode()
ok("the table tells of both figures", [] if re.search(r"2,020,000 published, ratio 1.0", text) else [text])
done()
