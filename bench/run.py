#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the benchmark programs in turn and prints a table of medians, spreads and ratios; writes the same as JSON.

A figure is the median of several runs, in which the implementations of a case take turns on one CPU. A ratio is taken
run by run. If its interquartile range exceeds 10 % of it, the ratio is printed as void: repeat the run on a quiet
machine, with more runs (--repeat 9), or count instructions (bench/instructions.py). Less is better in all tables.

A file of figures (--json) is complete at any time; while some figures are missing it says `partial`.
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

from cases import CASES, UFC
import ufc_speed

VOID = 0.10
SHOWN = ("one_way_p50_ns", "one_way_p99_ns", "wakeups_per_s", "cpu_us_per_s", "lines_per_s",
         "peak_bytes_per_line")  # not part of the figure


def pin():
    """Runs this process and its children on the last CPU: most interrupts arrive at the first one."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def program_of(case, implementation):
    return f"{case.program}_{'uflow' if implementation == 'unobserved' else implementation}"


def is_there(directory, case, implementation):
    return os.path.exists(os.path.join(directory, program_of(case, implementation)))


def measure(directory, case, implementation):
    """The figure, and the rest of the program's output."""
    arguments = case.others.get(implementation, case.arguments)
    program = os.path.join(directory, program_of(case, implementation))
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, text=True, check=True, timeout=120)
    figure, _, *more = done.stdout.split()
    return float(figure), dict(pair.split("=") for pair in more)


def width(values):
    """The interquartile range, divided by the median."""
    quarters = statistics.quantiles(values, n=4)
    return (quarters[2] - quarters[0]) / statistics.median(values)


def run_case(directory, case, repeat):
    """The figures of each implementation that was built."""
    names = [name for name in ("uflow", *case.implementations) if is_there(directory, case, name)]
    figures = {name: [] for name in names}
    more = {name: [] for name in names}
    for n in range(repeat):
        for name in names[n % len(names):] + names[:n % len(names)]:
            figure, rest = measure(directory, case, name)
            figures[name].append(figure)
            more[name].append(rest)
    return figures, more


def rows_of(workload, what, unit, compiler, figures, more):
    """A row for each implementation."""
    rows = []
    for name, values in figures.items():
        row = {"workload": workload, "what": what, "compiler": compiler, "implementation": name, "unit": unit,
               "median": statistics.median(values), "spread": width(values)}
        for key in more[name][0]:
            row[key] = statistics.median(float(m[key]) for m in more[name])
        if name != "uflow":
            ratios = [a / b for a, b in zip(figures["uflow"], values)]
            row["ratio_spread"] = width(ratios)
            row["ratio"] = None if row["ratio_spread"] > VOID else statistics.median(ratios)
        rows.append(row)
    return rows


def show(row):
    ratio = ""
    if row["implementation"] != "uflow":
        ratio = "void" if row["ratio"] is None else f"{row['ratio']:.3g}"
        ratio = f"{ratio:>7} {row['ratio_spread']:6.0%}"
    extra = "".join(f"  {key}={row[key]:g}" for key in row if key in SHOWN)
    print(f"    {row['implementation']:12} {row['median']:11.2f} {row['spread']:6.0%}   {ratio:14}{extra}".rstrip(),
          flush=True)


def version_of(command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              check=True).stdout.split("\n")[0]
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
            "compilers": {c: version_of([c, "--version"]) for c in compilers},
            "commit": version_of(["git", "-C", here, "describe", "--always", "--dirty", "--exclude=*"]),
            "load": os.getloadavg()[0], "began": datetime.datetime.now().isoformat(timespec="seconds")}


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin_dir", help="build/bin/bench")
    parser.add_argument("--json", help="also write the figures to this file, after each case")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each program, 5 or more")
    parser.add_argument("--compiler", action="append", help="only programs built by this one: gcc, clang")
    parser.add_argument("--check", action="store_true", help="check the arguments and do nothing else")
    parser.add_argument("workloads", nargs="*", help="all, if none is named")
    options = parser.parse_intermixed_args(arguments)
    known = list(dict.fromkeys([*(c.workload for c in CASES), UFC[0]]))
    unknown = [w for w in options.workloads if w not in known]
    if unknown:
        sys.exit(f"no such workload: {', '.join(unknown)}; there are {', '.join(known)}")
    if options.repeat < 5:
        sys.exit("a median needs at least five runs: --repeat 5 or more")
    return options


