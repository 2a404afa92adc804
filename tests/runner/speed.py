#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A run of a test takes few instructions more than the same run written by hand. Counts them with callgrind, so that
noise does not matter, for two numbers of runs, so that the setup does not count.

speed.py VALGRIND PROGRAM"""
import re
import subprocess
import sys

SHORT, LONG = 10, 110
MOST = 1.3


def instructions(valgrind, program, who, runs):
    done = subprocess.run([valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", program, who, str(runs)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def main():
    hand, runner = (instructions(*sys.argv[1:], who, LONG) - instructions(*sys.argv[1:], who, SHORT)
                    for who in ("hand", "runner"))
    print(f"by hand {hand / (LONG - SHORT):.0f} instructions, by the runner {runner / hand:.2f} times as many")
    return runner > MOST * hand


if __name__ == "__main__":
    sys.exit(main())
