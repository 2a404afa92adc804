#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the firmware of examples/adopt/cortex_m on emulated machines, with all of core and with the config of its flows:
it must print what its README shows. No function for atomic operations is linked, which a Cortex-M0 does not have.

blink.py UFC WORK_DIRECTORY MACHINE... Exit status 77 (skipped) without a cross compiler or an emulator."""
import os
import re
import sys

import images

EXAMPLE = f"{images.ROOT}/examples/adopt/cortex_m"
CYCLES_PER_MS = {"cortex-m0": 16000, "cortex-m3": 25000, "riscv32": 10000}
ATOMIC = re.compile(r"\b__(?:atomic|sync)_\w+")


def run(machine, work, ufc, options):
    cycles = f"-DBOARD_CYCLES_PER_MS={CYCLES_PER_MS[machine]}u"
    builder = images.Builder(machine, work, ("-Os", "-DUF_WHEEL_BITS=0", cycles, *options))
    flows = os.path.join(work, "blink.c")
    images.call([ufc, f"{EXAMPLE}/blink.uflow", "-o", flows])
    image = builder.link([f"{EXAMPLE}/main.c", flows, f"{images.HERE}/blink_start.c"], os.path.join(work, "image.elf"),
                         f"-I{work}", f"-I{EXAMPLE}", into=os.path.join(work, "own"))
    wrong = ATOMIC.findall(images.call([builder.tool("nm"), image, os.path.join(work, "uflow.o")]).decode())
    sizes = images.call([builder.tool("size"), image]).decode().split("\n")[1].split()
    return builder.run(image, "-icount", "shift=5,sleep=off").decode(), wrong, int(sizes[0])


def main():
    ufc, work, *machines = sys.argv[1:]
    images.skip_if_missing(*machines)
    with open(f"{EXAMPLE}/README.md", encoding="utf-8") as file:
        expected = re.search(r"```text\n(.*?)```", file.read(), re.S)[1]
    bad = 0
    for machine in machines:
        into = os.path.join(work, machine)
        os.makedirs(os.path.join(into, "own"), exist_ok=True)
        config = os.path.join(into, "uf_config.h")
        images.call([ufc, "--emit=config", f"{EXAMPLE}/blink.uflow", "-o", config])
        whole = run(machine, into, ufc, ())
        fitted = run(machine, into, ufc, (f'-DUF_CONFIG_FILE="{config}"',))
        for kind, (printed, atomics, size) in (("with all of core", whole), ("with a config", fitted)):
            print(f"{machine} {kind}: {size} bytes of code")
            if printed != expected: print(f"it prints:\n{printed}and should print:\n{expected}")
            if atomics: print("it uses", *sorted(set(atomics)))
            bad += printed != expected or bool(atomics)
        if fitted[2] > whole[2] - 2000:
            print(f"{machine}: the config saves nothing")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
