#!/usr/bin/env python3
"""Runs the tests of the runtime on the library in another form, or made by another compiler.

run.py SOURCE_DIRECTORY WORK_DIRECTORY VARIANT. Exit status 77 (skipped) if the compiler or emulator of the variant is
missing."""
import os
import re
import shutil
import subprocess
import sys

# The definitions for CMake, and the programs that are needed.
VARIANTS = {
    "amalgamated": (["-DUFLOW_AMALGAMATED=ON"], []),
    "m32": (["-DCMAKE_C_FLAGS=-m32"], []),
    "unsigned-char": (["-DCMAKE_C_FLAGS=-funsigned-char"], []),
    "short-enums": (["-DCMAKE_C_FLAGS=-fshort-enums"], []),
    "lto": (["-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON"], []),
    "unity": (["-DCMAKE_UNITY_BUILD=ON"], []),
}
# These run other programs, or look at objects of a usual build.
NOT_RUN = r"^runtime\.(core_|settings|parked|pool_flat|helgrind|drd)"


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0: return done.stdout
    print(f"{' '.join(command[:6])}: status {done.returncode}")
    failed = re.search(r"FAILED:|CMake Error|error:|\*\*\*Failed", done.stdout + done.stderr)
    text = done.stdout + done.stderr
    print(text[max(0, failed.start() - 200):][:6000] if failed else text[-4000:])
    sys.exit(1)


def main():
    source, work, variant = sys.argv[1:]
    definitions, programs = VARIANTS[variant]
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        print("missing:", *missing)
        return 77
    run(["cmake", "-S", source, "-B", work, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DUFLOW_BUILD_EXAMPLES=OFF",
         "-DUFLOW_TEST_EFFORT=quick", *definitions])
    targets = re.findall(r"^(test_runtime_\w+): phony", run(["ninja", "-C", work, "-t", "targets", "all"]), re.M)
    run(["cmake", "--build", work, "--target", *targets])
    run(["ctest", "--test-dir", work, "-R", r"^runtime\.", "-E", NOT_RUN, "-j2", "--output-on-failure",
         "--no-tests=error"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
