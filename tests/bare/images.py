# SPDX-License-Identifier: MIT
"""Builds images for Cortex-M and RISC-V and runs them in QEMU.

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
    tools = "arm-none-eabi-", EMULATOR
    board = f"{ROOT}/runtime/port/template.c", f"{HERE}/image.c"
    semihosting = "enable=on,target=native"

    def __init__(self, cpu, board, code, data, options=()):
        self.flags = [f"-mcpu={cpu}", "-mthumb"]
        self.link = ["-nostartfiles", "--specs=nosys.specs", f"-T{HERE}/image.ld", f"-Wl,--defsym=CODE_SIZE={code}",
                     f"-Wl,--defsym=DATA_SIZE={data}"]
        self.run = ["-M", board, *options]


class RiscV(Machine):
    """QEMU's machine `virt`, with the start-up code and the linker script of picolibc: code and data are in its RAM."""
    tools = "riscv64-unknown-elf-", "qemu-system-riscv32"
    board = f"{ROOT}/runtime/port/template_riscv.c", f"{HERE}/image_riscv.c"

    def __init__(self, code, data):
        ram = 0x80000000
        memory = {"__flash": ram, "__flash_size": code, "__ram": ram + code, "__ram_size": data,
                  "__stack_size": data // 4}
        # With _zicsr in -march, gcc 12 does not find its libraries of 32 bits.
        self.flags = ["-march=rv32imac", "-misa-spec=2.2", "-mabi=ilp32", "--specs=picolibc.specs"]
        self.link = ["--oslib=semihost", "--crt0=hosted", *(f"-Wl,--defsym={name}={at}" for name, at in memory.items())]
        self.run = ["-M", "virt", "-bios", "none", "-chardev", "stdio,id=output,signal=off"]
        self.semihosting = "enable=on,target=native,chardev=output"  # without it, single characters go to stderr


# The nRF51 of the micro:bit is QEMU's only Cortex-M0. It gets more memory here.
MACHINES = {
    "cortex-m3": Machine("cortex-m3", "mps2-an385", 4 * MIB, 4 * MIB),
    "cortex-m0": Machine("cortex-m0", "microbit", 4 * MIB, 4 * MIB,
                         ["-global", f"nrf51-soc.flash-size={4 * MIB}", "-global", f"nrf51-soc.sram-size={4 * MIB}"]),
    "riscv32": RiscV(4 * MIB, 4 * MIB),
}
CORTEX_M = ("cortex-m3", "cortex-m0")


def skip_if_missing(*machines):
    """Without the tools of one of these machines, or of the Cortex-M, the test is skipped."""
    tools = {f"{prefix}gcc": None for prefix, _ in (MACHINES[name].tools for name in machines or CORTEX_M)}
    tools.update({MACHINES[name].tools[1]: None for name in machines or CORTEX_M})
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        print("missing:", *missing)
        sys.exit(77)


def call(command, cwd=None, timeout=300):
    done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout)
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
        sources = [*self.machine.board]
        if by_file: sources += [*sorted(glob.glob(f"{ROOT}/runtime/core/*/*.c")), f"{ROOT}/runtime/port/bare.c"]
        else:
            call([sys.executable, "-EsB", f"{ROOT}/runtime/amalgamate.py", work, "--core"])
            sources.append(os.path.join(work, "uflow.c"))
        self.objects = [self.compile(source, *of_core) for source in sources]

    def tool(self, name):
        return self.machine.tools[0] + name

    def compile(self, source, *options, into=None):
        output = os.path.join(into or self.work, os.path.basename(source)[:-1] + "o")
        call([self.tool("gcc"), *self.flags, *self.include, *options, "-c", source, "-o", output])
        return output

    def link(self, sources, output, *options, into=None):
        """An image of C files, which are compiled with `options` into the directory `into`."""
        own = [self.compile(source, f"-I{os.path.dirname(source)}", *options, into=into) for source in sources]
        call([self.tool("gcc"), *self.machine.flags, *self.options, *self.machine.link, "-Wl,--gc-sections",
              "-Wl,--no-warn-rwx-segments", *own, *self.objects, "-lm", "-o", output])
        return output

    def run(self, image, *options, timeout=300):
        return call([*self.command(image), *options], timeout=timeout)

    def command(self, image):
        return [self.machine.tools[1], *self.machine.run, "-nographic", "-monitor", "none", "-serial", "none",
                "-semihosting-config", self.machine.semihosting, "-kernel", image]
