#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the ports for Zephyr and FreeRTOS. With the sources of a FreeRTOS kernel, it also runs flows in a task of
that kernel. They run on an emulated Cortex-M3, beside another task and an interrupt that use them.

kernels.py UFC WORK_DIRECTORY. FREERTOS_KERNEL_PATH in the environment: the kernel. Exit status 77 (skipped) without a
cross compiler or an emulator."""
import os
import sys

import images

OWN = os.path.join(images.HERE, "freertos")
PORT = os.path.join(images.ROOT, "runtime", "port")
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror")
EXPECTED = b"pulses 40, mails 4000, naps 8, starts refused, in time\n"


def options(headers, system="freertos"):
    return ("-Os", f'-DUFP_INTERRUPTS="{system}_interrupts.h"', f"-I{OWN}", *(f"-I{path}" for path in headers))


def main():
    ufc, work = sys.argv[1:]
    images.skip_if_missing()
    subset = images.Builder("cortex-m3", os.path.join(work, "subset"), options([f"{OWN}/subset"]))
    subset.compile(f"{PORT}/freertos.c", *WARNINGS)
    zephyr = images.Builder("cortex-m3", os.path.join(work, "zephyr"),
                            options([f"{images.HERE}/zephyr/subset"], "zephyr"))
    zephyr.compile(f"{PORT}/zephyr.c", *WARNINGS)
    kernel = os.environ.get("FREERTOS_KERNEL_PATH")
    if not kernel:
        print("compiled; FREERTOS_KERNEL_PATH is not set, so it was not run")
        return 0
    port = f"{kernel}/portable/GCC/ARM_CM3"
    builder = images.Builder("cortex-m3", os.path.join(work, "kernel"), options([f"{kernel}/include", port]))
    flows = os.path.join(work, "live_flows.c")
    images.call([ufc, f"{images.HERE}/live.uflow", "-o", flows])
    sources = [f"{kernel}/{name}.c" for name in ("tasks", "list", "queue", "portable/MemMang/heap_4")]
    image = builder.link([f"{OWN}/main.c", flows, f"{PORT}/freertos.c", f"{port}/port.c", *sources],
                         os.path.join(work, "image.elf"), f"-I{work}", into=work)
    printed = builder.run(image, "-icount", "shift=4,sleep=off")
    if printed != EXPECTED: print(f"it prints:\n{printed.decode()}and should print:\n{EXPECTED.decode()}")
    return printed != EXPECTED


if __name__ == "__main__":
    sys.exit(main())
