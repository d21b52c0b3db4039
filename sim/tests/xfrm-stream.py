#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xfrm-stream.py - streams of TCP through ESP tunnels to xfrm interfaces: xfrm-stream.py SIM
SOURCE

Beside the figures of 'xfrm interface: use hash to store xfrmi contexts', netdev,
2020-07-09; what a segment holds beside the lengths of RFC 4303; what is read for each
segment, and how often it is acknowledged, beside the rules of the kernel's lists and of
delayed acknowledgements."""

import re

from harness import done, json_lines, ok, path, phases, result, run, scenario

ONE, ALL = 298.36, 221.77  # Mbit/s that were published, before
SEGMENTS = 2000  # of each stream, but for those beside published figures: one second


def short():
    """As many bytes take the place of seconds; waits for no timer."""
    topology = scenario("xfrm-interfaces.json")
    for phase in topology["phases"]:
        phase["run"] = [command.replace("-l $seconds", f"-l -{SEGMENTS * 1386}") for command in phase["run"]]
    return topology


def streams(topology, *options):
    outcome = phases(result(topology, "--commands=" + path("commands"), *options))
    return outcome["One interface"], outcome["All interfaces"]


def mbit(phase):
    return phase["traffic"][0]["mbit_per_s"]


def near(what, got, wanted, tolerance):
    return [] if abs(got / wanted - 1) <= tolerance else [f"{what} {got}, not {wanted}"]


def check_published():
    one, many = streams("xfrm-interfaces.json", "--variant=before", "--param=seconds=1")
    ok("one interface", near("Mbit/s", mbit(one), ONE, 0.1))
    ok("401 interfaces", near("Mbit/s", mbit(many), ALL, 0.1))
    ok("what is left of it", near("ratio", mbit(many) / mbit(one), ALL / ONE, 0.05))
    told = [re.search(r"131072  16384  16384    1\.00 +([0-9.]+) ", line["output"])[1] for line in json_lines("commands") if "netperf" in line["command"]]
    ok("what netperf says", [] if told == [f"{mbit(p):.2f}" for p in (one, many)] else told)
    for gro in (1, 12):
        one, many = streams(short(), "--variant=after", f"--param=gro={gro}")
        ok(f"after, {gro} segments merged", near("ratio", mbit(many) / mbit(one), 1, 0.005))


def visits(phase):
    table = phase["tables"]["xfrm_if"]
    return table["visits"] + table["walk_visits"]


def acknowledgements(gro):
    """Every second segment, or whatever was merged of more than one."""
    return 2 if gro == 1 else gro


def check_visits():
    """The interface that was made first is the last one of a list."""
    for variant, reads in (
        ("before", lambda n, gro: n * (1 + 1 / gro)),
        ("decode", lambda n, gro: n),
    ):
        for n in (2, 100):
            for gro in (1, 12, 45) if n == 2 else (1, 2):
                one, many = streams(short(), f"--variant={variant}", f"--param=interfaces={n}", f"--param=gro={gro}")
                problems = []
                for phase, interfaces in ((one, 1), (many, n)):
                    packets, calls = phase["traffic"][0]["packets"], phase["calls"]
                    problems += near("visits a segment", visits(phase) / packets, reads(interfaces, gro), 0.01)
                    acks = calls["tcp_send_ack"] - 2  # of two handshakes
                    problems += near("acknowledgements a segment", acks / packets, 1 / acknowledgements(gro), 0.01)
                    problems += near("searches for an if_id", calls["xfrmi_lookup"] / packets, 1 + 1 / acknowledgements(gro), 0.01)
                ok(f"{variant}, {n} interfaces, {gro} segments merged", problems)


def check_curve():
    """Time a segment is a line over what is read."""
    times = {}
    for n in (101, 201, 401):
        _, many = streams(short(), "--variant=before", f"--param=interfaces={n}")
        times[n] = 1e6 / many["traffic"][0]["pps"]
    slopes = (times[201] - times[101]) / 100, (times[401] - times[201]) / 200
    ok("time over interfaces", near("slope", slopes[1], slopes[0], 0.02) + near("microseconds an interface", slopes[0], 0.032, 0.02))


# What a segment holds


ALGORITHMS = {  # words of ip; block, initialization vector and check value in bytes
    "enc 'ecb(cipher_null)' '' auth digest_null ''": (4, 0, 0),
    "enc 'cbc(aes)' 0x000102030405060708090a0b0c0d0e0f auth 'hmac(sha1)' 0x00": (16, 16, 12),
    "enc 'cbc(aes)' 0x000102030405060708090a0b0c0d0e0f auth 'hmac(sha256)' 0x00": (16, 16, 12),
    "enc 'cbc(aes)' 0x000102030405060708090a0b0c0d0e0f auth-trunc 'hmac(sha256)' 0x00 128": (16, 16, 16),
    "enc 'cbc(des3_ede)' 0x000102030405060708090a0b0c0d0e0f1011121314151617 auth 'hmac(md5)' 0x00": (8, 8, 12),
    "aead 'rfc4106(gcm(aes))' 0x000102030405060708090a0b0c0d0e0f10111213 128": (4, 8, 16),
    "aead 'rfc4106(gcm(aes))' 0x000102030405060708090a0b0c0d0e0f10111213 64": (4, 8, 8),
}


def fits(inner, mtu, block, vector, check):
    """RFC 4303: header, vector, what is padded to whole blocks with two bytes at its end."""
    return 20 + 8 + vector + -(-(inner + 2) // block) * block + check <= mtu


def check_segments():
    for words, (block, vector, check) in ALGORITHMS.items():
        for mtu in (1500, 9000):
            topology = short()
            setup = topology["setup"]["run"]
            for number, command in enumerate(setup):
                setup[number] = re.sub(r"enc 'cbc\(aes\)' \w+ auth 'hmac\(sha1\)' \w+", lambda _: words, command)
            setup[4:4] = [f"ip -n L link set vl mtu {mtu}", f"ip -n R link set vr mtu {mtu}"]
            setup.append(f"ip -n R link set xfrm1 mtu {mtu}")
            one, _ = streams(topology, "--variant=after", "--param=interfaces=2")
            largest = max(inner for inner in range(100, mtu) if fits(inner, mtu, block, vector, check))
            sent = one["traffic"][0]
            ok(f"{words.split()[1]}, {check * 8} bits, {mtu} bytes", near("bytes a segment", sent["bytes"] / sent["packets"], largest - 52, 0.0005))


# What goes wrong


def check_trouble():
    topology = scenario("xfrm-interfaces.json")
    topology["phases"][2]["run"] = ["ip -n R xfrm policy flush", {"run": topology["phases"][2]["run"][0], "may_fail": True}, "ip netns exec R cat /proc/net/xfrm_stat"]
    _, many = streams(topology, "--variant=after", "--param=seconds=1", "--param=interfaces=2")
    commands = [line for line in json_lines("commands") if line["phase"] == "All interfaces"]
    dropped = re.search(r"XfrmInNoPols\s+(\d+)", commands[-1]["output"])[1]
    ok("no policy to receive by: no connection", [] if commands[1]["status"] != 0 and int(dropped) > 0 else [commands])

    topology = scenario("xfrm-interfaces.json")
    topology["phases"][2]["run"] = [topology["phases"][0]["run"][0] + " &", "sleep 0.4", "ip -n R link set xfrm1 down", "sleep 0.2", "ip -n R link set xfrm1 up", "wait"]
    _, many = streams(topology, "--variant=after", "--param=seconds=1", "--param=interfaces=2")
    lost = many["calls"].get("tcp_retransmit_timer", 0)
    ok("an interface that is down for a while", [] if lost > 0 and 0.3 * ONE < mbit(many) < 0.9 * ONE else [lost, mbit(many)])

    topology = scenario("xfrm-interfaces.json")
    topology["setup"]["run"].pop()
    topology["phases"] = [{"name": p["name"], "run": [{"run": p["run"][0], "may_fail": True}]} for p in topology["phases"] if "netperf" in p["run"][0]]
    result(topology, "--commands=" + path("commands"), "--variant=after")
    refused = [line for line in json_lines("commands") if "netperf" in line["command"]]
    ok("nobody listens", [] if all(line["status"] == 1 and "Connection refused" in line["error"] for line in refused) else refused)


check_published()
check_visits()
check_curve()
check_segments()
check_trouble()
text = run(short(), "--variant=before").decode()
ok("the table tells of both figures", [] if re.search(r"221\.77 published, ratio 1\.00", text) else [text])
done()
