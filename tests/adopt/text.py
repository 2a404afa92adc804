#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The bytes of text that hosted programs get from uflow, linked with --gc-sections: from the library of this build, and
from one of CMake's build type MinSizeRel. `hosted` has a descriptor and a timeout; `server` also has a pool, a mailbox
and a graceful shutdown. docs/guides/building.md has these figures.

usage: text.py --ufc UFC --library LIBRARY --cc CC [--small]

Without --small: only this build.
"""
import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
INCLUDE = os.path.join(ROOT, "runtime", "include")
LIMITS = {"hosted": {"-O2": 45 * 1024, "-Os": 37500},
          "server": {"-O2": 67000, "-Os": 55000}}


def run(command, folder):
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout


def small_library(options, folder):
    build = os.path.join(folder, "small")
    run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=MinSizeRel", "-DUFLOW_INSTALL=OFF",
         "-DUFLOW_BUILD_TESTS=OFF", "-DUFLOW_BUILD_EXAMPLES=OFF", f"-DCMAKE_C_COMPILER={options.cc}"], folder)
    run(["cmake", "--build", build, "--target", "uflow", "-j2"], folder)
    return os.path.join(build, "lib", "libuflow.a")


def text(options, folder, name, level, *sources):
    run([options.cc, "-std=c11", level, "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections",
         "-I" + folder, "-I" + INCLUDE, *sources, "-pthread", "-o", name], folder)
    return int(run(["size", name], folder).splitlines()[1].split()[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("ufc", "library", "cc"):
        parser.add_argument(f"--{option}", required=True, type=os.path.abspath if option != "cc" else str)
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    too_large = 0
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "empty.c"), "w", encoding="utf-8") as file:
            file.write("int main(void) { return 0; }\n")
        for name in LIMITS:
            run([options.ufc, os.path.join(HERE, name + ".uflow"), "-o", os.path.join(folder, name + ".c")], folder)
        libraries = {"-O2": options.library}
        if options.small: libraries["-Os"] = small_library(options, folder)
        for level, library in libraries.items():
            empty = text(options, folder, "empty", level, "empty.c")
            for name, limits in LIMITS.items():
                sources = [os.path.join(HERE, name + ".c"), name + ".c"]
                added = text(options, folder, name, level, *sources, library) - empty
                print(f"{name}, {level}: {added} bytes of text; at most {limits[level]}")
                too_large += added > limits[level]
    return too_large > 0


if __name__ == "__main__":
    sys.exit(main())
