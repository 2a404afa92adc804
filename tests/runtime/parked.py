# SPDX-License-Identifier: MIT
"""A transition of an active flow takes as many instructions beside 100 000 parked flows as without them.

parked.py VALGRIND PROGRAM. Counts instructions with callgrind, so that noise does not matter. It runs the program with
two numbers of transitions and takes the difference, which excludes the setup."""
import re
import subprocess
import sys

PARKED = 100000
SHORT, LONG = 2000, 22000


def instructions(valgrind, program, mode, transitions, parked):
    run = subprocess.run([valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", program, mode,
                          str(transitions), str(parked)],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, check=True)
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def per_transition(valgrind, program, mode, parked):
    long, short = (instructions(valgrind, program, mode, n, parked) for n in (LONG, SHORT))
    return (long - short) / (LONG - SHORT)


def main():
    valgrind, program = sys.argv[1:]
    failed = False
    for mode in ("step", "timer", "poll"):
        alone = per_transition(valgrind, program, mode, 0)
        beside = per_transition(valgrind, program, mode, PARKED)
        print(f"{mode}: {alone:.2f} instructions a transition alone, {beside:.2f} beside {PARKED} parked flows")
        if beside > alone * 1.01 + 0.5:
            print(f"{mode}: a parked flow is not free")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
