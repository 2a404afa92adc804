#!/usr/bin/env python3
"""W10 and W11: how the speed of several runtimes grows with their number. W10: they share nothing. W11: they share one
signal, mailbox, runtime or pool. All CPUs must be idle.

usage: scaling.py BIN_DIR [--samples N] [--at-least RATIO] [KIND...]

BIN_DIR has scaling_uflow: build/bin/bench/gcc. KIND is signal, mail, post or job. Prints the events of all runtimes in
a microsecond, as medians, and their ratio to those of one runtime. --at-least: exit status 1 if a W10 ratio is lower,
with as many runtimes as there are CPUs."""
import argparse
import os
import statistics
import subprocess
import sys

EVENTS = {"signal": 4000000, "mail": 8000000, "post": 2000000, "job": 2000000}


def speed(program, runtimes, kind, how):
    """Events in a microsecond. The program divides each runtime's share among 64 flows at most."""
    run = subprocess.run([program, str(runtimes), kind, how, str(EVENTS[kind])], stdout=subprocess.PIPE, text=True,
                         check=True)
    return 1000 / float(run.stdout.split()[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin_dir")
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--at-least", type=float, default=0)
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    options = parser.parse_intermixed_args()
    program = os.path.join(options.bin_dir, "scaling_uflow")
    unknown = set(options.kinds) - set(EVENTS)
    if unknown or not os.path.exists(program):
        sys.exit(f"there is no {', '.join(unknown) or program}")
    cpus = len(os.sched_getaffinity(0))
    numbers = sorted({1, 2, cpus, 2 * cpus})
    low = []
    for how in ("apart", "shared"):
        for kind in options.kinds or EVENTS:
            # The numbers take turns, so that a disturbance hits all of them.
            rounds = [[speed(program, n, kind, how) for n in numbers] for _ in range(options.samples)]
            medians = [statistics.median(column) for column in zip(*rounds)]
            told = ", ".join(f"{n}: {m:.2f} ({m / medians[0]:.2f})" for n, m in zip(numbers, medians))
            print(f"{'W10' if how == 'apart' else 'W11'} {kind:7} {told}", flush=True)
            if how == "apart" and medians[numbers.index(cpus)] < options.at_least * medians[0]:
                low.append(kind)
    if low:
        sys.exit(f"with {cpus} runtimes less than {options.at_least} times as fast as with one: {', '.join(low)}")


if __name__ == "__main__":
    main()
