#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts instructions with callgrind: an operation costs the same beside few others as beside many.

usage: beside.py VALGRIND PROGRAM [NAME...]"""
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

FEW, MANY = 32, 2048
# Differences by the lengths of numbers, by an array that doubles, or by a table that is a little fuller.
TOLERANCE = 1.05
SLACK = 16  # instructions
# A heap is logarithmic, and so is a search for cycles. In a hash table of addresses, collisions come by chance.
FACTORS = {"timeout_beside_timed_jobs": 2, "dump_of_chain": 2, "event_beside_counters": 1.1,
           "real_timer_beside_real_timers": 3}  # a tree of at most 96 levels


def cost(valgrind, program, name, others):
    run = subprocess.run([valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=measured",
                          program, name, str(others)],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, check=False)
    if run.returncode:
        sys.exit(f"{name} beside {others}: {run.stderr}")
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1)) / int(run.stdout)


def check(valgrind, program, name, most):
    many = most or MANY
    few, more = cost(valgrind, program, name, FEW), cost(valgrind, program, name, many)
    grows = more > few * TOLERANCE * FACTORS.get(name, 1) + SLACK
    print(f"{name}: {few:.0f} instructions beside {FEW}, {more:.0f} beside {many}{': it grows' if grows else ''}")
    return grows


def main():
    valgrind, program, *wanted = sys.argv[1:]
    listed = subprocess.run([program], stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
    rows = [line.split() for line in listed.splitlines()]
    unknown = set(wanted) - {name for name, _ in rows}
    if unknown:
        sys.exit(f"there is no {', '.join(sorted(unknown))}")
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda row: check(valgrind, program, row[0], int(row[1])),
                              [row for row in rows if not wanted or row[0] in wanted]))
    return 1 if any(found) else 0


if __name__ == "__main__":
    sys.exit(main())
