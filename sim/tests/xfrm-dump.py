#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xfrm-dump.py - IPsec states that are listed while others come and go, and the published
times of a listing: xfrm-dump.py SIM SOURCE

The figures are those of '[XFRM]: Speed up xfrm_policy and xfrm_state walking', 2008.
"""

import json
import os

from harness import done, ok, path, phases, result, source

PUBLISHED = {"before": 1.012, "after": 0.080}
STATES = 400
STATE = "dst 10.0.$((@ / 256)).$((@ % 256)) proto esp spi $((@ + 255))"  # number @
ADD = f"ip xfrm state add src 192.0.2.1 {STATE} reqid 1 mode tunnel enc 'ecb(cipher_null)' '' auth digest_null ''"
DELETE = f"ip xfrm state del {STATE}"


def check_published():
    seconds = {}
    for variant, published in PUBLISHED.items():
        phase = phases(result("xfrm-states.json", f"--variant={variant}"))["Listing them"]
        seconds[variant] = phase["predicted_s"]
        ok(f"{variant}: seconds", [] if abs(seconds[variant] / published - 1) <= 0.25 else [seconds[variant]])
        (dump,) = phase["dumps"]
        ok(f"{variant}: all are shown", [] if dump["shown"] == 20000 and not dump["lost"] and not dump["repeated"] else [dump])
    ratio = seconds["before"] / seconds["after"]
    ok("the gain", [] if abs(ratio / (PUBLISHED["before"] / PUBLISHED["after"]) - 1) <= 0.25 else [ratio])


def slow_machine():
    """A message takes longer than a process, so that many come and go during a dump."""
    with open(os.path.join(source, "sim/cost/machines/ipsec-2008.json"), encoding="utf-8") as text:
        machine = json.load(text)
    machine["cpus"]["value"] = 4
    machine["calls"]["copy_to_user_state_extra"]["value"] = "5 ms"
    with open(path("machine.json"), "w", encoding="utf-8") as text:
        json.dump(machine, text)
    return path("machine.json")


def churn(how, backend):
    going = [command.replace("@", str(number)) for i in range(1, STATES // 2) for command, number in ((DELETE, 2 * i), (ADD, STATES + i))]
    topology = {
        "name": "churn",
        "about": "states that come and go while others are listed",
        "machine": slow_machine(),
        "kernel": {"version": "5.10", "skb": "3776", "xfrm_dump": how},
        "phases": [
            {"name": "Adding", "for": {"i": f"1..{STATES}"}, "run": [ADD.replace("@", "i")]},
            {"name": "Listing", "run": ["ip xfrm state list &", *going, "sleep 10"]},
        ],
    }
    outcome = result(topology, f"--backend={backend}")
    (dump,) = (dump for phase in outcome["phases"] for dump in phase.get("dumps", []))
    return dump


def check_churn():
    for backend in ("list", "rcu-list", "hash:buckets=8", "rbtree", "rhashtable"):
        dump = churn("cursor", backend)
        ok(f"cursor on {backend}: none twice, none left out", [] if dump["shown"] >= STATES // 2 and not dump["lost"] and not dump["repeated"] else [dump])
    dump = churn("restart", "hash:buckets=8")
    ok("restart: some are left out or told twice", [] if dump["lost"] + dump["repeated"] > 0 else [dump])


check_published()
check_churn()
done()
