# SPDX-License-Identifier: MIT
"""Builds images for Cortex-M and runs them in QEMU.

A Builder compiles core once, for one machine and set of options."""
import glob
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
COMPILER, EMULATOR = "arm-none-eabi-gcc", "qemu-system-arm"

MIB = 1 << 20


class Machine:
    def __init__(self, cpu, board, code, data, options=()):
        self.flags = [f"-mcpu={cpu}", "-mthumb"]
        self.link = [f"-Wl,--defsym=CODE_SIZE={code}", f"-Wl,--defsym=DATA_SIZE={data}"]
        self.run = ["-M", board, *options]


# The nRF51 of the micro:bit is QEMU's only Cortex-M0. It gets more memory here.
MACHINES = {
    "cortex-m3": Machine("cortex-m3", "mps2-an385", 4 * MIB, 4 * MIB),
    "cortex-m0": Machine("cortex-m0", "microbit", 4 * MIB, 4 * MIB,
                         ["-global", f"nrf51-soc.flash-size={4 * MIB}", "-global", f"nrf51-soc.sram-size={4 * MIB}"]),
}


def skip_if_missing():
    missing = [tool for tool in (COMPILER, EMULATOR) if not shutil.which(tool)]
    if missing:
        print("missing:", *missing)
        sys.exit(77)


def call(command, cwd=None, timeout=300):
    done = subprocess.run(command, cwd=cwd, capture_output=True, timeout=timeout)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: status {done.returncode}\n"
                         f"{done.stdout.decode(errors='replace')[-2000:]}"
                         f"{done.stderr.decode(errors='replace')[-3000:]}")
    return done.stdout


class Builder:
    """Core and start-up code for one machine, compiled into `work`: each file by itself, or, in a tenth of the
    time, the amalgamation. `of_core`: options for these only."""

    def __init__(self, machine, work, options=("-Os",), by_file=False, of_core=()):
        self.machine, self.work = MACHINES[machine], work
        os.makedirs(work, exist_ok=True)
        self.options = options
        self.flags = [*self.machine.flags, "-std=c11", "-ffunction-sections", "-fdata-sections", "-DUFP_BARE", *options]
        self.include = [f"-I{ROOT}/runtime/{part}" for part in ("include", "core", "port")] + [f"-I{HERE}"]
        sources = [f"{ROOT}/runtime/port/template.c", f"{HERE}/image.c"]
        if by_file: sources += [*sorted(glob.glob(f"{ROOT}/runtime/core/*/*.c")), f"{ROOT}/runtime/port/bare.c"]
        else:
            call([sys.executable, "-EsB", f"{ROOT}/runtime/amalgamate.py", work, "--core"])
            sources.append(os.path.join(work, "uflow.c"))
        self.objects = [self.compile(source, *of_core) for source in sources]

    def compile(self, source, *options, into=None):
        output = os.path.join(into or self.work, os.path.basename(source)[:-1] + "o")
        call([COMPILER, *self.flags, *self.include, *options, "-c", source, "-o", output])
        return output

    def link(self, sources, output, *options, into=None):
        """An image of C files, which are compiled with `options` into the directory `into`."""
        own = [self.compile(source, f"-I{os.path.dirname(source)}", *options, into=into) for source in sources]
        call([COMPILER, *self.machine.flags, *self.options, "-nostartfiles", "--specs=nosys.specs",
              f"-T{HERE}/image.ld", *self.machine.link, "-Wl,--gc-sections", "-Wl,--no-warn-rwx-segments", *own,
              *self.objects, "-lm", "-o", output])
        return output

    def run(self, image, *options, timeout=300):
        return call([*self.command(image), *options], timeout=timeout)

    def command(self, image):
        return [EMULATOR, *self.machine.run, "-nographic", "-monitor", "none", "-serial", "none",
                "-semihosting-config", "enable=on,target=native", "-kernel", image]
