#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""fdb-formulas.py - dumps of forwarding databases beside closed formulas, and beside
another model of the same algorithms: fdb-formulas.py SIM SOURCE

One bridge has P ports and F entries, evenly spread over the ports and at random
over 256 chains; a datagram has room for B of them.
"""

from harness import ok, done, phases, result

SKB = 3776
ENTRY = 76  # bytes of a message about a bridge's entry with a VLAN
ADDRESS = 40  # about an address of a device
DUMP = "Showing the entries"


def run(variant, **params):
    options = [f"--param={name}={value}" for name, value in params.items()]
    phase = phases(result("fdb-dump.json", f"--variant={variant}", *options))[DUMP]
    dump = next(d for d in phase["dumps"] if d["what"] == "fdb")
    dump["visits"] = sum(phase["tables"][t]["walk_visits"] for t in ("fdb", "dev_addr"))
    return dump


def near(what, got, expected, tolerance):
    if abs(got - expected) > tolerance * expected:
        yield f"{what}: {got}, and not {expected:.0f} within {tolerance:.0%}"


# What a model in another language, with chains filled by a random generator, found
# for 33,085 entries on the bridge and two addresses on each of 1000 devices: ports,
# then entries shown, datagrams and visits of the old algorithm, datagrams of the new.
OTHER_MODEL = [
    (100, 12430, 236, 4.34e8, 682),
    (110, 12703, 241, 4.85e8, 684),
    (120, 13662, 261, 5.69e8, 682),
    (125, 14142, 270, 6.10e8, 685),
    (135, 15101, 290, 7.02e8, 677),
    (150, 16068, 310, 8.30e8, 687),
]


def beside_other_model(ports, shown, skbs, visits, new_skbs):
    old = run("before", ports=ports, mc=2)
    new = run("after", ports=ports, mc=2)
    yield from near("shown before", old["shown"], shown, 0.05)
    yield from near("datagrams before", old["messages"], skbs, 0.05)
    yield from near("visits before", old["visits"], visits, 0.06)
    yield from near("datagrams after", new["messages"], new_skbs, 0.04)
    if old["shown"] - old["repeated"] + old["lost"] != old["existing"]:
        yield f"does not add up: {old}"
    if old["restarts"] != old["messages"] - 1:
        yield f"restarts: {old['restarts']} in {old['messages']} datagrams"


def new_algorithm(ports, entries):
    """Each port's pass reads all entries, and each datagram half of them again."""
    dump = run("after", ports=ports, entries=entries)
    addresses = 3 * 998 + 4
    on_bridge = entries - addresses
    full_walk = (ports + 1) * on_bridge + addresses
    datagrams = on_bridge * ENTRY / (SKB - ENTRY / 2) + addresses * ADDRESS / (SKB - ADDRESS / 2)
    of_bridge = on_bridge * ENTRY / (SKB - ENTRY / 2)
    yield from near("datagrams", dump["messages"], datagrams, 0.03)
    yield from near("visits", dump["visits"], full_walk + of_bridge * on_bridge / 2, 0.05)
    if (dump["shown"], dump["lost"]) != (entries, 0):
        yield f"lost some: {dump}"


def cursor(ports, entries):
    """Each table is walked once; the entry that did not fit is read again."""
    dump = run("cursor", ports=ports, entries=entries)
    if (dump["shown"], dump["lost"], dump["repeated"]) != (entries, 0, 0):
        yield f"not each once: {dump}"
    if not entries <= dump["visits"] <= entries + dump["messages"]:
        yield f"{dump['visits']} visits for {entries} entries in {dump['messages']} datagrams"


for row in OTHER_MODEL:
    ok(f"{row[0]} ports: as another model has it", beside_other_model(*row))
for ports, entries in ((64, 20000), (112, 35085), (135, 35085), (256, 60000)):
    ok(f"{ports} ports, {entries} entries: walks of the new algorithm", new_algorithm(ports, entries))
    ok(f"{ports} ports, {entries} entries: walks of cursors", cursor(ports, entries))
done()
