#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the table of docs/guides/building.md, "Size of a program", with what it describes: the text that uflow adds
to hosted programs, from the library of this build and from one of CMake's build type MinSizeRel. Each figure is an
upper bound, and at most ROOM too large. `hosted` has a descriptor and a timeout; `server` also has a pool, a mailbox
and a graceful shutdown.

usage: text.py --ufc UFC --library LIBRARY --cc CC [--small]

Without --small: only this build.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
INCLUDE = os.path.join(ROOT, "runtime", "include")
ROWS = {"hosted": "a runtime, descriptors, timeouts", "server": "also a pool, a mailbox, a graceful shutdown"}
GC = "-Wl,--gc-sections"
ROOM = 3  # KB: versions of gcc differ


def documented():
    """The KB of each program: with --gc-sections, without it, and with that and the library of MinSizeRel."""
    with open(os.path.join(ROOT, "docs", "guides", "building.md"), encoding="utf-8") as file: guide = file.read()
    row = re.compile(r"^\| ([^|]+) \| (\d+) KB \| (\d+) KB \| (\d+) KB \|$", re.M)
    table = {match[1]: [int(match[i]) for i in (2, 3, 4)] for match in row.finditer(guide)}
    return {name: table[words] for name, words in ROWS.items()}


def run(command, folder):
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout


def small_library(options, folder):
    build = os.path.join(folder, "small")
    run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=MinSizeRel", "-DUFLOW_INSTALL=OFF",
         "-DUFLOW_BUILD_TESTS=OFF", "-DUFLOW_BUILD_EXAMPLES=OFF", f"-DCMAKE_C_COMPILER={options.cc}"], folder)
    run(["cmake", "--build", build, "--target", "uflow", "-j2"], folder)
    return os.path.join(build, "lib", "libuflow.a")


def text(options, folder, name, flags, *sources):
    run([options.cc, "-std=c11", *flags, "-ffunction-sections", "-fdata-sections", "-I" + folder, "-I" + INCLUDE,
         *sources, "-pthread", "-o", name], folder)
    return int(run(["size", name], folder).splitlines()[1].split()[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("ufc", "library", "cc"):
        parser.add_argument(f"--{option}", required=True, type=os.path.abspath if option != "cc" else str)
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    wrong = 0
    table = documented()
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "empty.c"), "w", encoding="utf-8") as file:
            file.write("int main(void) { return 0; }\n")
        for name in ROWS:
            run([options.ufc, os.path.join(HERE, name + ".uflow"), "-o", os.path.join(folder, name + ".c")], folder)
        columns = [(["-O2", GC], options.library), (["-O2"], options.library)]
        if options.small: columns.append((["-Os", GC], small_library(options, folder)))
        for column, (flags, library) in enumerate(columns):
            empty = text(options, folder, "empty", flags, "empty.c")
            for name in ROWS:
                sources = [os.path.join(HERE, name + ".c"), name + ".c"]
                added = (text(options, folder, name, flags, *sources, library) - empty) / 1024
                bound = table[name][column]
                print(f"{name}, {' '.join(flags)}: {added:.1f} KB of text; the guide says {bound} KB")
                wrong += not bound - ROOM < added <= bound
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
