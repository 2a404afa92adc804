#!/usr/bin/env python3
"""Runs the benchmark programs interleaved and prints a table of medians, spreads and ratios; writes the same as JSON.

Every figure is the median of so many runs, in which all programs of a case take turns, on one CPU. A ratio is taken run
by run; where its interquartile range is above a tenth of it, it says nothing on this machine at this time, and is
printed as void. Less is better in all of them.

usage: run.py BIN_DIR [--json FILE] [--repeat N] [--compiler NAME]... [WORKLOAD...]
"""
import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import time

from cases import CASES
import ufc_speed

VOID = 0.10
SAID = ("one_way_p50_ns", "wakeups_per_s", "cpu_us_per_s", "ms", "lines_per_s", "peak_bytes_per_line")  # beside the figure


def pin():
    """This process and those that it starts run on the last CPU: the first one is where most interrupts come in."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def program_of(case, side):
    return f"{case.program}_{'uflow' if side == 'nobody' else side}"


def measure(directory, case, side):
    """The figure, and what else the program says."""
    arguments = case.others.get(side, case.arguments)
    program = os.path.join(directory, program_of(case, side))
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, text=True, check=True, timeout=120)
    figure, _, *more = done.stdout.split()
    return float(figure), dict(pair.split("=") for pair in more)


def width(values):
    """The interquartile range, as a part of the median."""
    quarters = statistics.quantiles(values, n=4)
    return (quarters[2] - quarters[0]) / statistics.median(values)


def run_case(directory, case, repeat):
    """What each side came to, in the order of the sides; those that are not there are left out."""
    sides = [s for s in ("uflow", *case.sides) if os.path.exists(os.path.join(directory, program_of(case, s)))]
    figures = {side: [] for side in sides}
    more = {side: [] for side in sides}
    for n in range(repeat):
        for side in sides[n % len(sides):] + sides[:n % len(sides)]:
            figure, rest = measure(directory, case, side)
            figures[side].append(figure)
            more[side].append(rest)
    return figures, more


def rows_of(case, compiler, figures, more):
    rows = []
    targets = dict(case.targets)
    for side, values in figures.items():
        row = {"workload": case.workload, "what": case.what, "compiler": compiler, "side": side, "unit": case.unit,
               "median": statistics.median(values), "spread": width(values), "runs": values}
        for key in more[side][0]:
            row[key] = statistics.median(float(m[key]) for m in more[side])
        if side == "uflow":
            if case.at_most is not None:
                row["target"] = case.at_most
                row["met"] = row["median"] <= case.at_most
        else:
            ratios = [a / b for a, b in zip(figures["uflow"], values)]
            spread = width(ratios)
            row["ratio"] = None if spread > VOID else statistics.median(ratios)
            row["ratio_spread"] = spread
            if side in targets:
                row["target"] = targets[side]
                row["met"] = None if row["ratio"] is None else row["ratio"] <= targets[side]
        rows.append(row)
    return rows


def verdict(row):
    if "target" not in row:
        return ""
    met = {True: "met", False: "NOT MET", None: "void"}[row["met"]]
    return f"≤ {row['target']:.4g}: {met}"


def show(row):
    ratio = ""
    if row["side"] != "uflow":
        ratio = "void" if row["ratio"] is None else f"{row['ratio']:.3g}"
        ratio = f"{ratio:>7} {row['ratio_spread']:6.0%}"
    extra = "".join(f"  {key}={row[key]:g}" for key in row if key in SAID)
    print(f"    {row['side']:12} {row['median']:11.2f} {row['spread']:6.0%}   {ratio:14}  {verdict(row)}{extra}".rstrip(), flush=True)


def say_version(command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout.split("\n")[0]
    except (OSError, subprocess.CalledProcessError):
        return None


def cpu_name():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def circumstances(compilers):
    here = os.path.dirname(os.path.abspath(__file__))
    return {"machine": platform.machine(), "cpu": cpu_name(), "cpus": os.cpu_count(),
            "kernel": f"{platform.system()} {platform.release()}",
            "compilers": {c: say_version([c, "--version"]) for c in compilers},
            "commit": say_version(["git", "-C", here, "describe", "--always", "--dirty", "--exclude=*"]),
            "load": os.getloadavg()[0], "began": datetime.datetime.now().isoformat(timespec="seconds")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin_dir")
    parser.add_argument("--json")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--compiler", action="append")
    parser.add_argument("workloads", nargs="*")
    options = parser.parse_intermixed_args()
    chosen = [c for c in CASES if not options.workloads or c.workload in options.workloads]
    known = sorted({c.workload for c in CASES} | {"ufc"})
    unknown = set(options.workloads) - set(known)
    if unknown:
        sys.exit(f"no such workload: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    if options.repeat < 5:
        sys.exit("a median of fewer than five runs is no figure: --repeat 5 or more")
    compilers = [c for c in sorted(os.listdir(options.bin_dir), reverse=True)
                 if os.path.isdir(os.path.join(options.bin_dir, c)) and (not options.compiler or c in options.compiler)]
    if not compilers:
        sys.exit(f"there are no programs in {options.bin_dir}")

    about = circumstances(compilers)
    print(f"{about['cpu']}, {about['cpus']} CPUs, {about['kernel']}, load {about['load']:.1f}; commit {about['commit']}")
    for compiler, version in about["compilers"].items():
        print(f"  {compiler}: {version}")
    wanted = {program_of(c, s) for c in chosen for s in ("uflow", *c.sides)}
    for compiler in compilers:
        absent = sorted(p for p in wanted if not os.path.exists(os.path.join(options.bin_dir, compiler, p)))
        if absent:
            print(f"  left out with {compiler}, since they could not be built: {', '.join(absent)}")
    print(f"medians of {options.repeat} runs, interleaved, on one CPU; a ratio is uflow by that side\n")
    pin()
    rows = []
    began = time.monotonic()
    for case in chosen:
        for compiler in compilers:
            print(f"{case.workload}  {case.what}, {case.unit}, {compiler}")
            figures, more = run_case(os.path.join(options.bin_dir, compiler), case, options.repeat)
            new = rows_of(case, compiler, figures, more)
            for row in new:
                show(row)
            rows += new
    if not options.workloads or "ufc" in options.workloads:
        for compiler in compilers:
            for row in ufc_speed.rows(os.path.join(options.bin_dir, compiler), compiler, options.repeat, width):
                if row["side"] == "uflow":
                    print(f"ufc  {row['what']}, ns, {compiler}")
                show(row)
                rows.append(row)
    about["seconds"] = round(time.monotonic() - began)
    judged = [r for r in rows if "met" in r]
    print(f"\n{len(judged)} targets: {sum(r['met'] is True for r in judged)} met, {sum(r['met'] is False for r in judged)} not met, "
          f"{sum(r['met'] is None for r in judged)} void; {about['seconds']} s")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({**about, "repeat": options.repeat, "rows": rows}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
