# SPDX-License-Identifier: MIT
"""Checks that one seed always yields the same schedule: twice in one process, and again in another one.

replay.py PROGRAM"""
import subprocess
import sys


def run(program, scenario, seed, strategy):
    return subprocess.run([program, scenario, "--replay", str(seed), str(strategy)], stdout=subprocess.PIPE,
                          universal_newlines=True,
                          check=True).stdout


def main():
    program = sys.argv[1]
    failed = 0
    for scenario in ("start_start", "call_timeout", "link_wake", "embedded"):
        for seed in range(1, 14):
            strategy = (0, 2, 3, 4, 5)[seed % 5]
            lines = run(program, scenario, seed, strategy)
            if lines != run(program, scenario, seed, strategy) or len(set(lines.splitlines())) != 1:
                print(f"{scenario}: seed {seed}, strategy {strategy} does not replay:\n{lines}")
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
