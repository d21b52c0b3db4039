#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""formulas.py - visits of bond-vlan-vrf beside closed formulas: formulas.py SIM SOURCE

The formulas were derived by hand from the kernel's functions.  N VLANs share s
addresses in the bond's list: all-nodes, all-hosts, the link-local solicited-node
group and, where GVRP and MVRP are compiled in, their group.

A pass of bond_set_rx_mode() over m addresses that are in both lists, in the same
order, reads 1 + 2 + ... + m = T(m) nodes of a list.
"""

import copy
import json

from harness import ok, done, phases, result

SIZES = (1, 10, 100, 1500)


def triangle(n):
    return n * (n + 1) // 2


def squares(first, last):
    return sum(k * k for k in range(first, last + 1))


def pyramid(n):
    return (n - 1) * n * (n + 1) // 3


def deletion(n, s):
    """Each VLAN leaves the VRF with a list one shorter than the one before.

    The VLANs are taken off the bond first, newest first, and with the last of them
    goes the group of GVRP and MVRP: its two users leave, each with a pass over the
    whole list.  What follows sees three shared addresses.
    """
    visits = 8 * (pyramid(n + 3) - pyramid(3)) + 27 * n + 17 * n + 22
    if s == 4:
        visits += triangle(n + 4) + triangle(n + 3) + 12
    return visits


def list_visits(n, s):
    m = n + s
    return {
        "Creating vlans": 26 if s == 4 else 0,
        "Bringing them up": n * (9 + 3 * s * (s + 1)),
        "Assiging IPv6 Addresses": squares(s + 2, n + s + 1),
        "Attaching to VRF": n * (10 * m * m - 5 * m + 27 + 2 * s),
        "Deleting the namespace": deletion(n, s),
    }


# Of a tree that was simulated by other means, with the link-local group sorting last.
TREE_VISITS = {
    (10, 4): {"Bringing them up": 550, "Assiging IPv6 Addresses": 621, "Attaching to VRF": 9175},
    (10, 3): {"Bringing them up": 370, "Assiging IPv6 Addresses": 550, "Attaching to VRF": 8194},
    (100, 4): {"Assiging IPv6 Addresses": 61012, "Attaching to VRF": 1267650},
    (100, 3): {"Assiging IPv6 Addresses": 59868, "Attaching to VRF": 1251480},
    (1500, 4): {"Assiging IPv6 Addresses": 21098520, "Attaching to VRF": 449531777},
}


def outcome(backend, n, s):
    compiled_in = int(s == 4)
    return result(
        "bond-vlan-vrf.json",
        "--backend=dev_addr=" + backend,
        f"--param=vlans={n}",
        f"--param=gvrp={compiled_in}",
        f"--param=mvrp={compiled_in}",
        "--param=settle=6",
    )


def check(backend, n, s, expected):
    sim = phases(outcome(backend, n, s))
    ok(
        f"{backend}, {n} VLANs, {s} shared addresses",
        [
            f"{name}: visits {sim[name]['tables']['dev_addr']['visits']}, formula {visits}"
            for name, visits in expected.items()
            if sim[name]["tables"]["dev_addr"]["visits"] != visits
        ],
    )


def without_backends(result_json):
    plain = copy.deepcopy(result_json)
    del plain["backends"]
    return json.dumps(plain)


for size in SIZES:
    for shared in (3, 4):
        check("list", size, shared, list_visits(size, shared))
for (size, shared), visits in TREE_VISITS.items():
    check("rbtree", size, shared, visits)
for size in (1, 10, 100):
    for backend in ("list", "rcu-list"):
        counted, literal = (
            without_backends(outcome(f"{backend}{how}", size, 4)) for how in ("", ":walk=literal")
        )
        ok(
            f"{backend}, {size} VLANs: counted and literal walks give the same result",
            [] if counted == literal else ["they differ"],
        )
done()
