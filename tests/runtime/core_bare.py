# SPDX-License-Identifier: MIT
"""Compiles core, the recorder and the bare port for small machines: Cortex-M0 and -M3, freestanding or with a hosted
compiler, and x86. Only the expected symbols may be undefined. The options are those that users have: GCC makes calls of
other functions at some levels, and only without -ffreestanding.

core_bare.py SOURCE_DIRECTORY WORK_DIRECTORY [--few]: with --few only the last two. Exit status 77 (skipped) if there is
no compiler for any of them."""
import glob
import os
import shutil
import subprocess
import sys

import core_symbols

WARNINGS = ("-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes "
            "-Wswitch-enum -Wundef -Werror").split()
MACHINES = {
    "cortex-m0": ("arm-none-eabi-gcc", "arm-none-eabi-nm", ["-mcpu=cortex-m0", "-mthumb", "-ffreestanding"]),
    "cortex-m0, hosted compiler": ("arm-none-eabi-gcc", "arm-none-eabi-nm",
                                   ["-mcpu=cortex-m0", "-mthumb", "-DUFP_BARE"]),
    "cortex-m3": ("arm-none-eabi-gcc", "arm-none-eabi-nm", ["-mcpu=cortex-m3", "-mthumb", "-ffreestanding"]),
    "cortex-m3, no floating point": ("arm-none-eabi-gcc", "arm-none-eabi-nm",
                                     ["-mcpu=cortex-m3", "-mthumb", "-ffreestanding", "-DUF_NO_FLOAT"]),
    "x86, 32 bits": ("gcc", "nm", ["-m32", "-ffreestanding"]),
    "clang, hosted": ("clang", "nm", ["-DUFP_BARE", "-O2"]),
    "cortex-m3, hosted, -O2": ("arm-none-eabi-gcc", "arm-none-eabi-nm",
                               ["-mcpu=cortex-m3", "-mthumb", "-DUFP_BARE", "-O2"]),
    "x86, hosted, -O3": ("gcc", "nm", ["-DUFP_BARE", "-O3"]),
}


def can_build(compiler, flags, work):
    if not shutil.which(compiler):
        return False
    probe = subprocess.run([compiler, *flags, "-ffreestanding", "-x", "c", "-c", "-", "-o",
                            os.path.join(work, "probe.o")],
                           input="#include <stdint.h>\nint32_t probe;\n", universal_newlines=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return probe.returncode == 0


def build(machine, source, work):
    compiler, nm, flags = MACHINES[machine]
    objects = []
    files = ("runtime/core/*/*.c", "runtime/recorder/*.c", "runtime/port/bare.c")
    for path in sorted(path for some in files for path in glob.glob(os.path.join(source, some))):
        output = os.path.join(work, os.path.basename(path)[:-1] + "o")
        subprocess.run([compiler, "-Os", *flags, *WARNINGS, "-std=c11", "-I", os.path.join(source, "runtime/include"),
                        "-I", os.path.join(source, "runtime/core"), "-I", os.path.join(source, "runtime/port"),
                        "-c", path, "-o", output], check=True)
        objects.append(output)
    return core_symbols.outside_symbols(nm, objects)


def main():
    source, work, *few = sys.argv[1:]
    built = failed = 0
    for machine, (compiler, _, flags) in list(MACHINES.items())[-2 if few else 0:]:
        directory = os.path.join(work, machine.replace(", ", "-").replace(" ", "-"))
        os.makedirs(directory, exist_ok=True)
        if not can_build(compiler, flags, directory):
            print(f"{machine}: no compiler")
            continue
        outside = build(machine, source, directory)
        print(f"{machine}: {', '.join(outside) if outside else 'ok'}")
        built += 1
        failed += bool(outside)
    if not built:
        return 77
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
