#!/usr/bin/env python3
"""Runs the benchmark programs interleaved and prints a table of medians, spreads and ratios; writes the same as JSON.

Every figure is the median of so many runs, in which all programs of a case take turns, on one CPU. A ratio is taken run
by run; where its interquartile range is above a tenth of it, it says nothing on this machine at this time, and is
printed as void: another time, or with more of them (--repeat 9), it may say something; bench/instructions.py does in any
case. A target is met, or not, if all runs agree on that. Less is better in all of them.

A file of figures (--json) is whole at any time; as long as some of them are missing it says `partial`.
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


def verdict_of(values, target):
    """True: met, False: not; None: the runs do not agree."""
    return True if max(values) <= target else False if min(values) > target else None


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
                row["met"] = verdict_of(values, case.at_most)
        else:
            ratios = [a / b for a, b in zip(figures["uflow"], values)]
            spread = width(ratios)
            row["ratio"] = None if spread > VOID else statistics.median(ratios)
            row["ratio_spread"] = spread
            if side in targets:
                row["target"] = targets[side]
                row["met"] = verdict_of(ratios, targets[side])
        rows.append(row)
    return rows


def verdict(row):
    if "target" not in row:
        return ""
    met = {True: "met", False: "NOT MET", None: "runs differ"}[row["met"]]
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


def is_there(directory, case, side):
    return os.path.exists(os.path.join(directory, program_of(case, side)))


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin_dir", help="build/bin/bench")
    parser.add_argument("--json", help="where the figures go as well, after each case")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each program, 5 or more")
    parser.add_argument("--compiler", action="append", help="programs of this one only: gcc, clang")
    parser.add_argument("--check", action="store_true", help="look at the arguments and do nothing: before the programs are built")
    parser.add_argument("workloads", nargs="*", help="all, if none is named")
    options = parser.parse_intermixed_args(arguments)
    known = list(dict.fromkeys([*(c.workload for c in CASES), "ufc"]))
    unknown = [w for w in options.workloads if w not in known]
    if unknown:
        sys.exit(f"no such workload: {', '.join(unknown)}; there are {', '.join(known)}")
    if options.repeat < 5:
        sys.exit("a median of fewer than five runs is no figure: --repeat 5 or more")
    return options


def compilers_of(options):
    there = [] if not os.path.isdir(options.bin_dir) else [
        c for c in sorted(os.listdir(options.bin_dir), reverse=True) if os.path.isdir(os.path.join(options.bin_dir, c))]
    chosen = [c for c in there if not options.compiler or c in options.compiler]
    if not there:
        sys.exit(f"there are no programs in {options.bin_dir}: ./dev bench builds them")
    if not chosen:
        sys.exit(f"there are no programs made by {', '.join(options.compiler)}, but by {', '.join(there)}")
    return chosen


def say_circumstances(about, options, chosen):
    print(f"{about['cpu']}, {about['cpus']} CPUs, {about['kernel']}, load {about['load']:.1f}; commit {about['commit']}")
    for compiler, version in about["compilers"].items():
        print(f"  {compiler}: {version}")
    wanted = {program_of(c, s) for c in chosen for s in ("uflow", *c.sides)}
    for compiler in about["compilers"]:
        absent = sorted(p for p in wanted if not os.path.exists(os.path.join(options.bin_dir, compiler, p)))
        if absent:
            print(f"  left out with {compiler}, since they are not there: {', '.join(absent)}")
    print(f"medians of {options.repeat} runs, interleaved, on one CPU; ± is their spread; a ratio is uflow by that side, void if it varies by")
    print("more than a tenth. W5 is for each waiter, W6 for each job, W7 for each timer.")
    print(f"    {'':12} {'median':>11} {'±':>6}   {'ratio':>7} {'±':>6}  target\n")


def all_rows(options, chosen, compilers):
    """The rows of one case after the other, which it says as it goes."""
    for case in chosen:
        for compiler in compilers:
            directory = os.path.join(options.bin_dir, compiler)
            if not is_there(directory, case, "uflow"):
                continue
            print(f"{case.workload}  {case.what}, {case.unit}, {compiler}")
            rows = rows_of(case, compiler, *run_case(directory, case, options.repeat))
            for row in rows:
                show(row)
            yield from rows
    if options.workloads and "ufc" not in options.workloads:
        return
    for compiler in compilers:
        for row in ufc_speed.rows(os.path.join(options.bin_dir, compiler), compiler, options.repeat, width):
            if row["side"] == "uflow":
                print(f"ufc  {row['what']}, ns, {compiler}")
            show(row)
            yield row


class Report:
    """The file of figures: whole at any time, and marked as partial until all of them are in."""

    def __init__(self, path, about):
        self.path, self.about, self.rows = path, about, []
        self.write(True)

    def write(self, partial):
        if not self.path:
            return
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump({**self.about, "partial": partial, "rows": self.rows}, file, indent=1)
            file.write("\n")
        os.replace(self.path + ".new", self.path)

    def add(self, row):
        self.rows.append(row)
        self.write(True)


def main():
    options = options_of(None)
    if options.check:
        return
    compilers = compilers_of(options)
    chosen = [c for c in CASES if not options.workloads or c.workload in options.workloads]
    about = circumstances(compilers)
    say_circumstances(about, options, chosen)
    report = Report(options.json, {**about, "repeat": options.repeat, "workloads": options.workloads})
    pin()
    began = time.monotonic()
    for row in all_rows(options, chosen, compilers):
        report.add(row)
    report.about["seconds"] = round(time.monotonic() - began)
    report.write(bool(options.workloads or options.compiler))
    judged = [r["met"] for r in report.rows if "met" in r]
    print(f"\n{len(judged)} targets: {judged.count(True)} met, {judged.count(False)} not met, of {judged.count(None)} the runs say "
          f"both; {report.about['seconds']} s")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\ninterrupted")
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(map(str, error.cmd))}: failed with exit status {error.returncode}")
    except subprocess.TimeoutExpired as error:
        sys.exit(f"{' '.join(map(str, error.cmd))}: not ended after {error.timeout:.0f} s")
    except OSError as error:
        sys.exit(str(error))
