#!/usr/bin/env python3
"""Correct programs: ufc reports nothing. The generated C compiles without a warning under every installed compiler
with the flags of this project, at each level of optimisation, and the headers also compile as C++.

usage: run.py --ufc UFC --root ROOT [--cc CC]... [--cxx CXX]... [--levels=LEVEL,...] [NAME...]
Compilers that are not installed are left out. Levels are those of the compiler, such as 0,2,s. Without them, -O0.
"""
import argparse
import itertools
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Wswitch-enum", "-Wundef", "-Werror"]
OF_C = ["-std=c11", "-Wpedantic", "-Wstrict-prototypes", "-Wmissing-prototypes"]


def run(command, cwd):
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def translate(name, folder, options):
    return run([options.ufc, "--tests", name, "-o", os.path.join(folder, name[:-6] + ".c")], HERE)


def installed(names):
    """Each compiler once, under whichever name."""
    found = {}
    for name in names:
        path = shutil.which(name)
        if path:
            found.setdefault(os.path.realpath(path), name)
    return list(found.values())


def check(name, folder, options):
    failures = []
    status, said = translate(name, folder, options)
    if status or said:
        return [f"{name}: ufc says (status {status}):\n{said}"]
    base = name[:-6]
    include = ["-I", os.path.join(options.root, "runtime", "include"), "-I", folder, "-I", HERE]
    for cc, level in itertools.product(options.cc, options.levels):
        status, said = run([cc, *OF_C, *WARNINGS, "-O" + level, *include, "-c", base + ".c", "-o", os.devnull], folder)
        if status or said:
            failures.append(f"{name}: {cc} -O{level} says:\n{said[:4000]}")
    for cxx in options.cxx:
        with open(os.path.join(folder, base + ".cpp"), "w", encoding="utf-8") as file:
            file.write(f'#include "{base}.h"\n')
        status, said = run([cxx, "-std=c++17", *WARNINGS, *include, "-fsyntax-only", base + ".cpp"], folder)
        if status or said:
            failures.append(f"{name}: {cxx} says of the header:\n{said[:4000]}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--cc", action="append", default=[])
    parser.add_argument("--cxx", action="append", default=[])
    parser.add_argument("--levels", default="0", type=lambda text: text.split(","))
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.ufc = os.path.abspath(options.ufc)
    options.root = os.path.abspath(options.root)
    options.cc = installed(options.cc or ["gcc", "clang", "clang-14"])
    options.cxx = installed(options.cxx or ["g++", "clang++", "clang++-14"])

    names = options.names or sorted(name for name in os.listdir(HERE) if name.endswith(".uflow"))
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names: # all first: headers include each other
            translate(name, folder, options)
        for name in names:
            failures += check(name, folder, options)
    for failure in failures:
        print(failure)
    compilers = ", ".join(options.cc + options.cxx)
    print(f"{len(names)} programs, {compilers}, -O{' -O'.join(options.levels)}: {len(failures)} failures")
    return 1 if failures or not names else 0


if __name__ == "__main__":
    sys.exit(main())