def compilers_of(options):
    there = [] if not os.path.isdir(options.bin_dir) else [
        c for c in sorted(os.listdir(options.bin_dir), reverse=True) if os.path.isdir(os.path.join(options.bin_dir, c))]
    chosen = [c for c in there if not options.compiler or c in options.compiler]
    if not there:
        sys.exit(f"there are no programs in {options.bin_dir}: ./dev bench builds them")
    if not chosen:
        sys.exit(f"no programs were built with {', '.join(options.compiler)}; there are those of {', '.join(there)}")
    return chosen


def print_circumstances(about, options, chosen):
    print(f"{about['cpu']}, {about['cpus']} CPUs, {about['kernel']}, load {about['load']:.1f}; "
          f"commit {about['commit']}")
    for compiler, version in about["compilers"].items():
        print(f"  {compiler}: {version}")
    for compiler in about["compilers"]:
        directory = os.path.join(options.bin_dir, compiler)
        absent = sorted({program_of(case, name) for case in chosen for name in ("uflow", *case.implementations)
                         if not is_there(directory, case, name)})
        if absent:
            print(f"  not built with {compiler}, and left out: {', '.join(absent)}")
    print(f"medians of {options.repeat} runs, interleaved, on one CPU; ± is the interquartile range;")
    print("a ratio is uflow's time divided by that implementation's, void if it varies by more than 10 %.")
    print("W5 is per waiter, W6 per job, W7 per timer.")
    print(f"    {'':12} {'median':>11} {'±':>6}   {'ratio':>7} {'±':>6}\n")


def all_rows(options, chosen, compilers):
    """Returns the rows of each case, and prints them."""
    for case in chosen:
        for compiler in compilers:
            directory = os.path.join(options.bin_dir, compiler)
            if is_there(directory, case, "uflow"):
                yield from show_all(rows_of(case.workload, case.what, case.unit, compiler,
                                            *run_case(directory, case, options.repeat)))
    if not options.workloads or UFC[0] in options.workloads:
        for compiler in compilers:
            for rows in ufc_speed.rows(os.path.join(options.bin_dir, compiler), compiler, options.repeat, rows_of):
                yield from show_all(rows)


def show_all(rows):
    print(f"{rows[0]['workload']}  {rows[0]['what']}, {rows[0]['unit']}, {rows[0]['compiler']}")
    for row in rows:
        show(row)
    return rows


def json_of(run):
    """As JSON, with one row per line."""
    rows = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in run["rows"])
    return json.dumps({**run, "rows": []}, indent=1, ensure_ascii=False).replace('"rows": []',
                                                                                 f'"rows": [\n  {rows}\n ]') + "\n"


class Report:
    """The file of figures: valid at any time, and marked as partial until it has all of them."""

    def __init__(self, path, about):
        self.path, self.about, self.rows = path, about, []
        self.write(True)

    def write(self, partial):
        if not self.path:
            return
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            file.write(json_of({**self.about, "partial": partial, "rows": self.rows}))
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
    print_circumstances(about, options, chosen)
    report = Report(options.json, {**about, "repeat": options.repeat, "workloads": options.workloads})
    pin()
    began = time.monotonic()
    for row in all_rows(options, chosen, compilers):
        report.add(row)
    report.about["seconds"] = round(time.monotonic() - began)
    report.write(bool(options.workloads or options.compiler))
    print(f"\n{report.about['seconds']} s")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\ninterrupted")
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(map(str, error.cmd))}: failed with exit status {error.returncode}")
    except subprocess.TimeoutExpired as error:
        sys.exit(f"{' '.join(map(str, error.cmd))}: still running after {error.timeout:.0f} s")
    except OSError as error:
        sys.exit(str(error))
