#!/usr/bin/env python3
"""Runs random programs on other machines and C libraries: their traces must have the recorded hashes, and programs with
threads must end as they should. The library is the amalgamation.

machines.py SOURCE_DIRECTORY UFC WORK_DIRECTORY MACHINE [--count 100] [--threads 5]. Exit status 77 (skipped) if the
compiler or the emulator is missing."""
import argparse
import os
import shlex
import shutil
import subprocess
import sys

# The compiler with its options, and the emulator. A static program needs no C library of the machine at run time.
MACHINES = {
    "arm64": ("clang --target=aarch64-linux-gnu -static", "qemu-aarch64-static"),
    "s390x": ("clang --target=s390x-linux-gnu -static", "qemu-s390x-static"),  # big-endian
    "musl": ("musl-gcc -static", ""),
    "x86": ("gcc -m32", ""),
}

# Behaves like a compiler. What it links is a script that runs the program in the emulator.
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


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode: sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}"[-6000:])


def can_link(cc, work):
    source, program = os.path.join(work, "probe.c"), os.path.join(work, "probe")
    with open(source, "w", encoding="utf-8") as file: file.write("#include <pthread.h>\nint main(void) { return 0; }\n")
    for command in ([cc, source, "-pthread", "-o", program], [program]):
        if subprocess.run(command, capture_output=True).returncode: return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("source", "ufc", "work"): parser.add_argument(name, type=os.path.abspath)
    parser.add_argument("machine", choices=MACHINES)
    parser.add_argument("--count", default="100")
    parser.add_argument("--threads", default="5")
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
    run([sys.executable, "-B", f"{options.source}/runtime/amalgamate.py", options.work])
    library, found = os.path.join(options.work, "lib/libuflow.a"), os.path.join(options.work, "bin/ufc")
    run([cc, "-std=c11", "-O2", f"-I{options.work}", "-c", f"{options.work}/uflow.c", "-o", f"{options.work}/uflow.o"])
    if os.path.exists(library): os.remove(library)
    run(["ar", "rcs", library, f"{options.work}/uflow.o"])
    shutil.copy(options.ufc, found)
    random = f"{options.source}/tests/random"
    run([sys.executable, "-B", f"{random}/compare.py", f"{options.source}:{options.work}", "--count", options.count,
         "--cc", cc, "--cache", f"{options.work}/cache"])
    run([sys.executable, "-B", f"{random}/threads.py", options.work, "--include", f"{options.source}/runtime/include",
         "--count", options.threads, "--cc", cc])
    return 0


if __name__ == "__main__":
    sys.exit(main())
