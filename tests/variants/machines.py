#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs random programs on other machines and C libraries: their traces must have the recorded hashes, and programs with
threads must end as they should. Their library is the amalgamation. Then it runs the tests of the runtime there.

machines.py SOURCE_DIRECTORY UFC WORK_DIRECTORY MACHINE [--count 100] [--threads 5] [--tests REGEX]. A count of 0 leaves
out the programs. --tests: those whose names match, `.` for all. Exit status 77 (skipped) if the compiler or the
emulator is missing."""
import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys

from run import NOT_RUN, own_cmocka, run

# The compiler with its options, and the emulator. A static program needs no C library of the machine at run time.
MACHINES = {
    "arm64": ("clang --target=aarch64-linux-gnu -static", "qemu-aarch64-static"),
    "s390x": ("clang --target=s390x-linux-gnu -static", "qemu-s390x-static"),  # big-endian
    "musl": ("musl-gcc -static", ""),
    "x86": ("gcc -m32", ""),
}

# Behaves like a compiler. It links a script that runs the program in the emulator.
WRAPPER = """#!/bin/sh
{compiler} "$@" || exit
linked=yes output=
for argument; do
    case $last in -o) output=$argument ;; esac
    case $argument in -c) linked= ;; esac
    last=$argument
done
[ "{emulator}" ] && [ "$linked" ] || exit 0
mv "$output" "$output.real"
printf '#!/bin/sh\\nexec {emulator} "$0.real" "$@"\\n' >"$output"
chmod +x "$output"
"""

# These measure a process, which is the emulator's, or count calls by replacing functions of a shared C library.
LEFT_OUT = ("stopping", "system_calls")


def can_link(cc, work):
    source, program = os.path.join(work, "probe.c"), os.path.join(work, "probe")
    with open(source, "w", encoding="utf-8") as file: file.write("#include <pthread.h>\nint main(void) { return 0; }\n")
    for command in ([cc, source, "-pthread", "-o", program], [program]):
        if subprocess.run(command, capture_output=True).returncode: return False
    return True


def run_programs(options, cc):
    library, found = os.path.join(options.work, "lib/libuflow.a"), os.path.join(options.work, "bin/ufc")
    run([sys.executable, "-EsB", f"{options.source}/runtime/amalgamate.py", options.work])
    run([cc, "-std=c11", "-O2", f"-I{options.work}", "-c", f"{options.work}/uflow.c", "-o", f"{options.work}/uflow.o"])
    if os.path.exists(library): os.remove(library)
    run(["ar", "rcs", library, f"{options.work}/uflow.o"])
    shutil.copy(options.ufc, found)
    random = f"{options.source}/tests/random"
    run([sys.executable, "-EsB", f"{random}/compare.py", f"{options.source}:{options.work}", "--count", options.count,
         "--cc", cc, "--cache", f"{options.work}/cache"])
    run([sys.executable, "-EsB", f"{random}/threads.py", options.work, "--include", f"{options.source}/runtime/include",
         "--count", options.threads, "--cc", cc])


def run_tests(options, compiler, emulator):
    """The tests of the runtime, built by CMake as in a cross build."""
    work = os.path.join(options.work, "tests")
    os.makedirs(work, exist_ok=True)
    program, *flags = shlex.split(compiler)
    flags.remove("-static")
    found, static = (shutil.which(emulator), " -static") if emulator else ("", "")  # tests replace functions of musl
    run(["cmake", "-S", options.source, "-B", work, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
         "-DUFLOW_BUILD_EXAMPLES=OFF", "-DUFLOW_TEST_EFFORT=quick", "-DCMAKE_SYSTEM_NAME=Linux",
         f"-DCMAKE_SYSTEM_PROCESSOR={options.machine}", f"-DCMAKE_C_COMPILER={program}",
         f"-DCMAKE_C_FLAGS={' '.join(flags)}", f"-DCMAKE_CROSSCOMPILING_EMULATOR={found}", f"-DUFLOW_UFC={options.ufc}",
         *own_cmocka(options.source, work), f"-DCMAKE_EXE_LINKER_FLAGS=-L{work}{static}"])
    there = re.findall(r"^test_runtime_(\w+): phony", run(["ninja", "-C", work, "-t", "targets", "all"]), re.M)
    chosen = [name for name in there
              if re.search(options.tests, name) and not name.endswith("_by_poll") and name not in LEFT_OUT]
    run(["cmake", "--build", work, "--target", *(f"test_runtime_{name}" for name in chosen)])
    names = "|".join(name.replace("_kept", ".kept") for name in chosen)
    out = run(["ctest", "--test-dir", work, "-R", rf"^runtime\.({names})$", "-E", NOT_RUN, "-j2",
               "--output-on-failure", "--no-tests=error"])
    print(re.search(r".*tests passed.*", out)[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("source", "ufc", "work"): parser.add_argument(name, type=os.path.abspath)
    parser.add_argument("machine", choices=MACHINES)
    parser.add_argument("--count", default="100")
    parser.add_argument("--threads", default="5")
    parser.add_argument("--tests")
    options = parser.parse_args()
    compiler, emulator = MACHINES[options.machine]
    for directory in ("bin", "lib"): os.makedirs(os.path.join(options.work, directory), exist_ok=True)
    cc = os.path.join(options.work, "cc")
    with open(cc, "w", encoding="utf-8") as file: file.write(WRAPPER.format(compiler=compiler, emulator=emulator))
    os.chmod(cc, 0o755)
    programs = [shlex.split(compiler)[0], *([emulator] if emulator else [])]
    if not all(map(shutil.which, programs)) or not can_link(cc, options.work):
        print(f"there is no compiler or emulator for {options.machine}")
        return 77
    if options.count != "0": run_programs(options, cc)
    if options.tests: run_tests(options, compiler, emulator)
    return 0


if __name__ == "__main__":
    sys.exit(main())
