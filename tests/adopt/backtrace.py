#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A debugger shows where a thread waits in the library, and where a step was called from. Yet this library has no debug
information and, in most of its files, no tables for backtraces.

usage: backtrace.py --ufc UFC --library LIBRARY --cc CC. Exit status 77 (skipped) if gdb is missing or cannot run a
program."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "runtime", "include")
# Where to stop, and the functions of the program that must follow, innermost first. Thread 1 runs main().
STOPS = {"ufp_condition_wait thread 1": ["Link_call_Read", "main"], "Link_Read_Take": ["Link_turn"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("ufc", "library", "cc"):
        parser.add_argument(f"--{option}", required=True, type=os.path.abspath if option != "cc" else str)
    options = parser.parse_args()
    if not shutil.which("gdb"): return 77
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        flows, program = os.path.join(folder, "hosted.c"), os.path.join(folder, "hosted")
        subprocess.run([options.ufc, os.path.join(HERE, "hosted.uflow"), "-o", flows], check=True)
        subprocess.run([options.cc, "-std=c11", "-g", "-O1", "-I" + folder, "-I" + INCLUDE,
                        os.path.join(HERE, "hosted.c"), flows, options.library, "-pthread", "-o", program], check=True)
        for stop, expected in STOPS.items():
            command = ["gdb", "-batch", "-nx", "-ex", "tbreak main", "-ex", "run < /dev/null", "-ex", f"break {stop}",
                       "-ex", "continue", "-ex", "bt", program]
            told = subprocess.run(command, capture_output=True, text=True, timeout=120).stdout
            if "Breakpoint 2, " not in told:
                print(f"gdb cannot run the program:\n{told}")
                return 77
            frames = re.findall(r"^#\d+ +(?:0x\w+ in )?(\w+)", told, re.M)
            places = [frames.index(name) if name in frames else -1 for name in expected]
            if -1 in places or places != sorted(places):
                print(f"from {stop}, gdb does not find {expected}:\n{told}")
                wrong += 1
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
