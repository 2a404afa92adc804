#!/usr/bin/env python3
"""Applies a patch of this directory to a copy of the sources, builds ufc and the runtime, compiles and runs the patch's
program, and compares what it prints. Fails if the patch touches more than MOST_FILES source files.

By hand: tests/howto/check.py --root . add_an_arm
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

MOST_FILES = 8
HERE = os.path.dirname(os.path.abspath(__file__))
COPIED = ["CMakeLists.txt", "CMakePresets.json", "cmake", "generator", "grammar", "runtime", "tools/page"]


def run(command, directory):
    done = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}\n{' '.join(command)} failed with status {done.returncode}")
    return done.stdout


def touched_files(patch):
    with open(patch, encoding="utf-8") as text:
        return sorted(line.split("b/", 1)[1].strip() for line in text if line.startswith("+++ b/"))


def copy_sources(root, target):
    for name in COPIED:
        source = os.path.join(root, name)
        if os.path.isdir(source):
            shutil.copytree(source, os.path.join(target, name))
        elif os.path.exists(source):
            shutil.copy(source, target)


def check(name, root, cc):
    patch = os.path.join(HERE, name + ".patch")
    files = touched_files(patch)
    print(f"{name} touches {len(files)} files:", *files, sep="\n    ")
    if len(files) > MOST_FILES:
        sys.exit(f"more than {MOST_FILES}")
    with tempfile.TemporaryDirectory() as sources:
        copy_sources(root, sources)
        run(["patch", "-p1", "--forward", "--no-backup-if-mismatch", "-i", patch], sources)
        options = ["-DUFLOW_BUILD_TESTS=OFF", "-DUFLOW_BUILD_EXAMPLES=OFF", "-DCMAKE_BUILD_TYPE=Debug",
                   "-DUFLOW_WERROR=ON", f"-DCMAKE_C_COMPILER={cc}"]
        run(["cmake", "-S", sources, "-B", "build", *options], sources)
        run(["cmake", "--build", "build", "--parallel"], sources)
        run(["build/bin/ufc", os.path.join(HERE, name + ".uflow"), "-o", name + ".c"], sources)
        run([cc, "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", "runtime/include", "-I", ".", name + ".c",
             os.path.join(HERE, name + "_main.c"), "build/lib/libuflow.a", "-pthread", "-o", "program"], sources)
        printed = run(["./program"], sources)
    with open(os.path.join(HERE, name + ".expected"), encoding="utf-8") as text:
        expected = text.read()
    if printed != expected:
        sys.exit(f"the program prints\n{printed}\nand not\n{expected}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", default=os.path.join(HERE, "../.."))
    parser.add_argument("--cc", default="cc")
    parser.add_argument("name")
    given = parser.parse_args()
    check(given.name, os.path.abspath(given.root), given.cc)


main()
