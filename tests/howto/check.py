#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Applies the patches of this directory to a copy of the sources, builds ufc and the runtime once, and compares what
each addition prints. Fails if a patch touches more source files than its row of PATCHES allows.

By hand: tests/howto/check.py --root . [--counts]
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
COPIED = ["CMakeLists.txt", "CMakePresets.json", "cmake", "generator", "grammar", "runtime", "tools/page",
          "docs/errors.md"]
PROGRAM, REPORT, LIST = "a program", "a report", "an output"
# Each addition: the most source files that it may touch, and what shows it.
PATCHES = {
    "add_an_arm": (4, PROGRAM),
    "add_an_intent": (5, PROGRAM),
    "add_a_check": (4, REPORT),
    "add_an_emitter": (4, LIST),
    "add_a_public_function": (2, PROGRAM),
}


def run(command, directory):
    done = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}\n{' '.join(command)} failed with status {done.returncode}")
    return done.stdout


def count_files(name):
    with open(os.path.join(HERE, name + ".patch"), encoding="utf-8") as text:
        files = sorted(line.split("b/", 1)[1].strip() for line in text if line.startswith("+++ b/"))
    most = PATCHES[name][0]
    print(f"{name} touches {len(files)} files:", *files, sep="\n    ")
    if len(files) > most:
        sys.exit(f"{name}: more than {most}")


def copy_sources(root, target):
    for name in COPIED:
        source = os.path.join(root, name)
        if os.path.isdir(source):
            shutil.copytree(source, os.path.join(target, name))
        elif os.path.exists(source):
            os.makedirs(os.path.join(target, os.path.dirname(name)), exist_ok=True)
            shutil.copy(source, os.path.join(target, name))


def apply(name, sources):
    run(["patch", "-p1", "--fuzz=0", "--forward", "--no-backup-if-mismatch", "-i", os.path.join(HERE, name + ".patch")],
        sources)


def build(sources, cc):
    options = ["-DUFLOW_BUILD_TESTS=OFF", "-DUFLOW_BUILD_EXAMPLES=OFF", "-DCMAKE_BUILD_TYPE=Debug",
               "-DUFLOW_WERROR=ON", f"-DCMAKE_C_COMPILER={cc}"]
    run(["cmake", "-S", sources, "-B", "build", *options], sources)
    run(["cmake", "--build", "build", "--parallel"], sources)


def show(name, sources, cc):
    """What the addition prints."""
    shutil.copy(os.path.join(HERE, name + ".uflow"), sources)
    flow, how = name + ".uflow", PATCHES[name][1]
    if how == REPORT:
        return run(["build/bin/ufc", "--check", flow], sources)
    if how == LIST:
        return run(["build/bin/ufc", "--emit=list", flow, "-o", "-"], sources)
    run(["build/bin/ufc", flow, "-o", name + ".c"], sources)
    run([cc, "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", "runtime/include", "-I", ".", name + ".c",
         os.path.join(HERE, name + "_main.c"), "build/lib/libuflow.a", "-pthread", "-o", "program"], sources)
    return run(["./program"], sources)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", default=os.path.join(HERE, "../.."))
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--counts", action="store_true", help="only apply the patches to one copy, and count files")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as sources:
        copy_sources(os.path.abspath(given.root), sources)
        for name in PATCHES:
            count_files(name)
            apply(name, sources)
        if given.counts:
            return
        build(sources, given.cc)
        for name in PATCHES:
            printed = show(name, sources, given.cc)
            with open(os.path.join(HERE, name + ".expected"), encoding="utf-8") as text:
                expected = text.read()
            if printed != expected:
                sys.exit(f"{name} prints\n{printed}\nand not\n{expected}")


main()
