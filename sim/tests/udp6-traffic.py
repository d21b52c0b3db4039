#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""udp6-traffic.py - senders that choose a source address for each packet, beside published
figures: udp6-traffic.py SIM SOURCE

The figures are those of 'ipv6: ipv6_dev_get_saddr() rcu works', netdev, 2017-10-08.
"""

import re

from harness import done, json_lines, ok, path, phases, result, run, scenario

PUBLISHED = {"before": 2.02e6, "after": 4.28e6}
HOTTEST = {  # of the published profile before the patch, percent
    "_raw_read_lock_bh": 22.62,
    "refcount_sub_and_test": 7.04,
    "ipv6_get_saddr_eval": 6.56,
    "_raw_read_unlock_bh": 5.67,
    "__ipv6_dev_get_saddr": 5.34,
    "refcount_inc_not_zero": 4.95,
}
UNLISTED = {"sock_sendmsg"}  # has the price of all that the published profile does not list


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
    """The last four are within two percent of each other in both; their order differs."""
    phase = sending("ipv6-saddr.json", "--variant=before", "--profile")
    total = sum(s["self_s"] for s in phase["profile"])
    shares = {s["symbol"]: 100 * s["self_s"] / total for s in phase["profile"] if s["symbol"] not in UNLISTED}
    for name, published in HOTTEST.items():
        ok(f"share of {name}", [] if abs(shares[name] - published) <= 5 else [f"{shares[name]:.1f} %, not {published:.1f} %"])
    hottest = sorted(shares, key=lambda name: -shares[name])[: len(HOTTEST)]
    ok("the same are the hottest", [] if set(hottest) == set(HOTTEST) else hottest)
    ok("in order, as far as the figures are apart", [] if hottest[:2] == list(HOTTEST)[:2] else hottest)


def check_shape():
    """One sender alone does not wait; under RCU all do as much as one alone."""
    alone = {v: traffic(sending("ipv6-saddr.json", f"--variant={v}", "--param=senders=1"))["pps"] for v in PUBLISHED}
    many = {n: traffic(sending("ipv6-saddr.json", "--variant=after", f"--param=senders={n}"))["pps"] for n in (2, 16)}
    ok("under RCU senders do not notice each other", [p for n, p in many.items() for p in near("pps", p, n * alone["after"], 0.01)])
    locked = traffic(sending("ipv6-saddr.json", "--variant=before"))["pps"]
    ok("under the lock a sender of sixteen does less than two thirds of what one alone does", [] if locked < 16 * alone["before"] * 2 / 3 else [alone, locked])


def check_steps():
    """The patches, one after the other: the walk without its lock, then without references."""
    locks = {}
    for step in ("prefix", "walk", "rcu"):
        phase = sending("ipv6-saddr.json", "--variant=after", f"--kernel=saddr={step}")
        packets = traffic(phase)["packets"]
        taken = {name: phase["locks"].get(name, {}).get("acquisitions", 0) for name in ("&ndev->lock", "ifa->refcnt")}
        locks[step] = tuple(round(taken[name] / packets) for name in ("&ndev->lock", "ifa->refcnt"))
    wanted = {"prefix": (10, 4), "walk": (0, 4), "rcu": (0, 0)}
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
