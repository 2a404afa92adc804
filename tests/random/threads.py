#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds random programs with threads.c, and runs them on runtimes while other threads act on their flows."""
import argparse
import os
import subprocess
import sys
import tempfile

from programs import FIFTH_PART, FOURTH_PART, SECOND_PART, THIRD_PART, Batch

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--include", required=True)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--cflags", default="-O0")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first program")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--milliseconds", type=int, default=50, help="the time of each program")
    options = parser.parse_args()
    for first in (part + options.first for part in (0, SECOND_PART, THIRD_PART, FOURTH_PART, FIFTH_PART)):
        status = run(options, Batch(first, options.count))
        if status: sys.exit(status)


def run(options, batch):
    build, include = os.path.abspath(options.build), os.path.abspath(options.include)
    with tempfile.TemporaryDirectory(prefix="uflow-random-") as folder:
        for name, text in (("batch.uflow", batch.uflow), ("table.c", batch.c)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file: file.write(text)
        ufc, library = os.path.join(build, "bin/ufc"), os.path.join(build, "lib/libuflow.a")
        subprocess.run([ufc, "batch.uflow", "-o", "batch.c"], cwd=folder, check=True, capture_output=True)
        subprocess.run([options.cc, "-std=gnu11", "-w", "-g", *options.cflags.split(), "-I.", "-I" + HERE,
                        "-I" + include, "batch.c", "table.c", os.path.join(HERE, "threads.c"), library,
                        "-pthread", "-o", "batch"], cwd=folder, check=True)
        return subprocess.run(["./batch", str(options.milliseconds)], cwd=folder, timeout=600).returncode


if __name__ == "__main__":
    main()
