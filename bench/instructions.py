#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the instructions that run.py times: only those of the pump, with valgrind's callgrind. The load of the machine
does not matter, so a test can compare each count with the accepted figure.

usage: instructions.py BIN_DIR [--update] [--compiler NAME]... [NAME...]

NAME selects all counts that begin with it. instructions.json has the accepted figures for each compiler and version.
--update accepts the measured ones. Exit status:

    0     all are within 5 %
    1     some are not, better or worse, or a name or directory does not exist
    77    there is no valgrind, or no figure for any installed compiler
"""
import argparse
import concurrent.futures
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import generate

WITHIN = 0.05
FIGURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "instructions.json")

# name: program and its arguments; counted per event that the program reports
PROGRAMS = {
    "W1 transition": ["chain_uflow", "1", "40000"],
    "W2 transition, 1000 flows": ["chain_uflow", "1000", "100000"],
    "W3 transition beside 1000 parked": ["chain_uflow", "1", "40000", "1000"],
    "W4 fire": ["fire_uflow", "1000", "20"],
    "W5 release, lone arm": ["broadcast_uflow", "1000", "20", "lone"],
    "W5 release, beside a timeout": ["broadcast_uflow", "1000", "20", "armed"],
    "W7 timer set and fired": ["timers_uflow", "10000"],
    "W7 timer, half cancelled": ["timers_uflow", "10000", "1", "cancel"],
    "baseline: W1 transition": ["chain_baseline", "1", "40000"],
    "baseline: W2 transition, 1000 flows": ["chain_baseline", "1000", "100000"],
    "baseline: W4 fire": ["fire_baseline", "1000", "20"],
    "baseline: W5 release, lone arm": ["broadcast_baseline", "1000", "20"],
    "baseline: W7 timer set and fired": ["timers_baseline", "10000"],
    "counted for coverage": ["covered_uflow", "1", "40000"],
    "observed by nobody": ["observed_uflow", "20000", "none"],
    "observed by two callbacks": ["observed_uflow", "20000", "observer"],
    "observed by counters": ["observed_uflow", "20000", "counters"],
    "observed by trace": ["observed_uflow", "20000", "trace"],
    "observed by recorder": ["observed_uflow", "20000", "recorder"],
    "test, plain schedule": ["tested_uflow", "1000", "plain"],
    "test, explored schedule": ["tested_uflow", "2000", "explored"],
    "baseline: test, plain schedule": ["tested_baseline", "1000"],
}
# A line costs the same in a small and in a large file; growth faster than linear shows here.
UFC = {f"ufc, a line of {lines}": lines for lines in (1000, 5000, 50000)}


def callgrind(command, from_start):
    options = ["--tool=callgrind", "--callgrind-out-file=/dev/null",
               f"--collect-atstart={'yes' if from_start else 'no'}"]
    done = subprocess.run(["valgrind", *options, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not collected:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return int(collected.group(1)), done.stdout


def source_of(scratch, lines):
    return os.path.join(scratch, f"input{lines}.uflow")


def count(directory, name, scratch):
    if name not in UFC:
        program, *arguments = PROGRAMS[name]
        instructions, said = callgrind([os.path.join(directory, program), *arguments], False)
        return instructions / int(said.split()[1])
    source = source_of(scratch, UFC[name])
    out = os.path.join(scratch, f"{os.path.basename(directory)}{UFC[name]}.c")
    instructions, _ = callgrind([os.path.join(directory, "ufc"), "--no-line", source, "-o", out], True)
    with open(source, encoding="utf-8") as file:
        return instructions / sum(1 for _ in file)


def key_of(compiler):
    version = subprocess.run([compiler, "-dumpversion"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    return f"{platform.machine()} {compiler} {version.split('.')[0]}"


def chosen(starts):
    names = (*PROGRAMS, *UFC)
    for start in starts:
        if not any(name.startswith(start) for name in names):
            sys.exit(f"no count begins with {start}; there are {'; '.join(names)}")
    return [name for name in names if not starts or name.startswith(tuple(starts))]


def compilers_in(directory, wanted):
    """The compilers that were built: each has a directory with its ufc and the programs of the workloads."""
    there = os.listdir(directory) if os.path.isdir(directory) else []
    compilers = [c for c in sorted(there, reverse=True)
                 if os.path.exists(os.path.join(directory, c, "ufc")) and (not wanted or c in wanted)]
    if not compilers:
        of_whom = f" of {', '.join(wanted)}" if wanted else ""
        sys.exit(f"there are no programs{of_whom} in {directory}; ./dev bench puts them into build/bin/bench")
    return compilers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin_dir")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--compiler", action="append")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    names = chosen(options.names)
    compilers = compilers_in(options.bin_dir, options.compiler)
    if not shutil.which("valgrind"):
        print("there is no valgrind")
        sys.exit(77)
    try:
        with open(FIGURES, encoding="utf-8") as file:
            expected = json.load(file)
    except FileNotFoundError:
        expected = {}
    bad = known = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for lines in UFC.values():
            with open(source_of(scratch, lines), "w", encoding="utf-8") as file:
                file.write(generate.text_of(lines))
        for compiler in compilers:
            key = key_of(compiler)
            before = expected.setdefault(key, {})
            directory = os.path.join(options.bin_dir, compiler)
            print(f"{key}: instructions for each")
            for name, figure in zip(names, pool.map(lambda n: count(directory, n, scratch), names)):
                was = before.get(name)
                note = "no figure yet"
                if was:
                    known += 1
                    apart = figure / was - 1
                    note = f"{apart:+7.1%} of {was:.1f}"
                    if abs(apart) > WITHIN and not options.update:
                        bad += 1
                        note += "   SLOWER" if apart > 0 else "   better: accept it with --update"
                print(f"  {name:34} {figure:10.1f}   {note}", flush=True)
                if options.update:
                    before[name] = round(figure, 2)
    if options.update:
        with open(FIGURES, "w", encoding="utf-8") as file:
            json.dump({k: v for k, v in expected.items() if v}, file, indent=2)
            file.write("\n")
    elif bad:
        sys.exit(1)
    elif not known:
        print("there are no figures for these compilers: make them with --update")
        sys.exit(77)


if __name__ == "__main__":
    main()
