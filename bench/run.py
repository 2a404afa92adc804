#!/usr/bin/env python3
"""Runs the benchmark programs interleaved and prints a table of medians, spreads and ratios; writes the same as JSON.

A ratio is taken pair by pair, run by run, against the workload's limit or peer. Where its interquartile range is above a tenth of it,
it says nothing on this machine at this time, and is printed as void.

usage: run.py BIN_DIR [--json FILE] [--repeat N] [WORKLOAD...]
"""
import argparse
import json
import os
import platform
import statistics
import subprocess
import sys

# workload, what it is, program under test, what it is held against, arguments
WORKLOADS = [
    ("W1", "one flow, a chain of transitions", "chain_uflow", "chain_limit", ["1", "20000000"]),
    ("W2", "round robin over 100 flows", "chain_uflow", "chain_limit", ["100", "20000000"]),
    ("W2", "round robin over 10 000 flows", "chain_uflow", "chain_limit", ["10000", "20000000"]),
    ("W2", "round robin over 1 000 000 flows", "chain_uflow", "chain_limit", ["1000000", "20000000"]),
    ("W3", "one active beside 1 000 parked", "chain_uflow", "chain_limit", ["1", "20000000", "1000"]),
    ("W3", "one active beside 100 000 parked", "chain_uflow", "chain_limit", ["1", "20000000", "100000"]),
    ("W7", "set and fire 100 000 timers", "timers_uflow", "timers_heap", ["100000"]),
]


def measure(program, arguments):
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, text=True, check=True)
    return float(done.stdout.split()[0])


def spread(values):
    quarter = statistics.quantiles(values, n=4)
    return (quarter[2] - quarter[0]) / statistics.median(values)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin_dir")
    parser.add_argument("--json")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("workloads", nargs="*")
    options = parser.parse_intermixed_args()
    chosen = [w for w in WORKLOADS if not options.workloads or w[0] in options.workloads]
    if not chosen:
        sys.exit(f"no such workload; there are {', '.join(sorted({w[0] for w in WORKLOADS}))}")
    if options.repeat < 5:
        sys.exit("a median of fewer than five runs is no figure: --repeat 5 or more")

    print(f"{platform.machine()}, {os.cpu_count()} CPUs, {platform.system()} {platform.release()}; medians of {options.repeat} runs, interleaved")
    print(f"{'':4} {'':34} {'uflow ns':>9} {'against':>14} {'ns':>9} {'ratio':>7} {'spread':>7}")
    rows = []
    for name, what, program, against, arguments in chosen:
        ours, theirs = [], []
        for _ in range(options.repeat):
            ours.append(measure(os.path.join(options.bin_dir, program), arguments))
            theirs.append(measure(os.path.join(options.bin_dir, against), arguments))
        ratios = [a / b for a, b in zip(ours, theirs)]
        ratio, width = statistics.median(ratios), spread(ratios)
        void = width > 0.10
        rows.append({"workload": name, "what": what, "uflow_ns": statistics.median(ours), "against": against,
                     "against_ns": statistics.median(theirs), "ratio": None if void else ratio, "spread": width})
        print(f"{name:4} {what:34} {statistics.median(ours):9.2f} {against:>14} {statistics.median(theirs):9.2f} "
              f"{'void' if void else f'{ratio:.2f}':>7} {width:7.0%}", flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"machine": platform.platform(), "cpus": os.cpu_count(), "repeat": options.repeat, "rows": rows}, file, indent=2)
            file.write("\n")


if __name__ == "__main__":
    main()
