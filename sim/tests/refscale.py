#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""refscale.py - what readers on many CPUs pay, beside what was measured:
refscale.py SIM SOURCE

The measurements are of the kernel's module refscale on eight Xeon Platinum 8176, from
the data of 'Is Parallel Programming Hard, And, If So, What Can You Do About It?'.
"""

from harness import done, json_lines, ok, path, phases, result, run

NANOSECONDS = {  # of one reader's operation, by the number of readers
    "rwlock": {1: 11.3, 4: 69, 8: 130, 16: 626, 28: 1023, 64: 2076, 192: 7287},
    # Not four: 15 ns each would be more operations a second than one line can take.
    "refcnt": {1: 9.5, 8: 128, 16: 579, 28: 937, 192: 7005},
}
READERS = (1, 2, 4, 8, 16, 28, 64, 192)


def measure(readers, *options):
    run("refscale.json", f"--param=readers={readers}", "--commands=" + path("commands"), *options)
    return {line["phase"]: float(line["output"].split()[-1]) for line in json_lines("commands")}


curve = {readers: measure(readers) for readers in READERS}
for kind, published in NANOSECONDS.items():
    for readers, ns in published.items():
        ratio = curve[readers][kind] / ns
        ok(f"{kind}, {readers} readers: within a factor of 2", [] if 0.5 <= ratio <= 2 else [ratio])
for kind in ("rwlock", "refcnt", "lock"):
    gains = [n for n in READERS[1:] if n / curve[n][kind] > 1 / curve[1][kind]]
    ok(f"{kind}: more readers do not do more in all", gains)
ok("rcu: readers do not notice each other", [n for n in READERS if curve[n]["rcu"] >= 1])

outcome = phases(result("refscale.json", "--param=readers=16", "--param=loops=100"))
locks = {name: lock for phase in outcome.values() for name, lock in phase["locks"].items()}
wrong = [name for name in ("refcnt", "test_rwlock", "test_lock") if locks[name]["transfers"] < 100]
ok("lines that come from other CPUs are counted", wrong)
ok("each lock is taken once a loop, each count changed twice", [
    name for name, times in (("test_rwlock", 1), ("test_lock", 1), ("refcnt", 2))
    if locks[name]["acquisitions"] != 1600 * times
])
ok("on a machine whose lines cost nothing, nobody waits for one", [
    ns for ns in measure(8, "--machine=none").values() if ns > 0
])
done()
